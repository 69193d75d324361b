import Calendars
import Clocks
import Contracts
import JSON
import Scraper
import ServiceTestKit
import Storage
import Testing

/// A store in a folder of its own, with one site of the platform.
struct TestStore {
  let store: ScraperStore
  let site: Site
  private let folder: TemporaryFolder?

  @MainActor
  init(_ site: Site = SyntheticPlatform.site()) async throws {
    let folder = try TemporaryFolder()
    var options = DatabaseOptions(applicationID: "ODsc")
    options.durability = .off
    try await self.init(site, at: folder.file("scraper.sqlite"), options, folder)
  }

  /// One whose database lies elsewhere, and may be there already.
  @MainActor
  init(
    _ site: Site = SyntheticPlatform.site(), at path: String, _ options: DatabaseOptions,
    _ folder: TemporaryFolder? = nil
  ) async throws {
    self.folder = folder
    let database = try await Database.open(path, migrations: ScraperMigrations.all, options: options)
    store = ScraperStore(database: database)
    self.site = site
    do {
      try await store.replace(.operator, with: [site.documented]) { _ in WallTime(milliseconds: 0) }
    } catch {
      await database.close()
      throw error
    }
  }

  /// Publishes what a visit at `time` finds: days with their rows.
  @MainActor
  func publish(
    _ time: String, _ days: [(date: String, rows: [SyntheticPlatform.Row])], films: [Page] = [], closed: [String] = [],
    reason: ScheduleDiff.Reason = .read, isTrial: Bool = false
  ) async throws -> Publication.Outcome {
    let visit = SyntheticPlatform.visit(time, site: site)
    let calendar = SyntheticPlatform.calendar(
      (days.map { ($0.date, "btnDay") } + closed.map { ($0, "btnDay disabled") }).sorted { $0.0 < $1.0 })
    let pages = [calendar] + days.map { SyntheticPlatform.day($0.date, $0.rows) } + films
    return try await publish(
      try DtryxAdapter().read(pages, in: visit), of: visit, reason: reason, isTrial: isTrial)
  }

  /// Publishes what was read, of whatever source.
  @MainActor
  func publish(
    _ reading: SourceReading, of visit: Visit, reason: ScheduleDiff.Reason = .read, isTrial: Bool = false
  ) async throws -> Publication.Outcome {
    let given = try await store.lease(
      among: [site.id], to: "test", at: visit.at, for: .seconds(300), ignoringDue: true)
    let lease = try #require(given)
    var publication = Publication(visit, reading, lease: lease)
    publication.reason = reason
    publication.isTrial = isTrial
    let outcome = try await store.publish(publication, at: visit.at)
    try await store.release(lease, dueAt: visit.at)
    return outcome
  }
}

extension Site {
  /// With the document that a store keeps.
  var documented: Site {
    var site = self
    site.document = [
      "site": .string(id), "cinema": .string(cinema.text), "zone": .string(zone.text), "adapter": "dtryx",
      "params": ["brand": "indieart", "cinema": "000069"], "enabled": true,
    ]
    return site
  }
}
