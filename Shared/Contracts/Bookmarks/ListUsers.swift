package import Clocks
package import RPC

/// For administrators: all users in order of their ids, a page at a time, without anything that they saved.
package struct ListUsers: RPCRequest, Hashable {
  package typealias Service = BookmarksAPI
  package typealias Response = UserList
  package static let method: MethodID = 0x0340
  package static let safety: Safety = .read

  /// Only users after this one.
  package var after: UserID?
  /// Only users not seen since then.
  package var notSeenSince: WallTime?
  /// 1...500.
  package var limit: Int

  package init(after: UserID? = nil, notSeenSince: WallTime? = nil, limit: Int) {
    self.after = after
    self.notSeenSince = notSeenSince
    self.limit = limit
  }
}

/// Users, as administrators see them.
package struct UserList: Codable, Hashable, Sendable {
  package var users: [UserSummary]
  package var hasMore: Bool

  package init(users: [UserSummary], hasMore: Bool) {
    self.users = users
    self.hasMore = hasMore
  }
}

/// What an administrator sees of a user: when and how much, never what.
package struct UserSummary: Codable, Hashable, Sendable {
  package var id: UserID
  package var createdAt: WallTime
  /// To the day.
  package var seenAt: WallTime
  package var revision: Int64
  /// Saved items of all kinds.
  package var items: Int

  package init(id: UserID, createdAt: WallTime, seenAt: WallTime, revision: Int64, items: Int) {
    self.id = id
    self.createdAt = createdAt
    self.seenAt = seenAt
    self.revision = revision
    self.items = items
  }
}
