import Calendars
import Contracts
import HTTP
import JSON
import RPC

/// The page's first paint: the same answers as the API gives, as HTML that can be read without a script.
///
/// It is no part of the API: its addresses are for people, unknown parameters are let pass, and what goes wrong is said
/// in words of the page.
final class PageCoordinator: Coordinator {
  private let locator: any RPCClient<LocatorAPI>
  private let scraper: any RPCClient<ScraperAPI>
  private let shelf: CinemaShelf
  private let titles: TitleShelf
  private let files: WebFiles
  let api: OwnAPI
  private let home: HomePlace
  private let lookup: FilmLookup
  /// Whether what was shown last was invented: for pages that show no data of their own.
  private var isDemo = false

  static let cinemasShown = 3
  private static let daysShown = 14
  private static let showtimesMax = 200
  private static let similarMax = 6
  private static let hitsMost = "30"
  /// What a search may have; more is no name of anything.
  private static let lettersMost = 100

  init(
    locator: any RPCClient<LocatorAPI>, scraper: any RPCClient<ScraperAPI>, films: any RPCClient<FilmsAPI>,
    shelf: CinemaShelf, titles: TitleShelf, files: WebFiles, api: OwnAPI, home: HomePlace
  ) {
    lookup = FilmLookup(scraper: scraper, films: films)
    self.locator = locator
    self.scraper = scraper
    self.shelf = shelf
    self.titles = titles
    self.files = files
    self.api = api
    self.home = home
  }

  // A query that is never finished lets unknown names pass; one field must be named, or none would be taken.
  private static let query: [any AnyQueryField] = [QueryField<String?>.text("lang", "ko, ja or en.", length: 0...100)]
  private static let html = [AnswerForm.other(.html, "The page.")]

  var endpoints: [Endpoint] {
    [
      page("/", "nearbyPage") { [self] in try await nearby($0) },
      page("/cinemas/{id}", "cinemaPage", [CinemasCoordinator.id]) { [self] in try await cinema($0) },
      page("/films/{id}", "filmPage", [PathField("id", "The film's id.", schema: FilmID.schema)]) { [self] in
        try await film($0)
      },
      page("/tonight", "tonightPage") { [self] in try await tonight($0) },
      page("/discover", "discoverPage") { [self] in try await discover($0) },
      page("/radio", "radioPage") { [self] in try await radio($0) },
      page("/festivals", "festivalsPage") { [self] in try await festivals($0) },
      page("/festivals/{id}", "festivalPage", [Self.festivalField]) { [self] in try await festival($0) },
      page("/festivals/{id}/sessions/{session}", "sessionPage", [Self.festivalField, Self.sessionField]) { [self] in
        try await session($0)
      },
      page("/dinner/{id}", "dinnerPage", [PathField("id", "The showing's id.", schema: ShowtimeID.schema)]) { [self] in
        try await dinner($0)
      },
      page("/plans/{share}", "planPage", [PathField("share", "The link's own part.", schema: .string())]) {
        [self] asking in
        let scene = scene(asking)
        let plan = try await get("/v1/plans/{share}", asking.path, [:], scene, asking)
        // A plan is kept in its maker's words; names are shown in the reader's.
        let show = plan["showtime"]
        async let cinema = named("/v1/cinemas/{id}", show?["cinema_id"]?.string, scene, asking)
        async let film = named("/v1/films/{id}", show?["film_id"]?.string, scene, asking)
        let view = PlanView(
          parts: scene.parts, plan: plan, cinema: await cinema, film: await film, base: asking.base)
        return answer(asking, scene, title: view.title, isListed: false, tab: "nearby") { view.write(to: &$0) }
      },
      page("/map", "mapPage") { [self] in try await map($0) },
      page("/search", "searchPage") { [self] in try await search($0) },
      page("/status", "statusPage") { [self] asking in
        let scene = scene(asking)
        let told = try await get("/v1/sources", [], [:], scene, asking)
        let view = StatusView(parts: scene.parts, sources: told["data"]?.array ?? [])
        return answer(asking, scene, title: scene.parts.words("tab.status"), tab: "status") { view.write(to: &$0) }
      },
      page("/bookmarks", "bookmarksPage") { [self] asking in
        let scene = scene(asking)
        return answer(asking, scene, title: scene.parts.words("tab.bookmarks"), isListed: false, tab: "bookmarks") {
          scene.parts.saved(to: &$0)
        }
      },
      page("/settings", "settingsPage") { [self] asking in
        let scene = scene(asking)
        return answer(asking, scene, title: scene.parts.words("tab.settings"), isListed: false, tab: "settings") {
          scene.parts.doors(to: &$0)
        }
      },
      page("/shell", "shellPage") { [self] asking in answer(asking, scene(asking), isListed: false, tab: nil) },
    ]
  }

