package import Clocks
package import Contracts
package import Crypto

/// Says that its bearer is a certain user: `v1.KEY.USER.EXPIRY.CODE`, made and checked with one key and no call.
///
/// The expiry is in milliseconds since 1970. All tokens live equally long, so it also tells when the token was issued,
/// and with that whether it was revoked since.
nonisolated package struct UserToken: Hashable, Sendable {
  package let user: UserID
  package let expiresAt: WallTime

  /// A year: whoever comes back within it has kept what they saved. Not a setting, because `issuedAt` follows from it.
  package static let lifetimeMilliseconds: Int64 = 365 * 86_400_000

  package var issuedAt: WallTime { WallTime(milliseconds: expiresAt.milliseconds - Self.lifetimeMilliseconds) }

  package init(of user: UserID, issuedAt: WallTime) {
    self.user = user
    expiresAt = WallTime(milliseconds: issuedAt.milliseconds + Self.lifetimeMilliseconds)
  }

  fileprivate init(user: UserID, expiresAt: WallTime) {
    self.user = user
    self.expiresAt = expiresAt
  }
}

/// Makes tokens and checks them.
nonisolated package struct TokenKey: Sendable {
  private let secret: Secret
  /// Which key made a token, so that a change of keys shows as that and not as a forgery.
  let name: String

  package init(_ secret: Secret) {
    self.secret = secret
    let digest = HMACSHA256.code(for: Array("odi-token-key-name".utf8), key: secret)
    name = Hex.encode(digest.prefix(4))
  }

  /// Why a token is not taken.
  package enum Refusal: Error, Equatable {
    case malformed
    case otherKey
    case forged
    case expired
  }

  package func text(of token: UserToken) -> String {
    let claim = "v1.\(name).\(token.user.text).\(token.expiresAt.milliseconds)"
    return claim + "." + Base64URL.encode(HMACSHA256.code(for: Array(claim.utf8), key: secret))
  }

  package func read(_ text: String, now: WallTime) throws(Refusal) -> UserToken {
    guard text.utf8.count <= Self.bytesMax else { throw .malformed }
    // A user's id may have dots of its own, so it is what is left between the others.
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count >= 5, parts[0] == "v1", let code = Base64URL.decode(parts[parts.count - 1]),
      let expiry = Int64(parts[parts.count - 2]),
      let user = UserID(parts[2..<(parts.count - 2)].joined(separator: "."))
    else { throw .malformed }
    guard parts[1] == name else { throw .otherKey }
    let token = UserToken(user: user, expiresAt: WallTime(milliseconds: expiry))
    let claim = text.utf8.dropLast(parts[parts.count - 1].utf8.count + 1)
    guard HMACSHA256.isValid(code, for: Array(claim), key: secret) else { throw .forged }
    guard now < token.expiresAt else { throw .expired }
    return token
  }

  /// The longest id, the longest number and a code have less.
  private static let bytesMax = 256
}
