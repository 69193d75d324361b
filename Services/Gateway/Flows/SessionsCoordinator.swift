import Contracts
import HTTP
import JSON
import RPC

/// Who somebody is: anonymous sessions, and everything of a user at once.
final class SessionsCoordinator: Coordinator {
  private let bookmarks: any RPCClient<BookmarksAPI>
  private let sessions: Sessions

  init(bookmarks: any RPCClient<BookmarksAPI>, sessions: Sessions) {
    self.bookmarks = bookmarks
    self.sessions = sessions
  }

  private static let openForm = BodyForm(
    isRequired: false,
    schema: .object(
      [("locale", .string("BCP 47.", pattern: "^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8}){0,4}$", length: 2...40), false)]))

  var endpoints: [Endpoint] {
    [
      Endpoint(
        .post, "/v1/sessions", "openSession", "A new user, with nothing saved, and the token that says so.", .me,
        fields: [.idempotencyKey], body: Self.openForm, answers: [.json(.created, "Who you are.", SessionPage.schema)]
      ) { [self] asking in try await open(asking) },
      Endpoint(
        .delete, "/v1/sessions/current", "endSessions", "Makes all of the user's tokens void.", .me, access: .user,
        answers: [.nothing(.noContent, "They are void.")]
      ) { [self] asking in
        let profile = try await bookmarks.call(RevokeTokens(user: asking.someone()), asking.options)
        sessions.learned(profile)
        return signedOut(asking)
      },
      Endpoint(
        .get, "/v1/me", "me", "The user of this session.", .me, access: .user,
        answers: [.json("Them.", ProfilePage.schema)]
      ) { [self] asking in
        let profile = try await bookmarks.call(ProfileOf(user: asking.someone()), asking.options)
        sessions.learned(profile)
        return .json(ProfilePage(profile: profile))
      },
      Endpoint(
        .delete, "/v1/me", "eraseMe", "Erases the user and all that they saved, for good.", .me, access: .user,
        answers: [.nothing(.noContent, "It is gone.")]
      ) { [self] asking in
        let user = try asking.someone()
        _ = try await bookmarks.call(EraseUser(user: user), asking.options)
        sessions.forget(user)
        return signedOut(asking)
      },
    ]
  }

  private func open(_ asking: Asking) async throws -> Answer {
    var locale: String?
    if !asking.request.body.isEmpty {
      var body = try asking.body()
      locale = body.optional("locale", as: String.self)
      if let text = locale, !Self.isLocale(text) { body.note("locale", "must be a language tag like ko-KR") }
      try body.finish()
    }
    var options = asking.options
    options.key = try asking.key(for: nil) ?? .fresh()
    let profile = try await bookmarks.call(OpenUser(locale: locale), options)
    return answer(profile, .created, asking)
  }

  private static func isLocale(_ text: String) -> Bool {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    func isPlain(_ part: Substring) -> Bool {
      (1...8).contains(part.utf8.count) && part.utf8.allSatisfy { (48...57).contains($0) || (65...90).contains($0 & 0xDF) }
    }
    guard let first = parts.first, first.utf8.count >= 2, !first.utf8.contains(where: { (48...57).contains($0) }) else {
      return false
    }
    return parts.count <= 5 && parts.allSatisfy(isPlain)
  }

  private func answer(_ profile: UserProfile, _ status: HTTPStatus, _ asking: Asking) -> Answer {
    sessions.learned(profile)
    let (token, expiresAt) = sessions.issue(for: profile.id)
    let answer = Answer.json(SessionPage(token: token, profile: profile, expiresAt: expiresAt.stamp), status)
    // A page of ours asks with this field, and is to have the token where its scripts cannot read it.
    guard asking.request["x-odi-request"] == "1" else { return answer }
    return answer.with("Set-Cookie", Sessions.cookie(token, isSecure: asking.base.hasPrefix("https:")))
  }

  private func signedOut(_ asking: Asking) -> Answer {
    guard asking.hasCookie else { return .nothing }
    return Answer.nothing.with("Set-Cookie", Sessions.cookie("", isSecure: asking.base.hasPrefix("https:")))
  }
}
