import Atlas
import Clocks
import Contracts
import Observability
import ServiceKit

/// The directory that is served now, and how each station was found when it was last tried. After a change another
/// directory is made on the database's thread and takes its place.
@MainActor
final class LiveStations: ServicePart {
  nonisolated let name = "stations"
  private(set) var current = StationDirectory.empty
  private(set) var health: [StationID: StationHealth] = [:]
  private let store: RadioStore
  private let time: any TimeSource
  private let log: Log
  private let shown: Gauge
  private let hidden: Gauge
  private let down: Gauge

  init(_ store: RadioStore, in environment: ServiceEnvironment) {
    self.store = store
    time = environment.time
    log = environment.log
    shown = environment.metrics.gauge("odi_radio_stations_public", "Stations that somebody has allowed us to show.")
    hidden = environment.metrics.gauge("odi_radio_stations_hidden", "Stations that only operators see.")
    down = environment.metrics.gauge("odi_radio_stations_down", "Public stations whose stream fails.")
  }

  func start() async throws {
    health = try await store.health()
    try await reload()
  }

  func drain() async {}

  /// Makes the directory anew from what is stored.
  func reload() async throws {
    let loaded = try await store.load()
    // Two changes may be loaded at once, and the older one arrive later.
    guard loaded.revision >= current.revision else { return }
    // How a station was found is said of its address: of another nothing is known yet.
    health = health.filter { id, _ in
      guard let new = loaded[id] else { return false }
      return current[id].map { $0.address == new.address } ?? true
    }
    current = loaded
    count()
    log.debug("directory", ["revision": .int(loaded.revision), "stations": .int(loaded.records.count)])
  }

  /// Adds the known stations that are not there yet; what somebody has changed stays as it is.
  func seed() async throws -> [StationEdit] {
    let records = try StationTable.read(Atlas.stations.bytes, named: Atlas.stations.name).records()
    return try await add(records.filter { current[$0.id] == nil }, by: "odi-radio seed")
  }

  func add(_ records: [StationRecord], by editor: String, mustBeNew: Bool = false) async throws -> [StationEdit] {
    let edits = try await store.put(records, by: editor, at: time.wall, mustBeNew: mustBeNew)
    if !edits.isEmpty { try await reload() }
    return edits
  }

  /// A record of a station that may be shown; what may not is as if it were not there.
  func open(_ id: StationID) -> (record: StationRecord, use: StationUse)? {
    guard let record = current[id], let use = record.use(at: time.wall) else { return nil }
    return (record, use)
  }

  func withHealth(_ station: Station) -> Station {
    var station = station
    station.health = health[station.id]
    return station
  }

  /// Remembers how a station was found, if it is still where it was looked for.
  func note(_ found: StationHealth, of record: StationRecord) async {
    let id = record.id
    guard current[id]?.address == record.address else { return }
    let before = health[id]
    health[id] = found
    count()
    if before?.state != found.state {
      // Its problem names addresses, and those may carry keys.
      log.info("station", ["id": .string(id.text), "state": .string(found.state.rawValue)])
    }
    do {
      try await store.remember(found, of: record)
    } catch {
      log.warning("a station's health could not be stored", ["error": "\(error)"])
    }
  }

  private func count() {
    let open = current.records.filter { $0.use(at: time.wall) != nil }
    shown.set(open.count)
    hidden.set(current.records.count - open.count)
    down.set(open.count { health[$0.id]?.state == .down })
  }
}
