import Calendars
import Clocks
package import Contracts
package import EventLoops
import HTTP
import JSON
import Observability
import RPC

/// Where every request comes in: finds out who asks and how, hands it to its flow, and sees to it that what leaves keeps
/// our manners, whatever the flow did.
package final class FrontDesk {
  package struct Manners {
    /// For all calls behind one request.
    package var patience: Duration = .seconds(8)
    package var perUser = TokenBuckets<UserID>.Rate(perSecond: 20, burst: 40)
    package var perAddress = TokenBuckets<IPAddress>.Rate(perSecond: 50, burst: 100)
    /// Whose word about forwarded addresses is taken.
    package var proxies: Set<IPAddress> = []
    /// Where browsers reach us, if not at the address in `Host`.
    package var publicURL: String?

    package init() {}
  }

  let sessions: Sessions
  package let supersession: Supersession
  let cache: AnswerCache
  private let posters: PosterShelf
  package var manners: Manners {
    didSet {
      users.rate = manners.perUser
      addresses.rate = manners.perAddress
    }
  }
  /// While set, everything but signs of life is answered with it.
  package var maintenance: String?

  private(set) var users: TokenBuckets<UserID>
  private(set) var addresses: TokenBuckets<IPAddress>
  private let time: any TimeSource
  private let zones: ZoneDirectory
  private let traces: Traces
  private let log: Log

  init(
    sessions: Sessions, cache: AnswerCache, posters: PosterShelf, manners: Manners, time: any TimeSource,
    zones: ZoneDirectory, traces: Traces, log: Log
  ) {
    self.sessions = sessions
    self.cache = cache
    self.posters = posters
    self.manners = manners
    self.time = time
    self.zones = zones
    self.traces = traces
    self.log = log
    users = TokenBuckets(manners.perUser)
    addresses = TokenBuckets(manners.perAddress)
    supersession = Supersession(time: time)
  }

  // MARK: Routes

  func register(_ endpoints: [Endpoint], on router: inout HTTPRouter) {
    for endpoint in endpoints {
      let query = endpoint.query.map { QueryParameter($0.name, $0.summary) }
      let limit = endpoint.body?.bytesMax ?? Self.uselessBodyMax
      // What an endpoint does not take is refused before it; what it takes it reads, and says all that is wrong at once.
      router.on(
        endpoint.method, endpoint.path, query: query, checksQuery: query.isEmpty, summary: endpoint.summary,
        bodyLimit: limit, untyped: { [self] request in try await answer(request, request.pathParameters(), endpoint) })
    }
  }

  /// A body where none is taken is read and dropped up to this.
  private static let uselessBodyMax = 4 << 10

  // MARK: One request

  // One function in the end: each that a request goes through and comes back through takes its time twice.
  @inline(__always)
  private func answer(_ request: HTTPRequest, _ path: [String], _ endpoint: Endpoint) async throws -> HTTPResponse {
    let span = traces.begin(
      endpoint.name, .server, from: request["traceparent"].flatMap { TraceContext(traceparent: $0) }, at: time.now)
    do {
      var response = try await Span.$current.withValue(span) { try await served(request, path, endpoint, span) }
      response.fields.append(HTTPField("Trace-Id", span.context.traceID.description))
      span.end(at: time.now)
      return response
    } catch {
      var problem = error as? Problem ?? (error as? JSONIssues).map { Problem($0) } ?? Problem(RPCError(handler: error))
      if problem.kind == .internal {
        log.error("a request failed", ["route": .string(endpoint.path), "error": "\(error)"])
      }
      problem.extensions.append(("trace_id", .string(span.context.traceID.description)))
      problem.fields.append(HTTPField("Trace-Id", span.context.traceID.description))
      span.end(at: time.now, error: problem.status.rawValue >= 500 ? problem.kind.rawValue : nil)
      throw problem
    }
  }

  @inline(__always)
  private func served(
    _ request: HTTPRequest, _ path: [String], _ endpoint: Endpoint, _ span: Span
  ) async throws -> HTTPResponse {
    let query = request.query
    let language = language(of: request, query)
    let presented = try presented(request, endpoint)
    if endpoint.access == .user, presented == nil { throw Problem.noSession }
    let mark = endpoint.method == .get ? try supersession.mark(of: request) : nil
    let asking = Asking(
      request: request, path: path, asked: query, language: language, user: presented?.token.user,
      tokenIssuedAt: presented?.token.issuedAt, hasCookie: presented?.isCookie ?? false,
      deadline: time.now + manners.patience, mark: mark,
      trace: span.context, client: client(of: request), time: time, zones: zones, posters: posters,
      publicURL: manners.publicURL,
      takesLanguage: endpoint.isShared)
    if let presented {
      do {
        try admit(presented, asking)
        if try !sessions.vouch(for: presented.token) { try await sessions.check(presented.token, asking.options) }
      } catch {
        let problem = error as? Problem ?? (error as? RPCError).map { Problem($0) }
        guard endpoint.isShared, problem?.kind == .unauthenticated else { throw error }
        asking.user = nil
      }
    }
    // Whose only parameter is the language reads no query of its own.
    if endpoint.isShared, endpoint.query.count == 1 { try asking.query.finish() }

    let isShared = endpoint.isShared && asking.user == nil
    // Who has a session is never given a kept answer while there is a better one: only when a service is away.
    let question = Question(
      path: path.isEmpty ? endpoint.path : request.path, language: language, query: query.parameters)
    let isOwn = isShared && AnswerKey.isOwn(query.parameters)
    let changes = cache.changes
    if isShared, !isOwn, cache.isOn, let kept = cache.fresh(question.key) {
      if let mark { try supersession.pass(mark) }
      return kept
    }
    do {
      let answer: Answer
      if let mark {
        answer = try await supersession.run(mark) { try await endpoint.flow(asking) }
      } else {
        answer = try await endpoint.flow(asking)
      }
      let complete = finished(answer, endpoint, language, isShared: isShared)
      if isShared, !complete.isPartial, complete.response.status == .ok, !isOwn || cache.takesOwn() {
        cache.keep(complete.response, madeOf: complete.sources, for: question.key, since: changes)
      }
      return complete.response
    } catch {
      guard endpoint.isShared, let kept = lastGood(question, after: error) else { throw error }
      return kept
    }
  }

  /// What was asked; its key is made when it is needed.
  private struct Question {
    let path: String
    let language: Language?
    let query: [(name: String, value: String)]

    var key: AnswerKey { AnswerKey(path: path, language: language, query: query) }
  }

  /// With the fields that tell who may keep it and for whom it is.
  private func finished(
    _ answer: consuming Answer, _ endpoint: Endpoint, _ language: Language?, isShared: Bool
  ) -> Answer {
    answer.response.fields.reserveCapacity(answer.response.fields.count + Self.ownFieldsMost)
    if answer.response["Cache-Control"] == nil {
      answer.response.fields.append(isShared && !answer.isPartial ? Self.forAMinute : Self.forNobodyElse)
      if isShared, !answer.isPartial { answer.response.tag = answer.response.tag.orOfBody }
    }
    if endpoint.isShared {
      answer.response.fields.append(Self.byLanguage)
      if let language { answer.response.fields.append(HTTPField("Content-Language", language.rawValue)) }
    }
    return answer
  }

  private static let forAMinute = HTTPField("Cache-Control", CacheControl.minute.rawValue)
  private static let forNobodyElse = HTTPField("Cache-Control", CacheControl.never.rawValue)
  private static let byLanguage = HTTPField("Vary", "Accept-Language")
  private static let forAnyPage = HTTPField("Access-Control-Allow-Origin", "*")

  /// What the desk adds to an answer, usually.
  private static let ownFieldsMost = 8

  private func lastGood(_ question: Question, after error: any Error) -> HTTPResponse? {
    let problem = error as? Problem ?? (error as? RPCError).map { Problem($0) }
    guard problem?.mayServeStale == true, let (response, asOf) = cache.lastGood(question.key) else { return nil }
    return response.markedStale(asOf: Timestamp(asOf.inWholeSeconds).description)
  }

  // MARK: Who asks

  /// The session that a request comes with, if the endpoint asks for one. Who only gets something marked for having one
  /// is answered as a stranger with a session that has ended.
  private func presented(_ request: HTTPRequest, _ endpoint: Endpoint) throws -> Sessions.Presented? {
    switch endpoint.access {
    case .everybody: nil
    case .maybeUser where endpoint.isShared: try? sessions.token(of: request)
    case .maybeUser, .user: try sessions.token(of: request)
    }
  }

  private func admit(_ presented: Sessions.Presented, _ asking: Asking) throws {
    let standing = users.take(presented.token.user, now: time.now)
    guard standing.isAllowed else {
      var refusal = standing.refusal
      refusal.fields += standing.fields("user", manners.perUser)
      throw refusal
    }
    // A form on another site can send our cookie along, but no field of its own.
    if presented.isCookie, asking.request.method != .get, asking.request.method != .head,
      asking.request["x-odi-request"] != "1"
    {
      throw Problem(.forbidden, "send X-Odi-Request: 1 with what a cookie signs for")
    }
  }

  private func language(of request: HTTPRequest, _ query: QueryReader) -> Language? {
    if let chosen = query.parameters.first(where: { $0.name == "lang" }) { return Language(rawValue: chosen.value) }
    return request["accept-language"].flatMap { Language(accepting: $0) }
  }

  func client(of request: HTTPRequest) -> ClientAddress {
    guard !manners.proxies.isEmpty else {
      return ClientAddress(peer: request.peer, forwarded: nil, scheme: nil, proxies: [])
    }
    return ClientAddress(
      peer: request.peer, forwarded: request["x-forwarded-for"], scheme: request["x-forwarded-proto"],
      proxies: manners.proxies)
  }

  // MARK: Before and after every request

  /// Answers instead of the flow: too many requests of one address, or maintenance.
  func refusal(of request: HTTPRequest) -> HTTPResponse? {
    if Self.isSignOfLife(request.head) { return nil }
    if let maintenance {
      return Problem(.overloaded, maintenance, fields: [HTTPField("Retry-After", "60")])
        .response(instance: request.path)
    }
    guard let network = client(of: request).network else { return nil }
    let standing = addresses.take(network, now: time.now)
    return standing.isAllowed ? nil : standing.refusal.response(instance: request.path)
  }

  /// What every answer has besides what its flow gave it.
  func decorate(_ request: HTTPRequest, _ response: inout HTTPResponse) {
    if manners.perAddress.perSecond > 0, !Self.isSignOfLife(request.head), let network = client(of: request).network {
      let standing = addresses.standing(of: network, now: time.now)
      response.fields += standing.fields("address", manners.perAddress)
    }
    share(request, &response)
  }

  private static func isSignOfLife(_ head: HTTPHead) -> Bool { head.hasPath("/livez") || head.hasPath("/readyz") }

  /// Cross-origin reading (Fetch, 3.2): anybody's page may read what is public, only our own what is of a user.
  private func share(_ request: HTTPRequest, _ response: inout HTTPResponse) {
    let head = request.head
    let isPublic = head.hasPath(beginning: "/v1/") && !Self.isOfUsers(head) || head.hasPath("/openapi.json")
    if isPublic {
      response.fields.append(Self.forAnyPage)
    } else if let origin = request["origin"], isOwn(origin, request) {
      response.fields += [HTTPField("Access-Control-Allow-Origin", origin), HTTPField("Vary", "Origin")]
    } else {
      return
    }
    if request.method == .options, request.head.has("access-control-request-method") {
      response.fields += [
        HTTPField("Access-Control-Allow-Methods", isPublic ? "GET, HEAD" : "GET, HEAD, POST, PUT, PATCH, DELETE"),
        HTTPField("Access-Control-Allow-Headers", isPublic ? Self.publicFields : Self.ownFields),
        HTTPField("Access-Control-Max-Age", "86400"),
      ]
    } else {
      response.fields.append(Self.exposed)
    }
  }

  private static let publicFields =
    "Accept-Language, If-None-Match, X-Odi-Session, X-Odi-Slot, X-Odi-Sequence, traceparent"
  private static let ownFields =
    "Authorization, Content-Type, Idempotency-Key, If-Match, X-Odi-Request, " + publicFields
  private static let exposed = HTTPField(
    "Access-Control-Expose-Headers", "ETag, Link, RateLimit, RateLimit-Policy, Retry-After, Trace-Id")

  private static func isOfUsers(_ head: HTTPHead) -> Bool {
    head.hasPath("/v1/me") || head.hasPath(beginning: "/v1/me/") || head.hasPath(beginning: "/v1/sessions")
      || head.hasPath("/v1/reports")
  }

  private func isOwn(_ origin: String, _ request: HTTPRequest) -> Bool {
    if let own = manners.publicURL { return origin == own }
    guard let host = request["host"] else { return false }
    return origin == "http://\(host)" || origin == "https://\(host)"
  }
}

extension HTTPResponse.Tag {
  /// The tag that a flow knows, or one made of the body.
  nonisolated fileprivate var orOfBody: HTTPResponse.Tag { if case .none = self { .ofBody } else { self } }
}

extension WallTime {
  /// Without milliseconds, which nobody reads.
  nonisolated var inWholeSeconds: WallTime {
    WallTime(milliseconds: milliseconds - (milliseconds % 1_000 + 1_000) % 1_000)
  }
}
