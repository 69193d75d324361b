import Clocks
import Crypto
import EventLoops
import RPC
import TestKit
import Testing

@testable import RPCTransport

@Suite("Handshakes")
@MainActor
struct HandshakeTests {
  private static let secret = Secret("what both sides of these tests know")
  private static let limits = LinkLimits()

  // MARK: Over streams

  @Test("who knows the secret is let in over TCP, and knows that the server knows it too")
  func matching() async throws {
    let service = TestService(time: EventLoop.time)
    let server = RPCServer(service.router, secret: Self.secret)
    let address = try server.listen(on: .loopback())
    let client = ClientConnection(
      try await Connector.connect(to: address, timeout: .seconds(60)), secret: Secret(Self.secret.revealed))
    try await client.opened()
    #expect(client.peer?.isProven == true && client.peer?.service == "test")
    let context = CallOptions(timeout: .seconds(60)).context(now: EventLoop.time.now, safety: .read)
    #expect(try await client.call(Echo(text: "in"), context) == "in")
    client.close()
    await server.drain()
  }

  @Test("without a secret nothing is listened to that other machines can reach")
  func beyondLoopback() throws {
    // An address that no machine has: with a secret it is the kernel that refuses it.
    let abroad = SocketAddress.ip(IPAddress("192.0.2.1")!, port: 0)
    func refusal(secret: Secret?, _ address: SocketAddress) -> String {
      do throws(SocketError) {
        _ = try RPCServer(RPCRouter(service: "test"), secret: secret).listen(on: address)
        return ""
      } catch {
        return "\(error)"
      }
    }
    for address in [abroad, .ip(IPAddress("0.0.0.0")!, port: 0), .ip(IPAddress("::")!, port: 0)] {
      let refusal = refusal(secret: nil, address)
      #expect(refusal.contains("give a shared secret, or listen on 127.0.0.1"), "\(address): \(refusal)")
    }
    let kernels = refusal(secret: Self.secret, abroad)
    #expect(!kernels.isEmpty && !kernels.contains("shared secret"), "\(kernels)")
  }

  @Test("proofs that were overheard open nothing: each connection has a nonce of its own")
  func replayed() async throws {
    let service = TestService(time: EventLoop.time)
    let server = RPCServer(service.router, secret: Self.secret, random: SeededRandom(seed: 5))
    func visit(saying words: [UInt8]) async -> Visit {
      let pair = MemoryStream.pair()
      server.accept(pair.server)
      let visit = Visit(pair.client)
      visit.probe.write(words)
      #expect(await visit.until { visit.frames.count == 1 })
      return visit
    }
    var honest = Self.side(.client, secret: Self.secret, nonce: 1)
    let first = await visit(saying: honest.opening)
    guard case .send(let proofs) = try Self.hear(first.frames[0], &honest) else {
      return #expect(Bool(false), "a client with a secret does not prove it")
    }
    first.probe.write(proofs[0])
    #expect(await first.until { first.frames.count == 2 })
    guard case .open = try Self.hear(first.frames[1], &honest) else {
      return #expect(Bool(false), "the right proof was not taken")
    }
    let second = await visit(saying: honest.opening)
    second.probe.write(proofs[0])
    #expect(await second.until { !second.probe.closings.isEmpty })
    #expect(try second.refusal?.code == .unauthenticated)
    #expect(try second.refusal?.message == "the shared secrets of both sides differ")
    first.probe.close()
    await server.drain()
  }

  @Test("a call that comes before the proof reaches nobody")
  func unproven() async throws {
    let service = TestService(time: EventLoop.time)
    let server = RPCServer(service.router, secret: Self.secret, random: SeededRandom(seed: 5))
    let pair = MemoryStream.pair()
    server.accept(pair.server)
    let visit = Visit(pair.client)
    visit.probe.write(Self.side(.client, secret: Self.secret, nonce: 1).opening)
    var request = FrameBuilder()
    request.begin(.request, [], 1 << 16)
    try RequestHead(Echo.method, CallContext(deadline: EventLoop.time.now + .seconds(60)), now: EventLoop.time.now)
      .write(to: &request)
    request.finish()
    visit.probe.write(request.bytes)
    #expect(await visit.until { !visit.probe.closings.isEmpty })
    #expect(service.calls == 0 && server.connectionCount == 0)
    await server.drain()
  }

