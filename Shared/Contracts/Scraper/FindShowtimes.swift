package import Calendars
package import Clocks
package import RPC
import Wire

/// Showings that match every filter given, a page at a time.
package struct FindShowtimes: RPCRequest, Hashable, WireLayout {
  package typealias Service = ScraperAPI
  package typealias Response = ShowtimePage
  package static let method: MethodID = 0x0203
  package static let safety: Safety = .read

  package static let cinemasMax = 1_000
  package static let filmsMax = 500
  package static let limitMax = 500

  /// At most ``cinemasMax``; nil: of all.
  package var cinemas: [CinemaID]?
  /// At most ``filmsMax``.
  package var films: [FilmID]?
  /// The service date.
  package var date: CivilDate?
  /// Starting no earlier; nil without a date: now.
  package var from: WallTime?
  /// Starting earlier.
  package var to: WallTime?
  package var endsBefore: WallTime?
  /// Printed time.
  package var startAfter: DisplayTime?
  /// Printed time.
  package var startBefore: DisplayTime?
  /// All of them.
  package var attributes: [String]?
  package var hidesSoldOut: Bool?
  package var includesCancelled: Bool?
  /// By start, or in the order of `cinemas` and then by start.
  package var order: ShowtimeOrder?
  /// `next` of the page before.
  package var after: String?
  /// 1...``limitMax``.
  package var limit: Int
  /// With one of each, besides `attributes`.
  package var choices: [AttributeChoice]?

  package init(
    cinemas: [CinemaID]? = nil, films: [FilmID]? = nil, date: CivilDate? = nil, from: WallTime? = nil,
    to: WallTime? = nil, endsBefore: WallTime? = nil, startAfter: DisplayTime? = nil, startBefore: DisplayTime? = nil,
    attributes: [String]? = nil, hidesSoldOut: Bool? = nil, includesCancelled: Bool? = nil, order: ShowtimeOrder? = nil,
    after: String? = nil, limit: Int, choices: [AttributeChoice]? = nil
  ) {
    self.cinemas = cinemas
    self.films = films
    self.date = date
    self.from = from
    self.to = to
    self.endsBefore = endsBefore
    self.startAfter = startAfter
    self.startBefore = startBefore
    self.attributes = attributes
    self.hidesSoldOut = hidesSoldOut
    self.includesCancelled = includesCancelled
    self.order = order
    self.after = after
    self.limit = limit
    self.choices = choices
  }
}

/// Attributes of which a showing is to have one. A trailing colon stands for any language: `subtitled:`.
package struct AttributeChoice: Codable, Hashable, Sendable, WireLayout {
  package var attributes: [String]

  package init(_ attributes: [String]) {
    self.attributes = attributes
  }

  package func admits(_ found: [String]) -> Bool {
    attributes.contains { wanted in
      wanted.utf8.last == UInt8(ascii: ":")
        ? found.contains { $0.utf8.starts(with: wanted.utf8) || $0.utf8.elementsEqual(wanted.utf8.dropLast()) }
        : found.contains(wanted)
    }
  }
}

/// Showings, and what they refer to.
package struct ShowtimePage: Codable, Hashable, Sendable, WireLayout {
  package var showtimes: [Showtime]
  /// Each once; of many with long texts the later ones in short: ``FilmBudget``.
  package var films: [Film]
  /// Each once.
  package var sources: [ScheduleSource]
  /// Ask for the next page with it; nil at the end.
  package var next: String?
  package var revision: Int64

  package init(showtimes: [Showtime], films: [Film], sources: [ScheduleSource], next: String? = nil, revision: Int64) {
    self.showtimes = showtimes
    self.films = films
    self.sources = sources
    self.next = next
    self.revision = revision
  }
}

/// In which order showings come.
package enum ShowtimeOrder: GrowingEnum {
  case startsAt
  case cinemas
  case unknown(String)

  package static let known: [ShowtimeOrder] = [.startsAt, .cinemas]

  package var rawValue: String {
    switch self {
    case .startsAt: "starts_at"
    case .cinemas: "cinemas"
    case .unknown(let name): name
    }
  }
}
