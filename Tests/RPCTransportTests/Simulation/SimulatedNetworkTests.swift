import Clocks
import EventLoops
import RPCTransport
import Testing

/// Two hosts on a simulated network, and the connections between them.
@MainActor
final class TwoHosts {
  let time = ManualTime()
  let network: SimulatedNetwork
  let address = SocketAddress.loopback(port: 7_101)
  private(set) var servers: [StreamProbe] = []
  private(set) var listener: SimulatedListener!

  init(
    seed: UInt64 = 1, _ conditions: SimulatedNetwork.Conditions = .init(), limits: StreamLimits = .init(),
    echoes: Bool = true
  ) throws {
    network = SimulatedNetwork(seed: seed, time: time, conditions: conditions)
    listener = try network.listen("server", on: address, limits: limits) { [unowned self] stream in
      let probe = StreamProbe(stream)
      probe.echoes = echoes
      servers.append(probe)
    }
  }

  func connect(
    limits: StreamLimits = .init(), from host: String = "client", patience: Duration = .seconds(30)
  ) async throws -> StreamProbe {
    let probe = StreamProbe(
      try await network.connected(host, to: address, patience: patience, limits: limits, on: time))
    probe.stream.resumeReading()
    return probe
  }

  /// How connecting within two seconds fails; nil if it does not.
  func outcome() async -> SocketError.Code? {
    do {
      _ = try await network.connect("client", to: address, timeout: .seconds(2))
      return nil
    } catch {
      return error.code
    }
  }

  func elapsed(since start: Instant) -> Duration { time.now - start }
}

@Suite("Simulated network")
@MainActor
struct SimulatedNetworkTests {
  typealias Conditions = SimulatedNetwork.Conditions

  @Test("a byte takes the way's delay, and its echo as much again")
  func delay() async throws {
    let hosts = try TwoHosts(Conditions(delay: .milliseconds(30), jitter: .zero))
    let client = try await hosts.connect()
    let start = hosts.time.now
    client.write([1])
    #expect(await hosts.time.run { client.received == [1] })
    let took = hosts.elapsed(since: start)
    #expect(took >= .milliseconds(60) && took < .milliseconds(61), "\(took)")
  }

  @Test("a bandwidth cap holds, for all connections of a way together")
  func bandwidth() async throws {
    let hosts = try TwoHosts(Conditions(bytesPerSecond: 1_000_000), echoes: false)
    let first = try await hosts.connect()
    let second = try await hosts.connect()
    let start = hosts.time.now
    for client in [first, second] { client.write([UInt8](repeating: 0, count: 500_000)) }
    #expect(await hosts.time.run { hosts.servers.reduce(0) { $0 + $1.received.count } == 1_000_000 })
    let took = hosts.elapsed(since: start)
    #expect(took >= .milliseconds(999) && took < .milliseconds(1_100), "\(took)")
  }

  @Test("bytes stay in order under jitter, loss and any cutting", arguments: 1...5)
  func order(seed: UInt64) async throws {
    let hosts = try TwoHosts(
      seed: seed, Conditions(delay: .milliseconds(1), jitter: .milliseconds(50), loss: 0.2, segmentMax: 100))
    let client = try await hosts.connect()
    let sent = (0..<10_000).map { UInt8(truncatingIfNeeded: $0 &* 7 &+ $0 >> 8) }
    for start in stride(from: 0, to: sent.count, by: 1_000) {
      client.write(Array(sent[start..<start + 1_000]))
      await hosts.time.run(for: .milliseconds(3))
    }
    #expect(await hosts.time.run(until: { client.received.count >= sent.count }, limit: .seconds(3_600)))
    #expect(client.received == sent, "seed \(seed)")
    #expect(hosts.servers[0].reads > 100, "it was cut")
  }

  @Test("connections overtake each other")
  func overtaking() async throws {
    let hosts = try TwoHosts(Conditions(delay: .milliseconds(1), jitter: .milliseconds(100)), echoes: false)
    var clients: [StreamProbe] = []
    for _ in 0..<10 { clients.append(try await hosts.connect()) }
    var arrivals: [UInt8] = []
    for server in hosts.servers { server.onReceive = { [unowned server] in arrivals.append(server.received[0]) } }
    for (number, client) in clients.enumerated() { client.write([UInt8(number)]) }
    #expect(await hosts.time.run { arrivals.count == 10 })
    #expect(arrivals != arrivals.sorted())
  }

