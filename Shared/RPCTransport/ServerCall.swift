import Clocks
import Observability
import RPC

/// A call that takes its time, on the server.
final class ServerCall {
  let stream: UInt32
  let method: RPCMethod
  /// With the trace's place here, for the calls that the handler makes.
  private(set) var context: CallContext
  let arrived: Instant
  /// Which holds the call until it is over.
  let connection: ServerConnection

  /// The request while it waits for admission: the bytes it came in are gone by then.
  var waiting: [UInt8]?
  var started: Instant?
  var ticket: ConcurrencyLimiter.Ticket?
  var task: Task<Void, Never>?
  private(set) var span: Span?
  /// The caller left, or was answered by us; what the handler says no longer matters.
  var isAbandoned = false
  /// What may still be sent of a streaming answer.
  var credit: FlowCredit.Sender?
  var roomWaiter: UnsafeContinuation<Void, Never>?

  init(_ stream: UInt32, _ method: RPCMethod, _ context: CallContext, arrived: Instant, on connection: ServerConnection)
  {
    self.stream = stream
    self.method = method
    self.context = context
    self.arrived = arrived
    self.connection = connection
    if method.isStreaming { credit = FlowCredit.Sender(window: FlowCredit.streamWindow) }
  }

  // Without this it would ask at its end whether it is on the main actor's thread, which is known and takes long.
  nonisolated deinit {}

  /// Begins to time it. A stream is no piece of work: it lasts as long as its reader likes.
  func beginSpan(in traces: Traces) {
    guard !method.isStreaming else { return }
    let span = traces.begin(method.name, .server, from: context.trace, at: arrived)
    self.span = span
    context.trace = span.context
  }

  func endSpan(at now: Instant, failing code: RPCError.Code?) {
    guard let span = span.take() else { return }
    if let started, started > arrived { span.note(["queued": .duration(started - arrived)]) }
    if let code { span.end(at: now, failing: code) } else { span.end(at: now) }
  }

  func wakeWriter() {
    roomWaiter?.resume()
    roomWaiter = nil
  }

  /// Tells the handler that nobody waits for it.
  func abandon() {
    isAbandoned = true
    task?.cancel()
    wakeWriter()
  }
}

extension Span {
  /// A caller's mistake is an answer, not a failure: it would crowd out what operators look for.
  func end(at now: Instant, failing code: RPCError.Code) {
    switch code {
    case .unknown, .deadlineExceeded, .resourceExhausted, .internal, .unavailable, .dataLoss, .shed:
      end(at: now, error: "\(code)")
    default:
      note(["code": .string("\(code)")])
      end(at: now)
    }
  }
}
