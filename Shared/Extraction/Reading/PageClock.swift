import Calendars
import Clocks

/// A time as far as one field or one text tells it.
enum PartialMoment: Hashable {
  case date(CivilDate)
  case time(DisplayTime)
  case local(CivilDateTime)
  case instant(Timestamp)

  var isFull: Bool {
    switch self {
    case .local, .instant: true
    case .date, .time: false
    }
  }

  /// Whether it says a second: nothing begins at one. That is when something was written, or looked at.
  var isStamp: Bool {
    switch self {
    case .local(let local): local.time.second != 0
    case .instant(let instant): instant.local.time.second != 0
    case .date, .time: false
    }
  }
}

/// Where and when a page is read: its zone, the instant of its capture, and how dates are written there.
struct PageClock: Sendable {
  let zone: TimeZoneRules
  let zones: ZoneDirectory
  let capturedAt: WallTime
  let printed: PrintedReader
  let captured: CivilDate
  /// The day whose programme is still going on: after midnight that of yesterday.
  let today: CivilDate
  /// What the page calls today: the day of its capture, unless it says another.
  let calledToday: CivilDate
  private let serviceDay: ServiceDay
  /// In which language a text is taken of several: the page's, if it says its own, and those of the place.
  private(set) var languages: [String]

  init(
    zone: TimeZoneRules, zones: ZoneDirectory, capturedAt: WallTime, serviceDay: ServiceDay, dateOrder: DateOrder?,
    calledToday: CivilDate? = nil
  ) {
    self.zone = zone
    self.zones = zones
    self.capturedAt = capturedAt
    self.serviceDay = serviceDay
    captured = zone.local(at: capturedAt).date
    today = serviceDay.date(of: capturedAt, in: zone)
    languages = SpokenLanguages.of(zone: zone.name)
    self.calledToday = calledToday ?? captured
    printed = PrintedReader(
      capturedAt: capturedAt, zone: zone, serviceDay: serviceDay, today: calledToday,
      dateOrder: dateOrder ?? .usual(in: zone.name))
  }

  /// The same for a page that writes its dates in an order of its own.
  func writing(_ order: DateOrder) -> PageClock {
    PageClock(zone: zone, zones: zones, capturedAt: capturedAt, serviceDay: serviceDay, dateOrder: order)
  }

  /// The same for a text that was written at another time.
  func captured(at instant: WallTime) -> PageClock {
    PageClock(
      zone: zone, zones: zones, capturedAt: instant, serviceDay: serviceDay, dateOrder: printed.dateOrder)
  }

  /// The same for a page that calls another day today than that of its capture.
  func calling(today day: CivilDate) -> PageClock {
    PageClock(
      zone: zone, zones: zones, capturedAt: capturedAt, serviceDay: serviceDay, dateOrder: printed.dateOrder,
      calledToday: day)
  }

  /// The same for a page that says in which language it is: "nl-BE".
  func speaking(_ tag: String?) -> PageClock {
    guard let code = tag.flatMap(SpokenLanguages.code), languages.first != code else { return self }
    var clock = self
    clock.languages = [code] + languages
    return clock
  }

  // MARK: Telling a time

  /// Shown with the offset it was written with, unless that is UTC: a feed in UTC is shown as the venue's clock shows it.
  func found(_ stamp: Timestamp) -> FoundTime {
    .moment(stamp.offset == .zero ? zone.timestamp(at: stamp.instant) : stamp)
  }

  func found(_ local: CivilDateTime, in other: TimeZoneRules? = nil) -> FoundTime {
    let rules = other ?? zone
    return .moment(rules.timestamp(at: rules.instant(of: local)))
  }

  func found(_ instant: WallTime) -> FoundTime { .moment(zone.timestamp(at: instant)) }

  /// The day whose midnight an instant is, here or in UTC: how programs write a day in seconds.
  func wholeDay(_ stamp: Timestamp) -> CivilDate? {
    let here = zone.timestamp(at: stamp.instant).local
    if here.time == .midnight { return here.date }
    let utc = Timestamp(stamp.instant).local
    return utc.time == .midnight && stamp.offset == .zero ? utc.date : nil
  }

