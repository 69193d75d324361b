package import Calendars
package import RPC

/// Visits sites now, and tells of each as it ends.
package struct RunSites: RPCStreamRequest, Hashable {
  package typealias Service = ScraperAPI
  package typealias Element = SiteRun
  package static let method: MethodID = 0x0243

  /// Nil: every enabled one.
  package var sites: [String]?
  /// Tell what would change, and publish nothing.
  package var isTrial: Bool
  /// Also those that are disabled or held back.
  package var isForced: Bool
  /// Read the pages of the last visit again, with the rules of now.
  package var isOffline: Bool
  /// Only these service dates, 60 at most; nil: today, or as many as each site is read ahead.
  package var from: CivilDate?
  package var to: CivilDate?

  package init(
    sites: [String]? = nil, isTrial: Bool, isForced: Bool, isOffline: Bool, from: CivilDate? = nil, to: CivilDate? = nil
  ) {
    self.sites = sites
    self.isTrial = isTrial
    self.isForced = isForced
    self.isOffline = isOffline
    self.from = from
    self.to = to
  }
}

/// What one visit came to. The first of a stream only says how many will follow.
package struct SiteRun: Codable, Hashable, Sendable {
  package var total: Int
  package var site: String?
  /// `published`, `same`, `partial`, `broken`, `quarantined`, `failed`, `refused`.
  package var outcome: String?
  package var problem: String?
  package var showtimes: Int?
  package var added: Int?
  package var removed: Int?
  package var changed: Int?
  /// Pages by how they came: `new`, `same`, `304`, `error`.
  package var pages: [String: Int]?
  package var milliseconds: Int?

  package init(
    total: Int, site: String? = nil, outcome: String? = nil, problem: String? = nil, showtimes: Int? = nil,
    added: Int? = nil, removed: Int? = nil, changed: Int? = nil, pages: [String: Int]? = nil, milliseconds: Int? = nil
  ) {
    self.total = total
    self.site = site
    self.outcome = outcome
    self.problem = problem
    self.showtimes = showtimes
    self.added = added
    self.removed = removed
    self.changed = changed
    self.pages = pages
    self.milliseconds = milliseconds
  }
}
