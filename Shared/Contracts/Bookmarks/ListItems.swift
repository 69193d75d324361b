package import RPC
import Wire

/// What a user saved, newest first, a page at a time.
package struct ListItems: RPCRequest, Hashable, WireLayout {
  package typealias Service = BookmarksAPI
  package typealias Response = ItemPage
  package static let method: MethodID = 0x0307
  package static let safety: Safety = .read

  package static let limitMax = 500

  package var user: UserID
  /// Nil: every kind.
  package var kind: ItemKind?
  /// `next` of the page before.
  package var after: String?
  /// 1...``limitMax``.
  package var limit: Int
  /// Every kind but this one.
  package var otherThan: ItemKind?

  package init(
    user: UserID, kind: ItemKind? = nil, otherThan: ItemKind? = nil, after: String? = nil, limit: Int
  ) {
    self.user = user
    self.kind = kind
    self.after = after
    self.limit = limit
    self.otherThan = otherThan
  }
}

/// Saved items.
package struct ItemPage: Codable, Hashable, Sendable, WireLayout {
  package var items: [SavedItem]
  /// Nil at the end.
  package var next: String?
  /// The user's.
  package var revision: Int64

  package init(items: [SavedItem], next: String? = nil, revision: Int64) {
    self.items = items
    self.next = next
    self.revision = revision
  }
}
