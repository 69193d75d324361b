import Calendars

/// The week of a programme that prints no date: "Thu–Wed: 18:00, 21:30" of a guide that comes out each week.
///
/// Two lines or more that go around a whole week, all from the same day on, on a page that says no week and no day beyond it,
/// are of the week that is going on: cinemas change their films on a Wednesday, a Thursday or a Friday. From a Monday to a
/// Sunday a house is open. "Thu–Sun: 20:30, Mon–Wed: 22:00" goes around it in two steps.
struct ProgrammeWeek {
  let days: ClosedRange<CivilDate>

  init?(_ atoms: [PageAtom], clock: PageClock) {
    var known: [String: Run?] = [:]
    var lines = 0
    var first: Weekday?
    var latest: CivilDate?
    for atom in atoms {
      if atom.week != nil { return nil }
      guard case .both = atom.kind, let line = atom.line else { continue }
      for days in line.days where !days.notes.contains(.inferredFromWeekday) {
        latest = max(latest ?? clock.today, days.last ?? clock.today)
      }
      var runs: [Run] = []
      for alarm in line.alarms where alarm.kind == .weekdaysWithoutDates {
        if known[alarm.text] == nil {
          guard known.count < Self.knownMax else { return nil }
          known[alarm.text] = .some(Self.run(alarm.text, clock: clock))
        }
        if let found = known[alarm.text] ?? nil { runs.append(found) }
      }
      guard let opening = Self.opening(runs) else { continue }
      guard first == nil || first == opening else { return nil }
      first = opening
      lines += 1
    }
    guard lines >= Self.linesMin, let first else { return nil }
    var start = clock.today
    while start.weekday != first { start = start - 1 }
    // What is over is when something was written; what is far ahead is of another programme.
    guard latest.map({ $0 <= start + 6 }) ?? true else { return nil }
    days = start...(start + 6)
  }

  /// One line may be the hours of anything.
  private static let linesMin = 2
  /// Different ways to say which days, on one page.
  private static let knownMax = 200
  /// On these days programmes change.
  private static let openings: Set<Weekday> = [.wednesday, .thursday, .friday]

  private typealias Run = (first: Weekday, last: Weekday)

  /// Thursday of "Thu–Wed", and of "Thu–Sun" and "Mon–Wed": the first of seven days.
  private static func opening(_ runs: [Run]) -> Weekday? {
    guard let first = runs.first?.first, let last = runs.last?.last, openings.contains(first),
      last == first.adding(days: -1)
    else { return nil }
    return zip(runs, runs.dropFirst()).allSatisfy { $1.first == $0.last.adding(days: 1) } ? first : nil
  }

  private static func run(_ text: String, clock: PageClock) -> Run? {
    let ends = text.unicodeScalars.split(whereSeparator: { "-–—".unicodeScalars.contains($0) })
      .map { LineRest.trimmed(String(Substring($0))) }
    guard ends.count == 2 else { return nil }
    let days = ends.compactMap { end -> Weekday? in
      let end = end.hasSuffix(".") ? String(end.dropLast()) : end
      let days = clock.printed.read(end, expecting: .dates).groups.flatMap(\.days)
      guard days.count == 1, days[0].notes.contains(.inferredFromWeekday) else { return nil }
      return days[0].day?.weekday
    }
    return days.count == 2 ? (days[0], days[1]) : nil
  }
}