  /// The day that a moment is the midnight of, as it is written or here; nil for any other moment.
  func midnight(_ moment: PartialMoment) -> CivilDate? {
    switch moment {
    case .local(let local): local.time == .midnight ? local.date : nil
    case .instant(let stamp): stamp.local.time == .midnight ? stamp.local.date : wholeDay(stamp)
    case .date, .time: nil
    }
  }

  func found(_ moment: PartialMoment, in other: TimeZoneRules? = nil) -> FoundTime? {
    switch moment {
    case .date(let date): .day(date)
    case .time: nil
    case .local(let local): found(local, in: other)
    case .instant(let stamp): found(stamp)
    }
  }

  func rules(named name: String) -> TimeZoneRules? {
    guard let name = ZoneName(name) else { return nil }
    return try? zones.rules(for: name)
  }

  // MARK: Reading a field

  /// A date as JavaScript writes it, with the name of its zone.
  static let fieldBytesMax = 96
  /// What a person writes into a field.
  private static let printedBytesMax = 64

  /// Years in which something is shown that a page still or already tells. Others are ids, prices, or a placeholder.
  static let years = 1990...2090

  func isPlausible(_ date: CivilDate) -> Bool { Self.years.contains(date.year) }

  /// A field of structured data: ISO 8601 first, then its common misspellings, then print.
  ///
  /// `expectsTime` lets 1930 and 930 be times of the day, and numbers be seconds since 1970.
  func moment(_ raw: String, expectsTime: Bool = true) -> PartialMoment? {
    guard raw.utf8.count <= Self.fieldBytesMax else { return nil }
    let text = raw.trimmedText
    if let written = programDate(text) { return written }
    guard text.utf8.count <= Self.printedBytesMax else { return nil }
    guard let first = text.utf8.first else { return nil }
    if let iso = ISO8601Time(text) ?? withoutZ(text) { return plausible(iso) }
    let startsWithDigit = (0x30...0x39).contains(first)
    if startsWithDigit {
      if let time = clockTime(text) { return .time(time) }
      if let repaired = repairedISO(text) { return repaired }
      if let date = digitsBeforeYear(text) { return .date(date) }
      if expectsTime, let moment = digitsAlone(text) { return moment }
    }
    if let epoch = microsoftDate(text) { return epoch }
    return printedMoment(joined(text) ?? text)
  }

  /// "2026-11-21T18:30:00.000Z-03:00": the clock there, whatever the letter says.
  private func withoutZ(_ text: String) -> ISO8601Time? {
    guard let place = text.utf8.lastIndex(of: UInt8(ascii: "Z")), case let next = text.utf8.index(after: place),
      next < text.utf8.endIndex, [UInt8(ascii: "-"), UInt8(ascii: "+")].contains(text.utf8[next])
    else { return nil }
    return ISO8601Time(String(text[..<place] + text[next...]))
  }

  private func plausible(_ iso: ISO8601Time) -> PartialMoment? {
    switch iso {
    case .date(let date): isPlausible(date) ? .date(date) : nil
    case .local(let local): isPlausible(local.date) ? .local(local) : nil
    case .instant(let stamp): isPlausible(stamp.local.date) ? .instant(stamp) : nil
    }
  }

  /// `19:30`, `24:30`, `19:30:00`, `9:30`
  private func clockTime(_ text: String) -> DisplayTime? {
    let parts = text.utf8.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
    guard (2...3).contains(parts.count), parts.allSatisfy({ (1...2).contains($0.count) && $0.allSatisfy(isDigitByte) }),
      parts[1].count == 2, let hour = Int(Substring(parts[0])), let minute = Int(Substring(parts[1]))
    else { return nil }
    return DisplayTime(hour: hour, minute: minute)
  }

