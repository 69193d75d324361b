import Clocks
import JSON
import RPC

/// `bench METHOD JSON`: a bounded load of one read on the running service, and how long its answers took.
struct BenchCommand {
  let access: ServiceAccess
  let time: any TimeSource

  private static let name = Parameter<String?>.optionalArgument(
    "METHOD", "a read, as `describe` lists it; ServerStatus without one")
  private static let request = Parameter<String?>.optionalArgument("JSON", "the request's fields; without it none")
  private static let calls = Parameter<Int>.option("calls", short: "n", "so many", default: 1_000, in: 1...100_000)
  private static let atOnce = Parameter<Int>.option("at-once", "calls under way", default: 8, in: 1...256)
  private static let quick = Parameter<Bool>.flag("quick", "200 calls, and no longer than a second")
  private static let period = Parameter<Duration>.option(
    "for", "no longer than this", default: .seconds(10), in: .milliseconds(100) ... .seconds(60))

  var command: Command {
    let service = access.service
    return Command(
      "bench", "ask one read many times and show how long the answers took",
      discussion: """
        The calls go over the administrators' socket and are written and read as `call` does, which costs more than the \
        services' own calls: compare one bench with another, not with them. Only reads; a service that others use \
        notices the load.
        """,
      examples: [.init("odi-\(service) bench ServerStatus --calls 5000 --at-once 64", "what the door itself costs")],
      takes: [Self.name, Self.request, Self.calls, Self.atOnce, Self.period, Self.quick] + access.parameters
    ) { call, output in
      let method = try await access.method(named: call[Self.name] ?? "ServerStatus", call, output)
      guard method.safety == "\(Safety.read)" else {
        throw CommandError(
          .usage, "\(method.name) is no read", why: "a thousand of it would change something or never end",
          try: "odi-\(service) describe")
      }
      let payload = try method.payload(call[Self.request] ?? "{}", at: service)
      let load = Load(
        try access.client(of: AdminAPI.self, call, output), method.name, payload,
        calls: call[Self.quick] ? min(call[Self.calls], 200) : call[Self.calls],
        end: time.now + (call[Self.quick] ? min(call[Self.period], .seconds(1)) : call[Self.period]), time: time)
      let start = time.now
      await load.run(atOnce: call[Self.atOnce])
      let took = time.now - start
      if load.latencies.isEmpty, let failure = load.failure {
        throw access.explain(failure, try access.address(call, output))
      }
      try output.write(load.report(took: took))
      if let failure = load.failure { output.note("the last failure: \(failure.code): \(failure.message)") }
      return load.failed == 0 ? .done : .partial
    }
  }
}

/// Calls under way, and what became of those that ended.
private final class Load {
  private let client: any RPCClient<AdminAPI>
  private let name: String
  private let payload: [UInt8]
  private let end: Instant
  private let time: any TimeSource
  private var left: Int
  private(set) var latencies: [Duration] = []
  private(set) var failed = 0
  private(set) var failure: RPCError?

  init(
    _ client: any RPCClient<AdminAPI>, _ name: String, _ payload: [UInt8], calls: Int, end: Instant,
    time: any TimeSource
  ) {
    self.client = client
    self.name = name
    self.payload = payload
    self.end = end
    self.time = time
    left = calls
  }

  func run(atOnce: Int) async {
    await withTaskGroup { group in
      for _ in 0..<min(atOnce, left) { group.addTask { await self.askAgainAndAgain() } }
    }
  }

  private func askAgainAndAgain() async {
    while left > 0, time.now < end, !Task.isCancelled {
      left -= 1
      let start = time.now
      do throws(RPCError) {
        _ = try await client.read(name, payload, within: .seconds(10))
        latencies.append(time.now - start)
      } catch {
        failed += 1
        failure = error
        // A service that refuses everything is not asked a hundred thousand times.
        if failed >= 1_000, latencies.isEmpty { left = 0 }
      }
    }
  }

  func report(took: Duration) -> Report {
    let sorted = latencies.sorted()
    func quantile(_ share: Double) -> Report.Cell {
      guard !sorted.isEmpty else { return .none }
      return .duration(sorted[min(Int(Double(sorted.count) * share), sorted.count - 1)])
    }
    let rate = took > .zero ? Double(sorted.count) / took.inSeconds : 0
    return Report(item: [
      (Report.Column("method"), "\(name)"), (Report.Column("answered"), .number(sorted.count)),
      (Report.Column("failed"), .number(failed, failed > 0 ? .bad : .plain)), (Report.Column("took"), .duration(took)),
      (Report.Column("per_second"), .number(rate, digits: 0)), (Report.Column("p50"), quantile(0.5)),
      (Report.Column("p90"), quantile(0.9)), (Report.Column("p99"), quantile(0.99)),
      (Report.Column("p99.9"), quantile(0.999)), (Report.Column("max"), quantile(1)),
    ])
  }
}
