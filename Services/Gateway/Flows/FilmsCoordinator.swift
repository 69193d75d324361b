import Calendars
import Clocks
import Contracts
import HTTP
import JSON
import RPC

/// The catalogue: films and lists of them, what is like a film, people, and what somebody may want to see.
final class FilmsCoordinator: Coordinator {
  private let films: any RPCClient<FilmsAPI>
  let scraper: any RPCClient<ScraperAPI>
  private let locator: any RPCClient<LocatorAPI>
  private let bookmarks: any RPCClient<BookmarksAPI>
  let shelf: CinemaShelf
  let titles: TitleShelf
  let lookup: FilmLookup

  init(_ upstreams: Upstreams, shelf: CinemaShelf, titles: TitleShelf) {
    films = upstreams.films
    scraper = upstreams.scraper
    locator = upstreams.locator
    bookmarks = upstreams.bookmarks
    self.shelf = shelf
    self.titles = titles
    lookup = FilmLookup(scraper: upstreams.scraper, films: upstreams.films)
  }

  enum Order: String, CaseIterable, Sendable {
    case popularity, title, year
    case newest = "-year"

    var order: CatalogueOrder {
      switch self {
      case .popularity: .popularity
      case .title: .title
      case .year: .oldest
      case .newest: .newest
      }
    }
  }

  static let id = PathField("id", "The film's id, any that it ever had.", schema: FilmID.schema)
  private static let person = PathField("id", "The slug of a name.", schema: PersonID.schema)
  private static let list = QueryField<FilmList?>.optionalChoice("list", "Only films of this kind.", of: FilmList.self)
  private static let genre = QueryField<[String]>.words(
    "genre", "Any of these genres, by their ids in /v1/genres; others are refused.", pattern: "^[^,]+$"
  ) { !$0.isEmpty }
  private static let country = QueryField<[String]>.words(
    "country", "Any of these countries, ISO 3166.", pattern: "^[A-Za-z]{2}$"
  ) { word in word.utf8.count == 2 && word.utf8.allSatisfy { (97...122).contains($0 | 0x20) } }
  private static let yearFrom = QueryField<Int?>.optionalInt("year_from", "Not older.", in: Film.years)
  private static let yearTo = QueryField<Int?>.optionalInt("year_to", "Not newer.", in: Film.years)
  private static let runtime = QueryField<Int?>.optionalInt("runtime_max", "Not longer, minutes.", in: 1...20_160)
  private static let text = QueryField<String?>.text(
    "q", "A part of a title, or of the name of somebody who made or plays in it.", length: 1...100)
  private static let sort = QueryField<Order?>.optionalChoice("sort", "Which first.", of: Order.self)
  private static let limit = QueryField<Int>.int("limit", "How many at most.", in: 1...100, default: 20)
  private static let explain = QueryField<Bool>.flag("explain", "With the share of each reason.")
  private static let width = QueryField<Int>.int("w", "Its width, in pixels.", in: 46...1_000, default: 185)
  /// With the right one the answer may be kept for ever.
  private static let version = QueryField<String?>.text(
    "v", "The name of the picture, as `poster` of a film has it.", length: 1...64)
  private static let showtimesLimit = QueryField<Int>.int("limit", "How many at most.", in: 1...200, default: 200)
  private static let viewsMax = 200
  private static let showingMax = FilmsShowing.limitMax
  /// Of cinemas that somebody calls near.
  private static let nearMax = 20
  /// A look says less than a wish.
  private static let viewWeight = 0.3

