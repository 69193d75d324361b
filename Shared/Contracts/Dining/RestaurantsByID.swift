package import Clocks
package import RPC

/// The restaurants of these ids, in this order, without those that nobody knows. A guide's that is not kept is asked for.
package struct RestaurantsByID: RPCRequest, Hashable {
  package typealias Service = DiningAPI
  package typealias Response = RestaurantPage
  package static let method: MethodID = 0x0502
  package static let safety: Safety = .read

  package static let idsMax = 20

  /// At most ``idsMax``.
  package var ids: [RestaurantID]
  package var now: WallTime?
  /// Nil: an operator, who may ask the guide as often as there are questions left.
  package var asker: GuideAsker?

  package init(ids: [RestaurantID], now: WallTime? = nil) {
    self.ids = ids
    self.now = now
  }
}
