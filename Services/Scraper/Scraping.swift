import Calendars
import Clocks
import Contracts
import Crypto
import EventLoops
import Fetch
import Observability
import RPC
import ServiceKit
import ServiceStorage

/// The part of the service that works by itself: the sites, the schedule, the visits.
@MainActor
final class Scraping: ServicePart {
  nonisolated let name = "scraping"

  /// What there is once the database is open.
  struct Started {
    let store: ScraperStore
    let schedule: Schedule
    let hosts: HostBook
    let harvester: Harvester
  }

  private enum Limits {
    /// Between two looks for the demo world while it is not there.
    static let demoPause: Duration = .seconds(1)
    /// The demo world may be given new cinemas while it runs.
    static let demoRefresh: Duration = .seconds(300)
    /// In the demo world nobody has to be spared.
    static let demoVisits = 8
    static let pruning: Duration = .seconds(3_600)
  }

  private let database: ServiceDatabase
  private let environment: ServiceEnvironment
  private let settings: Configuration
  private let zones = ZoneDirectory()
  private let metrics: ScrapeMetrics
  private let net: VisitFetcher
  private var running: Started?
  private var chores: [Task<Void, Never>] = []
  private let filesChanged = Bell()
  /// How often that was said.
  private var reloads = 0

  init(_ database: ServiceDatabase, in environment: ServiceEnvironment) {
    self.database = database
    self.environment = environment
    settings = environment.configuration
    metrics = ScrapeMetrics(environment.metrics)
    net = VisitFetcher(in: environment)
  }

  var started: Started {
    get throws {
      guard let running else { throw RPCError(.unavailable, "the scraper has not started yet", executed: .no) }
      return running
    }
  }

  var isDemo: Bool { settings[ScraperService.isDemo] }

  // MARK: Life

  func start() async throws {
    let store = ScraperStore(database: try database.opened)
    try await configure(store)
    let records = try await served(store)
    let stored = try await store.schedule(of: records.map(\.site.id), from: earliestDate)
    let events = try await store.latestEvents(limit: ScheduleLog.Limits.events)
    let schedule = Schedule(
      stored, log: ScheduleLog(events, revision: stored.revision, store: store), zones: zones)
    serve(records, schedule)
    schedule.load(stored)
    let hosts = HostBook(
      { [net] in net.fetcher }, store: store, budget: budget, time: environment.time, metrics: metrics)
    try await hosts.restore()
    let retriever = Retriever(
      { [net] in net.fetcher }, hosts: hosts, store: store, limits: retrieval, time: environment.time,
      random: SecureRandom())
    var limits = Harvester.Limits()
    limits.visits = settings[ScraperService.visits]
    if isDemo, limits.visits > 0 { limits.visits = max(limits.visits, Limits.demoVisits) }
    let holder = "scraper"
    try await store.dropLeases(of: holder)
    let harvester = Harvester(
      schedule, store: store, from: retriever, as: holder, limits: limits, time: environment.time, log: environment.log,
      metrics: metrics, random: SecureRandom())
    running = Started(store: store, schedule: schedule, hosts: hosts, harvester: harvester)
    harvester.begin()
    chores = [Task { await keepInOrder() }, Task { await followFiles() }]
    environment.onReload { [weak self] _ in
      guard let self else { return }
      reloads += 1
      filesChanged.ring()
      // They are taken up meanwhile; whoever asked hears of those that are not.
      let problems = siteFolder.problems
      guard problems.isEmpty else { throw ReloadError(problems) }
    }
    if isDemo { chores.append(Task { await followDemoWorld() }) }
  }

  func drain() async { running?.schedule.log.end() }

  func stop() async {
    for chore in chores { chore.cancel() }
    await running?.harvester.end()
    net.close()
    running = nil
  }

  private var earliestDate: CivilDate {
    ServiceDay.standard.date(of: environment.time.wall, in: .utc) - (Schedule.Limits.pastDays + 1)
  }

  /// Once an hour what nobody asks for any more is forgotten.
  private func keepInOrder() async {
    while (try? await environment.time.sleep(for: Limits.pruning)) != nil {
      guard let store = running?.store else { return }
      let now = environment.time.wall
      do {
        try await store.prune(now: now, today: ServiceDay.standard.date(of: now, in: .utc))
      } catch {
        environment.log.warning("old rows could not be removed", ["error": "\(error)"])
      }
    }
  }

  // MARK: Sites

  /// Reads the folder of site files again when an operator says that they have changed.
  private func followFiles() async {
    var seen = 0
    while !Task.isCancelled {
      guard seen < reloads, let store = running?.store else {
        await filesChanged.wait()
        continue
      }
      seen = reloads
      do {
        try await configure(store)
        try await takeUpSites()
        environment.log.info("site files read again", ["sites": .int(running?.schedule.records.count ?? 0)])
      } catch {
        environment.log.error("the site files could not be taken up", ["error": "\(error)"])
      }
    }
  }

  /// What lies in the folder now.
  private var siteFolder: SiteFolder {
    let named = settings[ScraperService.sites]
    return SiteFolder(named ?? environment.data.file("sites"), isNamed: named != nil)
  }

