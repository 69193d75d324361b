import CAllocations
import Clocks
import EventLoops
import HTTP
import Testing

/// What a request and a connection cost in memory. A debug build allocates for what a release build keeps in registers,
/// so it is held to a number of its own, which only guards against surprises.
@MainActor
@Suite("HTTP costs")
struct HTTPCostTests {
  #if DEBUG
  private static let isDebug = true
  #else
  private static let isDebug = false
  #endif

  /// Takes bytes and keeps none, so that what is counted is the server's.
  @MainActor
  private final class Sink: ByteStream {
    var handler: (any ByteStreamHandler)?
    let peer = SocketAddress.loopback(port: 1)
    init() {}
    var count = 0
    let queuedBytes = 0
    let isOverHighWater = false

    func write(_ bytes: UnsafeRawBufferPointer) { count += bytes.count }
    func pauseReading() {}
    func resumeReading() {}
    func finish() {}
    func close(_ reason: StreamEnd) {}

    func arrive(_ bytes: [UInt8]) { bytes.withUnsafeBytes { handler?.received($0) } }
  }

  private func allocationsPerRequest(_ path: String, depth: Int) -> Double {
    let fixture = HTTPFixture(routes: { router in
      let body = HTTPFixture.hello
      router.get("/shared") { _ in .json(body) }
    })
    let sink = Sink()
    fixture.server.accept(sink)
    let request = HTTPFixture.get(path, "User-Agent: test\r\nAccept: */*\r\nAccept-Encoding: gzip\r\n")
    let bytes = Array(String(repeating: request, count: depth).utf8)
    for _ in 0..<10 { sink.arrive(bytes) }
    let before = odi_allocations()
    for _ in 0..<100 { sink.arrive(bytes) }
    return Double(odi_allocations() - before) / Double(100 * depth)
  }

  @Test("a request that is answered at once from memory allocates nothing", arguments: [1, 16])
  func immediate(depth: Int) {
    let count = allocationsPerRequest("/shared", depth: depth)
    #expect(count <= (Self.isDebug ? 67 : 0), "\(count) allocations a request")
  }

  @Test("a request that is answered by an async handler allocates a task and little else", arguments: [1, 16])
  func suspending(depth: Int) {
    let count = allocationsPerRequest("/quick/x", depth: depth)
    #expect(count <= (Self.isDebug ? 72 : 8), "\(count) allocations a request")
  }

  /// Bytes that `count` connections hold after `open` has been called for each.
  private func bytesEach(_ count: Int, _ accept: (Sink) -> Void) -> Int64 {
    let sinks = (0..<count).map { _ in Sink() }
    let before = odi_live_bytes()
    for sink in sinks { accept(sink) }
    let bytes = odi_live_bytes() - before
    withExtendedLifetime(sinks) {}
    return bytes / Int64(count)
  }

  @Test("a connection that is idle after its answers holds under 192 bytes")
  func idle() {
    let fixture = HTTPFixture { $0.limits.connectionsPerAddress = 10_000 }
    let request = Array(HTTPFixture.get("/hello").utf8)
    let bytes = bytesEach(1_000) { sink in
      fixture.server.accept(sink)
      for _ in 0..<3 { sink.arrive(request) }
    }
    #expect(bytes <= 192, "\(bytes) bytes a connection")
  }

  @Test("connections that came and went leave nothing behind, however they went")
  func comeAndGone() {
    let events = EventHubTests.Events()
    let half = "POST /hello HTTP/1.1\r\nHost: h\r\nContent-Length: 100\r\n\r\nhalf"
    let lives = [
      HTTPFixture.get("/hello"), HTTPFixture.get("/events?topics=a", "Accept: text/event-stream\r\n"),
      HTTPFixture.get("/nothing"), "GET /hel", half, "\0",
    ].map { Array($0.utf8) }
    func come(_ times: Int) {
      for _ in 0..<times {
        for life in lives {
          let sink = Sink()
          events.server.accept(sink)
          sink.arrive(life)
          events.run([])
          sink.handler?.closed(.endedByPeer)
          sink.handler = nil
        }
      }
    }
    // What is kept for the next has its size by then.
    come(100)
    let before = odi_live_bytes()
    come(1_000)
    let left = odi_live_bytes() - before
    #expect(events.hub.readers.isEmpty)
    #expect(left < 1_000, "\(left) bytes after \(1_000 * lives.count) connections")
  }

  @Test("an open event stream holds under 432 bytes, its connection included and its socket not")
  func stream() {
    let events = EventHubTests.Events()
    let request = Array(
      HTTPFixture.get("/events?topics=cinema:emu,film:film_8k2q", "Accept: text/event-stream\r\n").utf8)
    let bytes = bytesEach(1_000) { sink in
      events.server.accept(sink)
      sink.arrive(request)
      events.run([])
    }
    #expect(events.hub.readers.count == 1_000)
    #expect(bytes <= 432, "\(bytes) bytes a stream")
  }
}
