import Clocks

/// The compact forms of iCalendar: `20261123`, `20261123T193000`, `20261123T103000Z`, `PT1H30M`.
extension CalendarTime {
  /// A time without `Z` is in `zone`, or floating where there is none.
  init?(compact text: Substring, zone: TimeZoneRules?) {
    guard let value = text.scanned({ $0.calendarTime(zone: zone) }) else { return nil }
    self = value
  }

  var compact: String {
    String(ascii: 16) { text in
      let local = local
      let (year, month, day) = local.date.parts
      text.put(fourDigits: year)
      text.put(twoDigits: month)
      text.put(twoDigits: day)
      if case .day = self { return }
      text.put("T")
      text.put(twoDigits: local.time.hour)
      text.put(twoDigits: local.time.minute)
      text.put(twoDigits: local.time.second)
      if case .utc = self { text.put("Z") }
    }
  }
}

extension CalendarDuration {
  package init?(_ text: String) {
    guard text.utf8.count <= 40, let value = text.scanned({ $0.calendarDuration() }) else { return nil }
    self = value
  }
}

extension Duration {
  /// `PT1H30M`, rounded down to seconds.
  var iCalendar: String {
    let seconds = max(components.seconds, 0)
    let parts = [(seconds / 3_600, "H"), (seconds / 60 % 60, "M"), (seconds % 60, "S")].filter { $0.0 > 0 }
    return parts.isEmpty ? "PT0S" : "PT" + parts.map { "\($0.0)\($0.1)" }.joined()
  }
}

extension ASCIIScanner {
  fileprivate mutating func calendarTime(zone: TimeZoneRules?) -> CalendarTime? {
    guard let year = digits(4), let month = digits(2), let day = digits(2),
      let date = CivilDate(year: year, month: month, day: day)
    else { return nil }
    if isAtEnd { return .day(date) }
    // Seconds may be missing, which is wrong and common.
    guard skip("T"), let hour = digits(2), let minute = digits(2) else { return nil }
    let second = digits(2) ?? 0
    guard second <= 60, let time = ClockTime(hour: hour, minute: minute, second: min(second, 59)) else { return nil }
    let local = CivilDateTime(date, time)
    if skip("Z") { return .utc(TimeZoneRules.utc.instant(of: local)) }
    return zone.map { .zoned(local, $0) } ?? .floating(local)
  }

  /// `-P1W`, `P1DT2H3M4S`, `PT90M`.
  fileprivate mutating func calendarDuration() -> CalendarDuration? {
    let isNegative = skip(anyOf: "+-") == UInt8(ascii: "-")
    guard skip("P"), !isAtEnd else { return nil }
    var duration = CalendarDuration()
    var isTime = false
    while !isAtEnd {
      if !isTime, skip("T") { isTime = true }
      // Seven digits of seconds are 115 days; nothing that has a start and an end lasts longer in seconds.
      guard let number = digitRun(), number.count <= 7, let unit = next else { return nil }
      advance()
      switch (isTime, Unicode.Scalar(unit)) {
      case (false, "W"): duration.days += number.value * 7
      case (false, "D"): duration.days += number.value
      case (true, "H"): duration.seconds += number.value * 3_600
      case (true, "M"): duration.seconds += number.value * 60
      case (true, "S"): duration.seconds += number.value
      default: return nil
      }
    }
    return isNegative ? CalendarDuration(days: -duration.days, seconds: -duration.seconds) : duration
  }
}
