/// A day of the proleptic Gregorian calendar, 0001-01-01 to 9999-12-31, in no particular time zone.
///
/// Written `2026-11-23` everywhere: in contracts, in databases and in the API. Arithmetic that would leave the range
/// stops at its end, so that a hostile number of days cannot trap.
package struct CivilDate: Hashable, Sendable {
  /// Days since 1970-01-01, negative before it.
  package let daysSince1970: Int

  /// Nil if there is no such day: 2026-02-29, month 13, year 0.
  package init?(year: Int, month: Int, day: Int) {
    guard (1...9999).contains(year), (1...12).contains(month), day >= 1,
      day <= CivilDate.days(inMonth: month, of: year)
    else { return nil }
    daysSince1970 = Gregorian.days(year: year, month: month, day: day)
  }

  /// Held to the first and the last day of the range.
  package init(clampingDaysSince1970 days: Int) {
    daysSince1970 = min(max(days, CivilDate.first.daysSince1970), CivilDate.last.daysSince1970)
  }

  private init(unchecked days: Int) { daysSince1970 = days }

  package static let first = CivilDate(unchecked: Gregorian.days(year: 1, month: 1, day: 1))
  package static let last = CivilDate(unchecked: Gregorian.days(year: 9999, month: 12, day: 31))

  package var year: Int { parts.year }
  package var month: Int { parts.month }
  package var day: Int { parts.day }

  package var parts: (year: Int, month: Int, day: Int) { Gregorian.parts(ofDay: daysSince1970) }

  /// 1970-01-01 was a Thursday.
  package var weekday: Weekday { Weekday.thursday.adding(days: daysSince1970) }

  package static func days(inMonth month: Int, of year: Int) -> Int {
    switch month {
    case 2: isLeap(year) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }

  package static func isLeap(_ year: Int) -> Bool {
    year.isMultiple(of: 4) && (!year.isMultiple(of: 100) || year.isMultiple(of: 400))
  }

  package static func + (date: CivilDate, days: Int) -> CivilDate { date.advanced(by: days) }
  package static func - (date: CivilDate, days: Int) -> CivilDate {
    date.advanced(by: days == .min ? .max : -days)
  }
  /// Days from the right date to the left one.
  package static func - (left: CivilDate, right: CivilDate) -> Int { right.distance(to: left) }
}

/// `first...last` of dates is a sequence of days.
extension CivilDate: Strideable {
  package func distance(to other: CivilDate) -> Int { other.daysSince1970 - daysSince1970 }

  package func advanced(by days: Int) -> CivilDate {
    let (sum, overflow) = daysSince1970.addingReportingOverflow(days)
    return CivilDate(clampingDaysSince1970: overflow ? (days < 0 ? .min : .max) : sum)
  }

  package static func < (left: CivilDate, right: CivilDate) -> Bool { left.daysSince1970 < right.daysSince1970 }
}

extension CivilDate: LosslessStringConvertible, Codable, CodingKeyRepresentable, WrittenAsText {
  package static let form = "a date like 2026-11-23"

  /// Exactly `YYYY-MM-DD`.
  package init?(_ text: String) {
    guard let date = text.scanned({ $0.date() }) else { return nil }
    self = date
  }

  package var description: String { String(ascii: 10) { $0.put(self) } }
}

/// The arithmetic of the Gregorian calendar, on numbers that are already checked.
///
/// A year starts in March, so that the leap day is its last, and 400 of them have always 146,097 days.
enum Gregorian {
  static func days(year: Int, month: Int, day: Int) -> Int {
    let marchYear = month > 2 ? year : year - 1
    let era = (marchYear >= 0 ? marchYear : marchYear - 399) / 400
    let yearOfEra = marchYear - era * 400
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    return era * 146_097 + dayOfEra - 719_468
  }

  static func parts(ofDay day: Int) -> (year: Int, month: Int, day: Int) {
    let shifted = day + 719_468
    let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
    let dayOfEra = shifted - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let monthFromMarch = (5 * dayOfYear + 2) / 153
    let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
    return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * monthFromMarch + 2) / 5 + 1)
  }
}
