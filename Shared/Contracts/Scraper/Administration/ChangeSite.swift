package import RPC
import Wire

/// Does something to a site, and tells how it is then.
package struct ChangeSite: RPCRequest, Hashable {
  package typealias Service = ScraperAPI
  package typealias Response = SiteReport
  package static let method: MethodID = 0x0241
  package static let safety: Safety = .idempotent

  package var site: String
  package var deed: SiteDeed

  package init(site: String, deed: SiteDeed) {
    self.site = site
    self.deed = deed
  }
}

/// What can be done to a site.
package enum SiteDeed: GrowingEnum {
  case enable
  case disable
  /// The next visit is believed, whatever was expected; a quarantine ends.
  case approve
  /// Nothing is published until it is approved.
  case quarantine
  /// What an operator added is forgotten, with all that was read from it.
  case remove
  case unknown(String)

  package static let known: [SiteDeed] = [.enable, .disable, .approve, .quarantine, .remove]

  package var rawValue: String {
    switch self {
    case .enable: "enable"
    case .disable: "disable"
    case .approve: "approve"
    case .quarantine: "quarantine"
    case .remove: "remove"
    case .unknown(let name): name
    }
  }
}
