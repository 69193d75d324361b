import Clocks
import EventLoops
import Observability
import RPC
import RPCTransport
import Synchronization
import Testing

@Suite("Traces of calls")
@MainActor
struct TraceTests {
  private let traces: Traces

  init() {
    let ids = Serial()
    traces = Traces(random: { ids.next() })
  }

  private final class Serial: Sendable {
    private let value = Atomic<UInt64>(0)
    func next() -> UInt64 { value.add(1, ordering: .relaxed).newValue }
  }

  private func served(_ body: (ServiceClient<TestAPI>, ServiceClient<AdminAPI>) async throws -> Void) async throws {
    let service = TestService(time: EventLoop.time)
    let server = RPCServer(service.router, traces: traces)
    server.trustsEveryPeer = true
    let network = MemoryNetwork(server)
    let target = ServiceTarget.address(.unix(path: "memory"))
    let client = ServiceClient(of: TestAPI.self, at: [target], network: network, time: EventLoop.time)
    let admin = ServiceClient(of: AdminAPI.self, at: [target], network: network, time: EventLoop.time)
    try await body(client, admin)
    client.close()
    admin.close()
    await server.drain()
    withExtendedLifetime(service) {}
  }

  private func inTrace<Answer>(_ traceparent: String, _ body: () async throws -> Answer) async rethrows -> Answer {
    var current = CallContext(deadline: EventLoop.time.now + .seconds(60))
    current.trace = TraceContext(traceparent: traceparent)
    return try await CallContext.$current.withValue(current, operation: body)
  }

  private static let sampled = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"
  private static let unsampled = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-00"
  private static let id = TraceID("4bf92f3577b34da6a3ce929d0e0e4736")!

  @Test("a call that is followed leaves its part of the trace here, under the caller's span")
  func followed() async throws {
    try await served { client, _ in
      _ = try await inTrace(Self.sampled) { try await client.call(SlowEcho(text: "a", milliseconds: 1)) }
      let kept = try #require(traces.find(Self.id).first)
      #expect(kept.root.name == "SlowEcho" && kept.root.parent?.description == "00f067aa0ba902b7" && !kept.failed)
    }
  }

  @Test("one that answers at once does too, and only if it is followed")
  func atOnce() async throws {
    try await served { client, _ in
      _ = try await inTrace(Self.unsampled) { try await client.call(Echo(text: "a")) }
      #expect(traces.find(Self.id).isEmpty)
      _ = try await inTrace(Self.sampled) { try await client.call(Echo(text: "a")) }
      #expect(traces.find(Self.id).map(\.root.name) == ["Echo"])
    }
  }

  @Test("a call that fails is kept whether it was followed or not")
  func failed() async throws {
    try await served { client, admin in
      let fault = FaultRule(method: "SlowEcho", percent: 100, code: RPCError.Code.internal.rawValue, seconds: 60)
      _ = try await admin.call(InjectFault(rule: fault))
      let failure = await inTrace(Self.unsampled) {
        await error { () async throws(RPCError) in try await client.call(SlowEcho(text: "a", milliseconds: 1)) }
      }
      #expect(failure?.code == .internal)
      #expect(traces.find(Self.id).map(\.root.error) == ["internal"])
    }
  }
}
