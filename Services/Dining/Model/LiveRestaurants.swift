import Calendars
import Clocks
import Contracts
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
  private var planned: (any Scheduled)?
  private var cleaning: (any Scheduled)?

  /// Batches of one import come within milliseconds of each other.
  private static let pause: Duration = .milliseconds(500)
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
    planned?.cancel()
    cleaning?.cancel()
  }

  /// Makes the index anew from what is stored.
  func reload() async throws {
    let start = time.now
    let loaded = try await store.load(zones)
    building.record(time.now - start)
    // Two changes may be loaded at once, and the older one arrive later.
    guard loaded.revision >= current.revision else { return }
    current = loaded
    size.set(Double(loaded.restaurants.count))
  }

  /// Makes it anew once no more changes come: who sends them in batches may stop half way.
  func reloadSoon() {
    planned?.cancel()
    planned = time.after(Self.pause) { [self] in
      Task {
        do {
          try await reload()
        } catch {
          log.error("the index could not be made anew", ["error": "\(error)"])
        }
      }
    }
  }

  /// Adds the invented restaurants around the demo's cinemas that are not there yet.
  func seed() async throws -> [RestaurantEdit] {
    let new = DemoRestaurants.all(zones: zones).filter { current[$0.id] == nil }
    let edits = try await store.put(new, by: "odi-dining seed", at: time.wall)
    if !edits.isEmpty { try await reload() }
    return edits
  }

  private func cleanLater() {
    cleaning = time.after(Self.cleaningEvery) { [weak self] in
      Task { [weak self] in await self?.clean() }
    }
  }

  private func clean() async {
    do {
      if try await store.forget(olderThan: time.wall) > 0 { try await reload() }
    } catch {
      log.error("restaurants that are too old could not be forgotten", ["error": "\(error)"])
    }
    cleanLater()
  }
}
