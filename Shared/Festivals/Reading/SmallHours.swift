import Calendars

/// Whose the small hours of a table are: the night's that follows the day, or the date's that is printed.
struct SmallHours {
  /// As the mapping says; nil where it says nothing.
  private let isNightOfDay: Bool?
  /// Rows whose place says that they are of the date that is printed.
  private var ofTheirDate: Set<Int> = []
  private var nights = 0
  private var mornings = 0

  init(_ isNightOfDay: Bool?) { self.isNightOfDay = isNightOfDay }

  /// Where a day's rows are in the order of time, a small hour before the day's first is that morning's.
  ///
  /// - Parameter rows: nil where a row has no bare clock under a day.
  mutating func readOrder(of rows: [(day: CivilDate, clock: DisplayTime)?], dayEnds: ClockTime) {
    var days: [CivilDate: [(place: Int, minutes: Int)]] = [:]
    for (place, row) in rows.enumerated() {
      if let row { days[row.day, default: []].append((place, row.clock.minutes)) }
    }
    for rows in days.values {
      let isOrdered = zip(rows, rows.dropFirst()).allSatisfy { $0.minutes <= $1.minutes }
      let early = rows.prefix { $0.minutes * 60 < dayEnds.secondOfDay }
      if isOrdered, early.count < rows.count { ofTheirDate.formUnion(early.map(\.place)) }
    }
  }

  /// Before which hour a bare clock of that row is of the night that follows its day; counts those that are.
  mutating func dayEnds(ofRow place: Int, _ clock: DisplayTime, _ standard: ClockTime) -> ClockTime {
    guard isNightOfDay ?? true else { return .midnight }
    let isSmall = clock.minutes * 60 < standard.secondOfDay
    guard !ofTheirDate.contains(place) else {
      mornings += 1
      return .midnight
    }
    if isSmall { nights += 1 }
    return standard
  }

  var notes: [String] {
    var notes: [String] = []
    if nights > 0 {
      notes.append(
        "\(nights) sessions that start after midnight are taken for the night that follows their day; "
          + "say \"after_midnight\": \"same_day\" in the mapping if that is wrong")
    }
    if mornings > 0 {
      notes.append(
        "\(mornings) sessions that start after midnight stand before the first of their day and are taken for that date; "
          + "say \"after_midnight\": \"evening_before\" in the mapping if that is wrong")
    }
    return notes
  }
}
