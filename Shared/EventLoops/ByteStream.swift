import Clocks

/// A connected stream of bytes: a TCP or unix socket, or a simulated one.
///
/// What is written during one turn of the loop leaves together at its end, or earlier if the writer wants it.
package protocol ByteStream: AnyObject {
  /// Who hears of what arrives. The stream holds it until `closed`.
  var handler: (any ByteStreamHandler)? { get set }
  var peer: SocketAddress { get }
  /// The operating system's user at the other end, where the kernel vouches for it: on a unix socket.
  var peerUser: UInt32? { get }

  func write(_ bytes: UnsafeRawBufferPointer)
  /// Sends what was written so far now, for a writer that still has much to do in this turn.
  func sendEarly()
  /// From within `received`: runs jobs that what came so far made ready, before the handler takes the rest.
  func yieldToJobs()

  /// Bytes written and not yet taken by the other side's kernel.
  var queuedBytes: Int { get }
  /// Whether the queue has passed `StreamLimits.queueHighWater` and not yet fallen below the low one. A writer that can
  /// wait should; one that cannot is cut off at `queueMax`.
  var isOverHighWater: Bool { get }

  /// Until `resumeReading`, nothing is read and the other side is slowed down by the kernel.
  func pauseReading()
  func resumeReading()

  /// Sends what is queued, then tells the other side that no more comes. Reading goes on.
  func finish()
  /// Sends what is queued if that goes at once, and lets go. `closed` follows, not before this returns.
  func close(_ reason: StreamEnd)
}

extension ByteStream {
  package var peerUser: UInt32? { nil }
  package func sendEarly() {}
  package func yieldToJobs() {}

  package func write(_ bytes: [UInt8]) { bytes.withUnsafeBytes { write($0) } }
  package func write(_ text: String) {
    var text = text
    text.withUTF8 { write(UnsafeRawBufferPointer($0)) }
  }
}

/// Hears what happens on a stream. All calls come on the loop, none from inside a call to the stream.
package protocol ByteStreamHandler: AnyObject {
  /// `bytes` is valid only during the call.
  func received(_ bytes: UnsafeRawBufferPointer)
  /// The queue fell below its low-water mark after it had been over the high one.
  func drained()
  /// The other side's kernel does not take all that was written: so many bytes wait for it from turn to turn, and none
  /// any more at 0. A peer that reads never causes it.
  func waiting(_ bytes: Int)
  /// The other side sends no more; it may still read. Without an implementation the stream closes.
  func ended(_ stream: any ByteStream)
  /// Exactly once, and nothing after it.
  func closed(_ reason: StreamEnd)
}

extension ByteStreamHandler {
  package func drained() {}
  package func waiting(_ bytes: Int) {}
  package func ended(_ stream: any ByteStream) { stream.close(.endedByPeer) }
}

/// Why a stream is over.
nonisolated package enum StreamEnd: Hashable, Sendable, CustomStringConvertible {
  /// We closed it, having said all.
  case done
  /// The other side closed it in an orderly way.
  case endedByPeer
  /// The connection broke. Closed with this, one over TCP is reset; on other streams the other side hears of an orderly end.
  case broken(String)
  /// The other side did not read: our queue passed its limit, or did not move for too long.
  case tooSlow
  /// The other side broke the protocol that is spoken on the stream.
  case violation(String)
  /// It was one connection too many.
  case overLimit
  /// The process shuts down.
  case shutdown

  package var description: String {
    switch self {
    case .done: "done"
    case .endedByPeer: "ended by the peer"
    case .broken(let why): why
    case .tooSlow: "the peer did not read"
    case .violation(let what): what
    case .overLimit: "over the connection limit"
    case .shutdown: "shutting down"
    }
  }
}

/// What one stream may hold back.
nonisolated package struct StreamLimits: Sendable {
  /// Writers that can wait do so above this: one answer of the largest usual size fits four times over.
  package var queueHighWater = 1 << 20
  package var queueLowWater = 256 << 10
  /// A peer that lets this much pile up is cut off: no reader of ours needs more.
  package var queueMax = 8 << 20
  /// A peer that takes nothing at all for this long is gone or hostile.
  package var stall: Duration = .seconds(10)
  /// How long the kernel waits for acknowledgements before it calls the connection dead.
  package var acknowledgement: Duration = .seconds(15)

  package init() {}
}

/// The limits of all streams of one door: a stream of thousands has a reference to them, not a copy.
final class SharedStreamLimits {
  let values: StreamLimits
  let stalls: StallWatch

  init(_ values: StreamLimits, _ time: any TimeSource = EventLoop.time) {
    self.values = values
    stalls = time === EventLoop.time ? .shared : StallWatch(by: time)
  }
}
