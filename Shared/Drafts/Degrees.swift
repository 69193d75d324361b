/// A latitude or longitude as people and map programs write one: `37.5663`, `37,5663`, `51.5074° N`, `51°30'26"N`.
package struct Degrees: Hashable, Sendable {
  package let value: Double

  /// Longer texts are none.
  private static let bytesMax = 40

  package init?(_ text: String) {
    let text = text.trimmed
    guard text.utf8.count <= Self.bytesMax else { return nil }
    if let value = Double(text) {
      self.value = value
      return
    }
    var (numbers, sign) = ([""], 1.0)
    for scalar in text.unicodeScalars {
      switch scalar {
      case "0"..."9", ".": numbers[numbers.count - 1].unicodeScalars.append(scalar)
      case ",": numbers[numbers.count - 1] += "."
      case "-", "−":
        guard numbers == [""] else { return nil }
        sign = -1
      case "S", "s", "W", "w": sign = -1
      case "N", "n", "E", "e", "+": break
      case "°", "º", "'", "′", "’", "\"", "″", "”", " ": if numbers.last != "" { numbers.append("") }
      default: return nil
      }
    }
    if numbers.last == "" { numbers.removeLast() }
    let parts = numbers.compactMap { Double($0) }
    guard (1...3).contains(parts.count), parts.count == numbers.count, parts.dropFirst().allSatisfy({ $0 < 60 }) else {
      return nil
    }
    // Minutes and seconds tell no more than a centimetre.
    let degrees = zip(parts, [1, 60, 3_600]).reduce(0) { $0 + $1.0 / $1.1 }
    value = sign * (parts.count == 1 ? degrees : (degrees * 10_000_000).rounded() / 10_000_000)
  }
}
