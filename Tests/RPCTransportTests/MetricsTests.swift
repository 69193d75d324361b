import Clocks
import EventLoops
import Observability
import RPC
import RPCTransport
import TestKit
import Testing

/// What an operator sees of calls, on both sides, over virtual time.
@Suite("Metrics of calls")
@MainActor
struct MetricsTests {
  private let time = ManualTime()
  private let metrics = Metrics()
  private let service: TestService

  init() { service = TestService(time: time) }

  private func served(
    limits: ServerLimits = ServerLimits(), _ body: (ServiceClient<TestAPI>) async throws -> Void
  ) async throws {
    let server = RPCServer(
      service.router, limits: limits, time: time, random: SeededRandom(seed: 1), metrics: metrics)
    let (network, target) = try simulated(server, on: time)
    let client = ServiceClient(
      of: TestAPI.self, at: [target], network: network, time: time, random: SeededRandom(seed: 2), metrics: metrics)
    try await body(client)
    client.close()
    let drained = Task { @MainActor in await server.drain() }
    await time.run(for: .seconds(30))
    await drained.value
  }

  private func ended<Answer: Sendable>(_ task: Task<Answer, Never>) async -> Answer {
    var answer: Answer?
    let waiting = Task { @MainActor in answer = await task.value }
    _ = await time.run { answer != nil }
    await waiting.value
    return answer!
  }

  @discardableResult
  private func call<Request: RPCRequest>(
    _ request: Request, of client: ServiceClient<TestAPI>, _ options: CallOptions = CallOptions()
  ) async -> Result<Request.Response, RPCError> where Request.Service == TestAPI {
    await ended(
      Task { @MainActor in
        do throws(RPCError) {
          return .success(try await client.call(request, options))
        } catch {
          return .failure(error)
        }
      })
  }

  /// The value of a series; nil if there is none.
  private func read(_ series: String) -> Double? {
    for line in String(decoding: metrics.exposition(), as: UTF8.self).split(separator: "\n") {
      let (name, value) = (line.prefix { $0 != " " }, line.drop { $0 != " " }.dropFirst())
      if name == series { return Double(value) }
    }
    return nil
  }

  private func client(_ what: String, _ method: String, code: String) -> Double? {
    read("odi_rpc_client_\(what){service=\"test\",method=\"\(method)\",code=\"\(code)\"}")
  }

  private func client(_ what: String, _ method: String) -> Double? {
    read("odi_rpc_client_\(what){service=\"test\",method=\"\(method)\"}")
  }

  private func server(_ what: String, _ method: String) -> Double? {
    read("odi_rpc_server_\(what){service=\"test\",method=\"\(method)\"}")
  }

  @Test("a client counts calls by outcome and what they took, with a task or without")
  func outcomes() async throws {
    try await served { client in
      await call(Echo(text: "a"), of: client)
      await call(SlowEcho(text: "b", milliseconds: 300), of: client)
      await call(Refuse(code: RPCError.Code.notFound.rawValue, message: "no"), of: client)
      var direct: [Result<String, RPCError>] = []
      for request in [Refuse(code: 0, message: ""), Refuse(code: RPCError.Code.notFound.rawValue, message: "no")] {
        _ = client.begin(request, CallOptions()) { direct.append($0) }
      }
      _ = await time.run { direct.count == 2 }
      #expect(self.client("calls_total", "Echo", code: "ok") == 1)
      #expect(self.client("calls_total", "SlowEcho", code: "ok") == 1)
      #expect(self.client("calls_total", "Refuse", code: "notFound") == 2)
      #expect(self.client("calls_total", "Refuse", code: "ok") == 1)
      #expect(self.client("call_seconds_count", "Refuse") == 3)
      let took = self.client("call_seconds_sum", "SlowEcho") ?? 0
      #expect((0.3...0.35).contains(took), "\(took)")
    }
  }

  @Test("whatever many services fail with, each method is counted by itself")
  func incident() async throws {
    for number in 0..<300 {
      for (name, help) in [
        ("odi_rpc_client_calls_total", "Calls made, by method and outcome."),
        ("odi_rpc_client_retries_total", "Attempts after the first, by what the one before failed with."),
        ("odi_rpc_server_calls_total", "Calls answered, by method and outcome."),
      ] {
        metrics.counter(
          name, help, labels: ["service": "x", "method": "\(number)", "code": "internal"], seriesMax: 300
        ).add()
      }
    }
    try await served { client in
      service.failuresBeforeSuccess = 1
      await call(Refuse(code: RPCError.Code.notFound.rawValue, message: "no"), of: client)
      #expect(self.client("calls_total", "Refuse", code: "notFound") == 1)
      #expect(self.client("retries_total", "Refuse", code: "unavailable") == 1)
      #expect(read("odi_rpc_server_calls_total{service=\"test\",method=\"Refuse\",code=\"notFound\"}") == 1)
    }
  }