  /// What says to people that there is nothing where they went.
  var nowhere: Endpoint {
    page("/", "nowherePage") { _ in throw Problem(.notFound, "there is nothing at this path") }
  }

  private func page(
    _ path: String, _ name: String, _ parameters: [PathField] = [],
    flow: @escaping @MainActor (Asking) async throws -> Answer
  ) -> Endpoint {
    Endpoint(
      .get, path, name, "A page for people.", .service, parameters: parameters, query: Self.query, answers: Self.html
    ) { [self] asking in
      do {
        return try await flow(asking)
      } catch let problem as Problem {
        return apology(asking, problem)
      } catch let error as RPCError {
        return apology(asking, Problem(error))
      }
    }
  }

  // MARK: Views

  private func nearby(_ asking: Asking) async throws -> Answer {
    let scene = scene(asking)
    let near = try await locator.call(
      NearestCinemas(origin: scene.place.position, limit: Self.cinemasShown), asking.options)
    let ids = near.map(\.cinema.id)
    for item in near { shelf.put(item.cinema) }
    let chosen = scene["cinema"].flatMap { CinemaID($0) }.flatMap { ids.contains($0) ? $0 : nil } ?? ids.first
    let date = scene["date"].flatMap { CivilDate($0) }
    async let calendars = calendars(ids, asking)
    async let todays = programmes(ids, on: nil, scene, asking)
    async let others = programmes(date == nil ? [] : chosen.map { [$0] } ?? [], on: date, scene, asking)
    let other = try await others
    var (days, shows) = (try await calendars, try await todays)
    if days == nil || shows == nil, let kept = keptNearby(scene) {
      (days, shows) = (days ?? kept.days, shows ?? kept.shows)
    }

    var pages = near.map { CinemaPage($0.cinema, metres: $0.metres) }
    for index in pages.indices {
      let id = pages[index].cinema.id
      pages[index].add(days?.first { $0.cinema == id }, shows?.first { $0.cinema == id }, scene.view)
    }
    let first = pages.first { $0.cinema.id == chosen }
    let today = first.map { scene.parts.times.today(in: scene.view.rules($0.cinema.zone)) } ?? .first
    // A day that is not in the strip is no choice of this page.
    let offered = date.flatMap { date in first?.days?.contains { $0.day.date == date } == true ? date : nil }
    var programme = first?.programme
    if let offered, let page = first {
      if let found = other.map(\.first) ?? keptProgramme(of: page.cinema.id, on: offered, scene) {
        programme = ProgrammeItem(found, in: page.cinema.zone, scene.view)
      } else if programme?.date != offered {
        // Another day than the chosen one is not shown in its place.
        programme = nil
      }
    }
    isDemo = pages.contains { $0.isDemo }

    var data = linked(asking, scene)
    for page in pages { data.add(page.cinema) }
    if let cinema = first?.cinema, let programme { data.add(cinema, programme) }
    let view = NearbyView(
      parts: scene.parts, place: scene.place, cinemas: pages, chosen: chosen, programme: programme,
      date: programme?.date ?? offered ?? today, today: today)
    return answer(asking, scene, tab: "nearby", linked: data) { view.write(to: &$0) }
  }