  @Test(
    "a client with a secret calls no server that cannot prove it: not with a wrong proof, not with the client's own",
    arguments: ["wrong", "reflected", "none asked"])
  func impostor(trick: String) async throws {
    let pair = MemoryStream.pair()
    let visit = Visit(pair.server)
    let client = ClientConnection(pair.client, secret: Self.secret, random: SeededRandom(seed: 3))
    visit.probe.resumeReading()
    #expect(await visit.until { visit.frames.count == 1 })
    let asks = trick == "none asked" ? nil : Self.secret
    visit.probe.write(Self.side(.server, secret: asks, nonce: 2).opening)
    if asks != nil {
      #expect(await visit.until { visit.frames.count == 2 })
      let proof = visit.frames[1]
      visit.probe.write(trick == "reflected" ? proof : Self.proofFrame(Array(proof[10...].reversed())))
    }
    let failure = await error { () throws(RPCError) in try await client.opened() }
    #expect(failure?.code == .unauthenticated && failure?.executed == .no)
    #expect(
      failure?.message.contains(asks == nil ? "the other (fake) has none; give it the file" : "secrets of both") == true
    )
    #expect(!client.isUsable && client.peer == nil)
    visit.probe.close()
  }

  @Test("versions that do not overlap are named on both sides, with what to do", arguments: [UInt8(0), 2])
  func versions(version: UInt8) async throws {
    let sentence =
      "this side speaks versions 1…1 of the protocol and yours \(version)…\(version); update the older one"
    // A server says it before it closes.
    let server = RPCServer(RPCRouter(service: "test"), random: SeededRandom(seed: 5))
    let pair = MemoryStream.pair()
    server.accept(pair.server)
    let visit = Visit(pair.client)
    visit.probe.write(Self.side(.client, secret: nil, nonce: 1, versions: version...version).opening)
    #expect(await visit.until { !visit.probe.closings.isEmpty })
    #expect(try visit.refusal?.code == .unauthenticated)
    #expect(try visit.refusal?.message == sentence)
    await server.drain()
    // A client tells its caller.
    let other = MemoryStream.pair()
    let fake = Visit(other.server)
    let client = ClientConnection(other.client, random: SeededRandom(seed: 3))
    fake.probe.write(Self.side(.server, secret: nil, nonce: 2, versions: version...version).opening)
    let failure = await error { () throws(RPCError) in try await client.opened() }
    #expect(failure?.code == .unauthenticated && failure?.message == sentence)
    fake.probe.close()
  }

  // MARK: As a struct

  @Test("of versions that overlap one is spoken")
  func overlapping() throws {
    var server = Self.side(.server, secret: nil, nonce: 2)
    let newer = Self.side(.client, secret: nil, nonce: 1, versions: 1...9)
    guard case .open = try Self.hear(newer.opening, &server) else {
      return #expect(Bool(false), "versions 1 to 9 do not contain version 1")
    }
  }

  @Test("a secret on one side only is refused by a server, which says on which")
  func oneSided() throws {
    for (ours, theirs, words) in [
      (Self.secret, nil, "has none; give it the file"), (nil, Self.secret, "give this one"),
    ] {
      var server = Self.side(.server, secret: ours, nonce: 2)
      let step = try Self.hear(Self.side(.client, secret: theirs, nonce: 1).opening, &server)
      guard case .refuse(let frames, let sentence) = step else { return #expect(Bool(false), "\(step)") }
      #expect(sentence.contains(words) && frames.count == 1 && server.isOver)
    }
  }

  @Test("a proof holds for these two nonces and this side alone")
  func proofs() throws {
    func proof(client: UInt8, server: UInt8) throws -> [UInt8] {
      var side = Self.side(.client, secret: Self.secret, nonce: client)
      let step = try Self.hear(Self.side(.server, secret: Self.secret, nonce: server).opening, &side)
      guard case .send(let frames) = step else { throw ProtocolViolation("\(step)") }
      return frames[0]
    }
    func isTaken(_ proof: [UInt8]) throws -> Bool {
      var server = Self.side(.server, secret: Self.secret, nonce: 2)
      _ = try Self.hear(Self.side(.client, secret: Self.secret, nonce: 1).opening, &server)
      if case .open = try Self.hear(proof, &server) { return true } else { return false }
    }
    #expect(try isTaken(proof(client: 1, server: 2)))
    #expect(try !isTaken(proof(client: 1, server: 3)))
    #expect(try !isTaken(proof(client: 3, server: 2)))
    #expect(try !isTaken(proof(client: 2, server: 1)))
  }

  @Test("the stricter limits and the longer keepalive hold for both")
  func agreement() throws {
    var modest = LinkLimits()
    (modest.messageBytes, modest.streams, modest.keepalive) = (1 << 20, 2_000, .seconds(5))
    var patient = LinkLimits()
    (patient.messageBytes, patient.streams, patient.keepalive) = (8 << 20, 100, .seconds(30))
    for (ours, theirs) in [(modest, patient), (patient, modest)] {
      var server = Self.side(.server, secret: nil, nonce: 2, limits: ours)
      let step = try Self.hear(Self.side(.client, secret: nil, nonce: 1, limits: theirs).opening, &server)
      guard case .open(_, let peer) = step else { return #expect(Bool(false), "\(step)") }
      #expect(peer.messageBytes == 1 << 20 && peer.streams == 100 && peer.keepalive == .seconds(30))
    }
  }

  @Test(
    "a HELLO of another protocol, one that is cut, one that contradicts itself: each ends the connection",
    arguments: ["magic", "cut", "streams", "versions", "long"])
  func malformed(how: String) {
    var bytes = Self.side(.client, secret: nil, nonce: 1).opening
    switch how {
    case "magic": bytes[10] ^= 1
    case "cut": bytes = Self.frame(kind: 1, Array(bytes[10..<40]))
    case "streams": bytes.replaceSubrange(24..<26, with: [0, 0])
    case "versions": bytes[14] = 9
    default: bytes = Self.frame(kind: 1, bytes[10...] + [UInt8](repeating: 0, count: LinkLimits.helloBytes))
    }
    var server = Self.side(.server, secret: nil, nonce: 2)
    #expect(throws: ProtocolViolation.self) { try Self.hear(bytes, &server) }
  }

  @Test("a name has at most 64 bytes: a longer one of ours is cut, a longer one of theirs ends the connection")
  func names() throws {
    func opening(_ service: String, _ limits: LinkLimits) -> [UInt8] {
      let nonce = [UInt8](repeating: 1, count: Hello.nonceBytes)
      let hello = Hello(limits: limits, wantsProof: false, nonce: nonce, service: service, build: service)
      return Handshake(role: .client, hello: hello, secret: nil, limits: limits).opening
    }
    var loose = LinkLimits()
    loose.nameBytes = 200
    for (name, limits, told) in [
      (String(repeating: "n", count: 64), loose, String(repeating: "n", count: 64)),
      (String(repeating: "극장", count: 20), Self.limits, String(repeating: "극장", count: 10) + "극"),
    ] {
      var server = Self.side(.server, secret: nil, nonce: 2)
      guard case .open(_, let peer) = try Self.hear(opening(name, limits), &server) else {
        return #expect(Bool(false), "\(name)")
      }
      #expect(peer.service == told && peer.build == told)
    }
    var server = Self.side(.server, secret: nil, nonce: 2)
    #expect(throws: ProtocolViolation.self) {
      try Self.hear(opening(String(repeating: "n", count: 65), loose), &server)
    }
  }

  @Test("what a later version adds to a HELLO is skipped")
  func laterFields() throws {
    let hello = Self.side(.client, secret: nil, nonce: 1).opening
    var server = Self.side(.server, secret: nil, nonce: 2)
    let step = try Self.hear(Self.frame(kind: 1, hello[10...] + [1, 2, 3]), &server)
    guard case .open = step else { return #expect(Bool(false), "\(step)") }
  }

  // MARK: Making them

  private static func side(
    _ role: Handshake.Role, secret: Secret?, nonce: UInt8, versions: ClosedRange<UInt8> = 1...1,
    limits: LinkLimits = LinkLimits()
  ) -> Handshake {
    var hello = Hello(
      limits: limits, wantsProof: secret != nil, nonce: Array(repeating: nonce, count: Hello.nonceBytes),
      service: "fake", build: "")
    hello.versionMin = versions.lowerBound
    hello.versionMax = versions.upperBound
    return Handshake(role: role, hello: hello, secret: secret, limits: limits)
  }

  private static func frame(kind: UInt8, _ body: some Collection<UInt8>) -> [UInt8] {
    withUnsafeBytes(of: UInt32(body.count + 6).littleEndian) { Array($0) } + [kind, 0, 0, 0, 0, 0] + body
  }

  private static func proofFrame(_ proof: [UInt8]) -> [UInt8] { frame(kind: 2, proof) }

  /// What a side makes of one frame.
  private static func hear(_ frame: [UInt8], _ side: inout Handshake) throws -> Handshake.Step {
    var steps: [Handshake.Step] = []
    try read(frame) { (frame) throws(ProtocolViolation) in steps.append(try side.receive(frame)) }
    return try #require(steps.first)
  }

  /// The frames that lie in `bytes`, one after the other.
  fileprivate static func read(
    _ bytes: [UInt8], _ body: (Frame) throws(ProtocolViolation) -> Void
  ) throws(ProtocolViolation) {
    let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes.count, alignment: 1)
    defer { memory.deallocate() }
    memory.copyBytes(from: bytes)
    var reader = FrameReader(bodyMax: limits.frameBodyBytes)
    try reader.read(UnsafeRawBufferPointer(memory), body)
  }
}

