package import RPC
import Wire

/// The films most like another, and why.
package struct SimilarFilms: RPCRequest, Hashable, WireLayout {
  package typealias Service = FilmsAPI
  package typealias Response = [SuggestedFilm]
  package static let method: MethodID = 0x0404
  package static let safety: Safety = .read

  package static let limitMax = 100

  package var film: FilmID
  /// 1...``limitMax``.
  package var limit: Int

  package init(film: FilmID, limit: Int) {
    self.film = film
    self.limit = limit
  }
}

/// A film that somebody may like, and why.
package struct SuggestedFilm: Codable, Hashable, Sendable, WireLayout {
  package var film: CatalogueFilm
  /// Greater is better.
  package var score: Double
  /// The strongest first.
  package var reasons: [RecommendationReason]

  package init(film: CatalogueFilm, score: Double, reasons: [RecommendationReason]) {
    self.film = film
    self.score = score
    self.reasons = reasons
  }
}

/// One thing that speaks for a film.
package struct RecommendationReason: Codable, Hashable, Sendable, WireLayout {
  package var kind: RecommendationKind
  /// Which of the user's films led to it.
  package var film: Film?
  /// What both have: a director's name, a genre's word, a country.
  package var word: String?
  /// Its part of the score, 0...1.
  package var share: Double?

  package init(kind: RecommendationKind, film: Film? = nil, word: String? = nil, share: Double? = nil) {
    self.kind = kind
    self.film = film
    self.word = word
    self.share = share
  }
}

/// What speaks for a film.
package enum RecommendationKind: GrowingEnum {
  /// People who like the one like the other.
  case liked
  case director
  case cast
  case genre
  case country
  case years
  case popular
  case unknown(String)

  package static let known: [RecommendationKind] = [.liked, .director, .cast, .genre, .country, .years, .popular]

  package var rawValue: String {
    switch self {
    case .liked: "liked"
    case .director: "director"
    case .cast: "cast"
    case .genre: "genre"
    case .country: "country"
    case .years: "years"
    case .popular: "popular"
    case .unknown(let name): name
    }
  }
}
