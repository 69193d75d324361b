package import RPC

/// Hands in what a leased visit found. Its pages were kept before; they are read, judged and published as if the
/// receiver had fetched them, unless the lease is another's by now.
package struct PublishReading: RPCRequest, Hashable {
  package typealias Service = ScraperAPI
  package typealias Response = SiteRun
  package static let method: MethodID = 0x0222
  /// A second time the lease is gone, and nothing happens.
  package static let safety: Safety = .idempotent

  package var visit: LeasedVisit
  /// In the order in which they came; those with a snapshot are read.
  package var pages: [VisitedPage]
  /// Why there is nothing to read, or what is missing in it.
  package var problem: String?
  /// Nothing is known of the site's programme: a page that is needed did not come.
  package var isWithoutReading: Bool?
  /// The visit was given up, by nobody's fault: the site is due again at once.
  package var isAborted: Bool?

  package init(
    visit: LeasedVisit, pages: [VisitedPage], problem: String? = nil, isWithoutReading: Bool? = nil,
    isAborted: Bool? = nil
  ) {
    self.visit = visit
    self.pages = pages
    self.problem = problem
    self.isWithoutReading = isWithoutReading
    self.isAborted = isAborted
  }
}
