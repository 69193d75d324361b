import Atlas
import Calendars
import Clocks
import Contracts
import Observability
import RPC
import ServiceKit

/// The directory that is served now. After a change another one is made on the database's thread and takes its place.
@MainActor
package final class LiveDirectory: ServicePart {
  nonisolated package let name = "directory"
  private(set) var current = Directory.empty
  private let store: LocatorStore
  private let seedsWhenEmpty: Bool
  private let time: any TimeSource
  private let log: Log
  private let size: Gauge
  private let building: Histogram
  private var waiting: [Int: UnsafeContinuation<Void, Never>] = [:]
  private var serial = 0
  private var isEnding = false
  private var planned: (any Scheduled)?

  /// Batches of one import come within milliseconds of each other.
  private static let pause: Duration = .milliseconds(500)

  init(_ store: LocatorStore, seedsWhenEmpty: Bool, in environment: ServiceEnvironment) {
    self.store = store
    self.seedsWhenEmpty = seedsWhenEmpty
    time = environment.time
    log = environment.log
    size = environment.metrics.gauge("odi_locator_cinemas", "Cinemas in the directory, without those that have closed.")
    building = environment.metrics.histogram("odi_locator_directory_seconds", "Making the directory after a change.")
  }

  package func start() async throws {
    try await reload()
    if seedsWhenEmpty, current.cinemas.isEmpty { _ = try await seed() }
  }

  package func drain() async {
    isEnding = true
    planned?.cancel()
    wake()
  }

  /// Makes the directory anew from what is stored.
  func reload() async throws {
    let start = time.now
    let loaded = try await store.load()
    building.record(time.now - start)
    // Two changes may be loaded at once, and the older one arrive later.
    guard loaded.revision >= current.revision else { return }
    current = loaded
    size.set(Double(loaded.statistics.active))
    log.debug(
      "directory",
      ["revision": .int(loaded.revision), "cinemas": .int(loaded.cinemas.count), "took": .duration(time.now - start)])
    wake()
  }

  /// Makes it anew once no more changes come: who sends them in batches may stop half way.
  func reloadSoon() {
    planned?.cancel()
    planned = time.after(Self.pause) { [self] in
      Task {
        do {
          try await reload()
        } catch {
          log.error("the directory could not be made anew", ["error": "\(error)"])
        }
      }
    }
  }

  /// Adds the known cinemas that are not there yet; what somebody has changed stays as it is.
  func seed() async throws -> [CinemaEdit] {
    let known = try Atlas.all.flatMap { try CinemaTable.read($0.bytes, named: $0.name).cinemas(zones: ZoneDirectory()) }
    let new = known.filter { current[$0.id] == nil }
    let edits = try await store.put(new, by: "odi-locator seed", at: time.wall)
    if !edits.isEmpty {
      log.info("added the known cinemas", ["cinemas": .int(edits.count)])
      try await reload()
    }
    return edits
  }

  /// Returns when there is a later revision, or when the service ends.
  func changed(since revision: Int64) async throws {
    guard current.revision <= revision, !isEnding else { return }
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
