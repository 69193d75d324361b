package import RPC
import Wire

/// What a user chose. An absent value was never chosen.
package struct UserSettings: Codable, Hashable, Sendable, WireLayout {
  /// The settings' own, for If-Match.
  package var revision: Int64
  /// BCP 47.
  package var language: String?
  /// `light`, `dark`, `auto`.
  package var theme: String?
  /// Region to begin with, where there is no position.
  package var region: String?
  /// Whether looks are remembered; nil: yes.
  package var keepsHistory: Bool?
  /// Walking metres a minute.
  package var walkMetresPerMinute: Int?

  package init(
    revision: Int64 = 0, language: String? = nil, theme: String? = nil, region: String? = nil,
    keepsHistory: Bool? = nil, walkMetresPerMinute: Int? = nil
  ) {
    self.revision = revision
    self.language = language
    self.theme = theme
    self.region = region
    self.keepsHistory = keepsHistory
    self.walkMetresPerMinute = walkMetresPerMinute
  }
}

/// A user's settings.
package struct SettingsOf: RPCRequest, Hashable, WireLayout {
  package typealias Service = BookmarksAPI
  package typealias Response = UserSettings
  package static let method: MethodID = 0x030d
  package static let safety: Safety = .read

  package var user: UserID

  package init(user: UserID) {
    self.user = user
  }
}

/// Replaces a user's settings; `failedPrecondition` if they are no longer those that were read.
package struct ChangeSettings: RPCRequest, Hashable, WireLayout {
  package typealias Service = BookmarksAPI
  package typealias Response = UserSettings
  package static let method: MethodID = 0x030e
  package static let safety: Safety = .idempotent

  package var user: UserID
  /// Its revision is not looked at.
  package var settings: UserSettings
  /// Nil: whatever they are.
  package var ifRevision: Int64?

  package init(user: UserID, settings: UserSettings, ifRevision: Int64? = nil) {
    self.user = user
    self.settings = settings
    self.ifRevision = ifRevision
  }
}
