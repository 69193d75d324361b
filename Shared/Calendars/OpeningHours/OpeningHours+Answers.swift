package import Clocks

/// One stretch of time during which a place is open.
package struct OpenInterval: Hashable, Sendable {
  package var opens: WallTime
  /// Nil: until it is over.
  package var closes: WallTime?
  package var lastOrder: WallTime?
  /// Something about the day was taken for granted.
  package var isInferred: Bool
}

/// Whether a place is open.
package enum OpenState: String, Codable, CaseIterable, Sendable { case open, closed, unknown }

extension OpeningHours {
  /// Whether it is open at an instant.
  package func state(at instant: WallTime, in zone: TimeZoneRules, holidays: PublicHolidays = .none) -> OpenState {
    guard confidence != .unknown else { return .unknown }
    let today = zone.local(at: instant).date
    // What began yesterday may go on after midnight.
    for interval in intervals(on: today - 1, in: zone, holidays) + intervals(on: today, in: zone, holidays)
    where interval.opens <= instant {
      if let closes = interval.closes {
        if instant < closes { return .open }
      } else if zone.local(at: interval.opens).date == today {
        return .open
      } else if zone.local(at: instant).time < ServiceDay.standard.endsAt {
        return .unknown
      }
    }
    return .closed
  }

  /// When it is open on a date, in order. What begins on a date belongs to it, also when it ends after midnight.
  package func intervals(
    on date: CivilDate, in zone: TimeZoneRules, _ holidays: PublicHolidays = .none
  ) -> [OpenInterval] {
    guard confidence != .unknown, !isClosed(on: date, holidays) else { return [] }
    let (spans, isInferred) = spans(on: date, holidays)
    func instant(_ minutes: Int) -> WallTime {
      let held = min(max(minutes, 0), Self.minutesMax)
      return zone.instant(of: CivilDateTime(date, .midnight).adding(seconds: Int64(held) * 60))
    }
    return spans.sorted { $0.opens < $1.opens }.map { span in
      OpenInterval(
        opens: instant(span.opens), closes: span.closes.map { instant(max($0, span.opens)) },
        lastOrder: span.lastOrder.map(instant), isInferred: isInferred || isIrregular || confidence == .inferred)
    }
  }

  /// Two days: nobody stays open longer without closing.
  private static let minutesMax = 2 * 24 * 60

  /// The spans that hold on a date: of a holiday, of the day before one, or of its weekday, in this order.
  private func spans(on date: CivilDate, _ holidays: PublicHolidays) -> (spans: [OpenSpan], isInferred: Bool) {
    let ordinary = spans.filter { $0.days.contains(date.weekday) }
    if holidays.contains(date) {
      let special = spans.filter { $0.days.contains(.holiday) }
      return special.isEmpty ? (ordinary, true) : (special, false)
    }
    guard holidays.contains(date + 1) else { return (ordinary, false) }
    let special = spans.filter { $0.days.contains(.holidayEve) }
    // Who names a Sunday and the eves of holidays means both on a Sunday before a holiday: which, nobody says.
    return special.isEmpty ? (ordinary, false) : (special, special != ordinary)
  }

  private func isClosed(on date: CivilDate, _ holidays: PublicHolidays) -> Bool {
    let isHoliday = holidays.contains(date)
    return closures.contains { closure in
      if closure.isLunarFeast, holidays.isLunarFeast(date) { return true }
      if let first = closure.first, Self.contains(date, first, closure.last ?? first) { return true }
      if isHoliday, closure.days.contains(.holiday) { return true }
      if closure.movesAfterHoliday, holidays.contains(date - 1), closure.names(date - 1), !isHoliday { return true }
      guard closure.names(date) else { return false }
      return !(isHoliday && (closure.movesAfterHoliday || closure.isOpenOnHolidays))
    }
  }

  private static func contains(_ date: CivilDate, _ first: Int, _ last: Int) -> Bool {
    let (_, month, day) = date.parts
    let place = month * 100 + day
    return first <= last ? (first...last).contains(place) : place >= first || place <= last
  }
}

extension Closure {
  fileprivate func names(_ date: CivilDate) -> Bool {
    guard days.contains(date.weekday) else { return false }
    let isLast = (date + 7).parts.month != date.parts.month
    return weeks.isEmpty || weeks.contains((date.day - 1) / 7 + 1) || isLast && weeks.contains(-1)
  }
}
