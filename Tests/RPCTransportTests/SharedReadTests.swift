import Clocks
import EventLoops
import RPC
import RPCTransport
import TestKit
import Testing

@Suite("Reads that are shared, over every transport")
@MainActor
struct SharedReadTests {
  @Test(
    "readers at once are one call of the handler; what it gave is fresh, then stale while the next is fetched, and says how old",
    arguments: Transport.allCases)
  func shared(transport: Transport) async throws {
    let rig = try await Rig(transport)
    // The contract's times pass when the test says so, whatever the transport takes.
    let clock = ManualTime()
    let client = CachingClient(rig.client, time: clock)
    let readers = (0..<50).map { _ in Task { @MainActor in try await client.read(Board()) } }
    for reader in readers {
      let answer = try await reader.value
      #expect(answer.value == 1 && !answer.isStale)
    }
    #expect(rig.service.boards == 1)

    clock.advance(by: Board.fresh - .milliseconds(1))
    let fresh = try await client.read(Board())
    #expect(fresh.value == 1 && fresh.age == Board.fresh - .milliseconds(1) && !fresh.isStale)
    #expect(rig.service.boards == 1)

    clock.advance(by: .milliseconds(501))
    let stale = try await client.read(Board())
    #expect(stale.value == 1 && stale.age == Board.fresh + .milliseconds(500) && stale.isStale)
    #expect(await rig.until { rig.service.boards == 2 })
    var renewed = try await client.read(Board())
    while renewed.isStale {
      await turn()
      renewed = try await client.read(Board())
    }
    #expect(renewed.value == 2 && renewed.age == .zero && rig.service.boards == 2)
    await rig.close()
  }

  @Test("the last reader who leaves cancels the call, one who stays keeps it", arguments: Transport.allCases)
  func leaving(transport: Transport) async throws {
    let rig = try await Rig(transport)
    let client = CachingClient(rig.client, time: ManualTime())
    let slow = SlowBoard(milliseconds: 3_600_000)
    let readers = (0..<3).map { _ in
      Task { @MainActor in try await client.read(slow, CallOptions(timeout: .seconds(60))) }
    }
    #expect(await rig.until { rig.service.boards == 1 })
    for reader in readers.dropLast() { reader.cancel() }
    for reader in readers.dropLast() { _ = await reader.result }
    for _ in 0..<20 { await turn() }
    #expect(rig.service.cancellations == 0)
    readers.last?.cancel()
    #expect(await rig.until { rig.service.cancellations == 1 })
    #expect(rig.service.boards == 1)
    await rig.close()
  }
}
