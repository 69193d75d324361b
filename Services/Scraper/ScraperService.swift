import Calendars
import Clocks
package import Contracts
import Crypto
import Directories
package import EventLoops
import Fetch
import Observability
import RPC
package import ServiceKit
import ServiceStorage
import Storage

/// The scraper as an executable: its settings, its commands, and how it is put together.
package enum ScraperService {
  nonisolated package static let isDemo = Setting<Bool>.value(
    "demo", "read the invented programmes of the demo world, and no site of the real one", default: false)
  nonisolated package static let demoURL = Setting<String>.value(
    "demo-url", "where the demo world is; the only host that is neither spared nor refused for being this machine",
    default: "http://127.0.0.1:7190")
  nonisolated package static let sites = Setting<String?>.optional(
    "sites", "a folder of site files (.jsonc); by default sites in the data folder")
  nonisolated package static let contact = Setting<String>.value(
    "contact", "where a site's owner reads about this robot and complains: a URL or an address, told to every site",
    default: "")
  nonisolated package static let privateHosts = Setting<[SocketAddress]>.list(
    "private-hosts", "addresses of your own machines that sites may be read from, without a pause: 10.0.0.5:80")
  nonisolated package static let visits = Setting<Int>.value(
    "visits", "sites visited at once; 0 leaves them all to scrapers that work for this one", default: 4, in: 0...64)
  nonisolated package static let queue = Setting<UpstreamAddress?>.optional(
    "queue", "another scraper's address: visit its sites for it, and keep nothing here")
  nonisolated package static let center = Setting<Coordinate>.value(
    "demo-center", "the demo cinemas nearest to it are read first; the middle of Seoul, if not said",
    default: try! Coordinate(latitude: 37.5663, longitude: 126.9779))

  package static var program: ServiceProgram {
    ServiceProgram(
      "scraper", "reads cinemas' programmes and serves the schedule",
      build: .ofSuite(libraries: [Database.library, Fetcher.library]), port: 7_102,
      settings: [isDemo, demoURL, sites, contact, privateHosts, center, visits, queue],
      checks: [
        .certificates, ScraperCommands.cinemasCheck, ScraperCommands.siteFilesCheck, ScraperCommands.sitesCheck,
      ],
      commands: ScraperCommands(time: EventLoop.time).all + [DatabaseCommands(ScraperStore.declaration).command],
      parts: parts)
  }

  private static func parts(_ environment: ServiceEnvironment) throws -> [any ServicePart] {
    // What is parsed in a round is many times what is kept of it.
    Background.shareMemory(in: memoryPools)
    let router = RPCRouter(service: "scraper")
    if let owner = environment.configuration[queue] {
      return [HarvestHand(for: owner, in: environment), CallServer(router, in: environment)]
    }
    let database = ServiceDatabase(ScraperStore.declaration, in: environment)
    let scraping = Scraping(database, in: environment)
    ScraperHandlers(
      schedule: { try scraping.started.schedule }, store: { try scraping.started.store }, time: environment.time
    ).register(on: router)
    AdminHandlers(scraping: scraping, time: environment.time).register(on: router)
    let sharing = SharedQueueHandlers(
      scraping: scraping, time: environment.time,
      knowsCallers: environment.configuration[StandardSettings.sharedSecret] != nil)
    sharing.register(on: router)
    database.answerAdministrators(on: router)
    // Who waits for a site or a host is no load: it must take no room from those who read the schedule.
    let calls = CallServer(router, in: environment, callsAtOnce: sharing.callersMax + readersAtOnce)
    return [database, scraping, calls]
  }

  /// One in which the loop is mostly alone, and one for the threads that parse and write.
  private static let memoryPools: Int32 = 2
  /// As many as a server lets in before it has learnt what calls take.
  private static let readersAtOnce = 64
}
