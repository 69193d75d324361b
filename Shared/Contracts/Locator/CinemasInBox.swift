package import RPC
import Wire

/// The cinemas inside a box, by id. A box whose west is greater than its east crosses the 180th meridian.
package struct CinemasInBox: RPCRequest, Hashable, WireLayout {
  package typealias Service = LocatorAPI
  package typealias Response = [Cinema]
  package static let method: MethodID = 0x0102
  package static let safety: Safety = .read

  package static let limitMax = 1_000
  /// One more: who is told of it knows that `limitMax` are not all.
  package static let askedMax = limitMax + 1

  package var southWest: Coordinate
  package var northEast: Coordinate
  /// 1...``askedMax``.
  package var limit: Int

  package init(southWest: Coordinate, northEast: Coordinate, limit: Int) {
    self.southWest = southWest
    self.northEast = northEast
    self.limit = limit
  }
}
