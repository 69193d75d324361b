package import RPC
import Wire

/// A user's history, newest first.
package struct ListViews: RPCRequest, Hashable, WireLayout {
  package typealias Service = BookmarksAPI
  package typealias Response = [View]
  package static let method: MethodID = 0x030b
  package static let safety: Safety = .read

  package static let limitMax = 500

  package var user: UserID
  package var kind: ItemKind?
  /// 1...``limitMax``.
  package var limit: Int

  package init(user: UserID, kind: ItemKind? = nil, limit: Int) {
    self.user = user
    self.kind = kind
    self.limit = limit
  }
}
