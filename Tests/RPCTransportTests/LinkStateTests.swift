import Clocks
import RPC
import Testing

@testable import RPCTransport

/// A connection without its socket: the structs, fed with arrays.
@Suite("The state of a connection")
struct LinkStateTests {
  // MARK: Frames

  @Test("frames arrive whole and in order, wherever the bytes are cut")
  func cuts() throws {
    let bytes = raw(.ping, 0, [1, 2, 3]) + raw(.cancel, 7, []) + raw(.request, 9, Array(repeating: 5, count: 300))
    let whole = try frames(of: [bytes])
    #expect(whole.map(\.kind) == [.ping, .cancel, .request] && whole.map(\.stream) == [0, 7, 9])
    #expect(whole.map(\.body.count) == [3, 0, 300])
    for first in 0...bytes.count {
      for second in [first, min(first + 1, bytes.count), min(first + 11, bytes.count), bytes.count] {
        let pieces = [bytes[..<first], bytes[first..<second], bytes[second...]].map(Array.init)
        #expect(try frames(of: pieces) == whole, "cut at \(first) and \(second)")
      }
    }
    #expect(try frames(of: bytes.map { [$0] }) == whole)
  }

  @Test(
    "a length over the limit is refused by its four bytes and a header's rest: nothing is waited for or kept",
    arguments: [UInt32(5), 0, 6 + (64 << 10) + 1, .max])
  func lengths(length: UInt32) {
    let header = withUnsafeBytes(of: length.littleEndian) { Array($0) } + [UInt8(3), 0, 0, 0, 1, 0]
    var reader = FrameReader(bodyMax: 64 << 10)
    #expect(throws: ProtocolViolation.self) { try read(header, with: &reader) { _ in } }
    #expect(reader.held == 0)
    // A byte at a time too: what is kept meanwhile is the header.
    var dripped = FrameReader(bodyMax: 64 << 10)
    #expect(throws: ProtocolViolation.self) {
      for byte in header {
        try read([byte], with: &dripped) { _ in }
        #expect(dripped.held <= Frame.headerBytes)
      }
    }
  }

  @Test("the largest length that is allowed allocates nothing before its bytes come")
  func largest() throws {
    var reader = FrameReader(bodyMax: 64 << 10)
    let header = withUnsafeBytes(of: UInt32(6 + (64 << 10)).littleEndian) { Array($0) } + [UInt8(3), 0, 0, 0, 1, 0]
    try read(header + [1, 2, 3], with: &reader) { _ in Issue.record("a frame came that is not whole") }
    #expect(reader.held == Frame.headerBytes + 3)
  }

  @Test("a kind that this version does not know ends the connection", arguments: [UInt8(0), 15, 255])
  func unknownKind(kind: UInt8) {
    var reader = FrameReader(bodyMax: 64)
    #expect(throws: ProtocolViolation.self) { try read([6, 0, 0, 0, kind, 0, 0, 0, 0, 0], with: &reader) { _ in } }
  }

  // MARK: Parts

  @Test("parts of three messages in turns become three messages")
  func parts() throws {
    var link = try Link()
    var messages: [UInt32: [UInt8]] = [:]
    for round in 0..<3 {
      for stream in [UInt32(1), 2, 3] {
        let flags: FrameFlags = round < 2 ? .continues : []
        let action = try link.hear(round == 0 ? .request : .more, stream, [UInt8(stream), UInt8(round)], flags)
        if case .message(let kind, let body) = action {
          #expect(kind == .request)
          messages[stream] = body
        }
      }
    }
    #expect(messages == [1: [1, 0, 1, 1, 1, 2], 2: [2, 0, 2, 1, 2, 2], 3: [3, 0, 3, 1, 3, 2]])
    #expect(link.state.held == 0)
  }

  @Test("what is small and what is urgent passes between the parts of what is large")
  func between() throws {
    var link = try Link()
    #expect(try link.hear(.response, 1, [1], .continues) == .nothing)
    #expect(try link.hear(.response, 2, [2]) == .message(.response, [2]))
    #expect(try link.hear(.ping, 0, [9, 0, 0, 0, 0, 0, 0, 0]) == .other("answerPing(9)"))
    #expect(try link.hear(.cancel, 3) == .other("cancel(stream: 3)"))
    #expect(try link.hear(.more, 1, [3]) == .message(.response, [1, 3]))
  }

  @Test("a message over the limit is dropped as it comes and refused at its end; the connection goes on")
  func overLimit() throws {
    var limits = LinkLimits()
    (limits.messageBytes, limits.frameBodyBytes) = (100, 50)
    var link = try Link(limits)
    var heldMost = 0
    _ = try link.hear(.request, 1, Array(repeating: 1, count: 50), .continues)
    for _ in 0..<20 {
      #expect(try link.hear(.more, 1, Array(repeating: 1, count: 50), .continues) == .nothing)
      heldMost = max(heldMost, link.state.held)
    }
    #expect(heldMost <= 150 && link.state.held == 0)
    let end = try link.hear(.more, 1, [1])
    #expect(end == .refused(1, "a message has more than 100 bytes; ask for less at once or stream it"))
    #expect(try link.hear(.request, 1, [7]) == .message(.request, [7]))
  }

  @Test("unfinished messages together hold no more than their limit, and who goes over it is refused alone")
  func assembling() throws {
    var limits = LinkLimits()
    (limits.messageBytes, limits.frameBodyBytes, limits.assemblingBytes) = (1_000, 100, 250)
    var link = try Link(limits)
    for stream in [UInt32(1), 2, 3] { _ = try link.hear(.request, stream, Array(repeating: 1, count: 100), .continues) }
    #expect(link.state.held == 200)
    guard case .refused(3, let why) = try link.hear(.more, 3, []) else {
      return #expect(Bool(false), "the third is taken")
    }
    #expect(why.contains("hold 250 bytes"))
    #expect(try link.hear(.more, 1, []) == .message(.request, Array(repeating: 1, count: 100)))
    #expect(link.state.held == 100)
  }

  @Test("more unfinished messages than streams are no honest peer's")
  func tooMany() throws {
    var limits = LinkLimits()
    limits.streams = 4
    var link = try Link(limits)
    for stream in UInt32(1)...4 { _ = try link.hear(.request, stream, [1], .continues) }
    #expect(throws: ProtocolViolation.self) { try link.hear(.request, 5, [1], .continues) }
  }

  @Test("a message that its sender gives up is forgotten, with the bytes that came of it told")
  func givenUp() throws {
    var link = try Link()
    _ = try link.hear(.item, 4, [1, 2, 3], .continues)
    #expect(try link.hear(.more, 4, [], .aborted) == .other("aborted(stream: 4, ofKind: item, bytes: 3)"))
    #expect(link.state.held == 0)
  }

  @Test("parts without a beginning, and a beginning inside a message, end the connection")
  func disorder() throws {
    var orphan = try Link()
    #expect(throws: ProtocolViolation.self) { try orphan.hear(.more, 1, [1]) }
    var nested = try Link()
    _ = try nested.hear(.request, 1, [1], .continues)
    #expect(throws: ProtocolViolation.self) { try nested.hear(.request, 1, [1]) }
  }

  @Test("after the handshake neither a HELLO nor a proof is taken", arguments: [FrameKind.hello, .proof])
  func late(kind: FrameKind) throws {
    var link = try Link()
    #expect(throws: ProtocolViolation.self) { try link.hear(kind, 0, Array(repeating: 0, count: 32)) }
  }

  @Test(
    "before the handshake nothing but it is taken", arguments: [FrameKind.request, .define, .ping, .credit, .drain])
  func early(kind: FrameKind) throws {
    var link = try Link(isOpen: false)
    #expect(throws: ProtocolViolation.self) { try link.hear(kind, 0, Array(repeating: 0, count: 32)) }
  }

  @Test("a body that is too short or too long for its kind ends the connection")
  func bodies() throws {
    let wrong: [(FrameKind, Int)] = [
      (.ping, 7), (.pong, 9), (.credit, 3), (.credit, 5), (.cancel, 1), (.end, 1), (.drain, 1),
    ]
    for (kind, size) in wrong {
      var link = try Link()
      #expect(throws: ProtocolViolation.self, "\(kind) of \(size) bytes") {
        try link.hear(kind, 0, Array(repeating: 0, count: size))
      }
    }
  }

  // MARK: Signs of life

  @Test("silence is asked about after the agreed time, and death after no answer; any frame is an answer")
  func liveness() throws {
    let start = Instant(nanoseconds: 1_000_000_000)
    var link = try Link(now: start)
    #expect(link.state.peer?.keepalive == .seconds(10))
    #expect(link.state.checkLiveness(busy: true, now: start + .seconds(9)) == .fine)
    // Nobody waits for anything: it may be silent for a minute.
    #expect(link.state.checkLiveness(busy: false, now: start + .seconds(59)) == .fine)
    #expect(link.state.checkLiveness(busy: true, now: start + .seconds(60)) == .ask)
    #expect(link.state.checkLiveness(busy: true, now: start + .seconds(64)) == .fine)
    link.now = start + .seconds(64)
    _ = try link.hear(.credit, 0, [1, 0, 0, 0])
    #expect(link.state.checkLiveness(busy: true, now: start + .seconds(73)) == .fine)
    #expect(link.state.checkLiveness(busy: true, now: start + .seconds(74)) == .ask)
    #expect(link.state.checkLiveness(busy: true, now: start + .seconds(79)) == .dead)
  }

  @Test("the longer keepalive of the two is kept by both")
  func longerKeepalive() throws {
    var patient = LinkLimits()
    patient.keepalive = .seconds(40)
    for (ours, theirs) in [(LinkLimits(), patient), (patient, LinkLimits())] {
      let link = try Link(ours, peer: theirs)
      #expect(link.state.checkAfter(busy: true) == .seconds(40))
    }
  }

  // MARK: What leaves

  @Test("large messages take turns, a part each, and what follows on a stream stands behind its message")
  func turns() {
    var queue = OutgoingQueue()
    queue.add(.response, [], 1, Array(repeating: 1, count: 25))
    queue.add(.item, [], 2, Array(repeating: 2, count: 15))
    queue.add(.end, [], 2, [])
    var order: [String] = []
    while let part = queue.next(atMost: 10) {
      order.append("\(part.stream) \(part.kind) \(part.bytes.count)\(part.flags.contains(.continues) ? "…" : "")")
    }
    #expect(order == ["1 response 10…", "2 item 10…", "1 more 10…", "2 more 5", "1 more 5", "2 end 0"])
    #expect(queue.isEmpty && queue.bytes == 0)
  }

  @Test("of a stream that is given up nothing more leaves, and the credit of what was not seen comes back")
  func removed() {
    var queue = OutgoingQueue()
    queue.add(.item, [], 1, Array(repeating: 1, count: 25))
    queue.add(.item, [], 1, Array(repeating: 1, count: 5))
    _ = queue.next(atMost: 10)
    let removed = queue.remove(1)
    #expect(removed.wasCut && removed.credit == 20)
    #expect(queue.isEmpty && queue.bytes == 0)
  }
}

