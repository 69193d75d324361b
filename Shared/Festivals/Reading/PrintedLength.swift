import Calendars

/// A length with its units: `90`, `90 min`, `105'`, `1h45`, `1.5 h`, `1시간 30분`, `1時間半`, `5400 s`; `PT1H33M`, as
/// programs write it.
///
/// What has a unit that is not known, or half a minute without any, is none: a wrong end is worse than no end.
struct PrintedLength {
  let seconds: Int64

  private enum Unit: Int64 { case hours = 3_600, minutes = 60, seconds = 1 }

  private static let units: [String: Unit] = {
    let words: [(Unit, String)] = [
      (.hours, "h|hr|hrs|hour|hours|std|stunde|stunden|heure|heures|ora|ore|hora|horas|uur|timer|timmar|시간|時間|小時|小时"),
      (
        .minutes,
        "m|min|mins|mn|minute|minutes|minuten|minuti|minuto|minutos|minut|minuter|minutter|'|′|’|분|分|分鐘|分钟"
      ),
      (.seconds, "s|sec|secs|second|seconds|sek|sekunden|secondes|secondi|segundos|\"|″|초|秒"),
    ]
    return Dictionary(
      uniqueKeysWithValues: words.flatMap { unit, names in names.split(separator: "|").map { (String($0), unit) } })
  }()

  private static let joints: Set<String> = ["and", "und", "et", "y", "e", "en", "u"]
  private static let halves: Set<Unicode.Scalar> = ["半", "반"]
  private static let numberMax = 100_000.0

  init?(_ text: String) {
    if let written = CalendarDuration(text.uppercased().filter { !$0.isWhitespace }) {
      seconds = Int64(written.days) * 86_400 + Int64(written.seconds)
      return
    }
    var total = 0.0
    var last: Unit?
    var isBare = false
    var rest = Array(text.lowercased().unicodeScalars)[...]
    func skip(_ isSkipped: (Unicode.Scalar) -> Bool) { rest = rest.drop(while: isSkipped) }
    func isDigit(_ scalar: Unicode.Scalar) -> Bool { ("0"..."9").contains(scalar) }
    func isBlank(_ scalar: Unicode.Scalar) -> Bool { scalar == "," || scalar == "+" || scalar.properties.isWhitespace }
    func word() -> String {
      if let first = rest.first, "'′’\"″".unicodeScalars.contains(first) {
        rest.removeFirst()
        return String(first)
      }
      let letters = rest.prefix { $0.properties.isAlphabetic && !Self.halves.contains($0) }
      rest.removeFirst(letters.count)
      if rest.first == "." { rest.removeFirst() }
      return String(String.UnicodeScalarView(letters))
    }
    func number() -> (value: Double, isWhole: Bool)? {
      let whole = rest.prefix(while: isDigit)
      rest.removeFirst(whole.count)
      var digits = String(String.UnicodeScalarView(whole))
      var isWhole = true
      if let mark = rest.first, mark == "." || mark == ",", let next = rest.dropFirst().first, isDigit(next) {
        rest.removeFirst()
        let part = rest.prefix(while: isDigit)
        rest.removeFirst(part.count)
        digits += "." + String(String.UnicodeScalarView(part))
        isWhole = false
      }
      guard digits.utf8.count <= 12, let value = Double(digits), value < Self.numberMax else { return nil }
      return (value, isWhole)
    }
    skip(isBlank)
    guard !rest.isEmpty else { return nil }
    while !rest.isEmpty {
      guard !isBare else { return nil }
      if let first = rest.first, Self.halves.contains(first) {
        guard last == .hours else { return nil }
        rest.removeFirst()
        total += 1_800
      } else if let first = rest.first, isDigit(first) {
        guard let (value, isWhole) = number() else { return nil }
        skip(isBlank)
        let name = rest.first.map(isDigit) == true ? "" : word()
        let unit: Unit
        if name.isEmpty {
          // "1h45", and "90" alone.
          guard isWhole, last == nil || last == .hours else { return nil }
          unit = .minutes
          isBare = last == nil
        } else {
          guard let known = Self.units[name], last.map({ known.rawValue < $0.rawValue }) ?? true else { return nil }
          unit = known
        }
        total += value * Double(unit.rawValue)
        last = unit
      } else if last == nil || !Self.joints.contains(word()) {
        return nil
      }
      skip(isBlank)
    }
    guard total.rounded() == total, last != nil else { return nil }
    seconds = Int64(total)
  }
}
