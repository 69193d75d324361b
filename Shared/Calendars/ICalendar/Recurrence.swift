package import Clocks

/// How an event comes back, as far as programmes use it: every day, week, month or year, on given weekdays, days of the
/// month and months, so many times or until a day.
///
/// `BYSETPOS`, `BYWEEKNO`, `BYYEARDAY` and rules of hours or less are not read: reading one says so.
package struct Recurrence: Hashable, Sendable {
  package enum Frequency: String, Hashable, Sendable {
    case daily = "DAILY"
    case weekly = "WEEKLY"
    case monthly = "MONTHLY"
    case yearly = "YEARLY"
  }

  package enum Until: Hashable, Sendable {
    case day(CivilDate)
    /// On the clock of the start.
    case local(CivilDateTime)
    case instant(WallTime)
  }

  /// `SA`, or `-1SA` for the last one of the month.
  struct Weekdays: Hashable, Sendable {
    var ordinal: Int
    var weekday: Weekday
  }

  package var frequency: Frequency
  package internal(set) var interval = 1
  package internal(set) var count: Int?
  package internal(set) var until: Until?
  var weekdays: [Weekdays] = []
  var monthDays: [Int] = []
  var months: [Int] = []
  var weekStart = Weekday.monday

  package init(_ frequency: Frequency) { self.frequency = frequency }

  /// Every week on these days.
  package static func weekly(on days: WeekdaySet, until: CivilDate? = nil) -> Recurrence {
    var rule = Recurrence(.weekly)
    rule.weekdays = days.weekdays.map { Weekdays(ordinal: 0, weekday: $0) }
    rule.until = until.map(Until.day)
    return rule
  }
}

// MARK: - Reading and writing

extension Recurrence {
  static let countMax = 100_000
  static let listMax = 64

  /// Why a rule was not read.
  struct Unsupported: Error {
    var part: String
  }

  init(_ text: String) throws(Unsupported) {
    var parts: [(name: Substring, value: Substring)] = []
    for part in text.split(separator: ";") {
      guard let equals = part.firstIndex(of: "=") else { throw Unsupported(part: String(part.prefix(40))) }
      parts.append((part[..<equals], part[part.index(after: equals)...]))
    }
    guard let frequency = parts.first(where: { $0.name.uppercased() == "FREQ" }).map({ $0.value.uppercased() }),
      let known = Frequency(rawValue: frequency)
    else { throw Unsupported(part: "FREQ") }
    self.init(known)
    for (name, value) in parts where !take(name.uppercased(), value.uppercased()) {
      throw Unsupported(part: String("\(name)=\(value)".prefix(40)))
    }
    // An ordinal counts inside a month, and we count none inside a whole year.
    let hasOrdinals = weekdays.contains { $0.ordinal != 0 }
    if hasOrdinals, frequency == "DAILY" || frequency == "WEEKLY" { throw Unsupported(part: "BYDAY") }
    if !weekdays.isEmpty, known == .yearly, months.isEmpty { throw Unsupported(part: "BYDAY without BYMONTH") }
    if !monthDays.isEmpty, known == .weekly { throw Unsupported(part: "BYMONTHDAY") }
  }

  private mutating func take(_ name: String, _ value: String) -> Bool {
    switch name {
    case "FREQ": return true
    case "INTERVAL":
      guard let number = Int(value), (1...1_000).contains(number) else { return false }
      interval = number
    case "COUNT":
      guard let number = Int(value), (1...Recurrence.countMax).contains(number) else { return false }
      count = number
    case "UNTIL":
      guard let end = Until(value) else { return false }
      until = end
    case "BYDAY":
      guard let list = Recurrence.list(value, Weekdays.init) else { return false }
      weekdays = list
    case "BYMONTHDAY":
      guard let list = Recurrence.list(value, { Int($0) }), list.allSatisfy({ (1...31).contains(abs($0)) }) else {
        return false
      }
      monthDays = list
    case "BYMONTH":
      guard let list = Recurrence.list(value, { Int($0) }), list.allSatisfy((1...12).contains) else { return false }
      months = list
    case "WKST":
      guard let day = Weekday(iCalendar: value[...]) else { return false }
      weekStart = day
    default: return false
    }
    return true
  }

  private static func list<Element>(_ text: String, _ read: (Substring) -> Element?) -> [Element]? {
    let parts = text.split(separator: ",", omittingEmptySubsequences: false)
    guard parts.count <= listMax else { return nil }
    let elements = parts.compactMap(read)
    return elements.count == parts.count ? elements : nil
  }

  /// As it stands behind `RRULE:`. The end has to be told the way the start is: a day for days, UTC where there is a zone.
  func text(startingAt start: CalendarTime) -> String {
    var parts = ["FREQ=\(frequency.rawValue)"]
    if interval != 1 { parts.append("INTERVAL=\(interval)") }
    if let count { parts.append("COUNT=\(count)") }
    if let until { parts.append("UNTIL=\(until.told(like: start).compact)") }
    if !months.isEmpty { parts.append("BYMONTH=\(months.map(String.init).joined(separator: ","))") }
    if !monthDays.isEmpty { parts.append("BYMONTHDAY=\(monthDays.map(String.init).joined(separator: ","))") }
    if !weekdays.isEmpty {
      let days = weekdays.map { ($0.ordinal == 0 ? "" : String($0.ordinal)) + $0.weekday.iCalendar }
      parts.append("BYDAY=\(days.joined(separator: ","))")
    }
    if weekStart != .monday { parts.append("WKST=\(weekStart.iCalendar)") }
    return parts.joined(separator: ";")
  }
}

