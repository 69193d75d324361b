package import RPC

/// For administrators: how much is kept and who watches.
package struct BookmarkStatistics: RPCRequest, Hashable {
  package typealias Service = BookmarksAPI
  package typealias Response = BookmarkTotals
  package static let method: MethodID = 0x0342
  package static let safety: Safety = .read

  package init() {}
}

/// Totals over all users.
package struct BookmarkTotals: Codable, Hashable, Sendable {
  package var users: Int
  /// Saved now, by kind.
  package var items: [ItemCount]
  package var tombstones: Int
  package var views: Int
  /// Answers kept for idempotency keys.
  package var receipts: Int
  package var feeds: Int
  /// Streams that are open now.
  package var watchers: Int
  /// Pairing codes that could be used now.
  package var pairings: Int

  package init(
    users: Int, items: [ItemCount], tombstones: Int, views: Int, receipts: Int, feeds: Int, watchers: Int, pairings: Int
  ) {
    self.users = users
    self.items = items
    self.tombstones = tombstones
    self.views = views
    self.receipts = receipts
    self.feeds = feeds
    self.watchers = watchers
    self.pairings = pairings
  }
}
