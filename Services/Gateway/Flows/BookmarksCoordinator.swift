import Calendars
import Clocks
import Contracts
import HTTP
import JSON
import RPC

/// The films that a user wants to see.
final class BookmarksCoordinator: Coordinator {
  private let bookmarks: any RPCClient<BookmarksAPI>
  private let scraper: any RPCClient<ScraperAPI>
  private let shelf: CinemaShelf
  /// Films that were found to exist, with their id of today.
  private var films = RecencyMap<FilmID, FilmID>()
  private static let filmsMax = 10_000

  init(bookmarks: any RPCClient<BookmarksAPI>, scraper: any RPCClient<ScraperAPI>, shelf: CinemaShelf) {
    self.bookmarks = bookmarks
    self.scraper = scraper
    self.shelf = shelf
  }

  enum Part: String, CaseIterable, Sendable {
    case film
    case nextShowtime = "next_showtime"
  }

  private static let film = PathField("film", "The film's id.", schema: FilmID.schema)
  private static let limit = QueryField<Int>.int("limit", "How many at most.", in: 1...100, default: 20)
  private static let include = QueryField<Set<Part>>.choices("include", "What is wanted besides.", of: Part.self)
  private static let since = QueryField<Int?>.optionalInt(
    "since", "`next_cursor` of the answer before; 0 for everything.", in: 0...Int(Int32.max))
  private static let changesLimit = QueryField<Int>.int("limit", "How many at most.", in: 1...1_000, default: 500)
  static let noteMax = 2_000
  private static let noteForm = BodyForm(
    isRequired: false, schema: .object([("note", .string("Your own.", length: 0...noteMax), false)]))

  var endpoints: [Endpoint] {
    [
      Endpoint(
        .get, "/v1/me/bookmarks", "bookmarks", "The films that you saved, newest first.", .me, access: .user,
        query: [Self.limit, QueryField<String?>.cursor, Self.include],
        answers: [.json("Newest first.", ListPage<BookmarkItem>.schema)]
      ) { [self] asking in try await list(asking) },
      Endpoint(
        .get, "/v1/me/bookmarks/changes", "bookmarkChanges", "What was saved and removed since a revision.", .me,
        access: .user, query: [Self.since, Self.changesLimit],
        answers: [.json("Oldest first.", ChangesPage.schema)]
      ) { [self] asking in
        var query = asking.query
        let (since, limit) = (query.take(Self.since), query.take(Self.changesLimit))
        try query.finish()
        let request = ItemChanges(
          user: try asking.someone(), since: Int64(since ?? 0), kind: .film, limit: limit)
        return .json(ChangesPage(page: try await bookmarks.call(request, asking.options)))
      },
      Endpoint(
        .put, "/v1/me/bookmarks/{film}", "putBookmark", "Saves a film, or gives it another note.", .me, access: .user,
        parameters: [Self.film], fields: [.idempotencyKey], body: Self.noteForm,
        answers: [
          .json(.created, "It was not saved before.", ReceiptPage.schema),
          .json("It was saved already.", ReceiptPage.schema),
        ]
      ) { [self] asking in try await put(asking) },
      Endpoint(
        .delete, "/v1/me/bookmarks/{film}", "removeBookmark", "Takes a film out; what was not saved is no error.", .me,
        access: .user, parameters: [Self.film], fields: [.idempotencyKey],
        answers: [.nothing(.noContent, "It is not saved.")]
      ) { [self] asking in
        let user = try asking.someone()
        var options = asking.options
        options.key = try asking.key(for: user)
        let id = try asking.id(of: FilmID.self)
        let receipt = try await bookmarks.call(RemoveItem(user: user, kind: .film, id: id.text), options)
        return Answer.nothing.with("X-Odi-Rev", String(receipt.revision)).replayed(receipt.isReplay)
      },
    ]
  }

  // MARK: Reading

