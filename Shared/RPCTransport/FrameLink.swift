import Clocks
import EventLoops
import RPC
import Wire

/// A connection's frames, whichever side it is on: the handshake, key tables, parts of large messages, signs of life.
///
/// What the frames mean is its owner's business.
final class FrameLink: ByteStreamHandler {
  let encoder: WireEncoder
  let decoder: WireDecoder
  let received = ReceivedTables()
  let time: any TimeSource
  let limits: LinkLimits

  private let stream: any ByteStream
  /// Held until the connection is closed, so that it lives as long as its stream.
  private var owner: (any LinkOwner)?
  private var state: LinkState
  private var reader: FrameReader
  private var builder = FrameBuilder()
  private var sent = SentTables()
  private var outgoing = OutgoingQueue()
  /// Ours, and from the handshake on what both sides take.
  private var messageBytesMax: Int
  private var isPaused = false
  private var refusal: String?
  private(set) var isClosed = false
  /// Nothing more is said once what is queued has left.
  private var isFinishing = false
  private var lifeTimer: (any Scheduled)?
  /// What it holds counts towards this, with all others of its server.
  private let budget: HeldBytes?
  private var counted = 0
  /// What the kernel did not take at the end of a turn: nothing for a peer that reads, so counting it costs nothing.
  private var socketHeld = 0
  /// Frames and bytes written in the turn `writingTurn` since the last of them were sent.
  private var written = (frames: 0, bytes: 0)
  private var writingTurn = 0

  /// With many calls under way a side that handles all it was sent before it sends anything leaves the other idle
  /// meanwhile, and the two work in turns. A slice costs a system call, which sixteen calls pay easily: 8 and 32 were
  /// slower. A turn with fewer frames is one write as ever.
  private static let slice = 16
  /// Copying this much takes about as long as the system call.
  private static let sliceBytes = 32 << 10

  init(
    _ stream: any ByteStream, owner: any LinkOwner, handshake: Handshake, limits: LinkLimits, time: any TimeSource,
    budget: HeldBytes? = nil
  ) {
    self.budget = budget
    self.stream = stream
    self.owner = owner
    self.limits = limits
    messageBytesMax = limits.messageBytes
    self.time = time
    encoder = WireEncoder(limits: WireLimits(messageBytes: limits.messageBytes))
    decoder = WireDecoder(limits: WireLimits(messageBytes: limits.messageBytes))
    state = LinkState(handshake: handshake, limits: limits, now: time.now)
    reader = FrameReader(bodyMax: limits.frameBodyBytes)
  }

  /// Begins to listen; a client says its HELLO.
  func begin(saying opening: [UInt8]?) {
    stream.handler = self
    if let opening { stream.write(opening) }
    // The timers hold it: they end when its stream is closed. Weak references would make every retain of it slow.
    judge(after: limits.handshake) { [self] in
      close(.violation("the handshake took longer than \(limits.handshake)"))
    }
    stream.resumeReading()
  }

  var address: SocketAddress { stream.peer }
  var peerUser: UInt32? { stream.peerUser }
  var peer: LinkPeer? { state.peer }

  // MARK: What arrives

  func received(_ bytes: UnsafeRawBufferPointer) {
    let now = time.now
    var taken = 0
    do throws(ProtocolViolation) {
      try reader.read(bytes) { (frame) throws(ProtocolViolation) in
        guard !isClosed else { return }
        switch try state.receive(frame, now: now) {
        case .message(let message): try owner?.received(message)
        case .nothing: break
        case .define(let block): try learn(block)
        case .handshake(let step): take(step)
        case .refused(let stream, let kind, let why): owner?.refused(stream, ofKind: kind, why)
        case .aborted(let stream, let kind, let bytes): try owner?.aborted(stream, ofKind: kind, bytes: bytes)
        case .end(let stream): owner?.ended(stream)
        case .cancel(let stream): owner?.cancelled(stream)
        case .credit(let stream, let bytes): try owner?.credited(stream, bytes)
        case .answerPing(let number): sendNumber(.pong, number)
        case .drain: owner?.draining()
        }
        // Those who waited for what came so far go on before the rest is read: what they ask next leaves earlier.
        taken += 1
        if taken % Self.slice == 0 { stream.yieldToJobs() }
      }
    } catch {
      close(.violation(error.description))
    }
    count()
  }

  /// Bytes that it holds for its peer: answers that wait to be read, here or in front of the kernel, and messages that
  /// are not whole.
  var held: Int { isClosed ? 0 : outgoing.bytes + state.held + socketHeld }

  private func count() {
    guard let budget, held != counted else { return }
    let difference = held - counted
    counted += difference
    budget.change(by: difference)
  }

