import Clocks
import EventLoops

/// One client's connection: carries out what its `HTTPConversation` says, on a `ByteStream`.
///
/// Requests are answered one at a time and in their order. While a handler waits, what else the client sends is kept
/// (one read at most) and reading pauses. The answers to everything that came in one read leave in one write.
final class HTTPConnection: ByteStreamHandler, HTTPOutput {
  /// The neighbours in the server's list of connections.
  var previous: HTTPConnection?
  var next: HTTPConnection?

  private let server: HTTPServer
  private let stream: any ByteStream
  private var conversation: HTTPConversation
  /// What came while an answer was awaited.
  private var kept: [UInt8] = []
  private var isReadingPaused = false
  /// Whether it counts towards those of its address.
  let isCounted: Bool
  private var isConsuming = false
  private var written = 0
  private var body: (any HTTPStreamBody)?

  init(server: HTTPServer, stream: any ByteStream, isCounted: Bool, now: Instant) {
    self.isCounted = isCounted
    self.server = server
    self.stream = stream
    conversation = HTTPConversation(now: now)
  }

  var peer: SocketAddress { stream.peer }

  // MARK: Bytes that come

  func received(_ bytes: UnsafeRawBufferPointer) {
    if conversation.awaitsAnswer || !kept.isEmpty {
      pauseReading(keeping: bytes)
    } else {
      consume(bytes)
    }
  }

  private func pauseReading(keeping bytes: UnsafeRawBufferPointer) {
    kept.append(contentsOf: bytes)
    guard !isReadingPaused else { return }
    isReadingPaused = true
    stream.pauseReading()
  }

  private func consume(_ bytes: UnsafeRawBufferPointer) {
    var input = bytes
    isConsuming = true
    if conversation.wantsRequest { conversation.request = server.requests.take() }
    steps: while true {
      let step = conversation.next(&input, server.options.limits)
      if let request = conversation.request, !server.hold(request) {
        answerEarly(server.overloaded(request))
        continue
      }
      switch step {
      case .wait:
        break steps
      case .route:
        findRoute()
      case .proceed:
        if conversation.request?.early != nil {
          answerEarly()
        } else {
          server.claimEncoder(for: self)
          server.encoder.encodeContinue()
        }
      case .answer:
        dispatch(isLast: false)
        // A client that waits for its answer is still heard, so that its going away is.
        if conversation.awaitsAnswer && input.isEmpty { break steps }
        if conversation.awaitsAnswer || isOverwhelmed() {
          pauseReading(keeping: input)
          break steps
        }
      case .refuse(.bodyTooLong) where conversation.request?.isRouted == true:
        refuseBody()
      case .refuse(let failure):
        refuse(Problem(failure))
      case .cutOff:
        stream.close(.violation("sent on after it was refused"))
        break steps
      }
    }
    isConsuming = false
    flush()
    rest()
    conversation.settle(now: server.time.now)
  }

  /// A connection that waits for nothing holds nothing.
  private func rest() {
    guard conversation.isAtRest, let request = conversation.request else { return }
    conversation.request = nil
    server.requests.giveBack(request)
  }

  /// A client that asks and does not read is not asked for more until it does.
  private func isOverwhelmed() -> Bool {
    guard server.encoder.output.count > Self.gatheredMax || stream.isOverHighWater else { return false }
    flush()
    return stream.isOverHighWater
  }

  private static let gatheredMax = 64 << 10

  /// Goes on with what was kept, when the client may be listened to again.
  private func resume() {
    guard !conversation.awaitsAnswer, !isConsuming, !stream.isOverHighWater else { return }
    if !kept.isEmpty {
      let bytes = kept
      kept = []
      bytes.withUnsafeBytes { consume($0) }
      guard kept.isEmpty, !conversation.awaitsAnswer else { return }
    }
    rest()
    if isReadingPaused {
      isReadingPaused = false
      stream.resumeReading()
    }
    if conversation.hasEnded { endedByClient() }
  }

