import Calendars
import Clocks
import Contracts
import Dispatch
import Observability
import Scraper
import Storage
import Testing

/// What an operator says while a site is being visited, and after a visit that failed.
@Suite("Operators and visits", .timeLimit(.minutes(5)))
@MainActor
struct OperatorTests {
  private func status(_ test: TestStore) async throws -> SiteStatus {
    try #require(try await test.store.sites().first { $0.site.id == test.site.id }).status
  }

  /// Judges the site while its page is awaited, which then does not come.
  private func judged(isApproved: Bool, isQuarantined: Bool) async throws -> SiteStatus {
    let test = try await TestStore()
    let bench = try await HarvesterBench("owner", on: test.store, pages: HeldPages())
    let visit = Task { @MainActor in
      try await bench.harvester.visitNow(test.site.id, scope: .window, isTrial: false)
    }
    await bench.pages.wereAsked(1)
    _ = try await test.store.judge(
      test.site.id, isApproved: isApproved, isQuarantined: isQuarantined, dueAt: WallTime(milliseconds: 0))
    bench.pages.open()
    _ = try await visit.value
    return try await status(test)
  }

  @Test("what is said during a visit that fails holds after it")
  func during() async throws {
    let held = try await judged(isApproved: false, isQuarantined: true)
    #expect(held.isQuarantined && held.state == .quarantined && held.failures == 1)
    #expect(held.problem == "an operator holds it back")
    let approved = try await judged(isApproved: true, isQuarantined: false)
    #expect(approved.isApproved && approved.state == .pending && approved.problem?.contains("404") == true)
  }

  @Test("who wants a site visited that is being visited waits for that, and visits it again")
  func waiting() async throws {
    let test = try await TestStore()
    let bench = try await HarvesterBench("owner", on: test.store, pages: HeldPages())
    let harvester = bench.harvester
    let first = Task { @MainActor in try await harvester.visitNow(test.site.id, scope: .window, isTrial: false) }
    await bench.pages.wereAsked(1)
    let second = Task { @MainActor in
      try await harvester.visitNow(test.site.id, scope: .window, isTrial: false, patience: .seconds(60))
    }
    // One renews the first's lease, the other bounds the second's patience.
    while bench.clock.timers < 2, !Task.isCancelled { await Task.yield() }
    #expect(bench.pages.asked == 1)
    bench.pages.open()
    let reports = [try await first.value, try await second.value]
    #expect(reports.allSatisfy { $0 != nil } && bench.pages.asked == 2)

    let held = try await test.store.lease(
      among: [test.site.id], to: "another", at: bench.clock.wall, for: .seconds(300), ignoringDue: true)
    #expect(held != nil)
    let third = try await harvester.replay(test.site.id, isTrial: false, patience: .milliseconds(1))
    #expect(third == nil)
  }

  @Test("a queue that is asked for work at the very end is no error")
  func ending() async throws {
    let test = try await TestStore()
    let sink = RecordingSink()
    let log = Log(to: sink, as: .json, level: .debug, clock: { 0 })
    let bench = try await HarvesterBench("owner", on: test.store, pages: HeldPages(), log: log)
    // While another writes, the harvester's question waits.
    let gate = DispatchSemaphore(value: 0)
    let before = Task { try await test.store.database.write { _ in gate.wait() } }
    await Task.yield()
    bench.harvester.begin()
    await Task.yield()
    await bench.harvester.end()
    gate.signal()
    try await before.value
    #expect(sink.lines == [])
  }

  /// Keeps its pages as a visit does; the calendar may not come.
  private final class KeptPages: PageRetriever {
    let store: ScraperStore
    var fails = false
    var days = ["2026-11-22"]
    var rows: [SyntheticPlatform.Row] = [.init(title: "괴물", start: "19:30")]

    init(_ store: ScraperStore) { self.store = store }

