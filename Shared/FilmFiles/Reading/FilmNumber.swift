import Drafts

/// Numbers of films as people write them: `1h 42m`, `102 min`, `1시간 42분`, `1,234,567`, `$96,568`, `7.5/10`, `2020年`.
enum FilmNumber {
  /// The number alone; the text as it was where it is something else.
  static func plain(_ text: String, _ field: FilmField) -> String {
    switch field {
    case .runtime: minutes(text).map(String.init) ?? text
    case .votes, .budget, .revenue: grouped(text)
    case .score: text.hasSuffix("/10") ? text.dropLast(3).trimmed : text
    case .year: text.filter { !"()年년".contains($0) }.trimmed
    default: text
    }
  }

  /// Hours and minutes, whatever stands behind each number; minutes, if there is one number alone; `1:42` and `1:42:00`.
  private static func minutes(_ text: String) -> Int? {
    var parts: [(number: Int, unit: String)] = []
    // "PT1H42M", as ISO 8601 has it.
    let text = text.lowercased()
    for letter in (text.hasPrefix("pt") ? text.dropFirst(2) : text[...]).unicodeScalars
    where !letter.properties.isWhitespace {
      if ("0"..."9").contains(letter) {
        let digit = Int(letter.value - 0x30)
        if let last = parts.last, last.unit.isEmpty {
          parts[parts.count - 1].number = min(last.number * 10 + digit, numberMax)
        } else {
          parts.append((digit, ""))
        }
      } else if parts.isEmpty {
        return nil
      } else if letter != "." {
        parts[parts.count - 1].unit.unicodeScalars.append(letter)
      }
    }
    guard (1...3).contains(parts.count) else { return nil }
    if parts.count > 1, parts.dropLast().allSatisfy({ $0.unit == ":" }), parts.last?.unit.isEmpty == true {
      return parts[0].number * 60 + parts[1].number
    }
    var total = 0
    for (place, part) in parts.enumerated() {
      if hours.contains(part.unit) {
        total += part.number * 60
      } else if minutes.contains(part.unit) || part.unit.isEmpty && place == parts.count - 1 {
        total += part.number
      } else if !seconds.contains(part.unit) {
        return nil
      }
    }
    return total
  }

  /// More than any film has.
  private static let numberMax = 1_000_000
  private static let hours: Set<String> = ["h", "hr", "hrs", "hour", "hours", "std", "시간", "時間"]
  private static let minutes: Set<String> = [
    "m", "min", "mins", "mn", "minute", "minutes", "minuten", "'", "’", "′", "분", "分", "分間",
  ]
  private static let seconds: Set<String> = ["s", "sec", "''", "\"", "″", "초", "秒"]

  /// Digits in groups of three, behind the sign of the dollar.
  private static func grouped(_ text: String) -> String {
    let digits = text.hasPrefix("$") ? text.dropFirst() : text[...]
    let groups = digits.split(separator: ",", omittingEmptySubsequences: false)
    guard groups.dropFirst().allSatisfy({ $0.utf8.count == 3 }) else { return text }
    return groups.joined().trimmed
  }
}
