package import RPC
import Wire

/// Which films printed titles mean, with the parts of each candidate's score.
package struct MatchTitles: RPCRequest, Hashable, WireLayout {
  package typealias Service = FilmsAPI
  package typealias Response = [TitleMatch]
  package static let method: MethodID = 0x0405
  package static let safety: Safety = .read

  package static let titlesMax = 200
  package static let limitMax = 20

  /// At most ``titlesMax``.
  package var titles: [PrintedFilm]
  /// Candidates for each, 1...``limitMax``.
  package var limit: Int

  package init(titles: [PrintedFilm], limit: Int) {
    self.titles = titles
    self.limit = limit
  }
}

/// A film as a programme names it.
package struct PrintedFilm: Codable, Hashable, Sendable, WireLayout {
  /// With all that stands around it: `[시네마톡] 괴물 (4K)`.
  package var title: String
  /// The same in other languages.
  package var titles: [String]?
  package var year: Int?
  package var directors: [String]?
  package var runtimeMinutes: Int?

  package init(
    title: String, titles: [String]? = nil, year: Int? = nil, directors: [String]? = nil, runtimeMinutes: Int? = nil
  ) {
    self.title = title
    self.titles = titles
    self.year = year
    self.directors = directors
    self.runtimeMinutes = runtimeMinutes
  }
}

/// What a printed title means.
package struct TitleMatch: Codable, Hashable, Sendable, WireLayout {
  /// Without what was printed around it.
  package var name: String
  /// `subtitled`, `gv`, `4k`: what was.
  package var attributes: [String]
  /// What was taken away, as printed.
  package var removed: [String]
  package var year: Int?
  /// The one that it means; nil if none is good enough, or two are equally good.
  package var film: FilmID?
  /// The best first.
  package var candidates: [TitleCandidate]
  /// Where several films are shown one after the other: each of them, in the order of the print. `film` is nil then.
  package var films: [FilmID]?

  package init(
    name: String, attributes: [String], removed: [String], year: Int? = nil, film: FilmID? = nil,
    candidates: [TitleCandidate], films: [FilmID]? = nil
  ) {
    self.name = name
    self.attributes = attributes
    self.removed = removed
    self.year = year
    self.film = film
    self.candidates = candidates
    self.films = films
  }
}

/// A film that a title may mean.
package struct TitleCandidate: Codable, Hashable, Sendable, WireLayout {
  package var film: Film
  /// The sum of its parts.
  package var score: Double
  package var parts: [TitleScorePart]

  package init(film: Film, score: Double, parts: [TitleScorePart]) {
    self.film = film
    self.score = score
    self.parts = parts
  }
}

/// What one fact adds to a candidate's score, or takes from it.
package struct TitleScorePart: Codable, Hashable, Sendable, WireLayout {
  /// `title`, `year`, `director`, `runtime`.
  package var name: String
  package var score: Double
  /// What was compared: `괴물 = 괴물`.
  package var note: String

  package init(name: String, score: Double, note: String) {
    self.name = name
    self.score = score
    self.note = note
  }
}
