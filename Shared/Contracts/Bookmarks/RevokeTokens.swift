package import Clocks
package import RPC
import Wire

/// Makes a user's tokens void: one, or all that were issued until now.
package struct RevokeTokens: RPCRequest, Hashable, WireLayout {
  package typealias Service = BookmarksAPI
  package typealias Response = UserProfile
  package static let method: MethodID = 0x0313
  package static let safety: Safety = .idempotent

  package var user: UserID
  /// Only the token that was issued at this instant: one device signs out. Nil: all.
  package var issuedAt: WallTime?

  package init(user: UserID, issuedAt: WallTime? = nil) {
    self.user = user
    self.issuedAt = issuedAt
  }
}