  // MARK: Requests

  private func findRoute() {
    guard let request = conversation.request else { return }
    do {
      try server.route(request)
      request.parser.bodyLimit = request.route?.bodyLimit ?? 0
    } catch {
      request.early = server.answer(to: error, request.parser.head)
    }
    // Who is not let in need not send a body, nor we keep one.
    if request.parser.expectsBody { admit(request) }
    if request.early != nil { request.parser.bodyLimit = server.options.limits.unwantedBodyBytes }
  }

  /// Asks before the body comes: those who may refuse any request first, then the request's own route.
  private func admit(_ request: RequestInProgress) {
    if let admit = server.options.admit {
      request.isAdmitted = true
      if let refusal = admit(whole(request)) { request.early = refusal }
    }
    guard request.early == nil, let admit = request.route?.admit else { return }
    do { try admit(whole(request)) } catch { request.early = server.answer(to: error, request.parser.head) }
  }

  private func whole(_ request: RequestInProgress) -> HTTPRequest {
    HTTPRequest(
      head: request.parser.head, body: request.takeBody(), peer: stream.peer, route: request.route,
      captures: request.captures, parameters: request.parameters)
  }

  /// Answers without the rest of the body, which need not come.
  private func answerEarly(_ response: HTTPResponse? = nil) {
    if let response { conversation.request?.early = response }
    conversation.skipBody()
    dispatch(isLast: true)
  }

  private func dispatch(isLast: Bool) {
    guard let current = conversation.request else { return }
    let head = current.parser.head
    let isLast = isLast || !head.keepsAlive
    let request = whole(current)
    current.began = server.time.now
    // Also who asks for what is not there is counted, and told to wait.
    let refusal = current.isAdmitted ? nil : server.options.admit?(request)
    if let response = refusal ?? current.early {
      return answer(server.decorated(response, request), to: head, isLast: isLast)
    }
    switch current.route?.handler {
    case .immediate(let handler):
      answer(server.answer(request, handler), to: head, isLast: isLast)
    case .replying(let handler):
      let reply = HTTPReply(request, on: self, isLast: isLast)
      current.reply = reply
      handler(reply)
    case nil:
      preconditionFailure("a request has a route or an answer")
    }
  }

  // MARK: Answers

  func answer(_ reply: HTTPReply, _ response: consuming HTTPResponse) {
    // It may have been refused meanwhile, for other reasons.
    guard conversation.awaitsAnswer else { return }
    server.options.decorate?(reply.request, &response)
    answer(&response, to: reply.request.head, isLast: reply.isLast)
    if !isConsuming { resume() }
  }

  func fail(_ reply: HTTPReply, _ error: any Error) {
    answer(reply, server.answer(to: error, reply.request.head))
  }

  /// A body that is longer than its route takes, or than is read over for one that is refused anyway.
  private func refuseBody() {
    guard let request = conversation.request else { return }
    var problem = Problem(HTTPFailure.bodyTooLong)
    problem.detail = "the body is too long; at most \(request.parser.bodyLimit) bytes are taken here"
    answerEarly(request.early ?? server.answer(problem, to: request.parser.head))
  }

  /// Answers a request that cannot be understood, or did not come in time, and ends the connection.
  private func refuse(_ problem: Problem) {
    answer(server.answer(problem, to: nil), to: nil, isLast: true)
  }

  private func answer(_ response: consuming HTTPResponse, to head: HTTPHead?, isLast: Bool) {
    answer(&response, to: head, isLast: isLast)
  }

