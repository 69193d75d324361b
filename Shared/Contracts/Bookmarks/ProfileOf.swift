package import RPC
import Wire

/// A user's profile; `unauthenticated` if they were erased or never were.
package struct ProfileOf: RPCRequest, Hashable, WireLayout {
  package typealias Service = BookmarksAPI
  package typealias Response = UserProfile
  package static let method: MethodID = 0x0302
  package static let safety: Safety = .read

  package var user: UserID

  package init(user: UserID) {
    self.user = user
  }
}
