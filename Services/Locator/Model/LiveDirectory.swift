import Atlas
import Calendars
import Clocks
import Contracts
import Crypto
import EventLoops
import Observability
import RPC
import ServiceKit

/// The directory that is served now. After a change another one is made on the database's thread and takes its place.
@MainActor
package final class LiveDirectory: ServicePart {
  nonisolated package let name = "directory"
  private(set) var current = Directory.empty
  /// Of the directory that is served now; never that of another, in whatever process.
  private var directoryName = 0
  private var names: any RandomNumberGenerator
  private let store: LocatorStore
  private let seedsWhenEmpty: Bool
  private let time: any TimeSource
  private let log: Log
  private let size: Gauge
  private let building: Histogram
  private let bell = Bell()
  private var isEnding = false
  private var planned: (any Scheduled)?

  private var rebuilding: Task<Void, Never>?
  /// Changes that were told of, and how many of them are in what is served.
  private var told = 0
  private var served = 0

  /// Batches of one import come within milliseconds of each other.
  private static let pause: Duration = .milliseconds(500)
  /// Whoever changed something is answered by then, however large the directory is.
  private static let patience: Duration = .milliseconds(200)

  init(
    _ store: LocatorStore, seedsWhenEmpty: Bool, in environment: ServiceEnvironment,
    names: any RandomNumberGenerator = SecureRandom()
  ) {
    self.store = store
    self.names = names
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
    bell.ring()
  }

  /// Makes the directory anew from what is stored.
  func reload() async throws {
    let start = time.now
    let loaded = try await store.load()
    building.record(time.now - start)
    // Two changes may be loaded at once, and the older one arrive later.
    guard loaded.revision >= current.revision else { return }
    current = loaded
    directoryName = Int(truncatingIfNeeded: names.next())
    size.set(Double(loaded.statistics.active))
    log.debug(
      "directory",
      ["revision": .int(loaded.revision), "cinemas": .int(loaded.cinemas.count), "took": .duration(time.now - start)])
    bell.ring()
  }

  /// Makes it anew after a change, and waits a moment for it: then who made the change finds it in what is served. A
  /// directory of a million cinemas takes longer, and is served a little later.
  func rebuild() async {
    rebuildMeanwhile()
    let mine = told
    await withTaskGroup(of: Void.self) { group in
      group.addTask { await self.serving(mine) }
      group.addTask { [time] in try? await time.sleep(for: Self.patience) }
      await group.next()
      group.cancelAll()
    }
  }

  /// Makes it anew once no more changes come: who sends them in batches may stop half way.
  func rebuildSoon() {
    planned?.cancel()
    planned = time.after(Self.pause) { [self] in rebuildMeanwhile() }
  }

  func places(nearest request: NearestPlaces) throws(RPCError) -> PlacesNearby {
    let (places, metres) = current.places(
      nearest: try request.origin, limit: request.limit, metresMax: request.metresMax)
    return PlacesNearby(
      directory: directoryName, places: places, metres: metres,
      cinemas: request.known == directoryName ? nil : places.map { current.cinemas[$0] })
  }

  /// One at a time: changes that are made meanwhile share the next.
  func rebuildMeanwhile() {
    told += 1
    guard rebuilding == nil else { return }
    rebuilding = Task {
      while served < told, !isEnding {
        let known = told
        do {
          try await reload()
          served = known
        } catch {
          // What was stored is served as soon as it can be read.
          log.error("the directory could not be made anew; it is tried again", ["error": "\(error)"])
          try? await time.sleep(for: Self.pause)
        }
        bell.ring()
      }
      rebuilding = nil
    }
  }

  private func serving(_ change: Int) async {
    while served < change, !isEnding, !Task.isCancelled { try? await changed(since: current.revision) }
  }

  /// The cinemas that this build knows by itself.
  static func known(zones: ZoneDirectory) throws -> [Cinema] {
    try Atlas.all.flatMap { try CinemaTable.read($0.bytes, named: $0.name).cinemas(zones: zones) }
  }

  /// Adds the known cinemas that are not there yet; what somebody has changed stays as it is.
  func seed() async throws -> [CinemaEdit] {
    let new = try Self.known(zones: ZoneDirectory()).filter { current[$0.id] == nil }
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
    await bell.wait()
    try Task.checkCancellation()
  }
}
