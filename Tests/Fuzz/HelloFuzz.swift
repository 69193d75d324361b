import Clocks
import Crypto
import EventLoops
import RPC
import RPCTransport

private let secret = Secret.random()

/// A call that must not reach its handler before there is a proof.
private struct Knock: RPCRequest {
  enum Service: RPCService { static let name = "fuzz" }
  typealias Response = Bool
  static let method: MethodID = 0x7F40
  static let safety: Safety = .read

  /// length 18, kind REQUEST (3), no flags, stream 0x10000; method, 9,000 ms, priority 2, attempt 1, not superseding; a
  /// record without fields.
  static let frame: [UInt8] = [
    18, 0, 0, 0, 3, 0, 0, 0, 1, 0, 0x40, 0x7F, 0x28, 0x23, 0, 0, 2, 1, 0, 0x0B, 0, 0,
  ]
}

/// Whatever stands where a HELLO should, to a server or to a client, with a shared secret or without: nobody gets in who
/// does not know the secret. A server is also sent a call behind it.
///
/// Input: who hears it, then what it hears.
func fuzzHello(_ input: UnsafeBufferPointer<UInt8>) {
  guard let first = input.first else { return }
  let bytes = Array(input.dropFirst())
  let (secret, isServer) = (first & 1 == 0 ? nil : secret, first & 2 == 0)
  MainActor.assumeIsolated {
    let stream = SilentStream()
    if isServer {
      let router = RPCRouter(service: "fuzz")
      router.on(Knock.self) { (_: Knock, _: borrowing CallContext) in
        precondition(secret == nil, "a call is answered without a proof")
        return true
      }
      let server = RPCServer(router, secret: secret, time: ManualTime(), random: SeededRandom(seed: 1))
      server.accept(stream)
      stream.receive(bytes + Knock.frame)
      precondition(secret == nil || !stream.isAnswered, "a call is answered without a proof")
    } else {
      let client = ClientConnection(stream, secret: secret, time: ManualTime(), random: SeededRandom(seed: 1))
      stream.receive(bytes)
      precondition(secret == nil || !client.isUsable, "the other side is trusted without a proof")
      client.close()
    }
    stream.end()
  }
}

/// One end of a connection without another: of what is written to it only the kinds of frames are looked at.
@MainActor
private final class SilentStream: ByteStream {
  private var written: [UInt8] = []

  /// Whether there is a RESPONSE (4).
  var isAnswered: Bool {
    var rest = written[...]
    while rest.count >= 10 {
      if rest[rest.startIndex + 4] == 4 { return true }
      let length = rest.prefix(4).reversed().reduce(0) { $0 << 8 | Int($1) }
      rest = rest.dropFirst(4 + length)
    }
    return false
  }

  var handler: (any ByteStreamHandler)?
  let peer = SocketAddress.loopback()
  let queuedBytes = 0
  let isOverHighWater = false

  func write(_ bytes: UnsafeRawBufferPointer) { written += bytes }
  func pauseReading() {}
  func resumeReading() {}
  func finish() {}
  func close(_: StreamEnd) {}

  func receive(_ bytes: [UInt8]) { bytes.withUnsafeBytes { handler?.received($0) } }

  func end() {
    let handler = handler
    self.handler = nil
    handler?.closed(.endedByPeer)
  }
}
