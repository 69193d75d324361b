import Clocks
import EventLoops
import RPC
import RPCTransport
import TestKit
import Testing

/// A server with a client that asks something simple every fifty milliseconds, and room for peers that mean no good.
@MainActor
private final class Town {
  let time = ManualTime()
  let network: SimulatedNetwork
  let service: TestService
  let server: RPCServer
  let honest: ServiceClient<TestAPI>
  let address = SocketAddress.ip(IPAddress("10.0.0.2")!, port: 7_101)
  private(set) var answers = 0
  private(set) var failures: [RPCError] = []
  private(set) var longest = Duration.zero
  private(set) var heldMost = 0
  private var asking: Task<Void, Never>?

  init(_ limits: ServerLimits = ServerLimits()) throws {
    network = SimulatedNetwork(seed: 7, time: time)
    service = TestService(time: time)
    server = RPCServer(service.router, limits: limits, time: time, random: SeededRandom(seed: 1))
    honest = ServiceClient(
      of: TestAPI.self, at: [.address(address)], network: SimulatedHost("honest", on: network), time: time,
      random: SeededRandom(seed: 2))
    _ = try network.listen("server", on: address, limits: limits.listener.stream) { [server] in server.accept($0) }
    asking = Task { @MainActor in
      while !Task.isCancelled {
        let start = time.now
        do throws(RPCError) {
          if try await honest.call(Echo(text: "한")) == "한" { answers += 1 }
        } catch {
          failures.append(error)
        }
        longest = max(longest, time.now - start)
        heldMost = max(heldMost, server.heldBytes)
        try? await time.sleep(for: .milliseconds(50))
      }
    }
  }

  /// Lets a time pass, and looks at what the server holds on the way.
  func live(for duration: Duration) async {
    let end = time.now + duration
    while time.now < end {
      await time.run(for: .milliseconds(50))
      heldMost = max(heldMost, server.heldBytes)
    }
  }

  func stream(from host: String) async throws -> SimulatedStream {
    let opening = Task { @MainActor in try await network.connect(host, to: address) }
    await time.run(for: .milliseconds(2))
    return try await opening.value
  }

  /// A peer that has shaken hands, and the stream under it.
  func acquaintance(_ host: String) async throws -> (connection: ClientConnection, stream: SimulatedStream) {
    let stream = try await stream(from: host)
    let connection = ClientConnection(stream, time: time, random: SeededRandom(seed: 3))
    #expect(await time.run(until: { connection.isUsable }, limit: .seconds(1)))
    return (connection, stream)
  }

  func leave() async {
    asking?.cancel()
    honest.close()
    await time.run(for: .seconds(1))
  }

  /// What the honest client saw: an answer to each question, none later than a retransmission takes.
  func expectNobodyNoticed(atLeast count: Int) {
    #expect(answers >= count)
    #expect(failures.isEmpty, "\(failures.first.map { "\($0)" } ?? "")")
    #expect(longest < .milliseconds(500))
  }
}

@Suite("Hostile peers")
@MainActor
struct HostilePeerTests {
  @Test("who says nothing, or a byte of a HELLO a second, is closed after two seconds")
  func handshakes() async throws {
    let town = try Town()
    var probes: [StreamProbe] = []
    for number in 0..<200 {
      let probe = StreamProbe(try await town.stream(from: "crowd"))
      probe.stream.resumeReading()
      probes.append(probe)
      if number % 2 == 0 { drip(probe, town.time) }
    }
    await town.live(for: .seconds(3))
    #expect(probes.allSatisfy { !$0.closings.isEmpty })
    #expect(town.server.connectionCount == 1)
    town.expectNobodyNoticed(atLeast: 50)
    await town.leave()
  }

  @Test("a peer is not blamed for the time in which nobody listened to it")
  func inattention() async throws {
    let town = try Town()
    let probe = StreamProbe(try await town.stream(from: "slow"))
    probe.stream.resumeReading()
    town.time.inattention += .seconds(2)
    await town.live(for: .seconds(3))
    #expect(probe.closings.isEmpty)
    await town.live(for: .seconds(2))
    #expect(!probe.closings.isEmpty)
    await town.leave()
  }

