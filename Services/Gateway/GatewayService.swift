import Clocks
import Contracts
import Crypto
import EventLoops
import HTTP
import Observability
import RPC
import RPCTransport
package import ServiceKit

/// The gateway as a service: where everything is wired.
package enum GatewayService {
  static let port: UInt16 = 7_100

  package static var program: ServiceProgram {
    ServiceProgram(
      "gateway", "the suite's door to browsers and apps: HTTP, events, the page",
      examples: [.init("odi-gateway serve --http-listen 127.0.0.1:8080", "on this machine only")],
      build: .ofSuite(), port: port, settings: GatewaySettings.all, commands: GatewayCommands().all, parts: parts)
  }

  package static let version = "0.1.0"

  static func parts(_ environment: ServiceEnvironment) throws -> [any ServicePart] {
    let configuration = environment.configuration
    let upstreams = Upstreams(
      locator: client(LocatorAPI.self, configuration[GatewaySettings.locator], environment),
      scraper: client(ScraperAPI.self, configuration[GatewaySettings.scraper], environment),
      bookmarks: client(BookmarksAPI.self, configuration[GatewaySettings.bookmarks], environment),
      films: client(FilmsAPI.self, configuration[GatewaySettings.films], environment),
      dining: client(DiningAPI.self, configuration[GatewaySettings.dining], environment),
      timetable: client(TimetableAPI.self, configuration[GatewaySettings.timetable], environment),
      radio: client(RadioAPI.self, configuration[GatewaySettings.radio], environment))
    var options = GatewayFront.Options()
    options.manners = manners(configuration)
    options.cachesAnswers = configuration[GatewaySettings.cache] == .on
    options.securityContact = try securityContact(configuration)
    options.home = configuration[GatewaySettings.home]?.position
    options.web = configuration[GatewaySettings.web]
    options.unready = { [readiness = environment.readiness] in
      readiness.state == .ready ? nil : readiness.state.rawValue
    }
    let front = GatewayFront(
      upstreams, key: tokenKey(environment), options: options, time: environment.time, traces: environment.traces,
      log: environment.log, metrics: environment.metrics)
    environment.onReload(of: settingsOfManners) { [front] in front.desk.manners = manners($0) }
    let router = RPCRouter(service: environment.service)
    GatewayHandlers(front, time: environment.time, log: environment.log).register(on: router)
    return [
      CallServer(router, in: environment),
      HTTPPart(front, on: configuration[GatewaySettings.httpListen], log: environment.log),
      HomePart(front, in: environment),
    ]
  }

  private static func client<Service: RPCService>(
    _ service: Service.Type, _ addresses: [UpstreamAddress], _ environment: ServiceEnvironment
  ) -> ServiceClient<Service> {
    ServiceClient(
      of: service, at: addresses.map(\.target), secret: environment.configuration[StandardSettings.sharedSecret],
      as: "gateway", time: environment.time, log: environment.log, metrics: environment.metrics)
  }

  private static let settingsOfManners: [any AnySetting] = [
    GatewaySettings.patience, GatewaySettings.userRate, GatewaySettings.userBurst, GatewaySettings.addressRate,
    GatewaySettings.addressBurst, GatewaySettings.proxies, GatewaySettings.publicURL,
  ]

  static func manners(_ configuration: Configuration) -> FrontDesk.Manners {
    var manners = FrontDesk.Manners()
    manners.patience = configuration[GatewaySettings.patience]
    manners.perUser = .init(
      perSecond: configuration[GatewaySettings.userRate], burst: configuration[GatewaySettings.userBurst])
    manners.perAddress = .init(
      perSecond: configuration[GatewaySettings.addressRate], burst: configuration[GatewaySettings.addressBurst])
    manners.proxies = Set(configuration[GatewaySettings.proxies])
    manners.publicURL = configuration[GatewaySettings.publicURL]
    return manners
  }

  private static func securityContact(_ configuration: Configuration) throws -> String? {
    guard let text = configuration[GatewaySettings.securityContact] else { return nil }
    guard ["https://", "mailto:", "tel:"].contains(where: text.hasPrefix),
      text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F })
    else {
      throw RPCError(
        .invalidArgument, "security-contact is “\(text)”; give a URL that begins with https:, mailto: or tel:")
    }
    return text
  }

  private static func tokenKey(_ environment: ServiceEnvironment) -> TokenKey {
    if let secret = environment.configuration[GatewaySettings.tokenKey] { return TokenKey(secret) }
    environment.log.warning(
      "no token-key is set; sessions end when this process does",
      ["remedy": "openssl rand -hex 32 > FILE; chmod 600 FILE; serve with --token-key-file FILE"])
    return TokenKey(.random())
  }
}

/// The part of the gateway that answers browsers and apps.
@MainActor
final class HTTPPart: ServicePart {
  nonisolated let name = "http"
  private let front: GatewayFront
  private let wanted: SocketAddress
  private let log: Log
  /// Where it listens, once it does.
  private(set) var address: SocketAddress?

  init(_ front: GatewayFront, on address: SocketAddress, log: Log) {
    self.front = front
    self.log = log
    wanted = address
  }

  func start() async throws {
    address = try front.server.listen(on: wanted)
    front.begin()
    log.info("serving", ["at": .string("http://\(address?.description ?? "")")])
  }

  func drain() async { await front.server.drain() }

  func stop() async { front.end() }
}
