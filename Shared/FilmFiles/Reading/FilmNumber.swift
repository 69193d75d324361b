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

  /// A number with one digit behind its point at most: "1.30" may be hours and minutes.
  private struct Part {
    var number: Int
    var tenth: Int?
    var hasPoint = false
    var unit = ""
    var tenths: Int { number * 10 + (tenth ?? 0) }
  }

  /// Hours and minutes, whatever stands behind each number; minutes, if there is one number alone; `1:42` and `1:42:00`.
  private static func minutes(_ text: String) -> Int? {
    // "PT1H42M", as ISO 8601 has it.
    let text = text.lowercased()
    guard let parts = parts(text.hasPrefix("pt") ? text.dropFirst(2) : text[...]), (1...3).contains(parts.count) else {
      return nil
    }
    if parts.count > 1, parts.dropLast().allSatisfy({ $0.unit == ":" }), parts.last?.unit.isEmpty == true {
      return parts[0].number * 60 + parts[1].number
    }
    var tenths = 0
    for (place, part) in parts.enumerated() {
      if hours.contains(part.unit) {
        tenths += part.tenths * 60
      } else if minutes.contains(part.unit) || part.unit.isEmpty && place == parts.count - 1 {
        tenths += part.tenths
      } else if !seconds.contains(part.unit) {
        return nil
      }
    }
    return (tenths + 5) / 10
  }

  /// Numbers, each with the letters behind it; a point behind these is that of "Min."
  private static func parts(_ text: Substring) -> [Part]? {
    var parts: [Part] = []
    for letter in text.unicodeScalars where !letter.properties.isWhitespace {
      let last = parts.count - 1
      let isOpen = last >= 0 && parts[last].unit.isEmpty
      if ("0"..."9").contains(letter) {
        let digit = Int(letter.value - 0x30)
        if isOpen, parts[last].hasPoint {
          guard parts[last].tenth == nil else { return nil }
          parts[last].tenth = digit
        } else if isOpen {
          parts[last].number = min(parts[last].number * 10 + digit, numberMax)
        } else {
          parts.append(Part(number: digit))
        }
      } else if parts.isEmpty {
        return nil
      } else if letter == "." {
        guard isOpen else { continue }
        if parts[last].hasPoint { return nil }
        parts[last].hasPoint = true
      } else {
        parts[last].unit.unicodeScalars.append(letter)
      }
    }
    return parts
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
