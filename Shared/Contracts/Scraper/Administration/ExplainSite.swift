package import RPC

/// Why a site is as it is: what was expected, what differs from the last good visit, and where to look.
package struct ExplainSite: RPCRequest, Hashable {
  package typealias Service = ScraperAPI
  package typealias Response = SiteExplanation
  package static let method: MethodID = 0x0251
  package static let safety: Safety = .read

  package var site: String

  package init(site: String) {
    self.site = site
  }
}

package struct SiteExplanation: Codable, Hashable, Sendable {
  package var report: SiteReport
  package var last: VisitReport?
  /// The newest visit that was believed.
  package var lastGood: VisitReport?
  /// What differs between the two visits' pages, a sentence each.
  package var differences: [String]
  /// What can be done, as commands.
  package var remedies: [String]

  package init(
    report: SiteReport, last: VisitReport? = nil, lastGood: VisitReport? = nil, differences: [String],
    remedies: [String]
  ) {
    self.report = report
    self.last = last
    self.lastGood = lastGood
    self.differences = differences
    self.remedies = remedies
  }
}
