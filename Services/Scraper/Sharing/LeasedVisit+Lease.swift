import Clocks
package import Contracts
import JSON

/// A visit and its lease as they are told to another scraper, and as they come back.
nonisolated extension LeasedVisit {
  /// Codes of films that are sent with a visit, and come back with it. More films than that are asked for once more.
  static let knownFilmsMax = 50_000
  /// Of these codes together: a message has 4 MiB at most.
  private static let knownFilmBytes = 1 << 20

  /// - Parameter period: how long the lease lasts that was given just now.
  package init(_ lease: Lease, _ visit: Visit, for period: Duration) {
    self.init(
      lease: SiteLease(
        site: lease.site, holder: lease.holder, fence: lease.fence, milliseconds: Int(period.wholeMilliseconds)),
      document: String(decoding: visit.site.document.json, as: UTF8.self), isDemo: visit.site.isDemo, at: visit.at,
      scope: visit.scope.rawValue, knownFilms: Self.sent(visit.knownFilms))
  }

  /// As many of the codes as fit into a message: a film that is left out is asked for once more than needed.
  static func sent(_ knownFilms: Set<String>) -> [String] {
    var bytes = 0
    return knownFilms.sorted().prefix(knownFilmsMax).prefix { code in
      bytes += code.utf8.count
      return bytes <= knownFilmBytes
    }
  }
}

nonisolated extension Lease {
  init(_ lease: SiteLease) {
    self.init(site: lease.site, holder: lease.holder, fence: lease.fence)
  }
}

nonisolated extension VisitRecord.PageRecord {
  init(_ page: VisitedPage) {
    self.init(
      role: page.role, url: page.url, contentType: page.contentType, fetchedAt: page.fetchedAt,
      outcome: VisitRecord.PageOutcome(rawValue: page.outcome) ?? .error, problem: page.problem,
      snapshot: page.snapshot.flatMap { SnapshotID($0) })
  }
}

nonisolated extension VisitedPage {
  init(_ record: VisitRecord.PageRecord) {
    self.init(
      role: record.role, url: record.url, contentType: record.contentType, fetchedAt: record.fetchedAt,
      outcome: record.outcome.rawValue, problem: record.problem, snapshot: record.snapshot.map { "\($0)" })
  }
}