  /// Brings what is configured into the database.
  func configure(_ store: ScraperStore) async throws {
    let now = environment.time.wall
    let folder = siteFolder
    for problem in folder.problems { environment.log.error("a site file is wrong", ["problem": .string(problem)]) }
    try await store.replace(.file, with: folder.sites, isWhole: folder.problems.isEmpty) { now.adding(.seconds($0)) }
    // After the files: a site in whose place one stood is there again, and as this build knows it.
    try await restoreShipped(store)
    // What was invented must not be taken for true once the demo is over.
    if !isDemo { try await store.replace(.demo, with: []) { _ in now } }
    for problem in try await store.unreadableSites() {
      environment.log.error("a stored site is wrong, and is not visited", ["problem": .string(problem)])
    }
  }

  /// The sites that come with the program, where no others stand in their place.
  func restoreShipped(_ store: ScraperStore) async throws {
    let now = environment.time.wall
    try await store.replace(.shipped, with: try ShippedSites.all()) { now.adding(.seconds(10 * $0)) }
  }

  /// In the demo only the demo's sites are served, and elsewhere only the others.
  private func served(_ store: ScraperStore) async throws -> [ScraperStore.SiteRecord] {
    try await store.sites().filter { ($0.origin == .demo) == isDemo }
  }

  private func serve(_ records: [ScraperStore.SiteRecord], _ schedule: Schedule) {
    schedule.serve(records) { site in
      do throws(ZoneError) { return try zones.rules(for: site.zone) } catch {
        environment.log.error("a site's zone is not known", ["site": .string(site.id), "error": "\(error)"])
        return nil
      }
    }
  }

  /// The sites in the database are other ones than before.
  func takeUpSites() async throws {
    let running = try started
    var (records, stored) = ([ScraperStore.SiteRecord](), StoredSchedule())
    repeat {
      records = try await served(running.store)
      stored = try await running.store.schedule(of: records.map(\.site.id), from: earliestDate)
      // What was published meanwhile was another site's perhaps, and is in neither.
    } while stored.revision < running.schedule.index.revision
    let before = running.schedule.served
    serve(records, running.schedule)
    running.schedule.load(stored)
    try await tell(since: before)
    running.harvester.look()
  }

  /// Tells watchers which sources are other ones than before, or in another state.
  func tell(since before: [ScheduleSource]) async throws {
    let running = try started
    let known = Dictionary(uniqueKeysWithValues: before.map { ($0.id, $0) })
    let gone = before.filter { running.schedule.records[$0.id] == nil }.map { source in
      var source = source
      (source.state, source.next, source.showtimes) = (.disabled, nil, nil)
      return source
    }
    let news = running.schedule.served.filter { source in known[source.id]?.differs(from: source) ?? true }
    let sites = news.compactMap { running.schedule.records[$0.id]?.site }
    running.schedule.tell(try await running.store.tell(sites, gone: gone, at: environment.time.wall))
  }

  var load: (running: Int, waiting: Int) { net.load }

  // MARK: The demo world

  /// Waits for the demo world, takes its directory, and looks again now and then.
  private func followDemoWorld() async {
    var known: [Site] = []
    while !Task.isCancelled {
      var pause = Limits.demoPause
      do {
        let sites = try await demoSites()
        if sites != known, let running {
          let now = environment.time.wall
          try await running.store.replace(.demo, with: sites) { now.adding(.milliseconds($0)) }
          try await takeUpSites()
          environment.log.info("demo world found", ["cinemas": .int(sites.count)])
          known = sites
        }
        pause = Limits.demoRefresh
      } catch {
        environment.log.debug("no demo world yet", ["error": "\(error)"])
      }
      guard (try? await environment.time.sleep(for: pause)) != nil else { return }
    }
  }

  private func demoSites() async throws -> [Site] {
    let base = settings[ScraperService.demoURL]
    let url = try FetchURL(parsing: base.hasSuffix("/") ? "\(base)directory.json" : "\(base)/directory.json")
    try await net.reach(demoWorld: url)
    let response = try await net.fetcher.fetch(FetchRequest(url))
    guard response.isSuccess else { throw ReadingError("the demo world answers \(response.status)", role: "directory") }
    let directory = try DemoDirectory(response.body, near: settings[ScraperService.center])
    for problem in directory.problems {
      environment.log.warning("a demo cinema is left out", ["problem": .string(problem)])
    }
    return directory.sites
  }

  // MARK: Fetching

  private var budget: HostBudget {
    // The demo world, and machines of the operator's own.
    let own =
      (isDemo ? [settings[ScraperService.demoURL]] : []) + settings[ScraperService.privateHosts].map { "http://\($0)" }
    let keys = own.compactMap { try? FetchURL(parsing: $0) }.flatMap { HostBudget.keys($0, address: nil) }
    return HostBudget(exempt: Set(keys))
  }

  private var retrieval: Retriever.Limits {
    var limits = Retriever.Limits()
    if isDemo { limits.backoff = Backoff(first: .milliseconds(250), cap: .seconds(1)) }
    return limits
  }
}

extension ScheduleSource {
  /// Whether those who watch should hear of it: not when only its next visit is at another time.
  fileprivate func differs(from other: ScheduleSource) -> Bool {
    var other = other
    (other.next, other.showtimes) = (next, showtimes)
    return self != other
  }
}
