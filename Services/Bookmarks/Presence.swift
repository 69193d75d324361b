package import Clocks
import Contracts
import Observability

/// Which users were here lately, written down together once in a while: to know who was here is not worth a sync of each
/// request, and to lose a minute of it costs nothing.
package final class Presence {
  /// Users remembered between two writings; of more, the rest is seen another time.
  private static let usersMax = 10_000
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

  func saw(_ user: UserID) {
    let today = time.wall.milliseconds / Self.dayMilliseconds
    if today != day {
      day = today
      seen.removeAll(keepingCapacity: true)
    }
    guard seen.count < Self.usersMax, seen.insert(user).inserted else { return }
    waiting.insert(user)
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
