import Clocks
import EventLoops
import GatewayFakes
import RPC
import RPCTransport

/// The services behind a gateway, of an invented world, over real sockets: for trying the gateway and its page before or
/// without the others. Ends by itself.
///
///     gateway-rehearsal [FIRST-PORT] [SECONDS]      the locator at FIRST-PORT (7101), the others as far from it as usual
@main
struct Rehearsal {
  static func main() {
    EventLoop.run {
      let arguments = CommandLine.arguments.dropFirst().compactMap { UInt16($0) }
      let port = arguments.first ?? 7_101
      let world = FakeWorld(time: EventLoop.time)
      // By the distance of a service's usual port from the locator's.
      let routers = [
        0: world.locator.router, 1: world.scraper.router, 2: world.bookmarks.router, 3: world.films.router,
        4: world.dining.router, 5: world.festivals.router, 6: world.radio.router,
      ]
      do {
        var servers: [RPCServer] = []
        for (offset, router) in routers.sorted(by: { $0.key < $1.key }) {
          let server = RPCServer(router, time: EventLoop.time)
          let address = try server.listen(on: .loopback(port: port + UInt16(offset)))
          print("\(router.serviceName) \(address)")
          servers.append(server)
        }
        try await EventLoop.time.sleep(for: .seconds(Int(arguments.dropFirst().first ?? 3_600)))
        for server in servers { await server.drain() }
      } catch {
        print("error: \(error)")
        return 1
      }
      return 0
    }
  }
}
