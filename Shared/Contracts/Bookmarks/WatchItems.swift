package import Clocks
package import RPC
import Wire

/// A user's changes after a revision, and those to come, each once and in order. It ends with `unavailable` when the
/// service is going down: resume it since the last revision; and with `unauthenticated` when the user is gone or made
/// the token void.
package struct WatchItems: RPCStreamRequest, Hashable, WireLayout {
  package typealias Service = BookmarksAPI
  package typealias Element = ItemEvent
  package static let method: MethodID = 0x0309

  package var user: UserID
  /// Nil: only those to come.
  package var since: Int64?
  /// When the token was issued on whose behalf it is asked. Nil: of no device that could sign out by itself.
  package var token: WallTime?

  package init(user: UserID, since: Int64? = nil, token: WallTime? = nil) {
    self.user = user
    self.since = since
    self.token = token
  }
}

/// One change. The first of a stream has none and tells where it begins.
package struct ItemEvent: Codable, Hashable, Sendable, WireLayout {
  package var revision: Int64
  package var change: ItemChange?
  /// Read everything anew: the tombstones do not reach back to `since`, or an import brought more than is told one by one.
  package var isReset: Bool?
  /// The settings changed.
  package var settingsChanged: Bool?

  package init(revision: Int64, change: ItemChange? = nil, isReset: Bool? = nil, settingsChanged: Bool? = nil) {
    self.revision = revision
    self.change = change
    self.isReset = isReset
    self.settingsChanged = settingsChanged
  }
}
