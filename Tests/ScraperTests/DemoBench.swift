import Calendars
import Clocks
import Contracts
import Demo
import EventLoops
import Fetch
import Observability
import Scraper
import ServiceTestKit
import Storage

/// The demo world on a clock that is moved by hand, and a scraper of some of its cinemas over real sockets.
@MainActor
final class DemoBench {
  let clock: HandClock
  let world: DemoWorld
  let store: ScraperStore
  let schedule: Schedule
  let harvester: Harvester
  /// Gives sites that are slow up within the time of a test. It may give any site up, on a machine that is busy.
  private let hasty: Harvester
  private let server: DemoServer
  private let fetcher: Fetcher
  private let folder: TemporaryFolder

  init(_ cinemas: [String], at: String = "2026-11-22T12:00:00+09:00") async throws {
    let clock = HandClock(Timestamp(at)!.instant)
    self.clock = clock
    world = try DemoWorld(time: clock)
    server = DemoServer(world, time: EventLoop.time)
    let address = try server.listen(on: .loopback())
    let fetcher = Fetcher(addressGuard: AddressGuard(exceptions: [address]))
    self.fetcher = fetcher
    folder = try TemporaryFolder()
    var options = DatabaseOptions(applicationID: "ODsc")
    options.durability = .off
    store = ScraperStore(
      database: try await Database.open(
        "\(folder.path)/scraper.sqlite", migrations: ScraperMigrations.all, options: options))
    let directory = try DemoDirectory(
      try await fetcher.fetch(FetchRequest("http://\(address)/directory.json")).body,
      near: Coordinate(latitude: 37.5663, longitude: 126.9779))
    let sites = directory.sites.filter { cinemas.contains($0.cinema.text) }
    try await store.replace(.demo, with: sites) { _ in WallTime(milliseconds: 0) }
    let zones = ZoneDirectory()
    schedule = Schedule(
      StoredSchedule(), log: ScheduleLog([], revision: 0, store: store), zones: zones)
    schedule.serve(try await store.sites()) { try? zones.rules(for: $0.zone) }
    let metrics = ScrapeMetrics(Metrics())
    let url = try FetchURL(parsing: "http://\(address)")
    let hosts = HostBook(
      { fetcher }, store: store, budget: HostBudget(exempt: Set(HostBudget.keys(url, address: nil))),
      time: clock, metrics: metrics)
    let (schedule, store) = (schedule, store)
    func making(_ limits: Retriever.Limits, seed: UInt64) -> Harvester {
      let retriever = Retriever(
        { fetcher }, hosts: hosts, store: store, limits: limits, time: clock, random: SeededRandom(seed: seed))
      return Harvester(
        schedule, store: store, from: retriever, as: "test", time: clock, log: .silent, metrics: metrics,
        random: SeededRandom(seed: seed + 1))
    }
    var limits = Retriever.Limits()
    limits.attempts = 1
    harvester = making(limits, seed: 1)
    limits.fetch.total = .seconds(3)
    limits.fetch.slowness = .seconds(1)
    limits.fetch.bytesPerSecondMin = 100_000
    hasty = making(limits, seed: 3)
  }

  func visit(
    _ cinema: String, scope: Visit.Scope = .window, isHasty: Bool = false
  ) async throws -> Harvester.Report {
    guard let report = try await (isHasty ? hasty : harvester).visitNow("demo-\(cinema)", scope: scope, isTrial: false)
    else {
      throw ReadingError("\(cinema) is being visited")
    }
    return report
  }

  func source(_ cinema: String) -> ScheduleSource? { schedule.source(of: CinemaID(cinema)!, now: clock.wall) }

  func showtimes(_ cinema: String) -> [Showtime] {
    schedule.index.cinemas[CinemaID(cinema)!]?.days.values.flatMap(\.showtimes).sorted(by: Showtime.precedes) ?? []
  }

  /// The days of which something is said, if only that nothing plays.
  func dates(_ cinema: String) -> [CivilDate] {
    schedule.index.cinemas[CinemaID(cinema)!]?.days.keys.sorted() ?? []
  }

  func close() async {
    fetcher.close()
    await server.drain()
    await store.database.close()
  }
}

/// The loop's time with a calendar that a test sets.
final class HandClock: TimeSource {
  var wall: WallTime
  /// Timers that were set.
  private(set) var timers = 0

  init(_ wall: WallTime) { self.wall = wall }

  var now: Instant { EventLoop.time.now }

  func after(_ delay: Duration, _ body: @escaping @MainActor () -> Void) -> any Scheduled {
    timers += 1
    return EventLoop.time.after(delay, body)
  }
}
