import Clocks
import EventLoops
import RPC
import RPCTransport

/// Whatever a client sends after its HELLO, however it is cut, the server answers the same or closes.
///
/// Input: how it is cut, then frames.
func fuzzFrames(_ input: UnsafeBufferPointer<UInt8>) {
  guard let first = input.first else { return }
  let bytes = hello + Array(input.dropFirst())
  let cut = 1 + Int(first) % 13
  MainActor.assumeIsolated {
    let whole = answer(to: bytes, pieces: bytes.count)
    precondition(whole.said.count >= hello.count, "the server did not say HELLO")
    let pieces = answer(to: bytes, pieces: cut)
    precondition(whole.said == pieces.said, "in pieces of \(cut) bytes it means something else")
    // A frame of an unknown kind is refused at sight when it is seen whole, and at its end when it is not.
    precondition(whole.isClosed || !pieces.isClosed, "in pieces of \(cut) bytes it is refused")
  }
}

/// Version 1, no features, 4 MiB, 100 streams, 10 s, no proof, a nonce, no names: see Shared/RPCTransport/README.md.
private let hello: [UInt8] =
  frame(
    kind: 1,
    [0x4F, 0x44, 0x49, 0x31, 1, 1, 0, 0, 0, 0, 0, 0, 64, 0, 100, 0, 0x10, 0x27, 0, 0, 0]
      + [UInt8](repeating: 7, count: 32) + [0, 0, 0, 0])

private func frame(kind: UInt8, _ body: [UInt8]) -> [UInt8] {
  withUnsafeBytes(of: UInt32(body.count + 6).littleEndian) { Array($0) } + [kind, 0, 0, 0, 0, 0] + body
}

private enum EchoAPI: RPCService { static let name = "echo" }

private struct Echo: RPCRequest {
  typealias Service = EchoAPI
  typealias Response = Echo
  static let method: MethodID = 0x0101
  static let safety = Safety.read
  var text: String
  var number: Int?
  var list: [Double]
}

private struct Exchange {
  var said: [UInt8]
  var isClosed: Bool
}

@MainActor
private func answer(to bytes: [UInt8], pieces size: Int) -> Exchange {
  let router = RPCRouter(service: EchoAPI.name)
  router.on(Echo.self) { request, _ in request }
  let server = RPCServer(router, time: ManualTime(), random: SeededRandom(seed: 1))
  let stream = RecordingStream()
  server.accept(stream)
  stream.receive(bytes, pieces: size)
  return Exchange(said: stream.said, isClosed: stream.isClosed)
}

/// One end of a connection without another: what is written to it is kept.
@MainActor
private final class RecordingStream: ByteStream {
  var handler: (any ByteStreamHandler)?
  let peer = SocketAddress.loopback()
  private(set) var said: [UInt8] = []
  private(set) var isClosed = false
  let queuedBytes = 0
  let isOverHighWater = false

  func write(_ bytes: UnsafeRawBufferPointer) { if !isClosed { said += bytes } }
  func pauseReading() {}
  func resumeReading() {}
  func finish() { isClosed = true }
  func close(_: StreamEnd) { isClosed = true }

  func receive(_ bytes: [UInt8], pieces size: Int) {
    for start in stride(from: 0, to: bytes.count, by: size) where !isClosed {
      hear(Array(bytes[start..<min(start + size, bytes.count)]))
    }
    let handler = handler
    self.handler = nil
    handler?.closed(.endedByPeer)
  }

  private func hear(_ piece: [UInt8]) { piece.withUnsafeBytes { handler?.received($0) } }
}
