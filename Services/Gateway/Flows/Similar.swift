import Contracts

/// Which films are like another, as far as their programme tells.
nonisolated enum Similar {
  /// Those that share a director, then those that share genres, the most first; of equals in the order given.
  static func films(to film: Film, among others: [Film]) -> [Film] {
    let genres = Set(film.genres ?? [])
    let directors = Set(film.directors ?? [])
    let rated = others.filter { $0.id != film.id }.map { other in
      (
        film: other,
        score: directors.intersection(other.directors ?? []).count * 10 + genres.intersection(other.genres ?? []).count
      )
    }
    return rated.filter { $0.score > 0 }.enumerated()
      .sorted { ($1.element.score, $0.offset) < ($0.element.score, $1.offset) }.map(\.element.film)
  }
}
