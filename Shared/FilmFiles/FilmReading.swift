package import Contracts
package import Drafts

/// What a file held: drafts of films, and the rows that could not be read at all.
package struct FilmReading: Sendable {
  package var drafts: [FilmDraft] = []
  package var problems: [DraftProblems] = []
  /// What of the whole file was not taken, as a sentence.
  package var remark: String?
  /// Of an upstream, where nobody can mend a record: what is odd is left out of it, and the rest is taken.
  package var leavesOddFieldsOut = false

  package init() {}

  /// The films of the rows that are right.
  package func checked() -> CheckedFilms {
    var checked = CheckedFilms(problems: problems)
    for draft in drafts {
      do throws(DraftProblems) {
        checked.add(try draft.film(), draft)
      } catch {
        if leavesOddFieldsOut, let film = try? draft.without(error.columns).film() {
          checked.add(film, draft)
          checked.remarks.append(error)
        } else {
          checked.problems.append(error)
        }
      }
    }
    return checked
  }

  /// The films of a file in which every row has to be right.
  package func films() throws(DraftProblems) -> [CatalogueFilm] {
    let checked = checked()
    if let first = (checked.problems + checked.remarks).first { throw first }
    return checked.films
  }
}

/// Films that were read, and what is wrong with the others.
package struct CheckedFilms: Sendable {
  package var films: [CatalogueFilm] = []
  /// Places of those in `films` whose ids nobody gave.
  package var unnamed: [Int] = []
  /// Rows that were left out.
  package var problems: [DraftProblems]
  /// Fields that were left out of what was read.
  package var remarks: [DraftProblems] = []

  init(problems: [DraftProblems]) { self.problems = problems }

  fileprivate mutating func add(_ film: CatalogueFilm, _ draft: FilmDraft) {
    if !draft.hasID { unnamed.append(films.count) }
    films.append(film)
  }
}

extension FilmDraft {
  /// Without an id it would be another film, so that one stays, and is refused.
  fileprivate func without(_ columns: Set<String>) -> FilmDraft {
    var draft = self
    for field in FilmField.allCases where columns.contains(field.rawValue) && field != .id { draft[field] = nil }
    return draft
  }
}
