import Calendars
import Clocks
import Contracts
import HTTP
import JSON
import RPC

/// Showings over many cinemas, one of them, and what can still be reached tonight.
final class ShowtimesCoordinator: Coordinator {
  private let locator: any RPCClient<LocatorAPI>
  private let scraper: any RPCClient<ScraperAPI>
  private let shelf: CinemaShelf
  private let titles: TitleShelf

  init(locator: any RPCClient<LocatorAPI>, scraper: any RPCClient<ScraperAPI>, shelf: CinemaShelf, titles: TitleShelf) {
    self.locator = locator
    self.scraper = scraper
    self.shelf = shelf
    self.titles = titles
  }

  enum Sorting: String, CaseIterable, Sendable {
    case start = "starts_at"
    case distance
  }

  private static let films = QueryField<[FilmID]>.ids("film", "Of these films.", of: FilmID.self)
  private static let cinemas = QueryField<[CinemaID]>.ids("cinema", "In these cinemas.", of: CinemaID.self)
  private static let radius = QueryField<Int>.int(
    "radius_m", "With `near`: in cinemas no further than so many metres.", in: 1...1_000_000, default: 5_000)
  static let date = QueryField<CivilDate?>.written(
    "date", "The service date, in each cinema's zone.", as: CivilDate.self)
  private static let dateTo = QueryField<CivilDate?>.written(
    "date_to", "With `date`: also the service days after it until this one, a week at most.", as: CivilDate.self)
  private static let genres = QueryField<Set<FilmGenre>>.choices(
    "genre", "Films of any of these genres.", of: FilmGenre.self)
  private static let from = QueryField<Timestamp?>.written(
    "from", "Starting no earlier; now, if neither it nor `date` is given.", as: Timestamp.self)
  private static let to = QueryField<Timestamp?>.written("to", "Starting earlier.", as: Timestamp.self)
  private static let endBefore = QueryField<Timestamp?>.written("end_before", "Over before.", as: Timestamp.self)
  private static let startAfter = QueryField<DisplayTime?>.written(
    "start_after", "Printed time, no earlier: `18:00`.", as: DisplayTime.self)
  private static let startBefore = QueryField<DisplayTime?>.written(
    "start_before", "Printed time, earlier: `25:00`.", as: DisplayTime.self)
  private static let attributes = QueryField<[String]>.words(
    "attribute", "With all of these: `subtitled`, `gv`, `35mm`, `relaxed`.", pattern: "^[a-z0-9][a-z0-9:_-]*$",
    fits: isAttribute)
  private static let hidesSoldOut = QueryField<Bool>.flag("hide_sold_out", "Leave out what is sold out.")
  private static let sort = QueryField<Sorting>.choice(
    "sort", "By start, or with `near` the nearest cinema first.", default: Sorting.start)
  private static let limit = QueryField<Int>.int("limit", "How many at most.", in: 1...100, default: 20)
  private static let limitTonight = QueryField<Int>.int(
    "limit", "How many at most.", in: 1...TonightQuestion.limitMax, default: 20)
  private static let within = QueryField<Int>.int(
    "within_min", "Starting within so many minutes.", in: 5...1_440, default: TonightQuestion.minutesUsual)
  private static let walk = QueryField<Int?>.optionalInt(
    "walk_max_min", "No further than so many minutes on foot, at 80 m a minute.", in: 1...600)
  private static let id = PathField("id", "The showing's id.", schema: ShowtimeID.schema)

