package import RPC
import Wire

/// The public stations of these ids, in this order, without those that nobody knows or may know.
package struct StationsByID: RPCRequest, Hashable, WireLayout {
  package typealias Service = RadioAPI
  package typealias Response = [Station]
  package static let method: MethodID = 0x0702
  package static let safety: Safety = .read

  package static let idsMax = 1_000

  /// At most ``idsMax``.
  package var ids: [StationID]

  package init(ids: [StationID]) {
    self.ids = ids
  }
}
