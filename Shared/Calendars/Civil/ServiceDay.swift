package import Clocks

/// How long a venue's day lasts: until 05:00 of the next date, unless its record says otherwise.
///
/// A film that starts at half past midnight on Saturday night is in Saturday's programme. The service day is the rule
/// that says so; a `ServiceTime` is what comes of it.
package struct ServiceDay: Hashable, Sendable {
  /// When the day that began yesterday ends. Not after 06:00, so that every time of it has a display time.
  package let endsAt: ClockTime

  package init?(endsAt: ClockTime) {
    guard endsAt.secondOfDay <= 6 * 3_600 else { return nil }
    self.endsAt = endsAt
  }

  private init(hour: Int) { endsAt = ClockTime(secondOfDay: hour * 3_600) }

  package static let standard = ServiceDay(hour: 5)

  /// The calendar's own day: nothing belongs to the evening before.
  package static let calendar = ServiceDay(hour: 0)

  /// Which service date an instant belongs to and what is printed for it. Seconds are dropped.
  package func time(of instant: WallTime, in zone: TimeZoneRules) -> ServiceTime {
    let local = zone.local(at: instant)
    let shown = DisplayTime(local.time)
    guard local.date > .first, local.time < endsAt, let late = shown.nextDay else {
      return ServiceTime(local.date, shown)
    }
    return ServiceTime(local.date - 1, late)
  }

  package func date(of instant: WallTime, in zone: TimeZoneRules) -> CivilDate { time(of: instant, in: zone).date }

  /// From the end of the day before to the end of this one: what a question about a date covers.
  package func instants(of date: CivilDate, in zone: TimeZoneRules) -> Range<WallTime> {
    let start = zone.instant(of: CivilDateTime(date, endsAt))
    return start..<max(start, zone.instant(of: CivilDateTime(date + 1, endsAt)))
  }

  /// A bare 00:30 printed under a date is 24:30 of that date. Nil if the time says by itself which day it is on.
  package func placing(_ bare: DisplayTime) -> DisplayTime? {
    bare.minutes < endsAt.secondOfDay / 60 ? bare.nextDay : nil
  }
}

extension ServiceDay: LosslessStringConvertible, Codable, WrittenAsText {
  package static let form = "the end of a service day, from 00:00 to 06:00"

  package init?(_ text: String) {
    guard let endsAt = ClockTime(text) else { return nil }
    self.init(endsAt: endsAt)
  }

  package var description: String { endsAt.description }
}

/// A time of a venue's programme: the date it is printed under and the time as printed, `2026-11-23 24:30`.
package struct ServiceTime: Hashable, Comparable, Sendable, Codable {
  package var date: CivilDate
  package var time: DisplayTime

  package init(_ date: CivilDate, _ time: DisplayTime) {
    self.date = date
    self.time = time
  }

  /// The calendar date and clock of it: 2026-11-24 00:30.
  package var civil: CivilDateTime { CivilDateTime(time.isAfterMidnight ? date + 1 : date, time.clock) }

  package static func < (left: ServiceTime, right: ServiceTime) -> Bool {
    (left.date, left.time) < (right.date, right.time)
  }
}

extension ServiceTime: CustomStringConvertible {
  package var description: String { "\(date) \(time)" }
}

extension TimeZoneRules {
  /// The instant of a programme's time. Gaps and overlaps as RFC 5545 has them; ask `resolve` to be told of one.
  package func instant(of time: ServiceTime) -> WallTime { instant(of: time.civil) }
}
