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
  private let lookup: FilmLookup
  private let saved: SavedFilms
  /// Films that were found to exist, with their id of today.
  private var films = RecencyMap<FilmID, FilmID>(atMost: 10_000)

  init(
    bookmarks: any RPCClient<BookmarksAPI>, scraper: any RPCClient<ScraperAPI>, films: any RPCClient<FilmsAPI>,
    locator: any RPCClient<LocatorAPI>, shelf: CinemaShelf
  ) {
    lookup = FilmLookup(scraper: scraper, films: films)
    saved = SavedFilms(bookmarks: bookmarks, scraper: scraper, locator: locator, shelf: shelf, lookup: lookup)
    self.bookmarks = bookmarks
    self.scraper = scraper
    self.shelf = shelf
  }

  private static let film = PathField("film", "The film's id.", schema: FilmID.schema)
  private static let since = QueryField<Int?>.optionalInt(
    "since", "`next_cursor` of the answer before; 0 for everything. Below 0 it goes on with everything.",
    in: -Int(Int32.max)...Int(Int32.max))
  private static let changesLimit = QueryField<Int>.int("limit", "How many at most.", in: 1...1_000, default: 500)

  var endpoints: [Endpoint] {
    [
      Endpoint(
        .get, "/v1/me/bookmarks", "bookmarks", "The films that you saved, and when each can be seen next.", .me,
        access: .user, query: SavedFilms.query,
        answers: [.json("In the order of `sort`.", ListPage<BookmarkItem>.schema)], takesLanguage: true
      ) { [saved] asking in try await saved.list(asking) },
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
        parameters: [Self.film], fields: [.idempotencyKey], body: UserNote.form,
        answers: [
          .json(.created, "It was not saved before.", ReceiptPage.schema),
          .json("It was saved already.", ReceiptPage.schema),
        ]
      ) { [self] asking in
        try await put(asking)
      } direct: { [self] asking, ended in
        try begin(asking, ended)
      },
      Endpoint(
        .delete, "/v1/me/bookmarks/{film}", "removeBookmark", "Takes a film out; what was not saved is no error.", .me,
        access: .user, parameters: [Self.film], fields: [.idempotencyKey],
        answers: [.nothing(.noContent, "It is not saved.")]
      ) { [self] asking in
        let user = try asking.someone()
        var options = asking.options
        // Sent again after a lost answer it must still be known as what was taken out, or the other goes, too.
        options.key = try asking.key(for: user) ?? .fresh()
        let id = try asking.id(of: FilmID.self)
        var receipt = try await bookmarks.call(RemoveItem(user: user, kind: .film, id: id.text), options)
        // By its old id a film may have been saved as what it is called today.
        if !receipt.didChange, let today = await today(id, asking), today != id {
          options.key = try asking.key(for: user)?.part(1) ?? .fresh()
          receipt = try await bookmarks.call(RemoveItem(user: user, kind: .film, id: today.text), options)
        }
        return Answer.nothing.with("X-Odi-Rev", String(receipt.revision)).replayed(receipt.isReplay)
      },
      Endpoint(
        .post, "/v1/me/bookmarks/feed", "rotateFeed", "A new secret address of your calendar; the old one is void.",
        .me, access: .user, answers: [.json(.created, "Where to subscribe.", FeedPage.schema)]
      ) { [self] asking in
        let key = try await bookmarks.call(RotateFeedKey(user: asking.someone()), asking.options)
        return .json(FeedPage(key: key.key, base: asking.base), .created)
      },
      Endpoint(
        .get, "/v1/me/bookmarks.ics", "bookmarksICS", "When the films that you saved play, to subscribe to.", .me,
        access: .maybeUser, query: [Self.feedKey], answers: [.other(.calendar, "iCalendar (RFC 5545).")]
      ) { [self] asking in try await calendar(asking) },
    ]
  }

  private static let feedKey = QueryField<String?>(
    "key", "The secret of the feed; without it, the session's user.",
    schema: .string(pattern: "^[A-Za-z0-9._-]+$", length: 1...128)
  ) { query in
    guard let text = query.string("key", max: 128) else { return nil }
    let isPlain = text.utf8.allSatisfy { byte in
      (48...57).contains(byte) || (65...90).contains(byte & 0xDF) || byte == 45 || byte == 46 || byte == 95
    }
    return isPlain && !text.isEmpty ? text : query.refuse("key", "must have 1 to 128 letters, digits and . _ -")
  }
  // MARK: Writing

  private func put(_ asking: Asking) async throws -> Answer {
    let user = try asking.someone()
    let note = try UserNote.body(of: asking)
    var options = asking.options
    options.key = try asking.key(for: user)
    let asked = try asking.id(of: FilmID.self)
    let id = if let known = films[asked] { known } else { try await known(asked, asking) }
    let save = Self.save(id, asked: asked, note, of: user)
    return Self.answer(id, try await bookmarks.call(save, options))
  }

  /// Saving a film that was met takes one call.
  private func begin(
    _ asking: Asking, _ ended: @escaping @MainActor (DirectEnding) -> Void
  ) throws -> (any CallUnderWay)? {
    let user = try asking.someone()
    // What the request says is looked at before what it is about: a note that cannot be kept is told first.
    let note = try UserNote.body(of: asking)
    let asked = try asking.id(of: FilmID.self)
    guard let id = films[asked] else { return nil }
    let save = Self.save(id, asked: asked, note, of: user)
    var options = asking.options
    options.key = try asking.key(for: user)
    return bookmarks.begin(save, options) { result in
      switch result {
      case .success(let receipt): ended(.answered(Self.answer(id, receipt)))
      case .failure(let error): ended(.failed(error))
      }
    }
  }

  /// What was saved under an older id goes over to the one of today.
  private static func save(_ id: FilmID, asked: FilmID, _ note: String?, of user: UserID) -> SaveItem {
    SaveItem(user: user, kind: .film, id: id.text, note: note, insteadOf: asked == id ? nil : asked.text)
  }

  private static func answer(_ id: FilmID, _ receipt: ItemReceipt) -> Answer {
    Answer.json(ReceiptPage(id: id.text, receipt: receipt), receipt.didChange ? .created : .ok)
      .replayed(receipt.isReplay)
  }

  private func calendar(_ asking: Asking) async throws -> Answer {
    var query = asking.query
    let key = query.take(Self.feedKey)
    try query.finish()
    var user = asking.user
    if let key {
      user = try await bookmarks.call(UserOfFeedKey(key: key), asking.options).id
    }
    guard let user else { throw Problem.noSession }
    let saved = try await bookmarks.everything(savedBy: user, of: .film, asking.options)
    let ids = saved.compactMap { FilmID($0.id) }
    // Without the catalogue the ids that were saved are asked for as they are.
    var films = Set(ids)
    for part in ids.parts(of: FilmLookup.idsMax) {
      films.formUnion(await lookup.films(part, asking).films.values.flatMap(\.ids))
    }
    let found = try await FeedShowings.find(
      films.sorted().parts(of: FindShowtimes.filmsMax).map {
        FindShowtimes(films: $0, from: asking.now, order: .startsAt, limit: FeedShowings.pageMax)
      }, of: scraper, asking)
    let met = await shelf.met(found.page.showtimes.map(\.cinema), asking.options)
    // When each begins is known without its cinema; where, is for the next copy.
    if let failure = met.failure, failure.isGivenUp { throw failure }
    let feed = ShowtimeFeed(found.page, cinemas: met.cinemas, name: "Odi", view: asking.view, usesFilmTitles: true)
    return feed.answer(madeOf: [], isPartial: found.isCut || met.failure != nil)
  }

  /// The film's id of today; 404 if there is no such film. While nobody can tell the user is believed: what they want to
  /// keep matters more than one wrong id.
  @inline(never)
  private func known(_ id: FilmID, _ asking: Asking) async throws -> FilmID {
    let found = await lookup.films([id], asking)
    guard let film = found.films[id]?.film else {
      if let failure = found.failure, failure.isGivenUp { throw failure }
      guard found.failure == nil else { return id }
      throw Problem(.notFound, "no film has the id \(id)")
    }
    films.set(id, to: film.id)
    return film.id
  }

  /// What it is called today, as far as somebody says so in half of the time.
  private func today(_ id: FilmID, _ asking: Asking) async -> FilmID? {
    if let known = films[id] { return known }
    return await lookup.films([id], asking, programme: asking.optionsForExtras).films[id]?.film.id
  }
}

extension Answer {
  /// Marks what was answered from the receipt of an earlier sending.
  func replayed(_ isReplay: Bool) -> Answer { isReplay ? with("Idempotent-Replayed", "true") : self }
}
