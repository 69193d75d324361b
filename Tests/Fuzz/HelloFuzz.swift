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
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  guard count > 0, let start else { return 0 }
  let bytes = Array(UnsafeBufferPointer(start: start + 1, count: count - 1))
  let (secret, isServer) = (start[0] & 1 == 0 ? nil : secret, start[0] & 2 == 0)
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
  return 0
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