  var endpoints: [Endpoint] {
    [
      Endpoint(
        .get, "/v1/showtimes", "showtimes", "Showings that fit every filter.", .showtimes,
        query: [
          Self.films, Self.cinemas, QueryField<Coordinate?>.near, Self.radius, Self.date, Self.from, Self.to,
          Self.endBefore, Self.startAfter, Self.startBefore, Self.genres, Self.attributes, Self.hidesSoldOut, Self.sort,
          Self.limit, QueryField<String?>.cursor,
        ] + ShowingFilter.fields,
        answers: [.json("By start, or by distance.", ListPage<ShowingItem>.schema)], isShared: true
      ) { [self] asking in try await list(asking) },
      Endpoint(
        .get, "/v1/showtimes/{id}", "showtime", "One showing.", .showtimes, parameters: [Self.id],
        answers: [.json("The showing.", ShowingPage.schema)], isShared: true
      ) { [self] asking in
        let (found, cinema) = try await one(asking)
        var page = found
        let besides = await titles.complete(&page, in: asking.language, asking)
        let showings = ShowingItem.all(of: page, cinemas: cinema.map { [$0.id: $0] } ?? [:], view: asking.view)
        let zone = cinema.map { asking.view.rules($0.zone) } ?? .utc
        return .json(
          ShowingPage(showing: showings[0], freshness: FreshnessItem(page.sources.first, in: zone)),
          madeOf: besides.madeOf.union([.programme(page.showtimes[0].cinema), .directory]),
          isPartial: besides.isPartial)
      },
      Endpoint(
        .get, "/v1/showtimes/{id}.ics", "showtimeICS", "One showing, for a calendar.", .showtimes,
        parameters: [Self.id], answers: [.other(.calendar, "iCalendar (RFC 5545).")], isShared: true
      ) { [self] asking in
        let (page, cinema) = try await one(asking)
        let feed = ShowtimeFeed(page, cinemas: cinema.map { [$0.id: $0] } ?? [:], name: nil, view: asking.view)
        return feed.answer(madeOf: [.programme(page.showtimes[0].cinema), .directory])
      },
      Endpoint(
        .get, "/v1/tonight", "tonight", "What can still be reached, by start; with `date` the day's or days' first.",
        .showtimes,
        query: [
          QueryField<Double>.latitude, QueryField<Double>.longitude, Self.within, Self.walk, Self.date, Self.dateTo,
          Self.startAfter, Self.startBefore, Self.cinemas, Self.genres, Self.attributes, Self.hidesSoldOut,
          Self.limitTonight,
        ], answers: [.json("By start.", TonightAnswer.schema)], isShared: true
      ) { [self] asking in try await tonight(asking) },
    ]
  }

  /// Whether a word may be an attribute of a showing: `Web/js/views/tonight.js` asks the same.
  nonisolated static func isAttribute(_ word: String) -> Bool {
    word.utf8.count <= 80 && word.utf8.first.map { $0 != 45 && $0 != 58 && $0 != 95 } ?? false
      && word.utf8.allSatisfy { (97...122).contains($0) || (48...58).contains($0) || $0 == 45 || $0 == 95 }
  }

  private func list(_ asking: Asking) async throws -> Answer {
    var query = asking.query
    let (near, radius, sort) = (query.take(.near), query.take(Self.radius), query.take(Self.sort))
    let (films, wanted, date) = (query.take(Self.films), query.take(Self.cinemas), query.take(Self.date))
    var request = FindShowtimes(
      films: films.isEmpty ? nil : films, date: date, from: query.take(Self.from)?.instant,
      to: query.take(Self.to)?.instant, endsBefore: query.take(Self.endBefore)?.instant,
      startAfter: query.take(Self.startAfter), startBefore: query.take(Self.startBefore), limit: query.take(Self.limit))
    let attributes = query.take(Self.attributes)
    request.attributes = attributes.isEmpty ? nil : attributes
    request.choices = ShowingFilter(&query).choices
    request.hidesSoldOut = query.take(Self.hidesSoldOut)
    let genres = query.take(Self.genres)
    let cursor = query.take(.cursor)
    if sort == .distance, near == nil { query.refuse("sort", "by distance needs near", "distance") as Never? }
    try query.finish()
    request.after = try asking.key(of: cursor)
    request.cinemas = wanted.isEmpty ? nil : wanted

    var cut: [String] = []
    if let near {
      let asked = shelf.changes
      let (around, more) = try await locator.cinemas(around: near, metresMax: Double(radius), asking.options)
      if let more { cut.append(more) }
      for item in around { shelf.put(item.cinema, asked: asked) }
      request.cinemas = around.map(\.cinema.id).filter { wanted.isEmpty || wanted.contains($0) }
      request.order = sort == .distance ? .cinemas : .startsAt
      guard request.cinemas?.isEmpty == false else {
        return .json(
          ListPage<ShowingItem>([], hint: "no cinema within \(radius) m; give a larger radius_m"),
          madeOf: [.directory])
      }
    }
    var sorted = TitleShelf.Completion()
    if !genres.isEmpty {
      let playing = try await FilmsOfGenres(scraper: scraper, titles: titles).playing(
        genres, of: request.films, in: request.cinemas, asking)
      (request.films, sorted) = (playing.ids, playing.besides)
      if let more = playing.cut { cut.append(more) }
    }
    // None of their films is of that genre.
    if request.films?.isEmpty == true {
      return .json(
        ListPage<ShowingItem>(
          [], hint: (["no such film is of that genre; leave genre out"] + cut).joined(separator: "; "),
          missing: sorted.isPartial ? ["genres"] : []),
        madeOf: sorted.madeOf.union([.directory, .schedule]), isPartial: sorted.isPartial)
    }
    var page = try await scraper.call(request, asking.options)
    let besides = sorted + (await titles.complete(&page, in: asking.language, asking))
    let next = asking.cursor(after: page.next)
    // For want of a hint nothing fails.
    if page.showtimes.isEmpty, cursor == nil {
      cut.append((try? await hintForUnknown(wanted, asking)) ?? "no showing to come fits all of this")
    }
    var answer = Answer.json(
      ListPage(
        try await showings(page, from: near, asking), next: next,
        hint: cut.isEmpty ? nil : cut.joined(separator: "; "),
        missing: sorted.isPartial ? ["genres"] : [],
        isDemo: page.sources.contains { $0.isDemo == true }),
      madeOf: besides.madeOf.union([.directory, .schedule]), isPartial: besides.isPartial)
    answer.response.fields += asking.link(to: next)
    return answer
  }

