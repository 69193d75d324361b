package import RPC
import Wire

/// The showings of these ids, without those that nobody knows.
package struct ShowtimesByID: RPCRequest, Hashable, WireLayout {
  package typealias Service = ScraperAPI
  package typealias Response = ShowtimePage
  package static let method: MethodID = 0x0204
  package static let safety: Safety = .read

  package static let idsMax = 500

  /// At most ``idsMax``.
  package var ids: [ShowtimeID]

  package init(ids: [ShowtimeID]) {
    self.ids = ids
  }
}
