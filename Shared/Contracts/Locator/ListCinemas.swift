package import RPC
import Wire

/// The directory in order of id, a page at a time.
package struct ListCinemas: RPCRequest, Hashable, WireLayout {
  package typealias Service = LocatorAPI
  package typealias Response = CinemaPage
  package static let method: MethodID = 0x0104
  package static let safety: Safety = .read

  /// A page fits in a message of 4 MiB with room to spare, whatever a cinema's texts hold.
  package static let limitMax = 1_000

  package var region: String?
  package var country: String?
  /// Where the last page ended.
  package var after: CinemaID?
  /// 1...``limitMax``.
  package var limit: Int
  /// Also those that have closed.
  package var includesInactive: Bool?

  package init(
    region: String? = nil, country: String? = nil, after: CinemaID? = nil, limit: Int, includesInactive: Bool? = nil
  ) {
    self.region = region
    self.country = country
    self.after = after
    self.limit = limit
    self.includesInactive = includesInactive
  }
}

/// One page of the directory.
package struct CinemaPage: Codable, Hashable, Sendable, WireLayout {
  package var cinemas: [Cinema]
  package var hasMore: Bool
  /// Which state of the directory this is.
  package var revision: Int64

  package init(cinemas: [Cinema], hasMore: Bool, revision: Int64) {
    self.cinemas = cinemas
    self.hasMore = hasMore
    self.revision = revision
  }
}
