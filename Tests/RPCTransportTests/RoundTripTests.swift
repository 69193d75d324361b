import Calendars
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

  @Test(
    "a server with a secret asks for it over TCP, and not where the kernel says who asks", arguments: [false, true])
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
    near("cinecube", "씨네큐브광화문", 37.5694, 126.9723, metres: 624),
    near("emu", "에무시네마", 37.5706, 126.9681, metres: 1_015),
    near("momo", "아트하우스모모", 37.5619, 126.9469, metres: 2_775),
  ]

  private static func near(
    _ id: String, _ name: String, _ latitude: Double, _ longitude: Double, metres: Double
  ) -> NearbyCinema {
    NearbyCinema(
      cinema: Cinema(
        id: CinemaID(id)!, name: name, country: "KR", region: "seoul",
        position: try! Coordinate(latitude: latitude, longitude: longitude), zone: ZoneName("Asia/Seoul")!),
      metres: metres)
  }
}