/// Somebody at one end of a connection who speaks in frames of his own making.
@MainActor
private final class Visit {
  let probe: StreamProbe

  init(_ stream: MemoryStream) {
    probe = StreamProbe(stream)
    probe.resumeReading()
  }

  /// What came so far, a frame each.
  var frames: [[UInt8]] {
    var frames: [[UInt8]] = []
    var left = probe.received[...]
    while left.count >= 10 {
      let size = 4 + left.prefix(4).reversed().reduce(0) { $0 << 8 | Int($1) }
      guard left.count >= size else { break }
      frames.append(Array(left.prefix(size)))
      left = left.dropFirst(size)
    }
    return frames
  }

  /// The error that came last, if one did.
  var refusal: RPCError? {
    get throws {
      var refusal: RPCError?
      try HandshakeTests.read(frames.last ?? []) { (frame) throws(ProtocolViolation) in
        guard frame.kind == .error else { return }
        refusal = try ErrorBody(frame.body, limits: LinkLimits()).error
      }
      return refusal
    }
  }

  func until(_ isDone: () -> Bool) async -> Bool {
    for _ in 0..<10_000 {
      if isDone() { return true }
      await withUnsafeContinuation { next in EventLoop.atEndOfTurn { next.resume() } }
    }
    return isDone()
  }
}
