package import Clocks
package import RPC

/// Every site, or one of them, with its configuration and how it is.
package struct ListSites: RPCRequest, Hashable {
  package typealias Service = ScraperAPI
  package typealias Response = [SiteReport]
  package static let method: MethodID = 0x0240
  package static let safety: Safety = .read

  /// Nil: all.
  package var site: String?

  package init(site: String? = nil) {
    self.site = site
  }
}

/// A site as its keeper sees it.
package struct SiteReport: Codable, Hashable, Sendable {
  package var source: ScheduleSource
  /// `dtryx`, `structured`, `ics`, `rule`.
  package var adapter: String
  /// Where its configuration comes from: `shipped`, `file`, `operator`, `demo`.
  package var origin: String
  package var isEnabled: Bool
  /// The site file, as JSON.
  package var document: String
  package var triedAt: WallTime?
  package var failures: Int
  package var isApproved: Bool
  package var isQuarantined: Bool

  package init(
    source: ScheduleSource, adapter: String, origin: String, isEnabled: Bool, document: String,
    triedAt: WallTime? = nil, failures: Int, isApproved: Bool, isQuarantined: Bool
  ) {
    self.source = source
    self.adapter = adapter
    self.origin = origin
    self.isEnabled = isEnabled
    self.document = document
    self.triedAt = triedAt
    self.failures = failures
    self.isApproved = isApproved
    self.isQuarantined = isQuarantined
  }
}
