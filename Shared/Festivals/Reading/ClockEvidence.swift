import Calendars
import Clocks
import Contracts

/// What the clocks of a schedule's events say about the offsets of their dates: each event may say its start twice, as
/// `2026-05-22T09:00:00Z` and as 09:00.
struct ClockEvidence {
  /// Of events that say both: the date with its offset, and the clock.
  private let told: [(date: Timestamp, clock: ClockTime)]
  /// Of all dates that have one.
  let offsets: [UTCOffset]

  init(_ events: [(date: String?, start: String?)]) {
    offsets = events.compactMap { ProgrammeTimes.offset(of: $0.date) }
    told = events.compactMap { event in
      guard let date = event.date, case .instant(let stamp)? = ISO8601Time(date),
        let clock = event.start.flatMap(ProgrammeTimes.clock)
      else { return nil }
      return (stamp, clock.clock)
    }
  }

  /// Whether a zone that is called UTC is a slip: all dates have another offset, and all clocks are written so.
  func contradicts(zoneNamed name: String?) -> Bool {
    guard let name, ["UTC", "Etc/UTC", "GMT"].contains(name), let offset = offsets.first, offset != .zero,
      offset.seconds % 3_600 == 0
    else { return false }
    return !told.isEmpty && offsets.allSatisfy { $0 == offset }
      && told.allSatisfy { Self.isWritten($0.clock, in: $0.date) }
  }

  /// Whether a Z behind the dates is a slip: nearly all clocks are what the dates write, and not what the zone shows.
  func showsLocalClocks(in zone: TimeZoneRules) -> Bool {
    guard !told.isEmpty, offsets.allSatisfy({ $0 == .zero }) else { return false }
    let slips = told.count { date, clock in
      Self.isWritten(clock, in: date) && zone.local(at: date.instant).time.toTheMinute != clock
    }
    return slips * 10 >= told.count * 9
  }

  private static func isWritten(_ clock: ClockTime, in date: Timestamp) -> Bool {
    TimeZoneRules.fixed(date.offset).local(at: date.instant).time.toTheMinute == clock
  }
}

extension ProgrammeDraft {
  /// Notes that the offsets of all dates are a slip, and takes what they write for clocks of the festival.
  mutating func takeLocalClocks(by evidence: ClockEvidence) {
    guard evidence.showsLocalClocks(in: zone) else { return }
    hasLocalClocks = true
    note("its dates end with Z, and its <start> are the same clocks; they are taken for clocks of \(festival.zone)")
  }

  /// The instant of a date with its time.
  func instant(_ text: String?) -> WallTime? {
    guard let text, let time = ISO8601Time(text) else { return nil }
    guard hasLocalClocks, case .instant(let stamp) = time else { return time.instant(in: zone) }
    return zone.instant(of: TimeZoneRules.fixed(stamp.offset).local(at: stamp.instant))
  }
}
