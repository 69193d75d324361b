package import Contracts
package import RPC

/// The services behind this one.
package struct Upstreams {
  let locator: any RPCClient<LocatorAPI>
  let scraper: any RPCClient<ScraperAPI>
  let bookmarks: any RPCClient<BookmarksAPI>
  private(set) var films: any RPCClient<FilmsAPI>
  private(set) var dining: any RPCClient<DiningAPI>
  let timetable: any RPCClient<TimetableAPI>
  let radio: any RPCClient<RadioAPI>

  package init(
    locator: any RPCClient<LocatorAPI>, scraper: any RPCClient<ScraperAPI>, bookmarks: any RPCClient<BookmarksAPI>,
    films: any RPCClient<FilmsAPI>, dining: any RPCClient<DiningAPI>, timetable: any RPCClient<TimetableAPI>,
    radio: any RPCClient<RadioAPI>
  ) {
    self.locator = locator
    self.scraper = scraper
    self.bookmarks = bookmarks
    self.films = films
    self.dining = dining
    self.timetable = timetable
    self.radio = radio
  }

  /// The same, with reads that declare a freshness shared between the flows.
  func sharing(films: CachingClient<FilmsAPI>, dining: CachingClient<DiningAPI>) -> Upstreams {
    var shared = self
    shared.films = films
    shared.dining = dining
    return shared
  }
}

/// A flow: claims routes, and decides which calls are made in which order and what is done when a service is down.
///
/// A flow does not know who owns it, and no two flows call each other.
protocol Coordinator: AnyObject {
  var endpoints: [Endpoint] { get }
}

/// The root of all flows: born with the clients, it gives each flow those that it needs.
final class AppCoordinator {
  let children: [any Coordinator]

  init(
    _ upstreams: Upstreams, sessions: Sessions, shelf: CinemaShelf, titles: TitleShelf, festivals: FestivalShelf,
    paths: PathShelf, live: LiveHub
  ) {
    let (locator, scraper, bookmarks) = (upstreams.locator, upstreams.scraper, upstreams.bookmarks)
    let lookup = ThingLookup(
      shelf: shelf, films: upstreams.films, dining: upstreams.dining, radio: upstreams.radio)
    children = [
      HomeCoordinator(
        locator: locator, scraper: scraper, films: upstreams.films, shelf: shelf, titles: titles),
      NearbyCoordinator(
        locator: locator, scraper: scraper, bookmarks: bookmarks, films: upstreams.films, shelf: shelf, titles: titles),
      CinemasCoordinator(locator: locator, scraper: scraper, shelf: shelf, titles: titles),
      ShowtimesCoordinator(locator: locator, scraper: scraper, shelf: shelf, titles: titles),
      FilmsCoordinator(upstreams, shelf: shelf, titles: titles),
      SearchCoordinator(
        locator: locator, scraper: scraper, films: upstreams.films, titles: titles, festivals: festivals),
      SessionsCoordinator(bookmarks: bookmarks, sessions: sessions),
      BookmarksCoordinator(
        bookmarks: bookmarks, scraper: scraper, films: upstreams.films, locator: locator, shelf: shelf),
      ImportCoordinator(bookmarks: bookmarks, scraper: scraper, films: upstreams.films),
      FavouritesCoordinator(
        bookmarks: bookmarks, lookup: lookup, films: FilmLookup(scraper: scraper, films: upstreams.films)),
      FestivalsCoordinator(timetable: upstreams.timetable, bookmarks: bookmarks),
      CodesCoordinator(timetable: upstreams.timetable),
      RadioCoordinator(radio: upstreams.radio, bookmarks: bookmarks),
      LiveCoordinator(live),
      FeedsCoordinator(scraper: scraper, shelf: shelf, titles: titles, paths: paths),
      OperationsCoordinator(scraper: scraper, films: upstreams.films, lookup: lookup),
      DiningCoordinator(dining: upstreams.dining, scraper: scraper, shelf: shelf, titles: titles),
      PlansCoordinator(bookmarks: bookmarks, dining: upstreams.dining, scraper: scraper, shelf: shelf),
    ]
  }

  var endpoints: [Endpoint] { children.flatMap(\.endpoints) }
}
