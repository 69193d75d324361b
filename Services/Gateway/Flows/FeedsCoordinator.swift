import Clocks
import Contracts
import HTTP
import JSON
import RPC

/// What other programs read of all that there is: the pages, for crawlers, and what is new, for feed readers.
final class FeedsCoordinator: Coordinator {
  private let scraper: any RPCClient<ScraperAPI>
  private let shelf: CinemaShelf
  private let titles: TitleShelf
  private let paths: PathShelf

  init(scraper: any RPCClient<ScraperAPI>, shelf: CinemaShelf, titles: TitleShelf, paths: PathShelf) {
    self.scraper = scraper
    self.shelf = shelf
    self.titles = titles
    self.paths = paths
  }

  private static let limit = QueryField<Int>.int("limit", "How many at most.", in: 1...100, default: 30)

  // Their addresses are absolute, and so another's where the server is called by another name: no answer serves others.
  var endpoints: [Endpoint] {
    [
      Endpoint(
        .get, "/sitemap.xml", "sitemap", "The pages that there are, for crawlers.", .service,
        answers: [.other(.xml, "Sitemaps 0.9.")]
      ) { [self] asking in try await sitemap(asking) },
      Endpoint(
        .get, "/feeds/new.atom", "newFilms", "Films that cinemas have begun to list, the newest first.", .service,
        query: [Self.limit, QueryField<Language?>.language], answers: [.other(.of(file: "new.atom"), "RFC 4287.")]
      ) { [self] asking in try await news(asking) },
    ]
  }

  // MARK: Pages

  private func sitemap(_ asking: Asking) async throws -> Answer {
    try asking.query.finish()
    let found = try await paths.paths(asking)
    let response = HTTPResponse(.ok, .xml, SiteMap.xml(found.paths, base: asking.base))
    // What misses something is not kept for a day.
    return Answer(found.isWhole ? response.cached(.day) : response)
  }

  // MARK: What is new

  private func news(_ asking: Asking) async throws -> Answer {
    var query = asking.query
    let limit = query.take(Self.limit)
    _ = query.take(QueryField<Language?>.language)
    try query.finish()
    let showing = try await scraper.call(FilmsShowing(limit: FilmsShowing.limitMax), asking.options)
    let new = showing.filter { $0.since != nil }
      .sorted { ($1.since?.milliseconds ?? 0, $0.film.id) < ($0.since?.milliseconds ?? 0, $1.film.id) }.prefix(limit)
    var page = ShowtimePage(showtimes: new.map(\.next), films: new.map(\.film), sources: [], revision: 0)
    let besides = await titles.complete(&page, in: asking.language, asking)
    let films = Dictionary(page.films.map { ($0.id, $0) }) { first, _ in first }
    let cinemas = try? await shelf.cinemas(new.map(\.next.cinema), asking.optionsForExtras)
    let feed = NewsFeed(
      entries: new.map { listed in
        NewsFeed.Entry(
          film: films[listed.film.id] ?? listed.film, since: listed.since ?? asking.now, next: listed.next,
          cinema: cinemas?[listed.next.cinema], cinemas: listed.cinemas.count)
      }, language: asking.language, base: asking.base, now: asking.now)
    // With titles as printed or cinemas without names it does for now, and is kept by nobody.
    let isWhole = cinemas != nil && !besides.isPartial
    var response = HTTPResponse(.ok, .of(file: "new.atom"), feed.xml)
    if isWhole { response = response.cached(.minute) }
    response.fields.append(HTTPField("Vary", "Accept-Language"))
    if let language = asking.language { response.fields.append(HTTPField("Content-Language", language.rawValue)) }
    return Answer(response)
  }
}