extension Recurrence.Until {
  fileprivate func told(like start: CalendarTime) -> CalendarTime {
    let last: CivilDateTime
    switch self {
    case .instant(let instant): return .utc(instant)
    case .day(let date):
      if case .day = start { return .day(date) }
      last = CivilDateTime(date + 1, .midnight).adding(seconds: -1)
    case .local(let local): last = local
    }
    switch start {
    case .zoned(_, let zone): return .utc(zone.instant(of: last))
    case .utc: return .utc(TimeZoneRules.utc.instant(of: last))
    case .day, .floating: return .floating(last)
    }
  }

  init?(_ text: String) {
    switch CalendarTime(compact: text[...], zone: nil) {
    case .day(let date): self = .day(date)
    case .floating(let local): self = .local(local)
    case .utc(let instant): self = .instant(instant)
    case .zoned, nil: return nil
    }
  }
}

extension Recurrence.Weekdays {
  init?(_ text: Substring) {
    guard let weekday = Weekday(iCalendar: text.suffix(2)) else { return nil }
    let number = text.dropLast(2)
    guard let ordinal = number.isEmpty ? 0 : Int(number), (-5...5).contains(ordinal), number.isEmpty || ordinal != 0
    else {
      return nil
    }
    self.init(ordinal: ordinal, weekday: weekday)
  }
}

extension Weekday {
  private static let iCalendarNames = ["MO", "TU", "WE", "TH", "FR", "SA", "SU"]

  var iCalendar: String { Weekday.iCalendarNames[rawValue - 1] }

  init?(iCalendar text: Substring) {
    guard let index = Weekday.iCalendarNames.firstIndex(where: { $0 == text }) else { return nil }
    self = Weekday.allCases[index]
  }
}

// MARK: - Dates

extension Recurrence {
  /// The dates of a rule, ascending, from its start on; the start is always the first of them, as RFC 5545 has it.
  ///
  /// Ends with the calendar, and after `stepsMax` periods without a date (a 30th of February comes never).
  struct Dates: Sequence, IteratorProtocol {
    private let rule: Recurrence
    private let start: CivilDate
    private var step = 0
    private var found: [CivilDate]
    private var fruitless = 0

    private static let stepsMax = 1_000

    init(_ rule: Recurrence, from start: CivilDate) {
      self.rule = rule
      self.start = start
      found = []
      let first = rule.dates(inStep: 0, from: start) ?? []
      found = [start] + first.filter { $0 > start }
      found.reverse()
      step = 1
    }

    mutating func next() -> CivilDate? {
      while found.isEmpty {
        guard fruitless < Dates.stepsMax, let dates = rule.dates(inStep: step, from: start) else { return nil }
        step += 1
        fruitless = dates.isEmpty ? fruitless + 1 : 0
        found = dates.reversed()
      }
      return found.popLast()
    }
  }

  /// The dates of the `step`th period, ascending. Nil when the calendar ends.
  private func dates(inStep step: Int, from start: CivilDate) -> [CivilDate]? {
    switch frequency {
    case .daily:
      let date = start + step * interval
      guard date < .last else { return nil }
      return isAllowed(date) ? [date] : []
    case .weekly:
      let back = (start.weekday.rawValue - weekStart.rawValue + 7) % 7
      let week = start - back + step * interval * 7
      guard week < .last - 7 else { return nil }
      let wanted = weekdays.isEmpty ? [start.weekday] : weekdays.map(\.weekday)
      return (0..<7).map { week + $0 }.filter { wanted.contains($0.weekday) && isAllowedMonth($0.month) }
    case .monthly:
      let index = start.year * 12 + start.month - 1 + step * interval
      guard index / 12 <= 9_999 else { return nil }
      return isAllowedMonth(index % 12 + 1) ? dates(inMonth: index % 12 + 1, of: index / 12, startDay: start.day) : []
    case .yearly:
      let year = start.year + step * interval
      guard year <= 9_999 else { return nil }
      let months = self.months.isEmpty ? [start.month] : Set(self.months).sorted()
      return months.flatMap { dates(inMonth: $0, of: year, startDay: start.day) }
    }
  }

  private func isAllowedMonth(_ month: Int) -> Bool { months.isEmpty || months.contains(month) }

  private func isAllowed(_ date: CivilDate) -> Bool {
    isAllowedMonth(date.month) && (weekdays.isEmpty || weekdays.contains { $0.weekday == date.weekday })
      && (monthDays.isEmpty || isMonthDay(date))
  }

  private func isMonthDay(_ date: CivilDate) -> Bool {
    let fromEnd = date.day - CivilDate.days(inMonth: date.month, of: date.year) - 1
    return monthDays.contains(date.day) || monthDays.contains(fromEnd)
  }

  private func dates(inMonth month: Int, of year: Int, startDay: Int) -> [CivilDate] {
    if weekdays.isEmpty && monthDays.isEmpty {
      return CivilDate(year: year, month: month, day: startDay).map { [$0] } ?? []
    }
    let length = CivilDate.days(inMonth: month, of: year)
    return (1...length).compactMap { CivilDate(year: year, month: month, day: $0) }.filter { date in
      (monthDays.isEmpty || isMonthDay(date)) && (weekdays.isEmpty || weekdays.contains { $0.holds(date, of: length) })
    }
  }
}

extension Recurrence.Weekdays {
  fileprivate func holds(_ date: CivilDate, of monthLength: Int) -> Bool {
    guard date.weekday == weekday else { return false }
    if ordinal == 0 { return true }
    return ordinal > 0 ? (date.day - 1) / 7 + 1 == ordinal : (monthLength - date.day) / 7 + 1 == -ordinal
  }
}
