import Clocks
import EventLoops
import RPC
import RPCTransport
import TestKit
import Testing

private enum FrontAPI: RPCService { static let name = "front" }

/// Has the service behind it take longer than there is time.
private struct Dawdle: RPCRequest {
  typealias Service = FrontAPI
  typealias Response = String
  static let method: MethodID = 0x7D01
  static let safety: Safety = .read
}

/// Asks to be left alone for a while.
private struct Later: RPCRequest {
  typealias Service = FrontAPI
  typealias Response = Int
  static let method: MethodID = 0x7D02
  static let safety: Safety = .read
}

/// When calls came.
@MainActor
private final class Arrivals { var times: [Instant] = [] }

/// The numbers that two sides agree on, kept on the wire.
@Suite("Order and limits of calls")
@MainActor
struct CallLimitsTests {
  private let random = SeededRandom(seed: 1)

  // MARK: Order

  /// So short that a few parts fill it.
  private static var shortQueue: StreamLimits {
    var limits = StreamLimits()
    (limits.queueHighWater, limits.queueLowWater) = (64 << 10, 16 << 10)
    return limits
  }
  /// Parts of 16 KiB that go before the queue is over its mark.
  private static let partsAhead = 5

  private static var minute: CallContext {
    CallOptions(timeout: .seconds(60)).context(now: EventLoop.time.now, safety: .read)
  }

