import Clocks
import Contracts
import Drafts
import EventLoops
import Fetch
import Observability
import ServiceKit

/// Takes the demo world's own stations into the directory, and out of it when the demo is over.
@MainActor
final class DemoStations: ServicePart {
  nonisolated let name = "demo stations"

  nonisolated enum Limits {
    /// The demo world is up within a second of us.
    static let pause: Duration = .seconds(1)
    static let refresh: Duration = .seconds(300)
  }

  private let stations: LiveStations
  private let store: RadioStore
  private let fetcher: RadioFetcher
  private let base: String
  private let isDemo: Bool
  private let time: any TimeSource
  private let log: Log
  private var following: Task<Void, Never>?

  init(_ stations: LiveStations, _ store: RadioStore, _ fetcher: RadioFetcher, in environment: ServiceEnvironment) {
    self.stations = stations
    self.store = store
    self.fetcher = fetcher
    isDemo = environment.configuration[RadioService.demo]
    base = environment.configuration[RadioService.demoURL]
    time = environment.time
    log = environment.log
  }

  func start() async throws {
    guard isDemo else { return try await removeInvented() }
    following = Task {
      while !Task.isCancelled {
        var pause = Limits.pause
        do {
          try await takeIn()
          pause = Limits.refresh
        } catch {
          log.debug("no demo world yet", ["error": "\(error)"])
        }
        guard (try? await time.sleep(for: pause)) != nil else { return }
      }
    }
  }

  func drain() async {
    following?.cancel()
    fetcher.close()
  }

  private func takeIn() async throws {
    let path = base.hasSuffix("/") ? "radio/stations.json" : "/radio/stations.json"
    let url = try FetchURL(parsing: base + path)
    // Looked up each time: in a container the demo's address changes with its restart.
    fetcher.allow(Set(try await Resolver.addresses(of: url.host.description, port: url.port)))
    let response = try await fetcher.fetch(FetchRequest(url))
    guard response.isSuccess else { throw UnreadableFile("the demo world answers \(response.status)") }
    let reading = try StationJSON.read(response.body, named: "stations.json", isDemo: true)
    let edits = try await stations.add(try reading.records(), by: "demo world")
    if !edits.isEmpty { log.info("demo stations", ["changed": .int(edits.count)]) }
  }

  /// What was invented must not be taken for true once the demo is over.
  private func removeInvented() async throws {
    let invented = stations.current.records.filter { $0.station.isDemo == true }
    for record in invented { _ = try await store.remove(record.id, by: "end of the demo", at: time.wall) }
    if !invented.isEmpty { try await stations.reload() }
  }
}
