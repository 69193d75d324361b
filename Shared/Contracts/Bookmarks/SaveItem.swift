package import RPC
import Wire

/// Saves something, or saves it anew with another note. With an idempotency key, sending it again answers as before.
package struct SaveItem: RPCRequest, Hashable, WireLayout {
  package typealias Service = BookmarksAPI
  package typealias Response = ItemReceipt
  package static let method: MethodID = 0x0305
  package static let safety: Safety = .idempotent

  package var user: UserID
  package var kind: ItemKind
  package var id: String
  /// Nil keeps the note that was.
  package var note: String?
  /// The id that was asked for, if that thing is another by now: what is saved under it is taken out, and its note goes over.
  package var insteadOf: String?

  package init(user: UserID, kind: ItemKind, id: String, note: String? = nil, insteadOf: String? = nil) {
    self.user = user
    self.kind = kind
    self.id = id
    self.note = note
    self.insteadOf = insteadOf
  }
}

/// What holds after a change, durable when it is read.
package struct ItemReceipt: Codable, Hashable, Sendable, WireLayout {
  /// Nil after a removal.
  package var item: SavedItem?
  /// The user's, after the change.
  package var revision: Int64
  /// Saved that was not saved; removed that was.
  package var didChange: Bool
  /// Answered from the receipt of an earlier sending.
  package var isReplay: Bool

  package init(item: SavedItem? = nil, revision: Int64, didChange: Bool, isReplay: Bool) {
    self.item = item
    self.revision = revision
    self.didChange = didChange
    self.isReplay = isReplay
  }
}
