import Contracts
import FilmFiles
import TextSearch

/// Whether two records are of one film.
nonisolated extension CatalogueFilm {
  /// Whether there is enough to take a film, which came without an id, for this one: they have a title in common,
  /// nothing speaks against it, and the year, a director, or else all that both say speaks for it.
  func isSurely(_ other: CatalogueFilm) -> Bool {
    guard !excludes(other), sharesTitle(with: other) else { return false }
    if film.year != nil, other.film.year != nil { return true }
    if TitleMatcher.sharesName(film.directors ?? [], other.film.directors ?? []) == true { return true }
    return Self.facts.allSatisfy { field in
      guard let mine = field.text(of: self), let theirs = field.text(of: other) else { return true }
      return mine == theirs
    }
  }

  /// Whether something speaks against it that no likeness outweighs: other directors, a year far off, or another
  /// number where both were numbered.
  func excludes(_ other: CatalogueFilm) -> Bool {
    if TitleMatcher.sharesName(film.directors ?? [], other.film.directors ?? []) == false { return true }
    if let year = film.year, let otherYear = other.film.year, abs(year - otherYear) > 1 { return true }
    let (mine, theirs) = (Self.numbers(film.externalIDs), Self.numbers(other.film.externalIDs))
    return mine.contains { source, ids in theirs[source].map { $0.isDisjoint(with: ids) } ?? false }
  }

  /// What a film is, as opposed to what is said about it.
  private static let facts: [FilmField] = [.originalTitle, .language, .year, .releasedOn, .countries, .runtime]

  private func sharesTitle(with other: CatalogueFilm) -> Bool {
    let titles = Set(film.searchedTitles.map { FoldedText($0).text })
    return other.film.searchedTitles.contains { titles.contains(FoldedText($0).text) }
  }

  /// By source: `tmdb:843` is of `tmdb`.
  private static func numbers(_ ids: [String]?) -> [Substring: Set<String>] {
    Dictionary(grouping: ids ?? []) { $0.prefix { $0 != ":" } }.mapValues(Set.init)
  }
}
