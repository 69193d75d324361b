package import RPC
import Wire

/// Takes something out; what was not saved is no error.
package struct RemoveItem: RPCRequest, Hashable, WireLayout {
  package typealias Service = BookmarksAPI
  package typealias Response = ItemReceipt
  package static let method: MethodID = 0x0306
  package static let safety: Safety = .idempotent

  package var user: UserID
  package var kind: ItemKind
  package var id: String
  /// What that thing is by now: taken out if nothing is saved under `id`.
  package var otherwise: String?

  package init(user: UserID, kind: ItemKind, id: String, otherwise: String? = nil) {
    self.user = user
    self.kind = kind
    self.id = id
    self.otherwise = otherwise
  }
}
