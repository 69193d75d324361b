import Clocks
import EventLoops
import RPC
import RPCTransport
import TestKit
import Testing

/// A service that nobody here is.
private enum AbsentAPI: RPCService { static let name = "absent" }

private struct Anything: RPCRequest {
  typealias Service = AbsentAPI
  typealias Response = String
  static let method: MethodID = 0x6E01
  static let safety: Safety = .read
}

private struct Everything: RPCStreamRequest {
  typealias Service = AbsentAPI
  typealias Element = String
  static let method: MethodID = 0x6E02
}

/// What gRPC's interoperability tests ask and the other suites do not; the table of all stands in the module's README.
@Suite("Cases of gRPC's interoperability tests")
@MainActor
struct InteropTests {
  @Test(
    "empty_stream: a stream without an element ends, and one that fails instead says so", arguments: Transport.allCases)
  func emptyStream(transport: Transport) async throws {
    let rig = try await Rig(transport)
    for try await element in try await rig.client.stream(Count(upTo: 0, weight: 0)) {
      Issue.record("element \(element.number) came out of nothing")
    }
    var failure: RPCError?
    do throws(RPCError) {
      let stream = try await rig.client.stream(Count(upTo: 0, weight: 0, failsAtEnd: true))
      var iterator = stream.makeAsyncIterator()
      #expect(try await iterator.next() == nil)
    } catch {
      failure = error
    }
    #expect(failure?.code == .failedPrecondition)
    await rig.close()
  }

  @Test(
    "unimplemented_service: a service that is not here is unimplemented, for one answer and for many",
    arguments: Transport.allCases)
  func unimplementedService(transport: Transport) async throws {
    let rig = try await Rig(transport)
    let absent = rig.another(of: AbsentAPI.self)
    let failure = await error { () throws(RPCError) in try await absent.call(Anything()) }
    #expect(failure?.code == .unimplemented && failure?.executed == .no)
    #expect(failure?.message == "test has no request 0x6e01; update the older side")
    let none = await error { () async throws(RPCError) in
      let stream = try await absent.stream(Everything())
      var iterator = stream.makeAsyncIterator()
      return try await iterator.next()
    }
    #expect(none?.code == .unimplemented)
    #expect(try await rig.client.call(Echo(text: "still here")) == "still here")
    rig.close(absent)
    await rig.close()
  }

  @Test(
    "channel_soak: a hundred calls with a connection each, and no connection is left", arguments: Transport.allCases)
  func channelSoak(transport: Transport) async throws {
    let rig = try await Rig(transport)
    for number in 0..<100 {
      let client = rig.another(of: TestAPI.self)
      #expect(try await client.call(Echo(text: "\(number)"), within: .seconds(60)) == "\(number)")
      rig.close(client)
    }
    // The rig's own client keeps one.
    #expect(await rig.until { rig.server?.connectionCount ?? 0 <= 1 })
    #expect(rig.service.calls == 100)
    await rig.close()
  }

  @Test(
    "custom_metadata: 64 entries or 16 KiB arrive, one more is refused and not executed", arguments: Transport.allCases)
  func metadata(transport: Transport) async throws {
    let rig = try await Rig(transport)
    func metadata(entries: Int, bytes: Int) -> CallMetadata {
      var metadata: CallMetadata = ["colour": "blue"]
      for number in 1..<entries - 1 { metadata.append("n\(number)", "") }
      let used = metadata.entries.reduce(0) { $0 + $1.name.utf8.count + $1.value.utf8.count }
      metadata.append("x", String(repeating: "x", count: bytes - used - 1))
      return metadata
    }
    for most in [metadata(entries: 64, bytes: 1_000), metadata(entries: 3, bytes: 16 << 10)] {
      #expect(try await rig.client.call(WhoAmI(), CallOptions(metadata: most)).colour == "blue")
    }
    for tooMuch in [metadata(entries: 65, bytes: 1_000), metadata(entries: 3, bytes: 16 << 10 + 1)] {
      let failure = await error { () throws(RPCError) in
        try await rig.client.call(WhoAmI(), CallOptions(metadata: tooMuch))
      }
      #expect(failure?.code == .invalidArgument && failure?.executed == .no)
      let stream = await error { () throws(RPCError) in
        try await rig.client.stream(Count(upTo: 1, weight: 0), CallOptions(metadata: tooMuch))
      }
      #expect(stream?.code == .invalidArgument && rig.service.sent == 0)
    }
    #expect(try await rig.client.call(Echo(text: "still here")) == "still here")
    await rig.close()
  }
}