  private func learn(_ block: UnsafeRawBufferPointer) throws(ProtocolViolation) {
    do throws(WireError) {
      try received.learn(block)
    } catch {
      throw ProtocolViolation("key tables: \(error)")
    }
  }

  private func take(_ step: Handshake.Step) {
    switch step {
    case .send(let frames):
      for frame in frames { stream.write(frame) }
    case .open(let frames, let peer):
      for frame in frames { stream.write(frame) }
      messageBytesMax = peer.messageBytes
      lifeTimer?.cancel()
      watchLife()
      owner?.opened(peer)
    case .refuse(let frames, let sentence):
      for frame in frames { stream.write(frame) }
      refusal = sentence
      close(.violation(sentence))
    }
  }

  private func watchLife() {
    judge(after: state.checkAfter(busy: owner?.isBusy ?? false)) { [self] in
      guard !isClosed else { return }
      switch state.checkLiveness(busy: owner?.isBusy ?? false, now: time.now) {
      case .fine: break
      case .ask: sendNumber(.ping, time.now.nanoseconds)
      case .dead: return close(.broken("no sign of life for \(limits.keepaliveAnswer) after a ping"))
      }
      watchLife()
    }
  }

  /// Time in which we did not listen ourselves does not count: what the peer said then may lie unread.
  private func judge(after patience: Duration, _ verdict: @escaping @MainActor () -> Void) {
    let before = time.inattention
    lifeTimer = time.after(patience) { [self] in
      let missed = time.inattention - before
      if missed > .zero { judge(after: missed, verdict) } else { verdict() }
    }
  }

  func drained() {
    pump()
    resumeIfPossible()
    count()
  }

  func waiting(_ bytes: Int) {
    socketHeld = bytes
    count()
  }

  func closed(_ reason: StreamEnd) {
    isClosed = true
    count()
    // It holds the link, also when it is over.
    lifeTimer?.cancel()
    lifeTimer = nil
    let owner = owner
    self.owner = nil
    owner?.closed(reason, refusal: refusal)
  }

  // MARK: What is sent

  /// A frame without a payload.
  func sendEmpty(_ kind: FrameKind, _ stream: UInt32) {
    guard !outgoing.holds(stream) else { return outgoing.add(kind, [], stream, []) }
    builder.begin(kind, [], stream)
    builder.finish()
    self.stream.write(builder.bytes)
  }

  func sendCredit(_ stream: UInt32, _ bytes: Int) {
    builder.begin(.credit, [], stream)
    builder.integer(UInt32(clamping: bytes))
    builder.finish()
    self.stream.write(builder.bytes)
  }

  private func sendNumber(_ kind: FrameKind, _ number: UInt64) {
    builder.begin(kind, [], 0)
    builder.integer(number)
    builder.finish()
    stream.write(builder.bytes)
  }

  func sendError(_ stream: UInt32, _ error: RPCError) {
    ErrorBody(error).frame(on: stream, into: &builder, limits: limits)
    // Behind the items that wait, never before them.
    if outgoing.holds(stream) {
      outgoing.add(.error, [], stream, Array(builder.bytes[Frame.headerBytes...]))
    } else {
      self.stream.write(builder.bytes)
    }
  }

  func sendRequest(_ stream: UInt32, _ head: RequestHead, _ message: WireMessage) throws(RPCError) {
    try defineTables(of: message)
    let flags = head.flags
    let size = message.bytes.count
    if RequestHead.isShort(flags), size <= limits.partBytes {
      head.withShortFrame(on: stream, flags, extra: size) { self.stream.write($0) }
      self.stream.write(message.bytes)
      return sendSlice(size)
    }
    builder.begin(.request, flags, stream)
    try head.write(to: &builder)
    guard size > limits.partBytes else {
      builder.finish(extra: size)
      self.stream.write(builder.bytes)
      self.stream.write(message.bytes)
      sendSlice(size)
      return
    }
    enqueue(.request, flags, stream, Array(builder.bytes[Frame.headerBytes...]) + message.bytes)
  }

  /// A response or an item: a payload without a head.
  func send(_ kind: FrameKind, _ stream: UInt32, _ message: WireMessage) throws(RPCError) {
    try defineTables(of: message)
    let size = message.bytes.count
    guard size <= limits.partBytes, !outgoing.holds(stream) else {
      return enqueue(kind, [], stream, Array(message.bytes))
    }
    // The header as two words: length, kind, flags and half of the stream, then the other half.
    var header = (
      (UInt64(size + Frame.headerBytes - 4) | UInt64(kind.rawValue) << 32 | UInt64(stream & 0xFFFF) << 48).littleEndian,
      UInt16(stream >> 16).littleEndian
    )
    withUnsafeBytes(of: &header) {
      self.stream.write(UnsafeRawBufferPointer(rebasing: $0[..<Frame.headerBytes]))
    }
    self.stream.write(message.bytes)
    sendSlice(size)
    pauseIfFull()
  }

