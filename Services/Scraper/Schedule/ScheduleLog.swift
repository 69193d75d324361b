package import Contracts
import EventLoops

/// The newest steps of the schedule, and who waits for the next.
package final class ScheduleLog {
  package enum Limits {
    /// Kept in memory; older ones are in the database.
    package static let events = 10_000
    /// Read from the database at once for a watcher that was away for long.
    static let batch = 500
  }

  private var events: [ScheduleEvent] = []
  private let store: ScraperStore
  private let bell = Bell()
  package private(set) var revision: Int64
  private(set) var isEnding = false

  /// - Parameter events: the newest, oldest first.
  package init(_ events: [ScheduleEvent], revision: Int64, store: ScraperStore) {
    self.events = events
    self.revision = revision
    self.store = store
  }

  package func append(_ new: [ScheduleEvent]) {
    guard !new.isEmpty else { return }
    events += new.sorted { $0.revision < $1.revision }
    if events.count > Limits.events + Limits.events / 4 { events.removeFirst(events.count - Limits.events) }
    revision = max(revision, events.last?.revision ?? revision)
    bell.ring()
  }

  /// Everybody who waits is let go: they resume elsewhere, or later.
  package func end() {
    isEnding = true
    bell.ring()
  }

  /// What comes after `revision`, oldest first, without a gap; nil if that is no longer known.
  func events(after revision: Int64) async throws -> [ScheduleEvent]? {
    guard revision <= self.revision, revision >= 0 else { return nil }
    guard revision < self.revision else { return [] }
    if let first = events.first, first.revision <= revision + 1 { return Array(inMemory(after: revision)) }
    let stored = try await store.events(after: revision, limit: Limits.batch)
    // Revisions are given without gaps: one that does not follow means that the steps between were forgotten.
    guard let first = stored.first, first.revision == revision + 1 else { return nil }
    return stored
  }

  private func inMemory(after revision: Int64) -> ArraySlice<ScheduleEvent> {
    var low = events.startIndex
    var high = events.endIndex
    while low < high {
      let middle = (low + high) / 2
      if events[middle].revision <= revision { low = middle + 1 } else { high = middle }
    }
    return events[low...]
  }

  /// Returns when there may be something after `revision`.
  func wait(after revision: Int64) async {
    while self.revision <= revision, !isEnding, !Task.isCancelled { await bell.wait() }
  }
}