  @Test("a client counts what it asked again, by why it did")
  func retries() async throws {
    try await served { client in
      service.failuresBeforeSuccess = 2
      await call(Refuse(code: 0, message: ""), of: client)
      #expect(self.client("retries_total", "Refuse", code: "unavailable") == 2)
      #expect(self.client("calls_total", "Refuse", code: "ok") == 1)
      service.failuresBeforeSuccess = 1
      var direct: Result<String, RPCError>?
      _ = client.begin(Refuse(code: 0, message: ""), CallOptions()) { direct = $0 }
      _ = await time.run { direct != nil }
      #expect(self.client("retries_total", "Refuse", code: "unavailable") == 3)
      #expect(self.client("calls_total", "Refuse", code: "ok") == 2)
      service.failuresBeforeSuccess = 9
      await call(Refuse(code: 0, message: ""), of: client)
      #expect(self.client("retries_total", "Refuse", code: "unavailable") == 5)
      #expect(self.client("calls_total", "Refuse", code: "unavailable") == 1)
    }
  }

  @Test("calls that run and wait are told on both sides while they do, and the wait for admission after it")
  func underWay() async throws {
    var limits = ServerLimits()
    (limits.concurrency.floor, limits.concurrency.ceiling, limits.concurrency.initial) = (1, 1, 1)
    try await served(limits: limits) { client in
      await call(Echo(text: "connected"), of: client)
      let calls = [20, 0].map { milliseconds in
        Task { @MainActor in
          try? await client.call(SlowEcho(text: "", milliseconds: milliseconds), CallOptions(mayRetry: false))
        }
      }
      await time.run(for: .milliseconds(10))
      #expect(read("odi_rpc_client_calls_running{service=\"test\"}") == 2)
      #expect(server("calls_running", "SlowEcho") == 2 && server("calls_running", "Echo") == 0)
      #expect(read("odi_rpc_server_calls_waiting{service=\"test\"}") == 1)
      #expect(read("odi_rpc_server_connections{service=\"test\"}") == 1)
      for call in calls { #expect(await ended(call) == "") }
      #expect(read("odi_rpc_client_calls_running{service=\"test\"}") == 0)
      #expect(server("calls_running", "SlowEcho") == 0)
      #expect(read("odi_rpc_server_calls_waiting{service=\"test\"}") == 0)
      #expect(server("wait_seconds_count", "SlowEcho") == 1)
      let waited = server("wait_seconds_sum", "SlowEcho") ?? 0
      #expect((0.015...0.025).contains(waited), "\(waited)")
    }
  }

  @Test("a client that cannot reach anybody tells how many calls wait for that")
  func waiting() async throws {
    let network = SimulatedNetwork(seed: 1, time: time)
    let nowhere = SocketAddress.ip(IPAddress("10.0.0.9")!, port: 7_101)
    _ = try network.listen("server", on: nowhere) { _ in }
    network.partition("client", "server")
    let client = ServiceClient(
      of: TestAPI.self, at: [.address(nowhere)], network: SimulatedHost("client", on: network), time: time,
      random: SeededRandom(seed: 2), metrics: metrics)
    let calls = (0..<3).map { _ in Task { @MainActor in try? await client.call(Echo(text: "")) } }
    await time.run(for: .milliseconds(100))
    #expect(read("odi_rpc_client_calls_waiting{service=\"test\"}") == 3)
    client.close()
    for call in calls { #expect(await ended(call) == nil) }
    #expect(self.client("calls_total", "Echo", code: "unavailable") == 3)
  }

  @Test("a server counts the bytes of requests, answers and elements")
  func bytes() async throws {
    try await served { client in
      await call(Blob(bytes: Array(repeating: 7, count: 50_000), answer: 100_000), of: client)
      let streaming = Task { @MainActor in
        var elements = 0
        for try await _ in try await client.stream(Count(upTo: 10, weight: 1_000)) { elements += 1 }
        return elements
      }
      var elements: Int?
      let waiting = Task { @MainActor in elements = try? await streaming.value }
      _ = await time.run { elements != nil }
      await waiting.value
      #expect(elements == 10)
      func near(_ bytes: Double?, _ least: Double) -> Bool { bytes.map { ($0 - least) < 500 && $0 >= least } ?? false }
      #expect(near(server("received_bytes_total", "Blob"), 50_000))
      #expect(near(server("sent_bytes_total", "Blob"), 100_000))
      #expect(near(server("sent_bytes_total", "Count"), 10_000))
      // Told once, however often it is read.
      #expect(near(server("received_bytes_total", "Blob"), 50_000))
    }
  }
}
