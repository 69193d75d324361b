package import Clocks
package import RPC

/// Takes over the visit of the site that has been due for longest: what a scraper without a store of its own asks of the
/// one that has the queue. Answered when a site is due, or after ``patience``.
package struct LeaseSite: RPCRequest, Hashable {
  package typealias Service = ScraperAPI
  package typealias Response = SiteTurn
  package static let method: MethodID = 0x0220
  /// A lease whose answer is lost runs out by itself.
  package static let safety: Safety = .idempotent

  /// How long the answer waits for a site.
  package static let patience: Duration = .seconds(5)

  /// Who asks: 1 to 100 bytes, another's for each process.
  package var holder: String

  package init(holder: String) {
    self.holder = holder
  }
}

/// A site to visit; nil if none is due.
package struct SiteTurn: Codable, Hashable, Sendable {
  package var visit: LeasedVisit?

  package init(visit: LeasedVisit? = nil) {
    self.visit = visit
  }
}

/// All that a visit needs to know.
package struct LeasedVisit: Codable, Hashable, Sendable {
  package var lease: SiteLease
  /// The site's document, as JSON.
  package var document: String
  package var isDemo: Bool?
  /// The visit's time: dates on pages are read by it.
  package var at: WallTime
  /// `today` or `window`.
  package var scope: String
  /// Codes of films whose own pages need not be read.
  package var knownFilms: [String]

  package init(
    lease: SiteLease, document: String, isDemo: Bool? = nil, at: WallTime, scope: String, knownFilms: [String]
  ) {
    self.lease = lease
    self.document = document
    self.isDemo = isDemo
    self.at = at
    self.scope = scope
    self.knownFilms = knownFilms
  }
}

/// The right to visit a site and to publish what is found, as long as nobody has a newer one.
package struct SiteLease: Codable, Hashable, Sendable {
  package var site: String
  package var holder: String
  /// Grows with each lease of the site.
  package var fence: Int64
  /// It runs out so many milliseconds after it was given or renewed, by whichever clock.
  package var milliseconds: Int

  package init(site: String, holder: String, fence: Int64, milliseconds: Int) {
    self.site = site
    self.holder = holder
    self.fence = fence
    self.milliseconds = milliseconds
  }
}

/// Says that a visit makes progress.
package struct RenewLease: RPCRequest, Hashable {
  package typealias Service = ScraperAPI
  package typealias Response = RenewedLease
  package static let method: MethodID = 0x0221
  package static let safety: Safety = .idempotent

  package var lease: SiteLease

  package init(lease: SiteLease) {
    self.lease = lease
  }
}

/// Whether the site is the asker's still.
package struct RenewedLease: Codable, Hashable, Sendable {
  package var isHeld: Bool

  package init(isHeld: Bool) {
    self.isHeld = isHeld
  }
}
