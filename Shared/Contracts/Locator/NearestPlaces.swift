package import RPC
import Wire

/// The cinemas closest to a point, nearest first, told by their places in the directory: for who asks again and again
/// and keeps what it has read of the cinemas.
package struct NearestPlaces: RPCRequest, Hashable, WireLayout {
  package typealias Service = LocatorAPI
  package typealias Response = PlacesNearby
  package static let method: MethodID = 0x0108
  package static let safety: Safety = .read

  package static let limitMax = 100

  /// In degrees. Two numbers and no `Coordinate`, so that they are read where they lie; `origin` holds them to the globe.
  package var latitude: Double
  package var longitude: Double
  /// 1...``limitMax``.
  package var limit: Int
  /// None is further than this.
  package var metresMax: Double?
  /// The directory whose places the asker knows; of any other the cinemas are told too.
  package var known: Int?

  package init(origin: Coordinate, limit: Int, metresMax: Double? = nil, known: Int? = nil) {
    latitude = origin.latitude
    longitude = origin.longitude
    self.limit = limit
    self.metresMax = metresMax
    self.known = known
  }

  package var origin: Coordinate {
    get throws(RPCError) { try Coordinate(latitude: latitude, longitude: longitude) }
  }
}

/// Cinemas by their places in a directory, nearest first.
package struct PlacesNearby: Codable, Hashable, Sendable, WireLayout {
  /// Which directory the places are in. Each has a name of its own, and after a change it is another one: the same name
  /// and place are the same cinema with the same facts.
  package var directory: Int
  package var places: [Int]
  /// How far each is, along the great circle.
  package var metres: [Double]
  /// The cinemas themselves, unless the asker knows the directory.
  package var cinemas: [Cinema]?

  package init(directory: Int, places: [Int], metres: [Double], cinemas: [Cinema]? = nil) {
    self.directory = directory
    self.places = places
    self.metres = metres
    self.cinemas = cinemas
  }
}
