import Calendars
import Clocks
import JSON

/// When it is: a whole moment, a clock on a day beside it, or a day around it.
extension RecordWalk {
  func start(_ own: RecordFacts) -> (FoundTime, ServiceTime?, isDay: Bool, rank: Int)? {
    let zone = zone(own)
    let full = own.starts.filter(\.moment.isFull)
    let times = own.starts.compactMap { start in
      if case .time(let time) = start.moment { (time, start.rank) } else { (DisplayTime, Int)?.none }
    }
    // A date may be written as its midnight, here or in UTC; the time stands beside it.
    if let first = full.first, let date = clock.midnight(first.moment) {
      if let (time, rank) = times.first, !isClock(time, of: first.moment, zone) {
        return placed(time, on: date, zone, rank: rank)
      }
      let isSaid = own.starts.contains { $0.moment == .date(date) }
      // UTC's midnight is a clock like any other by day here: that it is a day, the whole shape must say.
      let isAsWritten =
        if case .instant(let stamp) = first.moment, stamp.offset == .zero {
          (zone ?? clock.zone).timestamp(at: stamp.instant).local.time.hour < Self.morning
        } else {
          true
        }
      if isAsWritten, isSaid && times.isEmpty || areWholeDays(date, own) {
        return (.day(date), nil, true, first.rank)
      }
    }
    if let best = full.first {
      // One with an offset beside one of the same rank without says more.
      let sure = full.first { if case .instant = $0.moment { $0.rank <= best.rank + 1 } else { false } } ?? best
      if let local = falseUTC(sure.moment, beside: times.map(\.0), zone) {
        return (clock.found(local, in: zone), nil, false, best.rank)
      }
      guard let found = clock.found(sure.moment, in: zone) else { return nil }
      return (found, nil, false, best.rank)
    }
    if let (time, rank) = times.first {
      guard let date = own.date ?? dayOfMonth(own) ?? dateAround() ?? reader.addressDate else { return nil }
      return placed(time, on: date, zone, rank: rank)
    }
    guard let start = own.starts.first, case .date(let date) = start.moment, start.rank <= 1, own.title != nil else {
      return nil
    }
    return (.day(date), nil, true, start.rank)
  }

  /// "2026-11-21T19:30:00Z" beside "19:30": the clock here, which a program has marked as UTC.
  private func falseUTC(
    _ moment: PartialMoment, beside times: [DisplayTime], _ zone: TimeZoneRules?
  ) -> CivilDateTime? {
    guard case .instant(let stamp) = moment, stamp.offset == .zero, times.count == 1,
      case let written = Timestamp(stamp.instant).local, written.time == times[0].clock,
      (zone ?? clock.zone).timestamp(at: stamp.instant).local.time != written.time
    else { return nil }
    return written
  }

  /// From one day's midnight to another's: a festival, what is open for years.
  private func areWholeDays(_ start: CivilDate, _ own: RecordFacts) -> Bool {
    own.endsFar
      || own.ends.contains { end in
        switch end {
        case .local(let local): local.date >= start && Self.endsDay(local) && local != CivilDateTime(start, .midnight)
        case .instant(let stamp):
          stamp.local.date >= start && Self.endsDay(clock.zone.timestamp(at: stamp.instant).local)
        case .date, .time: false
        }
      }
  }

  /// Whether an instant is that clock's here: midnight in UTC is five in the afternoon elsewhere.
  func isClock(_ time: DisplayTime, of moment: PartialMoment, _ zone: TimeZoneRules?) -> Bool {
    guard case .instant(let stamp) = moment else { return false }
    return (zone ?? clock.zone).timestamp(at: stamp.instant).local.time == time.clock
  }

  private func placed(
    _ time: DisplayTime, on date: CivilDate, _ zone: TimeZoneRules?, rank: Int
  ) -> (FoundTime, ServiceTime?, isDay: Bool, rank: Int) {
    let place = ServiceTime(date, time)
    return (clock.found(place.civil, in: zone), time.isAfterMidnight ? place : nil, false, rank)
  }

  /// The 9th, a Thursday: the one nearest to the capture.
  private func dayOfMonth(_ own: RecordFacts) -> CivilDate? {
    guard let number = own.dayNumber else { return nil }
    if let weekday = own.weekday, let days = try? clock.printed.date("\(number)日(\(weekday))") { return days.day }
    return (try? clock.printed.date("\(number)日"))?.day
  }

  func dateAround() -> CivilDate? {
    for scope in scopes.reversed() {
      if let date = scope.date { return date }
      if let date = scope.facts?.date { return date }
    }
    return nil
  }

  func end(_ own: RecordFacts, after start: FoundTime) -> FoundTime? {
    guard case .moment(let stamp) = start else {
      if case .date(let last)? = own.ends.first, case .day(let first) = start, last >= first { return .day(last) }
      return nil
    }
    for moment in own.ends {
      switch moment {
      case .local, .instant:
        if let found = clock.found(moment, in: zone(own)), let instant = found.instant, instant > stamp.instant {
          return found
        }
      case .time(let time):
        let date = stamp.local.date
        let candidates = [ServiceTime(date, time), ServiceTime(date + 1, DisplayTime(time.clock))]
        for place in candidates {
          let found = clock.found(place.civil, in: zone(own))
          if let instant = found.instant, instant > stamp.instant,
            instant.milliseconds - stamp.instant.milliseconds < 18 * 3_600_000
          {
            return found
          }
        }
      case .date: continue
      }
    }
    return nil
  }
}
