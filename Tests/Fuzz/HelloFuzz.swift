import Clocks
import Crypto
import EventLoops
import RPC
import RPCTransport

private let secret = Secret.random()

/// Whatever stands where a HELLO should, to a server or to a client, with a shared secret or without: nobody gets in who
/// does not know the secret.
///
/// Input: who hears it, then what it hears.
func fuzzHello(_ input: UnsafeBufferPointer<UInt8>) {
  guard let first = input.first else { return }
  let bytes = Array(input.dropFirst())
  let (secret, isServer) = (first & 1 == 0 ? nil : secret, first & 2 == 0)
  MainActor.assumeIsolated {
    let stream = SilentStream()
    if isServer {
      let server = RPCServer(
        RPCRouter(service: "fuzz"), secret: secret, time: ManualTime(), random: SeededRandom(seed: 1))
      server.accept(stream)
      stream.receive(bytes)
    } else {
      let client = ClientConnection(stream, secret: secret, time: ManualTime(), random: SeededRandom(seed: 1))
      stream.receive(bytes)
      precondition(secret == nil || !client.isUsable, "the other side is trusted without a proof")
      client.close()
    }
    stream.end()
  }
}

/// One end of a connection without another: what is written to it is gone.
@MainActor
private final class SilentStream: ByteStream {
  var handler: (any ByteStreamHandler)?
  let peer = SocketAddress.loopback()
  let queuedBytes = 0
  let isOverHighWater = false

  func write(_: UnsafeRawBufferPointer) {}
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