  @Test("a small answer and a sign of life pass large answers, which take turns")
  func answers() async throws {
    let service = TestService(time: EventLoop.time)
    let server = RPCServer(service.router, random: random)
    let pair = MemoryStream.pair(limits: Self.shortQueue)
    let tap = FrameTap(pair.server)
    server.accept(tap)
    let client = ClientConnection(pair.client, random: random)
    try await client.opened()
    let large = (0..<2).map { _ in
      Task { @MainActor in try await client.call(Blob(bytes: [1], answer: 1 << 20), Self.minute).count }
    }
    let small = Task { @MainActor in try await client.call(Echo(text: "small"), Self.minute) }
    let asking = Task { @MainActor in
      // length 14, kind PING (10), no flags, stream 0, a number
      let ping: [UInt8] = [14, 0, 0, 0, 10, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1]
      ping.withUnsafeBytes { pair.client.write($0) }
    }
    await asking.value
    #expect(try await small.value == "small")
    for one in large { #expect(try await one.value == 1 << 20) }

    let streams: [UInt32] = [1 << 16, 1 << 16 | 1, 1 << 16 | 2]
    let parts = tap.sent.indices.filter { streams[..<2].contains(tap.sent[$0].stream) }
    #expect(parts.count > 128)
    let passed = try #require(tap.sent.firstIndex { $0.stream == streams[2] })
    let pong = try #require(tap.sent.firstIndex { $0.kind == 11 })
    for place in [passed, pong] { #expect(parts.count { $0 < place } <= Self.partsAhead) }
    let turns = parts.filter { $0 > pong }.prefix(100).map { tap.sent[$0].stream }
    #expect(zip(turns, turns.dropFirst()).allSatisfy { $0 != $1 })
    client.close()
    await server.drain()
  }

  @Test("a cancellation passes a large request of the same connection")
  func cancellation() async throws {
    let service = TestService(time: EventLoop.time)
    let server = RPCServer(service.router, random: random)
    let pair = MemoryStream.pair(limits: Self.shortQueue)
    server.accept(pair.server)
    let tap = FrameTap(pair.client)
    let client = ClientConnection(tap, random: random)
    try await client.opened()
    let slow = Task { @MainActor in
      try await client.call(SlowEcho(text: "", milliseconds: 3_600_000), Self.minute)
    }
    while service.calls == 0 { await turn() }
    let upload = Task { @MainActor in
      try await client.call(Blob(bytes: Array(repeating: 7, count: 1 << 20), answer: 3), Self.minute)
    }
    let leaving = Task { @MainActor in slow.cancel() }
    await leaving.value
    #expect(try await upload.value == [7, 7, 7])
    let cancel = try #require(tap.sent.firstIndex { $0.kind == 9 })
    let parts = tap.sent.indices.filter { tap.sent[$0].stream == 1 << 16 | 1 }
    #expect(parts.count > 64 && parts.count { $0 < cancel } <= Self.partsAhead)
    while service.cancellations == 0 { await turn() }
    client.close()
    await server.drain()
  }

  // MARK: Numbers

  @Test("the loop knows how many questions wait for their one answer; a stream is none")
  func questions() async throws {
    let service = TestService(time: EventLoop.time)
    let server = RPCServer(service.router, random: random)
    let pair = MemoryStream.pair()
    server.accept(pair.server)
    let client = ClientConnection(pair.client, random: random)
    try await client.opened()
    // Between two suspensions nobody else asks.
    let before = EventLoop.attention.questions
    let asking = (0..<2).map { _ in
      Task.immediate { @MainActor in
        await error { () throws(RPCError) in
          try await client.call(SlowEcho(text: "", milliseconds: 3_600_000), Self.minute)
        }
      }
    }
    #expect(EventLoop.attention.questions == before + 2)
    let ticks = try client.stream(Ticks(), Self.minute)
    #expect(EventLoop.attention.questions == before + 2)
    asking[0].cancel()
    #expect(EventLoop.attention.questions == before + 1)
    withExtendedLifetime(ticks) {}
    while service.calls == 0 { await turn() }
    client.close()
    #expect(await asking[0].value?.code == .cancelled)
    #expect(await asking[1].value?.code == .unavailable)
    while service.cancellations < service.calls { await turn() }
    await server.drain()
  }

  @Test("of 1,025 calls on one connection the last fails at once, not executed; when one ends there is room again")
  func calls() async throws {
    let time = ManualTime()
    let service = TestService(time: time)
    var limits = ServerLimits()
    (limits.concurrency.floor, limits.concurrency.ceiling, limits.concurrency.initial) = (2_048, 2_048, 2_048)
    let server = RPCServer(service.router, limits: limits, time: time, random: random)
    let pair = MemoryStream.pair(time: time)
    server.accept(pair.server)
    let client = ClientConnection(pair.client, time: time, random: random)
    try await client.opened()
    #expect(client.peer?.streams == 1_024)
    let context = CallContext(deadline: time.now + .seconds(60))
    let running = (0..<1_024).map { number in
      Task { @MainActor in try await client.call(SlowEcho(text: "\(number)", milliseconds: 1_000), context) }
    }
    while service.calls < 1_024 { await turn() }
    let failure = await error { () throws(RPCError) in try await client.call(Echo(text: "one more"), context) }
    #expect(failure?.code == .resourceExhausted && failure?.executed == .no)
    #expect(failure?.message == "1024 calls are under way on this connection")
    #expect(service.calls == 1_024)
    await time.run(for: .seconds(1))
    for (number, call) in running.enumerated() { #expect(try await call.value == "\(number)") }
    #expect(try await client.call(Echo(text: "one more"), context) == "one more")
    client.close()
    await server.drain()
  }

  @Test(
    "who wants signs of life more often than the other gives in: no ping before the longer time",
    arguments: [true, false])
  func keepalive(clientIsEager: Bool) async throws {
    let time = ManualTime()
    let service = TestService(time: time)
    var (eager, patient) = (LinkLimits(), LinkLimits())
    (eager.keepalive, patient.keepalive) = (.seconds(1), .seconds(30))
    var limits = ServerLimits()
    limits.link = clientIsEager ? patient : eager
    let server = RPCServer(service.router, limits: limits, time: time, random: random)
    let pair = MemoryStream.pair(time: time)
    let (near, far) = (FrameTap(pair.client), FrameTap(pair.server))
    server.accept(far)
    let client = ClientConnection(near, limits: clientIsEager ? eager : patient, time: time, random: random)
    try await client.opened()
    #expect(client.peer?.keepalive == .seconds(30))
    let context = CallContext(deadline: time.now + .seconds(600))
    let asking = Task { @MainActor in
      try await client.call(SlowEcho(text: "a quiet call", milliseconds: 120_000), context)
    }
    await time.run(for: .seconds(29))
    #expect(near.count(ofKind: 10) + far.count(ofKind: 10) == 0)
    await time.run(for: .seconds(35))
    #expect(near.count(ofKind: 10) > 0 && far.count(ofKind: 11) > 0)
    await time.run(for: .seconds(60))
    #expect(try await asking.value == "a quiet call")
    client.close()
    await server.drain()
  }

  // MARK: Who spent the time

  @Test("a call that ran out of time says what each hop spent of it")
  func ledger() async throws {
    let time = ManualTime()
    let network = SimulatedNetwork(
      seed: 1, time: time, conditions: .init(delay: .microseconds(100), jitter: .zero, segmentMax: 1 << 20))
    let (frontAddress, backAddress) = (SocketAddress.loopback(port: 7_101), SocketAddress.loopback(port: 7_102))
    let service = TestService(time: time)
    let back = RPCServer(service.router, time: time, random: random)
    _ = try network.listen("back", on: backAddress) { back.accept($0) }
    let toBack = ServiceClient(
      of: TestAPI.self, at: [.address(backAddress)], network: SimulatedHost("front", on: network), time: time,
      random: random)
    let router = RPCRouter(service: "front")
    router.on(Dawdle.self) { (_: Dawdle, _: CallContext) async throws in
      try await time.sleep(for: .microseconds(20_500))
      return try await toBack.call(SlowEcho(text: "", milliseconds: 3_600_000))
    }
    let front = RPCServer(router, time: time, random: random)
    _ = try network.listen("front", on: frontAddress) { front.accept($0) }
    let client = ServiceClient(
      of: FrontAPI.self, at: [.address(frontAddress)], network: SimulatedHost("client", on: network), time: time,
      random: random)
    var failure: RPCError?
    // The first opens the connections.
    for _ in 0..<2 {
      let asking = Task { @MainActor in
        await error { () throws(RPCError) in
          try await client.call(Dawdle(), CallOptions(timeout: .microseconds(100_900), mayRetry: false))
        }
      }
      await time.run(for: .seconds(1))
      failure = await asking.value
    }
    #expect(failure?.code == .deadlineExceeded && failure?.origin == "test")
    let ledger = try #require(failure?.ledger)
    #expect(ledger.hops.map(\.service) == ["test", "front"])
    #expect((70_000...75_000).contains(ledger.hops[0].work), "\(ledger.hops)")
    #expect((90_000...97_000).contains(ledger.hops[1].work), "\(ledger.hops)")
    let explanation = ledger.explanation(of: .milliseconds(100))
    #expect(explanation.hasSuffix("most of it went to test"), "\(explanation)")
    client.close()
    toBack.close()
    await time.run(for: .seconds(1))
  }

  @Test("a server that asks to be left alone is left alone for so long, and a caller who does not repeat is told")
  func pushback() async throws {
    let time = ManualTime()
    let arrivals = Arrivals()
    let router = RPCRouter(service: "front")
    router.on(Later.self) { (_: Later, _: borrowing CallContext) in
      arrivals.times.append(time.now)
      guard arrivals.times.count > 1 else {
        throw RPCError(.unavailable, "not before three seconds", executed: .no, retryAfter: .seconds(3))
      }
      return arrivals.times.count
    }
    let server = RPCServer(router, time: time, random: random)
    let (network, target) = try simulated(server, on: time)
    let client = ServiceClient(of: FrontAPI.self, at: [target], network: network, time: time, random: random)
    let asking = Task { @MainActor in try await client.call(Later(), within: .seconds(60)) }
    await time.run(for: .seconds(30))
    #expect(try await asking.value == 2)
    let pause = arrivals.times[1] - arrivals.times[0]
    #expect(pause >= .seconds(3) && pause < .seconds(5), "\(pause)")

    arrivals.times = []
    let once = Task { @MainActor in
      await error { () throws(RPCError) in
        try await client.call(Later(), CallOptions(timeout: .seconds(60), mayRetry: false))
      }
    }
    await time.run(for: .seconds(10))
    let failure = await once.value
    #expect(failure?.retryAfter == .seconds(3) && failure?.executed == .no && arrivals.times.count == 1)
    client.close()
    let drained = Task { @MainActor in await server.drain() }
    await time.run(for: .seconds(10))
    await drained.value
  }
}
