package import Calendars
import Wire

/// A cinema as the directory knows it.
package struct Cinema: Codable, Hashable, Sendable, WireLayout {
  /// A slug that never changes: `cinecube`.
  package var id: CinemaID
  /// In the language of the place.
  package var name: String
  package var nameEnglish: String?
  /// Other names that people search for.
  package var aliases: [String]?
  /// ISO 3166, two capitals: `KR`.
  package var country: String
  /// The slug of a region: `seoul`.
  package var region: String
  package var city: String?
  package var address: String?
  package var position: Coordinate
  package var zone: ZoneName
  /// When its programme's day ends; nil: 05:00.
  package var dayEnds: ClockTime?
  /// How many screens it has.
  package var screens: Int?
  package var website: String?
  package var instagram: String?
  /// Its page on the map that people there use.
  package var mapPlace: String?
  /// False for one that has closed: it keeps its id, and is not found by searches.
  package var isActive: Bool

  package init(
    id: CinemaID, name: String, nameEnglish: String? = nil, aliases: [String]? = nil, country: String, region: String,
    city: String? = nil, address: String? = nil, position: Coordinate, zone: ZoneName, dayEnds: ClockTime? = nil,
    screens: Int? = nil, website: String? = nil, instagram: String? = nil, mapPlace: String? = nil,
    isActive: Bool = true
  ) {
    self.id = id
    self.name = name
    self.nameEnglish = nameEnglish
    self.aliases = aliases
    self.country = country
    self.region = region
    self.city = city
    self.address = address
    self.position = position
    self.zone = zone
    self.dayEnds = dayEnds
    self.screens = screens
    self.website = website
    self.instagram = instagram
    self.mapPlace = mapPlace
    self.isActive = isActive
  }
}
