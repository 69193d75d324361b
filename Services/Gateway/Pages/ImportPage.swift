import Contracts
import JSON

/// What came of an import, row by row.
nonisolated struct ImportPage: Shaped, Equatable {
  var result: ItemsImported
  var rows: [ImportRow]
  var ignoredColumns: [String]

  static let shape = Shape<ImportPage>(
    "Imported", "What came of an import.",
    [
      .required("added", "") { $0.result.added },
      .required("unchanged", "Saved already.") { $0.result.unchanged },
      .required("rev", "The user's revision now.") { $0.result.revision },
      .required("rows", "In the order of what was sent.") { $0.rows },
      .optional("ignored_columns", "Of a table: nobody reads them.") { page in
        page.ignoredColumns.isEmpty ? nil : page.ignoredColumns
      },
    ])
}

/// One thing that was to be saved, and what came of it.
nonisolated struct ImportRow: Shaped, Equatable {
  enum Outcome: String, CaseIterable {
    case taken, known
    case notFound = "not_found"
    case refused
  }

  /// Why a row is refused, for programs that say it in their reader's words.
  enum Reason: String, CaseIterable {
    case unknownKind = "unknown_kind"
    case badID = "bad_id"
    case badYear = "bad_year"
    case longNote = "long_note"
    case longName = "long_name"
    case noName = "no_name"
    case noID = "no_id"
    /// It is no line of a table: a quote that is not closed, text that is not UTF-8.
    case unreadable
  }

  /// Where it stands in what was sent.
  enum Place: Equatable {
    case line(Int)
    case pointer(String)
  }

  var place: Place
  var kind: ItemKind = .film
  var id: String?
  /// What a film is called, where no id is given; later what the film is called that was meant.
  var title: String?
  var year: Int?
  var note: String?
  /// Nil until it is known.
  var outcome: Outcome?
  /// Why it was not saved, and what to do.
  var detail: String?
  var reason: Reason?
  var candidates: [MeantFilm] = []

  init(at place: Place) { self.place = place }

  mutating func end(_ outcome: Outcome, _ detail: String, candidates: [MeantFilm] = []) {
    self.outcome = outcome
    self.detail = detail
    self.candidates = candidates
  }

  mutating func refuse(_ reason: Reason, _ detail: String) {
    end(.refused, detail)
    self.reason = reason
  }

  /// It was saved, whatever is known of it by now.
  mutating func take() {
    (outcome, detail, candidates) = (.taken, nil, [])
  }

  private var line: Int? { if case .line(let line) = place { line } else { nil } }
  private var pointer: String? { if case .pointer(let pointer) = place { pointer } else { nil } }

  static let shape = Shape<ImportRow>(
    "ImportedRow", "One thing that was to be saved.",
    [
      .optional("line", "Of a table, from 1, its head included.") { $0.line },
      .optional("pointer", "Of JSON: a JSON Pointer.") { $0.pointer },
      .required("outcome", "", as: .words(Outcome.allCases.map(\.rawValue))) { row in
        (row.outcome ?? .refused).rawValue
      },
      .optional("kind", "What it is, if it is no film.") { $0.kind == .film ? nil : $0.kind.rawValue },
      .optional("film_id", "Of the film that is saved, or was asked for.") { $0.kind == .film ? $0.id : nil },
      .optional("id", "Of what is no film.") { $0.kind == .film ? nil : $0.id },
      .optional("title", "") { $0.title },
      .optional("detail", "Why it was not saved, and what to do.") { $0.detail },
      .optional("reason", "Of what was refused: the same in a word.", as: .words(Reason.allCases.map(\.rawValue))) {
        $0.reason?.rawValue
      },
      .optional("did_you_mean", "Films that may be meant, the likeliest first.") { row in
        row.candidates.isEmpty ? nil : row.candidates
      },
    ])
}

/// A film that a row may mean: enough to recognise it, and to ask for it.
nonisolated struct MeantFilm: Shaped, Equatable {
  var id: FilmID
  /// As the reader calls it.
  var title: String
  var year: Int?

  init(_ film: Film, in language: Language?) {
    (id, title, year) = (film.id, FilmItem.title(of: film, in: language), film.year)
  }

  static let shape = Shape<MeantFilm>(
    "MeantFilm", "A film that a row may mean.",
    [
      .required("film_id", "") { $0.id },
      .required("title", "") { $0.title },
      .optional("year", "") { $0.year },
    ])
}
