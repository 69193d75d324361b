import Clocks
import Contracts
import RPC

/// Where stations' streams were found lately. However many ask for one, its address is followed once.
final class StreamShelf {
  nonisolated enum Limits {
    /// As long as an address without anything in it that runs out may be believed.
    static let lasting: Duration = .seconds(600)
    /// Broadcasters' own services give out addresses with keys in them.
    static let fleeting: Duration = .seconds(60)
    /// A station that is silent is asked again soon, but not by each of a thousand listeners.
    static let failed: Duration = .seconds(20)
    static let kept = 1_000
  }

  private struct Entry {
    var address: String
    var resolution: Resolution
    var expiresAt: Instant
  }

  private let resolver: StreamResolver
  private let time: any TimeSource
  private var entries = RecencyMap<StationID, Entry>(atMost: Limits.kept)
  private var running: [StationID: (address: String, task: Task<Resolution, Never>)] = [:]

  init(_ resolver: StreamResolver, time: any TimeSource) {
    self.resolver = resolver
    self.time = time
  }

  /// - Parameter isFresh: whether what is known does not count; then it is also heard whether it is silent.
  func resolution(of record: StationRecord, isFresh: Bool = false) async -> (Resolution, expiresAt: WallTime) {
    let (id, address) = (record.id, record.address)
    if !isFresh, let known = entries[id], known.address == address, time.now < known.expiresAt {
      return (known.resolution, wall(known.expiresAt))
    }
    let task: Task<Resolution, Never>
    if let other = running[id], other.address == address {
      task = other.task
    } else {
      // It serves whoever waits for it, so none of them is its parent; the resolver bounds its time.
      task = Task { await resolver.resolve(address, listens: isFresh) }
      running[id] = (address, task)
    }
    let resolution = await task.value
    guard let known = entries[id], running[id]?.task != task else {
      return (resolution, wall(keep(resolution, of: record, task)))
    }
    return (resolution, wall(known.expiresAt))
  }

  /// Follows any address; nothing of it is kept.
  func trace(_ address: String) async -> Resolution { await resolver.resolve(address, listens: true) }

  /// A stream that was given out did not play after all.
  func forget(_ id: StationID) { _ = entries.remove(id) }

  private func keep(_ resolution: Resolution, of record: StationRecord, _ task: Task<Resolution, Never>) -> Instant {
    if running[record.id]?.task == task { running[record.id] = nil }
    let expiresAt = time.now + Self.lifetime(of: resolution)
    entries.set(record.id, to: Entry(address: record.address, resolution: resolution, expiresAt: expiresAt))
    return expiresAt
  }

  nonisolated static func lifetime(of resolution: Resolution) -> Duration {
    guard let stream = resolution.stream else { return Limits.failed }
    // A query is a key more often than not, and `chunklist_w…` is one listener's own.
    let runsOut = stream.url.contains("?") || stream.url.contains("chunklist_")
    return runsOut ? Limits.fleeting : Limits.lasting
  }

  private func wall(_ instant: Instant) -> WallTime {
    WallTime(milliseconds: time.wall.milliseconds + (instant - time.now).wholeMilliseconds)
  }
}
