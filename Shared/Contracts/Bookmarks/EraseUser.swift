package import RPC
import Wire

/// Everything of a user, gone for good.
package struct EraseUser: RPCRequest, Hashable, WireLayout {
  package typealias Service = BookmarksAPI
  package typealias Response = Erased
  package static let method: MethodID = 0x0303
  package static let safety: Safety = .idempotent

  package var user: UserID

  package init(user: UserID) {
    self.user = user
  }
}

/// What was erased.
package struct Erased: Codable, Hashable, Sendable, WireLayout {
  package var rows: Int

  package init(rows: Int) {
    self.rows = rows
  }
}