  private func drip(_ probe: StreamProbe, _ time: ManualTime) {
    probe.write([0x50])
    _ = time.after(.seconds(1)) { if probe.closings.isEmpty { self.drip(probe, time) } }
  }

  @Test("answers that nobody reads are held up to a sum, and whoever leaves most is cut off", arguments: [true, false])
  func unread(isBounded: Bool) async throws {
    var limits = ServerLimits()
    let bound = 2 << 20
    limits.heldBytes = isBounded ? bound : .max
    let town = try Town(limits)
    var rests = 0
    town.server.onRest = { rests += 1 }
    var deaf: [ClientConnection] = []
    var asked: [Task<Void, Never>] = []
    for number in 0..<6 {
      let (connection, stream) = try await town.acquaintance("deaf-\(number)")
      stream.pauseReading()
      deaf.append(connection)
      for _ in 0..<6 {
        asked.append(
          Task { @MainActor in
            let context = CallContext(deadline: town.time.now + .seconds(30))
            _ = try? await connection.call(Blob(bytes: [1], answer: 512 << 10), context)
          })
      }
    }
    await town.live(for: .seconds(2))
    #expect((town.heldMost <= bound) == isBounded, "held \(town.heldMost) bytes")
    // The rest takes nothing for ten seconds and is cut off for that.
    await town.live(for: .seconds(14))
    #expect(town.server.connectionCount == 1)
    #expect(town.server.heldBytes == 0)
    // Where a deaf one is cut off, what the others left meanwhile is read and comes again.
    #expect(rests == (isBounded ? 2 : 1), "each time all of it is gone, and not for the small calls between")
    town.expectNobodyNoticed(atLeast: 200)
    for connection in deaf { connection.close() }
    await town.live(for: .seconds(1))
    for task in asked { await task.value }
    await town.leave()
  }

  @Test("what waits in front of the kernel counts too, below the mark at which a connection is slowed down")
  func unreadBelowTheMark() async throws {
    var limits = ServerLimits()
    limits.heldBytes = 1 << 20
    let town = try Town(limits)
    var deaf: [ClientConnection] = []
    var asked: [Task<Void, Never>] = []
    for number in 0..<16 {
      let (connection, stream) = try await town.acquaintance("deaf-\(number)")
      stream.pauseReading()
      deaf.append(connection)
      // A few hundred KiB more than the kernels hold, none of it in parts.
      for _ in 0..<28 {
        asked.append(
          Task { @MainActor in
            let context = CallContext(deadline: town.time.now + .seconds(5))
            _ = try? await connection.call(Blob(bytes: [1], answer: 16_000), context)
          })
      }
    }
    await town.live(for: .seconds(2))
    #expect(town.heldMost > 512 << 10, "held \(town.heldMost) bytes")
    #expect(town.heldMost <= 1 << 20, "held \(town.heldMost) bytes")
    #expect(town.server.connectionCount < 17)
    town.expectNobodyNoticed(atLeast: 30)
    for connection in deaf { connection.close() }
    await town.live(for: .seconds(4))
    for task in asked { await task.value }
    await town.leave()
  }

  @Test("streams that nobody reads stop at their credit")
  func unreadStreams() async throws {
    let town = try Town()
    var streams: [RPCStream<Count.Element>] = []
    for number in 0..<2 {
      let (connection, _) = try await town.acquaintance("idle-\(number)")
      for _ in 0..<3 {
        streams.append(
          try connection.stream(Count(upTo: 10_000, weight: 30_000), CallContext(deadline: .distantFuture)))
      }
    }
    await town.live(for: .seconds(2))
    let sent = town.service.sent
    #expect(sent > streams.count)
    await town.live(for: .seconds(5))
    #expect(town.service.sent == sent, "they go on sending")
    #expect(town.heldMost < 8 << 20)
    town.expectNobodyNoticed(atLeast: 100)
    await town.leave()
  }

