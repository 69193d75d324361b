package import RPC
import Wire

/// Makes a user's tokens void, all that were issued until now.
package struct RevokeTokens: RPCRequest, Hashable, WireLayout {
  package typealias Service = BookmarksAPI
  package typealias Response = UserProfile
  package static let method: MethodID = 0x0313
  package static let safety: Safety = .idempotent

  package var user: UserID

  package init(user: UserID) {
    self.user = user
  }
}
