import Clocks
import Crypto
import RPC

/// What each side says of itself first.
nonisolated struct Hello: Equatable {
  static let magic: UInt32 = 0x3149_444F  // "ODI1"
  static let version: UInt8 = 1
  static let nonceBytes = 32

  var versionMin = Hello.version
  var versionMax = Hello.version
  /// Bits that both sides set are in force. None is needed yet.
  var features: UInt32 = 0
  var messageBytes: UInt32
  var streams: UInt16
  var keepaliveMilliseconds: UInt32
  var wantsProof: Bool
  var nonce: [UInt8]
  var service: String
  var build: String

  func frame(into builder: inout FrameBuilder, limits: LinkLimits) {
    builder.begin(.hello, [], 0)
    builder.integer(Hello.magic)
    builder.integer(versionMin)
    builder.integer(versionMax)
    builder.integer(features)
    builder.integer(messageBytes)
    builder.integer(streams)
    builder.integer(keepaliveMilliseconds)
    builder.integer(wantsProof ? UInt8(1) : 0)
    builder.append(nonce)
    builder.text(service, atMost: limits.nameBytes)
    builder.text(build, atMost: limits.nameBytes)
    builder.finish()
  }

  /// Later versions may add fields at the end: what follows the build is skipped.
  init(_ body: UnsafeRawBufferPointer, limits: LinkLimits) throws(ProtocolViolation) {
    guard body.count <= LinkLimits.helloBytes else { throw ProtocolViolation("a HELLO has \(body.count) bytes") }
    var reader = BodyReader(body)
    guard try reader.integer(UInt32.self) == Hello.magic else {
      throw ProtocolViolation("the other side does not speak this protocol")
    }
    versionMin = try reader.integer()
    versionMax = try reader.integer()
    features = try reader.integer()
    messageBytes = try reader.integer()
    streams = try reader.integer()
    keepaliveMilliseconds = try reader.integer()
    wantsProof = try reader.integer(UInt8.self) != 0
    nonce = Array(try reader.bytes(Hello.nonceBytes))
    service = try reader.text(atMost: limits.nameBytes)
    build = try reader.text(atMost: limits.nameBytes)
    guard versionMin <= versionMax, streams > 0, keepaliveMilliseconds > 0 else {
      throw ProtocolViolation("a HELLO contradicts itself")
    }
  }

  init(
    limits: LinkLimits, wantsProof: Bool, nonce: [UInt8], service: String, build: String
  ) {
    messageBytes = UInt32(clamping: limits.messageBytes)
    streams = UInt16(clamping: limits.streams)
    keepaliveMilliseconds = UInt32(clamping: limits.keepalive.wholeMilliseconds)
    self.wantsProof = wantsProof
    self.nonce = nonce
    self.service = service
    self.build = build
  }
}

/// Who the other side is and what was agreed upon.
nonisolated package struct LinkPeer: Sendable, Equatable {
  package var service: String
  package var build: String
  /// The smaller of both sides' limits.
  package var messageBytes: Int
  package var streams: Int
  package var keepalive: Duration
  package var isProven: Bool
}