  var endpoints: [Endpoint] {
    [
      Endpoint(
        .get, "/v1/films", "films", "Films of the catalogue, and when those that play play next.", .films,
        query: [
          Self.list, Self.genre, Self.country, Self.yearFrom, Self.yearTo, Self.runtime, Self.text,
          QueryField<Coordinate?>.near, Self.sort, QueryField<String?>.cursor, Self.limit,
        ], answers: [.json("A page.", ListPage<FilmCard>.schema)], isShared: true
      ) { [self] asking in try await list(asking) },
      filmEndpoint,
      Endpoint(
        .get, "/v1/films/{id}/similar", "similarFilms", "The films most like one, and why.", .films,
        parameters: [Self.id], query: [Self.limit],
        answers: [.json("The most alike first.", ListPage<SuggestionFilm>.schema)], isShared: true
      ) { [self] asking in try await similar(asking) },
      Endpoint(
        .get, "/v1/films/{id}/credits", "filmCredits", "Who made a film, and who plays in it.", .films,
        parameters: [Self.id], answers: [.json("By what they did.", CreditsPage.schema)], isShared: true
      ) { [self] asking in try await credits(asking) },
      Endpoint(
        .get, "/v1/films/{id}/showtimes", "filmShowtimes", "Where and when a film plays.", .films,
        parameters: [Self.id],
        query: [
          QueryField<Coordinate?>.near, ShowtimesCoordinator.date, Self.showtimesLimit, QueryField<String?>.cursor,
        ],
        answers: [.json("By start, or the nearest first.", ListPage<ShowingItem>.schema)], isShared: true
      ) { [self] asking in try await showtimes(asking) },
      Endpoint(
        .get, "/v1/films/{id}/poster", "filmPoster",
        "A film's picture; of a film that has none, one that is made of its title.",
        .films, parameters: [Self.id], query: [Self.width, Self.version],
        answers: [.other(.svg, "An image, about two units wide to three high: SVG, or JPEG, PNG, WebP as it came.")],
        isShared: true
      ) { [self] asking in try await poster(asking) },
      Endpoint(
        .get, "/v1/genres", "genres", "The genres that films have.", .films,
        answers: [.json("The most frequent first.", ListPage<GenreItem>.schema)], isShared: true
      ) { [self] asking in
        try asking.query.finish()
        let genres = try await films.call(Genres(), asking.options)
        return .json(ListPage(genres.map { GenreItem($0, in: asking.language) }), madeOf: [.catalogue])
      },
      Endpoint(
        .get, "/v1/people/{id}", "person", "Somebody, and the films that they made or play in.", .films,
        parameters: [Self.person], answers: [.json("The newest first.", PersonView.schema)], isShared: true
      ) { [self] asking in
        try asking.query.finish()
        let id = try asking.id(of: PersonID.self)
        let page = try await films.call(PersonByID(id: id), asking.options)
        return .json(PersonView(page, in: asking.language), madeOf: [.catalogue])
      },
      Endpoint(
        .get, "/v1/me/recommendations", "recommendations",
        "Films that you may want to see, made of what you saved and, unless you opted out, looked at, each with its reasons.",
        .me, access: .user, query: [Self.limit, Self.explain],
        answers: [.json("The best first.", ListPage<SuggestionFilm>.schema)], takesLanguage: true
      ) { [self] asking in try await recommend(asking) },
    ]
  }

  // MARK: Lists

  private func list(_ asking: Asking) async throws -> Answer {
    var query = asking.query
    let (list, text, near) = (query.take(Self.list), query.take(Self.text), query.take(.near))
    let (genres, countries) = (query.take(Self.genre), query.take(Self.country).map { $0.uppercased() })
    let (from, to, runtime) = (query.take(Self.yearFrom), query.take(Self.yearTo), query.take(Self.runtime))
    let (order, cursor, limit) = (query.take(Self.sort), query.take(.cursor), query.take(Self.limit))
    await check(genres, &query, asking)
    if let from, let to, to < from {
      query.refuse("year_to", "must not be before year_from, \(from)", "\(to)") as Never?
    }
    try query.finish()
    var request = ListCatalogue(
      genres: genres.isEmpty ? nil : genres, countries: countries.isEmpty ? nil : countries, yearFrom: from,
      yearTo: to, runtimeMax: runtime, text: text, order: order?.order, after: try asking.key(of: cursor), limit: limit,
      namesPeople: true)
    let (showing, cut) = try await showing(list, near, asking)
    if let list { request = list.narrow(request, showing, now: asking.now) }
    let page: CataloguePage
    do throws(RPCError) {
      page = try await films.call(request, asking.options)
    } catch {
      guard error.code == .outOfRange else { throw error }
      throw Problem(.invalidCursor, "begin again without the cursor")
    }
    let cards = try await cards(page.films, showing, asking, near)
    let next = asking.cursor(after: page.next)
    // Where more was asked for, that may be why nothing fits.
    let isNameAlone = request.hasTextAlone && list == nil && cursor == nil
    let meant = cards.isEmpty && isNameAlone ? try await meant(by: text ?? "", asking) : nil
    var answer = Answer.json(
      ListPage(
        cards, next: next, hint: hints(cut, page.people, asking) ?? (cards.isEmpty ? "no film fits all of this" : nil),
        meant: meant, isDemo: cards.contains { $0.film.film.isDemo == true }
      ),
      madeOf: [.catalogue, .directory, .schedule])
    answer.response.fields += asking.link(to: next)
    return answer
  }

  /// A title, or a name of somebody, that is a few letters away from one that there is not.
  private func meant(by text: String, _ asking: Asking) async throws(RPCError) -> String? {
    var name = MeantName(text)
    for piece in name.pieces {
      let request = SearchCatalogue(text: piece, limit: SearchCatalogue.limitMax, includesPeople: true)
      for hit in try await films.call(request, asking.options) { name.consider(hit.matched) }
    }
    return name.best
  }