  private func cinema(_ asking: Asking) async throws -> Answer {
    let scene = scene(asking)
    let id = try asking.id(of: CinemaID.self)
    guard let cinema = try await shelf.cinema(id, asking.options) else {
      let former = await shelf.former(id, asking.options)
      guard let other = former?.replacedBy else { throw Problem(noCinema: id, former) }
      // An old link leads on, and is asked again each time: the directory may take the cinema back.
      let query = asking.request.head.rawQuery.map { "?\($0)" } ?? ""
      return Answer(.redirect(.permanentRedirect, to: "/cinemas/\(other)\(query)"))
        .with("Cache-Control", "private, no-cache")
    }
    let zone = scene.view.rules(cinema.zone)
    let today = scene.parts.times.today(in: zone)
    let wanted = scene["date"].flatMap { CivilDate($0) }
    async let calendars = calendars([id], asking)
    async let programmes = programmes([id], on: wanted ?? today, scene, asking)
    let days = try await calendars.map(\.first) ?? keptCalendar(of: id, scene)
    let show = try await programmes.map(\.first) ?? keptProgramme(of: id, on: wanted ?? today, scene)
    var page = CinemaPage(cinema)
    page.add(days, show, scene.view)
    isDemo = page.isDemo

    var data = linked(asking, scene)
    data.add(cinema)
    if let programme = page.programme { data.add(cinema, programme) }
    let view = CinemaView(
      parts: scene.parts, page: page, metres: scene.place.position.metres(to: cinema.position),
      programme: page.programme, date: wanted ?? today, today: today)
    let name = scene.parts.name(cinema)
    let about = scene.parts.words("about.cinema", ["name": name])
    return answer(asking, scene, title: name, about: about, tab: "nearby", linked: data) { view.write(to: &$0) }
  }

  private func tonight(_ asking: Asking) async throws -> Answer {
    let scene = scene(asking)
    let choice = TonightChoice { scene[$0] }
    var question = TonightQuestion(origin: scene.place.position)
    (question.minutes, question.walk) = (choice.within, choice.walk)
    (question.date, question.dateTo, question.cinemas) = (choice.date, choice.until, choice.cinemas)
    (question.startAfter, question.startBefore, question.genres) = (choice.after, choice.before, Set(choice.genres))
    (question.attributes, question.hidesSoldOut) = (choice.attributes, choice.hidesSoldOut)
    let found = try await question.answer(
      limit: TonightQuestion.limitMax, locator: locator, scraper: scraper, shelf: shelf, titles: titles,
      view: scene.view, asking
    ).answer
    isDemo = found.isDemo
    let view = TonightView(
      parts: scene.parts, place: scene.place, view: scene.view, choice: choice, answer: found)
    return answer(asking, scene, title: scene.parts.words("tab.tonight"), tab: "tonight") { view.write(to: &$0) }
  }

  private func film(_ asking: Asking) async throws -> Answer {
    let scene = scene(asking)
    let id = try asking.id(of: FilmID.self)
    let known = try await lookup.film(id, asking)
    async let coming = scraper.call(
      FindShowtimes(films: known.ids, from: asking.now, limit: Self.showtimesMax), asking.options)
    async let similar = lookup.similar(to: known.film, limit: Self.similarMax, asking)
    let (showings, others) = (try await coming, try await similar)
    let cinemas = try await shelf.cinemas(showings.showtimes.map(\.cinema), asking.options)
    let language = scene.view.language
    var page = FilmPage(
      film: FilmItem(known, in: language, isFull: true), isShowing: !showings.showtimes.isEmpty)
    page.showtimes = ShowingItem.all(of: showings, cinemas: cinemas, from: scene.place.position, view: scene.view)
    page.similar = others.films
    isDemo = known.film.isDemo == true || showings.sources.contains { $0.isDemo == true }

    var data = linked(asking, scene)
    data.add(page)
    let zone = showings.showtimes.first.flatMap { cinemas[$0.cinema] }.map { scene.view.rules($0.zone) } ?? .utc
    let view = FilmView(parts: scene.parts, page: page, today: scene.parts.times.today(in: zone))
    let title = scene.parts.readable(page.film).title
    let about = known.film.synopsis ?? scene.parts.words("about.film", ["title": title])
    return answer(asking, scene, title: title, about: about, tab: "nearby", linked: data) { view.write(to: &$0) }
  }

