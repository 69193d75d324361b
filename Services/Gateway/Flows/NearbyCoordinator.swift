import Calendars
import Contracts
import HTTP
import RPC

/// What is near: the first screen, in one request.
package final class NearbyCoordinator: Coordinator {
  private let scraper: any RPCClient<ScraperAPI>
  private let bookmarks: any RPCClient<BookmarksAPI>
  private let lookup: FilmLookup
  private let shelf: CinemaShelf
  private let titles: TitleShelf
  private let places: PlaceShelf

  init(
    locator: any RPCClient<LocatorAPI>, scraper: any RPCClient<ScraperAPI>, bookmarks: any RPCClient<BookmarksAPI>,
    films: any RPCClient<FilmsAPI>, shelf: CinemaShelf, titles: TitleShelf
  ) {
    self.scraper = scraper
    self.bookmarks = bookmarks
    lookup = FilmLookup(scraper: scraper, films: films)
    self.shelf = shelf
    self.titles = titles
    places = PlaceShelf(locator: locator)
  }

  package enum Part: String, CaseIterable, Sendable { case days, showtimes }

  private static let limit = QueryField<Int>.int("limit", "How many at most.", in: 1...20, default: 3)
  private static let metres = QueryField<Int?>.optionalInt(
    "max_m", "None further than so many metres.", in: 1...20_100_000)
  private static let date = QueryField<CivilDate?>.written(
    "date", "The service date of the showings, in the cinema's zone; its today if left out.", as: CivilDate.self)
  private static let include = QueryField<Set<Part>>.choices(
    "include", "What is wanted besides the cinemas: their days, the showings of `date`.", of: Part.self)
  private static let ofDirectory: Set<Ingredient> = [.directory]
  /// Two weeks, as the strip of days shows.
  private static let daysShown = 14

  var endpoints: [Endpoint] {
    [
      Endpoint(
        .get, "/v1/cinemas/nearby", "nearbyCinemas", "The cinemas nearest to a point, and what they show.", .cinemas,
        access: .maybeUser,
        query: [
          QueryField<Double>.latitude, QueryField<Double>.longitude, Self.limit, Self.metres, Self.date, Self.include,
        ],
        answers: [.json("Nearest first.", ListPage<CinemaPage>.schema)], isShared: true
      ) { [self] asking in
        try await nearby(asking)
      } direct: { [self] asking, ended in
        try begin(asking, ended)
      }
    ]
  }

  /// What is asked for.
  private struct Wish {
    let origin: Coordinate
    let limit: Int
    let metres: Int?
    let date: CivilDate?
    let parts: Set<Part>

    init(_ asking: Asking) throws {
      var query = asking.query
      let (latitude, longitude) = (query.take(.latitude), query.take(.longitude))
      (limit, metres) = (query.take(NearbyCoordinator.limit), query.take(NearbyCoordinator.metres))
      (date, parts) = (query.take(NearbyCoordinator.date), query.take(NearbyCoordinator.include))
      try query.finish()
      origin = try Coordinate(latitude: latitude, longitude: longitude)
    }

    var metresMax: Double? { metres.map(Double.init) }
  }

  private func nearby(_ asking: Asking) async throws -> Answer {
    let wish = try Wish(asking)
    let asked = shelf.changes
    let near = try await places.nearest(to: wish.origin, limit: wish.limit, metresMax: wish.metresMax, asking.options)
    if wish.parts.isEmpty || near.isEmpty { return plain(near, wish, asking) }
    return try await withProgrammes(near, asked, coverage: wish.metres, wish.date, wish.parts, asking)
  }

  /// Whoever asks for the cinemas alone takes one call.
  private func begin(
    _ asking: Asking, _ ended: @escaping @MainActor (DirectEnding) -> Void
  ) throws -> (any CallUnderWay)? {
    guard !asking.asked.parameters.contains(where: { $0.name == Self.include.name }) else { return nil }
    let wish = try Wish(asking)
    let options = asking.options
    return places.nearest(to: wish.origin, limit: wish.limit, metresMax: wish.metresMax, options) { [self] found in
      switch found {
      case .success(let near?): ended(.answered(plain(near, wish, asking)))
      case .success(nil): ended(.needsMore)
      case .failure(let error): ended(.failed(error))
      }
    }
  }

  private func plain(_ near: [KeptNeighbour], _ wish: Wish, _ asking: Asking) -> Answer {
    let page = NearbyPage.plain(near, coverage: wish.metres)
    var answer = Answer.json(page, madeOf: Self.ofDirectory, capacity: page.size)
    if !near.isEmpty, asking.user == nil { answer.response.tag = .of(page.numbers) }
    return answer
  }

  /// A function of its own, because it holds the state of three tasks: whoever only asks what is near makes no room for it.
  @inline(never)
  private func withProgrammes(
    _ near: [KeptNeighbour], _ asked: Int, coverage metres: Int?, _ date: CivilDate?, _ parts: Set<Part>,
    _ asking: Asking
  ) async throws -> Answer {
    let ids = near.map(\.cinema.id)
    for item in near { shelf.put(item.cinema, asked: asked) }
    // What plays is a part that the answer can do without: the cinemas are there anyway.
    async let calendars = calendars(ids, wanted: parts.contains(.days), asking)
    async let programmes = programmes(ids, on: date, wanted: parts.contains(.showtimes), asking)
    async let saved = saved(of: parts.contains(.showtimes) ? asking.user : nil, asking)
    let days = try await calendars
    var films = try await programmes
    let besides = await titles.complete(&films, in: asking.language, asking)
    let cinemas = near.map { NearbyCinema(cinema: $0.cinema, metres: $0.metres) }
    var page = NearbyPage(
      cinemas, coverage: metres, calendars: days, programmes: films, wanted: parts, view: asking.view)
    let unmarked = page
    if let saved = try await saved { page.mark(saved) }
    // A programme that was never read may be there in a second: nobody keeps such an answer.
    let isUnread = page.list.items.contains { $0.freshness.map { $0.asOf == nil } ?? false }
    var answer = Answer.json(
      page, madeOf: besides.madeOf.union(ids.map(Ingredient.programme) + [.directory]),
      isPartial: !page.list.missing.isEmpty || besides.isPartial || isUnread
    ).yielding(if: !page.list.missing.isEmpty)
    if asking.user != nil { answer.forAnybody = { Self.marked(parts, .json(unmarked)).response } }
    return Self.marked(parts, answer)
  }

  private static func marked(_ parts: Set<Part>, _ answer: Answer) -> Answer {
    // Showings are marked for who has saved their films.
    return parts.contains(.showtimes) ? answer.with("Vary", "Authorization, Cookie") : answer
  }

  /// Nil when the scraper does not answer.
  private func calendars(
    _ ids: [CinemaID], wanted: Bool, _ asking: Asking
  ) async throws -> [CinemaCalendar]? {
    guard wanted else { return nil }
    return try await optional { () throws(RPCError) in
      try await scraper.call(CinemaDays(cinemas: ids, days: Self.daysShown), asking.optionsForExtras)
    }
  }

  private func programmes(
    _ ids: [CinemaID], on date: CivilDate?, wanted: Bool, _ asking: Asking
  ) async throws -> [DayProgramme]? {
    guard wanted else { return nil }
    return try await optional { () throws(RPCError) in
      try await scraper.call(DayProgrammes(cinemas: ids, date: date), asking.optionsForExtras)
    }
  }
}

extension NearbyCoordinator {
  /// The films that a user wants to see, by every id that their showings may carry; nil without a user, or if nobody can tell.
  private func saved(of user: UserID?, _ asking: Asking) async throws -> Set<FilmID>? {
    guard let user else { return nil }
    let items = try await optional { () throws(RPCError) in
      try await bookmarks.everything(savedBy: user, of: .film, asking.optionsForExtras)
    }
    guard let items else { return nil }
    var found = Set(items.compactMap { FilmID($0.id) })
    for ids in found.sorted().parts(of: FilmLookup.idsMax) {
      let known = await lookup.films(ids, asking, programme: asking.optionsForExtras).films
      for film in known.values { found.formUnion(film.ids) }
    }
    return found
  }
}
