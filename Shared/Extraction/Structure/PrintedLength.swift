/// How long a film is, printed in the line of its title: "The Owl (U) 96m", "Silt (PL 2025, 98 min)".
enum PrintedLength {
  private static let units: Set<String> = [
    "m", "min", "mins", "mn", "minutes", "minuten", "minuti", "minutos", "minut", "perc", "דקות", "דק",
  ]
  /// A sign, in which the unit's word ends.
  private static let signs: Set<Unicode.Scalar> = ["'", "′", "’", "分", "분"]
  /// Nothing is as short in a programme, or as long.
  private static let minutes = 5...600

  /// The text up to the length, without the facts that stand in one bracket with it; the text if it tells none.
  /// - Parameter isInBracket: cuts only what stands in one.
  static func cut(from text: String, isInBracket: Bool = false) -> String {
    guard text.utf8.contains(where: isDigitByte) else { return text }
    let scalars = Array(text.unicodeScalars)
    guard let start = start(in: scalars) else { return text }
    let bracket = openBracket(in: scalars[..<start])
    if isInBracket, bracket == nil { return text }
    var left = LineRest.trimmed(String(String.UnicodeScalarView(scalars[..<(bracket ?? start)])).trimmedText)
    // "Kumiko, Japan 2025, 97 min": what stands with the year is a fact too.
    if bracket == nil, let comma = left.lastPlace(of: ", "), hasYear(left[comma.upperBound...]) {
      left = LineRest.trimmed(String(left[..<comma.lowerBound]))
    }
    return left.unicodeScalars.count(where: \.properties.isAlphabetic) >= 2 ? left : text
  }

  /// Where a number with a unit of minutes begins.
  private static func start(in scalars: [Unicode.Scalar]) -> Int? {
    var index = 1
    while index < scalars.count {
      guard isDigit(scalars[index]), !isDigit(scalars[index - 1]), !scalars[index - 1].properties.isAlphabetic else {
        index += 1
        continue
      }
      let start = index
      var value = 0
      while index < scalars.count, isDigit(scalars[index]), index - start < 4 {
        value = value * 10 + Int(scalars[index].value - 0x30)
        index += 1
      }
      if isHours(scalars, start, index) { return start }
      guard minutes.contains(value), index - start >= 2 else { continue }
      var unit = index
      while unit < scalars.count, scalars[unit].isBlank { unit += 1 }
      guard unit < scalars.count, unit - index <= 1 else { continue }
      if signs.contains(scalars[unit]) { return start }
      let word = scalars[unit...].prefix(while: \.properties.isAlphabetic)
      if units.contains(String(String.UnicodeScalarView(word)).lowercased()) { return start }
    }
    return nil
  }

  /// "1h52"
  private static func isHours(_ scalars: [Unicode.Scalar], _ start: Int, _ end: Int) -> Bool {
    guard end - start == 1, end + 2 < scalars.count, scalars[end] == "h" else { return false }
    return isDigit(scalars[end + 1]) && isDigit(scalars[end + 2])
  }

  private static func hasYear(_ text: Substring) -> Bool {
    let numbers = text.utf8.split(whereSeparator: { !isDigitByte($0) })
    return numbers.count == 1 && numbers[0].count == 4
      && (numbers[0].starts(with: "19".utf8) || numbers[0].starts(with: "20".utf8))
  }

  private static func openBracket(in scalars: ArraySlice<Unicode.Scalar>) -> Int? {
    var open: [Int] = []
    for index in scalars.indices {
      switch scalars[index] {
      case "(", "[", "（": open.append(index)
      case ")", "]", "）": _ = open.popLast()
      default: break
      }
    }
    return open.first
  }

  private static func isDigit(_ scalar: Unicode.Scalar) -> Bool { (0x30...0x39).contains(scalar.value) }
}
