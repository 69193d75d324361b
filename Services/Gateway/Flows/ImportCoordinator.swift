import Contracts
import Crypto
import HTTP
import JSON
import RPC

/// Saving many things at once: what a user exported here or wrote down elsewhere.
final class ImportCoordinator: Coordinator {
  private let bookmarks: any RPCClient<BookmarksAPI>
  private let films: any RPCClient<FilmsAPI>
  private let lookup: FilmLookup

  private enum Limits {
    /// What the catalogue takes in one message.
    static let titles = 200
    static let ids = 500
    /// Films that a row may mean: more are not read.
    static let candidates = 3
  }

  init(
    bookmarks: any RPCClient<BookmarksAPI>, scraper: any RPCClient<ScraperAPI>, films: any RPCClient<FilmsAPI>
  ) {
    self.bookmarks = bookmarks
    self.films = films
    lookup = FilmLookup(scraper: scraper, films: films)
  }

  var endpoints: [Endpoint] {
    [
      Endpoint(
        .post, "/v1/me/bookmarks/import", "importBookmarks",
        "Saves many films at once, and tells of each what came of it. All that can be saved is, or nothing.", .me,
        access: .user, fields: [.idempotencyKey], body: BookmarkImport.form,
        answers: [.json("What came of it.", ImportPage.schema)]
      ) { [self] asking in try await takeIn(asking) }
    ]
  }

  private func takeIn(_ asking: Asking) async throws -> Answer {
    let user = try asking.someone()
    var list = try ImportList(asking)
    let key = try asking.key(for: user) ?? .fresh()
    try await findByName(&list.rows, asking)
    try await findByID(&list.rows, asking)

    let wanted = list.rows.indices.filter { list.rows[$0].outcome == nil }
    let items = wanted.map { place in
      let row = list.rows[place]
      return NewItem(kind: row.kind, id: row.id ?? "", note: row.note, place: place)
    }
    var options = asking.options
    options.key = key
    // The catalogue may know other films when a lost answer is asked for again: what was sent is the same.
    let asked = Array(SHA256.digest(of: asking.request.body))
    let result = try await bookmarks.call(ImportItems(user: user, items: items, asked: asked), options)
    for place in wanted { list.rows[place].outcome = .known }
    for place in result.addedPlaces ?? [] where list.rows.indices.contains(place) { list.rows[place].take() }
    return Answer.json(ImportPage(result: result, rows: list.rows, ignoredColumns: list.ignoredColumns))
      .replayed(result.isReplay)
  }

  // MARK: Which films are meant

  private func findByName(_ rows: inout [ImportRow], _ asking: Asking) async throws {
    for places in rows.places({ $0.outcome == nil && $0.id == nil }, each: Limits.titles) {
      let titles = places.map { PrintedFilm(title: rows[$0].title ?? "", year: rows[$0].year) }
      let matches = try await films.call(
        MatchTitles(titles: titles, limit: Limits.candidates), asking.options)
      for (place, match) in zip(places, matches) {
        rows[place].id = match.film?.text
        guard match.film == nil else { continue }
        rows[place].end(
          .notFound,
          match.candidates.isEmpty
            ? "the catalogue has no film of this name" : "no film is surely meant; give its film_id, or its year",
          candidates: match.candidates.map(\.film))
      }
    }
  }

  /// Gives films their ids of today. While nobody can say whether there is such a film, the user is believed.
  private func findByID(_ rows: inout [ImportRow], _ asking: Asking) async throws {
    for places in rows.places({ $0.outcome == nil && $0.kind == .film }, each: Limits.ids) {
      let found = await lookup.films(places.compactMap { rows[$0].id.flatMap { FilmID($0) } }, asking)
      if let failure = found.failure, !failure.isTransient { throw failure }
      for place in places {
        if let film = rows[place].id.flatMap({ FilmID($0) }).flatMap({ found.films[$0] })?.film {
          rows[place].id = film.id.text
          rows[place].title = film.title
        } else if found.failure == nil {
          rows[place].end(.notFound, "no film has this id")
        }
      }
    }
  }
}

/// How an import is sent.
nonisolated enum BookmarkImport {
  /// A thousand rows with some words each.
  static let bytesMax = 1 << 20
  /// One transaction, and some messages to the catalogue.
  static let rowsMax = 1_000
  /// What the catalogue reads of a name.
  static let titleBytesMax = 500
  static let noteMax = 2_000
  /// From before the first film to what is announced.
  static let years = 1_870...2_100
  static let revisions = 0...Int(Int32.max)

  /// What stands in an export besides what was saved.
  static let otherMembersOfExports = ["format", "exported_at", "user", "settings", "views", "plans"]

  static let form = BodyForm(
    schema: .oneOf([films, export]), bytesMax: bytesMax,
    otherTypes: [
      (
        "text/csv",
        .string(
          "Columns `name` and `year`, as Letterboxd writes them, or `film_id`; `note` and `kind`. Others are ignored.",
          examples: ["Date,Name,Year,Letterboxd URI\n2026-11-20,Tokyo Story,1953,https://boxd.it/2a4s\n"])
      )
    ])

  private static let note = Schema.string(length: 0...noteMax)

  private static let films = Schema.object([
    (
      "films",
      .array(
        of: .object([("film_id", FilmID.schema, true), ("note", note, false)]), atMost: rowsMax, atLeast: 1),
      true
    )
  ])

  /// What `GET /v1/me/export` answered.
  private static let export: Schema = {
    let item = Schema.object([
      ("kind", .words(ItemKind.known.map(\.rawValue)), false), ("id", FilmID.schema, true), ("note", note, false),
      ("saved_at", .string(), false), ("removed_at", .string(), false), ("revision", .integer(revisions), false),
    ])
    let others = otherMembersOfExports.map { (name: $0, schema: Schema(JSONObject()), isRequired: false) }
    return .object([("items", .array(of: item, atMost: rowsMax, atLeast: 1), true)] + others)
  }()
}

nonisolated extension [ImportRow] {
  /// The places of those that are wanted, so many at a time.
  fileprivate func places(_ isWanted: (ImportRow) -> Bool, each count: Int) -> [[Int]] {
    let wanted = indices.filter { isWanted(self[$0]) }
    return stride(from: 0, to: wanted.count, by: count).map { start in
      [Int](wanted[start..<Swift.min(start + count, wanted.count)])
    }
  }
}