    func page(_ request: PageRequest) async throws(RetrievalError) -> RetrievedPage {
      guard !fails, request.role == "calendar" || request.role == "day:2026-11-22" else {
        throw RetrievalError(.status, "the site answers 404")
      }
      let page =
        request.role == "calendar"
        ? SyntheticPlatform.calendar(days.map { ($0, "btnDay") }) : SyntheticPlatform.day("2026-11-22", rows)
      do {
        let kept = try await store.keep(page, at: request.url, validators: nil)
        return RetrievedPage(page: page, outcome: .new, snapshot: kept.snapshot)
      } catch { throw RetrievalError(.failed, "\(error)") }
    }
  }

  @Test("pages that are read again are those of the last visit that has what it needs; without one it is said")
  func replay() async throws {
    let test = try await TestStore()
    let pages = KeptPages(test.store)
    let bench = try await HarvesterBench("owner", on: test.store, pages: pages)
    pages.fails = true
    _ = try await bench.harvester.visitNow(test.site.id, scope: .window, isTrial: false)
    await #expect(throws: ReadingError.self) { try await bench.harvester.replay(test.site.id, isTrial: false) }
    #expect(try await status(test).state == .pending)

    pages.fails = false
    _ = try await bench.harvester.visitNow(test.site.id, scope: .window, isTrial: false)
    pages.fails = true
    bench.clock.wall = bench.clock.wall.adding(.seconds(60))
    _ = try await bench.harvester.visitNow(test.site.id, scope: .window, isTrial: false)
    let report = try #require(try await bench.harvester.replay(test.site.id, isTrial: false))
    #expect(report.record.showtimes == 1 && report.record.outcome == "same", "\(report.record)")

    try await test.store.database.write { db in try db.execute("DELETE FROM snapshot") }
    await #expect(throws: ReadingError.self) { try await bench.harvester.replay(test.site.id, isTrial: false) }
  }

  @Test("pages that a visit could not believe take nothing away when they are read again, until an operator approves")
  func disbelievedAgain() async throws {
    let test = try await TestStore()
    let pages = KeptPages(test.store)
    let bench = try await HarvesterBench("owner", on: test.store, pages: pages)
    let published = try await bench.harvester.visitNow(test.site.id, scope: .window, isTrial: false)
    #expect(published?.record.added == 1)
    pages.rows = []
    bench.clock.wall = bench.clock.wall.adding(.seconds(60))
    let visit = try await bench.harvester.visitNow(test.site.id, scope: .window, isTrial: false)
    #expect(visit?.record.outcome == "broken")
    let before = try await status(test)

    for isTrial in [true, false] {
      let again = try #require(try await bench.harvester.replay(test.site.id, isTrial: isTrial))
      #expect(again.record.outcome == "broken" && again.record.removed == 0, "\(again.record)")
      #expect(again.record.problem == visit?.record.problem)
    }
    #expect(try await status(test) == before)
    let stored = try await test.store.schedule(of: [test.site.id], from: CivilDate("2026-11-01")!)
    #expect(stored.showtimes[test.site.id]?.map(\.state) == [.scheduled])

    _ = try await test.store.judge(test.site.id, isApproved: true, isQuarantined: false, dueAt: before.dueAt)
    let approved = try await bench.harvester.replay(test.site.id, isTrial: false)
    #expect(approved?.record.removed == 1)
  }

  @Test("what a visit could not fetch is still missing when the rest is read again")
  func partialAgain() async throws {
    let test = try await TestStore()
    let pages = KeptPages(test.store)
    let bench = try await HarvesterBench("owner", on: test.store, pages: pages)
    // The second day's page does not come.
    pages.days = ["2026-11-22", "2026-11-23"]
    let visit = try await bench.harvester.visitNow(test.site.id, scope: .window, isTrial: false)
    try #require(visit?.record.outcome == "partial", "\(String(describing: visit?.record))")
    let before = try await status(test)
    let again = try await bench.harvester.replay(test.site.id, isTrial: false)
    #expect(again?.record.outcome == "partial")
    #expect(try await status(test).problem == before.problem && before.problem != nil)
  }