  /// Counts a frame, and sends when that made a slice.
  @inline(__always)
  private func sendSlice(_ bytes: Int) {
    if writingTurn != EventLoop.turns {
      writingTurn = EventLoop.turns
      written = (0, 0)
    }
    written.frames += 1
    written.bytes += bytes
    guard written.frames >= Self.slice || written.bytes >= Self.sliceBytes else { return }
    written = (0, 0)
    stream.sendEarly()
  }

  private func defineTables(of message: WireMessage) throws(RPCError) {
    guard message.bytes.count <= messageBytesMax else {
      throw RPCError(
        .resourceExhausted,
        "a message of \(message.bytes.count) bytes is over the limit of \(messageBytesMax); "
          + "ask for less at once", executed: .no)
    }
    guard !sent.cover(message.tables) else { return }
    // Each table in a frame of its own: a block of several might not fit in one.
    for table in message.tables {
      var block: [UInt8] = []
      withUnsafePointer(to: table) { sent.appendMissing(of: UnsafeBufferPointer(start: $0, count: 1), to: &block) }
      guard !block.isEmpty else { continue }
      var frame = FrameBuilder()
      frame.begin(.define, [], 0)
      frame.append(block)
      frame.finish()
      stream.write(frame.bytes)
    }
  }

  private func enqueue(_ kind: FrameKind, _ flags: FrameFlags, _ stream: UInt32, _ body: [UInt8]) {
    outgoing.add(kind, flags, stream, body)
    guard outgoing.bytes <= limits.outgoingBytes else { return close(.tooSlow) }
    pump()
    pauseIfFull()
    count()
  }

  /// Writes parts while the socket's queue is short: what is urgent then never stands behind more than that.
  private func pump() {
    while !isClosed, !stream.isOverHighWater, let part = outgoing.next(atMost: limits.partBytes) {
      builder.begin(part.kind, part.flags, part.stream)
      builder.finish(extra: part.bytes.count)
      stream.write(builder.bytes)
      part.bytes.withUnsafeBytes { stream.write($0) }
    }
    if isFinishing, !isClosed, outgoing.isEmpty { stream.finish() }
  }

  /// A stream that was cancelled sends nothing more; the other side drops what it has of a message.
  ///
  /// Returns the credit of items that the other side will not count.
  @discardableResult
  func forget(_ stream: UInt32) -> Int {
    let dropped = outgoing.remove(stream)
    if dropped.wasCut {
      builder.begin(.more, .aborted, stream)
      builder.finish()
      self.stream.write(builder.bytes)
    }
    count()
    return dropped.credit
  }

  // A peer that does not read its answers gets no more requests read. Parts wait only while the stream is over its mark.
  private func pauseIfFull() {
    guard !isPaused, stream.isOverHighWater else { return }
    isPaused = true
    stream.pauseReading()
  }

  private func resumeIfPossible() {
    guard isPaused, !stream.isOverHighWater else { return }
    isPaused = false
    stream.resumeReading()
  }

  func close(_ reason: StreamEnd) {
    guard !isClosed else { return }
    isClosed = true
    count()
    stream.close(reason)
  }

  /// Closes when the other side has read what is queued: at once where that is so little that a kernel takes it as it
  /// stands. Nothing is to be sent afterwards.
  func finish() {
    guard outgoing.bytes > 0 || socketHeld > 0 || stream.queuedBytes > limits.partBytes else {
      return close(.shutdown)
    }
    isFinishing = true
    pump()
  }
}

/// The meaning of a connection's frames: a server's calls, or a client's.
protocol LinkOwner: AnyObject {
  var isBusy: Bool { get }
  func opened(_ peer: LinkPeer)
  func received(_ message: LinkMessage) throws(ProtocolViolation)
  /// A message was over a limit and has been dropped.
  func refused(_ stream: UInt32, ofKind kind: FrameKind, _ why: String)
  /// The other side gave a message up half way.
  func aborted(_ stream: UInt32, ofKind kind: FrameKind, bytes: Int) throws(ProtocolViolation)
  func ended(_ stream: UInt32)
  func cancelled(_ stream: UInt32)
  func credited(_ stream: UInt32, _ bytes: Int) throws(ProtocolViolation)
  func draining()
  func closed(_ reason: StreamEnd, refusal: String?)
}
