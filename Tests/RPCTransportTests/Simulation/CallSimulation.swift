import Clocks
import EventLoops
import RPC
import RPCTransport
import TestKit

/// One short life of a service out of a seed: two clients who call it in every way there is, a network between them that
/// delays, loses, divides and breaks, a server that is replaced now and then; and every promise that was broken.
@MainActor
final class CallSimulation {
  /// What a caller asks for, and what must hold of it whatever happens.
  enum Plan {
    case look(bytes: Int, milliseconds: Int)
    case glance
    case deposit(milliseconds: Int)
    case stamp
    case feed(count: Int, weight: Int, failsAtEnd: Bool, leavesAfter: Int?, pause: Int)

    /// A reader takes what has come in its own time, after the deadline too.
    var ownTime: Duration {
      if case .feed(let count, _, _, _, let pause) = self { .milliseconds((count + 1) * pause) } else { .zero }
    }
  }

  private struct Call {
    let number: Int
    let client: Int
    let plan: Plan
    let start: Duration
    let timeout: Duration
    let cancelledAfter: Duration?
    var deadline: Instant?
    var end: Ending?
  }

  enum Ending { case fine, wrong(String), failed(RPCError) }

  private(set) var broken: [String] = []
  private(set) var ends: [String] = []
  var trace: UInt64 { network.trace }

  private let seed: UInt64
  private let fault: PlantedFault?
  private var random: SeededRandom
  private let time = ManualTime()
  private let network: SimulatedNetwork
  private let ledger: Ledger
  private var servers: [RPCServer] = []
  private var listener: SimulatedListener?
  private let clients: [ServiceClient<LedgerAPI>]
  private var calls: [Call] = []
  private var heldMost = 0
  /// Nothing goes wrong but what the callers do.
  private var isCalm = false
  private let address = SocketAddress.ip(IPAddress("10.0.0.2")!, port: 7_101)

  /// Small, so that it matters.
  private static let heldMax = 512 << 10
  private static let hosts = ["one", "two"]

  init(seed: UInt64, fault: PlantedFault? = nil) {
    self.seed = seed
    self.fault = fault
    random = SeededRandom(seed: seed)
    network = SimulatedNetwork(seed: random.next(), time: time)
    ledger = Ledger(time: time, fault: fault)
    clients = Self.hosts.map { [network, time] host in
      let view = SimulatedHost(host, on: network)
      return ServiceClient(
        of: LedgerAPI.self, at: [.address(.ip(IPAddress("10.0.0.2")!, port: 7_101))],
        network: fault.map { TamperedNetwork(view, $0, seed: seed) } ?? view, time: time,
        random: SeededRandom(seed: seed &* 31 &+ UInt64(host.utf8.count)))
    }
  }

  /// Lives through it.
  func run() async {
    // In bad weather a stream that stands still has nobody to blame.
    let isFine = fault == .lostCredit
    network.conditions = isFine ? .init() : weather()
    let troubleCount = isFine ? 0 : Int.random(in: 0...3, using: &random)
    isCalm = troubleCount == 0 && network.conditions.loss == 0 && network.conditions.bytesPerSecond == nil
    startServer()
    for number in 0..<Int.random(in: 2...4, using: &random) { calls.append(plan(number)) }
    let tasks = calls.indices.map { index in Task { @MainActor in await make(index) } }
    let troubles = Task { @MainActor in await trouble(troubleCount) }
    let allEnded = await time.run(until: { areAllOver }, limit: .seconds(60))
    if !allEnded { broken.append("a call never ended: \(calls.filter { $0.end == nil }.map(\.number))") }
    troubles.cancel()
    for host in Self.hosts { network.heal(host, "server") }
    network.conditions = .init()
    // Every deadline is over, and what was held up came through.
    await live(for: .seconds(6))
    checkNothingIsLeft()
    checkWhatWasWritten()
    for client in clients { client.close() }
    for task in tasks { task.cancel() }
    // A half-open connection is found by its silence.
    await live(for: .seconds(80))
    checkEverythingIsOver()
    ends = calls.map { "\($0.number) \($0.end.map { "\($0)" } ?? "never")" }
  }

  // MARK: The world

  private func weather() -> SimulatedNetwork.Conditions {
    SimulatedNetwork.Conditions(
      delay: .microseconds(Int.random(in: 50...20_000, using: &random)),
      jitter: .microseconds(Int.random(in: 0...5_000, using: &random)),
      loss: UInt8.random(in: 0..<3, using: &random) == 0 ? 0.05 : 0,
      bytesPerSecond: UInt8.random(in: 0..<4, using: &random) == 0 ? 200_000 : nil, segmentMax: 64 << 10)
  }

