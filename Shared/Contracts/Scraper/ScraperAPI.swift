import RPC

/// The programme of the cinemas: what plays when, and how we know.
package enum ScraperAPI: RPCService {
  package static let name = "scraper"
}
