import Calendars
import Clocks
import Contracts
import Scraper
import ServiceTestKit
import Storage
import Testing

@Suite("Publications and the loss of power", .timeLimit(.minutes(5)))
@MainActor
struct ScraperPowerLossTests {
  private typealias Row = SyntheticPlatform.Row

  private static let losses = 40

  /// A programme that grows, moves and loses a showing from one visit to the next.
  private static func rows(_ visit: Int) -> [Row] {
    (0..<6).filter { $0 != visit % 7 }.map { number in
      Row(
        title: "Film \(number)", start: "\(14 + number):\(visit % 2 == 0 ? "00" : "30")", code: "00010\(number)",
        sequence: "\(number)")
    }
  }

  private struct Result {
    /// What was told to be published before the power went.
    var acknowledged: Publication.Outcome?
    var lost = 0
    /// Neither one publication nor another.
    var torn: [String] = []
  }

  private func simulate(seed: UInt64, _ durability: DatabaseOptions.Durability) async throws -> Result {
    var random = SeededRandom(seed: seed)
    let disk = try FaultDisk(seed: seed)
    var options = DatabaseOptions(applicationID: "ODsc")
    options.durability = durability
    options.vfs = disk.name
    options.limits.readers = 1
    options.limits.walPages = [10, 1_000].randomElement(using: &random)!
    options.now = { Instant(nanoseconds: 1_000) }

    var result = Result()
    var told: [Publication.Outcome] = []
    let first = try await TestStore(at: disk.path, options)
    disk.losePower(at: Int.random(in: 1...250, using: &random))
    do {
      for visit in 0..<50 {
        let minute = visit < 10 ? "0\(visit)" : "\(visit)"
        told.append(try await first.publish("2026-11-22T12:\(minute):00+09:00", [("2026-11-23", Self.rows(visit))]))
      }
    } catch {
      // The power is gone.
    }
    await first.store.database.close()
    #expect(disk.restart(seed: seed), "files are still open")
    result.acknowledged = told.last

    do {
      let second = try await TestStore(at: disk.path, options)
      result.torn += try await second.store.database.check()
      try await judge(second, told, &result)
      await second.store.database.close()
    } catch {
      result.torn.append("\(error)")
    }
    return result
  }

  /// The day, its showings and the log tell of the same publication: the last that was told, or the one after it.
  private func judge(_ test: TestStore, _ told: [Publication.Outcome], _ result: inout Result) async throws {
    let stored = try await test.store.schedule(of: [test.site.id], from: CivilDate("2026-11-22")!)
    let events = try await test.store.latestEvents(limit: 1_000)
    let day = stored.days.first
    let last = events.last { $0.change != nil }
    if day?.revision != last?.revision {
      result.torn.append("the day is of \(day?.revision ?? 0), the log of \(last?.revision ?? 0)")
    }
    if events.map(\.revision) != Array(1...Int64(max(events.count, 1))).prefix(events.count).map(\.self) {
      result.torn.append("the log has a gap")
    }
    let acknowledged = told.last?.days.first?.revision ?? 0
    if (day?.revision ?? 0) < acknowledged { result.lost += 1 }
    guard let published = told.first(where: { $0.days.first?.revision == day?.revision })?.days.first else { return }
    let ids = Set((stored.showtimes[test.site.id] ?? []).map { "\($0.id) \($0.startsAt.milliseconds) \($0.state)" })
    let expected = Set(published.showtimes.map { "\($0.id) \($0.startsAt.milliseconds) \($0.state)" })
    if ids != expected { result.torn.append("the showings are of another publication than the day") }
  }

  @Test("a publication is there whole or not at all, and one that was told of is never lost")
  func full() async throws {
    var told = 0
    for seed in 0..<UInt64(Self.losses) {
      let result = try await simulate(seed: seed, .full)
      if result.acknowledged != nil { told += 1 }
      #expect(result.lost == 0 && result.torn.isEmpty, "seed \(seed): \(result.lost) lost, \(result.torn)")
    }
    #expect(told > Self.losses / 4, "the power went too early to show anything")
  }

  @Test("control: where the disk is not waited for, publications that were told of are lost")
  func control() async throws {
    var lost = 0
    for seed in 0..<UInt64(Self.losses / 3) { lost += try await simulate(seed: seed, .off).lost }
    #expect(lost > 0)
  }
}
