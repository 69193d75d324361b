package import Clocks

/// One time an event takes place.
package struct CalendarOccurrence: Hashable, Sendable {
  /// The event as it is this time: the series, or what replaces it.
  package var event: CalendarEvent
  package var start: CalendarTime
  package var end: CalendarTime?
  package var startsAt: WallTime
  package var endsAt: WallTime?
}

extension CalendarFeed {
  package struct OccurrenceLimits: Sendable {
    /// What a venue shows in two months, tenfold.
    package var occurrencesMax = 10_000
    /// Dates a rule is followed for; a daily one reaches back 27 years.
    package var datesPerEventMax = 10_000
    /// And all rules of a feed together: a tenth of a second.
    package var datesMax = 100_000

    package init() {}
  }

  /// What takes place between two instants, by start. Days and floating times are in `zone`. Cancelled events are among
  /// them, with their status.
  ///
  /// `isComplete` is false if a limit ended it.
  package func occurrences(
    in window: Range<WallTime>, zone: TimeZoneRules, limits: OccurrenceLimits = OccurrenceLimits()
  ) -> (occurrences: [CalendarOccurrence], isComplete: Bool) {
    var found: [CalendarOccurrence] = []
    var isComplete = true
    var replaced: [String: Set<WallTime>] = [:]
    for event in events {
      if let original = event.replaces { replaced[event.uid, default: []].insert(original.instant(in: zone)) }
    }
    var datesLeft = limits.datesMax
    for event in events {
      let datesMax = min(limits.datesPerEventMax, datesLeft)
      let starts = event.starts(before: window.upperBound, zone: zone, datesMax: datesMax)
      if event.recurrence != nil { datesLeft -= min(starts.times.count, datesLeft) }
      isComplete = isComplete && starts.isComplete
      for start in starts.times {
        let instant = start.instant(in: zone)
        guard window.contains(instant) else { continue }
        if event.replaces == nil, replaced[event.uid]?.contains(instant) == true { continue }
        guard found.count < limits.occurrencesMax else {
          isComplete = false
          break
        }
        let end = event.end(whenStartingAt: start, zone: zone)
        found.append(
          CalendarOccurrence(
            event: event, start: start, end: end, startsAt: instant, endsAt: end?.instant(in: zone)))
      }
    }
    found.sort { $0.startsAt < $1.startsAt }
    return (found, isComplete)
  }
}

extension CalendarEvent {
  fileprivate func starts(
    before end: WallTime, zone: TimeZoneRules, datesMax: Int
  ) -> (times: [CalendarTime], isComplete: Bool) {
    guard replaces == nil else { return ([start], true) }
    var times = [start]
    var isComplete = true
    if let recurrence {
      var left = min(recurrence.count ?? .max, datesMax)
      times = []
      for date in Recurrence.Dates(recurrence, from: start.local.date) {
        let time = start.moved(to: date)
        guard time.instant(in: zone) < end, !recurrence.isOver(time, zone: zone) else { break }
        guard left > 0 else {
          isComplete = recurrence.count != nil && recurrence.count! <= datesMax
          break
        }
        left -= 1
        times.append(time)
      }
    }
    times += extraStarts
    var seen: Set<WallTime> = []
    let excluded = Set(exceptions.map { $0.instant(in: zone) })
    let excludedDays = Set(exceptions.compactMap { if case .day(let date) = $0 { date } else { nil } })
    times = times.filter { time in
      let instant = time.instant(in: zone)
      return !excluded.contains(instant) && !excludedDays.contains(time.local.date) && seen.insert(instant).inserted
    }
    return (times, isComplete)
  }

  /// As long after it as the first one: in days for days, exactly for times.
  fileprivate func end(whenStartingAt other: CalendarTime, zone: TimeZoneRules) -> CalendarTime? {
    guard let end, other != start else { return end }
    if case .day(let first) = start, case .day(let last) = end, case .day(let date) = other {
      return .day(date + (last - first))
    }
    let length = end.instant(in: zone).milliseconds - start.instant(in: zone).milliseconds
    return other.adding(CalendarDuration(days: 0, seconds: Int(length / 1_000)))
  }
}

extension Recurrence {
  fileprivate func isOver(_ time: CalendarTime, zone: TimeZoneRules) -> Bool {
    switch until {
    case .day(let last): time.local.date > last
    case .local(let last): time.local > last
    case .instant(let last): time.instant(in: zone) > last
    case nil: false
    }
  }
}
