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
  /// Who is answered with a refusal.
  package var bans = Bans()

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
      let query = endpoint.query.map { QueryParameter($0.name, $0.summary, words: $0.words) }
      let limit = endpoint.body?.bytesMax ?? Self.uselessBodyMax
      // What an endpoint does not take is refused before it; what it takes it reads, and says all that is wrong at once.
      router.on(
        endpoint.method, endpoint.path, query: query, checksQuery: query.isEmpty, summary: endpoint.summary,
        bodyLimit: limit, admit: { [self] request in try admit(request, endpoint) },
        replying: { [self] reply in receive(reply, endpoint) })
    }
  }

  /// What answers where nothing else does, of what reads its type before any other's.
  func registerElsewhere(_ endpoint: Endpoint, outside prefix: String, on router: inout HTTPRouter) {
    router.elsewhere(
      endpoint.method, query: endpoint.query.map { QueryParameter($0.name, $0.summary, words: $0.words) },
      checksQuery: endpoint.query.isEmpty, summary: endpoint.summary, bodyLimit: Self.uselessBodyMax,
      takes: { head in
        let path = head.rawPath
        guard path != prefix, !path.hasPrefix(prefix + "/"), let accept = head["accept"] else { return false }
        return AcceptedTypes(accept).names(anyOf: endpoint.types)
      }, replying: { [self] reply in receive(reply, endpoint) })
  }

  /// A body where none is taken is read and dropped up to this.
  private static let uselessBodyMax = 4 << 10

  // MARK: One request

  /// One request on its way through the desk. One object, because it is handed through many hands.
  private final class Visit {
    let endpoint: Endpoint
    let asking: Asking
    let question: Question
    let span: Span
    /// Whether the answer may serve others.
    let isShared: Bool
    /// Whether it is so much of one asker that hardly anybody asks the same.
    let isOwn: Bool
    /// How much had changed of what kept answers are made of when it came.
    let changes: Int

    init(_ asking: Asking, _ endpoint: Endpoint, _ span: Span, _ cache: AnswerCache) {
      self.endpoint = endpoint
      self.asking = asking
      self.span = span
      let query = asking.asked.parameters
      question = Question(
        path: asking.path.isEmpty ? endpoint.path : asking.request.path, language: asking.language, query: query)
      isShared = endpoint.isShared && asking.user == nil
      isOwn = isShared && AnswerKey.isOwn(query)
      changes = cache.changes
    }

    nonisolated deinit {}
  }

  /// Answers at once or from an event where that can be; whatever has to wait gets a task.
  private func receive(_ reply: HTTPReply, _ endpoint: Endpoint) {
    let request = reply.request
    let span = begin(endpoint.name, request.head)
    do {
      let path = try request.pathParameters()
      let presented = try welcome(request, endpoint)
      let asking = try asking(request, path, endpoint, presented, span)
      guard try isVouchedFor(presented, asking, endpoint) else {
        return reply.begin { [self] in
          try await follow(span, endpoint) {
            try await identify(presented, asking, endpoint)
            let visit = Visit(asking, endpoint, span, cache)
            return if let kept = try kept(visit) { kept } else { try await answer(visit) }
          }
        }
      }
      let visit = Visit(asking, endpoint, span, cache)
      if let kept = try kept(visit) {
        reply.answer(closed(kept, span))
      } else if try !begin(visit, reply) {
        reply.begin { [self] in try await follow(span, endpoint) { try await answer(visit) } }
      }
    } catch {
      reply.fail(closed(error, span, endpoint))
    }
  }

  /// Refuses by the head alone: who is not answered whatever the body says need not send it.
  private func admit(_ request: HTTPRequest, _ endpoint: Endpoint) throws {
    do {
      let presented = try welcome(request, endpoint)
      if endpoint.access == .user, let presented { _ = try sessions.vouch(for: presented.token) }
    } catch {
      throw closed(error, begin(endpoint.name, request.head), endpoint)
    }
  }

  private func begin(_ name: String, _ head: HTTPHead) -> Span {
    traces.begin(name, .server, from: head["traceparent"].flatMap { TraceContext(traceparent: $0) }, at: time.now)
  }

  /// Runs what waits, within the request's span.
  @inline(__always)
  private func follow(
    _ span: Span, _ endpoint: Endpoint, _ work: () async throws -> HTTPResponse
  ) async throws -> HTTPResponse {
    do {
      return closed(try await Span.$current.withValue(span, operation: work), span)
    } catch {
      throw closed(error, span, endpoint)
    }
  }

  private func closed(_ response: consuming HTTPResponse, _ span: Span) -> HTTPResponse {
    response.fields.append(HTTPField("Trace-Id", span.context.traceID.description))
    span.end(at: time.now)
    return response
  }

  private func closed(_ error: any Error, _ span: Span, _ endpoint: Endpoint) -> Problem {
    var problem = error as? Problem ?? (error as? JSONIssues).map { Problem($0) } ?? Problem(RPCError(handler: error))
    if problem.kind == .internal {
      log.error("a request failed", ["route": .string(endpoint.path), "error": "\(error)"])
    }
    end(span, with: &problem)
    return problem
  }

  /// Gives a problem that no endpoint told a trace of its own: an unknown path, a method or a body that is not taken.
  func complete(_ problem: inout Problem, _ head: HTTPHead?) {
    guard !problem.extensions.contains(where: { $0.name == Self.traceMember }) else { return }
    let span = head.map { begin("refused", $0) } ?? traces.begin("refused", .server, at: time.now)
    end(span, with: &problem)
  }

  private func end(_ span: Span, with problem: inout Problem) {
    let trace = span.context.traceID.description
    problem.extensions.append((Self.traceMember, .string(trace)))
    problem.fields.append(HTTPField("Trace-Id", trace))
    span.end(at: time.now, error: problem.status.rawValue >= 500 ? problem.kind.rawValue : nil)
  }

  private static let traceMember = "trace_id"

  // MARK: Coming in

  /// Who asks, where that matters, once the head says nothing that is refused.
  private func welcome(_ request: HTTPRequest, _ endpoint: Endpoint) throws -> Sessions.Presented? {
    if let accept = request["accept"] { try check(accept, endpoint) }
    let presented = try presented(request, endpoint)
    if endpoint.access == .user, presented == nil { throw Problem.noSession }
    // A form on another site can send our cookie along, but no field of its own.
    if let presented, presented.isCookie, request.method != .get, request.method != .head,
      request["x-odi-request"] != "1"
    {
      throw Problem(.forbidden, "send X-Odi-Request: 1 with what a cookie signs for")
    }
    return presented
  }

  private func check(_ accept: String, _ endpoint: Endpoint) throws {
    // What nearly every client says.
    guard accept != "*/*", !endpoint.types.isEmpty, !AcceptedTypes(accept).takes(anyOf: endpoint.types) else { return }
    let types = endpoint.types.joined(separator: " or ")
    throw Problem(.notAcceptable, "this is answered as \(types); send that as Accept, or no Accept at all")
  }

  private func asking(
    _ request: HTTPRequest, _ path: [String], _ endpoint: Endpoint, _ presented: Sessions.Presented?, _ span: Span
  ) throws -> Asking {
    let query = request.query
    return Asking(
      request: request, path: path, asked: query, language: language(of: request, query), user: presented?.token.user,
      tokenIssuedAt: presented?.token.issuedAt, hasCookie: presented?.isCookie ?? false,
      deadline: time.now + manners.patience,
      mark: endpoint.method == .get ? try supersession.mark(of: request) : nil,
      trace: span.context, client: client(of: request), time: time, zones: zones, posters: posters,
      publicURL: manners.publicURL,
      takesLanguage: endpoint.takesLanguage)
  }

  /// Whether we know enough of who asks: nobody in particular, or a user of whom Bookmarks has told lately.
  private func isVouchedFor(
    _ presented: Sessions.Presented?, _ asking: Asking, _ endpoint: Endpoint
  ) throws -> Bool {
    guard let presented else { return true }
    do {
      try admit(presented, asking)
      return try sessions.vouch(for: presented.token)
    } catch {
      try takeForStranger(asking, endpoint, error)
      return true
    }
  }

  private func identify(
    _ presented: Sessions.Presented?, _ asking: Asking, _ endpoint: Endpoint
  ) async throws {
    guard let presented else { return }
    do {
      try await sessions.check(presented.token, asking.options)
    } catch {
      try takeForStranger(asking, endpoint, error)
    }
  }

  /// Who comes with a session that does not hold is answered as anybody is, where anybody is answered.
  private func takeForStranger(_ asking: Asking, _ endpoint: Endpoint, _ error: any Error) throws {
    let problem = error as? Problem ?? (error as? RPCError).map { Problem($0) }
    guard endpoint.access == .maybeUser, problem?.kind == .unauthenticated else { throw error }
    asking.user = nil
  }

  // MARK: Answering

  /// What was answered to others, if it still holds.
  private func kept(_ visit: Visit) throws -> HTTPResponse? {
    // An endpoint with no parameter but `lang` never reads its query: unknown names are refused here.
    if visit.endpoint.isShared, visit.endpoint.query.count == 1 { try visit.asking.query.finish() }
    // Who has a session is never given a kept answer while there is a better one: only when a service is away.
    guard visit.isShared, !visit.isOwn, cache.isOn, let kept = cache.fresh(visit.question.key) else { return nil }
    if let mark = visit.asking.mark { try supersession.pass(mark) }
    return kept
  }

  /// Begins what needs no task. False if there is no such way, or not for this request.
  private func begin(_ visit: Visit, _ reply: HTTPReply) throws -> Bool {
    guard visit.asking.mark == nil, let begin = visit.endpoint.direct else { return false }
    let call = try begin(visit.asking) { [self] ending in
      switch ending {
      case .answered(let answer): reply.answer(closed(finished(answer, visit), visit.span))
      case .failed(let error):
        if let kept = lastGood(visit, after: error) {
          reply.answer(closed(kept, visit.span))
        } else {
          reply.fail(closed(error, visit.span, visit.endpoint))
        }
      case .needsMore:
        reply.begin { [self] in try await follow(visit.span, visit.endpoint) { try await answer(visit) } }
      }
    }
    guard let call else { return false }
    reply.abandoned = { call.cancel() }
    return true
  }

  // One function in the end: each that a request goes through and comes back through takes its time twice.
  @inline(__always)
  private func answer(_ visit: Visit) async throws -> HTTPResponse {
    do {
      let (flow, asking) = (visit.endpoint.flow, visit.asking)
      let answer: Answer
      if let mark = asking.mark {
        answer = try await supersession.run(mark) { try await flow(asking) }
      } else {
        answer = try await flow(asking)
      }
      return finished(answer, visit)
    } catch {
      guard let kept = lastGood(visit, after: error) else { throw error }
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

  /// With the fields that tell who may keep it and for whom it is; and kept, if it may serve others.
  private func finished(_ answer: consuming Answer, _ visit: Visit) -> HTTPResponse {
    if answer.yieldsToKept, let kept = lastGood(visit) { return kept }
    dress(&answer, visit, isShared: visit.isShared)
    guard !answer.isPartial, answer.response.status == .ok, !visit.isOwn || cache.takesOwn() else {
      return answer.response
    }
    if visit.isShared {
      cache.keep(answer.response, madeOf: answer.sources, for: visit.question.key, since: visit.changes)
    } else if let write = answer.forAnybody, case let key = visit.question.key, cache.wants(key),
      key.isShared || cache.takesOwn()
    {
      // Who has a session stands before the same when a service is away.
      var other = Answer(write(), madeOf: answer.sources)
      dress(&other, visit, isShared: true)
      cache.keep(other.response, madeOf: other.sources, for: key, since: visit.changes)
    }
    return answer.response
  }

  @inline(__always)
  private func dress(_ answer: inout Answer, _ visit: Visit, isShared: Bool) {
    let endpoint = visit.endpoint
    answer.response.fields.reserveCapacity(answer.response.fields.count + Self.ownFieldsMax)
    if answer.response["Cache-Control"] == nil {
      answer.response.fields.append(isShared && !answer.isPartial ? Self.forAMinute : Self.forNobodyElse)
      if isShared, !answer.isPartial { answer.response.tag = answer.response.tag.orOfBody }
    }
    if answer.isPartial { answer.response.fields.append(Self.partial) }
    if endpoint.isShared {
      answer.response.fields.append(Self.byLanguage)
      if let language = visit.asking.language {
        answer.response.fields.append(HTTPField("Content-Language", language.rawValue))
      }
    }
  }

  private static let forAMinute = HTTPField("Cache-Control", CacheControl.minute.rawValue)
  private static let forNobodyElse = HTTPField("Cache-Control", CacheControl.never.rawValue)
  /// For who keeps answers: a whole one that is kept is worth more.
  private static let partial = HTTPField("X-Odi-Partial", "1")
  private static let byLanguage = HTTPField("Vary", "Accept-Language")

  /// What the desk adds to an answer, usually.
  private static let ownFieldsMax = 8

  private func lastGood(_ visit: Visit, after error: any Error) -> HTTPResponse? {
    let problem = error as? Problem ?? (error as? RPCError).map { Problem($0) }
    return problem?.mayServeStale == true ? lastGood(visit) : nil
  }

  /// What was answered when the service that is away was there.
  private func lastGood(_ visit: Visit) -> HTTPResponse? {
    guard visit.endpoint.isShared, let (response, asOf) = cache.lastGood(visit.question.key) else { return nil }
    return response.markedStale(asOf: Timestamp(asOf.inWholeSeconds).description)
  }

  // MARK: Who asks

  /// The session that a request comes with, if the endpoint asks for one. Who only gets something marked for having one
  /// is answered as a stranger with a session that has ended.
  private func presented(_ request: HTTPRequest, _ endpoint: Endpoint) throws -> Sessions.Presented? {
    switch endpoint.access {
    case .everybody: nil
    case .maybeUser: try? sessions.token(of: request)
    case .user: try sessions.token(of: request)
    }
  }

  private func admit(_ presented: Sessions.Presented, _ asking: Asking) throws {
    let standing = users.take(presented.token.user, now: time.now)
    guard standing.isAllowed else {
      var refusal = standing.refusal
      refusal.fields += standing.fields("user", manners.perUser)
      throw refusal
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
      return answer(Problem(.overloaded, maintenance, fields: [HTTPField("Retry-After", "60")]), request)
    }
    guard let network = client(of: request).network else { return nil }
    if let refusal = bans.refusal(of: network, now: time.wall) { return answer(refusal, request) }
    let standing = addresses.take(network, now: time.now)
    return standing.isAllowed ? nil : answer(standing.refusal, request)
  }

  private func answer(_ refusal: Problem, _ request: HTTPRequest) -> HTTPResponse {
    var refusal = refusal
    complete(&refusal, request.head)
    return refusal.response(instance: request.path)
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