  /// Refuses genres that no film is of. While the catalogue cannot tell, whoever asks is believed.
  private func check(_ genres: [String], _ query: inout QueryReader, _ asking: Asking) async {
    let strange = genres.filter { FilmGenre(rawValue: $0) == nil }
    guard !strange.isEmpty else { return }
    let counted = await outcome { () throws(RPCError) in try await films.call(Genres(), asking.optionsForExtras) }
    guard case .success(let known) = counted else { return }
    let ours = FilmGenre.allCases.map(\.rawValue)
    let words = ours + known.map(\.id).filter { !ours.contains($0) }
    for genre in strange where !words.contains(genre) { query.refuse("genre", genre, among: words) }
  }

  /// What is missing from a list, and whose films are in it because of their name.
  private func hints(_ cut: String?, _ people: [Person]?, _ asking: Asking) -> String? {
    let names = (people ?? []).map { PersonItem($0, in: asking.language).name }
    let named = names.isEmpty ? nil : "with the films of \(names.joined(separator: ", "))"
    let hints = [named, cut].compactMap(\.self)
    return hints.isEmpty ? nil : hints.joined(separator: "; ")
  }

  /// What plays, if the list is made of it, and what was not looked at.
  private func showing(
    _ list: FilmList?, _ near: Coordinate?, _ asking: Asking
  ) async throws -> (films: [FilmShowing]?, cut: String?) {
    guard list?.isOfProgrammes == true else { return (nil, nil) }
    var request = FilmsShowing(limit: FilmsShowing.askedMax)
    var cut: [String] = []
    if let near {
      // One more than is looked at says that there are more; so it is with films.
      let around = try await locator.call(
        NearestCinemas(origin: near, limit: Self.nearMax + 1, metresMax: HomeCoordinator.nearMetres), asking.options)
      guard !around.isEmpty else { return ([], nil) }
      let cinemas = around.prefix(Self.nearMax)
      if around.count > cinemas.count {
        cut.append("only the nearest \(cinemas.count) cinemas were looked at; leave near out for all")
      }
      request.cinemas = cinemas.map(\.cinema.id)
    }
    let playing = try await scraper.call(request, asking.options)
    let films = Array(playing.prefix(Self.showingMax))
    if playing.count > films.count {
      cut.append("only the \(films.count) films that are shown most were looked at; give near for those around a place")
    }
    return (films, cut.isEmpty ? nil : cut.joined(separator: "; "))
  }

  /// Films as lists show them: with the next showing of those that play, as far as the scraper answers.
  private func cards(
    _ page: [CatalogueFilm], _ known: [FilmShowing]?, _ asking: Asking, _ near: Coordinate?
  ) async throws -> [FilmCard] {
    guard !page.isEmpty else { return [] }
    var showing = known
    if showing == nil {
      let ids = page.flatMap(\.ids).prefix(Self.showingMax)
      showing = try? await outcome { () throws(RPCError) in
        try await scraper.call(FilmsShowing(films: Array(ids), limit: Self.showingMax), asking.optionsForExtras)
      }.get()
    }
    let cinemas = (try? await shelf.cinemas((showing ?? []).map(\.next.cinema), asking.optionsForExtras)) ?? [:]
    let byID = Dictionary((showing ?? []).map { ($0.film.id, $0) }) { first, _ in first }
    return page.map { entry in
      let plays = entry.ids.lazy.compactMap { byID[$0] }.first
      return FilmCard(entry, plays, cinemas: cinemas, origin: near, view: asking.view)
    }
  }

  // MARK: One film

  private func similar(_ asking: Asking) async throws -> Answer {
    var query = asking.query
    let limit = query.take(Self.limit)
    try query.finish()
    let id = try asking.id(of: FilmID.self)
    let answer = await outcome { () throws(RPCError) in
      try await films.call(SimilarFilms(film: id, limit: limit), asking.options)
    }
    // What plays and is in no catalogue is a film, of which nobody knows what it is like.
    if case .failure(let failure) = answer, failure.code == .notFound {
      let film = try await lookup.film(id, asking)
      return .json(ListPage([SuggestionFilm]()), madeOf: [.catalogue, .schedule], isPartial: film.isPartial)
    }
    let found = try answer.get()
    return .json(
      ListPage(found.map { SuggestionFilm($0, in: asking.language, isAboutUser: false) }), madeOf: [.catalogue])
  }

  private func credits(_ asking: Asking) async throws -> Answer {
    try asking.query.finish()
    let id = try asking.id(of: FilmID.self)
    let film = try await lookup.film(id, asking)
    return .json(CreditsPage(film, in: asking.language), madeOf: [.catalogue, .schedule], isPartial: film.isPartial)
  }