  /// `2026/11/23 19:30`, `2026.11.23`, `2026-11-23T19:30:00 UTC`, `2026-11-23T19:30[Europe/Paris]`, `2026-11-23 24:30`
  private func repairedISO(_ text: String) -> PartialMoment? {
    var bytes = Array(text.utf8)
    guard bytes.count >= 8, bytes.prefix(4).allSatisfy(isDigitByte) else { return nil }
    if let bracket = bytes.firstIndex(of: UInt8(ascii: "[")) { bytes.removeSubrange(bracket...) }
    if bytes.count > 7, bytes[4] == UInt8(ascii: "/") || bytes[4] == UInt8(ascii: ".") {
      let mark = bytes[4]
      for index in 4..<min(bytes.count, 10) where bytes[index] == mark { bytes[index] = UInt8(ascii: "-") }
    }
    pad(&bytes)
    // "2026-11-23+09:00" is that day; where a time was meant, it stands beside it.
    if bytes.count == 16, bytes[10] == UInt8(ascii: "+") || bytes[10] == UInt8(ascii: "-"),
      bytes[13] == UInt8(ascii: ":"), let date = CivilDate(String(decoding: bytes.prefix(10), as: UTF8.self))
    {
      return isPlausible(date) ? .date(date) : nil
    }
    for suffix in [" UTC", " GMT"] where bytes.suffix(4).elementsEqual(suffix.utf8) {
      bytes.replaceSubrange((bytes.count - 4)..., with: [UInt8(ascii: "Z")])
    }
    let repaired = String(decoding: bytes, as: UTF8.self).trimmedText
    if let iso = ISO8601Time(repaired) { return plausible(iso) }
    // A long day: 2026-11-23 24:30.
    let parts = repaired.utf8.split(maxSplits: 1) { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "T") }
    guard parts.count == 2, let date = CivilDate(String(Substring(parts[0]))), isPlausible(date) else { return nil }
    if let time = clockTime(String(Substring(parts[1]))) { return .local(ServiceTime(date, time).civil) }
    // "2026-11-23T7:30PM"
    guard bytes[parts[0].count] == UInt8(ascii: "T"),
      case .time(let time)? = printedMoment(String(Substring(parts[1])))
    else { return nil }
    return .local(ServiceTime(date, time).civil)
  }

  /// "2026-1-9T19:30" is "2026-01-09T19:30".
  private func pad(_ bytes: inout [UInt8]) {
    guard bytes.count > 5, bytes[4] == UInt8(ascii: "-") else { return }
    var start = 5
    for _ in 0..<2 {
      let end = bytes[start...].firstIndex { !isDigitByte($0) } ?? bytes.endIndex
      guard (1...2).contains(end - start) else { return }
      if end - start == 1 { bytes.insert(UInt8(ascii: "0"), at: start) }
      start += 3
      guard start < bytes.count else { return }
    }
  }

  /// `21112026`: 2112 is in nobody's programme, and has no twentieth month. Where the month is first, `11212026`.
  private func digitsBeforeYear(_ text: String) -> CivilDate? {
    guard text.utf8.count == 8, text.utf8.allSatisfy(isDigitByte), let value = Int(text) else { return nil }
    let (first, second, year) = (value / 1_000_000, value / 10_000 % 100, value % 10_000)
    let monthFirst =
      printed.dateOrder == .monthFirst ? CivilDate(year: year, month: first, day: second) : nil
    guard let date = monthFirst ?? CivilDate(year: year, month: second, day: first) else { return nil }
    return isPlausible(date) ? date : nil
  }

  /// `1930`, `20261123193000`, `202611231930`, seconds and milliseconds since 1970.
  private func digitsAlone(_ text: String) -> PartialMoment? {
    guard text.utf8.allSatisfy(isDigitByte), let value = Int64(text) else { return nil }
    switch text.utf8.count {
    case 3, 4: return DisplayTime(hour: Int(value / 100), minute: Int(value % 100)).map(PartialMoment.time)
    case 12, 14:
      if text.hasPrefix("19") || text.hasPrefix("20") {
        let digits = Array(text.utf8)
        let year = digits[0..<4]
        let iso =
          String(decoding: year, as: UTF8.self) + String(decoding: digits[4..<8], as: UTF8.self) + "T"
          + String(decoding: digits[8...], as: UTF8.self)
        return ISO8601Time(iso).flatMap(plausible)
      }
      return nil
    case 10: return digitsFromYear(value) ?? epoch(value)
    default: return epoch(value)
    }
  }

  /// `2611231930` is the 23rd of November where that is near, and the seconds since 1970 are of years ahead.
  private func digitsFromYear(_ value: Int64) -> PartialMoment? {
    let (day, clock) = (value / 10_000, value % 10_000)
    guard let date = CivilDate(year: 2_000 + Int(day / 10_000), month: Int(day / 100 % 100), day: Int(day % 100)),
      let time = DisplayTime(hour: Int(clock / 100), minute: Int(clock % 100)), abs(date - captured) <= Self.nearDaysMax
    else { return nil }
    if case .instant(let stamp)? = epoch(value), abs(stamp.local.date - captured) <= Self.nearDaysMax { return nil }
    return .local(ServiceTime(date, time).civil)
  }

  /// Two years: a number that is a day so near is no other's.
  private static let nearDaysMax = 731

  /// Seconds or milliseconds since 1970, of the years of `isPlausible`.
  func epoch(_ value: Int64) -> PartialMoment? {
    let milliseconds: Int64
    switch value {
    case 700_000_000...3_786_912_000: milliseconds = value * 1_000
    case 700_000_000_000...3_786_912_000_000: milliseconds = value
    default: return nil
    }
    return .instant(Timestamp(WallTime(milliseconds: milliseconds)))
  }

  /// What programs make of a date: `Fri Nov 27 2026 19:30:00 GMT+0100 (CET)`, `Fri Nov 27 19:30:00 UTC 2026`, and
  /// `Date(2026,10,27,19,30)`, which counts months from nought. A weekday that disagrees makes it nothing.
  private func programDate(_ text: String) -> PartialMoment? {
    guard let first = text.utf8.first, first | 0x20 >= 0x61 else { return nil }
    if text.hasPrefix("Date("), text.hasSuffix(")") {
      let parts = text.dropFirst(5).dropLast().split(separator: ",")
      let numbers = parts.compactMap { Int(String($0).trimmedText) }
      return numbers.count == parts.count ? date(ofParts: numbers) : nil
    }
    let parts = text.split(separator: " ", maxSplits: 6)
    guard parts.count >= 6, parts[0].utf8.count == 3, parts[1].utf8.count == 3,
      let month = Self.months.firstIndex(of: parts[1].lowercased()), let day = Int(parts[2])
    else { return nil }
    // The zone stands behind the year, or before it.
    let isYearLast = parts[3].utf8.contains(UInt8(ascii: ":"))
    guard let year = Int(parts[isYearLast ? 5 : 3]), let time = clockTime(String(parts[isYearLast ? 3 : 4])),
      let date = CivilDate(year: year, month: month + 1, day: day), isPlausible(date),
      "\(date.weekday)".hasPrefix(parts[0].lowercased())
    else { return nil }
    let local = ServiceTime(date, time).civil
    let zone = parts[isYearLast ? 4 : 5]
    guard zone.hasPrefix("GMT") || zone == "UTC" else { return nil }
    let written = zone.utf8.count == 3 ? "UTC" : zone.dropFirst(3)
    guard let offset = trailingOffset("- " + written)?.1 else { return nil }
    // The offset is the machine's that wrote it.
    return .instant(Timestamp(TimeZoneRules.fixed(offset).instant(of: local)))
  }

  private static let months = [
    "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
  ]

  /// Year, month from nought, day; and an hour, a minute if there are more. In a sheet a clock alone is of the day from which
  /// it counts.
  private func date(ofParts parts: [Int]) -> PartialMoment? {
    if parts.count >= 5, parts[..<3].elementsEqual([1899, 11, 30]) {
      return DisplayTime(hour: parts[3], minute: parts[4]).map(PartialMoment.time)
    }
    guard (3...7).contains(parts.count), (0...11).contains(parts[1]),
      let date = CivilDate(year: parts[0], month: parts[1] + 1, day: parts[2]), isPlausible(date)
    else { return nil }
    if parts.count == 3 { return .date(date) }
    return ClockTime(hour: parts[3], minute: parts.count > 4 ? parts[4] : 0).map { .local(CivilDateTime(date, $0)) }
  }

  /// "19-03-26 19:00" of "19-03-26-19:00", whose day and clock a mark joins.
  private func joined(_ text: String) -> String? {
    guard let mark = text.utf8.lastIndex(where: { [0x2D, 0x2C, 0x5F].contains($0) }),
      clockTime(String(text[text.utf8.index(after: mark)...])) != nil, case let day = text[..<mark],
      day.utf8.split(whereSeparator: { [0x2D, 0x2E, 0x2F].contains($0) }).count == 3,
      day.utf8.allSatisfy({ isDigitByte($0) || [0x2D, 0x2E, 0x2F].contains($0) })
    else { return nil }
    return day + " " + text[text.utf8.index(after: mark)...]
  }

  /// `/Date(1763893800000+0900)/`
  private func microsoftDate(_ text: String) -> PartialMoment? {
    guard text.hasPrefix("/Date("), text.hasSuffix(")/") else { return nil }
    let digits = text.dropFirst(6).prefix { $0 >= "0" && $0 <= "9" }
    return Int64(digits).flatMap { epoch($0) }
  }

  /// What a person would write: `11/23/2026 7:30:00 PM`, `Mon, 23 Nov 2026 19:30:00 +0900`, `오후 7:30`.
  private func printedMoment(_ text: String) -> PartialMoment? {
    var text = text
    var offset: UTCOffset?
    if let found = trailingOffset(text) { (text, offset) = found }
    // A title that holds a number of some kind is no time: "DNS for I2P", "GCC 4.7".
    guard let line = PrintedLine(text, clock: self), line.alarms.isEmpty, line.rest.isEmpty, line.days.count <= 1,
      line.times.count <= 1, !line.isClosed
    else { return nil }
    switch (line.days.first, line.times.first) {
    // "12:20 AM" beside a day is of that day's first hour, as 00:20 is.
    case (nil, let time?): return .time(calendarTime(time))
    case (let days?, nil): return days.day.map(PartialMoment.date)
    case (let days?, let time?):
      guard let day = days.day else { return nil }
      // A field with a date of its own means the calendar's day: 00:30 is not moved to the night after it.
      let local = ServiceTime(day, calendarTime(time)).civil
      guard let offset else { return .local(local) }
      return .instant(Timestamp(TimeZoneRules.fixed(offset).instant(of: local), offset: offset))
    case (nil, nil): return nil
    }
  }

  private func calendarTime(_ time: PrintedTime) -> DisplayTime {
    time.notes.contains(.inferredServiceDay) ? DisplayTime(time.start.clock) : time.start
  }

  private func trailingOffset(_ text: String) -> (String, UTCOffset)? {
    guard let space = text.lastIndex(of: " ") else { return nil }
    let tail = text[text.index(after: space)...]
    let head = String(text[..<space])
    if tail == "GMT" || tail == "UTC" || tail == "Z" { return (head, .zero) }
    guard tail.utf8.count == 5 || tail.utf8.count == 6, let sign = tail.utf8.first,
      sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-")
    else { return nil }
    let digits = tail.utf8.dropFirst().filter { $0 != UInt8(ascii: ":") }
    guard digits.count == 4, digits.allSatisfy(isDigitByte), let value = Int(String(decoding: digits, as: UTF8.self)),
      value % 100 < 60
    else { return nil }
    let seconds = (value / 100) * 3_600 + (value % 100) * 60
    return UTCOffset(seconds: sign == UInt8(ascii: "-") ? -seconds : seconds).map { (head, $0) }
  }
}

