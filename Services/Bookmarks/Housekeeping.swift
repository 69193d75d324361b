package import Clocks
package import Observability
import ServiceKit

/// What is done while nobody asks: forgets what has outlived its time, writes down who was here, and takes erased bytes
/// out of the log of writes.
@MainActor
package final class Housekeeping: ServicePart {
  enum Rhythm {
    /// Old things are few at a time, and a few minutes more do not matter.
    static let purge = Duration.seconds(600)
    static let presence = Duration.seconds(60)
    /// Erasures that come together share one emptying of the log.
    static let erasure = Duration.seconds(1)
    /// Rows in one transaction, which others wait for: some milliseconds.
    static let rows = 500
  }

  nonisolated package let name = "housekeeping"
  private let store: () throws -> any BookmarkStore
  private let emptyLog: () async throws -> Void
  private let presence: Presence
  private let limits: BookmarkLimits
  private let time: any TimeSource
  private let log: Log
  private let purged: Counter
  private var work: [Task<Void, Never>] = []
  private var emptying: Task<Void, Never>?

  /// - Parameter emptyLog: empties the store's log of writes.
  package init(
    store: @escaping () throws -> any BookmarkStore, emptyLog: @escaping () async throws -> Void,
    _ presence: Presence, limits: BookmarkLimits = BookmarkLimits(), time: any TimeSource, log: Log = .silent,
    metrics: Metrics = Metrics()
  ) {
    self.store = store
    self.emptyLog = emptyLog
    self.presence = presence
    self.limits = limits
    self.time = time
    self.log = log
    purged = metrics.counter("odi_bookmarks_purged_rows_total", "Rows that had outlived their time.")
  }

  package func start() async throws {
    presence.onErasure = { [weak self] in self?.emptyLogSoon() }
    work = [
      every(Rhythm.purge) { [weak self] in try await self?.purge() },
      every(Rhythm.presence) { [weak self] in try await self?.presence.flush() },
    ]
  }

  package func stop() async {
    emptying?.cancel()
    for task in work { task.cancel() }
    for task in work { await task.value }
    try? await presence.flush()
  }

  /// Forgets everything that has outlived its time, a page at a time, so that writes get in between.
  package func purge() async throws {
    let store = try store()
    while !Task.isCancelled {
      let rows = try await store.purge(horizon, limit: Rhythm.rows, StoreCall(at: time.wall))
      purged.add(rows)
      if rows > 0 { log.debug("purged", ["rows": .int(rows)]) }
      guard rows == Rhythm.rows else { return }
    }
  }

  private var horizon: PurgeHorizon {
    func before(_ life: Duration) -> WallTime {
      WallTime(milliseconds: time.wall.milliseconds - life.wholeMilliseconds)
    }
    return PurgeHorizon(
      tombstones: before(limits.tombstoneLife), receipts: before(limits.receiptLife),
      openings: before(limits.openingLife), views: before(limits.viewLife))
  }

  private func every(_ pause: Duration, _ body: @escaping () async throws -> Void) -> Task<Void, Never> {
    Task { [time, log] in
      while (try? await time.sleep(for: pause)) != nil {
        do {
          try await body()
        } catch {
          // The next turn does it.
          log.warning("housekeeping was put off", ["error": .string("\(error)")])
        }
      }
    }
  }

  /// The log still holds pages as they were before an erasure, until it is emptied.
  private func emptyLogSoon() {
    guard emptying == nil else { return }
    emptying = Task { [weak self, time, emptyLog, log] in
      do {
        try await time.sleep(for: Rhythm.erasure)
        // What is erased from here on needs another emptying.
        self?.emptying = nil
        try await emptyLog()
      } catch {
        // Closing the database empties it as well.
        log.warning("the log of writes was not emptied after an erasure", ["error": .string("\(error)")])
      }
    }
  }
}
