import Calendars
import Contracts
import Directories
import Drafts
import FilmFiles
import JSON
import ServiceKit

/// How films and what was done to them look.
nonisolated extension Report {
  /// - Parameters:
  ///   - showing: what plays, if the list is about that: then each film is told with its showings to come.
  ///   - remedies: a command for each film, if it is about those of which little is known.
  init(films: [CatalogueFilm], showing: [FilmShowing]? = nil, settledBy remedies: [String]? = nil) {
    var columns = [
      Column("id"), Column("title", shrinks: true), Column("original_title", shrinks: true),
      Column("year", alignment: .right), Column("countries"), Column("directors", shrinks: true),
      Column("genres", shrinks: true), Column("runtime_min", title: "min", alignment: .right),
    ]
    if showing != nil {
      columns += [Column("showtimes", alignment: .right), Column("next"), Column("cinema"), Column("last")]
    }
    if remedies != nil { columns.append(Column("remedy", title: "try")) }
    let playing = Dictionary((showing ?? []).map { ($0.film.id, $0) }) { first, _ in first }
    self.init(
      columns,
      rows: films.enumerated().map { place, entry in
        let film = entry.film
        var facts: [Cell] = [
          "\(film.id.text)", "\(film.title)", .text(film.originalTitle), .number(film.year), .words(film.countries),
          .words(film.directors), .words(film.genres), .number(film.runtimeMinutes),
        ]
        if let remedies { facts.append(remedies.indices.contains(place) ? "\(remedies[place])" : .none) }
        guard showing != nil else { return facts }
        guard let plays = entry.ids.lazy.compactMap({ playing[$0] }).first else {
          return facts + Array(repeating: Cell.none, count: 4)
        }
        return facts + [
          .number(plays.showtimes), "\(plays.next.serviceDate) \(plays.next.displayTime)",
          "\(plays.next.cinema.text)", "\(Timestamp(plays.last))",
        ]
      })
  }

  /// Every field.
  init(film entry: CatalogueFilm) {
    self.init(item: FilmField.allCases.map { field in (Column(field.rawValue), Cell(field, of: entry)) })
  }

  /// - Parameter weighs: whether each reason's share is shown too; in JSON it is in any case.
  init(recommended: [SuggestedFilm], weighs: Bool = false) {
    let columns = [
      Column("id"), Column("title", shrinks: true), Column("year", alignment: .right),
      Column("score", alignment: .right), Column("reasons", shrinks: true),
    ]
    self.init(
      columns,
      rows: recommended.map { one in
        [
          "\(one.film.film.id.text)", "\(one.film.film.title)", .number(one.film.film.year),
          .number(one.score, digits: 2),
          Cell(
            one.reasons.map { weighs ? $0.weighed : $0.shown }.joined(separator: "; "),
            json: .array(
              one.reasons.map { reason in
                .object(
                  JSONObject([
                    ("kind", .string(reason.kind.rawValue)),
                    ("film", reason.film.map { .string($0.id.text) } ?? .null),
                    ("word", reason.word.map { .string($0) } ?? .null),
                    ("share", reason.share.map { .double($0) } ?? .null),
                  ]))
              })),
        ]
      })
  }

  init(taught: [TaughtTitle]) {
    self.init(
      [Column("title", shrinks: true), Column("film")], rows: taught.map { ["\($0.title)", "\($0.film.text)"] })
  }

  init(faults: [PosterFault]) {
    self.init(
      [Column("shelf"), Column("picture", shrinks: true), Column("fault", shrinks: true)],
      rows: faults.map { ["\($0.place.shelf.rawValue)", "\($0.place.key)", Cell($0.fault, .bad)] })
  }

  init(pictured: [PosterNews]) {
    self.init(
      [
        Column("film"), Column("title", shrinks: true), Column("bytes", alignment: .right),
        Column("address", shrinks: true), Column("problem", shrinks: true),
      ],
      rows: pictured.map { news in
        [
          .text(news.film?.text), .text(news.title), .number(news.bytes), .text(news.address),
          news.problem.map { Cell($0, .bad) } ?? .none,
        ]
      })
  }

  init(swept: [SweptPoster]) {
    self.init(
      [Column("shelf"), Column("picture", shrinks: true), Column("bytes", alignment: .right)],
      rows: swept.map { ["\($0.place.shelf.rawValue)", "\($0.place.key)", .number($0.bytes)] })
  }

  init(match: TitleMatch) {
    let columns = [
      Column("id"), Column("title", shrinks: true), Column("year", alignment: .right),
      Column("score", alignment: .right), Column("parts", shrinks: true),
    ]
    let meant = match.films ?? [match.film].compactMap(\.self)
    let rows = match.candidates.map { candidate -> [Cell] in
      [
        Cell(candidate.film.id.text, meant.contains(candidate.film.id) ? .good : .plain), "\(candidate.film.title)",
        .number(candidate.film.year), .number(candidate.score, digits: 2),
        "\(candidate.parts.map(\.shown).joined(separator: ", "))",
      ]
    }
    self.init(
      columns, rows: rows,
      document: [
        "name": .string(match.name), "film": match.film.map { .string($0.text) } ?? .null,
        "films": .array(meant.map { .string($0.text) }),
        "year": match.year.map { .int(Int64($0)) } ?? .null,
        "attributes": .array(match.attributes.map { .string($0) }),
        "removed": .array(match.removed.map { .string($0) }), "data": .array(match.candidates.map(\.json)),
      ])
  }

  init(person page: PersonPage) {
    let columns = [
      Column("role"), Column("id"), Column("title", shrinks: true), Column("year", alignment: .right),
    ]
    let roles = [("director", page.directed), ("writer", page.wrote), ("cast", page.playedIn)]
    self.init(
      columns,
      rows: roles.flatMap { role, films in
        films.map { ["\(role)", "\($0.film.id.text)", "\($0.film.title)", .number($0.film.year)] }
      })
  }

  init(edits: [FilmEdit]) {
    let columns = [
      Column("revision", alignment: .right), Column("at"), Column("editor"), Column("film"), Column("kind"),
      Column("title", shrinks: true), Column("fields", shrinks: true), Column("job", visible: false),
    ]
    self.init(
      columns,
      rows: edits.map { edit in
        [
          edit.revision > 0 ? .number(Int(edit.revision)) : .none, "\(Timestamp(edit.at))", "\(edit.editor)",
          "\(edit.film.text)", Cell(edit.kind.rawValue, edit.kind.tone), "\(edit.title)",
          Cell(fields: edit.fields, shown: edit.shownFields), edit.job.map { .number(Int($0)) } ?? .none,
        ]
      })
  }
}

