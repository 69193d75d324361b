import Calendars
import Clocks
import Contracts
import HTTP
import RPC

/// The home screen: rows of films, with a reason each.
final class HomeCoordinator: Coordinator {
  private let locator: any RPCClient<LocatorAPI>
  private let scraper: any RPCClient<ScraperAPI>
  private let films: any RPCClient<FilmsAPI>
  private let shelf: CinemaShelf
  private let titles: TitleShelf

  init(
    locator: any RPCClient<LocatorAPI>, scraper: any RPCClient<ScraperAPI>, films: any RPCClient<FilmsAPI>,
    shelf: CinemaShelf, titles: TitleShelf
  ) {
    self.locator = locator
    self.scraper = scraper
    self.films = films
    self.shelf = shelf
    self.titles = titles
  }

  var endpoints: [Endpoint] {
    [
      Endpoint(
        .get, "/v1/home", "home",
        "Rows of films: what plays, classics, a row a genre. A row that could not be made stands in `missing`.", .films,
        query: [QueryField<Double?>.maybeLatitude, QueryField<Double?>.maybeLongitude],
        answers: [.json("From near to far.", ListPage<HomeRow>.schema)], isShared: true
      ) { [self] asking in try await home(asking) }
    ]
  }

  /// Of a row, that much is seen.
  private static let rowMax = 20
  /// Cinemas that somebody calls near: what can be reached without thinking about it.
  static let nearMetres = 10_000.0
  private static let nearMax = 20
  /// Films that play, those with the most showings first: the rows are made of them.
  private static let playingMax = 200
  /// Rows of genres, the most frequent first.
  private static let genreRows = 6

  private func home(_ asking: Asking) async throws -> Answer {
    var query = asking.query
    let (origin, hint) = query.takePoint()
    try query.finish()
    var material = HomePage.Material()
    async let playing = playing(origin, asking)
    async let classics = outcome { () throws(RPCError) in
      try await films.call(
        ListCatalogue(yearTo: FilmList.classicsTo, limit: Self.rowMax, namesPeople: true),
        asking.optionsForExtras)
    }
    async let genres = genreRows(asking)
    let (everywhere, around) = await playing
    material.all = everywhere.map(\.films)
    material.near = around.map(\.films)
    // Of rows that there are, some titles may be as printed.
    let isUntitled = [everywhere, around].contains { (try? $0.get())?.isPartial == true }
    material.classics = (await classics).map(\.films)
    material.genres = await genres
    let shown = material.showings.map(\.next.cinema)
    let cinemas = (try? await shelf.cinemas(shown, asking.optionsForExtras)) ?? [:]
    let page = HomePage(material, cinemas: cinemas, origin: origin, view: asking.view)
    // Every row has failed: that is an answer to nobody.
    if page.rows.isEmpty, let error = material.firstFailure { throw error }
    return Answer.json(
      ListPage(
        page.rows, hint: hint, missing: page.missing,
        isDemo: material.showings.contains { $0.film.isDemo == true }),
      madeOf: [.directory, .schedule, .catalogue], isPartial: !page.missing.isEmpty || isUntitled
    ).yielding(if: !page.missing.isEmpty)
  }

  /// What plays anywhere, and near: each may fail alone.
  private func playing(
    _ origin: Coordinate?, _ asking: Asking
  ) async -> (HomePage.Part<Titled>, HomePage.Part<Titled>) {
    async let everywhere = outcome { () throws(RPCError) in
      try await titled(FilmsShowing(limit: Self.playingMax), asking)
    }
    async let around = outcome { () throws(RPCError) in
      let near = try await nearby(origin, asking)
      return try await self.around(near.map(\.cinema.id), asking)
    }
    return (await everywhere, await around)
  }

  /// A row a genre, all asked at once, each kept under its genre however they come back.
  private func genreRows(_ asking: Asking) async -> HomePage.Part<[HomePage.GenreRow]> {
    let counted = await outcome { () throws(RPCError) in try await films.call(Genres(), asking.optionsForExtras) }
    let chosen: [String]
    switch counted {
    case .failure(let error): return .failure(error)
    case .success(let genres): chosen = genres.prefix(Self.genreRows).map(\.id)
    }
    let options = asking.optionsForExtras
    let rows = await withTaskGroup(of: HomePage.GenreRow.self) { group in
      for genre in chosen { group.addTask { await self.row(of: genre, options) } }
      var rows: [String: HomePage.GenreRow] = [:]
      for await row in group { rows[row.genre] = row }
      return rows
    }
    return .success(chosen.compactMap { rows[$0] })
  }

  private func row(of genre: String, _ options: CallOptions) async -> HomePage.GenreRow {
    let page = await outcome { () throws(RPCError) in
      try await films.call(ListCatalogue(genres: [genre], limit: Self.rowMax, namesPeople: true), options)
    }
    return HomePage.GenreRow(genre: genre, films: page.map(\.films))
  }

  private func nearby(_ origin: Coordinate?, _ asking: Asking) async throws(RPCError) -> [NearbyCinema] {
    guard let origin else { return [] }
    return try await locator.call(
      NearestCinemas(origin: origin, limit: Self.nearMax, metresMax: Self.nearMetres), asking.optionsForExtras)
  }

  private func around(_ cinemas: [CinemaID], _ asking: Asking) async throws(RPCError) -> Titled {
    guard !cinemas.isEmpty else { return Titled(films: [], isPartial: false) }
    return try await titled(FilmsShowing(cinemas: cinemas, limit: Self.rowMax), asking)
  }

  /// Films with their titles, and whether some of these did not come.
  private struct Titled: Sendable {
    var films: [FilmShowing]
    var isPartial: Bool
  }

  private func titled(_ request: FilmsShowing, _ asking: Asking) async throws(RPCError) -> Titled {
    var found = try await scraper.call(request, asking.options)
    let besides = await titles.complete(&found, in: asking.language, asking)
    return Titled(films: found, isPartial: besides.isPartial)
  }
}
