import Calendars
import Clocks
import Contracts
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
  let zones = ZoneDirectory()
  private let store: TimetableStore
  private let count: Gauge
  private let log: Log
  private var exports: [Export: FestivalFile] = [:]
  private var waiting: [Int: UnsafeContinuation<Void, Never>] = [:]
  private var serial = 0
  private var isEnding = false

  private struct Export: Hashable {
    var festival: FestivalID
    var format: FestivalFormat
  }

  init(_ store: TimetableStore, in environment: ServiceEnvironment) {
    self.store = store
    log = environment.log
    count = environment.metrics.gauge("odi_timetable_sessions", "Sessions of all festivals.")
  }

  package func start() async throws {
    for id in try await store.festivals() { try await reload(id) }
  }

  package func drain() async {
    isEnding = true
    wake()
  }

  /// The festival's timetable; 404 if there is none.
  subscript(id: FestivalID) -> Timetable {
    get throws(RPCError) {
      guard let timetable = all[id] else { throw RPCError(.notFound, "there is no festival \(id)") }
      return timetable
    }
  }

  /// Makes a festival's timetable anew from what is stored, or forgets it where nothing is.
  func reload(_ id: FestivalID) async throws {
    let zones = zones
    let loaded = try await store.load(id, zones: zones)
    // Two changes may be loaded at once, and the older one arrive later: it neither replaces what is newer nor brings
    // back what was removed. What happened to other festivals meanwhile says nothing about this one.
    guard loaded.revision >= loadedAt[id] ?? 0 else { return }
    loadedAt[id] = loaded.revision
    all[id] = loaded.timetable
    exports = exports.filter { $0.key.festival != id }
    revision = max(revision, loaded.revision)
    count.set(Double(all.values.reduce(0) { $0 + $1.programme.sessions.count }))
    log.debug("festival", ["id": "\(id)", "revision": .int(loaded.revision)])
    wake()
  }

  /// A festival as a file; made once for each revision.
  func file(_ id: FestivalID, as format: FestivalFormat) throws(RPCError) -> FestivalFile {
    let key = Export(festival: id, format: format)
    if let kept = exports[key] { return kept }
    let timetable = try self[id]
    let bytes: [UInt8]
    do {
      // The stamp is of the revision, so that the same revision is the same bytes.
      bytes = try timetable.programme.written(
        as: format, zone: timetable.zone, now: WallTime(milliseconds: 1_000 * timetable.festival.revision))
    } catch {
      throw RPCError(.invalidArgument, "\(error)", executed: .no)
    }
    guard bytes.count <= Self.fileBytesMax else {
      throw RPCError(
        .resourceExhausted, "the file would have \(bytes.count) bytes, which no message holds; ask for days one by one")
    }
    let file = FestivalFile(bytes: bytes, revision: timetable.festival.revision)
    if exports.count >= Self.exportsMax { exports = [:] }
    exports[key] = file
    return file
  }

  /// Below the 4 MiB of a message.
  private static let fileBytesMax = 4_000_000
  /// Two or three formats of the festivals that are on; each has a megabyte or two.
  private static let exportsMax = 4

  /// Returns when there is a later revision, or when the service ends.
  func changed(since seen: Int64) async throws {
    guard revision <= seen, !isEnding else { return }
    serial += 1
    let ticket = serial
    await withTaskCancellationHandler {
      await withUnsafeContinuation { continuation in
        if Task.isCancelled { continuation.resume() } else { waiting[ticket] = continuation }
      }
    } onCancel: {
      Task { @MainActor in self.waiting.removeValue(forKey: ticket)?.resume() }
    }
    try Task.checkCancellation()
  }

  private func wake() {
    let all = waiting
    waiting = [:]
    for continuation in all.values { continuation.resume() }
  }
}
