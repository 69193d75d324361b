package import Calendars
package import Clocks
import Contracts

nonisolated extension VisitRhythm {
  /// Sites that were read together drift apart, so that a host sees no bursts: each pause is a tenth longer or shorter.
  private static let jitter = 0.1
  /// Visits that the night has held up are spread over this much of the morning.
  private static let morning: Duration = .seconds(1_800)

  /// When to come again: today's page and the whole window each have their rhythm, failures are retried sooner, and at
  /// night the site is left alone.
  package func next(
    after now: WallTime, _ status: SiteStatus, zone: TimeZoneRules, retry: Duration,
    using random: inout some RandomNumberGenerator
  ) -> WallTime {
    let whole = wholeEvery(at: now, zone)
    guard status.failures == 0 else {
      let pause = min(retry * (1 << min(status.failures - 1, 16)), every)
      return awake(now.adding(jittered(pause, &random)), zone, &random)
    }
    let wholeDue = (status.wholeAt ?? now).adding(jittered(whole, &random))
    let todayDue = now.adding(jittered(todayEvery, &random))
    return awake(min(max(wholeDue, now), todayDue), zone, &random)
  }

  /// The whole window if that is due, else today.
  package func scope(at now: WallTime, _ status: SiteStatus, zone: TimeZoneRules) -> Visit.Scope {
    guard let wholeAt = status.wholeAt, status.state == .ok else { return .window }
    // A visit of today that would be followed by the whole soon is the whole.
    return now.since(wholeAt) >= wholeEvery(at: now, zone) * 0.85 ? .window : .today
  }

  private func wholeEvery(at now: WallTime, _ zone: TimeZoneRules) -> Duration {
    changeDays.contains(ServiceDay.standard.date(of: now, in: zone).weekday) ? every / 2 : every
  }

  private func jittered(_ duration: Duration, _ random: inout some RandomNumberGenerator) -> Duration {
    duration * (1 + Self.jitter * (Double.random(in: -1...1, using: &random)))
  }

  /// The same time, or the next morning if people sleep then.
  package func awake(
    _ time: WallTime, _ zone: TimeZoneRules, _ random: inout some RandomNumberGenerator
  ) -> WallTime {
    let local = zone.local(at: time)
    guard !wakingHours.contains(local.time.hour), let start = ClockTime(hour: wakingHours.lowerBound, minute: 0) else {
      return time
    }
    let date = local.time.hour >= wakingHours.upperBound ? local.date + 1 : local.date
    let morning = zone.instant(of: CivilDateTime(date, start))
    return morning.adding(Duration.random(upTo: Self.morning, using: &random))
  }
}
