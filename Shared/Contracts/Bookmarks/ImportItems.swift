package import RPC
import Wire

/// Saves many items at once, all or none.
package struct ImportItems: RPCRequest, Hashable, WireLayout {
  package typealias Service = BookmarksAPI
  package typealias Response = ItemsImported
  package static let method: MethodID = 0x0314
  package static let safety: Safety = .keyed

  package static let itemsMax = 1_000

  package var user: UserID
  /// At most ``itemsMax``.
  package var items: [NewItem]
  /// A digest of what was asked for, where the items were made of it: with the same key they may be others by then.
  package var asked: [UInt8]?

  package init(user: UserID, items: [NewItem], asked: [UInt8]? = nil) {
    self.user = user
    self.items = items
    self.asked = asked
  }
}

/// Something to save.
package struct NewItem: Codable, Hashable, Sendable, WireLayout {
  package var kind: ItemKind
  package var id: String
  package var note: String?
  /// What an import calls it in its answer: its place there if not given.
  package var place: Int?

  package init(kind: ItemKind, id: String, note: String? = nil, place: Int? = nil) {
    self.kind = kind
    self.id = id
    self.note = note
    self.place = place
  }
}

/// What came of an import.
package struct ItemsImported: Codable, Hashable, Sendable, WireLayout {
  package var added: Int
  package var unchanged: Int
  package var revision: Int64
  package var isReplay: Bool
  /// Places of those that were not saved before, in the request's order; of an item that is there twice, the first.
  package var addedPlaces: [Int]?

  package init(added: Int, unchanged: Int, revision: Int64, isReplay: Bool, addedPlaces: [Int]? = nil) {
    self.added = added
    self.unchanged = unchanged
    self.revision = revision
    self.isReplay = isReplay
    self.addedPlaces = addedPlaces
  }
}
