package import RPC

/// Titles on programmes whose film nobody knows, or that is known by that name alone, the most frequent first.
package struct UnmatchedTitles: RPCRequest, Hashable {
  package typealias Service = ScraperAPI
  package typealias Response = [UnmatchedTitle]
  package static let method: MethodID = 0x0248
  package static let safety: Safety = .read

  /// 1...500.
  package var limit: Int

  package init(limit: Int) {
    self.limit = limit
  }
}

/// A title without a film, or whose film nothing is known of but the name.
package struct UnmatchedTitle: Codable, Hashable, Sendable {
  /// As printed.
  package var title: String
  package var showtimes: Int
  package var cinemas: [CinemaID]
  /// The film that has only this name; nil if there is none.
  package var film: FilmID?
  /// Another that may well be the same, and its title.
  package var likely: FilmID?
  package var likelyTitle: String?

  package init(
    title: String, showtimes: Int, cinemas: [CinemaID], film: FilmID? = nil, likely: FilmID? = nil,
    likelyTitle: String? = nil
  ) {
    self.title = title
    self.showtimes = showtimes
    self.cinemas = cinemas
    self.film = film
    self.likely = likely
    self.likelyTitle = likelyTitle
  }
}

/// Teaches that a printed title means a film, from now on and for what is published.
package struct MatchTitle: RPCRequest, Hashable {
  package typealias Service = ScraperAPI
  package typealias Response = MatchedTitle
  package static let method: MethodID = 0x0249
  package static let safety: Safety = .idempotent

  package var title: String
  package var film: FilmID

  package init(title: String, film: FilmID) {
    self.title = title
    self.film = film
  }
}

/// What a lesson changed.
package struct MatchedTitle: Codable, Hashable, Sendable {
  package var film: Film
  /// Published showings that have the film now.
  package var showtimes: Int

  package init(film: Film, showtimes: Int) {
    self.film = film
    self.showtimes = showtimes
  }
}

/// Says that two films are one. Both ids lead to it from now on.
package struct MergeFilms: RPCRequest, Hashable {
  package typealias Service = ScraperAPI
  package typealias Response = MatchedTitle
  package static let method: MethodID = 0x024f
  package static let safety: Safety = .idempotent

  package var first: FilmID
  package var second: FilmID

  package init(first: FilmID, second: FilmID) {
    self.first = first
    self.second = second
  }
}