  // MARK: Views that are written from what the API tells

  private static let festivalField = PathField("id", "The festival's id.", schema: .string())
  private static let sessionField = PathField("session", "The session's id.", schema: .string())
  private static let wallPage = "30"

  private func discover(_ asking: Asking) async throws -> Answer {
    let scene = scene(asking)
    // One that is empty is none, as the script reads it.
    func chosen(_ name: String) -> String? { scene[name].flatMap { $0.isEmpty ? nil : $0 } }
    let (list, genre, person) = (chosen("list"), chosen("genre"), chosen("person"))
    let point = scene.place.position
    async let kinds = extra("/v1/genres", [], scene, asking)
    let told: JSONValue
    if let person {
      told = try await get("/v1/people/{id}", [person], [:], scene, asking)
    } else if let genre {
      told = try await get("/v1/films", [], ["genre": genre, "limit": Self.wallPage], scene, asking)
    } else if let list {
      told = try await get("/v1/films", [], ["list": list, "limit": Self.wallPage], scene, asking)
    } else {
      let place: KeyValuePairs = ["lat": "\(point.latitude)", "lon": "\(point.longitude)"]
      told = try await get("/v1/home", [], place, scene, asking)
    }
    let view = DiscoverView(
      parts: scene.parts, view: scene.view, place: scene.place,
      genres: await kinds?["data"]?.array?.filter { $0["films"]?.int != 0 } ?? [],
      list: person.map { "person:\($0)" } ?? genre.map { "genre:\($0)" } ?? list,
      person: person == nil ? nil : told["name"]?.string,
      items: person == nil ? told["data"]?.array ?? [] : Self.works(of: told),
      isPartial: told["missing"]?.array?.isEmpty == false)
    return answer(asking, scene, title: scene.parts.words("tab.discover"), tab: "discover") { view.write(to: &$0) }
  }

  /// What somebody made or plays in, each once, as a list has it.
  private static func works(of person: JSONValue) -> [JSONValue] {
    var seen: Set<String> = []
    return ["directed", "wrote", "played_in"].flatMap { person[$0]?.array ?? [] }
      .filter { seen.insert($0["id"]?.string ?? "").inserted }
  }

  private func map(_ asking: Asking) async throws -> Answer {
    let scene = scene(asking)
    let told = try await get("/v1/cinemas.geojson", [], [:], scene, asking)
    let view = MapView(parts: scene.parts, place: scene.place, features: told["features"]?.array ?? [])
    return answer(asking, scene, title: scene.parts.words("tab.map"), tab: "map") { view.write(to: &$0) }
  }

  private func search(_ asking: Asking) async throws -> Answer {
    let scene = scene(asking)
    // An address is for people: what the API would refuse of it is let pass.
    let typed = (scene.search ?? "").unicodeScalars.filter { $0.properties.generalCategory != .control }
    let asked = String(String.UnicodeScalarView(typed.prefix(Self.lettersMost)))
    var found: JSONValue?
    if !asked.allSatisfy(\.isWhitespace) {
      let point = scene.place.position
      let question: KeyValuePairs = [
        "q": asked, "lat": "\(point.latitude)", "lon": "\(point.longitude)", "limit": Self.hitsMost,
      ]
      found = try await get("/v1/search", [], question, scene, asking)
    }
    let view = SearchView(parts: scene.parts, cities: files.cities, asked: asked, answer: found)
    return answer(asking, scene, title: scene.parts.words("tab.search"), isListed: false, tab: "search") {
      view.write(to: &$0)
    }
  }

  private func radio(_ asking: Asking) async throws -> Answer {
    let scene = scene(asking)
    let told = try await get("/v1/stations", [], [:], scene, asking)
    let view = RadioView(
      parts: scene.parts, sections: (told["data"]?.array ?? []).filter { $0["id"]?.string != "favourites" })
    return answer(asking, scene, title: scene.parts.words("tab.radio"), tab: "radio") { view.write(to: &$0) }
  }

