import Calendars
import Clocks
import Contracts
import HTTP
import RPC

/// The home screen: rows of films, with a reason each.
final class HomeCoordinator: Coordinator {
  private let locator: any RPCClient<LocatorAPI>
  private let scraper: any RPCClient<ScraperAPI>
  private let shelf: CinemaShelf

  init(locator: any RPCClient<LocatorAPI>, scraper: any RPCClient<ScraperAPI>, shelf: CinemaShelf) {
    self.locator = locator
    self.scraper = scraper
    self.shelf = shelf
  }

  var endpoints: [Endpoint] {
    [
      Endpoint(
        .get, "/v1/home", "home", "Rows of films, as far as is known so far.", .films,
        query: [QueryField<Double?>.maybeLatitude, QueryField<Double?>.maybeLongitude],
        answers: [.json("From near to far.", ListPage<HomeRow>.schema)], isShared: true
      ) { [self] asking in try await home(asking) }
    ]
  }

  /// Of a row, that much is seen.
  private static let rowMax = 20
  /// Cinemas that somebody calls near: what can be reached without thinking about it.
  private static let nearMetres = 10_000.0

  private func home(_ asking: Asking) async throws -> Answer {
    var query = asking.query
    let origin = query.takePoint()
    let isHalf = query.names.contains("lat") != query.names.contains("lon")
    try query.finish()
    let near = try await nearby(origin, asking)
    async let everywhere = scraper.call(FilmsShowing(limit: 200), asking.options)
    async let around = around(near.map(\.cinema.id), asking)
    let (all, here) = (try await everywhere, try await around)
    let cinemas = try await shelf.cinemas((all + here).map(\.next.cinema), asking.options)
    let page = HomePage(all: all, near: here, cinemas: cinemas, origin: origin, view: asking.view)
    return .json(
      ListPage(
        page.rows, hint: isHalf ? "give lat and lon together to see what is near" : nil,
        isDemo: (all + here).contains { $0.film.isDemo == true }),
      madeOf: [.directory, .schedule])
  }

  private func nearby(_ origin: Coordinate?, _ asking: Asking) async throws -> [NearbyCinema] {
    guard let origin else { return [] }
    return try await optional { () throws(RPCError) in
      try await locator.call(
        NearestCinemas(origin: origin, limit: 20, metresMax: Self.nearMetres), asking.optionsForExtras)
    } ?? []
  }

  private func around(_ cinemas: [CinemaID], _ asking: Asking) async throws -> [FilmShowing] {
    guard !cinemas.isEmpty else { return [] }
    return try await scraper.call(FilmsShowing(cinemas: cinemas, limit: Self.rowMax), asking.options)
  }
}