nonisolated extension Report.Cell {
  fileprivate static func words(_ words: [String]?) -> Report.Cell {
    let words = words ?? []
    return Report.Cell(words.joined(separator: ", "), json: .array(words.map { .string($0) }))
  }

  fileprivate init(_ field: FilmField, of entry: CatalogueFilm) {
    guard let text = field.text(of: entry) else {
      self = field.isList ? .words(nil) : .none
      return
    }
    switch field {
    case .year, .runtime, .votes, .budget, .revenue: self = .number(Int(text))
    case .score: self = .number(entry.score, digits: 1)
    case .popularity: self = .number(entry.popularity, digits: 2)
    case .demo: self = .flag(true)
    default: self = field.isList ? .words(text.split(separator: FilmField.separator).map(String.init)) : .text(text)
    }
  }
}

nonisolated extension TitleScorePart {
  /// `year +0.25 (2023, 2023)`
  fileprivate var shown: String {
    "\(name) \(score < 0 ? "−" : "+")\(Int((abs(score) * 100).rounded()))% (\(note))"
  }
}

nonisolated extension TitleCandidate {
  fileprivate var json: JSONValue {
    [
      "id": .string(film.id.text), "title": .string(film.title),
      "year": film.year.map { .int(Int64($0)) } ?? .null, "score": .double(score),
      "parts": .array(
        parts.map { ["name": .string($0.name), "score": .double($0.score), "note": .string($0.note)] }),
    ]
  }
}

nonisolated extension RecommendationReason {
  /// `director 봉준호, as in 괴물`
  fileprivate var shown: String {
    [[kind.rawValue, word].compactMap(\.self).joined(separator: " "), film.map { "as in \($0.title)" }]
      .compactMap(\.self).joined(separator: ", ")
  }

  /// `director 봉준호, as in 괴물 (43 %)`
  fileprivate var weighed: String {
    shown + (share.map { " (\(Int(($0 * 100).rounded())) %)" } ?? "")
  }
}

nonisolated extension FilmEdit {
  /// What a line has room for: a film that comes or goes is its title, which stands there already.
  fileprivate var shownFields: String? {
    switch kind {
    case .added, .removed: ""
    case .changed, .merged, .taught, .forgotten, .pictured: nil
    }
  }
}

nonisolated extension FilmEdit.Kind {
  fileprivate var tone: Tone {
    switch self {
    case .added: .good
    case .changed, .merged, .taught, .forgotten, .pictured: .warning
    case .removed: .bad
    }
  }
}
