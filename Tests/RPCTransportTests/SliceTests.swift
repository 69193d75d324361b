import Clocks
import EventLoops
import RPC
import RPCTransport
import TestKit
import Testing

/// A stream inside the process that counts how often its writer wants to be sent before the turn is over, and how often
/// its reader lets others go on.
@MainActor
private final class CountingStream: ByteStream {
  private let base: MemoryStream
  private(set) var early = 0
  private(set) var yields = 0

  init(_ base: MemoryStream) { self.base = base }

  var handler: (any ByteStreamHandler)? {
    get { base.handler }
    set { base.handler = newValue }
  }
  var peer: SocketAddress { base.peer }
  var queuedBytes: Int { base.queuedBytes }
  var isOverHighWater: Bool { base.isOverHighWater }
  func write(_ bytes: UnsafeRawBufferPointer) { base.write(bytes) }
  func sendEarly() { early += 1 }
  func yieldToJobs() { yields += 1 }
  func pauseReading() { base.pauseReading() }
  func resumeReading() { base.resumeReading() }
  func finish() { base.finish() }
  func close(_ reason: StreamEnd) { base.close(reason) }
}

@Suite("Slices")
@MainActor
struct SliceTests {
  private let service = TestService(time: EventLoop.time)

  /// Makes calls in one turn and waits for all: how often each side sent early and yielded.
  private func slices(calls: Int) async throws -> (client: CountingStream, server: CountingStream) {
    let server = RPCServer(service.router, random: SeededRandom(seed: 1))
    let pair = MemoryStream.pair()
    let (near, far) = (CountingStream(pair.client), CountingStream(pair.server))
    server.accept(far)
    let connection = ClientConnection(near, random: SeededRandom(seed: 2))
    try await connection.opened()
    let context = CallContext(deadline: EventLoop.time.now + .seconds(30))
    let asking = (0..<calls).map { number in
      Task { @MainActor in try? await connection.call(Echo(text: "\(number)"), context) }
    }
    for (number, task) in asking.enumerated() {
      let answer = await task.value
      #expect(answer == "\(number)")
    }
    connection.close()
    await server.drain()
    return (near, far)
  }

  @Test("of many calls in one turn sixteen leave at a time, and sixteen answers are handed over before more are read")
  func many() async throws {
    let (client, server) = try await slices(calls: 40)
    #expect(client.early == 2 && server.early == 2)
    #expect(client.yields >= 2 && server.yields >= 2)
  }

  @Test("few calls of one turn leave in one write")
  func few() async throws {
    let (client, server) = try await slices(calls: 10)
    #expect(client.early == 0 && server.early == 0)
  }
}
