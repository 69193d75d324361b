import Clocks
import EventLoops

/// One connection's conversation without its socket, clock and handlers: whose turn it is, and until when.
///
/// Bytes and events go in, steps come out. `HTTPConnection` carries them out.
struct HTTPConversation {
  /// What is to be done next.
  enum Step {
    /// Nothing until more bytes come.
    case wait
    /// The head is there: find the route, set the parser's `bodyLimit`.
    case route
    /// Send `100 Continue`.
    case proceed
    /// The request is whole: answer it.
    case answer
    /// Say why, and that it is over.
    case refuse(HTTPFailure)
    /// The client sends on after it was refused, and too much.
    case cutOff
  }

  /// What a look at the clock says.
  enum Verdict: Equatable {
    case fine
    /// The request did not arrive in time: 408.
    case tooLateToAsk
    /// The handler did not answer in time: 504.
    case tooLateToAnswer
    case close(StreamEnd)
  }

  /// What the connection is in the middle of.
  enum Situation: Equatable {
    /// Nothing has come yet.
    case fresh
    /// Between two requests.
    case idle
    case head
    case body
    /// The handler has the request.
    case answering
    /// The answer is a stream.
    case streaming
    /// The last answer is given; what still comes is thrown away.
    case farewell
    case over
  }

  /// The request that is being read or answered. The owner puts one there when `wantsRequest`, and takes it away when
  /// there is none to read.
  var request: RequestInProgress?
  /// The other side has sent its last byte; it may still read.
  var hasEnded = false

  private var turn = Turn.client
  private var requests = 0
  private var discarded = 0

  private var settled = (situation: Situation.fresh, requests: 0)
  private var since: Instant
  private var lastTaken = 0
  private var stalledSince: Instant?

  private enum Turn { case client, handler, stream, farewell, over }

  init(now: Instant) { since = now }

  var situation: Situation {
    switch turn {
    case .client:
      guard let request, !request.parser.isBetweenRequests else { return requests == 0 ? .fresh : .idle }
      return request.parser.isInHead ? .head : .body
    case .handler: return .answering
    case .stream: return .streaming
    case .farewell: return .farewell
    case .over: return .over
    }
  }

  /// Whether bytes that come now belong to a request.
  var wantsRequest: Bool { turn == .client && request == nil }
  /// Whether an answer must be given before the next request is read.
  var awaitsAnswer: Bool { turn == .handler }
  var isStreaming: Bool { turn == .stream }
  /// Whether the request in progress is none: answered, and no byte of another has come.
  var isAtRest: Bool { turn == .client && request?.parser.isBetweenRequests == true }

  // MARK: Bytes

  mutating func next(_ input: inout UnsafeRawBufferPointer, _ limits: HTTPLimits) -> Step {
    guard turn == .client, let request else { return turn == .handler ? .wait : discard(&input, limits) }
    while true {
      switch request.parser.next(&input) {
      case .needMore: return .wait
      case .head: return .route
      case .proceed: return .proceed
      case .body(let piece):
        // Of a body that nobody will look at, only its length matters.
        if request.early == nil { request.body.append(contentsOf: piece) }
        request.bodyBytes += piece.count
      case .end:
        turn = .handler
        requests += 1
        return .answer
      case .failure(let failure):
        turn = .handler
        return .refuse(failure)
      }
    }
  }

  /// A refused client gets to read the refusal before the connection breaks, so its bytes are taken, up to a limit.
  private mutating func discard(_ input: inout UnsafeRawBufferPointer, _ limits: HTTPLimits) -> Step {
    discarded += input.count
    input = UnsafeRawBufferPointer(start: nil, count: 0)
    return discarded > limits.lingerBytes ? .cutOff : .wait
  }

  // MARK: Turns

  /// The refused rest of a request whose head alone is answered.
  mutating func skipBody() { turn = .handler }

  mutating func answered(isLast: Bool) { turn = isLast ? .farewell : .client }
  mutating func streams() { turn = .stream }
  mutating func saysFarewell() { turn = .farewell }
  mutating func isOver() { turn = .over }

  // MARK: Times

  /// Notes when the present situation began. To be called after bytes and answers.
  mutating func settle(now: Instant) {
    let situation = situation
    guard situation != settled.situation || requests != settled.requests else { return }
    settled = (situation, requests)
    since = now
  }

  /// - Parameters:
  ///   - taken: bytes that the client's side has taken so far
  ///   - queued: bytes that wait for it
  mutating func check(now: Instant, taken: Int, queued: Int, _ limits: HTTPLimits) -> Verdict {
    if isStalled(now: now, taken: taken, queued: queued, limits) { return .close(.tooSlow) }
    let waited = now - since
    switch settled.situation {
    case .fresh:
      return waited >= limits.headTime ? .close(.done) : .fine
    case .idle:
      return waited >= limits.idleTime && queued == 0 ? .close(.done) : .fine
    case .head:
      return waited >= limits.headTime ? .tooLateToAsk : .fine
    case .body:
      let least = Double(limits.bodyRate) * waited.inSeconds
      let isTrickle = waited > limits.bodyGrace && Double(request?.bodyBytes ?? 0) < least
      return waited >= limits.bodyTime || isTrickle ? .tooLateToAsk : .fine
    case .answering:
      return waited >= limits.replyTime ? .tooLateToAnswer : .fine
    case .farewell:
      return (waited >= limits.lingerTime || hasEnded) && queued == 0 ? .close(.done) : .fine
    case .streaming, .over:
      return .fine
    }
  }

  private mutating func isStalled(now: Instant, taken: Int, queued: Int, _ limits: HTTPLimits) -> Bool {
    guard queued > 0, taken == lastTaken, let stalledSince else {
      lastTaken = taken
      stalledSince = queued > 0 ? now : nil
      return false
    }
    return now - stalledSince >= limits.writeStall
  }
}
