import Atlas
import CSV
package import Calendars
package import Contracts
import JSON

/// The sites that come with the program: the venues of the atlas that are on the ticketing platform. Disabled until the
/// operator has read the platform's terms.
nonisolated package enum ShippedSites {
  package static func all() throws -> [Site] {
    try venues().filter { $0.isActive && $0.platform != nil }.map(Self.site)
  }

  /// A cinema of the atlas, as far as a source is concerned with it.
  package struct Venue: Sendable {
    package var id: CinemaID
    package var name: String
    package var zone: ZoneName
    package var place: Coordinate?
    package var platform: (brand: String, cinema: String)?
    package var isActive: Bool
  }

  package static func venues() throws -> [Venue] {
    var venues: [Venue] = []
    for atlas in Atlas.all {
      var table = try CSVTable(atlas.bytes)
      while let row = try table.next() {
        guard let id = row["id"].flatMap({ CinemaID($0) }),
          let zone = row["time_zone"].flatMap({ ZoneName($0) })
        else { continue }
        var venue = Venue(
          id: id, name: row["name"] ?? id.text, zone: zone, isActive: row["active"] != "0")
        if let lat = try row.double("lat"), let lon = try row.double("lon") {
          venue.place = try? Coordinate(latitude: lat, longitude: lon)
        }
        if let brand = row["dtryx_brand"], let cinema = row["dtryx_cinema"] {
          venue.platform = (brand, cinema)
        }
        venues.append(venue)
      }
    }
    return venues
  }

  private static func site(_ venue: Venue) throws -> Site {
    var document: [(String, JSONValue)] = [
      ("site", .string(venue.id.text)), ("cinema", .string(venue.id.text)), ("zone", .string(venue.zone.text)),
      ("adapter", "dtryx"), ("enabled", false),
    ]
    if let platform = venue.platform {
      document.append(
        ("params", ["brand": .string(platform.brand), "cinema": .string(platform.cinema)]))
      document.append(
        ("page", .string("\(DtryxAdapter.base)/cinema/main.do?BrandCd=\(platform.brand)&CinemaCd=\(platform.cinema)")))
    }
    if let place = venue.place {
      document.append(("place", ["lat": .double(place.latitude), "lon": .double(place.longitude)]))
    }
    return try Site(parsing: .object(JSONObject(document)))
  }
}
