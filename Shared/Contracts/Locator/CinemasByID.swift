package import RPC
import Wire

/// The cinemas of these ids, in this order, without those that nobody knows.
package struct CinemasByID: RPCRequest, Hashable, WireLayout {
  package typealias Service = LocatorAPI
  package typealias Response = [Cinema]
  package static let method: MethodID = 0x0103
  package static let safety: Safety = .read

  package static let idsMax = 1_000

  /// At most ``idsMax``.
  package var ids: [CinemaID]

  package init(ids: [CinemaID]) {
    self.ids = ids
  }
}
