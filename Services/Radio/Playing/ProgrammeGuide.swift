package import Calendars
package import Clocks
import Contracts
import Drafts
import EventLoops
import Fetch
import RPC

/// What stations' own programmes say is on and until when, for stations that publish one as iCalendar.
///
/// A stream's metadata names the song; that the broadcast with it ends at nine stands in the programme alone. However many
/// ask, a programme is asked for once.
package final class ProgrammeGuide {
  nonisolated enum Limits {
    /// Programmes are made days ahead.
    static let kept: Duration = .seconds(3_600)
    /// One that cannot be had is tried again after so long.
    static let failed: Duration = .seconds(300)
    /// A listener waits for the answer.
    static let patience: Duration = .seconds(6)
    /// A year of broadcasts of an hour.
    static let bytes = 4 << 20
    static let stations = 200
    /// What is kept of a programme: until it is read again, with room for a server that is away for a day.
    static let ahead: Duration = .seconds(26 * 3_600)
    /// No broadcast that began earlier is still on.
    static let behind: Duration = .seconds(26 * 3_600)
    static let broadcasts = 500
    static let titleBytes = 500
  }

  /// Something that a programme lists.
  nonisolated package struct Broadcast: Hashable, Sendable {
    package var title: String
    package var startsAt: WallTime
    package var endsAt: WallTime
  }

  private struct Entry {
    var address: String
    var broadcasts: [Broadcast]
    var expiresAt: Instant
  }

  private let fetch: StreamResolver.Fetching
  private let zones = ZoneDirectory()
  private let time: any TimeSource
  private var entries = RecencyMap<StationID, Entry>(atMost: Limits.stations)
  private var running: [String: Task<[Broadcast]?, Never>] = [:]

  package init(time: any TimeSource, fetch: @escaping StreamResolver.Fetching) {
    self.time = time
    self.fetch = fetch
  }

  /// Nil if the station has no programme, or the programme says nothing of now.
  package func broadcast(of record: StationRecord) async -> Broadcast? {
    guard let address = record.schedule else { return nil }
    return Self.current(in: await broadcasts(of: record.id, at: address), at: time.wall)
  }

  /// Of several at once the one that began last: what stands within a long one is what is on.
  nonisolated package static func current(in broadcasts: [Broadcast], at now: WallTime) -> Broadcast? {
    broadcasts.last { $0.startsAt <= now && now < $0.endsAt }
  }

  private func broadcasts(of id: StationID, at address: String) async -> [Broadcast] {
    let known = entries[id].flatMap { $0.address == address ? $0 : nil }
    if let known, time.now < known.expiresAt { return known.broadcasts }
    // It serves whoever waits for it, so none of them is its parent; its one step has its own end.
    let task = running[address] ?? Task { await read(address) }
    running[address] = task
    let found = await task.value
    if running[address] == task { running[address] = nil }
    // One that is away is believed for as long as it goes.
    let broadcasts = found ?? known?.broadcasts ?? []
    entries.set(
      id,
      to: Entry(
        address: address, broadcasts: broadcasts, expiresAt: time.now + (found == nil ? Limits.failed : Limits.kept)))
    return broadcasts
  }

  /// Nil if it cannot be had, or is no programme.
  private func read(_ address: String) async -> [Broadcast]? {
    guard let url = try? FetchURL(parsing: address) else { return nil }
    var request = FetchRequest(url)
    request.headers = [("Accept", "text/calendar")]
    request.allowsDowngrade = true
    (request.limits.turn, request.limits.total) = (Limits.patience, Limits.patience)
    request.limits.bodyBytes = Limits.bytes
    guard let response = try? await fetch(request), response.isSuccess else { return nil }
    let (body, zones, now) = (response.body, zones, time.wall)
    return await Background.run { Self.broadcasts(in: body, around: now, zones: zones) }
  }

  /// The broadcasts around an instant, by start. One without an end lasts until the next begins.
  nonisolated package static func broadcasts(
    in feed: [UInt8], around now: WallTime, zones: ZoneDirectory
  ) -> [Broadcast]? {
    guard let read = try? CalendarReader(zones: zones, venueZone: .utc).read(feed) else { return nil }
    let window = now - Limits.behind..<now.adding(Limits.ahead)
    let listed = read.occurrences(in: window, zone: read.zone ?? .utc).occurrences.filter { one in
      // A whole day is a feast, and no broadcast.
      if case .day = one.start { return false }
      return one.event.status != .cancelled && !one.event.summary.isEmpty
    }
    var broadcasts: [Broadcast] = []
    for (place, one) in listed.prefix(Limits.broadcasts).enumerated() {
      let next = place + 1 < listed.count ? listed[place + 1].startsAt : nil
      guard let end = one.endsAt.flatMap({ $0 > one.startsAt ? $0 : nil }) ?? next, end > one.startsAt else { continue }
      let title = one.event.summary.prefix(bytes: Limits.titleBytes)
      broadcasts.append(Broadcast(title: title, startsAt: one.startsAt, endsAt: end))
    }
    return broadcasts
  }
}
