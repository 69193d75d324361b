package import Clocks
package import RPC
import Wire

/// What a user looked at, for their history and what is recommended to them.
package struct RecordViews: RPCRequest, Hashable, WireLayout {
  package typealias Service = BookmarksAPI
  package typealias Response = ViewsRecorded
  package static let method: MethodID = 0x030a
  package static let safety: Safety = .keyed

  package static let viewsMax = 100

  package var user: UserID
  /// At most ``viewsMax``.
  package var views: [View]
  /// A digest of what was asked for, where some of it was left out: with the same key that may be less by then.
  package var asked: [UInt8]?

  package init(user: UserID, views: [View], asked: [UInt8]? = nil) {
    self.user = user
    self.views = views
    self.asked = asked
  }
}

/// A look at something.
package struct View: Codable, Hashable, Sendable, WireLayout {
  package var kind: ItemKind
  package var id: String
  /// Nil: now.
  package var at: WallTime?

  package init(kind: ItemKind, id: String, at: WallTime? = nil) {
    self.kind = kind
    self.id = id
    self.at = at
  }
}

/// How many were kept; none if the user's settings say so.
package struct ViewsRecorded: Codable, Hashable, Sendable, WireLayout {
  package var kept: Int
  package var isReplay: Bool

  package init(kept: Int, isReplay: Bool) {
    self.kept = kept
    self.isReplay = isReplay
  }
}
