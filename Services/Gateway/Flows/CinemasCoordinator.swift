import Calendars
import Clocks
import Contracts
import HTTP
import JSON
import RPC

/// The directory of cinemas, and what one of them shows.
final class CinemasCoordinator: Coordinator {
  private let locator: any RPCClient<LocatorAPI>
  let scraper: any RPCClient<ScraperAPI>
  let shelf: CinemaShelf
  private let titles: TitleShelf

  init(locator: any RPCClient<LocatorAPI>, scraper: any RPCClient<ScraperAPI>, shelf: CinemaShelf, titles: TitleShelf) {
    self.locator = locator
    self.scraper = scraper
    self.shelf = shelf
    self.titles = titles
  }

  /// `links` and `screens` come in any case; who asks for them is not turned away.
  enum Part: String, CaseIterable, Sendable { case days, links, screens }
  enum Order: String, CaseIterable, Sendable { case id, name, distance, screens }

  private static let limit = QueryField<Int>.int("limit", "How many at most.", in: 1...100, default: 20)
  private static let radius = QueryField<Int>.int(
    "radius_m", "With `near`: none further than so many metres.", in: 1...20_100_000, default: 20_100_000)
  private static let region = QueryField<String?>.text("region", "The slug of a region.", length: 1...80)
  private static let name = QueryField<String?>.text(
    "q", "A part of a name, two letters of Korean or Japanese, or initial consonants.", length: 1...100)
  private static let openOn = QueryField<CivilDate?>.written(
    "open_on", "Only those that show something on this service date.", as: CivilDate.self)
  private static let screensMin = QueryField<Int?>.optionalInt(
    "screens_min", "Only those that are known to have so many screens.", in: 1...100)
  private static let sort = QueryField<Order?>.optionalChoice(
    "sort", "In another order; `distance` needs `near`.", of: Order.self)
  private static let fields = QueryField<Set<String>>(
    "fields", "Only these members of each, and its id.",
    schema: .array(of: .words(CinemaPage.memberNames), atMost: QueryField<Void>.listMax)
  ) { query in
    let words = query.list("fields", max: QueryField<Void>.listMax)
    for word in words where !CinemaPage.memberNames.contains(word) {
      query.refuse("fields", word, among: CinemaPage.memberNames)
    }
    return Set(words)
  }
  private static let include = QueryField<Set<Part>>.choices(
    "include", "What is wanted besides; `links` and `screens` come in any case.", of: Part.self)
  private static let from = QueryField<CivilDate?>.written(
    "from", "The first service date; the cinema's today if left out.", as: CivilDate.self)
  private static let to = QueryField<CivilDate?>.written(
    "to", "The last service date, at most 59 days after `from`; later ones are left out.", as: CivilDate.self)
  private static let date = QueryField<CivilDate?>.written(
    "date", "The service date, in the cinema's zone; its today if left out.", as: CivilDate.self)
  private static let mapDate = QueryField<CivilDate?>.written(
    "date", "What plays on this service date; if left out, within a day from now.", as: CivilDate.self)
  private static let group = QueryField<CinemaDayPage.Grouping>.choice(
    "group", "By film, by screen, or not at all.", default: CinemaDayPage.Grouping.film)
  static let id = PathField("id", "The cinema's slug.", schema: CinemaID.schema)

  /// Two weeks, as the strip of days shows.
  private static let daysShown = 14
  /// Candidates that are looked through for one page.
  private static let candidatesMax = 1_000
  /// For one page: of a large directory in which few are open it ends early, with a cursor.
  private static let calendarCallsMax = 10
  /// A country's; more are not fetched to be sorted for one page.
  private static let sortedMax = 5_000

