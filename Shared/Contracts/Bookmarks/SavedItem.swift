package import Clocks
import Wire

/// Something that a user saved.
package struct SavedItem: Codable, Hashable, Sendable, WireLayout {
  package var kind: ItemKind
  /// Of the thing: a film's id, a cinema's slug.
  package var id: String
  /// At most 2,000 characters.
  package var note: String?
  package var savedAt: WallTime
  /// The user's revision when it was last saved.
  package var revision: Int64

  package init(kind: ItemKind, id: String, note: String? = nil, savedAt: WallTime, revision: Int64) {
    self.kind = kind
    self.id = id
    self.note = note
    self.savedAt = savedAt
    self.revision = revision
  }
}

/// What kind of thing is saved. A film that is saved is a bookmark; the others are favourites.
package enum ItemKind: GrowingEnum {
  case film
  case cinema
  case station
  case person
  case restaurant
  case festival
  case session
  case unknown(String)

  package static let known: [ItemKind] = [.film, .cinema, .station, .person, .restaurant, .festival, .session]

  package var rawValue: String {
    switch self {
    case .film: "film"
    case .cinema: "cinema"
    case .station: "station"
    case .person: "person"
    case .restaurant: "restaurant"
    case .festival: "festival"
    case .session: "session"
    case .unknown(let name): name
    }
  }
}
