package import Clocks
package import Contracts
import Observability

/// Which users were here lately, written down together once in a while: to know who was here is not worth a sync of each
/// request, and to lose a minute of it costs nothing.
package final class Presence {
  /// Users who wait for the next writing; of more, the rest is seen with what they ask after it.
  private static let waitingMax = 10_000
  /// Users of a day who need not be written down again; of more, all of them are once more.
  private static let seenMax = 100_000
  /// A day's first sign of a user is enough.
  private static let dayMilliseconds: Int64 = 86_400_000

  private let time: any TimeSource
  private let store: () throws -> any BookmarkStore
  private var waiting: Set<UserID> = []
  private var seen: Set<UserID> = []
  private var day: Int64 = 0
  /// Called when something was erased, so that its traces in the log of writes go soon.
  package var onErasure: (() -> Void)?

  package init(time: any TimeSource, store: @escaping () throws -> any BookmarkStore) {
    self.time = time
    self.store = store
  }

  package func saw(_ user: UserID) {
    let today = time.wall.milliseconds / Self.dayMilliseconds
    if today != day {
      day = today
      seen.removeAll(keepingCapacity: true)
    }
    guard waiting.count < Self.waitingMax else { return }
    if seen.count >= Self.seenMax { seen.removeAll(keepingCapacity: true) }
    if seen.insert(user).inserted { waiting.insert(user) }
  }

  func erased(_ user: UserID) {
    waiting.remove(user)
    onErasure?()
  }

  /// Writes down who was here.
  package func flush() async throws {
    guard !waiting.isEmpty else { return }
    let users = Array(waiting)
    waiting.removeAll(keepingCapacity: true)
    let today = WallTime(milliseconds: time.wall.milliseconds / Self.dayMilliseconds * Self.dayMilliseconds)
    do {
      try await store().touch(users, StoreCall(at: today))
    } catch {
      waiting.formUnion(users)
      throw error
    }
  }
}
