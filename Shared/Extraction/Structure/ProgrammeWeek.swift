import Calendars

/// The week of a programme that prints no date: "Thu–Wed: 18:00, 21:30" of a guide that comes out each week.
///
/// Two lines or more that go around a whole week, all from the same day on, on a page that says no week and no day, are
/// of the week that is going on: cinemas change their films on a Wednesday, a Thursday or a Friday. From a Monday to a
/// Sunday a house is open.
struct ProgrammeWeek {
  let days: ClosedRange<CivilDate>

  init?(_ atoms: [PageAtom], clock: PageClock) {
    var known: [String: Weekday?] = [:]
    var lines = 0
    var first: Weekday?
    for atom in atoms {
      if atom.week != nil { return nil }
      guard case .both = atom.kind, let line = atom.line else { continue }
      // What was long ago is when something was written.
      if line.days.contains(where: { !$0.notes.contains(.inferredFromWeekday) && !Self.isLongAgo($0, clock) }) {
        return nil
      }
      for alarm in line.alarms where alarm.kind == .weekdaysWithoutDates {
        if known[alarm.text] == nil {
          guard known.count < Self.knownMax else { return nil }
          known[alarm.text] = .some(Self.opening(alarm.text, clock: clock))
        }
        guard let found = known[alarm.text] ?? nil else { continue }
        guard first == nil || first == found else { return nil }
        first = found
        lines += 1
      }
    }
    guard lines >= Self.linesMin, let first else { return nil }
    var start = clock.today
    while start.weekday != first { start = start - 1 }
    days = start...(start + 6)
  }

  private static func isLongAgo(_ days: PrintedDays, _ clock: PageClock) -> Bool {
    days.last.map { clock.today - $0 > pastDaysMax } ?? false
  }

  /// A programme that is still printed began no earlier.
  private static let pastDaysMax = 14
  /// One line may be the hours of anything.
  private static let linesMin = 2
  /// Different ways to say which days, on one page.
  private static let knownMax = 200
  /// On these days programmes change.
  private static let openings: Set<Weekday> = [.wednesday, .thursday, .friday]

  /// Thursday of "Thu–Wed": the first of seven days.
  private static func opening(_ text: String, clock: PageClock) -> Weekday? {
    let ends = text.unicodeScalars.split(whereSeparator: { "-–—".unicodeScalars.contains($0) })
      .map { LineRest.trimmed(String(Substring($0))) }
    guard ends.count == 2 else { return nil }
    let days = ends.compactMap { end -> Weekday? in
      let days = clock.printed.read(end, expecting: .dates).groups.flatMap(\.days)
      guard days.count == 1, days[0].notes.contains(.inferredFromWeekday) else { return nil }
      return days[0].day?.weekday
    }
    guard days.count == 2, openings.contains(days[0]), days[1] == days[0].adding(days: -1) else { return nil }
    return days[0]
  }
}
