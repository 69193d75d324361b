package import Clocks
package import RPC
import Wire

/// A code with which another device becomes the same user: 8 characters, 5 minutes, 5 tries. A new one replaces the
/// old.
package struct BeginPairing: RPCRequest, Hashable, WireLayout {
  package typealias Service = BookmarksAPI
  package typealias Response = PairingCode
  package static let method: MethodID = 0x030f
  package static let safety: Safety = .idempotent
  package static let isConfidential = true

  package var user: UserID

  package init(user: UserID) {
    self.user = user
  }
}

/// A code to type on the other device.
package struct PairingCode: Codable, Hashable, Sendable, WireLayout {
  /// Without letters that look alike.
  package var code: String
  package var expiresAt: WallTime

  package init(code: String, expiresAt: WallTime) {
    self.code = code
    self.expiresAt = expiresAt
  }
}

/// The user of a code. What the asking device had saved is taken along and its user ends.
package struct FinishPairing: RPCRequest, Hashable, WireLayout {
  package typealias Service = BookmarksAPI
  package typealias Response = UserProfile
  package static let method: MethodID = 0x0310
  package static let safety: Safety = .idempotent
  package static let isConfidential = true

  /// As typed: case, spaces and hyphens do not matter.
  package var code: String
  /// Who asks, if they are somebody already.
  package var asking: UserID?
  /// Where the try comes from, for its limit.
  package var origin: String?

  package init(code: String, asking: UserID? = nil, origin: String? = nil) {
    self.code = code
    self.asking = asking
    self.origin = origin
  }
}
