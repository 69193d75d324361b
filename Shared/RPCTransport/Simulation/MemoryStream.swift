package import Clocks
package import EventLoops

/// One end of a connection inside the process: what is written in a turn is received, whole and in order, at its end.
///
/// Behaves as a socket does: a reader that pauses slows the writer down, `closed` comes once and never from inside a
/// call, what arrives at a closed end resets the other.
package final class MemoryStream: ByteStream {
  package var handler: (any ByteStreamHandler)?
  package let peer: SocketAddress
  private let limits: StreamLimits
  private let time: any TimeSource
  /// The other end, until this one is closed.
  private var other: MemoryStream?
  private var outbox: Outbox
  private var isReading = true
  private var wantsFinish = false
  /// The other end was told that no more comes.
  private var isFinished = false
  private var end: StreamEnd?
  private var isPumping = false
  private var toldWaiting = 0
  private var stall: (any Scheduled)?

  /// As large as a socket's read, so that nobody gets used to more.
  private static let readMax = 64 << 10

  private init(peer: SocketAddress, limits: StreamLimits, time: any TimeSource) {
    self.peer = peer
    self.limits = limits
    self.time = time
    outbox = Outbox(limits)
  }

  /// Two ends of one connection.
  package static func pair(
    name: String = "memory", limits: StreamLimits = .init(), time: any TimeSource = EventLoop.time
  ) -> (client: MemoryStream, server: MemoryStream) {
    let client = MemoryStream(peer: .unix(path: name), limits: limits, time: time)
    let server = MemoryStream(peer: .unix(path: name), limits: limits, time: time)
    client.other = server
    server.other = client
    return (client, server)
  }

  package var queuedBytes: Int { outbox.count }
  package var isOverHighWater: Bool { outbox.isOverHighWater }

  package func write(_ bytes: UnsafeRawBufferPointer) {
    guard end == nil, !wantsFinish, bytes.count > 0 else { return }
    outbox.append(bytes)
    if outbox.isOverflowing { close(.tooSlow) } else { pumpSoon() }
  }

  package func pauseReading() { isReading = false }

  package func resumeReading() {
    guard !isReading else { return }
    isReading = true
    other?.pumpSoon()
  }

  package func finish() {
    guard end == nil else { return }
    wantsFinish = true
    pumpSoon()
  }

  package func close(_ reason: StreamEnd) {
    guard end == nil else { return }
    end = reason
    if reason == .tooSlow { outbox.clear() }
    pumpSoon()
  }

  private func pumpSoon() {
    guard !isPumping else { return }
    isPumping = true
    EventLoop.atEndOfTurn { self.pump() }
  }

  /// Gives the other end what it takes, then what follows the bytes: the end, room for the writer, the farewell.
  private func pump() {
    isPumping = false
    // A reset arrives as one, before anything that was under way.
    if case .broken = end, let other, other.end == nil { other.close(.broken("connection reset by peer")) }
    if let other, other.end == nil {
      let before = outbox.count
      while !outbox.isEmpty, other.isReading, other.end == nil {
        outbox.take(Self.readMax).withUnsafeBytes { other.handler?.received($0) }
      }
      watchStall(hasMoved: outbox.count < before)
      tellWaiting()
      if outbox.isEmpty, wantsFinish || end != nil, !isFinished, other.isReading, other.end == nil {
        isFinished = true
        if let handler = other.handler { handler.ended(other) } else { other.close(.endedByPeer) }
      }
    } else if !outbox.isEmpty, end == nil {
      end = .broken("connection reset by peer")
    }
    if end != nil { return leave() }
    if outbox.hasDrained() { handler?.drained() }
  }

  private func tellWaiting() {
    guard end == nil, outbox.count != toldWaiting else { return }
    toldWaiting = outbox.count
    handler?.waiting(toldWaiting)
  }

  private func watchStall(hasMoved: Bool) {
    if outbox.isEmpty || hasMoved {
      stall?.cancel()
      stall = nil
    }
    guard !outbox.isEmpty, stall == nil, end == nil else { return }
    stall = time.after(limits.stall) { self.close(.tooSlow) }
  }

  /// Tells the owner, once. What the other end has not read yet stays until it does or closes.
  private func leave() {
    stall?.cancel()
    stall = nil
    if isFinished || other?.end != nil {
      other = nil
      outbox.clear()
    }
    let handler = handler
    self.handler = nil
    if let end { handler?.closed(end) }
  }
}
