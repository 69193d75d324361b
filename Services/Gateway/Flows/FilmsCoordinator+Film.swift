import Contracts
import HTTP
import RPC

/// A film on its own page.
extension FilmsCoordinator {
  enum Part: String, CaseIterable, Sendable {
    case credits, showtimes, similar
    case reviewsLinks = "reviews_links"
  }

  private static let include = QueryField<Set<Part>>.choices("include", "What is wanted besides.", of: Part.self)
  /// More would be no page.
  private static let showtimesMax = 200
  private static let similarMax = 6

  var filmEndpoint: Endpoint {
    Endpoint(
      .get, "/v1/films/{id}", "film", "A film, and where it plays.", .films, parameters: [Self.id],
      query: [Self.include, QueryField<Coordinate?>.near], answers: [.json("The film.", FilmPage.schema)],
      isShared: true
    ) { [self] asking in try await film(asking) }
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
}
