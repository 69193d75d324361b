import Clocks
import EventLoops

/// One client's connection: carries out what its `HTTPConversation` says, on a `ByteStream`.
///
/// Requests are answered one at a time and in their order. While a handler waits, what else the client sends is kept
/// (one read at most) and reading pauses. The answers to everything that came in one read leave in one write.
final class HTTPConnection: ByteStreamHandler, HTTPOutput {
  let peer: SocketAddress
  /// The neighbours in the server's list of connections.
  var previous: HTTPConnection?
  var next: HTTPConnection?

  private let server: HTTPServer
  private let stream: any ByteStream
  private var conversation: HTTPConversation
  /// What came while an answer was awaited.
  private var kept: [UInt8] = []
  private var isReadingPaused = false
  private var isConsuming = false
  private var written = 0
  /// Who answers the request that is being read or answered.
  private var route: HTTPRoute?
  private var captures = SIMD8<UInt16>(repeating: 0)
  /// The answer that is known from the head alone.
  private var early: EarlyAnswer?
  /// The handler that waits.
  private var task: Task<Void, Never>?
  private var began = Instant(nanoseconds: 0)
  private var body: (any HTTPStreamBody)?

  /// Apart from the connection, because most have none and an answer is large.
  private final class EarlyAnswer {
    let response: HTTPResponse

    init(_ response: HTTPResponse) { self.response = response }
  }

  init(server: HTTPServer, stream: any ByteStream, now: Instant) {
    self.server = server
    self.stream = stream
    peer = stream.peer
    conversation = HTTPConversation(limits: server.limits, now: now)
  }

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
    if conversation.needsHead { conversation.parser.head = server.heads.take() }
    steps: while true {
      switch conversation.next(&input) {
      case .wait:
        break steps
      case .route:
        findRoute()
      case .proceed:
        if early != nil {
          // The body is not wanted, so it need not come.
          conversation.skipBody()
          dispatch(isLast: true)
        } else {
          server.claimEncoder(for: self)
          server.encoder.encodeContinue()
        }
      case .answer:
        dispatch(isLast: !conversation.parser.head.keepsAlive)
        // A client that waits for its answer is still heard, so that its going away is.
        if conversation.awaitsAnswer && input.isEmpty { break steps }
        if conversation.awaitsAnswer || isOverwhelmed() {
          pauseReading(keeping: input)
          break steps
        }
      case .refuse(let failure):
        refuse(Problem(failure))
      case .cutOff:
        stream.close(.violation("sent on after it was refused"))
        break steps
      }
    }
    isConsuming = false
    flush()
    giveHeadBack()
    conversation.settle(now: server.time.now)
  }

  /// The storage of heads is shared by all connections: one that waits for nothing holds none.
  private func giveHeadBack() {
    guard conversation.parser.isBetweenRequests, !conversation.awaitsAnswer else { return }
    server.heads.takeBack(&conversation.parser.head)
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
    giveHeadBack()
    if isReadingPaused {
      isReadingPaused = false
      stream.resumeReading()
    }
    if conversation.hasEnded { endedByClient() }
  }

  // MARK: Requests

  private func findRoute() {
    do {
      let (route, captures) = try server.route(conversation.parser.head)
      self.route = route
      self.captures = captures
      conversation.parser.bodyLimit = route.bodyLimit
    } catch {
      early = EarlyAnswer(server.answer(to: error, path: conversation.parser.head.rawPath))
    }
  }

  private func dispatch(isLast: Bool) {
    let request = HTTPRequest(
      head: conversation.parser.head, body: conversation.takeBody(), peer: peer, route: route, captures: captures)
    began = server.time.now
    if let response = early?.response ?? server.options.admit?(request) {
      return answer(server.decorated(response, request), isLast: isLast)
    }
    guard let route else { preconditionFailure("a request has a route or an answer") }
    switch route.handler {
    case .immediate(let handler):
      answer(server.answer(request, handler), isLast: isLast)
    case .suspending(let handler):
      begin(request, handler, isLast: isLast)
    }
  }

  private func begin(
    _ request: HTTPRequest, _ handler: @escaping @MainActor (HTTPRequest) async throws -> HTTPResponse, isLast: Bool
  ) {
    let task = Task.immediate { [self] in
      let response: HTTPResponse
      do {
        response = try await handler(request)
      } catch {
        response = server.answer(to: error, path: request.path)
      }
      // Cancelled: the client is gone, or was told that it took too long.
      guard !Task.isCancelled, conversation.awaitsAnswer else { return }
      answer(server.decorated(response, request), isLast: isLast)
      if !isConsuming { resume() }
    }
    if conversation.awaitsAnswer { self.task = task }
  }

  // MARK: Answers

  private func answer(_ response: HTTPResponse, isLast: Bool) {
    answer(response, to: conversation.parser.head, isLast: isLast)
  }

  /// Answers a request that cannot be understood, or not waited for, and ends the connection.
  private func refuse(_ problem: Problem) {
    answer(problem.response(base: server.options.problemBase), to: nil, isLast: true)
  }

  private func answer(_ response: HTTPResponse, to head: HTTPHead?, isLast: Bool) {
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
    server.note(response, head == nil ? nil : route, head, since: began)
    route = nil
    early = nil
    task = nil
    if case .stream(let body) = response.body, !context.isHead { return begin(body) }
    conversation.answered(isLast: isLast)
    if isLast || !isConsuming { flush() }
    if isLast { stream.finish() }
    if !isConsuming { conversation.settle(now: server.time.now) }
  }

  private func begin(_ body: any HTTPStreamBody) {
    flush()
    conversation.streams()
    server.heads.takeBack(&conversation.parser.head)
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
    task?.cancel()
    task = nil
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
    switch conversation.check(now: now, taken: written - queued, queued: queued) {
    case .fine:
      break
    case .tooLateToAsk:
      refuse(Problem(HTTPFailure.tooSlow))
    case .tooLateToAnswer:
      task?.cancel()
      refuse(Problem(.upstreamTimeout))
    case .close(let reason):
      stream.close(reason)
    }
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
