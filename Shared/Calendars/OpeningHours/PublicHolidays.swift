/// The public holidays of a country: days for which places print hours of their own.
///
/// Japan's follow from the law of 1948 as it stands since 2022; Korea's lunar ones are a table, because the moon is none
/// of our business. A country that is not known has none, and a year that is not in the table only the fixed ones.
package struct PublicHolidays: Hashable, Sendable {
  private let country: Country

  private enum Country: Sendable { case japan, korea, unknown }

  /// - Parameter country: ISO 3166, two capitals.
  package init(of country: String) {
    self.country = country == "JP" ? .japan : country == "KR" ? .korea : .unknown
  }

  package static let none = PublicHolidays(of: "")

  package func contains(_ date: CivilDate) -> Bool {
    switch country {
    case .japan: JapaneseHolidays.contains(date)
    case .korea: KoreanHolidays.contains(date)
    case .unknown: false
    }
  }

  /// 설날 and 추석, with the days around them.
  package func isLunarFeast(_ date: CivilDate) -> Bool { country == .korea && KoreanHolidays.isFeast(date) }
}

/// 国民の祝日, with the days off in place of a Sunday's holiday and between two holidays.
private enum JapaneseHolidays {
  static func contains(_ date: CivilDate) -> Bool {
    if isNamed(date) { return true }
    // The first day after a Sunday's holiday that is none itself.
    var day = date - 1
    while isNamed(day) {
      if day.weekday == .sunday { return true }
      day = day - 1
    }
    return date.weekday != .sunday && isNamed(date - 1) && isNamed(date + 1)
  }

  private static func isNamed(_ date: CivilDate) -> Bool {
    let (year, month, day) = date.parts
    guard year >= 2022 else { return false }
    let fixed = [(1, 1), (2, 11), (2, 23), (4, 29), (5, 3), (5, 4), (5, 5), (8, 11), (11, 3), (11, 23)]
    if fixed.contains(where: { $0 == (month, day) }) { return true }
    // The second Monday of January and October, the third of July and September.
    if date.weekday == .monday {
      let week = (day - 1) / 7 + 1
      if [(1, 2), (7, 3), (9, 3), (10, 2)].contains(where: { $0 == (month, week) }) { return true }
    }
    return month == 3 && day == equinox(20.8431, year) || month == 9 && day == equinox(23.2488, year)
  }

  /// The day of an equinox in Japan, right for 1980 to 2099.
  private static func equinox(_ base: Double, _ year: Int) -> Int {
    Int(base + 0.242194 * Double(year - 1980)) - (year - 1980) / 4
  }
}

/// 공휴일, with the days off in place of a weekend's holiday. Election days are left out.
private enum KoreanHolidays {
  static func contains(_ date: CivilDate) -> Bool { isNamed(date) || isSubstitute(date) }

  private static func isNamed(_ date: CivilDate) -> Bool {
    isMovable(date) || isFeast(date) || [(1, 1), (6, 6)].contains { $0 == (date.month, date.day) }
  }

  /// Holidays that are made up for when they fall on a Saturday or Sunday.
  private static func isMovable(_ date: CivilDate) -> Bool {
    let (_, month, day) = date.parts
    let fixed = [(3, 1), (5, 5), (8, 15), (10, 3), (10, 9), (12, 25)]
    return fixed.contains { $0 == (month, day) } || isBuddhasBirthday(date)
  }

  /// The first working day after it; of the feasts only a Sunday is made up for.
  private static func isSubstitute(_ date: CivilDate) -> Bool {
    guard !isWeekend(date), !isNamed(date) else { return false }
    var day = date - 1
    while isWeekend(day) || isNamed(day) {
      if isWeekend(day), isMovable(day) || day.weekday == .sunday && isFeast(day) { return true }
      // Nothing is before the first of all days, which is a holiday itself.
      guard day > .first else { return false }
      day = day - 1
    }
    return false
  }

  private static func isWeekend(_ date: CivilDate) -> Bool { date.weekday == .saturday || date.weekday == .sunday }

  static func isFeast(_ date: CivilDate) -> Bool {
    table[date.year].map { lunar in
      // The day itself, the one before and the one after.
      [lunar.newYear, lunar.harvest].contains { feast in
        CivilDate(year: date.year, month: feast / 100, day: feast % 100).map { abs(date - $0) <= 1 } ?? false
      }
    } ?? false
  }

  private static func isBuddhasBirthday(_ date: CivilDate) -> Bool {
    table[date.year]?.buddha == date.month * 100 + date.day
  }

  /// Month and day of 설날, 부처님 오신 날 and 추석.
  private static let table: [Int: (newYear: Int, buddha: Int, harvest: Int)] = [
    2025: (129, 505, 1006), 2026: (217, 524, 925), 2027: (207, 513, 915), 2028: (127, 502, 1003),
    2029: (213, 520, 922), 2030: (203, 509, 912),
  ]
}