  @Test("a lost segment costs a retransmission's delay, not its bytes")
  func loss() async throws {
    let hosts = try TwoHosts(Conditions(delay: .milliseconds(1), jitter: .zero, loss: 1))
    hosts.network.set(from: "server", to: "client", Conditions(delay: .milliseconds(1), jitter: .zero))
    async let opening = hosts.network.connect("client", to: hosts.address, timeout: .seconds(60))
    await hosts.time.run(for: .seconds(60))
    let client = StreamProbe(try await opening)
    client.stream.resumeReading()
    let start = hosts.time.now
    client.write([5])
    #expect(await hosts.time.run { client.received == [5] })
    #expect(hosts.elapsed(since: start) >= .milliseconds(200))
  }

  @Test("nobody listening refuses after a round trip")
  func refused() async throws {
    let hosts = try TwoHosts(Conditions(delay: .milliseconds(10), jitter: .zero))
    hosts.listener.close()
    let start = hosts.time.now
    async let opening = hosts.outcome()
    await hosts.time.run(for: .milliseconds(20))
    #expect(await opening == .unreachable)
    #expect(hosts.elapsed(since: start) == .milliseconds(20))
  }

  @Test("an address is listened on once")
  func inUse() throws {
    let hosts = try TwoHosts()
    let error = #expect(throws: SocketError.self) {
      try hosts.network.listen("server", on: hosts.address) { _ in }
    }
    #expect(error?.code == .addressInUse)
  }

  @Test("a connection into a partition times out")
  func connectTimesOut() async throws {
    let hosts = try TwoHosts()
    hosts.network.partition("client", "server")
    async let opening = hosts.outcome()
    await hosts.time.run(for: .seconds(2))
    #expect(await opening == .timedOut)
    #expect(hosts.servers.isEmpty)
  }

  @Test("a cancelled connection is let go, and the server hears the end")
  func connectCancelled() async throws {
    let hosts = try TwoHosts(Conditions(delay: .milliseconds(100), jitter: .zero))
    let network = hosts.network
    let address = hosts.address
    let opening = Task { try await network.connect("client", to: address) }
    await hosts.time.run(for: .milliseconds(150))
    opening.cancel()
    let result = await opening.result
    #expect(throws: SocketError.self) { try result.get() }
    await hosts.time.run(for: .seconds(1))
    #expect(hosts.servers.map(\.closings) == [[.endedByPeer]])
  }

  @Test("a partition holds everything up, and lets it through when it heals")
  func heals() async throws {
    let hosts = try TwoHosts()
    let client = try await hosts.connect()
    hosts.network.partition("client", "server")
    client.write([1])
    await hosts.time.run(for: .seconds(5))
    client.write([2])
    #expect(hosts.servers[0].received.isEmpty)
    hosts.network.heal("client", "server")
    #expect(await hosts.time.run { client.received == [1, 2] })
    #expect(client.closings.isEmpty && hosts.servers[0].closings.isEmpty)
  }

  @Test("fifteen seconds without acknowledgement break the writer; the idle end stays half-open until it writes")
  func halfOpen() async throws {
    let hosts = try TwoHosts(echoes: false)
    let client = try await hosts.connect()
    let server = hosts.servers[0]
    hosts.network.partition("client", "server")
    client.write([1])
    await hosts.time.run(for: .milliseconds(14_900))
    #expect(client.closings.isEmpty)
    await hosts.time.run(for: .milliseconds(200))
    #expect(client.closings == [.broken("connection timed out")])
    await hosts.time.run(for: .seconds(3_600))
    #expect(server.closings.isEmpty, "it cannot know")
    hosts.network.heal("client", "server")
    server.write([2])
    #expect(await hosts.time.run { !server.closings.isEmpty })
    #expect(server.closings == [.broken("connection reset by peer")])
  }

  @Test("a way blocked in one direction delivers the question and holds up the answer")
  func oneWay() async throws {
    let hosts = try TwoHosts()
    let client = try await hosts.connect()
    hosts.network.block(from: "server", to: "client")
    client.write([1])
    await hosts.time.run(for: .seconds(2))
    #expect(hosts.servers[0].received == [1])
    #expect(client.received.isEmpty)
    await hosts.time.run(for: .seconds(14))
    #expect(client.closings == [.broken("connection timed out")], "its question was never acknowledged")
  }

  @Test("a reset breaks both ends of every connection between two hosts, and no other")
  func reset() async throws {
    let hosts = try TwoHosts()
    let first = try await hosts.connect()
    let second = try await hosts.connect()
    let stranger = try await hosts.connect(from: "stranger")
    hosts.network.reset("client", "server")
    await hosts.time.run(for: .seconds(1))
    for probe in [first, second, hosts.servers[0], hosts.servers[1]] {
      #expect(probe.closings == [.broken("connection reset by peer")])
    }
    stranger.write([1])
    #expect(await hosts.time.run { stranger.received == [1] })
  }

  @Test("a reader that takes nothing for ten seconds is cut off, one that takes a little is not")
  func stall() async throws {
    let hosts = try TwoHosts(echoes: false)
    let client = try await hosts.connect()
    let server = hosts.servers[0]
    server.stream.pauseReading()
    client.write([UInt8](repeating: 0, count: 700_000))
    await hosts.time.run(for: .seconds(8))
    server.onReceive = { [unowned server] in if server.received.count >= 300_000 { server.stream.pauseReading() } }
    server.stream.resumeReading()
    await hosts.time.run(for: .seconds(9))
    #expect(client.closings.isEmpty)
    await hosts.time.run(for: .seconds(2))
    #expect(client.closings == [.tooSlow])
  }

  /// A busy quarter of a minute with everything that can go wrong, decided by a seed. Returns the trace.
  func storm(seed: UInt64) async throws -> (trace: UInt64, events: Int) {
    var random = SeededRandom(seed: seed)
    let hosts = try TwoHosts(
      seed: seed, Conditions(delay: .milliseconds(2), jitter: .milliseconds(20), loss: 0.02, segmentMax: 4_000))
    var clients: [(probe: StreamProbe, sent: [UInt8])] = []
    for step in 0..<60 {
      switch Int.random(in: 0..<10, using: &random) {
      case 0, 1:
        if let probe = try? await hosts.connect(patience: .seconds(1)) { clients.append((probe, [])) }
      case 2: hosts.network.block(from: "client", to: "server")
      case 3: hosts.network.block(from: "server", to: "client")
      case 4, 5: hosts.network.heal("client", "server")
      case 6 where step % 3 == 0: hosts.network.reset("client", "server")
      case 7:
        if let one = clients.randomElement(using: &random) { one.probe.close() }
      default:
        for place in clients.indices {
          let count = Int.random(in: 0...6_000, using: &random)
          let bytes = (0..<count).map { UInt8(truncatingIfNeeded: clients[place].sent.count + $0) }
          if clients[place].probe.closings.isEmpty { clients[place].sent += bytes }
          clients[place].probe.write(bytes)
        }
      }
      await hosts.time.run(for: .milliseconds(Int.random(in: 0...400, using: &random)))
    }
    hosts.network.heal("client", "server")
    await hosts.time.run(for: .seconds(60))
    for client in clients { client.probe.close() }
    await hosts.time.run(for: .seconds(60))
    for client in clients {
      #expect(client.probe.closings.count == 1, "seed \(seed)")
      #expect(client.sent.starts(with: client.probe.received), "seed \(seed): an echo that was never sent")
    }
    for server in hosts.servers { #expect(server.closings.count == 1, "seed \(seed)") }
    for probe in clients.map(\.probe) + hosts.servers {
      #expect(!probe.wasToldInsideCall && !probe.wasToldAfterClosing, "seed \(seed)")
    }
    return (hosts.network.trace, hosts.network.eventCount)
  }

  @Test("the same seed gives the same trace twice, whatever goes wrong, and another seed another", arguments: 1...6)
  func deterministic(seed: UInt64) async throws {
    let first = try await storm(seed: seed)
    let second = try await storm(seed: seed)
    #expect(first.trace == second.trace && first.events == second.events, "seed \(seed)")
    #expect(first.events > 20)
    #expect(try await storm(seed: seed + 1_000).trace != first.trace)
  }

  @Test("a task that sleeps on virtual time wakes in its order")
  func tasks() async throws {
    let time = ManualTime()
    let log = Log()
    async let slow: Void = log.write("slow", every: .seconds(20), times: 1, on: time)
    async let quick: Void = log.write("quick", every: .seconds(5), times: 3, on: time)
    await time.run(for: .seconds(30))
    _ = try await (slow, quick)
    #expect(log.lines == ["quick", "quick", "quick", "slow"])
  }

  @MainActor
  final class Log {
    private(set) var lines: [String] = []

    func write(_ line: String, every gap: Duration, times: Int, on time: ManualTime) async throws {
      for _ in 0..<times {
        try await time.sleep(for: gap)
        lines.append(line)
      }
    }
  }
}
