import Calendars
import Clocks
import Contracts
import HTTP
import RPC

/// A film on its own page, and a cinema's programme as a calendar.
final class FilmCoordinator: Coordinator {
  private let scraper: any RPCClient<ScraperAPI>
  private let shelf: CinemaShelf
  private let titles: TitleShelf
  private let lookup: FilmLookup

  init(scraper: any RPCClient<ScraperAPI>, films: any RPCClient<FilmsAPI>, shelf: CinemaShelf, titles: TitleShelf) {
    self.scraper = scraper
    self.shelf = shelf
    self.titles = titles
    lookup = FilmLookup(scraper: scraper, films: films)
  }

  enum Part: String, CaseIterable, Sendable {
    case credits, showtimes, similar
    case reviewsLinks = "reviews_links"
  }

  private static let include = QueryField<Set<Part>>.choices("include", "What is wanted besides.", of: Part.self)
  private static let days = QueryField<Int>.int("days", "How many days ahead.", in: 1...60, default: 30)
  private static let id = PathField("id", "The film's id.", schema: FilmID.schema)
  /// More would be no page.
  private static let showtimesMax = 200
  private static let similarMax = 6

  var endpoints: [Endpoint] {
    [
      Endpoint(
        .get, "/v1/films/{id}", "film", "A film, and where it plays.", .films, parameters: [Self.id],
        query: [Self.include, QueryField<Coordinate?>.near], answers: [.json("The film.", FilmPage.schema)],
        isShared: true
      ) { [self] asking in try await film(asking) },
      Endpoint(
        .get, "/v1/cinemas/{id}/calendar.ics", "cinemaCalendar",
        "A cinema's programme, to subscribe to; the next \(FeedShowings.most) showings, if there are more.", .cinemas,
        parameters: [CinemasCoordinator.id], query: [Self.days], answers: [.other(.calendar, "iCalendar (RFC 5545).")],
        isShared: true
      ) { [self] asking in try await calendar(asking) },
    ]
  }

  private func film(_ asking: Asking) async throws -> Answer {
    var query = asking.query
    let (parts, near) = (query.take(Self.include), query.take(.near))
    try query.finish()
    let id = try asking.id(of: FilmID.self)
    let known = try await lookup.film(id, asking)
    async let coming = scraper.call(
      FindShowtimes(films: known.ids, from: asking.now, limit: parts.contains(.showtimes) ? Self.showtimesMax : 1),
      asking.options)
    async let similar =
      parts.contains(.similar) ? lookup.similar(to: known.film, limit: Self.similarMax, asking) : nil
    var page = try await coming
    let alike = try await similar
    let besides = await titles.complete(&page, in: asking.language, asking)
    var film = FilmPage(
      film: FilmItem(known, in: asking.language, isFull: true), isShowing: !page.showtimes.isEmpty)
    if parts.contains(.showtimes) {
      let cinemas = try await shelf.cinemas(page.showtimes.map(\.cinema), asking.options)
      film.showtimes = ShowingItem.all(of: page, cinemas: cinemas, from: near, view: asking.view)
      if page.next != nil { film.hint = "these are the next \(page.showtimes.count); all of them: \(all(id))" }
    }
    film.similar = alike?.films
    if parts.contains(.reviewsLinks) { film.reviews = ReviewLinkItem.all(of: known.film) }
    film.missing = [("catalogue", known.isPartial), ("similar", alike?.isPartial == true)].filter(\.1).map(\.0)
    var answer = Answer.json(
      film, madeOf: [.directory, .schedule, .catalogue], isPartial: !film.missing.isEmpty || besides.isPartial)
    if film.hint != nil { answer.response.fields.append(HTTPField("Link", "<\(all(id))>; rel=\"related\"")) }
    return answer
  }

  /// Where all showings of a film are told.
  private func all(_ id: FilmID) -> String { "/v1/films/\(id)/showtimes" }

  private func calendar(_ asking: Asking) async throws -> Answer {
    var query = asking.query
    let days = query.take(Self.days)
    try query.finish()
    let id = try asking.id(of: CinemaID.self)
    let cinema = try await shelf.known(id, asking.options)
    let zone = asking.view.rules(cinema.zone)
    let service = ServiceDay(of: cinema)
    let today = service.date(of: asking.now, in: zone)
    let to = service.instants(of: today + (days - 1), in: zone).upperBound
    let found = try await FeedShowings.find(
      FindShowtimes(
        cinemas: [id], from: service.instants(of: today, in: zone).lowerBound, to: to, includesCancelled: true,
        order: .startsAt, limit: FeedShowings.pageMax), of: scraper, asking)
    let feed = ShowtimeFeed(found.page, cinemas: [id: cinema], name: cinema.name, view: asking.view)
    return feed.answer(madeOf: [.directory, .programme(id)], isPartial: found.isCut)
  }
}

/// Which films are like another, as far as their programme tells.
nonisolated enum Similar {
  /// Those that share a director, then those that share genres, the most first; of equals in the order given.
  static func films(to film: Film, among others: [Film]) -> [Film] {
    let genres = Set(film.genres ?? [])
    let directors = Set(film.directors ?? [])
    let rated = others.filter { $0.id != film.id }.map { other in
      (
        film: other,
        score: directors.intersection(other.directors ?? []).count * 10 + genres.intersection(other.genres ?? []).count
      )
    }
    return rated.filter { $0.score > 0 }.enumerated()
      .sorted { ($1.element.score, $0.offset) < ($0.element.score, $1.offset) }.map(\.element.film)
  }
}
