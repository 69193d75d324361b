package import Contracts

nonisolated extension FilmIndex {
  /// The films one of whose titles holds the text; those that begin with it first.
  package func find(_ text: String, limit: Int) -> [FilmHit] {
    let wanted = Array(text.trimmed.lowercased().utf8)
    guard !wanted.isEmpty else { return [] }
    var hits: [FilmHit] = []
    for film in films.values {
      for title in [film.title] + (film.titles?.map(\.text) ?? []) + [film.originalTitle].compactMap({ $0 }) {
        let bytes = Array(title.lowercased().utf8)
        guard bytes.count == title.utf8.count, let place = bytes.firstRange(of: wanted)?.lowerBound else { continue }
        let score = place == 0 ? (bytes.count == wanted.count ? 1.0 : 0.8) : 0.5
        hits.append(
          FilmHit(film: film, score: score, matched: title, highlights: [place, place + wanted.count]))
        break
      }
    }
    return Array(hits.sorted { ($1.score, $0.film.id) < ($0.score, $1.film.id) }.prefix(limit))
  }
}
