import Contracts
import JSON

/// What somebody can listen to.
nonisolated enum LiveTopic: Hashable, Sendable, LosslessStringConvertible {
  case cinema(CinemaID)
  case film(FilmID)
  case festival(FestivalID)
  /// What one station plays, and whether it can be heard.
  case station(StationID)
  /// Every cinema's programme.
  case schedule
  /// Where programmes come from.
  case sources
  /// Every station, as far as somebody listens to it.
  case radio
  /// What the session's user saves, on any device.
  case me

  static let form = "cinema:ID, film:ID, festival:ID, station:ID, schedule, sources, radio or me"
  static let words = ["schedule", "sources", "radio", "me", "cinema", "film", "festival", "station"]

  /// Whether the scraper's events are what it hears.
  var isOfSchedule: Bool {
    switch self {
    case .cinema, .film, .schedule, .sources: true
    case .festival, .station, .radio, .me: false
    }
  }

  init?(_ text: String) {
    switch text {
    case "schedule": self = .schedule
    case "sources": self = .sources
    case "radio": self = .radio
    case "me": self = .me
    default:
      guard let colon = text.firstIndex(of: ":") else { return nil }
      let id = String(text[text.index(after: colon)...])
      switch text[..<colon] {
      case "cinema":
        guard let id = CinemaID(id) else { return nil }
        self = .cinema(id)
      case "film":
        guard let id = FilmID(id) else { return nil }
        self = .film(id)
      case "festival":
        guard let id = FestivalID(id) else { return nil }
        self = .festival(id)
      case "station":
        guard let id = StationID(id) else { return nil }
        self = .station(id)
      default: return nil
      }
    }
  }

  /// The cinema that it is about.
  var cinema: CinemaID? {
    guard case .cinema(let id) = self else { return nil }
    return id
  }

  /// The station that it is about.
  var station: StationID? {
    guard case .station(let id) = self else { return nil }
    return id
  }

  var description: String {
    switch self {
    case .cinema(let id): "cinema:\(id)"
    case .film(let id): "film:\(id)"
    case .festival(let id): "festival:\(id)"
    case .station(let id): "station:\(id)"
    case .schedule: "schedule"
    case .sources: "sources"
    case .radio: "radio"
    case .me: "me"
    }
  }
}