  @Test("a site that cannot be reached is not well because its stored pages were read again")
  func staleAgain() async throws {
    let test = try await TestStore()
    let pages = KeptPages(test.store)
    let bench = try await HarvesterBench("owner", on: test.store, pages: pages)
    _ = try await bench.harvester.visitNow(test.site.id, scope: .window, isTrial: false)
    pages.fails = true
    bench.clock.wall = bench.clock.wall.adding(.seconds(60))
    _ = try await bench.harvester.visitNow(test.site.id, scope: .window, isTrial: false)
    let before = try await status(test)
    #expect(before.state == .stale && before.failures == 1)
    let report = try await bench.harvester.replay(test.site.id, isTrial: false)
    #expect(report?.record.outcome == "same")
    let after = try await status(test)
    #expect(after.state == .stale && after.problem == before.problem && after.failures == 1)
    #expect(after.triedAt == before.triedAt && after.asOf == before.asOf)
  }

  @Test("older pages do not undo a newer programme whose own pages are gone")
  func olderPages() async throws {
    let test = try await TestStore()
    let pages = KeptPages(test.store)
    let bench = try await HarvesterBench("owner", on: test.store, pages: pages)
    _ = try await bench.harvester.visitNow(test.site.id, scope: .window, isTrial: false)
    pages.rows.append(.init(title: "밤", start: "21:00", code: "000124", sequence: "2"))
    bench.clock.wall = bench.clock.wall.adding(.seconds(60))
    let last = try await bench.harvester.visitNow(test.site.id, scope: .window, isTrial: false)
    #expect(last?.record.added == 1)
    try await test.store.database.write { db in
      try db.execute(
        """
        DELETE FROM snapshot WHERE hash IN (SELECT snapshot FROM visit_page WHERE visit = 2)
          AND hash NOT IN (SELECT snapshot FROM visit_page WHERE visit = 1 AND snapshot IS NOT NULL)
        """)
    }
    await #expect(throws: ReadingError.self) { try await bench.harvester.replay(test.site.id, isTrial: false) }
    let stored = try await test.store.schedule(of: [test.site.id], from: CivilDate("2026-11-01")!)
    #expect(stored.showtimes[test.site.id]?.count == 2)
  }

  @Test("a cinema that is another site's from now on has none of the old one's days")
  func takenOver() async throws {
    let test = try await TestStore()
    let bench = try await HarvesterBench("owner", on: test.store, pages: KeptPages(test.store))
    _ = try await bench.harvester.visitNow(test.site.id, scope: .window, isTrial: false)
    let cinema = test.site.cinema
    #expect(bench.schedule.index.cinemas[cinema]?.days.isEmpty == false)
    let other = SyntheticPlatform.site(id: "other", cinema: cinema.text).documented
    #expect(try await test.store.put(other, dueAt: WallTime(milliseconds: 0)))
    _ = try await test.store.setEnabled(test.site.id, false, dueAt: WallTime(milliseconds: 0))
    let zones = ZoneDirectory()
    bench.schedule.serve(try await test.store.sites()) { try? zones.rules(for: $0.zone) }
    #expect(bench.schedule.index.cinemas[cinema]?.days.isEmpty == true)
  }

  @Test("what a visit found while the sites were read anew is neither made older by them nor told in the wrong order")
  func readAnew() async throws {
    let test = try await TestStore()
    let bench = try await HarvesterBench("owner", on: test.store, pages: KeptPages(test.store))
    let before = try await test.store.sites()
    _ = try await bench.harvester.visitNow(test.site.id, scope: .window, isTrial: false)
    let zones = ZoneDirectory()
    bench.schedule.serve(before) { try? zones.rules(for: $0.zone) }
    let served = try #require(bench.schedule.served.first)
    #expect(served.state == .ok && served.asOf == bench.clock.wall)
    let told = try await test.store.tell(before.map(\.site), at: bench.clock.wall).compactMap(\.source)
    #expect(told.map(\.state) == [.ok] && told.map(\.asOf) == [bench.clock.wall])
  }

