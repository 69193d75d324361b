package import RPC

/// A point on the globe, in degrees. One that is off the globe cannot be made, nor decoded.
package struct Coordinate: Hashable, Sendable {
  package let latitude: Double
  package let longitude: Double

  package init(latitude: Double, longitude: Double) throws(RPCError) {
    guard (-90...90).contains(latitude) else {
      throw RPCError(.invalidArgument, "latitude is \(latitude); give one of -90...90", executed: .no)
    }
    guard (-180...180).contains(longitude) else {
      throw RPCError(.invalidArgument, "longitude is \(longitude); give one of -180...180", executed: .no)
    }
    self.latitude = latitude
    self.longitude = longitude
  }
}

extension Coordinate: Codable {
  private enum CodingKeys: String, CodingKey { case latitude, longitude }

  // Synthesised decoding would skip the check.
  package init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    try self.init(
      latitude: container.decode(Double.self, forKey: .latitude),
      longitude: container.decode(Double.self, forKey: .longitude))
  }
}