  var endpoints: [Endpoint] {
    [
      Endpoint(
        .get, "/v1/cinemas", "cinemas", "Cinemas by place, region or name.", .cinemas,
        query: [
          QueryField<Coordinate?>.near, Self.radius, QueryField<Box?>.bbox, Self.region, Self.name, Self.openOn,
          Self.screensMin, Self.sort, Self.fields, Self.limit, QueryField<String?>.cursor,
        ],
        answers: [
          .json(
            "With `q` the best first, with `near` the nearest, else by id, unless `sort` says otherwise.",
            ListPage<CinemaPage>.schema(of: CinemaPage.sparseSchema))
        ], isShared: true
      ) { [self] asking in try await list(asking) },
      Endpoint(
        .get, "/v1/cinemas.geojson", "cinemasGeoJSON", "Cinemas for a map, as GeoJSON (RFC 7946).", .cinemas,
        query: [QueryField<Box?>.bbox, Self.mapDate],
        answers: [.init(status: .ok, summary: "Points.", type: .geoJSON, schema: GeoJSONPage.schema)], isShared: true
      ) { [self] asking in try await geoJSON(asking) },
      Endpoint(
        .get, "/v1/cinemas/{id}", "cinema", "One cinema.", .cinemas, parameters: [Self.id], query: [Self.include],
        answers: [.json("The cinema.", CinemaPage.schema)], isShared: true
      ) { [self] asking in try await one(asking) },
      Endpoint(
        .get, "/v1/cinemas/{id}/days", "cinemaDays", "On which days a cinema is open.", .cinemas,
        parameters: [Self.id], query: [Self.from, Self.to], answers: [.json("Day by day.", DaysPage.schema)],
        isShared: true
      ) { [self] asking in try await days(asking) },
      Endpoint(
        .get, "/v1/cinemas/{id}/showtimes", "cinemaShowtimes", "What a cinema shows on a day.", .cinemas,
        parameters: [Self.id], query: [Self.date, Self.group],
        answers: [.json("Films by their first start.", CinemaDayPage.schema)], isShared: true
      ) { [self] asking in try await showtimes(asking) },
      Endpoint(
        .get, "/v1/regions", "regions", "The regions that have cinemas.", .cinemas,
        answers: [.json("By id.", ListPage<RegionItem>.schema)], isShared: true
      ) { [self] asking in
        let regions = try await locator.call(Regions(), asking.options)
        return .json(ListPage(regions.map { RegionItem(region: $0) }), madeOf: [.directory])
          .with("Cache-Control", CacheControl.day.rawValue).tagged
      },
      calendarEndpoint,
    ]
  }

  // MARK: Lists

  private func list(_ asking: Asking) async throws -> Answer {
    var query = asking.query
    let (near, radius, box) = (query.take(.near), query.take(Self.radius), query.take(.bbox))
    let (region, name, openOn) = (query.take(Self.region), query.take(Self.name), query.take(Self.openOn))
    let (limit, cursor) = (query.take(Self.limit), query.take(.cursor))
    let (screensMin, order, fields) = (query.take(Self.screensMin), query.take(Self.sort), query.take(Self.fields))
    if order == .distance, near == nil { query.refuse("sort", "by distance needs near", "distance") as Never? }
    try query.finish()

    let asked = shelf.changes
    var found: [CinemaPage]
    var next: String?
    var cut: String?
    if near == nil, box == nil, name == nil, screensMin == nil, openOn == nil, order ?? .id == .id {
      // In order of id, so the directory itself turns the pages.
      let page = try await locator.call(
        ListCinemas(region: region, after: try asking.key(of: cursor).flatMap { CinemaID($0) }, limit: limit),
        asking.options)
      found = page.cinemas.map { CinemaPage($0) }
      next = page.hasMore ? page.cinemas.last?.id.text : nil
    } else {
      let start = try asking.offset(of: cursor, atMost: Self.sortedMax)
      // Where nothing is sifted or sorted here, no more are asked for than are shown, and one to know whether there are more.
      let isSifted =
        region != nil || screensMin != nil || box != nil || openOn != nil || order ?? .distance != .distance
      let most = isSifted || start > Self.candidatesMax ? Self.candidatesMax : start + limit + 1
      let looked = try await candidates(near, radius, box, name, region, most: most, asking.options)
      cut = looked.cut
      var candidates = looked.pages.filter { page in
        (region.map { page.cinema.region == $0 } ?? true) && (box?.contains(page.cinema.position) ?? true)
          && (near == nil || page.metres ?? 0 <= Double(radius)) && page.cinema.screens ?? 0 >= screensMin ?? 0
      }
      order?.sort(&candidates)
      var end = min(start + limit, candidates.count)
      if let openOn {
        (found, end) = try await open(candidates, from: start, on: openOn, limit: limit, asking)
      } else {
        found = Array(candidates[min(start, end)..<end])
      }
      next = end < candidates.count ? String(end) : nil
    }
    for page in found { shelf.put(page.cinema, asked: asked) }
    let sources: Set<Ingredient> = openOn == nil ? [.directory] : [.directory, .schedule]
    if !fields.isEmpty { for index in found.indices { found[index].fields = fields } }
    let cursorText = asking.cursor(after: next)
    let isDemo = found.contains { $0.isDemo }
    var hint = cut
    if hint == nil, found.isEmpty, next == nil {
      hint = (try? await hintForUnknown(region, asking)) ?? "no cinema fits all of this"
    }
    var answer = Answer.json(ListPage(found, next: cursorText, hint: hint, isDemo: isDemo), madeOf: sources)
    answer.response.fields += asking.link(to: cursorText)
    return answer
  }

