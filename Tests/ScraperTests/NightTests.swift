import Calendars
import Clocks
import Contracts
import Scraper
import Testing

/// Sites that were due long ago, and a scraper that comes to them while people sleep there.
@Suite("Sites at night", .timeLimit(.minutes(5)))
@MainActor
struct NightTests {
  private func at(_ text: String) -> WallTime { Timestamp(text)!.instant }

  private func bench(_ test: TestStore, at: String) async throws -> HarvesterBench<GatedPages> {
    try await HarvesterBench("night", on: test.store, pages: GatedPages(title: "Late", isOpen: true), at: at)
  }

  private func isMorning(_ due: WallTime?) -> Bool {
    guard let due else { return false }
    return at("2026-11-23T08:00:00+09:00") <= due && due <= at("2026-11-23T08:30:00+09:00")
  }

  @Test("one that is overdue is put off to the morning without a visit, and read then")
  func overdue() async throws {
    let test = try await TestStore()
    for evening in ["2026-11-22T22:05:00+09:00", "2026-11-23T02:00:00+09:00"] {
      try await test.store.replace(.operator, with: []) { _ in WallTime(milliseconds: 0) }
      try await test.store.replace(.operator, with: [test.site.documented]) { _ in WallTime(milliseconds: 0) }
      let bench = try await bench(test, at: evening)
      bench.harvester.begin()
      while bench.told! <= bench.clock.wall, bench.pages.asked == 0 { await Task.yield() }
      #expect(isMorning(bench.told) && bench.pages.asked == 0)
      #expect(try await test.store.nextDue(among: [test.site.id]) == bench.told, "what operators see is what is stored")

      bench.clock.wall = at("2026-11-23T08:31:00+09:00")
      bench.harvester.look()
      await bench.pages.wasAsked()
      await bench.harvester.end()
    }
  }

  @Test("other scrapers are not handed one either")
  func handOut() async throws {
    let test = try await TestStore()
    let bench = try await bench(test, at: "2026-11-23T02:00:00+09:00")
    #expect(try await bench.harvester.handOut(to: "another", within: .zero) == nil)
    #expect(isMorning(try await test.store.nextDue(among: [test.site.id])))
    bench.clock.wall = at("2026-11-23T09:00:00+09:00")
    #expect(try await bench.harvester.handOut(to: "another", within: .zero) != nil)
  }

  @Test("an operator who asks for a visit gets it")
  func asked() async throws {
    let test = try await TestStore()
    let bench = try await bench(test, at: "2026-11-23T02:00:00+09:00")
    let report = try await bench.harvester.visitNow(test.site.id, scope: .window, isTrial: false)
    #expect(report?.record.outcome != nil && bench.pages.asked > 0)
  }
}

extension HarvesterBench {
  /// When its only site is due, as operators are told.
  fileprivate var told: WallTime? { schedule.sources(of: nil, now: clock.wall).first?.next }
}
