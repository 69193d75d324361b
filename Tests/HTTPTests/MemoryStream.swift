import EventLoops

/// A connection without a socket: the test plays the client, the network and the end of each turn.
@MainActor
final class MemoryStream: ByteStream {
  var handler: (any ByteStreamHandler)?
  let peer: SocketAddress
  /// What the client has read.
  private(set) var sent: [UInt8] = []
  /// How many more bytes the client reads.
  var window = Int.max
  /// Calls of `write`, and turns in which something left.
  private(set) var writes = 0
  private(set) var flushes = 0
  private(set) var isReading = true
  private(set) var isFinished = false
  private(set) var isOverHighWater = false
  private(set) var end: StreamEnd?

  private let limits = StreamLimits()
  private var inbox: [UInt8] = []
  private var hasEnded = false
  private var toldEnd = false
  private var queue: [UInt8] = []
  private var isTurning = false

  init(peer: SocketAddress = .loopback(port: 50_000)) { self.peer = peer }

  // MARK: The server's side

  var queuedBytes: Int { queue.count }

  func write(_ bytes: UnsafeRawBufferPointer) {
    guard end == nil, !isFinished else { return }
    writes += 1
    queue.append(contentsOf: bytes)
    if queue.count > limits.queueHighWater { isOverHighWater = true }
    if queue.count > limits.queueMax { close(.tooSlow) }
  }

  func pauseReading() { isReading = false }
  func resumeReading() { isReading = true }
  func finish() { isFinished = true }

  func close(_ reason: StreamEnd) {
    guard end == nil else { return }
    flush()
    end = reason
  }

  // MARK: The client's side

  /// The client sends bytes, and the turn goes to its end.
  func arrive(_ bytes: some Sequence<UInt8>) {
    inbox += bytes
    turn()
  }

  func arrive(_ text: String) { arrive(text.utf8) }

  /// The client sends no more.
  func hangUp() {
    hasEnded = true
    turn()
  }

  /// The connection breaks.
  func reset() {
    if end == nil { end = .broken("reset") }
    queue = []
    turn()
  }

  /// Ends the turn: what was written leaves, what was put off happens.
  func turn() {
    guard !isTurning else { return }
    isTurning = true
    defer { isTurning = false }
    repeat {
      deliver()
      flush()
    } while end == nil && (isReading && !inbox.isEmpty || window > 0 && !queue.isEmpty)
    if end != nil, let handler {
      self.handler = nil
      handler.closed(end!)
    }
  }

  private func deliver() {
    while end == nil, isReading, !inbox.isEmpty {
      let piece = Array(inbox.prefix(64 << 10))
      inbox.removeFirst(piece.count)
      piece.withUnsafeBytes { handler?.received($0) }
    }
    if end == nil, isReading, inbox.isEmpty, hasEnded, !toldEnd {
      toldEnd = true
      handler?.ended(self)
    }
  }

  private func flush() {
    let count = min(window, queue.count)
    guard count > 0 else { return }
    flushes += 1
    sent += queue.prefix(count)
    queue.removeFirst(count)
    if window != .max { window -= count }
    if isOverHighWater, queue.count < limits.queueLowWater {
      isOverHighWater = false
      handler?.drained()
    }
  }

  /// What has been read, and nothing of it twice.
  func takeSent() -> [UInt8] {
    defer { sent = [] }
    return sent
  }
}
