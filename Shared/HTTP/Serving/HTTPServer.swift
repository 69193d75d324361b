package import Clocks
package import EventLoops
import JSON
package import Observability

/// Serves a router's routes over HTTP/1.1.
///
///     let server = HTTPServer(router: router, time: EventLoop.time, log: log)
///     let address = try server.listen(on: .loopback(port: 8080))
///     …
///     await server.drain()
package final class HTTPServer {
  package struct Options {
    package var limits = HTTPLimits()
    package var safety = SafetyFields()
    package var compression = CompressionPolicy()
    /// What a problem's type begins with, before its slug.
    package var problemBase = "/problems/"
    /// Answers instead of the handler, if it returns an answer: rate limits, maintenance. A request that has a body is
    /// asked about before that comes, and has none yet.
    package var admit: ((HTTPRequest) -> HTTPResponse?)?
    /// Adds to every answer to a request that could be read: CORS, trace id, limits.
    package var decorate: ((HTTPRequest, inout HTTPResponse) -> Void)?
    /// Makes a problem of an error that is none: an RPC error's code, say. `nil` is 500, and logged.
    package var explain: ((any Error) -> Problem?)?
    /// Adds to every problem what no handler knows: a trace's id. Without a head, the request could not be read.
    package var complete: ((HTTPHead?, inout Problem) -> Void)?
    /// Hears of every answer, for metrics and the access log.
    package var observe: ((HTTPExchange) -> Void)?

    /// Whether an address is a proxy's that is trusted: many clients come from it, and the limit of one is not theirs.
    package var trusts: ((IPAddress) -> Bool)?

    package init() {}
  }

  package let router: HTTPRouter
  package private(set) var isDraining = false
  /// Open connections.
  package private(set) var connections = 0
  /// Connections that were closed at once because there were too many, in all or from one address.
  package private(set) var turnedAway = 0
  /// Bytes of bodies that are kept.
  package private(set) var heldBodyBytes = 0

  let options: Options
  let time: any TimeSource
  let encoder: ResponseEncoder
  var requests: RequestPool

  private let log: Log
  private var listeners: [Listener] = []
  private var first: HTTPConnection?
  private var perNetwork: [IPAddress: Int] = [:]
  /// Whose answers the encoder holds. A connection that goes is no longer named here.
  private unowned(unsafe) var encodingFor: HTTPConnection?
  private var isSweeping = false
  private var whenEmpty: (() -> Void)?

  package init(router: HTTPRouter, options: Options = Options(), time: any TimeSource, log: Log = .silent) {
    self.router = router
    self.options = options
    requests = RequestPool(limits: SharedLimits(options.limits))
    self.time = time
    self.log = log
    encoder = ResponseEncoder(safety: options.safety, compression: options.compression)
  }

  // MARK: Connections

  /// Listens on an address, and returns it with the port that was chosen if it had none.
  @discardableResult
  package func listen(on address: SocketAddress, options: ListenerOptions = ListenerOptions()) throws -> SocketAddress {
    var options = options
    // Whom to turn away is decided, counted and told in one place, which is `accept`.
    options.connectionLimit = .max
    options.stream.stall = self.options.limits.writeStall
    let listener = try Listener(on: address, options: options) { [self] in accept($0) }
    listeners.append(listener)
    return listener.address
  }

  /// Serves a connection that was made elsewhere: another listener's, or a test's.
  package func accept(_ stream: any ByteStream) {
    guard !isDraining else { return stream.close(.shutdown) }
    let network = limitedNetwork(of: stream.peer)
    guard connections < options.limits.connections else { return turnAway(stream, "all connections are taken") }
    guard network.map({ perNetwork[$0, default: 0] < options.limits.connectionsPerAddress }) ?? true else {
      return turnAway(stream, "its address has as many as one may; is it a proxy that is not trusted?")
    }
    if let network { perNetwork[network, default: 0] += 1 }
    let connection = HTTPConnection(server: self, stream: stream, isCounted: network != nil, now: time.now)
    connections += 1
    connection.next = first
    first?.previous = connection
    first = connection
    stream.handler = connection
    sweepLater()
  }

  /// Whose connections are counted together; nil for those of whom there may be any number.
  private func limitedNetwork(of peer: SocketAddress) -> IPAddress? {
    guard let ip = peer.ip, options.trusts?(ip) != true else { return nil }
    return ip.network
  }

  private func turnAway(_ stream: any ByteStream, _ why: String) {
    turnedAway += 1
    // The log lets through a few of these a second, and counts the rest.
    log.warning("a connection was turned away", ["peer": .string("\(stream.peer)"), "why": .string(why)])
    stream.close(.overLimit)
  }

  func forget(_ connection: HTTPConnection) {
    connections -= 1
    if connection.isCounted, let network = connection.peer.ip?.network {
      let left = perNetwork[network, default: 1] - 1
      perNetwork[network] = left > 0 ? left : nil
    }
    if encodingFor === connection {
      encoder.clear()
      encodingFor = nil
    }
    connection.previous?.next = connection.next
    connection.next?.previous = connection.previous
    if first === connection { first = connection.next }
    connection.previous = nil
    connection.next = nil
    if connections == 0 { whenEmpty?() }
  }

  // MARK: Time

  /// One look a second at every connection stands for a timer in each.
  private func sweepLater() {
    guard !isSweeping else { return }
    isSweeping = true
    time.after(.seconds(1)) { [self] in
      isSweeping = false
      let now = time.now
      each { $0.check(now: now) }
      if connections > 0 { sweepLater() }
    }
  }

  private func each(_ body: (HTTPConnection) -> Void) {
    var connection = first
    while let current = connection {
      connection = current.next
      body(current)
    }
  }

  /// Stops accepting, lets what runs come to its end, and returns when all connections are closed: at the latest when
  /// `HTTPLimits.drainTime` is over.
  package func drain() async {
    isDraining = true
    for listener in listeners { listener.close() }
    listeners = []
    each { $0.drain() }
    guard connections > 0 else { return }
    let timer = time.after(options.limits.drainTime) { [self] in each { $0.close(.shutdown) } }
    await withUnsafeContinuation { continuation in
      whenEmpty = { [self] in
        whenEmpty = nil
        continuation.resume()
      }
    }
    timer.cancel()
  }

  // MARK: Requests

  /// Finds the route of a request and reads its query, or throws the problem with it.
  func route(_ request: RequestInProgress) throws {
    let head = request.parser.head
    switch router.match(head) {
    case .found(let route, let captures):
      if let query = head.query {
        request.parameters = try QueryReader.strictly(head.bytes[query.range])
        if route.checksQuery { try QueryReader.check(request.parameters, against: route.query) }
      }
      request.route = route
      request.captures = captures
    case .otherMethods(let methods):
      throw OtherMethods(allowed: methods, wasAsked: head.method == .options)
    case .withoutSlash:
      throw Redirect(to: String(head.rawPath.dropLast()) + (head.rawQuery.map { "?\($0)" } ?? ""))
    case .nothing:
      throw Problem(.notFound, "there is nothing at this path")
    }
  }

  /// Counts what is kept of the request's body. False if all together is too much.
  func hold(_ request: RequestInProgress) -> Bool {
    let more = request.body.count - request.heldBytes
    guard more > 0 else { return true }
    heldBodyBytes += more
    request.heldBytes += more
    return heldBodyBytes <= options.limits.heldBodyBytes
  }

  /// The request is answered, or nobody waits for it.
  func release(_ request: RequestInProgress) {
    heldBodyBytes -= request.heldBytes
    request.heldBytes = 0
  }

  /// The answer to a request whose body is one too many; what was kept of it is dropped.
  func overloaded(_ request: RequestInProgress) -> HTTPResponse {
    release(request)
    request.body = []
    let problem = Problem(
      .overloaded, "too much is being sent to us at the moment; try again", fields: [HTTPField("Retry-After", "1")])
    return answer(problem, to: request.parser.head)
  }

  func answer(_ request: HTTPRequest, _ handler: @MainActor (HTTPRequest) throws -> HTTPResponse) -> HTTPResponse {
    do {
      return decorated(try handler(request), request)
    } catch {
      return decorated(answer(to: error, request.head), request)
    }
  }

  func answer(to error: any Error, _ head: HTTPHead) -> HTTPResponse {
    switch error {
    case let error as OtherMethods where error.wasAsked: .noContent.with("Allow", error.list)
    case let error as Redirect: .redirect(.permanentRedirect, to: error.to)
    default: answer(problem(of: error), to: head)
    }
  }

  private func problem(of error: any Error) -> Problem {
    switch error {
    case let error as OtherMethods: return error.problem
    case let problem as Problem: return problem
    case let issues as JSONIssues: return Problem(issues)
    default: break
    }
    if let problem = options.explain?(error) { return problem }
    // The cause stays here; the client gets only that it was our fault.
    if !(error is CancellationError) { log.error("a handler failed", ["error": "\(error)"]) }
    return Problem(.internal)
  }

  /// A problem as it is answered. Without a head, the request could not be read, or did not come in time.
  func answer(_ problem: Problem, to head: HTTPHead?) -> HTTPResponse {
    var problem = problem
    options.complete?(head, &problem)
    return problem.response(base: options.problemBase, instance: head?.rawPath)
  }

  func decorated(_ response: consuming HTTPResponse, _ request: HTTPRequest) -> HTTPResponse {
    options.decorate?(request, &response)
    return response
  }

  /// Tells of an answer. Without a head, the request could not be read, or did not come in time.
  func note(_ response: HTTPResponse, to head: HTTPHead?, _ request: RequestInProgress?) {
    guard let observe = options.observe else { return }
    let took = head == nil ? .zero : request.map { time.now - $0.began } ?? .zero
    observe(HTTPExchange(method: head?.method, route: request?.route, status: response.status, took: took))
  }

  // MARK: Answers

  /// The encoder gathers the answers of one connection at a time.
  func claimEncoder(for connection: HTTPConnection) {
    guard encodingFor !== connection else { return }
    encodingFor?.flush()
    encodingFor = connection
  }

  func encoderIsFor(_ connection: HTTPConnection) -> Bool { encodingFor === connection }

  /// Encodes an answer; what it returns is to be sent after what the encoder holds.
  func encode(_ response: HTTPResponse, to head: HTTPHead?, _ context: ResponseEncoder.Context) -> [UInt8]? {
    let now = time.now
    if encoder.isStale(now) { encoder.refresh(now: now, wall: time.wall) }
    if !response.fields.allSatisfy(\.isSafe) {
      let field = response.fields.first { !$0.isSafe }
      // A value that came from outside must not become a field of its own.
      log.error("an answer was replaced: a field of it holds control characters", ["name": "\(field?.name ?? "")"])
      return encoder.encode(answer(Problem(.internal), to: head), to: head, context)
    }
    return encoder.encode(response, to: head, context)
  }
}

/// What is told of an answered request.
nonisolated package struct HTTPExchange {
  /// `nil` if the request could not be read.
  package let method: HTTPMethod?
  package let route: HTTPRoute?
  package let status: HTTPStatus
  /// From the request's last byte to its answer.
  package let took: Duration
}

/// There is something at the path, and it takes other methods.
private struct OtherMethods: Error {
  let allowed: [HTTPMethod]
  let wasAsked: Bool

  var list: String {
    var methods = Set(allowed).union([.options])
    if methods.contains(.get) { methods.insert(.head) }
    return HTTPMethod.allCases.filter(methods.contains).map(\.rawValue).joined(separator: ", ")
  }

  var problem: Problem {
    let list = list
    return Problem(.methodNotAllowed, "use one of \(list)", fields: [HTTPField("Allow", list)])
  }
}

private struct Redirect: Error {
  let to: String
}

extension IPAddress {
  /// What counts as one client: an IPv4 address, or the /64 that an IPv6 site gets.
  nonisolated fileprivate var network: IPAddress { isV4 ? self : IPAddress(v6: high, 0) }
}
