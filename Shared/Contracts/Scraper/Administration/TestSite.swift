package import Clocks
package import RPC

/// Reads the stored pages of a visit again, without the network, and tells what is found in them.
package struct TestSite: RPCRequest, Hashable {
  package typealias Service = ScraperAPI
  package typealias Response = SiteTest
  package static let method: MethodID = 0x0245
  package static let safety: Safety = .read

  package var site: String
  /// Nil: the last visit.
  package var visit: Int64?
  /// Only the page with this snapshot.
  package var snapshot: String?

  package init(site: String, visit: Int64? = nil, snapshot: String? = nil) {
    self.site = site
    self.visit = visit
    self.snapshot = snapshot
  }
}

/// What a site's pages say.
package struct SiteTest: Codable, Hashable, Sendable {
  package var visit: Int64
  /// Why there is nothing, if the pages cannot be read.
  package var problem: String?
  package var listings: [TestedListing]
  package var unread: [TestedPiece]
  /// What each reader saw, a line each: reader, place, outcome, what.
  package var trace: [TracedFind]

  package init(
    visit: Int64, problem: String? = nil, listings: [TestedListing], unread: [TestedPiece], trace: [TracedFind]
  ) {
    self.visit = visit
    self.problem = problem
    self.listings = listings
    self.unread = unread
    self.trace = trace
  }
}

/// A showing as it is read.
package struct TestedListing: Codable, Hashable, Sendable {
  package var title: String
  package var film: String?
  package var startsAt: WallTime
  /// `2026-11-23 24:30`.
  package var printed: String
  package var screen: String?
  package var seats: String?
  package var attributes: [String]

  package init(
    title: String, film: String? = nil, startsAt: WallTime, printed: String, screen: String? = nil,
    seats: String? = nil, attributes: [String]
  ) {
    self.title = title
    self.film = film
    self.startsAt = startsAt
    self.printed = printed
    self.screen = screen
    self.seats = seats
    self.attributes = attributes
  }
}

/// Something that could not be read.
package struct TestedPiece: Codable, Hashable, Sendable {
  package var what: String
  package var why: String

  package init(what: String, why: String) {
    self.what = what
    self.why = why
  }
}

/// What a reader saw in one place of a page.
package struct TracedFind: Codable, Hashable, Sendable {
  package var reader: String
  package var place: String
  package var outcome: String
  package var what: String

  package init(reader: String, place: String, outcome: String, what: String) {
    self.reader = reader
    self.place = place
    self.outcome = outcome
    self.what = what
  }
}
