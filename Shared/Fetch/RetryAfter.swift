package import Clocks

/// How long a server asks us to wait: a number of seconds, or a date (RFC 9110, 10.2.3).
nonisolated package enum RetryAfter {
  /// The wait from `now`, never negative; nil if the text says nothing.
  package static func wait(_ text: String, now: WallTime) -> Duration? {
    if !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) {
      return .seconds(text.utf8.count <= 9 ? Int64(text)! : 999_999_999)
    }
    return HTTPDate.parse(text).map { .milliseconds(max(0, $0.milliseconds - now.milliseconds)) }
  }
}

/// Dates as HTTP writes them, in the form of today and the two old ones (RFC 9110, 5.6.7).
nonisolated package enum HTTPDate {
  package static func parse(_ text: String) -> WallTime? {
    guard text.utf8.count <= 40 else { return nil }
    let words = text.split { $0 == " " || $0 == "," || $0 == "-" }
    // Sun, 06 Nov 1994 08:49:37 GMT · Sunday, 06-Nov-94 08:49:37 GMT · Sun Nov  6 08:49:37 1994
    if words.count == 6, words[5] == "GMT" {
      return time(day: words[1], month: words[2], year: words[3], clock: words[4])
    }
    return words.count == 5 ? time(day: words[2], month: words[1], year: words[4], clock: words[3]) : nil
  }

  private static func time(day: Substring, month: Substring, year: Substring, clock: Substring) -> WallTime? {
    let parts = clock.split(separator: ":").compactMap { number($0, digits: 2...2) }
    guard let day = number(day, digits: 1...2), let month = months.firstIndex(of: String(month)).map({ $0 + 1 }),
      var year = number(year, digits: 2...4), parts.count == 3, (1...31).contains(day), parts[0] < 24, parts[1] < 60,
      parts[2] <= 60
    else { return nil }
    if year < 100 { year += year < 70 ? 2_000 : 1_900 }
    let seconds = days(year: year, month: month, day: day) * 86_400 + parts[0] * 3_600 + parts[1] * 60 + parts[2]
    return WallTime(milliseconds: Int64(seconds) * 1_000)
  }

  private static func number(_ text: Substring, digits: ClosedRange<Int>) -> Int? {
    digits.contains(text.utf8.count) && text.utf8.allSatisfy { (0x30...0x39).contains($0) } ? Int(text) : nil
  }

  /// Days since 1970-01-01 in the Gregorian calendar: years are counted from March, so that the leap day comes last.
  private static func days(year: Int, month: Int, day: Int) -> Int {
    let year = month <= 2 ? year - 1 : year
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    return year * 365 + year / 4 - year / 100 + year / 400 + dayOfYear - 719_468
  }

  private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
}
