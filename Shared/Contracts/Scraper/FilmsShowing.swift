package import Clocks
package import RPC
import Wire

/// Which films play, where and how long still: by the number of showings to come.
package struct FilmsShowing: RPCRequest, Hashable, WireLayout {
  package typealias Service = ScraperAPI
  package typealias Response = [FilmShowing]
  package static let method: MethodID = 0x0207
  package static let safety: Safety = .read

  package static let filmsMax = 500
  package static let cinemasMax = 1_000
  package static let limitMax = 500
  /// One more: who is told of it knows that `limitMax` are not all.
  package static let askedMax = limitMax + 1

  /// At most ``filmsMax``; nil: all.
  package var films: [FilmID]?
  /// At most ``cinemasMax``; nil: all.
  package var cinemas: [CinemaID]?
  /// Nil: now.
  package var from: WallTime?
  package var to: WallTime?
  /// 1...``askedMax``.
  package var limit: Int

  package init(
    films: [FilmID]? = nil, cinemas: [CinemaID]? = nil, from: WallTime? = nil, to: WallTime? = nil, limit: Int
  ) {
    self.films = films
    self.cinemas = cinemas
    self.from = from
    self.to = to
    self.limit = limit
  }
}

/// A film's showings to come.
package struct FilmShowing: Codable, Hashable, Sendable, WireLayout {
  package var film: Film
  package var showtimes: Int
  package var cinemas: [CinemaID]
  /// The next.
  package var next: Showtime
  /// The last that is published.
  package var last: WallTime
  /// When it was first seen.
  package var since: WallTime?

  package init(film: Film, showtimes: Int, cinemas: [CinemaID], next: Showtime, last: WallTime, since: WallTime? = nil)
  {
    self.film = film
    self.showtimes = showtimes
    self.cinemas = cinemas
    self.next = next
    self.last = last
    self.since = since
  }
}
