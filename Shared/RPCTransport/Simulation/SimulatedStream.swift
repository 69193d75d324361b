import Clocks
package import EventLoops
import RPC

/// One end of a simulated connection.
///
/// ```text
/// write ─► outbox ─(window)─► segments on their way ─► inbox of the other end ─(it reads)─► its handler
///            └ water marks, stall        └ delay, loss, blocked ways
/// ```
package final class SimulatedStream: ByteStream {
  package var handler: (any ByteStreamHandler)?
  package let peer: SocketAddress
  let way: SimulatedNetwork.Way

  private let network: SimulatedNetwork
  private let number: Int
  private let limits: StreamLimits
  private var other: SimulatedStream?
  private var end: StreamEnd?

  // Sending.
  private var outbox: Outbox
  private var isFlushing = false
  private var toldWaiting = 0
  private var wantsFinish = false
  private var hasSentEnd = false
  /// Sent and not yet read by the other end's handler.
  private var inWindow = 0
  private var stalledSince: Instant?
  /// What is on its way, in order; what a blocked way holds up waits here.
  private var underWay = Ring<Parcel>()
  private var lastArrival = Instant(nanoseconds: 0)
  /// Parcels that should have arrived, but the way was blocked.
  private var heldUp = 0
  /// Since when the other end's kernel has acknowledged nothing of what was sent.
  private var unacknowledgedSince: Instant?
  private var watchesAcknowledgement = false

  // Receiving.
  private var inbox: [[UInt8]] = []
  private var isReading = true
  private var hasArrivedEnd = false
  private var hasToldEnd = false

  private enum Parcel {
    case bytes([UInt8])
    case end
  }

  /// What the kernels of both sides hold between them, as with a socket's default buffers.
  private static let window = 256 << 10
  private static let readMax = 64 << 10

  init(
    network: SimulatedNetwork, number: Int, way: SimulatedNetwork.Way, peer: SocketAddress, limits: StreamLimits
  ) {
    self.network = network
    self.number = number
    self.way = way
    self.peer = peer
    self.limits = limits
    outbox = Outbox(limits)
  }

  func join(_ other: SimulatedStream) {
    self.other = other
    other.other = self
  }

  package var queuedBytes: Int { outbox.count }
  package var isOverHighWater: Bool { outbox.isOverHighWater }

  // MARK: - Sending

  package func write(_ bytes: UnsafeRawBufferPointer) {
    guard end == nil, !wantsFinish, bytes.count > 0 else { return }
    outbox.append(bytes)
    if outbox.isOverflowing { close(.tooSlow) } else { flushSoon() }
  }

  package func finish() {
    guard end == nil else { return }
    wantsFinish = true
    flushSoon()
  }

  /// What is written in one instant leaves together.
  private func flushSoon() {
    guard !isFlushing else { return }
    isFlushing = true
    network.schedule(after: .zero) { self.flush() }
  }

  private func flush() {
    isFlushing = false
    guard end == nil else { return }
    let before = outbox.count
    send()
    watchStall(hasMoved: outbox.count < before)
    tellWaiting()
    guard end == nil else { return }
    if outbox.isEmpty, wantsFinish { sendEnd() }
    if outbox.hasDrained() { handler?.drained() }
  }

  private func tellWaiting() {
    guard outbox.count != toldWaiting else { return }
    toldWaiting = outbox.count
    handler?.waiting(toldWaiting)
  }

  private func send() {
    while !outbox.isEmpty, inWindow < Self.window {
      let size = network.segmentSize(way, of: min(outbox.count, Self.window - inWindow))
      inWindow += size
      dispatch(.bytes(outbox.take(size)), size: size)
    }
  }

  private func sendEnd() {
    guard !hasSentEnd else { return }
    hasSentEnd = true
    dispatch(.end, size: 0)
  }

  private func dispatch(_ parcel: Parcel, size: Int) {
    underWay.append(parcel)
    if unacknowledgedSince == nil { unacknowledgedSince = network.time.now }
    watchAcknowledgement()
    // Never before what was sent earlier.
    lastArrival = max(network.time.now + network.travel(way, bytes: size), lastArrival + .nanoseconds(1))
    network.schedule(at: lastArrival) { self.arrive() }
  }

  /// The first parcel under way reaches the other end, unless the way is blocked.
  private func arrive() {
    guard heldUp == 0, !network.isBlocked(way) else {
      heldUp += 1
      return
    }
    guard let parcel = underWay.popFirst() else { return }
    if let other, other.end == nil {
      other.take(parcel)
    } else if case .bytes = parcel {
      resetSoon()
    }
    acknowledge()
  }

  /// A blocked way is open again: everything held up comes with the next retransmission.
  func wayIsOpen() {
    acknowledge()
    guard heldUp > 0 else { return }
    lastArrival = max(network.time.now + network.retransmissionDelay(), lastArrival)
    network.schedule(at: lastArrival) {
      let count = self.heldUp
      self.heldUp = 0
      for _ in 0..<count { self.arrive() }
    }
  }

  /// Acknowledgements go the other way, and are lost when that is blocked.
  private func acknowledge() {
    guard !network.isBlocked(way.back) else { return }
    unacknowledgedSince = underWay.isEmpty ? nil : network.time.now
  }

  private func watchAcknowledgement() {
    guard !watchesAcknowledgement, let since = unacknowledgedSince else { return }
    watchesAcknowledgement = true
    network.schedule(at: since + limits.acknowledgement) {
      self.watchesAcknowledgement = false
      guard self.end == nil, let since = self.unacknowledgedSince else { return }
      if self.network.time.now - since >= self.limits.acknowledgement {
        self.over(.broken("connection timed out"))
      } else {
        self.watchAcknowledgement()
      }
    }
  }

  private func watchStall(hasMoved: Bool) {
    if outbox.isEmpty || hasMoved { stalledSince = nil }
    guard !outbox.isEmpty, stalledSince == nil else { return }
    let since = network.time.now
    stalledSince = since
    network.schedule(after: limits.stall) {
      if self.stalledSince == since { self.close(.tooSlow) }
    }
  }

  // MARK: - Receiving

  package func pauseReading() { isReading = false }

  package func resumeReading() {
    guard !isReading else { return }
    isReading = true
    network.schedule(after: .zero) { self.deliver() }
  }

  private func take(_ parcel: Parcel) {
    switch parcel {
    case .bytes(let bytes):
      network.note("bytes", number, bytes.count)
      bytes.withUnsafeBytes { network.note(bytes: $0) }
      inbox.append(bytes)
    case .end:
      network.note("end", number, 0)
      hasArrivedEnd = true
    }
    deliver()
  }

  private func deliver() {
    while isReading, end == nil, !inbox.isEmpty {
      let bytes = inbox.removeFirst()
      let part = bytes.prefix(Self.readMax)
      if part.count < bytes.count { inbox.insert(Array(bytes.dropFirst(part.count)), at: 0) }
      part.withUnsafeBytes { handler?.received($0) }
      other?.opensWindow(part.count)
    }
    guard isReading, end == nil, inbox.isEmpty, hasArrivedEnd, !hasToldEnd else { return }
    hasToldEnd = true
    if let handler { handler.ended(self) } else { close(.endedByPeer) }
  }

  /// The other end has read: after the way back there is room for more.
  private func opensWindow(_ size: Int) {
    network.schedule(after: network.travel(way.back, bytes: 0)) {
      self.inWindow -= size
      if !self.outbox.isEmpty { self.flush() }
    }
  }

  // MARK: - Ending

  package func close(_ reason: StreamEnd) {
    guard end == nil else { return }
    // A kernel goes on sending what it has; one that was not read from resets the other side.
    if inbox.isEmpty {
      if reason != .tooSlow { send() }
      sendEnd()
    } else {
      other?.resetSoon()
    }
    over(reason)
  }

  func resetSoon() {
    network.schedule(after: network.travel(way.back, bytes: 0)) {
      guard self.end == nil, !self.network.isBlocked(self.way.back) else { return }
      self.network.note("reset", self.number, 0)
      self.over(.broken("connection reset by peer"))
    }
  }

  private func over(_ reason: StreamEnd) {
    guard end == nil else { return }
    end = reason
    network.note("over: \(reason)", number, 0)
    outbox.clear()
    inbox = []
    stalledSince = nil
    network.schedule(after: .zero) {
      let handler = self.handler
      self.handler = nil
      handler?.closed(reason)
      self.letGo()
    }
  }

  /// What is still on its way needs both ends; the last one to close unties them.
  private func letGo() {
    guard let other, other.end != nil else { return }
    network.forget(self)
    network.forget(other)
    other.other = nil
    self.other = nil
  }
}