  /// What to tell of a region that there is not; nil of one that there is.
  private func hintForUnknown(_ region: String?, _ asking: Asking) async throws -> String? {
    guard let region else { return nil }
    let known = try await locator.call(Regions(), asking.options).map(\.id)
    guard !known.contains(region) else { return nil }
    return "there is no region \(region)"
      + (suggestion(for: region, among: known).map { "; did you mean \($0)?" } ?? "")
  }

  /// By name, else by distance, else in the box or the region: the narrowest first, the rest is sifted by the caller.
  ///
  /// - Parameter most: of those by distance.
  /// - Returns: also, why there may be more than were looked at.
  private func candidates(
    _ near: Coordinate?, _ radius: Int, _ box: Box?, _ name: String?, _ region: String?, most: Int,
    _ options: CallOptions
  ) async throws -> (pages: [CinemaPage], cut: String?) {
    func page(_ cinema: Cinema) -> CinemaPage { CinemaPage(cinema, metres: near?.metres(to: cinema.position)) }
    if let name {
      let hits = try await locator.call(FindCinemas(text: name, limit: FindCinemas.limitMax, origin: near), options)
      let cut = "only the \(FindCinemas.limitMax) that fit q best were looked at; give more of the name"
      return (hits.map { page($0.cinema) }, hits.count < FindCinemas.limitMax ? nil : cut)
    }
    if let near {
      let around = try await locator.cinemas(
        around: near, limit: min(most, NearestCinemas.limitMax), metresMax: Double(radius), options)
      return (around.near.map { CinemaPage($0.cinema, metres: $0.metres) }, around.cut)
    }
    guard let box else { return (try await all(in: region, options).map(page), nil) }
    let inside = try await locator.cinemas(in: box, options)
    let cut = "only \(CinemasInBox.limitMax) of the box were looked at; give a smaller bbox"
    return (inside.cinemas.map(page), inside.isCut ? cut : nil)
  }

  /// The directory, or a region of it.
  private func all(in region: String?, _ options: CallOptions) async throws -> [Cinema] {
    var cinemas: [Cinema] = []
    while true {
      let page = try await locator.call(
        ListCinemas(region: region, after: cinemas.last?.id, limit: Self.candidatesMax), options)
      cinemas += page.cinemas
      guard page.hasMore else { return cinemas }
      guard cinemas.count < Self.sortedMax else {
        throw Problem(
          .validation,
          errors: [.init(parameter: "region", detail: "there are too many; narrow them by region, near, bbox or q")])
      }
    }
  }

  /// The first that are open, from a place on, and the place behind the last that was looked at.
  private func open(
    _ pages: [CinemaPage], from start: Int, on date: CivilDate, limit: Int, _ asking: Asking
  ) async throws -> (found: [CinemaPage], end: Int) {
    var found: [CinemaPage] = []
    var end = start
    for _ in 0..<Self.calendarCallsMax where found.count < limit && end < pages.count {
      let part = pages[end..<min(end + CinemaDays.cinemasMax, pages.count)]
      let calendars = try await scraper.call(
        CinemaDays(cinemas: part.map(\.cinema.id), from: date, days: 1), asking.options)
      let isOpen = Set(calendars.filter { $0.days.first?.status == .open }.map(\.cinema))
      for page in part where found.count < limit {
        if isOpen.contains(page.cinema.id) { found.append(page) }
        end += 1
      }
    }
    return (found, end)
  }

  private func geoJSON(_ asking: Asking) async throws -> Answer {
    var query = asking.query
    let (box, date) = (query.take(.bbox), query.take(Self.mapDate))
    try query.finish()
    let cinemas: [Cinema]
    let isCut: Bool
    if let box {
      (cinemas, isCut) = try await locator.cinemas(in: box, asking.options)
    } else {
      let page = try await locator.call(ListCinemas(limit: Self.candidatesMax), asking.options)
      (cinemas, isCut) = (page.cinemas, page.hasMore)
    }
    // The map is of use without what plays.
    let near = Array(cinemas.prefix(CinemaDays.cinemasMax))
    let until = WallTime(milliseconds: asking.now.milliseconds + 86_400_000)
    let coming =
      cinemas.isEmpty
      ? nil
      : try await optional { () throws(RPCError) in
        try await scraper.call(
          FindShowtimes(
            cinemas: cinemas.map(\.id), date: date, from: asking.now, to: date == nil ? until : nil,
            limit: FindShowtimes.limitMax),
          asking.optionsForExtras)
      }
    let days =
      near.isEmpty
      ? nil
      : try await optional { () throws(RPCError) in
        try await scraper.call(CinemaDays(cinemas: near.map(\.id), from: date, days: 1), asking.optionsForExtras)
      }
    var page = GeoJSONPage(cinemas, box: box, date: date, coming: coming, days: days, view: asking.view)
    if isCut { page.hint = "only \(Self.candidatesMax) cinemas are told; give a \(box == nil ? "" : "smaller ")bbox" }
    var answer = Answer.json(page, madeOf: [.directory, .schedule], isPartial: !page.missing.isEmpty)
      .yielding(if: !page.missing.isEmpty)
    answer.response.type = .geoJSON
    return answer
  }

