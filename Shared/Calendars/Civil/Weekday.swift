/// A day of the week, numbered as in ISO 8601: Monday is 1, Sunday is 7.
package enum Weekday: Int, CaseIterable, Codable, Sendable {
  case monday = 1
  case tuesday, wednesday, thursday, friday, saturday, sunday

  /// The weekday `days` later; negative counts go back.
  package func adding(days: Int) -> Weekday {
    let index = ((rawValue - 1 + days % 7) % 7 + 7) % 7
    return Weekday.allCases[index]
  }
}

/// Some of the seven weekdays.
///
/// A printed "do" is Thursday in German and Sunday in Spanish; until the date is known it is both.
package struct WeekdaySet: OptionSet, Hashable, Sendable {
  package let rawValue: UInt8

  package init(rawValue: UInt8) { self.rawValue = rawValue & 0x7F }

  package init(_ weekday: Weekday) { self.init(rawValue: 1 << (weekday.rawValue - 1)) }

  package func contains(_ weekday: Weekday) -> Bool { isSuperset(of: WeekdaySet(weekday)) }

  package var weekdays: [Weekday] { Weekday.allCases.filter(contains) }
}