func isDigitByte(_ byte: UInt8) -> Bool { byte &- 0x30 < 10 }

extension DateOrder {
  /// What 11/12 usually is where a zone is: the month is first in the United States and the Philippines, and where
  /// people write the year first; the day nearly everywhere else.
  static func usual(in zone: String) -> DateOrder? {
    if zone.hasPrefix("Europe/") || zone.hasPrefix("Africa/") || zone.hasPrefix("Australia/") { return .dayFirst }
    if monthFirst.contains(zone) || zone.hasPrefix("America/Indiana/") || zone.hasPrefix("America/Kentucky/")
      || zone.hasPrefix("US/")
    {
      return .monthFirst
    }
    return dayFirst.contains(zone) ? .dayFirst : nil
  }

  private static let monthFirst: Set<String> = [
    "America/New_York", "America/Chicago", "America/Denver", "America/Los_Angeles", "America/Phoenix",
    "America/Detroit", "America/Anchorage", "America/Boise", "Pacific/Honolulu", "Asia/Seoul", "Asia/Tokyo",
    "Asia/Shanghai", "Asia/Taipei", "Asia/Hong_Kong", "Asia/Manila",
  ]

  private static let dayFirst: Set<String> = [
    "Asia/Jerusalem", "Asia/Tel_Aviv", "Asia/Kolkata", "Asia/Singapore", "Asia/Bangkok", "Asia/Jakarta", "Asia/Dubai",
    "Pacific/Auckland", "America/Sao_Paulo", "America/Argentina/Buenos_Aires", "America/Mexico_City", "America/Bogota",
    "America/Santiago", "America/Lima", "Atlantic/Canary", "Atlantic/Reykjavik",
  ]
}
