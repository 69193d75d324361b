import Clocks
import EventLoops
import GatewayFakes
import RPC
import RPCTransport

/// The services behind a gateway, of an invented world, over real sockets: for trying the gateway and its page before or
/// without the others. Ends by itself.
///
///     gateway-rehearsal [FIRST-PORT] [SECONDS]      locator, scraper and bookmarks at FIRST-PORT (7101) and the next two
@main
struct Rehearsal {
  static func main() {
    EventLoop.run {
      let arguments = CommandLine.arguments.dropFirst().compactMap { UInt16($0) }
      let port = arguments.first ?? 7_101
      let world = FakeWorld(time: EventLoop.time)
      let routers = [world.locator.router, world.scraper.router, world.bookmarks.router]
      do {
        var servers: [RPCServer] = []
        for (offset, router) in routers.enumerated() {
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