  private func list(_ asking: Asking) async throws -> Answer {
    var query = asking.query
    let (limit, cursor, parts) = (query.take(Self.limit), query.take(.cursor), query.take(Self.include))
    try query.finish()
    let after = try asking.key(of: cursor)
    let page = try await bookmarks.call(
      ListItems(user: try asking.someone(), kind: .film, after: after, limit: limit), asking.options)
    var items = page.items.map { BookmarkItem(item: $0) }
    var missing: [String] = []
    if !parts.isEmpty, !items.isEmpty {
      // What was saved is shown even when nothing can be said about it.
      if let (films, showings) = try await about(items.compactMap { FilmID($0.item.id) }, parts, asking) {
        for index in items.indices {
          let id = items[index].item.id
          if parts.contains(.film) {
            items[index].film = films.first { $0.asked.text == id }.map { FilmItem($0.film, in: asking.language) }
          }
          items[index].next = showings[id]
        }
      } else {
        missing = parts.map(\.rawValue).sorted()
      }
    }
    let next = asking.cursor(after: page.next)
    var answer = Answer.json(ListPage(items, next: next, missing: missing))
    answer.response.fields += asking.link(to: next)
    return answer
  }

  /// The films, and the next showing of each; nil if the scraper does not answer.
  private func about(
    _ ids: [FilmID], _ parts: Set<Part>, _ asking: Asking
  ) async throws -> ([FilmEntry], [String: ShowtimeItem])? {
    let entries = try await optional { () throws(RPCError) in
      try await scraper.call(FilmsByID(ids: ids), asking.optionsForExtras)
    }
    guard let entries else { return nil }
    guard parts.contains(.nextShowtime), !entries.isEmpty else { return (entries, [:]) }
    let showing = try await optional { () throws(RPCError) in
      try await scraper.call(
        FilmsShowing(films: entries.map(\.film.id), limit: min(500, entries.count)), asking.optionsForExtras)
    }
    guard let showing else { return nil }
    let cinemas = (try? await shelf.cinemas(showing.map(\.next.cinema), asking.optionsForExtras)) ?? [:]
    var next: [String: ShowtimeItem] = [:]
    for entry in entries {
      guard let film = showing.first(where: { $0.film.id == entry.film.id }) else { continue }
      let zone = cinemas[film.next.cinema].map { asking.view.rules($0.zone) } ?? .utc
      next[entry.asked.text] = ShowtimeItem(film.next, in: zone)
    }
    return (entries, next)
  }

  // MARK: Writing

  private func put(_ asking: Asking) async throws -> Answer {
    let user = try asking.someone()
    var note: String?
    if !asking.request.body.isEmpty {
      var body = try asking.body()
      note = body.optional("note", as: String.self)
      if note?.unicodeScalars.count ?? 0 > Self.noteMax { body.note("note", "must have at most \(Self.noteMax) characters") }
      try body.finish()
    }
    var options = asking.options
    options.key = try asking.key(for: user)
    let id = try await known(try asking.id(of: FilmID.self), asking)
    let receipt = try await bookmarks.call(SaveItem(user: user, kind: .film, id: id.text, note: note), options)
    let status: HTTPStatus = receipt.didChange ? .created : .ok
    return Answer.json(ReceiptPage(id: id.text, receipt: receipt), status).replayed(receipt.isReplay)
  }

  /// The film's id of today; 404 if there is no such film. While the scraper is away the user is believed: what they
  /// want to keep matters more than one wrong id.
  private func known(_ id: FilmID, _ asking: Asking) async throws -> FilmID {
    if let known = films[id] { return known }
    let entries = try await optional { () throws(RPCError) in
      try await scraper.call(FilmsByID(ids: [id]), asking.optionsForExtras)
    }
    guard let entries else { return id }
    guard let entry = entries.first else { throw Problem(.notFound, "no film has the id \(id)") }
    films.set(id, to: entry.film.id)
    if films.count > Self.filmsMax, let eldest = films.eldest { films.remove(eldest.key) }
    return entry.film.id
  }
}

extension Answer {
  /// Marks what was answered from the receipt of an earlier sending.
  func replayed(_ isReplay: Bool) -> Answer { isReplay ? with("Idempotent-Replayed", "true") : self }
}
