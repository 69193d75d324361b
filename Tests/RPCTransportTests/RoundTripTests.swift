import Clocks
import Contracts
import Crypto
import EventLoops
import Glibc
import RPC
import RPCTransport
import TestKit
import Testing

@Suite("A call over a socket")
@MainActor
struct RoundTripTests {
  @Test("asks for the nearest cinemas and gets three, over TCP and over a unix socket", arguments: [false, true])
  func threeCinemas(unix: Bool) async throws {
    let router = RPCRouter(service: "locator")
    router.on(NearestCinemas.self) { (request: NearestCinemas, _: borrowing CallContext) in
      Array(Cinemas.three.prefix(request.limit))
    }
    let server = RPCServer(router)
    let address = try server.listen(on: unix ? .unix(path: "/tmp/odi-rpc-\(getpid()).sock") : .loopback())
    let client = ClientConnection(try await Connector.connect(to: address, timeout: .seconds(60)))
    try await client.opened()
    let request = NearestCinemas(origin: try Coordinate(latitude: 37.5663, longitude: 126.9779), limit: 3)
    let context = CallOptions().context(now: EventLoop.time.now, safety: .read)
    #expect(try await client.call(request, context) == Cinemas.three)
    await server.drain()
  }

  @Test("a server with a secret asks for it over TCP, and not where the kernel says who asks", arguments: [false, true])
  func unixNeedsNoSecret(unix: Bool) async throws {
    let server = RPCServer(RPCRouter(service: "locator"), secret: .random())
    let address = try server.listen(on: unix ? .unix(path: "/tmp/odi-rpc-secret-\(getpid()).sock") : .loopback())
    func answer(secret: Secret?) async throws -> String {
      let client = ClientConnection(try await Connector.connect(to: address, timeout: .seconds(60)), secret: secret)
      defer { client.close() }
      try await client.opened()
      return try await client.call(Ping(), CallOptions().context(now: EventLoop.time.now, safety: .read)).service
    }
    for secret in [nil, Secret.random()] {
      if unix {
        #expect(try await answer(secret: secret) == "locator")
      } else {
        await #expect(throws: RPCError.self) { try await answer(secret: secret) }
      }
    }
    await server.drain()
  }
}

enum Cinemas {
  static let three = [
    NearbyCinema(
      id: "cinecube", name: "씨네큐브광화문", address: "서울 종로구 새문안로 68",
      position: try! Coordinate(latitude: 37.5694, longitude: 126.9723), metres: 624, website: "https://example.org/a"),
    NearbyCinema(
      id: "emu", name: "에무시네마", address: "서울 종로구 경희궁1가길 7",
      position: try! Coordinate(latitude: 37.5706, longitude: 126.9681), metres: 1_015),
    NearbyCinema(
      id: "momo", name: "아트하우스모모", address: "서울 서대문구 이화여대길 52",
      position: try! Coordinate(latitude: 37.5619, longitude: 126.9469), metres: 2_775),
  ]
}
