package import Clocks
package import RPC

/// For administrators: ends users who have nothing saved and have not been seen since a time.
package struct PruneUsers: RPCRequest, Hashable {
  package typealias Service = BookmarksAPI
  package typealias Response = UsersPruned
  package static let method: MethodID = 0x0341
  package static let safety: Safety = .idempotent

  package var notSeenSince: WallTime
  /// Only counts them.
  package var isDryRun: Bool

  package init(notSeenSince: WallTime, isDryRun: Bool) {
    self.notSeenSince = notSeenSince
    self.isDryRun = isDryRun
  }
}

/// How many users ended, or would.
package struct UsersPruned: Codable, Hashable, Sendable {
  package var users: Int
  /// A call ends a bounded number of them; ask again.
  package var hasMore: Bool

  package init(users: Int, hasMore: Bool) {
    self.users = users
    self.hasMore = hasMore
  }
}
