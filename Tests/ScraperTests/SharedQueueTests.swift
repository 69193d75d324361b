import Calendars
import Clocks
import Contracts
import Scraper
import Testing

/// Two scrapers with their own clocks and schedules, and one store.
@Suite("Scrapers that share a queue", .timeLimit(.minutes(5)))
@MainActor
struct SharedQueueTests {
  private func scraper(
    _ name: String, on store: ScraperStore, title: String, isOpen: Bool
  ) async throws -> HarvesterBench<GatedPages> {
    try await HarvesterBench(name, on: store, pages: GatedPages(title: title, isOpen: isOpen))
  }

  @Test("one that slept over its lease finds its publication refused, and the other's stands")
  func takenOver() async throws {
    let test = try await TestStore()
    let (site, store) = (test.site, test.store)
    let slow = try await scraper("slow", on: store, title: "Old", isOpen: false)
    let quick = try await scraper("quick", on: store, title: "New", isOpen: true)
    let slowVisit = Task { @MainActor in try await slow.harvester.visitNow(site.id, scope: .window, isTrial: false) }
    await slow.pages.wasAsked()

    // While the lease runs, nobody else visits the site.
    let turnedAway = try await quick.harvester.visitNow(site.id, scope: .window, isTrial: false)
    #expect(turnedAway == nil && quick.pages.asked == 0)

    // The first stands still, its clock too: it does not know that its time is up.
    quick.clock.wall = quick.clock.wall.adding(.seconds(301))
    let taken = try #require(try await quick.harvester.visitNow(site.id, scope: .window, isTrial: false))
    #expect(taken.record.outcome == "published" && taken.record.added == 1)

    slow.pages.open()
    let refused = try #require(try await slowVisit.value)
    #expect(refused.outcome == nil && refused.record.problem?.contains("another has taken it over") == true)
    let stored = try await store.schedule(of: [site.id], from: CivilDate("2026-11-22")!)
    #expect(stored.showtimes[site.id]?.map(\.title) == ["New"])
    #expect(slow.schedule.index.cinemas.values.allSatisfy { $0.days.isEmpty })
    // Nor does it give away the other's lease, or say when the site is due.
    #expect(try await store.nextDue(among: [site.id])! > quick.clock.wall)
  }

  @Test("one that notices that it lost its lease fetches nothing more")
  func noticed() async throws {
    let test = try await TestStore()
    let slow = try await scraper("slow", on: test.store, title: "Old", isOpen: false)
    let quick = try await scraper("quick", on: test.store, title: "New", isOpen: true)
    let id = test.site.id
    let slowVisit = Task { @MainActor in try await slow.harvester.visitNow(id, scope: .window, isTrial: false) }
    await slow.pages.wasAsked()
    for scraper in [slow, quick] { scraper.clock.wall = scraper.clock.wall.adding(.seconds(301)) }
    _ = try await quick.harvester.visitNow(id, scope: .window, isTrial: false)
    slow.pages.open()
    let report = try #require(try await slowVisit.value)
    #expect(report.isAborted && slow.pages.asked == 1)
  }

  @Test("a site that another scraper gives back is visited at once, not when its lease would have run out")
  func givenBack() async throws {
    let test = try await TestStore()
    let owner = try await scraper("owner", on: test.store, title: "One", isOpen: true)
    let (lease, visit) = try #require(try await owner.harvester.handOut(to: "hand", within: .zero))
    owner.harvester.begin()
    // It has found nothing to do, and sleeps.
    while owner.clock.timers == 0, !Task.isCancelled { await Task.yield() }
    #expect(owner.pages.asked == 0)
    var findings = SiteVisit.Findings()
    findings.isAborted = true
    let report = try await owner.harvester.takeIn(
      findings, of: lease, at: visit.at, scope: visit.scope, knownFilms: [])
    #expect(report.isAborted)
    await owner.pages.wasAsked()
    await owner.harvester.end()
  }

  @Test("two that look after the same sites share them, and each is visited once")
  func shared() async throws {
    let test = try await TestStore()
    let others = ["momo", "cinecube", "laika"].map { id -> Site in
      SyntheticPlatform.site(id: id, cinema: id).documented
    }
    try await test.store.replace(.operator, with: [test.site.documented] + others) { _ in WallTime(milliseconds: 0) }
    let first = try await scraper("first", on: test.store, title: "One", isOpen: true)
    let second = try await scraper("second", on: test.store, title: "One", isOpen: true)
    first.harvester.begin()
    second.harvester.begin()
    let ids = [test.site.id] + others.map(\.id)
    var visits: [Int] = []
    repeat {
      await Task.yield()
      visits = []
      for id in ids {
        visits.append(try await test.store.visits(of: id, limit: 10, believedOnly: false).count)
      }
    } while visits.contains(0)
    await first.harvester.end()
    await second.harvester.end()
    #expect(visits == [1, 1, 1, 1])
  }
}
