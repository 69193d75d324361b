import Clocks
import Contracts
import HTTP
import RPC

/// Who asks: reads tokens, and remembers for a little while what Bookmarks says of their users.
///
/// A token is checked without a call. Whether its user still exists, and has not made it void, is asked of Bookmarks at
/// most once in `memory` for a user; while Bookmarks is away the signature alone counts.
final class Sessions {
  let key: TokenKey
  private let bookmarks: any RPCClient<BookmarksAPI>
  private let time: any TimeSource
  private var known = RecencyMap<UserID, Standing>(atMost: Sessions.usersMax)
  /// Tokens whose code was found right: it stays so, and to work it out again would cost more than all else about them.
  private var checked = RecencyMap<String, UserToken>(atMost: Sessions.tokensMax)

  private struct Standing {
    /// Nil: the user is gone.
    var tokens: UserTokens?
    var until: Instant
  }

  /// How late a revocation in another process may be noticed; one made here counts at once.
  static let memory: Duration = .seconds(30)
  /// Users who ask within that time, and some more; about 100 bytes each.
  static let usersMax = 20_000
  /// Tokens of those who ask within minutes; about 300 bytes each.
  static let tokensMax = 10_000

  static let cookieName = "odi"
  /// Browsers give a cookie of this name only to the origin that set it, and only over https.
  static let secureCookieName = "__Host-odi"

  init(key: TokenKey, bookmarks: any RPCClient<BookmarksAPI>, time: any TimeSource) {
    self.key = key
    self.bookmarks = bookmarks
    self.time = time
  }

  /// A token that came with a request.
  struct Presented {
    var token: UserToken
    var isCookie: Bool
  }

  /// The token of a request; nil if it brings none. One that is not taken is an error, not a stranger.
  func token(of request: HTTPRequest) throws -> Presented? {
    if let header = request["authorization"] {
      guard let text = Self.bearer(header) else { throw Problem.noSession }
      return Presented(token: try read(text), isCookie: false)
    }
    guard request.head.has("cookie"),
      let text = request.cookie(Self.secureCookieName) ?? request.cookie(Self.cookieName)
    else { return nil }
    return Presented(token: try read(text), isCookie: true)
  }

  /// What follows the scheme, which may be in any case; nil if it is another. Cut by bytes: a request comes here twice.
  private static func bearer(_ header: String) -> String? {
    // As nearly all write it.
    guard header.hasPrefix("Bearer ") || String(header.utf8.prefix(7))?.lowercased() == "bearer " else { return nil }
    let text = header.utf8.dropFirst(7)
    return text.isEmpty ? nil : String(text)
  }

  private func read(_ text: String) throws -> UserToken {
    let now = time.wall
    if let token = checked.use(text), now < token.expiresAt { return token }
    do throws(TokenKey.Refusal) {
      let token = try key.read(text, now: now)
      checked.set(text, to: token)
      return token
    } catch {
      throw Problem.voidSession
    }
  }

  /// Whether a token's user is known to be there and not to have made it void; false if Bookmarks has to be asked.
  func vouch(for token: UserToken) throws(RPCError) -> Bool {
    guard let standing = known[token.user], standing.until > time.now else { return false }
    try judge(token, standing)
    return true
  }

  /// Makes sure that a token's user is there and has not made it void.
  @inline(never)
  func check(_ token: UserToken, _ options: CallOptions) async throws {
    if try vouch(for: token) { return }
    let profile: UserProfile
    do throws(RPCError) {
      profile = try await bookmarks.call(ProfileOf(user: token.user), options)
    } catch {
      // Without an origin it is we who were not let in, which says nothing of the user.
      guard error.code == .unauthenticated && error.origin != nil || error.code == .notFound else {
        // What is asked for next goes to Bookmarks too, and says better what is wrong with it.
        if error.isTransient || error.code == .unauthenticated { return }
        throw error
      }
      forget(token.user)
      throw Problem.voidSession
    }
    // A token that has ended says nothing of the user's others.
    try judge(token, standing(of: profile))
  }

  private func judge(_ token: UserToken, _ standing: Standing) throws(RPCError) {
    guard standing.tokens?.hold(token.issuedAt) == true else {
      // What Bookmarks told of the user is its word still.
      var error = RPCError(.unauthenticated, "this session has ended", executed: .no)
      error.origin = BookmarksAPI.name
      throw error
    }
  }

  /// A profile that was read or changed here.
  func learned(_ profile: UserProfile) { _ = standing(of: profile) }

  private func standing(of profile: UserProfile) -> Standing {
    let standing = Standing(tokens: UserTokens(profile), until: time.now + Self.memory)
    keep(profile.id, standing)
    return standing
  }

  /// The user is gone.
  func forget(_ user: UserID) { keep(user, Standing(tokens: nil, until: time.now + Self.memory)) }

  private func keep(_ user: UserID, _ standing: Standing) { known.set(user, to: standing) }

  /// A new token for a user, and when it ends.
  func issue(for user: UserID) -> (text: String, expiresAt: WallTime) {
    let token = UserToken(of: user, issuedAt: time.wall)
    return (key.text(of: token), token.expiresAt)
  }

  static func cookie(_ text: String, isSecure: Bool) -> String {
    let name = isSecure ? secureCookieName : cookieName
    let age = text.isEmpty ? 0 : UserToken.lifetimeMilliseconds / 1_000
    return "\(name)=\(text); Path=/; Max-Age=\(age); HttpOnly; SameSite=Lax" + (isSecure ? "; Secure" : "")
  }
}
