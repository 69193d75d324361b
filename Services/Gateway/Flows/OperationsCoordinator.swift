import Calendars
import Contracts
import HTTP
import JSON
import RPC

/// Whether all this can be trusted: where programmes come from, and a word back when one is wrong.
final class OperationsCoordinator: Coordinator {
  private let scraper: any RPCClient<ScraperAPI>
  private let shelf: CinemaShelf
  private let things: ThingLookup
  private let films: FilmLookup

  init(scraper: any RPCClient<ScraperAPI>, films: any RPCClient<FilmsAPI>, lookup: ThingLookup) {
    self.scraper = scraper
    self.films = FilmLookup(scraper: scraper, films: films)
    things = lookup
    shelf = lookup.shelf
  }

  private static let kinds = ReportKind.known.map(\.rawValue)
  private static let reportForm = BodyForm(
    schema: .object([
      ("kind", .words(kinds), true),
      (
        "subject",
        Schema.object([
          ("cinema_id", CinemaID.schema, false), ("showtime_id", ShowtimeID.schema, false),
          ("film_id", FilmID.schema, false),
        ]).with("minProperties", 1).described("What it is about."), true
      ),
      ("comment", .string("In your own words.", length: 0...ReportProblem.commentCharactersMax), false),
    ]))

  var endpoints: [Endpoint] {
    [
      Endpoint(
        .get, "/v1/sources", "sources", "Where programmes come from, and how fresh they are.", .service,
        answers: [.json("By cinema.", ListPage<SourceItem>.schema)], isShared: true
      ) { [self] asking in
        let sources = try await scraper.call(Sources(), asking.options)
        let cinemas = (try? await shelf.cinemas(sources.map(\.cinema), asking.optionsForExtras)) ?? [:]
        let items = sources.map { source in
          let cinema = cinemas[source.cinema]
          return SourceItem(
            source: source, cinema: cinema.map { CinemaName($0) },
            zone: cinema.map { asking.view.rules($0.zone) } ?? .utc)
        }
        return .json(
          ListPage(items, isDemo: sources.contains { $0.isDemo == true }), madeOf: [.schedule, .directory],
          isPartial: cinemas.isEmpty && !items.isEmpty)
      },
      Endpoint(
        .post, "/v1/reports", "report", "Tells that something shown is wrong; somebody will look.", .service,
        access: .maybeUser, fields: [.idempotencyKey], body: Self.reportForm,
        answers: [.json(.created, "It is on the list.", ReportPage.schema)]
      ) { [self] asking in try await report(asking) },
    ]
  }

  private func report(_ asking: Asking) async throws -> Answer {
    var body = try asking.body()
    let word = body.required("kind", as: String.self)
    let kind = ReportKind.known.first { $0.rawValue == word }
    if word != nil, kind == nil { body.note("kind", "must be one of \(Self.kinds.joined(separator: ", "))") }
    let subject = body.object("subject") { subject -> (CinemaID?, ShowtimeID?, FilmID?) in
      (subject.id("cinema_id"), subject.id("showtime_id"), subject.id("film_id"))
    }
    if subject == nil || subject?.0 == nil && subject?.1 == nil && subject?.2 == nil {
      body.note("subject", "must name a cinema_id, a showtime_id or a film_id")
    }
    let comment = body.optional("comment", as: String.self)
    if comment?.unicodeScalars.count ?? 0 > ReportProblem.commentCharactersMax {
      body.note("comment", "must have at most \(ReportProblem.commentCharactersMax) characters")
    }
    try body.finish()
    var options = asking.options
    options.key = try asking.key(for: asking.user) ?? .fresh()
    try await check(subject?.0, subject?.2, asking)
    let receipt = try await scraper.call(
      ReportProblem(
        kind: kind ?? .other, cinema: subject?.0, showtime: subject?.1, film: subject?.2, comment: comment,
        user: asking.user), options)
    return Answer.json(ReportPage(id: receipt.id), .created).replayed(receipt.isReplay)
  }

  /// 404 for a cinema or a film that there never was. A showing may have vanished, which is what people report.
  private func check(_ cinema: CinemaID?, _ film: FilmID?, _ asking: Asking) async throws {
    if let cinema, try await things.standing(of: .cinema, cinema.text, asking) == .nobodys {
      throw Problem(.notFound, "no cinema has the id \(cinema)")
    }
    guard let film else { return }
    let found = await films.films([film], asking)
    if found.films[film] == nil, found.failure == nil { throw Problem(.notFound, "no film has the id \(film)") }
  }
}

/// A report that was taken.
nonisolated struct ReportPage: Shaped, Equatable {
  var id: String

  static let shape = Shape<ReportPage>(
    "Report", "A report that was taken.", [.required("id", "What it is called from now on.") { $0.id }])
}

nonisolated extension JSONReader {
  /// An id, if there is one; anything else is noted.
  mutating func id<Subject>(_ name: String, of: ID<Subject>.Type = ID<Subject>.self) -> ID<Subject>? {
    guard let text = optional(name, as: String.self) else { return nil }
    if let id = ID<Subject>(text) { return id }
    note(name, "must be \(ID<Subject>.form)")
    return nil
  }
}
