package import RPC

/// The cinemas closest to a point, nearest first.
package struct NearestCinemas: RPCRequest {
  package typealias Service = LocatorAPI
  package typealias Response = [NearbyCinema]
  package static let method: MethodID = 0x0101
  package static let safety: Safety = .read

  package var origin: Coordinate
  package var limit: Int

  package init(origin: Coordinate, limit: Int) {
    self.origin = origin
    self.limit = limit
  }
}

/// A cinema and how far it is.
package struct NearbyCinema: Codable, Hashable, Sendable {
  /// A slug that never changes: `cinecube`.
  package var id: String
  package var name: String
  package var address: String
  package var position: Coordinate
  package var metres: Double
  package var website: String?

  package init(
    id: String, name: String, address: String, position: Coordinate, metres: Double, website: String? = nil
  ) {
    self.id = id
    self.name = name
    self.address = address
    self.position = position
    self.metres = metres
    self.website = website
  }
}