  @Test("a film is not merged with itself, nor with what is it already")
  func mergeItself() async throws {
    let test = try await TestStore()
    let rows: [SyntheticPlatform.Row] = [
      .init(title: "괴물", start: "19:30"), .init(title: "밤", start: "21:00", code: "000124", sequence: "2"),
    ]
    let published = try await test.publish("2026-11-22T12:00:00+09:00", [("2026-11-22", rows)])
    let (one, two) = (published.films[0].id, published.films[1].id)
    let now = Timestamp("2026-11-22T13:00:00+09:00")!.instant
    let revision = try await test.store.database.verifiedCounts["revision"]
    await #expect(throws: OneFilm.self) { try await test.store.merge(one, one, at: now) }
    #expect(try await test.store.database.verifiedCounts["revision"] == revision)
    #expect(try await test.store.merge(one, two, at: now) != nil)
    await #expect(throws: OneFilm.self) { try await test.store.merge(one, two, at: now) }
  }

  @Test("a report's key stands for that report: the same again is a replay, another is refused; its writer is not kept")
  func reports() async throws {
    let test = try await TestStore()
    let now = Timestamp("2026-11-22T13:00:00+09:00")!.instant
    let user = try #require(UserID("user_1"))
    let report = ReportProblem(kind: .known[0], cinema: CinemaID("emu")!, comment: "wrong", user: user)
    let first = try await test.store.keep(report, key: "k", at: now)
    let again = try await test.store.keep(report, key: "k", at: now)
    #expect(!first.isReplay && again.isReplay && first.id == again.id)
    var other = report
    other.comment = "something else"
    await #expect(throws: KeyReused.self) { try await test.store.keep(other, key: "k", at: now) }
    let columns = try await test.store.database.read { db in
      try db.rows("SELECT name FROM pragma_table_info('report')") { row in try row.read(0, as: String.self) }
    }
    #expect(!columns.contains("user"))
  }

  @Test("visits, pages, snapshots and reports are kept up to their bounds, with the last good and broken visits")
  func pruned() async throws {
    let test = try await TestStore()
    let store = test.store
    let then = Timestamp("2026-06-01T12:00:00+09:00")!.instant
    func visit(_ number: Int, _ outcome: String) async throws {
      let page = SyntheticPlatform.page("calendar", "text/html", "page \(number)")
      var aged = page
      aged.fetchedAt = then
      let kept = try await store.keep(aged, at: "https://platform.example/\(number)", validators: nil)
      var record = VisitRecord(site: test.site.id, scope: .window, began: then.adding(.seconds(number)))
      record.outcome = outcome
      record.pages = [
        VisitRecord.PageRecord(
          role: "calendar", url: page.url, fetchedAt: then, outcome: .new, snapshot: kept.snapshot)
      ]
      try await store.database.write { [record] db in try db.record(record) }
    }
    try await visit(0, "published")
    for number in 1...3 { try await visit(number, "broken") }
    for number in 4...(ScraperStore.Limits.visitsKept + 10) { try await visit(number, "failed") }
    let now = Timestamp("2026-11-22T12:00:00+09:00")!.instant
    try await store.prune(now: now, today: CivilDate("2026-11-22")!)
    let outcomes = try await store.database.read { db in
      try db.rows("SELECT outcome FROM visit ORDER BY id") { row in try row.read(0, as: String.self) }
    }
    #expect(outcomes.count == ScraperStore.Limits.visitsKept + 4, "the newest, the last good one, and broken ones")
    #expect(outcomes.prefix(5) == ["published", "broken", "broken", "broken", "failed"])
    let (pages, snapshots) = try await store.database.read { db in
      (
        try db.value("SELECT count(*) FROM page", as: Int.self),
        try db.value("SELECT count(*) FROM snapshot", as: Int.self)
      )
    }
    #expect(pages == 0 && snapshots == outcomes.count)
  }
}
