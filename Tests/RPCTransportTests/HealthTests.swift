import Clocks
import EventLoops
import RPC
import RPCTransport
import TestKit
import Testing

@Suite("Health over every transport")
@MainActor
struct HealthTests {
  @Test("whoever asks is told whether to send work, and what is wrong if not", arguments: Transport.overBytes)
  func check(transport: Transport) async throws {
    let rig = try await Rig(transport)
    let admin = rig.another(of: AdminAPI.self)
    #expect(try await admin.call(CheckHealth()) == HealthReport(service: "test", state: .ready))
    rig.server?.health.ask = { (.notReady, ["database: the disk is full"]) }
    let report = try await admin.call(CheckHealth())
    #expect(report == HealthReport(service: "test", state: .notReady, problems: ["database: the disk is full"]))
    rig.close(admin)
    await rig.close()
  }

  @Test(
    "whoever watches hears of each change once, of the drain last, and does not hold it up",
    arguments: Transport.overBytes)
  func watch(transport: Transport) async throws {
    let rig = try await Rig(transport)
    let server = try #require(rig.server)
    let admin = rig.another(of: AdminAPI.self)
    var reports = try await admin.stream(WatchHealth()).makeAsyncIterator()
    #expect(try await reports.next()?.state == .ready)
    server.health.changed()
    server.health.ask = { (.notReady, ["upstream: gone"]) }
    server.health.changed()
    #expect(try await reports.next()?.problems == ["upstream: gone"])
    server.health.ask = { (.ready, []) }
    server.health.changed()
    #expect(try await reports.next()?.state == .ready)
    let drained = Task { @MainActor in await server.drain() }
    #expect(try await reports.next()?.state == .draining)
    #expect(try await reports.next() == nil)
    await drained.value
    #expect(server.runningCount == 0)
    rig.close(admin)
    await rig.close()
  }

  @Test("what tells nobody when it changes is noticed within a second")
  func unannounced() async throws {
    let time = ManualTime()
    let service = TestService(time: time)
    let server = RPCServer(service.router, time: time, random: SeededRandom(seed: 1))
    server.trustsEveryPeer = true
    let (network, target) = try simulated(server, on: time)
    let client = ServiceClient(
      of: AdminAPI.self, at: [target], network: network, time: time, random: SeededRandom(seed: 2))
    var told: [HealthReport] = []
    let watching = Task { @MainActor in
      for try await report in try await client.stream(WatchHealth()) { told.append(report) }
    }
    await time.run(for: .seconds(3))
    #expect(told.map(\.state) == [.ready])
    server.health.ask = { (.notReady, ["database: the disk is full"]) }
    await time.run(for: .seconds(1))
    #expect(told.map(\.state) == [.ready, .notReady])
    watching.cancel()
    _ = await watching.result
    await time.run(for: .seconds(1))
    #expect(server.load.running == 0 && server.load.orphans == 0)
    client.close()
    let drained = Task { @MainActor in await server.drain() }
    await time.run(for: .seconds(10))
    await drained.value
  }

  @Test("only administrators ask: over TCP nobody is one")
  func strangers() async throws {
    let rig = try await Rig(.tcp)
    rig.server?.trustsEveryPeer = false
    let admin = rig.another(of: AdminAPI.self)
    let failure = await error { () throws(RPCError) in try await admin.call(CheckHealth()) }
    #expect(failure?.code == .permissionDenied)
    rig.close(admin)
    await rig.close()
  }
}
