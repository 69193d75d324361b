package import RPC
import Wire

/// What a user saved and removed after a revision, oldest first; of several changes of one item the last.
package struct ItemChanges: RPCRequest, Hashable, WireLayout {
  package typealias Service = BookmarksAPI
  package typealias Response = ItemChangePage
  package static let method: MethodID = 0x0308
  package static let safety: Safety = .read

  package static let limitMax = 1_000

  package var user: UserID
  /// 0: everything that is saved, and the tombstones that are still kept. Else `revision` of the page before.
  package var since: Int64
  /// Nil: every kind.
  package var kind: ItemKind?
  /// 1...``limitMax``.
  package var limit: Int

  package init(user: UserID, since: Int64, kind: ItemKind? = nil, limit: Int) {
    self.user = user
    self.since = since
    self.kind = kind
    self.limit = limit
  }
}

/// Changes of saved items.
package struct ItemChangePage: Codable, Hashable, Sendable, WireLayout {
  package var changes: [ItemChange]
  /// Ask again since this. Negative while a listing of everything goes on over several pages.
  package var revision: Int64
  package var hasMore: Bool
  /// Tombstones older than `since` were purged: drop what you have, these are all that is saved.
  package var isReset: Bool

  package init(changes: [ItemChange], revision: Int64, hasMore: Bool, isReset: Bool) {
    self.changes = changes
    self.revision = revision
    self.hasMore = hasMore
    self.isReset = isReset
  }
}

/// An item saved, or its tombstone.
package struct ItemChange: Codable, Hashable, Sendable, WireLayout {
  package var revision: Int64
  package var kind: ItemKind
  package var id: String
  package var isRemoved: Bool
  /// Nil when removed.
  package var item: SavedItem?

  package init(revision: Int64, kind: ItemKind, id: String, isRemoved: Bool, item: SavedItem? = nil) {
    self.revision = revision
    self.kind = kind
    self.id = id
    self.isRemoved = isRemoved
    self.item = item
  }
}
