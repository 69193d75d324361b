package import Clocks

/// An instant and the offset it is shown with: `2026-11-24T00:30:00+09:00`.
///
/// This is RFC 3339, the form of our API and of our logs. Milliseconds are written when there are some.
package struct Timestamp: Hashable, Sendable {
  /// Held to the years 1 to 9999 of its offset: others cannot be written.
  package let instant: WallTime
  package let offset: UTCOffset

  /// Offsets are held to what can be written: whole minutes, less than a day.
  package init(_ instant: WallTime, offset: UTCOffset = .zero) {
    self.offset = offset.inWholeMinutes
    let shift = Int64(self.offset.seconds) * 1_000
    let first = CivilDateTime.first.secondsSince1970 * 1_000 - shift
    let last = CivilDateTime.last.secondsSince1970 * 1_000 + 999 - shift
    self.instant = WallTime(milliseconds: min(max(instant.milliseconds, first), last))
  }

  /// What the clock shows at this offset, milliseconds dropped.
  package var local: CivilDateTime {
    CivilDateTime(clampingSecondsSince1970: instant.wholeSeconds + Int64(offset.seconds))
  }
}

extension TimeZoneRules {
  /// An instant with the offset this zone has then.
  package func timestamp(at instant: WallTime) -> Timestamp { Timestamp(instant, offset: offset(at: instant)) }
}

extension Timestamp: LosslessStringConvertible, Codable, WrittenAsText {
  package static let form = "a time like 2026-11-24T00:30:00+09:00"

  /// Strictly RFC 3339, section 5.6: seconds and offset are required. Fractions beyond milliseconds are dropped. A leap
  /// second is read where one can be, and is the second after it.
  package init?(_ text: String) {
    guard text.utf8.count <= ISO8601Time.bytesMax, let value = text.scanned({ $0.timestamp() }) else { return nil }
    self = value
  }

  package var description: String {
    String(ascii: 29) { text in
      let local = local
      text.put(local.date)
      text.put("T")
      text.put(local.time, withSeconds: true)
      let fraction = Int(instant.milliseconds.dividedDown(by: 1_000).rest)
      if fraction != 0 {
        text.put(".")
        text.put(UInt8(ascii: "0") + UInt8(fraction / 100))
        text.put(twoDigits: fraction % 100)
      }
      if offset == .zero { text.put("Z") } else { text.put(offset) }
    }
  }
}

/// A time as the web writes it, in the profile of ISO 8601 that structured data uses. Whether it names an instant depends
/// on what is written.
///
/// `2026-11-23`, `20261123`; with a time after `T`, `t` or one space: `19:30`, `193000`, `19:30:00.25`, `24:00` for the
/// end of a day; with an offset, after a space if need be: `Z`, `+09:00`, `+0900`, `+09`.
package enum ISO8601Time: Hashable, Sendable {
  case date(CivilDate)
  /// Local time of a place that is not named.
  case local(CivilDateTime)
  case instant(Timestamp)

  /// `2026-11-23T19:30:00.123456789+09:00` has 35.
  static let bytesMax = 40

  package init?(_ text: some StringProtocol) {
    guard text.utf8.count <= Self.bytesMax, let value = text.scanned({ $0.iso8601Time() }) else { return nil }
    self = value
  }

  /// The instant, a local time being taken as the zone's; nil for a bare date.
  package func instant(in zone: TimeZoneRules) -> WallTime? {
    switch self {
    case .date: nil
    case .local(let local): zone.instant(of: local)
    case .instant(let stamp): stamp.instant
    }
  }
}

extension ASCIIScanner {
  fileprivate mutating func timestamp() -> Timestamp? {
    guard let date = date(), skip(anyOf: "Tt") != nil, let hour = digits(2), skip(":"), let minute = digits(2),
      skip(":"), let second = digits(2), let clock = ClockTime(hour: hour, minute: minute, second: min(second, 59)),
      let milliseconds = fraction(marks: ".")
    else { return nil }
    guard let offset = colonOffset() else { return nil }
    return joined(CivilDateTime(date, clock), second: second, milliseconds, offset)
  }

  /// RFC 3339 knows `Z` and `+hh:mm` alone.
  private mutating func colonOffset() -> UTCOffset? {
    if skip(anyOf: "Zz") != nil { return .zero }
    guard let sign = skip(anyOf: "+-"), let hours = digits(2), hours < 24, skip(":"), let minutes = digits(2),
      minutes < 60
    else { return nil }
    let seconds = hours * 3_600 + minutes * 60
    return UTCOffset(seconds: sign == UInt8(ascii: "-") ? -seconds : seconds)
  }

  /// Milliseconds of `.25`; zero where there is no fraction, nil where a mark has no digits or more than nine.
  private mutating func fraction(marks: StaticString) -> Int64? {
    guard skip(anyOf: marks) != nil else { return 0 }
    var scale: Int64 = 100
    var value: Int64 = 0
    var count = 0
    while let digit = digits(1) {
      value += Int64(digit) * scale
      scale /= 10
      count += 1
    }
    return (1...9).contains(count) ? value : nil
  }

  /// `second` as it was written; in `local` it is 59 at most.
  private func joined(
    _ local: CivilDateTime, second: Int, _ milliseconds: Int64, _ offset: UTCOffset
  ) -> Timestamp? {
    guard second <= 60 else { return nil }
    let isLeapSecond = second == 60
    var seconds = local.secondsSince1970 - Int64(offset.seconds)
    guard (CivilDateTime.first.secondsSince1970...CivilDateTime.last.secondsSince1970).contains(seconds) else {
      return nil
    }
    if isLeapSecond {
      // Only the last second of a month of UTC can be followed by one.
      seconds += 1
      let utc = CivilDateTime(clampingSecondsSince1970: seconds)
      guard utc.time == .midnight, utc.date.day == 1 else { return nil }
    }
    return Timestamp(WallTime(milliseconds: seconds * 1_000 + (isLeapSecond ? 0 : milliseconds)), offset: offset)
  }

  fileprivate mutating func iso8601Time() -> ISO8601Time? {
    guard let year = digits(4) else { return nil }
    let isExtended = skip("-")
    guard let month = digits(2), !isExtended || skip("-"), let day = digits(2),
      var date = CivilDate(year: year, month: month, day: day)
    else { return nil }
    if isAtEnd { return .date(date) }

    guard skip(anyOf: "Tt ") != nil, let hour = digits(2) else { return nil }
    let hasColons = skip(":")
    guard let minute = digits(2) else { return nil }
    var second = 0
    var milliseconds: Int64 = 0
    if hasColons ? skip(":") : (next.map { $0 &- UInt8(ascii: "0") < 10 } ?? false) {
      guard let written = digits(2), let fraction = fraction(marks: ".,") else { return nil }
      (second, milliseconds) = (written, fraction)
    }
    let clock: ClockTime?
    if hour == 24, minute == 0, second == 0, milliseconds == 0, date < .last {
      (date, clock) = (date + 1, .midnight)
    } else {
      clock = ClockTime(hour: hour, minute: minute, second: min(second, 59))
    }
    guard let clock else { return nil }
    let local = CivilDateTime(date, clock)
    if isAtEnd { return second < 60 ? .local(local) : nil }
    _ = skip(" ")
    guard let offset = offset(), offset.inWholeMinutes == offset else { return nil }
    return joined(local, second: second, milliseconds, offset).map(ISO8601Time.instant)
  }
}
