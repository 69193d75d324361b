package import Clocks
package import RPC

/// The last visits of a site, newest first.
package struct ListVisits: RPCRequest, Hashable {
  package typealias Service = ScraperAPI
  package typealias Response = [VisitReport]
  package static let method: MethodID = 0x0244
  package static let safety: Safety = .read

  package var site: String
  /// 1...100.
  package var limit: Int

  package init(site: String, limit: Int) {
    self.site = site
    self.limit = limit
  }
}

/// A visit and its pages.
package struct VisitReport: Codable, Hashable, Sendable {
  package var number: Int64
  package var scope: String
  package var began: WallTime
  package var ended: WallTime
  package var outcome: String
  package var problem: String?
  package var showtimes: Int
  package var added: Int
  package var removed: Int
  package var changed: Int
  package var pages: [VisitedPage]

  package init(
    number: Int64, scope: String, began: WallTime, ended: WallTime, outcome: String, problem: String? = nil,
    showtimes: Int, added: Int, removed: Int, changed: Int, pages: [VisitedPage]
  ) {
    self.number = number
    self.scope = scope
    self.began = began
    self.ended = ended
    self.outcome = outcome
    self.problem = problem
    self.showtimes = showtimes
    self.added = added
    self.removed = removed
    self.changed = changed
    self.pages = pages
  }
}

/// A page of a visit.
package struct VisitedPage: Codable, Hashable, Sendable {
  package var role: String
  package var url: String
  package var contentType: String?
  package var fetchedAt: WallTime
  package var outcome: String
  package var problem: String?
  /// The name of its stored bytes.
  package var snapshot: String?
  /// Of the page itself, not as it is stored.
  package var bytes: Int?

  package init(
    role: String, url: String, contentType: String? = nil, fetchedAt: WallTime, outcome: String,
    problem: String? = nil, snapshot: String? = nil, bytes: Int? = nil
  ) {
    self.role = role
    self.url = url
    self.contentType = contentType
    self.fetchedAt = fetchedAt
    self.outcome = outcome
    self.problem = problem
    self.snapshot = snapshot
    self.bytes = bytes
  }
}