  private func festivals(_ asking: Asking) async throws -> Answer {
    let scene = scene(asking)
    let told = try await get("/v1/festivals", [], [:], scene, asking)
    let view = FestivalsView(parts: scene.parts, view: scene.view, festivals: told["data"]?.array ?? [])
    var data = linked(asking, scene)
    for festival in view.festivals { data.add(festival: festival) }
    return answer(asking, scene, title: scene.parts.words("tab.festivals"), tab: "festivals", linked: data) {
      view.write(to: &$0)
    }
  }

  private func festival(_ asking: Asking) async throws -> Answer {
    let scene = scene(asking)
    let festival = try await get("/v1/festivals/{id}", asking.path, [:], scene, asking)
    async let floors = extra("/v1/festivals/{id}/floors", asking.path, scene, asking)
    let days = (festival["days"]?.array ?? []).compactMap { $0["date"]?.string ?? $0.string }
    let today = "\(scene.parts.today(festival["time_zone"]?.string, scene.view))"
    let wanted = scene["day"].flatMap { days.contains($0) ? $0 : nil }
    let day = wanted ?? days.first { $0 >= today } ?? days.first
    var timetable: JSONValue?
    if let day {
      timetable = try await get("/v1/festivals/{id}/timetable", asking.path, ["day": day], scene, asking)
    }
    let view = FestivalView(
      parts: scene.parts, place: scene.place, id: asking.path[0], festival: festival, days: days, day: day,
      timetable: timetable, floors: await floors?["data"]?.array ?? [])
    var data = linked(asking, scene)
    data.add(festival: festival, sessions: timetable?["sessions"]?.array ?? [])
    let title = scene.parts.readable(festival).title
    let about = scene.parts.words("about.festival", ["name": title])
    return answer(asking, scene, title: title, about: about, tab: "festivals", linked: data) { view.write(to: &$0) }
  }

  private func session(_ asking: Asking) async throws -> Answer {
    let scene = scene(asking)
    let told = try await get("/v1/festivals/{id}/sessions/{session}", asking.path, [:], scene, asking)
    let festival = try await get("/v1/festivals/{id}", [asking.path[0]], [:], scene, asking)
    let view = SessionView(
      parts: scene.parts, id: asking.path[0], festival: festival, session: told)
    var data = linked(asking, scene)
    data.add(session: told, of: festival)
    return answer(asking, scene, title: scene.parts.readable(told).title, tab: "festivals", linked: data) {
      view.write(to: &$0)
    }
  }

  private func dinner(_ asking: Asking) async throws -> Answer {
    let scene = scene(asking)
    let isBefore = scene["mode"] != "after"
    let walk = scene["walk"].flatMap { Int($0) }.flatMap { DinnerView.walks.contains($0) ? $0 : nil }
    let question: KeyValuePairs = [
      "mode": isBefore ? "before" : "after", "walk_max_min": "\(walk ?? DinnerView.walkUsual)",
      "eat_min": "\(DinnerView.eating)",
    ]
    var told = JSONValue.null
    var trouble: Problem?
    do {
      told = try await get("/v1/showtimes/{id}/dinner", asking.path, question, scene, asking)
    } catch let problem as Problem {
      trouble = problem
    } catch let error as RPCError {
      trouble = Problem(error)
    }
    // A guide that is away is one part of the page; a showing that is none is no page.
    if let trouble, trouble.status == .notFound { throw trouble }
    let view = DinnerView(
      parts: scene.parts, place: scene.place, show: asking.path[0], isBefore: isBefore,
      walk: walk ?? DinnerView.walkUsual, answer: told, trouble: trouble)
    var data = linked(asking, scene)
    for place in told["data"]?.array ?? [] { if let place = place["restaurant"] { data.add(restaurant: place) } }
    var answer = answer(
      asking, scene, title: scene.parts.words("dinner"), isListed: false, tab: "nearby", linked: data,
      status: trouble?.status ?? .ok
    ) { view.write(to: &$0) }
    answer.response.fields += trouble?.fields ?? []
    return answer
  }

  private func get(
    _ pattern: String, _ path: [String], _ parameters: KeyValuePairs<String, String>, _ scene: PageScene,
    _ asking: Asking
  ) async throws -> JSONValue {
    let told = try await api.get(pattern, path, parameters, for: asking, in: scene.parts.words.language)
    isDemo = isDemo || told["demo"]?.bool == true
    return told
  }

