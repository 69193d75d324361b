package import EventLoops
import Observability
import RPC
package import ServiceKit

/// The demo world as a service.
package enum DemoService {
  nonisolated package static let sitesListen = Setting<SocketAddress>.value(
    "sites-listen", "where the demo's sites are served", default: .loopback(port: 7_190))
  nonisolated package static let seed = Setting<Int>.value(
    "seed", "which world: another number is another programme", default: 1, in: 0...Int.max)

  package static var program: ServiceProgram {
    ServiceProgram(
      "demo", "a world of invented cinema programmes to try Odi with",
      discussion: """
        Serves the sites of the known cinemas in the formats that real ones use, with a programme that is made up from \
        the date. Every page says that it is a demo. The sites misbehave on command.
        """,
      examples: [
        .init("odi-demo serve", "sites at http://127.0.0.1:7190"),
        .init("odi-demo change cinecube --cancel", "the next show at Cinecube is cancelled"),
        .init("odi-demo misbehave rio redesign --for 10m", "the Rio's page looks different for ten minutes"),
      ],
      build: .ofSuite(), port: 7_191, settings: [sitesListen, seed],
      commands: DemoCommands().all
    ) { environment in
      let world = try DemoWorld(
        time: environment.time, seed: UInt64(environment.configuration[seed]))
      let router = RPCRouter(service: DemoAPI.name)
      DemoAdmin(world: world).register(on: router)
      return [
        DemoSites(world, on: environment.configuration[sitesListen], in: environment),
        CallServer(router, in: environment),
      ]
    }
  }
}

/// The part of the service that serves the sites.
@MainActor
private final class DemoSites: ServicePart {
  nonisolated let name = "sites"
  private let server: DemoServer
  private let wanted: SocketAddress
  private let log: Log

  init(_ world: DemoWorld, on address: SocketAddress, in environment: ServiceEnvironment) {
    server = DemoServer(world, time: environment.time, log: environment.log)
    wanted = address
    log = environment.log
  }

  func start() async throws {
    let address = try server.listen(on: wanted)
    log.info("sites", ["at": .string(address.description), "cinemas": .int(server.world.cinemas.count)])
  }

  func drain() async { await server.drain() }
}
