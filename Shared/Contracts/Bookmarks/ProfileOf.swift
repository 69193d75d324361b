package import RPC
import Wire

/// A user's profile; `unauthenticated` if they were erased or never were.
package struct ProfileOf: RPCRequest, Hashable, WireLayout {
  package typealias Service = BookmarksAPI
  package typealias Response = UserProfile
  package static let method: MethodID = 0x0302
  package static let safety: Safety = .read

  package var user: UserID
  /// False leaves the counts out, which makes it cheap: for checking a token. Nil: with them.
  package var withCounts: Bool?

  package init(user: UserID, withCounts: Bool? = nil) {
    self.user = user
    self.withCounts = withCounts
  }
}
