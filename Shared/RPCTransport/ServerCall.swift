import Clocks
import RPC

/// A call that takes its time, on the server.
final class ServerCall {
  let stream: UInt32
  let method: RPCMethod
  let context: CallContext
  let arrived: Instant
  private(set) weak var connection: ServerConnection?

  /// The request while it waits for admission: the bytes it came in are gone by then.
  var waiting: [UInt8]?
  var started: Instant?
  var ticket: ConcurrencyLimiter.Ticket?
  var task: Task<Void, Never>?
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