/// The first words on a connection, from both sides' view: HELLO, HELLO, and where there is a secret, two proofs of it.
///
/// ```text
/// client ── HELLO(nonce c) ──► server      each proof is HMAC-SHA256 over the role and both nonces, so that neither
/// client ◄── HELLO(nonce s) ── server      can be sent back or replayed, and an eavesdropper learns nothing
/// client ── PROOF ───────────► server
/// client ◄──────────── PROOF ─ server
/// ```
nonisolated struct Handshake {
  enum Role: UInt8 { case client = 1, server = 2 }

  enum Step: Equatable {
    /// Send these frames and wait for more.
    case send([[UInt8]])
    /// Send these frames; the connection is open.
    case open([[UInt8]], LinkPeer)
    /// Send these frames, if any, and close with the sentence.
    case refuse([[UInt8]], String)
  }

  private let role: Role
  private let secret: Secret?
  private let hello: Hello
  private let limits: LinkLimits
  private var peer: Hello?
  private(set) var isOver = false

  init(role: Role, hello: Hello, secret: Secret?, limits: LinkLimits) {
    self.role = role
    self.hello = hello
    self.secret = secret
    self.limits = limits
  }

  /// What a client sends as soon as it is connected.
  var opening: [UInt8] {
    var builder = FrameBuilder()
    hello.frame(into: &builder, limits: limits)
    return builder.bytes
  }

  mutating func receive(_ frame: Frame) throws(ProtocolViolation) -> Step {
    switch (frame.kind, peer) {
    case (.hello, nil): return try receivedHello(Hello(frame.body, limits: limits))
    case (.proof, let peer?): return receivedProof(Array(frame.body), of: peer)
    case (.error, _) where role == .client:
      let error = try ErrorBody(frame.body, limits: limits).error
      return end(.refuse([], error.message))
    default: throw ProtocolViolation("a \(frame.kind) frame came before the handshake was over")
    }
  }

  private mutating func receivedHello(_ peer: Hello) throws(ProtocolViolation) -> Step {
    self.peer = peer
    guard peer.versionMin <= hello.versionMax, hello.versionMin <= peer.versionMax else {
      return refuse(
        "this side speaks versions \(hello.versionMin)…\(hello.versionMax) of the protocol and yours "
          + "\(peer.versionMin)…\(peer.versionMax); update the older one")
    }
    let reply = role == .server ? [opening] : []
    switch (secret, peer.wantsProof) {
    case (nil, false): return end(.open(reply, agreed(with: peer, isProven: false)))
    case (nil, true):
      return refuse("the other side (\(peer.service)) asks for the shared secret; give this one its file too")
    case (_?, false):
      return refuse("this side asks for the shared secret and the other (\(peer.service)) has none; give it the file")
    case (let secret?, true):
      return role == .server ? .send(reply) : .send([proofFrame(secret, of: .client, peer)])
    }
  }

  private mutating func receivedProof(_ proof: [UInt8], of peer: Hello) -> Step {
    guard let secret else { return refuse("a proof came that nobody asked for") }
    let theirs: Role = role == .server ? .client : .server
    guard HMACSHA256.isValid(proof, for: transcript(theirs, peer), key: secret) else {
      return refuse("the shared secrets of both sides differ")
    }
    let reply = role == .server ? [proofFrame(secret, of: .server, peer)] : []
    return end(.open(reply, agreed(with: peer, isProven: true)))
  }

  private mutating func end(_ step: Step) -> Step {
    isOver = true
    return step
  }

  private mutating func refuse(_ sentence: String) -> Step {
    guard role == .server else { return end(.refuse([], sentence)) }
    var builder = FrameBuilder()
    ErrorBody(.init(.unauthenticated, sentence)).frame(on: 0, into: &builder, limits: limits)
    return end(.refuse([builder.bytes], sentence))
  }

  private func proofFrame(_ secret: Secret, of role: Role, _ peer: Hello) -> [UInt8] {
    var builder = FrameBuilder()
    builder.begin(.proof, [], 0)
    builder.append(HMACSHA256.code(for: transcript(role, peer), key: secret))
    builder.finish()
    return builder.bytes
  }

  /// What is signed: which side signs, then the client's nonce, then the server's.
  private func transcript(_ signer: Role, _ peer: Hello) -> [UInt8] {
    let (client, server) = role == .client ? (hello.nonce, peer.nonce) : (peer.nonce, hello.nonce)
    return Array("odi-rpc-1".utf8) + [signer.rawValue] + client + server
  }

  private func agreed(with peer: Hello, isProven: Bool) -> LinkPeer {
    LinkPeer(
      service: peer.service, build: peer.build,
      messageBytes: min(Int(peer.messageBytes), Int(hello.messageBytes)),
      streams: min(Int(peer.streams), Int(hello.streams)),
      // The more patient side decides, so that no ping of the other is ever one too many.
      keepalive: .milliseconds(max(peer.keepaliveMilliseconds, hello.keepaliveMilliseconds)), isProven: isProven)
  }
}
