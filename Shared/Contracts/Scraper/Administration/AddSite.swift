package import RPC

/// Adds a site, or changes one that was added before. It is disabled unless its file says otherwise.
package struct AddSite: RPCRequest, Hashable {
  package typealias Service = ScraperAPI
  package typealias Response = SiteReport
  package static let method: MethodID = 0x0242
  package static let safety: Safety = .idempotent

  /// The site file, as JSON without comments.
  package var document: String

  package init(document: String) {
    self.document = document
  }
}
