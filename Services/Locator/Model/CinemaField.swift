import Calendars
import Contracts

/// A field of a cinema as people write it: a column of a file, an option of a command, a line of the history.
///
/// Everything that is text about a cinema goes through here, so a column, an option and a change have one name.
nonisolated package enum CinemaField: String, CaseIterable, Sendable {
  case id, name
  case nameEnglish = "name_en"
  case aliases, country, region, city, address
  case latitude = "lat"
  case longitude = "lon"
  case zone = "time_zone"
  case dayEnds = "day_ends"
  case screens, website, instagram
  case mapPlace = "map_url"
  case active

  /// Between several names of one cinema.
  static let aliasSeparator: Character = "|"

  func text(of cinema: Cinema) -> String? {
    switch self {
    case .id: cinema.id.text
    case .name: cinema.name
    case .nameEnglish: cinema.nameEnglish
    case .aliases: cinema.aliases?.joined(separator: String(Self.aliasSeparator))
    case .country: cinema.country
    case .region: cinema.region
    case .city: cinema.city
    case .address: cinema.address
    case .latitude: "\(cinema.position.latitude)"
    case .longitude: "\(cinema.position.longitude)"
    case .zone: cinema.zone.text
    case .dayEnds: cinema.dayEnds?.description
    case .screens: cinema.screens.map(String.init)
    case .website: cinema.website
    case .instagram: cinema.instagram
    case .mapPlace: cinema.mapPlace
    case .active: cinema.isActive ? "1" : "0"
    }
  }

  /// What else files call it.
  static let otherNames = [
    "latitude": "lat", "lng": "lon", "long": "lon", "longitude": "lon", "name_english": "name_en", "name:en": "name_en",
    "english_name": "name_en", "tz": "time_zone", "timezone": "time_zone", "zone": "time_zone", "url": "website",
    "is_active": "active", "alias": "aliases", "map": "map_url",
  ]

  /// Columns of the known files that are other services' business.
  static let elsewhere = ["dtryx_brand", "dtryx_cinema"]

  var help: String {
    switch self {
    case .id: "its slug, which never changes"
    case .name: "its name in the language of the place"
    case .nameEnglish: "its name in Latin letters"
    case .aliases: "other names, with | between them"
    case .country: "two letters, as in ISO 3166"
    case .region: "the province, state or city that it is looked for in"
    case .city: "the town"
    case .address: "as it is written there"
    case .latitude: "degrees north"
    case .longitude: "degrees east"
    case .zone: "such as Asia/Seoul"
    case .dayEnds: "when its programme's day ends; 05:00 if not said"
    case .screens: "how many"
    case .website: "https://…"
    case .instagram: "https://…, or the name"
    case .mapPlace: "its page on the map that people there use"
    case .active: "1, or 0 for one that has closed"
    }
  }
}
