import Atlas
import Calendars
import Clocks
import Contracts
import Crypto
import Directories
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
  private lazy var rebuilding = Rebuilding(of: "directory", on: time, log) { [weak self] in try await self?.reload() }

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
    rebuilding.end()
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
    rebuilding.tell()
  }

  /// Makes it anew after a change, and waits a moment for it: then who made the change finds it in what is served. A
  /// directory of a million cinemas takes longer, and is served a little later.
  func rebuild() async { await rebuilding.finish(within: Self.patience) }

  /// Makes it anew once no more changes come.
  func rebuildSoon() { rebuilding.beginSoon() }

  /// Makes it anew, and waits for nothing.
  func rebuildMeanwhile() { rebuilding.begin() }

  func places(nearest request: NearestPlaces) throws(RPCError) -> PlacesNearby {
    let (places, metres) = current.places(
      nearest: try request.origin, limit: request.limit, metresMax: request.metresMax)
    return PlacesNearby(
      directory: directoryName, places: places, metres: metres,
      cinemas: request.known == directoryName ? nil : places.map { current.cinemas[$0] })
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
    try await rebuilding.news { current.revision <= revision }
  }
}
