import Calendars
import Clocks
import Contracts
import Directories
import Observability
import ServiceKit

/// The restaurants that are served now. After a change another index is made on the database's thread and takes its place.
@MainActor
package final class LiveRestaurants: ServicePart {
  nonisolated package let name = "restaurants"
  private(set) var current = RestaurantIndex.empty
  let zones = ZoneDirectory()
  private let store: DiningStore
  private let isDemo: Bool
  private let time: any TimeSource
  private let log: Log
  private let size: Gauge
  private let building: Histogram
  private lazy var rebuilding = Rebuilding(of: "index", on: time, log) { [weak self] in try await self?.reload() }
  private var cleaning: (any Scheduled)?

  /// What has outlived its time may be there some minutes longer.
  private static let cleaningEvery: Duration = .seconds(600)

  init(_ store: DiningStore, isDemo: Bool, in environment: ServiceEnvironment) {
    self.store = store
    self.isDemo = isDemo
    time = environment.time
    log = environment.log
    size = environment.metrics.gauge("odi_dining_restaurants", "Restaurants that are kept.")
    building = environment.metrics.histogram("odi_dining_index_seconds", "Making the index after a change.")
  }

  package func start() async throws {
    _ = try await store.forget(olderThan: time.wall)
    try await reload()
    if isDemo, current.restaurants.isEmpty { _ = try await seed() }
    cleanLater()
  }

  package func drain() async {
    cleaning?.cancel()
    rebuilding.end()
  }

  /// Makes the index anew from what is stored.
  private func reload() async throws {
    let start = time.now
    let loaded = try await store.load(zones)
    building.record(time.now - start)
    // Two changes may be loaded at once, and the older one arrive later.
    guard loaded.revision >= current.revision else { return }
    current = loaded
    size.set(Double(loaded.restaurants.count))
  }

  /// Makes it anew after a change, and returns when that is served.
  func rebuilt() async { await rebuilding.finish() }

  /// Makes it anew once no more changes come.
  func rebuildSoon() { rebuilding.beginSoon() }

  /// Adds the invented restaurants around the demo's cinemas that are not there yet.
  func seed() async throws -> [RestaurantEdit] {
    let new = DemoRestaurants.all(zones: zones).filter { current[$0.id] == nil }
    let edits = try await store.put(new, by: "odi-dining seed", at: time.wall)
    if !edits.isEmpty { await rebuilt() }
    return edits
  }

  private func cleanLater() {
    cleaning = time.after(Self.cleaningEvery) { [weak self] in
      Task { [weak self] in await self?.clean() }
    }
  }

  private func clean() async {
    do {
      if try await store.forget(olderThan: time.wall) > 0 { await rebuilt() }
    } catch {
      log.error("restaurants that are too old could not be forgotten", ["error": "\(error)"])
    }
    cleanLater()
  }
}
