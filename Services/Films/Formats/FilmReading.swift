package import Contracts

/// What a file held: drafts of films, and the rows that could not be read at all.
nonisolated package struct FilmReading: Sendable {
  package var drafts: [FilmDraft] = []
  package var problems: [DraftProblems] = []

  package init() {}

  /// The films of the rows that are right; the others are told in `problems`.
  package func checked() -> (films: [CatalogueFilm], problems: [DraftProblems]) {
    var films: [CatalogueFilm] = []
    var problems = problems
    for draft in drafts {
      do throws(DraftProblems) {
        films.append(try draft.film())
      } catch {
        problems.append(error)
      }
    }
    return (films, problems)
  }

  /// The films of a file in which every row has to be right.
  package func films() throws(DraftProblems) -> [CatalogueFilm] {
    let (films, problems) = checked()
    if let first = problems.first { throw first }
    return films
  }
}

/// A file that could not be read at all.
nonisolated package struct UnreadableFile: Error, Hashable, Sendable, CustomStringConvertible {
  package let description: String

  package init(_ description: String) { self.description = description }
}