  // MARK: One cinema

  /// The cinema of the path; 404 if there never was one, 410 if there was.
  private func cinema(_ asking: Asking) async throws -> Cinema {
    try await shelf.known(asking.id(of: CinemaID.self), asking.options)
  }

  private func one(_ asking: Asking) async throws -> Answer {
    var query = asking.query
    let parts = query.take(Self.include)
    try query.finish()
    let cinema = try await cinema(asking)
    var page = CinemaPage(cinema)
    var sources: Set<Ingredient> = [.directory]
    if parts.contains(.days) {
      let calendars = try await scraper.call(CinemaDays(cinemas: [cinema.id], days: Self.daysShown), asking.options)
      page.add(calendars.first, nil, asking.view)
      sources.insert(.programme(cinema.id))
    }
    return .json(page, madeOf: sources)
  }

  private func days(_ asking: Asking) async throws -> Answer {
    var query = asking.query
    let (from, to) = (query.take(Self.from), query.take(Self.to))
    if let from, let to, to < from { query.refuse("to", "must not be before from, \(from)", "\(to)") as Never? }
    try query.finish()
    let cinema = try await cinema(asking)
    let zone = asking.view.rules(cinema.zone)
    let first = from ?? ServiceDay(of: cinema).date(of: asking.now, in: zone)
    let count = to.map { $0 - first + 1 } ?? Self.daysShown
    guard count <= CinemaDays.daysMax else {
      let last = first + (CinemaDays.daysMax - 1)
      throw Problem(
        .validation,
        errors: [.init(parameter: "to", detail: "must be at most \(last): \(CinemaDays.daysMax) days are told at once")]
      )
    }
    guard count > 0 else {
      return .json(DaysPage(CinemaCalendar(cinema: cinema.id, days: []), in: zone), madeOf: [.directory])
    }
    let calendars = try await scraper.call(
      CinemaDays(cinemas: [cinema.id], from: from, days: count), asking.options)
    let calendar = calendars.first ?? CinemaCalendar(cinema: cinema.id, days: [])
    return .json(DaysPage(calendar, in: zone), madeOf: [.directory, .programme(cinema.id)])
  }

  private func showtimes(_ asking: Asking) async throws -> Answer {
    var query = asking.query
    let (date, group) = (query.take(Self.date), query.take(Self.group))
    try query.finish()
    let id = try asking.id(of: CinemaID.self)
    // Neither needs the other's answer.
    async let known = cinema(asking)
    async let answered = scraper.call(DayProgrammes(cinemas: [id], date: date), asking.options)
    let cinema = try await known
    guard var programme = try await answered.first else {
      throw Problem(.notFound, "nothing is known of what \(id) shows")
    }
    let besides = await titles.complete(&programme, in: asking.language, asking)
    let item = ProgrammeItem(programme, in: cinema.zone, asking.view)
    return .json(
      CinemaDayPage(programme: item, grouping: group), madeOf: besides.madeOf.union([.directory, .programme(id)]),
      isPartial: besides.isPartial)
  }
}

extension CinemasCoordinator.Order {
  /// Of two that are alike the one with the lesser id is first.
  fileprivate func sort(_ pages: inout [CinemaPage]) {
    switch self {
    case .id: pages.sort { $0.cinema.id < $1.cinema.id }
    case .name: pages.sort { ($0.cinema.name, $0.cinema.id) < ($1.cinema.name, $1.cinema.id) }
    case .distance: pages.sort { ($0.metres ?? 0, $0.cinema.id) < ($1.metres ?? 0, $1.cinema.id) }
    case .screens: pages.sort { (-($0.cinema.screens ?? 0), $0.cinema.id) < (-($1.cinema.screens ?? 0), $1.cinema.id) }
    }
  }
}