// MARK: - Arrays in, actions out

/// An action, with its bytes kept.
private enum Heard: Equatable {
  case nothing
  case message(FrameKind, [UInt8])
  case refused(UInt32, String)
  case other(String)
}

private struct KeptFrame: Equatable {
  var kind: FrameKind
  var stream: UInt32
  var body: [UInt8]
}

/// One side, its handshake over unless it is not to be.
private struct Link {
  var state: LinkState
  var now: Instant

  init(
    _ limits: LinkLimits = LinkLimits(), peer: LinkLimits = LinkLimits(), isOpen: Bool = true,
    now: Instant = Instant(nanoseconds: 1)
  ) throws {
    func side(_ role: Handshake.Role, _ limits: LinkLimits) -> Handshake {
      let hello = Hello(
        limits: limits, wantsProof: false, nonce: Array(repeating: role.rawValue, count: Hello.nonceBytes),
        service: "", build: "")
      return Handshake(role: role, hello: hello, secret: nil, limits: limits)
    }
    self.now = now
    var handshaking = LinkLimits()
    (handshaking.keepalive, handshaking.streams) = (limits.keepalive, max(limits.streams, 1))
    state = LinkState(handshake: side(.server, handshaking), limits: limits, now: now)
    guard isOpen else { return }
    try take(side(.client, peer).opening) { _ in }
  }