  /// What to tell of cinemas that there are not; nil if all are there.
  private func hintForUnknown(_ wanted: [CinemaID], _ asking: Asking) async throws -> String? {
    guard !wanted.isEmpty else { return nil }
    let known = try await shelf.cinemas(wanted, asking.options)
    guard let id = wanted.first(where: { known[$0] == nil }) else { return nil }
    let all = try await locator.call(ListCinemas(limit: ListCinemas.limitMax), asking.options).cinemas.map(\.id.text)
    return "there is no cinema \(id)" + (suggestion(for: id.text, among: all).map { "; did you mean \($0)?" } ?? "")
  }

  /// Times are shown in each cinema's zone, so without the directory there is no answer.
  private func showings(
    _ page: ShowtimePage, from origin: Coordinate?, _ asking: Asking
  ) async throws -> [ShowingItem] {
    let cinemas = try await shelf.cinemas(page.showtimes.map(\.cinema), asking.options)
    return ShowingItem.all(of: page, cinemas: cinemas, from: origin, view: asking.view)
  }

  private func one(_ asking: Asking) async throws -> (ShowtimePage, Cinema?) {
    let id = try asking.id(of: ShowtimeID.self)
    let page = try await scraper.call(ShowtimesByID(ids: [id]), asking.options)
    guard let showtime = page.showtimes.first else { throw Problem(.notFound, "no showing has the id \(id)") }
    return (page, try await shelf.cinema(showtime.cinema, asking.options))
  }

  private func tonight(_ asking: Asking) async throws -> Answer {
    var query = asking.query
    let (latitude, longitude) = (query.take(.latitude), query.take(.longitude))
    var question = TonightQuestion(origin: try Coordinate(latitude: latitude, longitude: longitude))
    (question.minutes, question.walk) = (query.take(Self.within), query.take(Self.walk))
    (question.attributes, question.hidesSoldOut) = (query.take(Self.attributes), query.take(Self.hidesSoldOut))
    (question.date, question.cinemas) = (query.take(Self.date), query.take(Self.cinemas))
    (question.dateTo, question.genres) = (query.take(Self.dateTo), query.take(Self.genres))
    (question.startAfter, question.startBefore) = (query.take(Self.startAfter), query.take(Self.startBefore))
    if let last = question.dateTo {
      let most = question.date.map { $0 + (TonightQuestion.daysMax - 1) }
      if let first = question.date, let most, !(first...most).contains(last) {
        query.refuse("date_to", "must be from \(first) to \(most)", "\(last)") as Never?
      } else if most == nil {
        query.refuse("date_to", "needs date, the first of the days", "\(last)") as Never?
      }
    }
    let limit = query.take(Self.limitTonight)
    try query.finish()
    let (answer, besides) = try await question.answer(
      limit: limit, locator: locator, scraper: scraper, shelf: shelf, titles: titles, view: asking.view, asking)
    return .json(answer, madeOf: besides.madeOf.union([.directory, .schedule]), isPartial: besides.isPartial)
  }
}
