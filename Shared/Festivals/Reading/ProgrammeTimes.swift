import Calendars
import Clocks
import Contracts

/// How files tell times, lengths and zones.
enum ProgrammeTimes {
  /// The festival's zone: as told by whoever imports, by the file, by what is kept, or from the offsets that the file's
  /// times have, which are only looked for then.
  ///
  /// - Parameter isContradicted: the file's own clocks are of another zone than it says.
  static func zone(
    named text: String?, isContradicted: Bool = false, offsets: @autoclosure () -> [UTCOffset],
    _ options: ReadingOptions
  ) throws(ProgrammeError) -> (name: ZoneName, rules: TimeZoneRules, note: String?) {
    var note: String?
    if let name = options.zone { return (name, try rules(name, options.zones), nil) }
    if let text, isContradicted {
      note = "the file's time zone \(text) is not that of its clocks"
    } else if let text, !text.isEmpty {
      if let name = ZoneName(text), let rules = try? options.zones.rules(for: name) { return (name, rules, nil) }
      note = "the file's time zone \(text) is not known here"
    }
    if let known = options.known?.zone { return (known, try rules(known, options.zones), note) }
    let offsets = offsets()
    guard let offset = offsets.first else {
      throw ProgrammeError("\(note ?? "the file does not say its time zone"); give --zone, such as Europe/Brussels")
    }
    guard offsets.allSatisfy({ $0 == offset }), offset.seconds % 3_600 == 0,
      let name = offset == .zero
        ? .utc : ZoneName("Etc/GMT\(offset.seconds < 0 ? "+" : "-")\(abs(offset.seconds) / 3_600)")
    else {
      throw ProgrammeError(
        "the file does not say its time zone, and its times are of several offsets; give --zone, such as Europe/Brussels"
      )
    }
    let said =
      "\(note ?? "the file does not say its time zone"); its times are \(offset), so \(name) is taken (--zone says)"
    return (name, try rules(name, options.zones), said)
  }

  private static func rules(_ name: ZoneName, _ zones: ZoneDirectory) throws(ProgrammeError) -> TimeZoneRules {
    do {
      return try zones.rules(for: name)
    } catch {
      throw ProgrammeError("\(error)")
    }
  }

  /// The offset of a time that has one.
  static func offset(of text: String?) -> UTCOffset? {
    guard let text, case .instant(let stamp)? = ISO8601Time(text) else { return nil }
    return stamp.offset
  }

  /// `00:50`, `1:05:00`, `1:00:30:00`, `90`, `90 min`, `105'`, `1h45`, `1시간 30분`, `5400 s`, `PT1H30M`: seconds.
  static func seconds(ofLength text: String) -> Int64? {
    // Less than nothing is no length.
    guard text.utf8.first(where: { $0 > 0x20 }) != UInt8(ascii: "-") else { return nil }
    let parts = text.split(separator: ":", omittingEmptySubsequences: false).map { Int64($0) }
    if parts.count > 1 {
      guard parts.count <= 4, parts.allSatisfy({ ($0 ?? -1) >= 0 && ($0 ?? 0) < 10_000 }) else { return nil }
      let numbers = parts.map { $0! }
      switch numbers.count {
      case 2: return numbers[0] * 3_600 + numbers[1] * 60
      case 3: return numbers[0] * 3_600 + numbers[1] * 60 + numbers[2]
      default: return ((numbers[0] * 24 + numbers[1]) * 60 + numbers[2]) * 60 + numbers[3]
      }
    }
    return PrintedLength(text)?.seconds
  }

  /// `09:30`, `9:30`, `9.30`, `24:30`, `0930`, `9:30 pm`, `9:30|PM`: minutes of a day that may go on after midnight.
  static func clock(_ text: String) -> DisplayTime? {
    let folded = text.lowercased().filter { $0 != " " }
    for (mark, hours) in halves where folded.hasSuffix(mark) {
      var digits = folded.dropLast(mark.count)
      // It belongs to the clock whatever stands between, once.
      if let last = digits.last, "|-,_/·".contains(last) { digits.removeLast() }
      let parts = digits.split { $0 == ":" || $0 == "." }
      guard (1...2).contains(parts.count), let hour = Int(parts[0]), (1...12).contains(hour) else { return nil }
      guard let minute = parts.count == 2 ? Int(parts[1]) : 0 else { return nil }
      return DisplayTime(hour: hour % 12 + hours, minute: minute)
    }
    let digits = text.split { $0 == ":" || $0 == "." || $0 == "h" }
    if digits.count >= 2, let hour = Int(digits[0]), let minute = Int(digits[1]) {
      return DisplayTime(hour: hour, minute: minute)
    }
    guard digits.count == 1, text.utf8.count == 4, let number = Int(text) else { return nil }
    return DisplayTime(hour: number / 100, minute: number % 100)
  }

  /// What says in which half of the day a clock is, and the hours before that.
  private static let halves = [("am", 0), ("pm", 12), ("a.m.", 0), ("p.m.", 12), ("a", 0), ("p", 12)]

  /// The same, and as programmes print it: `오후 7시 30분`, `19時半`, `19.30 Uhr`, `20 h`, `19:30-21:00`.
  static func clock(_ text: String, in zone: TimeZoneRules) -> DisplayTime? { PrintedClock(text, in: zone)?.start }