  /// Takes the body away, whose storage serves the next answer.
  private func answer(_ response: inout HTTPResponse, to head: HTTPHead?, isLast: Bool) {
    let isStream = if case .stream = response.body { true } else { false }
    let isLast = isLast || isStream || server.isDraining
    let context = ResponseEncoder.Context(
      isHead: head?.method == .head, minorVersion: head?.minorVersion ?? 1, keepsAlive: !isLast)
    server.claimEncoder(for: self)
    if let large = server.encode(response, to: head, context) {
      flush()
      written += large.count
      stream.write(large)
    }
    server.note(response, to: head, conversation.request)
    if let request = conversation.request {
      server.release(request)
      request.wasAnswered()
    }
    if case .stream(let body) = response.body, !context.isHead { return begin(body) }
    SpareBody.takeBack(from: &response)
    conversation.answered(isLast: isLast)
    if isLast || !isConsuming { flush() }
    if isLast {
      conversation.request = nil
      stream.finish()
    }
    if !isConsuming { conversation.settle(now: server.time.now) }
  }

  private func begin(_ body: any HTTPStreamBody) {
    flush()
    conversation.streams()
    conversation.settle(now: server.time.now)
    if let request = conversation.request { server.requests.giveBack(request) }
    conversation.request = nil
    self.body = body
    body.began(self)
    if server.isDraining { body.draining() }
  }

  /// Hands what was encoded for this connection to its stream.
  func flush() {
    guard server.encoderIsFor(self), !server.encoder.output.isEmpty else { return }
    written += server.encoder.output.count
    server.encoder.output.withUnsafeBytes { stream.write($0) }
    server.encoder.clear()
  }

  // MARK: A streamed body

  func write(_ bytes: UnsafeRawBufferPointer) {
    guard conversation.isStreaming else { return }
    written += bytes.count
    stream.write(bytes)
  }

  var queuedBytes: Int { stream.queuedBytes }

  func finish() {
    guard conversation.isStreaming else { return }
    conversation.saysFarewell()
    conversation.settle(now: server.time.now)
    stream.finish()
  }

  func reset() { stream.close(.broken("reset by the answer's body")) }

  // MARK: What happens to the stream

  func drained() { resume() }

  func ended(_ stream: any ByteStream) {
    conversation.hasEnded = true
    if !conversation.awaitsAnswer, kept.isEmpty { endedByClient() }
  }

  /// The client has said its last word and has every answer, though perhaps not yet read it.
  private func endedByClient() {
    if stream.queuedBytes == 0 || conversation.isStreaming {
      stream.close(.endedByPeer)
    } else if conversation.situation != .farewell {
      conversation.saysFarewell()
      conversation.settle(now: server.time.now)
      stream.finish()
    }
  }

  func closed(_ reason: StreamEnd) {
    conversation.isOver()
    if let request = conversation.request {
      server.release(request)
      request.reply?.abandon()
    }
    conversation.request = nil
    kept = []
    server.forget(self)
    let body = body
    self.body = nil
    body?.ended()
  }

  // MARK: What the server says

  /// Once a second.
  func check(now: Instant) {
    let queued = stream.queuedBytes
    switch conversation.check(now: now, taken: written - queued, queued: queued, server.options.limits) {
    case .fine:
      break
    case .tooLateToAsk:
      refuse(Problem(HTTPFailure.tooSlow))
    case .tooLateToAnswer:
      answerTooLate()
    case .close(let reason):
      stream.close(reason)
    }
  }

  /// The handler had its time: its client is answered without it.
  private func answerTooLate() {
    guard let reply = conversation.request?.reply else { return }
    reply.abandon()
    let problem = server.answer(Problem(.upstreamTimeout), to: reply.request.head)
    answer(server.decorated(problem, reply.request), to: reply.request.head, isLast: true)
  }

  /// The server drains: who waits for nothing is let go, others after their answer.
  func drain() {
    switch conversation.situation {
    case .fresh, .idle: stream.close(.shutdown)
    case .streaming: body?.draining()
    case .head, .body, .answering, .farewell, .over: break
    }
  }

  func close(_ reason: StreamEnd) { stream.close(reason) }
}
