package import Clocks

/// The dates of HTTP headers, RFC 9110, section 5.6.7.
extension WallTime {
  /// `Sun, 06 Nov 1994 08:49:37 GMT`, always 29 bytes. Milliseconds are dropped.
  package var httpDate: String { String(ascii: 29) { $0.put(httpDate: self) } }

  /// Reads all three forms, exactly:
  ///
  ///     Sun, 06 Nov 1994 08:49:37 GMT     what everybody writes
  ///     Sunday, 06-Nov-94 08:49:37 GMT    RFC 850
  ///     Sun Nov  6 08:49:37 1994          C's asctime
  ///
  /// A weekday that contradicts its date makes the whole date worthless: nil. Two digits of a year mean the year that is
  /// no more than 50 years after `now`.
  package init?(httpDate text: some StringProtocol, now: WallTime) {
    let bytesMax = 33
    guard text.utf8.count <= bytesMax, let local = text.scanned({ $0.httpDate(now: now) }) else { return nil }
    self.init(wholeSeconds: local.secondsSince1970)
  }
}

extension [UInt8] {
  /// For a server that writes its `Date` into a buffer.
  package mutating func append(httpDate instant: WallTime) { put(httpDate: instant) }
}

extension ASCIISink {
  fileprivate mutating func put(httpDate instant: WallTime) {
    let moment = CivilDateTime(clampingSecondsSince1970: instant.wholeSeconds)
    let (year, month, day) = moment.date.parts
    put(text: HTTPDateNames.weekdays[moment.date.weekday.rawValue - 1])
    put(text: ", ")
    put(twoDigits: day)
    put(" ")
    put(text: HTTPDateNames.months[month - 1])
    put(" ")
    put(fourDigits: year)
    put(" ")
    put(moment.time, withSeconds: true)
    put(text: " GMT")
  }
}

private enum HTTPDateNames {
  static let weekdays: [StaticString] = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]
  /// What follows the three letters where a weekday is written out.
  static let endings: [StaticString] = ["day", "sday", "nesday", "rsday", "day", "urday", "day"]
  static let months: [StaticString] = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]
}

extension ASCIIScanner {
  fileprivate mutating func httpDate(now: WallTime) -> CivilDateTime? {
    guard let weekday = skip(oneOf: HTTPDateNames.weekdays) else { return nil }
    let isLong = skip(HTTPDateNames.endings[weekday])
    let moment = skip(", ") ? (isLong ? rfc850Date(now: now) : fixDate()) : (isLong ? nil : asctimeDate())
    guard let moment, moment.date.weekday.rawValue == weekday + 1 else { return nil }
    return moment
  }

  /// `06 Nov 1994 08:49:37 GMT`
  private mutating func fixDate() -> CivilDateTime? {
    guard let day = digits(2), skip(" "), let month = month(), skip(" "), let year = digits(4), skip(" "),
      let time = clockWithSeconds(), skip(" GMT")
    else { return nil }
    return CivilDate(year: year, month: month, day: day).map { CivilDateTime($0, time) }
  }

  /// `06-Nov-94 08:49:37 GMT`
  private mutating func rfc850Date(now: WallTime) -> CivilDateTime? {
    guard let day = digits(2), skip("-"), let month = month(), skip("-"), let short = digits(2), skip(" "),
      let time = clockWithSeconds(), skip(" GMT")
    else { return nil }
    let thisYear = CivilDateTime(clampingSecondsSince1970: now.wholeSeconds).date.year
    var year = thisYear / 100 * 100 + short
    if year > thisYear + 50 { year -= 100 } else if year <= thisYear - 50 { year += 100 }
    return CivilDate(year: year, month: month, day: day).map { CivilDateTime($0, time) }
  }

  /// ` Nov  6 08:49:37 1994`
  private mutating func asctimeDate() -> CivilDateTime? {
    guard skip(" "), let month = month(), skip(" "), let day = skip(" ") ? digits(1) : digits(2), skip(" "),
      let time = clockWithSeconds(), skip(" "), let year = digits(4)
    else { return nil }
    return CivilDate(year: year, month: month, day: day).map { CivilDateTime($0, time) }
  }

  /// A leap second is the second before it: HTTP has no use for the difference.
  private mutating func clockWithSeconds() -> ClockTime? {
    guard let hour = digits(2), skip(":"), let minute = digits(2), skip(":"), let second = digits(2), second <= 60
    else {
      return nil
    }
    return ClockTime(hour: hour, minute: minute, second: min(second, 59))
  }

  private mutating func month() -> Int? { skip(oneOf: HTTPDateNames.months).map { $0 + 1 } }

  private mutating func skip(oneOf words: [StaticString]) -> Int? {
    for index in words.indices where skip(words[index]) { return index }
    return nil
  }
}
