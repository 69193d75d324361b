package import RPC
import Wire

/// A new secret for the user's calendar feed; the old one is void.
package struct RotateFeedKey: RPCRequest, Hashable, WireLayout {
  package typealias Service = BookmarksAPI
  package typealias Response = FeedKey
  package static let method: MethodID = 0x0311
  package static let safety: Safety = .idempotent
  package static let isConfidential = true

  package var user: UserID

  package init(user: UserID) {
    self.user = user
  }
}

/// A secret that reads a calendar feed and nothing else. Kept as a hash.
package struct FeedKey: Codable, Hashable, Sendable, WireLayout {
  package var key: String

  package init(key: String) {
    self.key = key
  }
}

/// Whose feed a secret reads.
package struct UserOfFeedKey: RPCRequest, Hashable, WireLayout {
  package typealias Service = BookmarksAPI
  package typealias Response = UserProfile
  package static let method: MethodID = 0x0312
  package static let safety: Safety = .read
  package static let isConfidential = true

  package var key: String

  package init(key: String) {
    self.key = key
  }
}
