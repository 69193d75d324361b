package import Clocks

/// Which of a user's tokens hold. A token is known by when it was issued.
package struct UserTokens: Hashable, Sendable {
  private let validFrom: WallTime?
  private let ended: [WallTime]

  package init(_ profile: UserProfile) {
    validFrom = profile.tokensValidFrom
    ended = profile.endedTokens ?? []
  }

  package func hold(_ issuedAt: WallTime) -> Bool { issuedAt >= validFrom ?? issuedAt && !ended.contains(issuedAt) }
}
