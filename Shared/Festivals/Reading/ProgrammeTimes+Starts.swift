import Calendars
import Clocks

/// Starts that have their day before them.
extension ProgrammeTimes {
  /// A whole instant, as programs write it: `2026-07-01T19:30`, seconds since 1970, `Wed, 01 Jul 2026 10:00:00 GMT`.
  static func instant(_ text: String, in zone: TimeZoneRules) -> WallTime? {
    ISO8601Time(text)?.instant(in: zone) ?? epoch(text) ?? mailTime(text)
  }

  /// As mails and servers write it (RFC 5322, 3.3). Without its offset it is a clock like others.
  private static func mailTime(_ text: String) -> WallTime? {
    var words = text.split(separator: " ")
    if words.first?.last == "," { words.removeFirst() }
    guard words.count == 5, let day = Int(words[0]), let month = months.firstIndex(of: words[1].lowercased()),
      words[2].utf8.count == 4, let year = Int(words[2]), let date = CivilDate(year: year, month: month + 1, day: day),
      let offset = mailOffset(words[4])
    else { return nil }
    let parts = words[3].split(separator: ":").map { Int($0) }
    guard (2...3).contains(parts.count), let hour = parts[0], let minute = parts[1],
      let time = ClockTime(hour: hour, minute: minute, second: (parts.count == 3 ? parts[2] : 0) ?? 60)
    else { return nil }
    return TimeZoneRules.utc.instant(of: CivilDateTime(date, time)).adding(seconds: -offset)
  }

  private static let months = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]

  /// `+0200`, `GMT`: seconds.
  private static func mailOffset(_ text: Substring) -> Int64? {
    if ["GMT", "UTC", "UT", "Z"].contains(text) { return 0 }
    guard text.utf8.count == 5, let sign = text.first, sign == "+" || sign == "-",
      let number = Int64(text.dropFirst()), number >= 0, number % 100 < 60, number < 2_400
    else { return nil }
    return (number / 100 * 3_600 + number % 100 * 60) * (sign == "-" ? -1 : 1)
  }

  /// A start and the day before it: `25/10/2025 14:30`, `July 1, 2026 10:00 AM`, `mercredi 1 juillet 2026 à 20h30`.
  static func dayAndClock(_ text: String) -> (day: String, clock: String) {
    let words = text.split(separator: " ")
    guard words.count > 1 else { return ("", text) }
    // A day of numbers is one word; one with words goes on until the clock.
    let isOneWord = words[0].split { !("0"..."9").contains($0) }.count > 1
    var place = isOneWord ? 1 : words.dropFirst().firstIndex(where: isClock) ?? 1
    let clock = place
    while place > 1, halfDays.contains(String(words[place - 1])) { place -= 1 }
    var day = words[..<place]
    while clock > 1, let last = day.last, joints.contains(last.lowercased()), day.count > 1 { day.removeLast() }
    let text = day.joined(separator: " ")
    return (text.last == "," ? String(text.dropLast()) : text, words[place...].joined(separator: " "))
  }

  /// `19:30`, `20h30`, `20.30`, and not the first numbers of `20.10.2026`.
  private static func isClock(_ word: Substring) -> Bool {
    func digits(_ text: Substring) -> Int { text.prefix { ("0"..."9").contains($0) }.count }
    let hours = digits(word)
    let rest = word.dropFirst(hours)
    guard (1...2).contains(hours), let mark = rest.first, ":：.hH".contains(mark), digits(rest.dropFirst()) == 2 else {
      return false
    }
    let behind = rest.dropFirst(3)
    return behind.first != "." || digits(behind.dropFirst()) == 0
  }

  private static let joints: Set<String> = [
    "à", "a", "at", "um", "om", "kl", "kl.", "klo", "alle", "ore", "las", "-", "–", "—", "·", "|", "@", ",",
  ]
  /// In some languages they stand before their clocks.
  private static let halfDays: Set<String> = ["오전", "오후", "午前", "午後", "上午", "下午"]
}
