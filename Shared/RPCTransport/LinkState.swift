import Clocks

/// A connection without its socket: frames in, what to do about them out. Both sides of a connection use it.
nonisolated struct LinkState {
  enum Action {
    case nothing
    /// A step of the handshake.
    case handshake(Handshake.Step)
    /// A whole message: a request, a response, an error or an item.
    case message(LinkMessage)
    /// A message that broke a limit. It was dropped; its stream is to be told.
    case refused(stream: UInt32, ofKind: FrameKind, String)
    /// A message that its sender gave up half way.
    case aborted(stream: UInt32, ofKind: FrameKind, bytes: Int)
    case define(UnsafeRawBufferPointer)
    case end(stream: UInt32)
    case cancel(stream: UInt32)
    case credit(stream: UInt32, bytes: Int)
    case answerPing(UInt64)
    /// The other side takes no more calls.
    case drain
  }

  private(set) var peer: LinkPeer?
  private var handshake: Handshake
  private let limits: LinkLimits
  private var assemblies: [UInt32: Assembly] = [:]
  private var assembling = 0
  private var heard: Instant
  private var pinged: Instant?

  init(handshake: Handshake, limits: LinkLimits, now: Instant) {
    self.handshake = handshake
    self.limits = limits
    heard = now
  }

  /// Whether there is a peer: each frame asks, and looking at one copies it.
  private(set) var isOpen = false
  /// Bytes held of messages that are not whole.
  var held: Int { assembling }

  @inline(__always)
  mutating func receive(_ frame: Frame, now: Instant) throws(ProtocolViolation) -> Action {
    heard = now
    pinged = nil
    guard isOpen else {
      let step = try handshake.receive(frame)
      if case .open(_, let peer) = step {
        self.peer = peer
        isOpen = true
      }
      return .handshake(step)
    }
    switch frame.kind {
    case .request, .response, .error, .item:
      guard frame.flags.contains(.continues) || !assemblies.isEmpty else {
        return .message(LinkMessage(kind: frame.kind, flags: frame.flags, stream: frame.stream, body: frame.body))
      }
      return try receivePart(frame)
    default:
      return try receiveControl(frame)
    }
  }

  private mutating func receiveControl(_ frame: Frame) throws(ProtocolViolation) -> Action {
    var reader = BodyReader(frame.body)
    let action: Action
    switch frame.kind {
    case .more: return try receivePart(frame)
    case .define: return .define(frame.body)
    case .end: action = .end(stream: frame.stream)
    case .cancel: action = .cancel(stream: frame.stream)
    case .credit: action = .credit(stream: frame.stream, bytes: Int(try reader.integer(UInt32.self)))
    case .ping: action = .answerPing(try reader.integer())
    case .pong:
      _ = try reader.integer(UInt64.self)
      action = .nothing
    case .drain: action = .drain
    case .hello, .proof: throw ProtocolViolation("a \(frame.kind) frame came after the handshake")
    case .request, .response, .error, .item: preconditionFailure("messages are not control frames")
    }
    try reader.end()
    return action
  }

  // MARK: Parts

  private mutating func receivePart(_ frame: Frame) throws(ProtocolViolation) -> Action {
    let continues = frame.flags.contains(.continues)
    if frame.kind != .more {
      guard assemblies[frame.stream] == nil else {
        throw ProtocolViolation("a message began on stream \(frame.stream) inside another")
      }
      guard continues else {
        return .message(LinkMessage(kind: frame.kind, flags: frame.flags, stream: frame.stream, body: frame.body))
      }
      guard assemblies.count < limits.streams else { throw ProtocolViolation("too many unfinished messages") }
      assemblies[frame.stream] = Assembly(kind: frame.kind, flags: frame.flags.subtracting(.continues))
    }
    guard let assembly = assemblies[frame.stream] else {
      throw ProtocolViolation("a part came for stream \(frame.stream), which has no message under way")
    }
    guard !frame.flags.contains(.aborted) else {
      assemblies[frame.stream] = nil
      assembling -= assembly.count
      return .aborted(stream: frame.stream, ofKind: assembly.kind, bytes: assembly.received)
    }
    assembly.received += frame.body.count
    if !assembly.isRefused {
      if assembly.count + frame.body.count > limits.messageBytes + limits.frameBodyBytes {
        drop(assembly, "a message has more than \(limits.messageBytes) bytes; ask for less at once or stream it")
      } else if assembling + frame.body.count > limits.assemblingBytes {
        drop(assembly, "this connection's unfinished messages hold \(limits.assemblingBytes) bytes; send fewer at once")
      } else {
        assembly.append(frame.body)
        assembling += frame.body.count
      }
    }
    guard !continues else { return .nothing }
    assemblies[frame.stream] = nil
    assembling -= assembly.count
    if let why = assembly.refusal { return .refused(stream: frame.stream, ofKind: assembly.kind, why) }
    return .message(
      LinkMessage(
        kind: assembly.kind, flags: assembly.flags, stream: frame.stream, body: assembly.bytes, owner: assembly))
  }

  /// What follows of the message is skipped, and its end says why.
  private mutating func drop(_ assembly: Assembly, _ why: String) {
    assembling -= assembly.count
    assembly.refuse(why)
  }

  // MARK: Signs of life

  enum Liveness: Equatable { case fine, ask, dead }

  /// When to look again.
  func checkAfter(busy: Bool) -> Duration {
    pinged != nil ? limits.keepaliveAnswer : busy ? peer?.keepalive ?? limits.keepalive : limits.keepaliveIdle
  }

  mutating func checkLiveness(busy: Bool, now: Instant) -> Liveness {
    if let pinged { return now - pinged >= limits.keepaliveAnswer ? .dead : .fine }
    guard now - heard >= checkAfter(busy: busy) else { return .fine }
    pinged = now
    return .ask
  }
}

/// A whole message. The body is valid as long as the frame it came in, or as its owner.
nonisolated struct LinkMessage {
  let kind: FrameKind
  let flags: FrameFlags
  let stream: UInt32
  let body: UnsafeRawBufferPointer
  var owner: Assembly?
}

/// The parts of one message that have come so far.
nonisolated final class Assembly {
  let kind: FrameKind
  let flags: FrameFlags
  private var memory = UnsafeMutableRawBufferPointer(start: nil, count: 0)
  private(set) var count = 0
  private(set) var refusal: String?
  /// Bytes that came, kept or not.
  var received = 0

  init(kind: FrameKind, flags: FrameFlags) {
    self.kind = kind
    self.flags = flags
  }

  deinit { memory.deallocate() }

  var isRefused: Bool { refusal != nil }
  var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(rebasing: memory[..<count]) }

  func append(_ part: UnsafeRawBufferPointer) {
    guard !part.isEmpty else { return }
    if count + part.count > memory.count {
      let larger = UnsafeMutableRawBufferPointer.allocate(
        byteCount: max(count + part.count, memory.count * 2), alignment: 16)
      larger.copyMemory(from: bytes)
      memory.deallocate()
      memory = larger
    }
    memory[count...].copyBytes(from: part)
    count += part.count
  }

  func refuse(_ why: String) {
    refusal = why
    memory.deallocate()
    memory = UnsafeMutableRawBufferPointer(start: nil, count: 0)
    count = 0
  }
}
