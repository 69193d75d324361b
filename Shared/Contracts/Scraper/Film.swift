import Wire

/// A film as its showings name it.
package struct Film: Codable, Hashable, Sendable, WireLayout {
  /// `film_` and letters.
  package var id: FilmID
  /// Without what was printed around it: `괴물`.
  package var title: String
  /// The same in other languages.
  package var titles: [FilmTitle]?
  package var originalTitle: String?
  package var year: Int?
  package var runtimeMinutes: Int?
  package var countries: [String]?
  package var genres: [String]?
  package var directors: [String]?
  package var cast: [String]?
  package var rating: AgeRating?
  package var synopsis: String?
  /// Where the source shows a poster; whoever serves it to people fetches it once and keeps its own.
  package var posterURL: String?
  /// Where the source tells more.
  package var pageURL: String?
  /// Ids elsewhere: `dtryx:012345`, `tmdb:843`.
  package var externalIDs: [String]?
  /// Invented, to try the software with.
  package var isDemo: Bool?
  /// Which picture the catalogue has for it, by a name that changes with the picture. ``PosterOfFilm`` gives it.
  package var poster: String?

  /// Years that a film may be of: from before the first one to what is announced.
  package static let years = 1_870...2_100

  package init(
    id: FilmID, title: String, titles: [FilmTitle]? = nil, originalTitle: String? = nil, year: Int? = nil,
    runtimeMinutes: Int? = nil, countries: [String]? = nil, genres: [String]? = nil, directors: [String]? = nil,
    cast: [String]? = nil, rating: AgeRating? = nil, synopsis: String? = nil, posterURL: String? = nil,
    pageURL: String? = nil, externalIDs: [String]? = nil, isDemo: Bool? = nil,
    poster: String? = nil
  ) {
    self.id = id
    self.title = title
    self.titles = titles
    self.originalTitle = originalTitle
    self.year = year
    self.runtimeMinutes = runtimeMinutes
    self.countries = countries
    self.genres = genres
    self.directors = directors
    self.cast = cast
    self.rating = rating
    self.synopsis = synopsis
    self.posterURL = posterURL
    self.pageURL = pageURL
    self.externalIDs = externalIDs
    self.isDemo = isDemo
    self.poster = poster
  }
}

/// A film's title in one language.
package struct FilmTitle: Codable, Hashable, Sendable, WireLayout {
  /// BCP 47: `ko`, `ja`, `en`.
  package var language: String
  package var text: String

  package init(language: String, text: String) {
    self.language = language
    self.text = text
  }
}

/// From which age a country lets people see it.
package struct AgeRating: Codable, Hashable, Sendable, WireLayout {
  /// `KMRB`, `BBFC`, `EIRIN`.
  package var system: String
  /// `ALL`, `12`, `15`, `18`.
  package var code: String

  package init(system: String, code: String) {
    self.system = system
    self.code = code
  }
}