  private func startServer() {
    var limits = ServerLimits()
    limits.heldBytes = Self.heldMax
    limits.drain = .milliseconds(300)
    // A narrow door, so that calls stand in front of it.
    limits.concurrency = .init(cores: 1, ceiling: 4)
    limits.concurrency.floor = 2
    limits.concurrency.initial = 2
    let server = RPCServer(
      ledger.router(), limits: limits, time: time, random: SeededRandom(seed: seed &+ UInt64(servers.count)))
    servers.append(server)
    do {
      listener = try network.listen("server", on: address, limits: limits.listener.stream) { server.accept($0) }
    } catch {
      broken.append("\(error)")
    }
  }

  /// Up to three things that go wrong, one after another or together.
  private func trouble(_ count: Int) async {
    for _ in 0..<count {
      let host = Self.hosts[Int.random(in: 0...1, using: &random)]
      do { try await time.sleep(for: .milliseconds(Int.random(in: 0...400, using: &random))) } catch { return }
      let after = Duration.milliseconds(Int.random(in: 1...2_500, using: &random))
      // Keys matter when an answer is lost on its way.
      switch fault == .forgottenKeys ? 2 : UInt8.random(in: 0..<6, using: &random) {
      case 0:
        network.partition(host, "server")
        _ = time.after(after) { [network] in network.heal(host, "server") }
      case 1:
        network.block(from: "server", to: host)
        _ = time.after(after) { [network] in network.heal(host, "server") }
      case 2: network.reset(host, "server")
      case 3: network.conditions = weather()
      default: await replaceServer(after: after / 10)
      }
    }
  }

  private func replaceServer(after gap: Duration) async {
    let old = servers[servers.count - 1]
    listener?.close()
    await old.drain()
    try? await time.sleep(for: gap)
    startServer()
  }

  private func live(for duration: Duration) async {
    let end = time.now + duration
    while time.now < end {
      _ = await time.run(until: { hasLooked(until: end) }, limit: end - time.now)
      if time.now < end { await time.run(for: end - time.now) }
    }
  }

  private var areAllOver: Bool {
    observe()
    return calls.allSatisfy { $0.end != nil }
  }

  private func hasLooked(until end: Instant) -> Bool {
    observe()
    return time.now >= end
  }

  private func observe() { for server in servers { heldMost = max(heldMost, server.heldBytes) } }

  // MARK: The calls

