package import Calendars
package import Clocks
package import RPC
import Wire

/// What changed in the schedule after a revision, and what changes from now on.
package struct ScheduleEvents: RPCStreamRequest, Hashable, WireLayout {
  package typealias Service = ScraperAPI
  package typealias Element = ScheduleEvent
  package static let method: MethodID = 0x0208

  package static let cinemasMax = 1_000

  /// Nil: only what changes from now on.
  package var since: Int64?
  /// At most ``cinemasMax``; nil: of all.
  package var cinemas: [CinemaID]?

  package init(since: Int64? = nil, cinemas: [CinemaID]? = nil) {
    self.since = since
    self.cinemas = cinemas
  }
}

/// One step of the schedule. The first of a stream has neither change nor source and tells where it begins.
package struct ScheduleEvent: Codable, Hashable, Sendable, WireLayout {
  package var revision: Int64
  /// The log does not reach back to `since`: read everything anew.
  package var isReset: Bool?
  package var change: ScheduleChange?
  /// A source whose state changed.
  package var source: ScheduleSource?

  package init(revision: Int64, isReset: Bool? = nil, change: ScheduleChange? = nil, source: ScheduleSource? = nil) {
    self.revision = revision
    self.isReset = isReset
    self.change = change
    self.source = source
  }
}

/// What one publication of a cinema's day changed.
package struct ScheduleChange: Codable, Hashable, Sendable, WireLayout {
  package var cinema: CinemaID
  package var date: CivilDate
  package var added: [ShowtimeID]
  /// Cancelled, or corrected away.
  package var removed: [ShowtimeID]
  package var changed: [ShowtimeChange]
  /// Films that were not on the programme before.
  package var listed: [FilmID]
  package var asOf: WallTime

  package init(
    cinema: CinemaID, date: CivilDate, added: [ShowtimeID], removed: [ShowtimeID], changed: [ShowtimeChange],
    listed: [FilmID], asOf: WallTime
  ) {
    self.cinema = cinema
    self.date = date
    self.added = added
    self.removed = removed
    self.changed = changed
    self.listed = listed
    self.asOf = asOf
  }
}

/// How one showing changed.
package struct ShowtimeChange: Codable, Hashable, Sendable, WireLayout {
  package var id: ShowtimeID
  package var kind: ShowtimeChangeKind
  package var film: FilmID?
  /// As people read it.
  package var before: String?
  /// As people read it.
  package var after: String?

  package init(
    id: ShowtimeID, kind: ShowtimeChangeKind, film: FilmID? = nil, before: String? = nil, after: String? = nil
  ) {
    self.id = id
    self.kind = kind
    self.film = film
    self.before = before
    self.after = after
  }
}

/// What about a showing changed.
package enum ShowtimeChangeKind: GrowingEnum {
  case moved
  case cancelled
  case soldOut
  /// Seats again.
  case available
  case screen
  /// Anything else that is shown.
  case details
  case unknown(String)

  package static let known: [ShowtimeChangeKind] = [.moved, .cancelled, .soldOut, .available, .screen, .details]

  package var rawValue: String {
    switch self {
    case .moved: "moved"
    case .cancelled: "cancelled"
    case .soldOut: "sold-out"
    case .available: "available"
    case .screen: "screen"
    case .details: "details"
    case .unknown(let name): name
    }
  }
}
