import EventLoops
import RPC
import RPCTransport
import TestKit
import Testing

@Suite("Credit of streams that end early")
@MainActor
struct AbandonedCreditTests {
  @Test("forty streams that were left half read leave the connection its whole credit", arguments: Transport.overBytes)
  func abandoned(transport: Transport) async throws {
    let rig = try await Rig(transport)
    for round in 1...40 {
      // Items in parts, so that some are cut half way.
      let stream = try await rig.client.stream(Count(upTo: 100, weight: 60_000))
      var iterator = Optional(stream.makeAsyncIterator())
      #expect(try await iterator?.next()?.number == 0)
      iterator = nil
      #expect(await rig.until { rig.service.cancellations == round })
    }
    var count = 0
    for try await _ in try await rig.client.stream(Count(upTo: 100, weight: 60_000)) { count += 1 }
    #expect(count == 100)
    await rig.close()
  }
}