  /// What a view can do without.
  private func extra(
    _ pattern: String, _ path: [String], _ scene: PageScene, _ asking: Asking
  ) async -> JSONValue? {
    try? await api.get(pattern, path, for: asking, in: scene.parts.words.language)
  }

  private func named(
    _ pattern: String, _ id: String?, _ scene: PageScene, _ asking: Asking
  ) async -> JSONValue? {
    guard let id else { return nil }
    return await extra(pattern, [id], scene, asking)
  }

  // MARK: Questions; without the scraper the cinemas are shown all the same

  private func calendars(_ ids: [CinemaID], _ asking: Asking) async throws -> [CinemaCalendar]? {
    guard !ids.isEmpty else { return [] }
    return try await optional { () throws(RPCError) in
      try await scraper.call(CinemaDays(cinemas: ids, from: nil, days: Self.daysShown), asking.optionsForExtras)
    }
  }

  private func programmes(
    _ ids: [CinemaID], on date: CivilDate?, _ scene: PageScene, _ asking: Asking
  ) async throws -> [DayProgramme]? {
    guard !ids.isEmpty else { return [] }
    var found = try await optional { () throws(RPCError) in
      try await scraper.call(DayProgrammes(cinemas: ids, date: date), asking.optionsForExtras)
    }
    _ = await titles.complete(&found, in: scene.view.language, asking)
    return found
  }

  // MARK: Answers

  private func scene(_ asking: Asking) -> PageScene { PageScene(asking, files: files, home: home.place) }

  private func linked(_ asking: Asking, _ scene: PageScene) -> LinkedData {
    LinkedData(base: asking.base, words: scene.parts.words)
  }

  /// - Parameters:
  ///   - about: what the page says of itself to who links to it; without it, what Odi says.
  ///   - isListed: search engines may tell of it.
  private func answer(
    _ asking: Asking, _ scene: PageScene, title: String? = nil, about: String? = nil, isListed: Bool = true,
    tab: String?, linked: LinkedData? = nil, status: HTTPStatus = .ok, main: (inout HTMLWriter) -> Void = { _ in }
  ) -> Answer {
    var body = HTMLWriter()
    main(&body)
    var head = HTMLWriter(capacity: 8_192)
    let words = scene.parts.words
    PageAbout(
      words: words, title: title ?? words("name.long"), text: about ?? words("about.page"),
      address: asking.base + asking.request.path, picture: "\(asking.base)\(files.base)/icons/icon-512.png",
      isListed: isListed && !isDemo && status == .ok
    ).write(to: &head)
    linked?.write(to: &head)
    let html = files.shell.page(
      .init(
        words: words, theme: scene.theme, textSize: scene.textSize, title: title, isDemo: isDemo,
        place: scene.place, asked: scene.asked, tab: tab, head: head.bytes, main: body.bytes))
    var response = HTTPResponse(status, .html, html)
    response.tag = .ofBody
    response.fields += [
      // Place, language and looks are in it: for this browser only, and asked again each time.
      HTTPField("Cache-Control", "private, no-cache"), HTTPField("Vary", "Accept-Language, Cookie"),
      HTTPField("Content-Language", scene.parts.words.language.rawValue),
    ]
    return Answer(response)
  }

  /// What went wrong, in the page's words and with the status that programs expect.
  private func apology(_ asking: Asking, _ problem: Problem) -> Answer {
    let scene = scene(asking)
    let words = scene.parts.words
    let isGone = problem.status == .notFound || problem.status == .gone
    var answer = answer(asking, scene, title: isGone ? words("error.gone") : nil, tab: nil, status: problem.status) {
      html in
      html.element("h1.vh") { $0.text(words("name")) }
      scene.parts.notice(
        "error", words(isGone ? "error.gone" : "error.server"), isGone ? nil : words("error.server.text"),
        link: ("/", words("tab.nearby")), to: &html)
    }
    answer.response.fields += problem.fields
    return answer
  }
}
