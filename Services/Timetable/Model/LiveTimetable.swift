import Calendars
import Clocks
import Contracts
import EventLoops
import Festivals
import Observability
import RPC
import ServiceKit

/// The timetables that are served now. After a change of a festival another one is made on the database's thread and takes
/// its place.
@MainActor
package final class LiveTimetable: ServicePart {
  nonisolated package let name = "timetable"
  private(set) var all: [FestivalID: Timetable] = [:]
  private(set) var revision: Int64 = 0
  /// At which revision each festival was read last, also those that are gone by now.
  private var loadedAt: [FestivalID: Int64] = [:]
  /// Festivals that could not be read, by the last change that was not shown for it.
  private var unreadAt: [FestivalID: Int64] = [:]
  /// What all festivals were read after when the service began.
  private var begunAt: Int64 = 0
  /// Up to here everything is served; there may be more by now.
  private var settledAt: Int64 = 0
  static let changesAtOnce = 200
  let zones = ZoneDirectory()
  private let store: TimetableStore
  private let count: Gauge
  private let log: Log
  private var exports = KeptExports()
  /// Below the 4 MiB of a message.
  var fileBytesMax = 4_000_000
  private let bell = Bell()
  private var isEnding = false

  init(_ store: TimetableStore, in environment: ServiceEnvironment) {
    self.store = store
    log = environment.log
    count = environment.metrics.gauge("odi_timetable_sessions", "Sessions of all festivals.")
  }

  package func start() async throws {
    begunAt = try await store.revision()
    (revision, settledAt) = (begunAt, begunAt)
    for id in try await store.festivals() { await repair(FestivalChange(revision: begunAt, festival: id)) }
  }

  package func drain() async {
    isEnding = true
    bell.ring()
  }

  /// The festival's timetable; 404 if there is none.
  subscript(id: FestivalID) -> Timetable {
    get throws(RPCError) {
      guard let timetable = all[id] else { throw RPCError(.notFound, "there is no festival \(id)") }
      return timetable
    }
  }

  /// Makes a festival's timetable anew from what is stored, or forgets it where nothing is; also where whoever changed it
  /// has gone away meanwhile.
  func reload(_ id: FestivalID) async throws {
    try await Task { try await read(id) }.value
  }

  /// Reads a festival whose change is not served. One that cannot be read is left as it is served, and holds up no other.
  func repair(_ change: FestivalChange) async {
    guard let id = change.festival else { return }
    do {
      try await reload(id)
    } catch {
      log.error("a festival cannot be read: what was read before is served", ["id": "\(id)", "error": "\(error)"])
      unreadAt[id] = max(unreadAt[id] ?? 0, change.revision)
      bell.ring()
    }
  }

  private func read(_ id: FestivalID) async throws {
    let zones = zones
    let loaded = try await store.load(id, zones: zones)
    // Two changes may be loaded at once, and the older one arrive later: it neither replaces what is newer nor brings
    // back what was removed. What happened to other festivals meanwhile says nothing about this one.
    guard loaded.revision >= loadedAt[id] ?? 0 else { return }
    loadedAt[id] = loaded.revision
    unreadAt[id] = nil
    all[id] = loaded.timetable
    exports.forget(id)
    revision = max(revision, loaded.revision)
    count.set(Double(all.values.reduce(0) { $0 + $1.programme.sessions.count }))
    log.debug("festival", ["id": "\(id)", "revision": .int(loaded.revision)])
    bell.ring()
  }

  /// A festival, or a day of it, as a file; made once for each revision.
  func file(_ request: ExportFestival) throws(RPCError) -> FestivalFile {
    let timetable = try self[request.festival]
    let size: Int
    switch exports[request] {
    case .file(let file): return file
    case .tooLarge(let bytes): size = bytes
    case nil:
      let bytes = try written(timetable, request)
      let file = FestivalFile(bytes: bytes, revision: timetable.festival.revision)
      guard bytes.count > fileBytesMax else {
        exports.keep(.file(file), for: request)
        return file
      }
      exports.keep(.tooLarge(bytes: bytes.count), for: request)
      size = bytes.count
    }
    throw RPCError(
      .outOfRange,
      "the file would have \(size) bytes, and no message holds more than \(fileBytesMax); "
        + (request.day == nil ? "ask for its days one by one, with day=DATE" : "ask for another format, such as ics"),
      executed: .no)
  }

  private func written(_ timetable: Timetable, _ request: ExportFestival) throws(RPCError) -> [UInt8] {
    var programme = timetable.programme
    if let day = request.day {
      guard let part = programme.only(day) else { throw timetable.noDay(day) }
      programme = part
    }
    do {
      // The stamp is of the revision, so that the same revision is the same bytes.
      return try programme.written(
        as: request.format, zone: timetable.zone, now: WallTime(milliseconds: 1_000 * timetable.festival.revision))
    } catch {
      throw RPCError(.invalidArgument, "\(error)", executed: .no)
    }
  }

  /// Whether who asks now is answered with this change.
  func serves(_ change: FestivalChange) -> Bool {
    guard let festival = change.festival else { return true }
    return change.revision <= max(begunAt, loadedAt[festival] ?? 0)
  }

  /// Whether it was tried to serve this change, in vain.
  func isUnread(_ change: FestivalChange) -> Bool {
    guard let festival = change.festival, let revision = unreadAt[festival] else { return false }
    return change.revision <= revision
  }

  /// The last revision up to which whoever asks now is answered with every change: who begins to follow begins there.
  func settled() async throws -> Int64 {
    while let last = try await store.changes(after: settledAt, limit: Self.changesAtOnce).prefix(while: serves).last {
      settledAt = max(settledAt, last.revision)
    }
    return settledAt
  }

  /// Returns when a festival was read again, or when the service ends.
  func changed() async throws {
    guard !isEnding else { return }
    await bell.wait()
    try Task.checkCancellation()
  }
}
