package import RPC
import Wire

/// Saves many items at once, all or none.
package struct ImportItems: RPCRequest, Hashable, WireLayout {
  package typealias Service = BookmarksAPI
  package typealias Response = ItemsImported
  package static let method: MethodID = 0x0314
  package static let safety: Safety = .keyed

  package var user: UserID
  /// At most 1,000.
  package var items: [NewItem]

  package init(user: UserID, items: [NewItem]) {
    self.user = user
    self.items = items
  }
}

/// Something to save.
package struct NewItem: Codable, Hashable, Sendable, WireLayout {
  package var kind: ItemKind
  package var id: String
  package var note: String?

  package init(kind: ItemKind, id: String, note: String? = nil) {
    self.kind = kind
    self.id = id
    self.note = note
  }
}

/// What came of an import.
package struct ItemsImported: Codable, Hashable, Sendable, WireLayout {
  package var added: Int
  package var unchanged: Int
  package var revision: Int64
  package var isReplay: Bool
  /// Places in the request of those that were not saved before, rising; of an item that is there twice, the first.
  package var addedPlaces: [Int]?

  package init(added: Int, unchanged: Int, revision: Int64, isReplay: Bool, addedPlaces: [Int]? = nil) {
    self.added = added
    self.unchanged = unchanged
    self.revision = revision
    self.isReplay = isReplay
    self.addedPlaces = addedPlaces
  }
}