  /// A day as programmes print it: `12 October 2025`, `10月12日(日)` where the year is told elsewhere.
  static func printedDate(_ text: String, year: Int?, in zone: TimeZoneRules) -> CivilDate? {
    // Of numbers alone the order decides, not the reader of print.
    guard text.utf8.count <= printedBytesMax, text.unicodeScalars.contains(where: \.properties.isAlphabetic) else {
      return nil
    }
    let own = text.split { !("0"..."9").contains($0) }.first { $0.utf8.count == 4 }.flatMap { Int($0) }
    guard let year = own ?? year, let around = CivilDate(year: year, month: 7, day: 1) else { return nil }
    let reader = PrintedReader(capturedAt: zone.instant(of: CivilDateTime(around, .midnight)), zone: zone)
    guard let days = (try? reader.date(text)) ?? nil, let day = days.day else { return nil }
    if days.notes.isDisjoint(with: guessed) { return day }
    return days.notes.isDisjoint(with: guessed.subtracting([.inferredYear])) && day.year == year ? day : nil
  }

  /// What no file means.
  private static let guessed: Set<PrintedNote> = [
    .inferredYear, .inferredMonth, .inferredFromWeekday, .relativeDay, .inferredStart,
  ]
  private static let printedBytesMax = 80

  /// Seconds or milliseconds since 1970, as programs write them.
  static func epoch(_ text: String) -> WallTime? {
    guard text.utf8.count == 10 || text.utf8.count == 13, let number = Int64(text), number > 0 else { return nil }
    return WallTime(milliseconds: text.utf8.count == 10 ? number * 1_000 : number)
  }

  /// `2026-05-01`, `2026.5.1`, `2026/05/01`, `2026년 5월 1일`, `1.5.2026`; `1/5/2026` may be two days, so only in an order.
  static func date(_ text: String, _ order: ColumnMapping.DayOrder? = nil) -> CivilDate? {
    if let date = CivilDate(text) { return date }
    if case .date(let date)? = ISO8601Time(text) { return date }
    guard text.unicodeScalars.allSatisfy({ "0123456789.-/ 년월일年月日".unicodeScalars.contains($0) }) else { return nil }
    let numbers = text.split { !("0"..."9").contains($0) }.map(String.init)
    guard numbers.count == 3, let first = Int(numbers[0]), let second = Int(numbers[1]), var third = Int(numbers[2])
    else { return nil }
    if numbers[0].utf8.count == 4 { return CivilDate(year: first, month: second, day: third) }
    let isDotted = text.utf8.count(where: { $0 == UInt8(ascii: ".") }) == 2
    guard let order = isDotted ? .dayFirst : order else { return nil }
    switch numbers[2].utf8.count {
    case 4: break
    // Behind dashes the year may as well come first.
    case 2 where !text.utf8.contains(UInt8(ascii: "-")): third += century
    default: return nil
    }
    return order == .dayFirst
      ? CivilDate(year: third, month: second, day: first) : CivilDate(year: third, month: first, day: second)
  }

  /// Of years that are written with two digits: no festival of the last century is imported.
  static let century = 2_000

  /// `14/9` in an order, `14.09.`: a day of a year that is told elsewhere.
  static func shortDate(_ text: String, year: Int, _ order: ColumnMapping.DayOrder?) -> CivilDate? {
    guard text.unicodeScalars.allSatisfy({ "0123456789./".unicodeScalars.contains($0) }) else { return nil }
    let numbers = text.split { !("0"..."9").contains($0) }.map(String.init)
    guard numbers.count == 2, numbers.allSatisfy({ $0.utf8.count <= 2 }), let first = Int(numbers[0]),
      let second = Int(numbers[1]), let order = text.contains(".") ? .dayFirst : order
    else { return nil }
    return order == .dayFirst
      ? CivilDate(year: year, month: second, day: first) : CivilDate(year: year, month: first, day: second)
  }

  /// The only order in which all of these are days, but for those that are none in either; nil if there is none, or two.
  static func order(of texts: [String]) -> ColumnMapping.DayOrder? {
    let fits = texts.map { (dayFirst: date($0, .dayFirst) != nil, monthFirst: date($0, .monthFirst) != nil) }
    let needsDayFirst = fits.contains { $0.dayFirst && !$0.monthFirst }
    let needsMonthFirst = fits.contains { $0.monthFirst && !$0.dayFirst }
    return needsDayFirst == needsMonthFirst ? nil : needsDayFirst ? .dayFirst : .monthFirst
  }

  /// A bare time under a date. Before the day's end it is of the night that follows the date.
  static func instant(
    _ date: CivilDate, _ time: DisplayTime, dayEnds: ClockTime, in zone: TimeZoneRules
  ) -> WallTime {
    let isNight = !time.isAfterMidnight && time.minutes * 60 < dayEnds.secondOfDay
    return zone.instant(of: ServiceTime(isNight ? date + 1 : date, time))
  }
}

extension WallTime {
  /// Without what is shorter than a second.
  var wholeSecond: WallTime {
    WallTime(milliseconds: milliseconds - (milliseconds % 1_000 + 1_000) % 1_000)
  }

  func adding(seconds: Int64) -> WallTime { WallTime(milliseconds: milliseconds + seconds * 1_000) }

  func seconds(until later: WallTime) -> Int64 { (later.milliseconds - milliseconds) / 1_000 }
}
