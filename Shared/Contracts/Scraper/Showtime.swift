package import Calendars
package import Clocks
import Wire

/// One showing of a film.
package struct Showtime: Codable, Hashable, Sendable, WireLayout {
  /// `show_` and letters; it stays when the time is moved, if the source has an id of its own for the showing.
  package var id: ShowtimeID
  package var cinema: CinemaID
  /// Nil if it is no film, or cannot be told.
  package var film: FilmID?
  /// As the cinema prints it.
  package var title: String
  package var startsAt: WallTime
  /// The cinema's day that it belongs to.
  package var serviceDate: CivilDate
  /// As printed: `24:30`.
  package var displayTime: DisplayTime
  /// Told by the source, or the start and the film's length.
  package var endsAt: WallTime?
  package var screen: String?
  package var seats: Seats?
  /// `subtitled`, `gv`, `35mm`: what stood beside the title or the time.
  package var attributes: [String]
  package var bookingURL: String?
  package var state: ShowtimeState
  /// The day or half-day was inferred, not printed.
  package var isInferred: Bool?
  /// Times it has been changed since it was first seen: a calendar's SEQUENCE.
  package var changes: Int?
  package var firstSeen: WallTime
  package var lastSeen: WallTime
  /// The revision of the schedule that last changed it.
  package var revision: Int64

  package init(
    id: ShowtimeID, cinema: CinemaID, film: FilmID? = nil, title: String, startsAt: WallTime, serviceDate: CivilDate,
    displayTime: DisplayTime, endsAt: WallTime? = nil, screen: String? = nil, seats: Seats? = nil, attributes: [String],
    bookingURL: String? = nil, state: ShowtimeState, isInferred: Bool? = nil, changes: Int? = nil, firstSeen: WallTime,
    lastSeen: WallTime, revision: Int64
  ) {
    self.id = id
    self.cinema = cinema
    self.film = film
    self.title = title
    self.startsAt = startsAt
    self.serviceDate = serviceDate
    self.displayTime = displayTime
    self.endsAt = endsAt
    self.screen = screen
    self.seats = seats
    self.attributes = attributes
    self.bookingURL = bookingURL
    self.state = state
    self.isInferred = isInferred
    self.changes = changes
    self.firstSeen = firstSeen
    self.lastSeen = lastSeen
    self.revision = revision
  }
}

/// How full it is.
package struct Seats: Codable, Hashable, Sendable, WireLayout {
  package var state: SeatState
  package var left: Int?
  package var total: Int?

  package init(state: SeatState, left: Int? = nil, total: Int? = nil) {
    self.state = state
    self.left = left
    self.total = total
  }
}

/// How full a showing is.
package enum SeatState: GrowingEnum {
  case available
  case few
  case soldOut
  case unknown(String)

  package static let known: [SeatState] = [.available, .few, .soldOut]

  package var rawValue: String {
    switch self {
    case .available: "available"
    case .few: "few"
    case .soldOut: "sold-out"
    case .unknown(let name): name
    }
  }
}

/// Whether a showing will happen.
package enum ShowtimeState: GrowingEnum {
  case scheduled
  /// It vanished from the programme before its start; kept for 48 hours.
  case cancelled
  case unknown(String)

  package static let known: [ShowtimeState] = [.scheduled, .cancelled]

  package var rawValue: String {
    switch self {
    case .scheduled: "scheduled"
    case .cancelled: "cancelled"
    case .unknown(let name): name
    }
  }
}
