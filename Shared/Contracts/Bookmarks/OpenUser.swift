package import Clocks
package import RPC
import Wire

/// A new user, with nothing saved. Its idempotency key has to be random and is kept for ten minutes only: whoever guesses
/// it is given the user.
package struct OpenUser: RPCRequest, Hashable, WireLayout {
  package typealias Service = BookmarksAPI
  package typealias Response = UserProfile
  package static let method: MethodID = 0x0301
  package static let safety: Safety = .keyed

  /// BCP 47.
  package var locale: String?

  package init(locale: String? = nil) {
    self.locale = locale
  }
}

/// A user, without anything that they saved.
package struct UserProfile: Codable, Hashable, Sendable, WireLayout {
  package var id: UserID
  package var createdAt: WallTime
  package var locale: String?
  /// Grows by one with each change of anything they save.
  package var revision: Int64
  /// How many of each kind.
  package var counts: [ItemCount]
  /// Tokens issued before this are void.
  package var tokensValidFrom: WallTime?
  /// When tokens were issued that are void by themselves.
  package var endedTokens: [WallTime]?

  package init(
    id: UserID, createdAt: WallTime, locale: String? = nil, revision: Int64, counts: [ItemCount],
    tokensValidFrom: WallTime? = nil, endedTokens: [WallTime]? = nil
  ) {
    self.id = id
    self.createdAt = createdAt
    self.locale = locale
    self.revision = revision
    self.counts = counts
    self.tokensValidFrom = tokensValidFrom
    self.endedTokens = endedTokens
  }
}

/// How many items of a kind.
package struct ItemCount: Codable, Hashable, Sendable, WireLayout {
  package var kind: ItemKind
  package var count: Int

  package init(kind: ItemKind, count: Int) {
    self.kind = kind
    self.count = count
  }
}
