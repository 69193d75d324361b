package import Calendars
package import Clocks
import Contracts
import EventLoops
import HTTP
import JSON
import Observability
import RPC

/// One request as a flow sees it: who asks, in which language, until when. One object, because it is handed through many
/// hands.
final class Asking {
  let request: HTTPRequest
  /// The varying parts of the path, in their order.
  let path: [String]
  /// The parameters, parsed once.
  let asked: QueryReader
  /// Nil: titles as printed.
  let language: Language?
  /// Nil without a session.
  var user: UserID?
  /// When the user's token was issued, which tells it from their others.
  let tokenIssuedAt: WallTime?
  /// Whether the user came by cookie.
  let hasCookie: Bool
  let deadline: Instant
  let mark: SupersedeMark?
  let trace: TraceContext
  /// Where the request comes from, as far as we believe it.
  let client: ClientAddress
  let time: any TimeSource
  let zones: ZoneDirectory
  private let posters: PosterShelf
  /// Where browsers reach us, if an operator said so.
  let publicURL: String?
  let takesLanguage: Bool

  init(
    request: HTTPRequest, path: [String], asked: QueryReader, language: Language?, user: UserID?,
    tokenIssuedAt: WallTime?, hasCookie: Bool, deadline: Instant, mark: SupersedeMark?, trace: TraceContext,
    client: ClientAddress, time: any TimeSource, zones: ZoneDirectory, posters: PosterShelf,
    publicURL: String?, takesLanguage: Bool
  ) {
    self.request = request
    self.path = path
    self.asked = asked
    self.language = language
    self.user = user
    self.tokenIssuedAt = tokenIssuedAt
    self.hasCookie = hasCookie
    self.deadline = deadline
    self.mark = mark
    self.trace = trace
    self.client = client
    self.time = time
    self.zones = zones
    self.posters = posters
    self.publicURL = publicURL
    self.takesLanguage = takesLanguage
  }

  nonisolated deinit {}

  /// Where this server is for whoever asks: `https://odi.example`.
  var base: String {
    publicURL ?? (client.isSecure ? "https://" : "http://") + (request["host"] ?? "localhost")
  }

  /// What a part of this answer asks of another endpoint: for nobody in particular, until the same deadline.
  func another(path: [String], parameters: [(name: String, value: String)], language: Language?) -> Asking {
    Asking(
      request: request, path: path, asked: QueryReader(parameters), language: language, user: nil, tokenIssuedAt: nil,
      hasCookie: false, deadline: deadline, mark: mark, trace: trace, client: client, time: time, zones: zones,
      posters: posters, publicURL: publicURL, takesLanguage: false)
  }

  /// To be read whole, and then finished, or unknown parameters are taken in silence.
  var query: QueryReader {
    var query = asked
    if takesLanguage { _ = query.take(QueryField<Language?>.language) }
    return query
  }

  var now: WallTime { time.wall }

  var view: Viewpoint { view(in: language) }

  func view(in language: Language?) -> Viewpoint {
    var view = Viewpoint(language: language, zones: zones, now: time.wall)
    view.posters = posters.names
    return view
  }

  /// What goes with every call that is made for this request.
  var options: CallOptions {
    var options = CallOptions(timeout: max(deadline - time.now, .zero), supersede: mark)
    options.trace = trace
    return options
  }

  /// The same, for a part that the answer can do without: it gets half of the time.
  var optionsForExtras: CallOptions {
    var options = options
    options.timeout = options.timeout.map { $0 / 2 }
    return options
  }

  /// The user of an endpoint that asks for one.
  func someone() throws -> UserID {
    guard let user else { throw Problem.noSession }
    return user
  }

  /// An id in the path. What is none names nothing.
  func id<Subject>(_ place: Int = 0, of: ID<Subject>.Type = ID<Subject>.self) throws -> ID<Subject> {
    guard let id = ID<Subject>(path[place]) else { throw Problem(.notFound, "\(path[place]) is no id") }
    return id
  }

  /// The body's members. What has no value is left out of a body: null is refused, where it means nothing.
  func body(takesNull: Bool = false) throws -> JSONReader {
    try Self.body(request.json(), takesNull: takesNull)
  }

  /// The members of a body that was parsed already.
  ///
  /// - Parameter others: members that are nobody's concern, whatever they are.
  static func body(
    _ parsed: JSONValue, takesNull: Bool = false, ignoring others: [String] = []
  ) throws -> JSONReader {
    var value = parsed
    if !others.isEmpty, let object = value.object {
      value = .object(JSONObject(object.filter { !others.contains($0.name) }.map { ($0.name, $0.value) }))
    }
    let nulls = takesNull ? [] : nulls(in: value, at: "")
    guard nulls.isEmpty else {
      throw Problem(
        .validation, status: .unprocessableContent,
        errors: nulls.map { .init(pointer: $0, detail: "must not be null; leave it out") })
    }
    return JSONReader(value)
  }

  private static func nulls(in value: JSONValue, at pointer: String) -> [String] {
    switch value {
    case .null: [pointer]
    case .object(let object): object.flatMap { nulls(in: $0.value, at: "\(pointer)/\($0.name)") }
    case .array(let values): values.enumerated().flatMap { nulls(in: $0.element, at: "\(pointer)/\($0.offset)") }
    case .bool, .int, .double, .string: []
    }
  }

  /// What the client calls this write, if it does. Two users' "1" are two keys; strangers are told apart by where they are.
  func key(for user: UserID?) throws -> IdempotencyKey? {
    guard let text = request["idempotency-key"] else { return nil }
    guard let key = IdempotencyKey(naming: text, of: user, at: client.network?.description) else {
      throw Problem(
        .validation, "1 problem",
        errors: [.init(parameter: "Idempotency-Key", detail: "must have 1 to 255 visible ASCII characters")])
    }
    return key
  }

  /// The name that a stranger gave their write, if they did. Nobody stands beside it to tell two strangers' "1" apart, and
  /// what the one was given is not for the other: so it is one that nobody else makes.
  func keyOfStranger() throws -> IdempotencyKey? {
    guard let text = request["idempotency-key"] else { return nil }
    guard let key = IdempotencyKey(text) else {
      throw Problem(
        .validation, "1 problem",
        errors: [.init(parameter: "Idempotency-Key", detail: "must be a UUID where nobody has signed in, made anew")])
    }
    return key
  }
}

/// From where contract values are looked at: language, zones, the present.
nonisolated package struct Viewpoint: Sendable {
  var language: Language?
  var zones: ZoneDirectory
  package var now: WallTime
  /// Which films have pictures, for those that come from programmes.
  var posters: [FilmID: String] = [:]

  package init(language: Language?, zones: ZoneDirectory, now: WallTime) {
    self.language = language
    self.zones = zones
    self.now = now
  }

  /// The rules of a zone; UTC if this machine does not know it.
  func rules(_ name: ZoneName) -> TimeZoneRules { (try? zones.rules(for: name)) ?? .utc }
}

extension Problem {
  nonisolated static var noSession: Problem {
    Problem(
      .unauthenticated, "open a session with POST /v1/sessions and send its token as Authorization: Bearer",
      fields: [HTTPField("WWW-Authenticate", "Bearer realm=\"odi\"")])
  }

  /// There is a token, and it opens nothing.
  nonisolated static var voidSession: Problem {
    Problem(
      .unauthenticated,
      "the token is not one of ours, or has expired, or was ended; open another session with POST /v1/sessions",
      fields: [HTTPField("WWW-Authenticate", "Bearer realm=\"odi\", error=\"invalid_token\"")])
  }
}
