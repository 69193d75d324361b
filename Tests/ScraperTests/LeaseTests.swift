import Clocks
import Contracts
import Scraper
import Testing

@Suite("Leases")
@MainActor
struct LeaseTests {
  private func time(_ seconds: Int64) -> WallTime { WallTime(milliseconds: 1_795_318_000_000 + seconds * 1_000) }

  @Test("a site is visited by one scraper at a time, and by another once the lease has run out")
  func exclusive() async throws {
    let test = try await TestStore()
    let first = try await test.store.lease(among: [test.site.id], to: "a", at: time(0), for: .seconds(60))
    #expect(first?.fence == 1)
    #expect(try await test.store.lease(among: [test.site.id], to: "b", at: time(30), for: .seconds(60)) == nil)
    let second = try await test.store.lease(among: [test.site.id], to: "b", at: time(60), for: .seconds(60))
    #expect(second?.fence == 2)
    #expect(try await test.store.renew(first!, at: time(61), for: .seconds(60)) == false)
    #expect(try await test.store.renew(second!, at: time(61), for: .seconds(60)))
  }

  @Test("who held a lease and slept cannot publish what another has taken over")
  func fencing() async throws {
    let test = try await TestStore()
    let visit = SyntheticPlatform.visit("2026-11-22T12:00:00+09:00", site: test.site)
    let pages = [
      SyntheticPlatform.calendar([("2026-11-22", "btnDay")]),
      SyntheticPlatform.day("2026-11-22", [.init(title: "괴물", start: "19:30")]),
    ]
    let reading = try DtryxAdapter().read(pages, in: visit)
    let first = try await test.store.lease(
      among: [test.site.id], to: "a", at: visit.at.adding(.seconds(-100)), for: .seconds(60))
    let second = try await test.store.lease(
      among: [test.site.id], to: "b", at: visit.at.adding(.seconds(-10)), for: .seconds(60))
    let (paused, awake) = (try #require(first), try #require(second))
    await #expect(throws: LeaseLost.self) {
      try await test.store.publish(Publication(visit, reading, lease: paused), at: visit.at)
    }
    let stored = try await test.store.schedule(of: [test.site.id], from: visit.today)
    #expect(stored.days.isEmpty)
    let outcome = try await test.store.publish(Publication(visit, reading, lease: awake), at: visit.at)
    #expect(outcome.added == 1)
    // What it comes back with later does not disturb the other either.
    try await test.store.release(paused, dueAt: time(999_999))
    #expect(try await test.store.renew(awake, at: visit.at, for: .seconds(60)))
  }

  @Test("a lease that ran out while the pages were read is not good for telling of them, even if nobody has taken over")
  func expired() async throws {
    let test = try await TestStore()
    let visit = SyntheticPlatform.visit("2026-11-22T12:00:00+09:00", site: test.site)
    let given = try await test.store.lease(among: [test.site.id], to: "a", at: visit.at, for: .seconds(60))
    let old = try #require(given)
    let late = visit.at.adding(.seconds(60))
    var record = VisitRecord(site: test.site.id, scope: .window, began: visit.at)
    record.problem = "nothing came"
    await #expect(throws: LeaseLost.self) {
      try await test.store.publish(Publication(visit, SourceReading(), lease: old), of: record, at: late)
    }
    await #expect(throws: LeaseLost.self) {
      try await test.store.settle(visit, as: record, isBroken: true, lease: old, at: late)
    }
    #expect(try await test.store.visits(of: test.site.id, limit: 9).isEmpty)
    #expect(try await test.store.renew(old, at: late, for: .seconds(60)))
    _ = try await test.store.settle(visit, as: record, isBroken: true, lease: old, at: late)
    #expect(try await test.store.visits(of: test.site.id, limit: 9).map(\.problem) == ["nothing came"])
  }

  @Test("what is due first comes first, and what is released comes back when it is due")
  func order() async throws {
    let test = try await TestStore()
    let lease = try await test.store.lease(among: [test.site.id], to: "a", at: time(0), for: .seconds(60))
    try await test.store.release(lease!, dueAt: time(500))
    #expect(try await test.store.lease(among: [test.site.id], to: "a", at: time(499), for: .seconds(60)) == nil)
    #expect(try await test.store.nextDue(among: [test.site.id]) == time(500))
    #expect(try await test.store.lease(among: [test.site.id], to: "a", at: time(500), for: .seconds(60)) != nil)
  }
}
