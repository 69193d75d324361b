package import RPC
import Wire

/// The cinemas closest to a point, nearest first.
package struct NearestCinemas: RPCRequest, Hashable, WireLayout {
  package typealias Service = LocatorAPI
  package typealias Response = [NearbyCinema]
  package static let method: MethodID = 0x0101
  package static let safety: Safety = .read

  /// As many as a page of the directory: a message stays under 4 MiB.
  package static let limitMax = 1_000
  /// One more: who is told of it knows that `limitMax` are not all.
  package static let askedMax = limitMax + 1

  package var origin: Coordinate
  /// 1...``askedMax``.
  package var limit: Int
  /// None is further than this.
  package var metresMax: Double?

  package init(origin: Coordinate, limit: Int, metresMax: Double? = nil) {
    self.origin = origin
    self.limit = limit
    self.metresMax = metresMax
  }
}

/// A cinema and how far it is.
package struct NearbyCinema: Codable, Hashable, Sendable, WireLayout {
  package var cinema: Cinema
  /// Along the great circle.
  package var metres: Double

  package init(cinema: Cinema, metres: Double) {
    self.cinema = cinema
    self.metres = metres
  }
}