  private func plan(_ number: Int) -> Call {
    func random(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &self.random) }
    let plan: Plan =
      switch random(0...9) {
      case 0...1: .look(bytes: random(0...5) == 0 ? 60_000 : random(0...40), milliseconds: random(0...60))
      case 2: .glance
      case 3...5: .deposit(milliseconds: random(0...60))
      case 6...7: .stamp
      default:
        .feed(
          count: random(0...12), weight: random(0...5) == 0 ? 60_000 : random(0...200), failsAtEnd: random(0...3) == 0,
          leavesAfter: random(0...2) == 0 ? random(0...3) : nil, pause: random(0...1) * 20)
      }
    return Call(
      number: number, client: random(0...1), plan: plan, start: .milliseconds(random(0...600)),
      timeout: .milliseconds(random(0...4) == 0 ? random(10...100) : random(300...4_000)),
      cancelledAfter: random(0...5) == 0 ? .milliseconds(random(0...300)) : nil)
  }

  private func make(_ index: Int) async {
    let call = calls[index]
    try? await time.sleep(for: call.start)
    calls[index].deadline = time.now + call.timeout
    let work = Task { @MainActor in await ask(call) }
    if let moment = call.cancelledAfter { _ = time.after(moment) { work.cancel() } }
    let ending = await work.value
    if calls[index].end != nil { broken.append("call \(index) ended twice") }
    calls[index].end = ending
    if let deadline = calls[index].deadline, time.now > deadline + call.plan.ownTime + .milliseconds(1) {
      broken.append("call \(index) ended \(time.now - deadline) after its deadline")
    }
    if case .wrong(let what) = ending { broken.append("call \(index): \(what)") }
    if isCalm, case .feed = call.plan, call.cancelledAfter == nil, call.timeout > .milliseconds(1_500),
      case .failed(let error) = ending
    {
      broken.append("call \(index), whose stream had credit, time and a good network, failed: \(error)")
    }
  }

  private func ask(_ call: Call) async -> Ending {
    let client = clients[call.client]
    var options = CallOptions(timeout: call.timeout)
    do throws(RPCError) {
      switch call.plan {
      case .look(let count, let milliseconds):
        let bytes = [UInt8](repeating: UInt8(call.number), count: count)
        let answer = try await client.call(Look(bytes: bytes, milliseconds: milliseconds), options)
        return answer == bytes ? .fine : .wrong("another's answer")
      case .glance:
        return try await client.call(Glance(number: call.number), options) == call.number
          ? .fine : .wrong("another's answer")
      case .deposit(let milliseconds):
        options.key = IdempotencyKey.random(using: &random)
        return try await client.call(Deposit(number: call.number, milliseconds: milliseconds), options) == call.number
          ? .fine : .wrong("another's answer")
      case .stamp:
        options.key = IdempotencyKey.random(using: &random)
        options.mayRetry = false
        return try await client.call(Stamp(number: call.number), options) == call.number
          ? .fine : .wrong("another's answer")
      case .feed(let count, let weight, let failsAtEnd, let leavesAfter, let pause):
        return try await read(
          try await client.stream(Feed(count: count, weight: weight, failsAtEnd: failsAtEnd), options),
          count: count, failsAtEnd: failsAtEnd, leavesAfter: leavesAfter, pause: pause)
      }
    } catch {
      return .failed(error)
    }
  }

  private func read(
    _ stream: RPCStream<[UInt8]>, count: Int, failsAtEnd: Bool, leavesAfter: Int?, pause: Int
  ) async throws(RPCError) -> Ending {
    var seen = 0
    do throws(RPCError) {
      var iterator = stream.makeAsyncIterator()
      while seen != leavesAfter, let element = try await iterator.next() {
        guard element.first == UInt8(seen) else { return .wrong("element \(element.first ?? 0) came for \(seen)") }
        seen += 1
        if pause > 0 { try? await time.sleep(for: .milliseconds(pause)) }
      }
    } catch {
      if error.code == .failedPrecondition {
        return seen == count ? .fine : .wrong("\(seen) of \(count), then the end")
      }
      throw error
    }
    if seen == leavesAfter { return .fine }
    return seen == count && !failsAtEnd ? .fine : .wrong("\(seen) elements of \(count), and a good end")
  }

  // MARK: The promises

  private func checkNothingIsLeft() {
    for (index, server) in servers.enumerated() {
      let load = server.load
      if load.running + load.orphans + load.admitted + load.waiting + load.heldBytes > 0 {
        broken.append("server \(index) has left at the end: \(load)")
      }
    }
    let used = servers.reduce(0) { $0 + $1.load.creditUsed }
    let granted = clients.reduce(0) { $0 + $1.load.creditUsed }
    // A connection of which one end does not know yet that it is over has no sum.
    let isWhole = servers.reduce(0) { $0 + $1.connectionCount } == clients.reduce(0) { $0 + $1.connectedCount }
    if isWhole, used != granted {
      broken.append("the server lacks credit for \(used) bytes, its readers owe \(granted)")
    }
    for (index, client) in clients.enumerated() {
      let load = client.load
      guard load.calls + load.waiting + load.creditHeld > 0 else { continue }
      broken.append("client \(index) has left at the end: \(load)")
    }
    if heldMost > Self.heldMax { broken.append("servers held \(heldMost) bytes; \(Self.heldMax) are allowed") }
  }

  private func checkWhatWasWritten() {
    for call in calls {
      switch call.plan {
      case .deposit, .stamp: break
      default: continue
      }
      let count = ledger.written[call.number] ?? 0
      let allowed: ClosedRange<Int> =
        switch call.end {
        case .fine: 1...1
        case .failed(let error): error.executed == .no ? 0...0 : 0...1
        case .wrong, nil: 0...1
        }
      if !allowed.contains(count) {
        broken.append("number \(call.number) was written \(count) times: \(call.plan), which ended as \(call.end!)")
      }
    }
  }

  private func checkEverythingIsOver() {
    let connections = servers.reduce(0) { $0 + $1.connectionCount }
    if connections > 0 { broken.append("\(connections) connections are left at the end") }
    if network.streamCount > 0 { broken.append("\(network.streamCount) ends of streams are left at the end") }
    if time.pending > 0 { broken.append("\(time.pending) timers are left at the end") }
  }
}
