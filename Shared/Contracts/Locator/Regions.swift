package import RPC
import Wire

/// The regions that have cinemas, with how many.
package struct Regions: RPCRequest, Hashable {
  package typealias Service = LocatorAPI
  package typealias Response = [Region]
  package static let method: MethodID = 0x0106
  package static let safety: Safety = .read

  package init() {}
}

/// A part of a country that people name when they say where they are.
package struct Region: Codable, Hashable, Sendable, WireLayout {
  package var id: String
  package var name: String
  package var nameEnglish: String?
  package var country: String
  /// Active ones.
  package var cinemas: Int
  /// The middle of its cinemas.
  package var center: Coordinate

  package init(id: String, name: String, nameEnglish: String? = nil, country: String, cinemas: Int, center: Coordinate)
  {
    self.id = id
    self.name = name
    self.nameEnglish = nameEnglish
    self.country = country
    self.cinemas = cinemas
    self.center = center
  }
}
