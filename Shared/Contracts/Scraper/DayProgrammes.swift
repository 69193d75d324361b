package import Calendars
package import RPC
import Wire

/// What cinemas show on a day, in the order of `cinemas`.
package struct DayProgrammes: RPCRequest, Hashable, WireLayout {
  package typealias Service = ScraperAPI
  package typealias Response = [DayProgramme]
  package static let method: MethodID = 0x0202
  package static let safety: Safety = .read

  package static let cinemasMax = 100

  /// At most ``cinemasMax``.
  package var cinemas: [CinemaID]
  /// Nil: each cinema's own today.
  package var date: CivilDate?

  package init(cinemas: [CinemaID], date: CivilDate? = nil) {
    self.cinemas = cinemas
    self.date = date
  }
}

/// A cinema's day: its films by their first start.
package struct DayProgramme: Codable, Hashable, Sendable, WireLayout {
  package var cinema: CinemaID
  package var date: CivilDate
  package var status: DayStatus
  package var films: [FilmProgramme]
  /// The next day with a showing, if this one has none.
  package var nextOpen: CivilDate?
  /// Of the whole schedule.
  package var revision: Int64
  package var source: ScheduleSource?

  package init(
    cinema: CinemaID, date: CivilDate, status: DayStatus, films: [FilmProgramme], nextOpen: CivilDate? = nil,
    revision: Int64, source: ScheduleSource? = nil
  ) {
    self.cinema = cinema
    self.date = date
    self.status = status
    self.films = films
    self.nextOpen = nextOpen
    self.revision = revision
    self.source = source
  }
}

/// A film's showings on a day, by start. Showings of no film stand alone, without one.
package struct FilmProgramme: Codable, Hashable, Sendable, WireLayout {
  package var film: Film?
  package var showtimes: [Showtime]

  package init(film: Film? = nil, showtimes: [Showtime]) {
    self.film = film
    self.showtimes = showtimes
  }
}
