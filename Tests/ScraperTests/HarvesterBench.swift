import Calendars
import Clocks
import Contracts
import EventLoops
import Observability
import Scraper

/// A harvester with a clock and a schedule of its own, on a store that others may share.
@MainActor
struct HarvesterBench<Pages: PageRetriever> {
  let harvester: Harvester
  let schedule: Schedule
  let clock: HandClock
  let pages: Pages

  init(
    _ name: String, on store: ScraperStore, pages: Pages, at: String = "2026-11-22T12:00:00+09:00", log: Log = .silent
  ) async throws {
    self.pages = pages
    clock = HandClock(Timestamp(at)!.instant)
    let zones = ZoneDirectory()
    schedule = Schedule(StoredSchedule(), log: ScheduleLog([], revision: 0, store: store), zones: zones)
    schedule.serve(try await store.sites()) { try? zones.rules(for: $0.zone) }
    harvester = Harvester(
      schedule, store: store, from: pages, as: name, time: clock, log: log, metrics: ScrapeMetrics(Metrics()),
      random: SeededRandom(seed: 1))
  }
}

/// Pages of one programme, handed out when the test says so.
@MainActor
final class GatedPages: PageRetriever {
  private let show: SyntheticPlatform.Row
  private let bell = Bell()
  private var isOpen: Bool
  private(set) var asked = 0

  init(title: String, isOpen: Bool) {
    show = SyntheticPlatform.Row(title: title, start: "19:30")
    self.isOpen = isOpen
  }

  func open() {
    isOpen = true
    bell.ring()
  }

  func wasAsked() async { while asked == 0, !Task.isCancelled { await bell.wait() } }

  func page(_ request: PageRequest) async throws(RetrievalError) -> RetrievedPage {
    asked += 1
    bell.ring()
    while !isOpen { await bell.wait() }
    var page =
      request.role == "calendar"
      ? SyntheticPlatform.calendar([("2026-11-22", "btnDay")])
      : SyntheticPlatform.day("2026-11-22", [show])
    guard request.role == "calendar" || request.role == "day:2026-11-22" else {
      throw RetrievalError(.status, "the site answers 404")
    }
    page.role = request.role
    return RetrievedPage(page: page, outcome: .new, snapshot: SnapshotID(of: page.body))
  }
}
