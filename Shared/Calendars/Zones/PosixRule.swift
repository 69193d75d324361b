/// The rule at the end of a zone file, in POSIX form: `GMT0BST,M3.5.0/1,M10.5.0`. It holds for every year.
///
/// Read with the extension of RFC 9636: hours of a change may be -167 to 167, which is how Greenland and Israel are
/// written.
struct PosixRule: Hashable, Sendable {
  var standard: TimeZoneRules.Kind
  var daylight: Daylight?

  struct Daylight: Hashable, Sendable {
    var kind: TimeZoneRules.Kind
    var begins: YearlyDate
    var ends: YearlyDate
  }

  /// A day of every year, and a number of seconds after its midnight.
  struct YearlyDate: Hashable, Sendable {
    enum Day: Hashable, Sendable {
      /// 1 to 365; the 29th of February is never counted.
      case julian(Int)
      /// 0 to 365, counting the 29th of February.
      case ordinal(Int)
      /// The `week`th (5 is the last) `weekday` (0 is Sunday) of a month.
      case month(Int, week: Int, weekday: Int)
    }

    var day: Day
    var seconds: Int64

    /// Seconds since 1970 on a local clock.
    func local(in year: Int) -> Int64 { Int64(dayNumber(in: year)) * 86_400 + seconds }

    private func dayNumber(in year: Int) -> Int {
      let newYear = Gregorian.days(year: year, month: 1, day: 1)
      switch day {
      case .julian(let day): return newYear + day - (CivilDate.isLeap(year) && day >= 60 ? 0 : 1)
      case .ordinal(let day): return newYear + day
      case .month(let month, let week, let weekday):
        let first = Gregorian.days(year: year, month: month, day: 1)
        // Day 0 was a Thursday, which is 4.
        let firstWeekday = ((first + 4) % 7 + 7) % 7
        let day = (weekday - firstWeekday + 7) % 7 + (week - 1) * 7
        return first + (day < CivilDate.days(inMonth: month, of: year) ? day : day - 7)
      }
    }
  }

  func period(at second: Int64) -> TimeZoneRules.Period {
    guard let daylight else { return TimeZoneRules.Period(start: nil, end: nil, kind: standard) }
    let local = CivilDateTime(clampingSecondsSince1970: second + Int64(standard.offset.seconds))
    var latest: Change?
    var next: Change?
    for year in local.date.year - 1...local.date.year + 1 {
      let begins = daylight.begins.local(in: year) - Int64(standard.offset.seconds)
      let ends = daylight.ends.local(in: year) - Int64(daylight.kind.offset.seconds)
      for change in [Change(second: begins, isDaylight: true), Change(second: ends, isDaylight: false)] {
        if change.second > second {
          if change.second < next?.second ?? .max { next = change }
        } else if change >= latest ?? change {
          latest = change
        }
      }
    }
    let isDaylight = latest?.isDaylight ?? !(next?.isDaylight ?? true)
    return TimeZoneRules.Period(
      start: latest?.second, end: next?.second, kind: isDaylight ? daylight.kind : standard)
  }

  private struct Change {
    var second: Int64
    var isDaylight: Bool

    /// Where one year's daylight time ends at the second the next one's begins, it never ends.
    static func >= (left: Change, right: Change) -> Bool {
      left.second > right.second || (left.second == right.second && (left.isDaylight || !right.isDaylight))
    }
  }
}

// MARK: - Reading

extension PosixRule {
  /// Nil if the text is not a rule, or names daylight time without saying when it is.
  init?(_ text: String) {
    guard let rule = text.scanned({ $0.posixRule() }) else { return nil }
    self = rule
  }
}

extension ASCIIScanner {
  fileprivate mutating func posixRule() -> PosixRule? {
    guard let name = zoneAbbreviation(), let west = hoursMinutesSeconds(hoursMax: 24),
      let offset = UTCOffset(seconds: -west)
    else { return nil }
    let standard = TimeZoneRules.Kind(offset: offset, isDaylight: false, abbreviation: name)
    guard !isAtEnd else { return PosixRule(standard: standard) }

    guard let daylightName = zoneAbbreviation() else { return nil }
    var daylightSeconds = offset.seconds + 3_600
    if next != UInt8(ascii: ",") {
      guard let west = hoursMinutesSeconds(hoursMax: 24) else { return nil }
      daylightSeconds = -west
    }
    guard let daylightOffset = UTCOffset(seconds: daylightSeconds),
      skip(","), let begins = yearlyDate(), skip(","), let ends = yearlyDate()
    else { return nil }
    let kind = TimeZoneRules.Kind(offset: daylightOffset, isDaylight: true, abbreviation: daylightName)
    return PosixRule(standard: standard, daylight: .init(kind: kind, begins: begins, ends: ends))
  }

  /// `KST`, or `<+09>` where there is no name.
  private mutating func zoneAbbreviation() -> String? {
    let isQuoted = skip("<")
    var name = ""
    while let byte = next, name.utf8.count < 16 {
      let isLetter = (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte & 0xDF)
      let isSign = byte == UInt8(ascii: "+") || byte == UInt8(ascii: "-")
      let isDigit = byte &- UInt8(ascii: "0") < 10
      guard isLetter || (isQuoted && (isSign || isDigit)) else { break }
      name.unicodeScalars.append(Unicode.Scalar(byte))
      advance()
    }
    guard name.utf8.count >= 3, !isQuoted || skip(">") else { return nil }
    return name
  }

  /// `-9`, `5:30`, `2:00:00`, in seconds.
  private mutating func hoursMinutesSeconds(hoursMax: Int) -> Int? {
    let isNegative = skip(anyOf: "+-") == UInt8(ascii: "-")
    guard let hours = digitRun(), hours.count <= 3, hours.value <= hoursMax else { return nil }
    var seconds = hours.value * 3_600
    for unit in [60, 1] where skip(":") {
      guard let part = digits(2), part < 60 else { return nil }
      seconds += part * unit
    }
    return isNegative ? -seconds : seconds
  }

  private mutating func yearlyDate() -> PosixRule.YearlyDate? {
    guard let day = yearlyDay() else { return nil }
    guard skip("/") else { return .init(day: day, seconds: 7_200) }
    return hoursMinutesSeconds(hoursMax: 167).map { .init(day: day, seconds: Int64($0)) }
  }

  private mutating func yearlyDay() -> PosixRule.YearlyDate.Day? {
    if skip("J") {
      return digitRun().flatMap { (1...365).contains($0.value) ? .julian($0.value) : nil }
    }
    guard skip("M") else {
      return digitRun().flatMap { (0...365).contains($0.value) ? .ordinal($0.value) : nil }
    }
    guard let month = digitRun()?.value, (1...12).contains(month), skip("."),
      let week = digitRun()?.value, (1...5).contains(week), skip("."),
      let weekday = digitRun()?.value, (0...6).contains(weekday)
    else { return nil }
    return .month(month, week: week, weekday: weekday)
  }
}
