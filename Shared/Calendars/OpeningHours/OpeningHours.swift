/// When a place opens its doors in an ordinary week, as far as its own words say.
///
/// Minutes count from the midnight that begins a date, and go on after it: half past one at night is 1,530.
package struct OpeningHours: Hashable, Codable, Sendable {
  package var spans: [OpenSpan]
  package var closures: [Closure]
  /// It closes on days that nobody says beforehand.
  package var isIrregular: Bool
  package var confidence: HoursConfidence

  package init(
    spans: [OpenSpan] = [], closures: [Closure] = [], isIrregular: Bool = false,
    confidence: HoursConfidence = .unknown
  ) {
    self.spans = spans
    self.closures = closures
    self.isIrregular = isIrregular
    self.confidence = confidence
  }
}

/// How far printed hours were understood.
package enum HoursConfidence: String, Codable, CaseIterable, Sendable {
  /// Every word of them.
  case parsed
  /// Something was taken for granted, or left unread beside what was understood.
  case inferred
  /// Nothing that one could go by.
  case unknown
}

/// From opening to closing, on some kinds of days.
package struct OpenSpan: Hashable, Codable, Sendable {
  package var days: DayKinds
  package var opens: Int
  /// Nil: until it is over.
  package var closes: Int?
  /// When the kitchen takes its last order.
  package var lastOrder: Int?
  package var lastDrink: Int?

  package init(days: DayKinds, opens: Int, closes: Int?, lastOrder: Int? = nil, lastDrink: Int? = nil) {
    self.days = days
    self.opens = opens
    self.closes = closes
    self.lastOrder = lastOrder
    self.lastDrink = lastDrink
  }
}

/// Days on which a place is closed: of each week, of some weeks of a month, or of the year.
package struct Closure: Hashable, Codable, Sendable {
  package var days: DayKinds
  /// Only the first, third … such day of a month, -1 being the last; empty: each.
  package var weeks: [Int]
  /// A stretch of the year, over its end too: 1231 to 103.
  package var first: Int?
  package var last: Int?
  /// A holiday is worked, and the day after it is free instead.
  package var movesAfterHoliday: Bool
  /// A holiday is worked.
  package var isOpenOnHolidays: Bool
  /// The great feasts of the lunar calendar: 설날, 추석.
  package var isLunarFeast: Bool

  package init(
    days: DayKinds = [], weeks: [Int] = [], first: Int? = nil, last: Int? = nil, movesAfterHoliday: Bool = false,
    isOpenOnHolidays: Bool = false, isLunarFeast: Bool = false
  ) {
    self.days = days
    self.weeks = weeks
    self.first = first
    self.last = last
    self.movesAfterHoliday = movesAfterHoliday
    self.isOpenOnHolidays = isOpenOnHolidays
    self.isLunarFeast = isLunarFeast
  }
}

/// Kinds of days that hours are printed for: weekdays, public holidays, the evening before one.
package struct DayKinds: OptionSet, Hashable, Codable, Sendable {
  package let rawValue: Int

  package init(rawValue: Int) { self.rawValue = rawValue }

  package init(_ weekday: Weekday) { self.init(rawValue: 1 << (weekday.rawValue - 1)) }

  package static let monday = DayKinds(.monday)
  package static let sunday = DayKinds(.sunday)
  package static let workdays = DayKinds(rawValue: 0b001_1111)
  package static let weekend = DayKinds(rawValue: 0b110_0000)
  package static let week = DayKinds(rawValue: 0b111_1111)
  package static let holiday = DayKinds(rawValue: 1 << 7)
  package static let holidayEve = DayKinds(rawValue: 1 << 8)
  /// What is meant where no day is named.
  package static let everyDay = DayKinds(rawValue: 0b1_1111_1111)

  package func contains(_ weekday: Weekday) -> Bool { isSuperset(of: DayKinds(weekday)) }

  package var weekdays: [Weekday] { Weekday.allCases.filter(contains) }
}
