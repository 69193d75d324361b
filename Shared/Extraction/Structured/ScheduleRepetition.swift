import Calendars

/// How often what is told by a schema.org `Schedule` comes again.
///
/// What is not understood is not repeated: a showing that is missing does less harm than one that there is not.
struct ScheduleRepetition {
  private enum Rhythm {
    case once
    case everyDays(Int)
    case weekly(Int, WeekdaySet)
  }

  private let rhythm: Rhythm
  private let isSaid: Bool
  private let countMax: Int?

  /// Without an end it is followed for ten weeks, as a programme is.
  private static let daysWithoutEnd = 70
  /// From the day of capture, in both directions.
  private static let daysAround = 370
  private static let intervalMax = 400

  /// - Parameters:
  ///   - frequency: an ISO 8601 duration, or a word.
  ///   - days: `byDay`; nil where there is one that was not understood.
  init(frequency: String?, days: WeekdaySet?, hasOtherRules: Bool, count: Int?) {
    isSaid = frequency != nil || days?.isEmpty != true
    countMax = count.flatMap { $0 > 0 ? $0 : nil }
    guard let days, !hasOtherRules else {
      rhythm = .once
      return
    }
    switch (Self.interval(frequency), days.isEmpty) {
    case (nil, _): rhythm = .once
    case (let (number, isWeeks)?, true): rhythm = .everyDays(isWeeks ? number * 7 : number)
    case ((let number, true)?, false): rhythm = .weekly(number, days)
    case ((1, false)?, false): rhythm = .weekly(1, days)
    case ((_, false)?, false): rhythm = .once
    }
  }

  /// - Returns: nil for what is neither days nor weeks.
  private static func interval(_ frequency: String?) -> (number: Int, isWeeks: Bool)? {
    guard let frequency = frequency?.uppercased() else { return (1, false) }
    switch frequency {
    case "DAILY": return (1, false)
    case "WEEKLY": return (1, true)
    default: break
    }
    guard frequency.first == "P", let unit = frequency.last, unit == "D" || unit == "W",
      let number = Int(frequency.dropFirst().dropLast()), (1...intervalMax).contains(number)
    else { return nil }
    return (number, unit == "W")
  }

  /// - Parameter end: the last day; nil if there is none said.
  func dates(
    from start: CivilDate, to end: CivilDate?, around today: CivilDate, budget: WorkBudget
  ) throws(ExtractionError) -> [CivilDate] {
    if case .once = rhythm { return [start] }
    // Whoever says an end or a rhythm means more than one day.
    guard end != nil || isSaid || countMax != nil else { return [start] }
    let afterEnd = max(today, start) + (end == nil ? Self.daysWithoutEnd : Self.daysAround) - start
    let last = min(end.map { max($0 - start, 0) } ?? .max, afterEnd)
    // What is long past is counted, and not told.
    let first = max(today - Self.daysAround - start, 0)
    let monday = start.weekday.rawValue - Weekday.monday.rawValue
    // Where they are counted, from the first.
    let begin = countMax == nil ? first : 0
    guard begin <= last else { return [] }
    try budget.spend(last - begin + 1)
    let days = (begin...last).lazy.filter { isOn($0, of: start, monday: monday) }.prefix(countMax ?? .max)
    return days.filter { $0 >= first }.map { start + $0 }
  }

  /// - Parameters:
  ///   - day: how many after the start.
  ///   - monday: how many days before the start its week begins.
  private func isOn(_ day: Int, of start: CivilDate, monday: Int) -> Bool {
    switch rhythm {
    case .once: day == 0
    case .everyDays(let number): day.isMultiple(of: number)
    case .weekly(let number, let days):
      ((day + monday) / 7).isMultiple(of: number) && days.contains((start + day).weekday)
    }
  }
}
