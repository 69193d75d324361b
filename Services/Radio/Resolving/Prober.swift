import Clocks
import Contracts
import Drafts
import Observability
import ServiceKit

/// Tries the public stations' streams now and then, so that people are not sent to silent ones. Stations that nobody has
/// allowed us to use are left alone, unless an operator asks.
@MainActor
final class Prober: ServicePart {
  nonisolated let name = "prober"

  nonisolated enum Limits {
    /// Stations tried at once: a line of ours is not filled by a look.
    static let together = 4
    /// One that has just failed is tried again before it is called down.
    static let doubt: Duration = .seconds(45)
    /// How often it is looked whose turn it is.
    static let look: Duration = .seconds(5)
    /// Fails so often in a row, and it is down.
    static let failures = 2
  }

  private let stations: LiveStations
  private let shelf: StreamShelf
  private let time: any TimeSource
  private let interval: Duration
  private let outcomes: (alive: Counter, failed: Counter)
  private var watching: Task<Void, Never>?
  /// Looks that go on: whoever wants one of the same station meanwhile waits for it, and it counts once.
  private var looks: [StationRecord: Task<Finding, Never>] = [:]

  init(_ stations: LiveStations, _ shelf: StreamShelf, every interval: Duration, in environment: ServiceEnvironment) {
    self.stations = stations
    self.shelf = shelf
    self.interval = interval
    time = environment.time
    let help = "Looks at stations' streams."
    outcomes = (
      environment.metrics.counter("odi_radio_probes_total", help, labels: ["outcome": "alive"]),
      environment.metrics.counter("odi_radio_probes_total", help, labels: ["outcome": "failed"])
    )
  }

  func start() async throws {
    watching = Task {
      while !Task.isCancelled {
        await lookAtDue()
        guard (try? await time.sleep(for: Limits.look)) != nil else { return }
      }
    }
  }

  func drain() async { watching?.cancel() }

  /// Tries those whose turn it is, a few at a time.
  private func lookAtDue() async {
    var due = stations.current.records.filter { $0.use(at: time.wall) != nil && isDue($0.id) }[...]
    while !due.isEmpty, !Task.isCancelled {
      let batch = due.prefix(Limits.together)
      due = due.dropFirst(batch.count)
      _ = await probe(Array(batch))
    }
  }

  /// How one station was found.
  struct Finding {
    var station: StationID
    var resolution: Resolution
    var health: StationHealth
  }

  /// Tries several stations at once; the first that is done comes first.
  func probe(_ records: [StationRecord]) async -> [Finding] {
    await withTaskGroup(of: Finding.self) { lanes in
      for record in records { lanes.addTask { await self.probe(record) } }
      var found: [Finding] = []
      for await finding in lanes { found.append(finding) }
      return found
    }
  }

  private func isDue(_ id: StationID) -> Bool {
    guard let known = stations.health[id] else { return true }
    let isDoubted = known.failures == 1
    let pause = isDoubted ? min(Limits.doubt, interval) : interval
    return time.wall.milliseconds - known.checkedAt.milliseconds >= pause.wholeMilliseconds
  }

  /// Tries one station now, and remembers how it was found.
  private func probe(_ record: StationRecord) async -> Finding {
    if let other = looks[record] { return await other.value }
    // It serves whoever waits for it, so none of them is its parent; the resolver bounds its time.
    let task = Task { await look(at: record) }
    looks[record] = task
    let finding = await task.value
    looks[record] = nil
    return finding
  }

  private func look(at record: StationRecord) async -> Finding {
    let (resolution, _) = await shelf.resolution(of: record, isFresh: true)
    let before = stations.health[record.id]
    var found: StationHealth
    if let stream = resolution.stream {
      found = StationHealth(
        state: .alive, checkedAt: time.wall, codec: stream.codec, kilobits: stream.kilobits, failures: 0)
      outcomes.alive.add()
    } else {
      found = before ?? StationHealth(state: .unknown("unknown"), checkedAt: time.wall)
      found.checkedAt = time.wall
      found.problem = resolution.problem
      found.failures = (before?.failures ?? 0) + 1
      if found.failures ?? 0 >= Limits.failures { found.state = .down }
      outcomes.failed.add()
    }
    await stations.note(found, of: record)
    return Finding(station: record.id, resolution: resolution, health: found)
  }
}
