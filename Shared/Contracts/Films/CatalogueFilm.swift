package import Calendars
import Wire

/// A film as the catalogue knows it.
package struct CatalogueFilm: Codable, Hashable, Sendable, WireLayout {
  /// Its id is the one of today: that of its showings, once it has played anywhere. Genres are ``FilmGenre``'s words,
  /// countries ISO 3166.
  package var film: Film
  /// Every other id that leads to it, for ever.
  package var otherIDs: [FilmID]?
  /// BCP 47, of the original title.
  package var language: String?
  package var writers: [String]?
  package var releasedOn: CivilDate?
  /// US dollars.
  package var budget: Int64?
  package var revenue: Int64?
  /// 0...10, as people elsewhere rate it.
  package var score: Double?
  package var votes: Int?
  /// Greater is more asked for; only good for putting films in order.
  package var popularity: Double?
  /// What the source wants said where its facts are shown.
  package var credit: String?
  /// Trailers and the like, the most telling first.
  package var videos: [FilmVideo]?
  /// What else people of it are called: in their own letters, or in Latin ones. As stored; or with what any film tells of
  /// them, where the question says so.
  package var otherNames: [PersonName]?

  package init(
    film: Film, otherIDs: [FilmID]? = nil, language: String? = nil, writers: [String]? = nil,
    releasedOn: CivilDate? = nil, budget: Int64? = nil, revenue: Int64? = nil, score: Double? = nil,
    votes: Int? = nil, popularity: Double? = nil, credit: String? = nil, videos: [FilmVideo]? = nil,
    otherNames: [PersonName]? = nil
  ) {
    self.film = film
    self.otherIDs = otherIDs
    self.language = language
    self.writers = writers
    self.releasedOn = releasedOn
    self.budget = budget
    self.revenue = revenue
    self.score = score
    self.votes = votes
    self.popularity = popularity
    self.credit = credit
    self.videos = videos
    self.otherNames = otherNames
  }

  /// Every id that leads to it, that of today first.
  package var ids: [FilmID] { [film.id] + (otherIDs ?? []) }
}

/// Two names of one person: `Bong Joon-ho`, as the film's lists of people have it, and `봉준호`.
package struct PersonName: Codable, Hashable, Sendable, WireLayout {
  package var name: String
  package var other: String

  package init(_ name: String, other: String) {
    self.name = name
    self.other = other
  }
}

/// A film's trailer, or another short film about it, where others show it.
package struct FilmVideo: Codable, Hashable, Sendable, WireLayout {
  /// One of ``sites``.
  package var site: String
  /// What the site calls it: letters, digits, `-` and `_`.
  package var key: String
  package var name: String?

  /// Nil for a site whose addresses are not known, or a key that would not stay one part of an address.
  package init?(site: String, key: String, name: String? = nil) {
    let isPlain = key.utf8.allSatisfy { byte in
      (48...57).contains(byte) || (65...90).contains(byte & 0xDF) || byte == 45 || byte == 95
    }
    guard Self.sites[site] != nil, isPlain, (1...Self.keyMax).contains(key.utf8.count) else { return nil }
    self.site = site
    self.key = key
    self.name = name
  }

  /// Nil only for one that was not made here.
  package var url: String? { Self.sites[site].map { $0 + key } }

  /// Where the videos of each site are.
  package static let sites = ["youtube": "https://www.youtube.com/watch?v=", "vimeo": "https://vimeo.com/"]
  /// Both use eleven at most today.
  private static let keyMax = 40
}