  @Test("a flood of pings from who does not read is cut off, and holds no more than a stream's queue")
  func flood() async throws {
    let town = try Town()
    let (_, stream) = try await town.acquaintance("flood")
    stream.pauseReading()
    // length 14, kind PING (10), no flags, stream 0, a number
    let ping: [UInt8] = [14, 0, 0, 0, 10, 0, 0, 0, 0, 0] + [UInt8](repeating: 1, count: 8)
    let pings = (0..<1_000).flatMap { _ in ping }
    for _ in 0..<400 {
      pings.withUnsafeBytes { stream.write($0) }
      await town.live(for: .milliseconds(50))
    }
    #expect(town.server.connectionCount == 1)
    let most = ServerLimits().listener.stream.queueMax
    #expect(town.heldMost > 1 << 20 && town.heldMost <= most, "held \(town.heldMost) bytes of \(most)")
    town.expectNobodyNoticed(atLeast: 200)
    await town.leave()
  }

  @Test(
    "answers that one connection does not read are held up to its limit, and then it is cut off",
    arguments: [true, false])
  func unreadOfOne(isBounded: Bool) async throws {
    var limits = ServerLimits()
    limits.heldBytes = .max
    if isBounded { limits.link.outgoingBytes = 2 << 20 }
    let town = try Town(limits)
    let (connection, stream) = try await town.acquaintance("deaf")
    stream.pauseReading()
    let asked = (0..<6).map { _ in
      Task { @MainActor in
        let context = CallContext(deadline: town.time.now + .seconds(30))
        _ = try? await connection.call(Blob(bytes: [1], answer: 1 << 20), context)
      }
    }
    await town.live(for: .seconds(2))
    #expect((town.server.connectionCount == 1) == isBounded)
    // What is not in parts yet stands in front of the kernel.
    let most = (2 << 20) + limits.listener.stream.queueMax / 8
    #expect(!isBounded || town.heldMost <= most, "held \(town.heldMost) bytes")
    town.expectNobodyNoticed(atLeast: 20)
    connection.close()
    await town.live(for: .seconds(1))
    for task in asked { await task.value }
    await town.leave()
  }

  @Test("who does not read his answers has no further request read until he does")
  func unreadAnswersHoldRequests() async throws {
    let town = try Town()
    let (connection, stream) = try await town.acquaintance("deaf")
    stream.pauseReading()
    let context = CallContext(deadline: town.time.now + .seconds(30))
    let large = Task { @MainActor in try await connection.call(Blob(bytes: [1], answer: 1 << 20), context).count }
    await town.live(for: .seconds(1))
    let next = Task { @MainActor in try await connection.call(SlowBoard(milliseconds: 0), context) }
    await town.live(for: .seconds(1))
    #expect(town.service.boards == 0)
    stream.resumeReading()
    await town.live(for: .seconds(1))
    #expect(town.service.boards == 1)
    #expect(try await next.value == 1)
    #expect(try await large.value == 1 << 20)
    town.expectNobodyNoticed(atLeast: 30)
    connection.close()
    await town.leave()
  }

  @Test("a peer behind a broken way is given up within fifteen seconds, and calls end at their own deadlines")
  func halfOpen() async throws {
    let town = try Town()
    await town.live(for: .milliseconds(200))
    let start = town.time.now
    town.network.partition("honest", "server")
    var ends: [Int64: Duration] = [:]
    for seconds in [3, 60] as [Int64] {
      Task { @MainActor in
        _ = await error { () async throws(RPCError) in
          try await town.honest.call(
            SlowEcho(text: "", milliseconds: 0), CallOptions(timeout: .seconds(seconds), mayRetry: false))
        }
        ends[seconds] = town.time.now - start
      }
    }
    await town.live(for: .seconds(20))
    #expect(ends[3].map { $0 >= .seconds(3) && $0 <= .milliseconds(3_100) } == true, "\(String(describing: ends[3]))")
    #expect(ends[60].map { $0 <= .milliseconds(15_500) } == true, "\(String(describing: ends[60]))")
    #expect(town.honest.connectedCount == 0)
    town.network.heal("honest", "server")
    let before = town.answers
    await town.live(for: .seconds(10))
    #expect(town.answers > before)
    await town.leave()
  }
}
