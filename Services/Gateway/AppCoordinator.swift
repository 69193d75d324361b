package import Contracts
package import RPC

/// The services behind this one.
package struct Upstreams {
  let locator: any RPCClient<LocatorAPI>
  let scraper: any RPCClient<ScraperAPI>
  let bookmarks: any RPCClient<BookmarksAPI>

  package init(
    locator: any RPCClient<LocatorAPI>, scraper: any RPCClient<ScraperAPI>, bookmarks: any RPCClient<BookmarksAPI>
  ) {
    self.locator = locator
    self.scraper = scraper
    self.bookmarks = bookmarks
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

  init(_ upstreams: Upstreams, desk: FrontDesk, shelf: CinemaShelf) {
    children = [
      NearbyCoordinator(locator: upstreams.locator, scraper: upstreams.scraper, shelf: shelf),
      CinemasCoordinator(locator: upstreams.locator, scraper: upstreams.scraper, shelf: shelf),
      SessionsCoordinator(bookmarks: upstreams.bookmarks, sessions: desk.sessions),
      BookmarksCoordinator(bookmarks: upstreams.bookmarks, scraper: upstreams.scraper, shelf: shelf),
    ]
  }

  var endpoints: [Endpoint] { children.flatMap(\.endpoints) }
}
