import Clocks
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
  /// Of imports that are not done yet.
  private var names = ImportedNames()

  private enum Limits {
    /// The catalogue looks for them one after another, at about a millisecond each, and answers nobody else meanwhile.
    static let titles = 20
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
        "Saves many films at once, and tells of each what came of it. All that can be saved is, or nothing; of more "
          + "than 1,000 a part at a time. Where one answer takes too long, what was saved stays, and the same sent again "
          + "goes on there.", .me,
        access: .user, fields: [.idempotencyKey], body: BookmarkImport.form,
        answers: [.json("What came of it.", ImportPage.schema)]
      ) { [self] asking in try await takeIn(asking) }
    ]
  }

  private func takeIn(_ asking: Asking) async throws -> Answer {
    let user = try asking.someone()
    var list = try ImportList(asking)
    let key = try asking.key(for: user) ?? .fresh()
    // The catalogue may know other films when a lost answer is asked for again: what was sent is the same, and so are
    // its parts.
    let asked = Array(SHA256.digest(of: asking.request.body))
    let name = ImportedNames.Key(user: user, asked: asked, language: asking.language)
    var total = ItemsImported(added: 0, unchanged: 0, revision: 0, isReplay: true)
    // One is saved before the next is looked for: of a list that takes longer than a request may, what was saved stays.
    for (number, part) in list.rows.parts.enumerated() {
      var options = asking.options
      options.key = key.part(number)
      do throws(RPCError) {
        try await findByName(&list.rows, in: part, of: name, asking)
        try await findByID(&list.rows, in: part, asking)
        let request = ImportItems(user: user, items: list.rows.items(in: part), asked: asked)
        let result = try await bookmarks.call(request, options)
        list.rows.end(part, result)
        total.add(result)
      } catch {
        guard number > 0 else { throw error }
        var problem = Problem(error)
        problem.detail += "; the first \(part.lowerBound) were taken"
        if problem.kind != .quota { problem.detail += ": send the same again, and the others follow" }
        throw problem
      }
    }
    names.forget(name)
    return Answer.json(ImportPage(result: total, rows: list.rows, ignoredColumns: list.ignoredColumns))
      .replayed(total.isReplay)
  }

  // MARK: Which films are meant

  private func findByName(
    _ rows: inout [ImportRow], in part: Range<Int>, of name: ImportedNames.Key, _ asking: Asking
  ) async throws(RPCError) {
    for (place, meant) in names.known(of: name, in: part, now: asking.time.now) { rows[place].take(meant) }
    for places in rows.places(in: part, each: Limits.titles, where: { $0.outcome == nil && $0.id == nil }) {
      let titles = places.map { PrintedFilm(title: rows[$0].title ?? "", year: rows[$0].year) }
      let matches = try await films.call(
        MatchTitles(titles: titles, limit: Limits.candidates), asking.options)
      for (place, match) in zip(places, matches) {
        let meant = ImportedNames.Meant(
          film: match.film, candidates: match.candidates.map { MeantFilm($0.film, in: asking.language) })
        rows[place].take(meant)
        names.learn(meant, at: place, of: name, now: asking.time.now)
      }
    }
  }

  /// Gives films their ids of today. While nobody can say whether there is such a film, the user is believed.
  private func findByID(
    _ rows: inout [ImportRow], in part: Range<Int>, _ asking: Asking
  ) async throws(RPCError) {
    for places in rows.places(in: part, each: FilmLookup.idsMax, where: { $0.outcome == nil && $0.kind == .film }) {
      let found = await lookup.films(places.compactMap { rows[$0].id.flatMap { FilmID($0) } }, asking)
      if let failure = found.failure, failure.isGivenUp { throw failure }
      for place in places {
        if let film = rows[place].id.flatMap({ FilmID($0) }).flatMap({ found.films[$0] })?.film {
          rows[place].id = film.id.text
          rows[place].title = FilmItem.title(of: film, in: asking.language)
        } else if found.failure == nil {
          rows[place].end(.notFound, "no film has this id")
        }
      }
    }
  }
}

/// How an import is sent.
nonisolated enum BookmarkImport {
  /// All that a user may keep, as much that they removed, and a line to each: four times what that is without notes.
  static let bytesMax = 4 << 20
  /// What a user may keep.
  static let rowsMax = 5_000
  /// Half of the longest message between services; the ids have room in the other.
  static let partNoteBytes = 2 << 20
  /// What the catalogue reads of a name.
  static let titleBytesMax = 500
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

  private static let films = Schema.object([
    (
      "films",
      .array(
        of: .object([("film_id", FilmID.schema, true), ("note", UserNote.schema, false)]), atMost: rowsMax, atLeast: 1),
      true
    )
  ])

  /// What `GET /v1/me/export` answered.
  private static let export: Schema = {
    let item = Schema.object([
      ("kind", .words(ItemKind.known.map(\.rawValue)), false), ("id", FilmID.schema, true),
      ("note", UserNote.schema, false),
      ("saved_at", .string(), false), ("removed_at", .string(), false), ("revision", .integer(revisions), false),
    ])
    let others = otherMembersOfExports.map { (name: $0, schema: Schema(JSONObject()), isRequired: false) }
    // What was removed is told there too, and not counted: how many there are in all says nothing.
    let items = Schema.array(of: item).described("At most \(rowsMax) that were not removed.")
    return .object([("items", items, true)] + others)
  }()
}

nonisolated extension [ImportRow] {
  /// What is saved together: the same rows each time that the same is sent, whatever is known of them by then. At least
  /// one, which tells the user's revision.
  fileprivate var parts: [Range<Int>] {
    var parts = [0..<0]
    var noteBytes = 0
    for place in indices {
      let bytes = self[place].note?.utf8.count ?? 0
      let last = parts[parts.count - 1]
      if last.count == ImportItems.itemsMax || noteBytes + bytes > BookmarkImport.partNoteBytes {
        parts.append(place..<place)
        noteBytes = 0
      }
      noteBytes += bytes
      parts[parts.count - 1] = parts[parts.count - 1].lowerBound..<(place + 1)
    }
    return parts
  }

  /// Those of a part that can be saved.
  fileprivate func items(in part: Range<Int>) -> [NewItem] {
    part.filter { self[$0].outcome == nil }.map { place in
      NewItem(kind: self[place].kind, id: self[place].id ?? "", note: self[place].note, place: place)
    }
  }

  /// Tells what came of a part.
  fileprivate mutating func end(_ part: Range<Int>, _ result: ItemsImported) {
    for place in part where self[place].outcome == nil { self[place].outcome = .known }
    for place in result.addedPlaces ?? [] where indices.contains(place) { self[place].take() }
  }

  /// The places of those that are wanted in a part, so many at a time.
  fileprivate func places(in part: Range<Int>, each count: Int, where isWanted: (ImportRow) -> Bool) -> [[Int]] {
    part.filter { isWanted(self[$0]) }.parts(of: count)
  }
}

nonisolated extension ImportRow {
  fileprivate mutating func take(_ meant: ImportedNames.Meant) {
    guard let film = meant.film else {
      return end(
        .notFound,
        meant.candidates.isEmpty
          ? "the catalogue has no film of this name" : "no film is surely meant; give its film_id, or its year",
        candidates: meant.candidates)
    }
    id = film.text
  }
}

nonisolated extension ItemsImported {
  /// What came of the next part. All of it was answered before, if each part was.
  fileprivate mutating func add(_ next: ItemsImported) {
    added += next.added
    unchanged += next.unchanged
    revision = next.revision
    isReplay = isReplay && next.isReplay
  }
}
