import Clocks
import Contracts
import HTTP
import JSON
import RPC

/// Who somebody is: anonymous sessions, a second device, settings, and everything of a user at once.
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
      [("locale", LanguageTag.schema, false)]))

  var endpoints: [Endpoint] {
    [
      Endpoint(
        .post, "/v1/sessions", "openSession", "A new user, with nothing saved, and the token that says so.", .me,
        fields: [.strangersKey], body: Self.openForm, answers: [.json(.created, "Who you are.", SessionPage.schema)]
      ) { [self] asking in try await open(asking) },
      Endpoint(
        .delete, "/v1/sessions/current", "endSession", "Signs this device out: its token is void.", .me, access: .user,
        answers: [.nothing(.noContent, "It is void.")]
      ) { [self] asking in try await end(asking, issuedAt: asking.tokenIssuedAt) },
      Endpoint(
        .delete, "/v1/sessions", "endSessions", "Signs every device of the user out.", .me, access: .user,
        answers: [.nothing(.noContent, "All of the user's tokens are void.")]
      ) { [self] asking in try await end(asking, issuedAt: nil) },
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
      export,
    ] + pairing + settings
  }

  private static let pairForm = BodyForm(
    schema: .object([
      ("code", .string("As typed: case, blanks and hyphens do not matter.", pattern: "^[ -~]+$", length: 1...40), true)
    ]))

  private var pairing: [Endpoint] {
    [
      Endpoint(
        .post, "/v1/me/pairing", "beginPairing", "A code with which another device becomes the same user.", .me,
        access: .user, answers: [.json(.created, "For 5 minutes and 5 tries.", PairingPage.schema)]
      ) { [self] asking in
        let code = try await bookmarks.call(BeginPairing(user: asking.someone()), asking.options)
        return .json(PairingPage(code: code), .created)
      },
      Endpoint(
        .post, "/v1/sessions/pair", "finishPairing", "A session of the user who showed the code.", .me,
        access: .maybeUser, body: Self.pairForm,
        answers: [.json(.created, "Who you are now. What you had saved was taken along.", SessionPage.schema)]
      ) { [self] asking in
        var body = try asking.body()
        let code = body.required("code", as: String.self)
        if let code, !(1...40).contains(code.utf8.count) || !code.utf8.allSatisfy({ (0x20...0x7E).contains($0) }) {
          body.note("code", "must have 1 to 40 visible ASCII characters")
        }
        try body.finish()
        let request = FinishPairing(
          code: code ?? "", asking: asking.user, origin: asking.client.network.map { "\($0)" })
        let profile = try await bookmarks.call(request, asking.options)
        if let before = asking.user, before != profile.id { sessions.forget(before) }
        return answer(profile, .created, asking)
      },
    ]
  }

  private var settings: [Endpoint] {
    [
      Endpoint(
        .get, "/v1/me/settings", "settings", "What you chose.", .me, access: .user,
        answers: [.json("An absent value was never chosen.", SettingsPage.schema)]
      ) { [self] asking in
        SettingsPage.answer(try await bookmarks.call(SettingsOf(user: asking.someone()), asking.options))
      },
      Endpoint(
        .patch, "/v1/me/settings", "changeSettings", "Changes some of it (RFC 7396): null takes a choice back.", .me,
        access: .user, fields: [.ifMatch], body: SettingsPage.form,
        answers: [.json("What you chose now.", SettingsPage.schema)]
      ) { [self] asking in
        let user = try asking.someone()
        let patch = try SettingsPatch(asking.request.json())
        let revision = try SettingsPage.revision(
          ifMatch: asking.request["if-match"], otherwise: SettingsPage.changed)
        // Between reading and writing another device may write; then it is read again.
        for _ in 0..<Self.attempts {
          let before = try await bookmarks.call(SettingsOf(user: user), asking.options)
          if let revision, revision != before.revision { throw SettingsPage.changed }
          let request = ChangeSettings(
            user: user, settings: patch.applied(to: before), ifRevision: before.revision)
          do throws(RPCError) {
            return SettingsPage.answer(try await bookmarks.call(request, asking.options))
          } catch {
            guard error.code == .failedPrecondition, revision == nil else { throw error }
          }
        }
        throw SettingsPage.changed
      },
    ]
  }

  /// Two devices that change settings in the same instant are more than enough.
  private static let attempts = 3

  private var export: Endpoint {
    Endpoint(
      .get, "/v1/me/export", "exportMe", "Everything that is kept of you, as one document.", .me, access: .user,
      answers: [.json("All of it.", Schema(JSONObject([("type", "object")])))]
    ) { [self] asking in
      var bytes: [UInt8] = []
      for try await chunk in try await bookmarks.stream(ExportUser(user: asking.someone()), asking.options) {
        bytes += chunk.bytes
        guard bytes.count <= Self.exportMax else {
          throw Problem(.tooLarge, status: .internalServerError, "the export is too large")
        }
      }
      return Answer(.json(bytes)).with("Content-Disposition", "attachment; filename=\"odi.json\"")
    }
  }

  /// Ten thousand items with the longest notes are less.
  private static let exportMax = 32 << 20

  private func open(_ asking: Asking) async throws -> Answer {
    var locale: String?
    if !asking.request.body.isEmpty {
      var body = try asking.body()
      locale = body.optional("locale", as: String.self)
      if let text = locale, !LanguageTag.isWellFormed(text) { body.note("locale", "must be a language tag like ko-KR") }
      try body.finish()
    }
    var options = asking.options
    options.key = try asking.keyOfStranger() ?? .fresh()
    let profile = try await bookmarks.call(OpenUser(locale: locale), options)
    return answer(profile, .created, asking)
  }

  private func answer(_ profile: UserProfile, _ status: HTTPStatus, _ asking: Asking) -> Answer {
    sessions.learned(profile)
    let (token, expiresAt) = sessions.issue(for: profile.id)
    let answer = Answer.json(SessionPage(token: token, profile: profile, expiresAt: expiresAt.stamp), status)
    // A page of ours asks with this field, and is to have the token where its scripts cannot read it.
    guard asking.request["x-odi-request"] == "1" else { return answer }
    return answer.with("Set-Cookie", Sessions.cookie(token, isSecure: asking.base.hasPrefix("https:")))
  }

  private func end(_ asking: Asking, issuedAt: WallTime?) async throws -> Answer {
    let request = RevokeTokens(user: try asking.someone(), issuedAt: issuedAt)
    sessions.learned(try await bookmarks.call(request, asking.options))
    return signedOut(asking)
  }

  private func signedOut(_ asking: Asking) -> Answer {
    guard asking.hasCookie else { return .nothing }
    return Answer.nothing.with("Set-Cookie", Sessions.cookie("", isSecure: asking.base.hasPrefix("https:")))
  }
}
