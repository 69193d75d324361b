import EventLoops
import Observability
import ServiceKit
import TestKit
import Testing

@Suite("Operations")
@MainActor
struct OperationsTests {
  private let readiness = Readiness()
  private let metrics = Metrics()

  private struct Reply {
    var head: String
    var body: String
    var status: Int { Int(head.split(separator: " ").dropFirst().first ?? "") ?? 0 }
  }

  /// Asks over a real socket, as an orchestrator does.
  private func ask(_ targets: String..., accept: String = "*/*") async throws -> [Reply] {
    let server = OperationsServer(
      on: .loopback(), readiness: readiness, metrics: metrics, time: EventLoop.time)
    try await server.start()
    let address = try #require(server.address)
    var replies: [Reply] = []
    for target in targets {
      let stream = try await Connector.connect(to: address, timeout: .seconds(5))
      let listener = Listening()
      stream.handler = listener
      stream.resumeReading()
      stream.write("GET \(target) HTTP/1.1\r\nHost: x\r\nAccept: \(accept)\r\nConnection: close\r\n\r\n")
      let text = await listener.everything()
      let parts = text.split(separator: "\r\n\r\n", maxSplits: 1).map(String.init)
      replies.append(Reply(head: parts.first ?? "", body: parts.count > 1 ? parts[1] : ""))
    }
    await server.stop()
    return replies
  }

  @Test("alive is said at any time, ready only when it is so")
  func health() async throws {
    readiness.add(Readiness.Condition("db") { nil })
    let starting = try await ask("/livez", "/readyz")
    #expect(starting.map(\.status) == [200, 503])
    #expect(starting.map(\.body) == ["ok\n", "[-]lifecycle starting\n[+]db ok\n"])
    readiness.state = .ready
    let ready = try await ask("/readyz", "/readyz?verbose")
    #expect(ready.map(\.body) == ["ok\n", "[+]lifecycle ok\n[+]db ok\n"])
    readiness.add(Readiness.Condition("disk") { "full" })
    let ill = try await ask("/readyz", "/readyz?exclude=disk", "/livez")
    #expect(ill.map(\.status) == [503, 200, 200])
    #expect(ill[0].head.lowercased().contains("cache-control: private, no-store"))
  }

  @Test("metrics come in the form that is asked for")
  func numbers() async throws {
    metrics.counter("odi_test_total", "A test.").add(3)
    let plain = try await ask("/metrics")
    #expect(plain[0].head.contains("text/plain; version=0.0.4"))
    #expect(plain[0].body == "# HELP odi_test_total A test.\n# TYPE odi_test_total counter\nodi_test_total 3\n")
    let open = try await ask("/metrics", accept: "application/openmetrics-text")
    #expect(open[0].head.contains("application/openmetrics-text"))
    #expect(open[0].body.hasSuffix("# EOF\n"))
  }

  @Test("there is nothing else")
  func nothingElse() async throws {
    #expect(try await ask("/", "/metrics/x", "/readyz?wrong=1").map(\.status) == [404, 404, 400])
  }
}

/// Collects what a peer says until it closes.
@MainActor
private final class Listening: ByteStreamHandler {
  private var bytes: [UInt8] = []
  private var isOver = false
  private var waiting: CheckedContinuation<Void, Never>?

  func received(_ bytes: UnsafeRawBufferPointer) { self.bytes += bytes }

  func closed(_ reason: StreamEnd) {
    isOver = true
    waiting?.resume()
    waiting = nil
  }

  func everything() async -> String {
    if !isOver { await withCheckedContinuation { waiting = $0 } }
    return String(decoding: bytes, as: UTF8.self)
  }
}