  mutating func hear(
    _ kind: FrameKind, _ stream: UInt32, _ body: [UInt8] = [], _ flags: FrameFlags = []
  ) throws -> Heard {
    var heard = Heard.nothing
    try take(raw(kind, stream, body, flags)) { action in
      switch action {
      case .nothing: break
      case .message(let message): heard = .message(message.kind, Array(message.body))
      case .refused(let stream, _, let why): heard = .refused(stream, why)
      case .aborted(let stream, let kind, let bytes):
        heard = .other("aborted(stream: \(stream), ofKind: \(kind), bytes: \(bytes))")
      default: heard = .other("\(action)")
      }
    }
    return heard
  }

  private mutating func take(_ bytes: [UInt8], _ body: (LinkState.Action) -> Void) throws {
    var reader = FrameReader(bodyMax: 64 << 10)
    try read(bytes, with: &reader) { (frame) throws(ProtocolViolation) in body(try state.receive(frame, now: now)) }
  }
}

private func raw(_ kind: FrameKind, _ stream: UInt32, _ body: [UInt8], _ flags: FrameFlags = []) -> [UInt8] {
  var builder = FrameBuilder()
  builder.begin(kind, flags, stream)
  builder.append(body)
  builder.finish()
  return builder.bytes
}

/// Bytes that lie where nobody may read beyond them.
private func read(
  _ bytes: [UInt8], with reader: inout FrameReader, _ body: (Frame) throws(ProtocolViolation) -> Void
) throws(ProtocolViolation) {
  let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes.count, alignment: 1)
  defer { memory.deallocate() }
  memory.copyBytes(from: bytes)
  try reader.read(UnsafeRawBufferPointer(memory), body)
}

private func frames(of pieces: [[UInt8]]) throws -> [KeptFrame] {
  var reader = FrameReader(bodyMax: 64 << 10)
  var kept: [KeptFrame] = []
  for piece in pieces {
    try read(piece, with: &reader) { frame in
      kept.append(KeptFrame(kind: frame.kind, stream: frame.stream, body: Array(frame.body)))
    }
  }
  return kept
}
