package import RPC
import Wire

/// Forgets a user's history.
package struct ForgetViews: RPCRequest, Hashable, WireLayout {
  package typealias Service = BookmarksAPI
  package typealias Response = Erased
  package static let method: MethodID = 0x030c
  package static let safety: Safety = .idempotent

  package var user: UserID
  /// Nil: all of it.
  package var kind: ItemKind?
  /// Nil: all of the kind.
  package var id: String?

  package init(user: UserID, kind: ItemKind? = nil, id: String? = nil) {
    self.user = user
    self.kind = kind
    self.id = id
  }
}