  private func showtimes(_ asking: Asking) async throws -> Answer {
    var query = asking.query
    let (near, date) = (query.take(.near), query.take(ShowtimesCoordinator.date))
    let (limit, cursor) = (query.take(Self.showtimesLimit), query.take(.cursor))
    try query.finish()
    let film = try await lookup.film(try asking.id(of: FilmID.self), asking)
    // Without a date the scraper begins with now; a time of ours would make each page another question.
    var request = FindShowtimes(films: film.ids, date: date, after: try asking.key(of: cursor), limit: limit)
    var cut: String?
    if let near {
      let asked = shelf.changes
      let (around, more) = try await locator.cinemas(around: near, asking.options)
      if more != nil { cut = "only the nearest \(around.count) cinemas were looked at; leave near out for all" }
      for item in around { shelf.put(item.cinema, asked: asked) }
      request.cinemas = around.map(\.cinema.id)
      request.order = .cinemas
    }
    let page = try await scraper.call(request, asking.options)
    let cinemas = try await shelf.cinemas(page.showtimes.map(\.cinema), asking.options)
    let items = ShowingItem.all(of: page, cinemas: cinemas, from: near, view: asking.view)
    let next = asking.cursor(after: page.next)
    var answer = Answer.json(
      ListPage(items, next: next, hint: cut, isDemo: page.sources.contains { $0.isDemo == true }),
      madeOf: [.catalogue, .directory, .schedule])
    answer.response.fields += asking.link(to: next)
    return answer
  }

  private func poster(_ asking: Asking) async throws -> Answer {
    var query = asking.query
    let width = query.take(Self.width)
    let version = query.take(Self.version)
    try query.finish()
    let known = try await lookup.film(try asking.id(of: FilmID.self), asking)
    let film = known.film.named(by: known.entry, in: asking.language)
    var isAway = false
    if let name = film.poster {
      let found = await outcome { () throws(RPCError) in
        try await films.call(PosterOfFilm(film: film.id, width: width), asking.optionsForExtras)
      }
      if case .success(let picture) = found, let type = MediaType(picture.form) {
        // An address that names the picture never means another one.
        let response = HTTPResponse(.ok, type, picture.bytes)
          .cached(version == name ? .forever : .day, tag: .given(picture.tag))
        return Answer(response, madeOf: [.catalogue, .schedule])
      }
      // Whoever asks a little later may get it: what stands in for it is not kept.
      isAway = true
    }
    let poster = TypographicPoster(film, title: FilmItem.title(of: film, in: asking.language), width: width)
    return Answer(HTTPResponse(.ok, .svg, poster.svg), madeOf: [.catalogue, .schedule], isPartial: isAway)
  }

  // MARK: For somebody

  private func recommend(_ asking: Asking) async throws -> Answer {
    var query = asking.query
    let (limit, explains) = (query.take(Self.limit), query.take(Self.explain))
    try query.finish()
    let user = try asking.someone()
    async let saved = bookmarks.call(ListItems(user: user, kind: .film, limit: ListItems.limitMax), asking.options)
    // Without the history the films that were saved are still of use.
    async let viewed = outcome { () throws(RPCError) in
      try await bookmarks.call(ListViews(user: user, kind: .film, limit: Self.viewsMax), asking.optionsForExtras)
    }
    // What was looked at before somebody opted out leads nowhere, and neither does it while nobody can tell.
    async let settings = outcome { () throws(RPCError) in
      try await bookmarks.call(SettingsOf(user: user), asking.optionsForExtras)
    }
    let items = try await saved.items
    let wanted = items.compactMap { FilmID($0.id) }
    let isKept = (try? await settings.get()).map { $0.keepsHistory != false } ?? false
    let views = isKept ? (try? await viewed.get()) ?? [] : []
    let looks = views.compactMap { FilmID($0.id) }.filter { !wanted.contains($0) }
    let history =
      wanted.map { LikedFilm(id: $0, weight: 1) } + looks.map { LikedFilm(id: $0, weight: Self.viewWeight) }
    let found = try await films.call(RecommendFilms(history: history, limit: limit), asking.options)
    return .json(
      ListPage(
        found.map { SuggestionFilm($0, in: asking.language, isAboutUser: true, saved: wanted, explains: explains) },
        hint: history.isEmpty ? "save films, and these will be about you" : nil))
  }
}

nonisolated extension ListCatalogue {
  /// Whether it asks for films by a text, and for nothing else.
  fileprivate var hasTextAlone: Bool {
    text != nil && genres == nil && countries == nil && yearFrom == nil && yearTo == nil && runtimeMax == nil
  }
}

extension MediaType {
  /// Nil for a form that is not known here.
  nonisolated fileprivate init?(_ form: PictureForm) {
    switch form {
    case .jpeg: self = .jpeg
    case .png: self = .png
    case .webp: self = .webp
    case .unknown: return nil
    }
  }
}
