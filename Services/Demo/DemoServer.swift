import Calendars
package import Clocks
package import EventLoops
import HTTP
package import Observability

/// The demo world over HTTP: every site on one host, told apart by their paths.
package final class DemoServer {
  package let world: DemoWorld
  private let http: HTTPServer

  /// - Parameter time: the loop's. The world's own may be another, which a test moves by hand.
  package init(_ world: DemoWorld, time: any TimeSource, log: Log = .silent) {
    self.world = world
    var options = HTTPServer.Options()
    // A site that hangs does so for longer than a server of ours would let it.
    options.limits.replyTime = .seconds(90)
    options.limits.writeStall = .seconds(90)
    options.decorate = { _, response in response.fields.append(HTTPField("X-Odi-Demo", "1")) }
    http = HTTPServer(router: DemoRoutes(world: world, serverTime: time).router, options: options, time: time, log: log)
  }

  /// Returns the address with the port that was chosen if it had none.
  package func listen(on address: SocketAddress) throws -> SocketAddress { try http.listen(on: address) }

  package func drain() async { await http.drain() }
}

/// Which path is whose.
struct DemoRoutes {
  let world: DemoWorld
  let serverTime: any TimeSource
  let radio: RadioHost

  init(world: DemoWorld, serverTime: any TimeSource) {
    self.world = world
    self.serverTime = serverTime
    radio = RadioHost(time: world.time, serverTime: serverTime)
  }

  var router: HTTPRouter {
    var router = HTTPRouter()
    platform(&router)
    sites(&router)
    radio.register(on: &router, base: base)
    router.get("/", summary: "All sites, for people.") { request in
      .html(FrontPage.page(world.cinemas, base: base(request)).text.replacing(DemoDocument.charsetMark, with: "utf-8"))
    }
    router.get("/directory.json", summary: "All sites, for the scraper.") { request in
      HTTPResponse(.ok, .json, SiteDirectory.json(world.cinemas, base: base(request))).cached(.revalidate)
    }
    router.get("/robots.txt") { _ in robots.response }
    router.get("/robots-elsewhere.txt") { _ in
      DemoRobots(world, denying: [.robotsDeny, .robotsRedirect]).elsewhere
    }
    router.get("/poster/{name}.svg") { (request, name: String) async throws in
      let parts = name.split(separator: "_")
      guard parts.count == 2, let film = FilmCatalogue.film(String(parts[0])),
        let size = Poster.Size(rawValue: String(parts[1]))
      else { throw Problem(.notFound, "posters are /poster/900101_small.svg and /poster/900101_large.svg") }
      return try await answer(request, for: nil) { _ in Poster.picture(of: film, size) }
    }
    return router
  }

  // MARK: The ticketing platform

  /// What its clients send besides; `_` keeps caches away.
  private static let habits: [QueryParameter] = ["cgid", "ssid", "tokn", "_"]

  private func platform(_ router: inout HTTPRouter) {
    router.get("/cinema/main.do", query: Self.habits + ["BrandCd", "CinemaCd"]) { request async throws in
      let cinema = try cinema(of: request)
      return try await answer(request, for: cinema) {
        TicketingPlatform.calendar(of: cinema, world.days(of: cinema), $0)
      }
    }
    let showQuery: [QueryParameter] = ["BrandCd", "CinemaCd", "PlaySDT"]
    router.get("/cinema/showseq_list.do", query: Self.habits + showQuery) { request async throws in
      let cinema = try cinema(of: request)
      var query = request.query
      let date = query.string("PlaySDT").flatMap { CivilDate($0) }
      return try await answer(request, for: cinema) {
        let day = date.flatMap { world.day($0, at: cinema) }
        return TicketingPlatform.shows(of: cinema, day, base: base(request), $0)
      }
    }
    router.get("/movie/view.do", query: Self.habits + ["MovieCd"]) { request async throws in
      var query = request.query
      guard let film = query.string("MovieCd").flatMap(FilmCatalogue.film) else {
        throw Problem(.notFound, "MovieCd is no film of the demo's; its codes stand in showseq_list.do")
      }
      return try await answer(request, for: nil) { TicketingPlatform.film(film, base: base(request), $0) }
    }
    let bookingQuery: [QueryParameter] = ["BrandCd", "CinemaCd", "MovieCd", "PlaySDT"]
    router.get("/reserve/main_list.do", query: Self.habits + bookingQuery) { request async throws in
      var query = request.query
      let brand = query.string("BrandCd")
      if query.string("CinemaCd") == "all" {
        let cinemas = world.cinemas.filter { $0.platform?.brand == brand && $0.isActive }
        return try await answer(request, for: nil) { _ in TicketingPlatform.booking([], cinemas: cinemas) }
      }
      let cinema = try cinema(of: request)
      return try await answer(request, for: cinema) { _ in
        TicketingPlatform.booking(world.days(of: cinema), cinemas: [cinema])
      }
    }
    let ticketQuery: [QueryParameter] = ["BrandCd", "CinemaCd", "MovieCd", "PlaySDT", "ScreenCd", "ShowSeq"]
    router.get("/reserve/movie.do", query: Self.habits + ticketQuery) { request async throws in
      try await answer(request, for: nil) { _ in TicketingPlatform.ticket("예매 (데모)") }
    }
  }

  /// A cinema by its two codes. Both have to be right: another cinema's programme would be worse than none.
  private func cinema(of request: HTTPRequest) throws -> DemoCinema {
    var query = request.query
    let code = PlatformCode(brand: query.string("BrandCd") ?? "", cinema: query.string("CinemaCd") ?? "")
    guard let cinema = world.cinema(on: code) else {
      throw Problem(.notFound, "no cinema has BrandCd \(code.brand) and CinemaCd \(code.cinema)")
    }
    return cinema
  }

  // MARK: Sites of their own

  private func sites(_ router: inout HTTPRouter) {
    router.get("/sites/{cinema}/whats-on") { (request, id: String) async throws in
      let cinema = try ownSite(id, [.jsonLD, .microdata, .table])
      return try await answer(request, for: cinema) { style in
        let site = site(cinema, request, style)
        switch cinema.format {
        case .microdata: return site.microdataPage()
        case .table: return site.tablePage()
        case .jsonLD, .dtryx, .ics: return site.jsonLDPage()
        }
      }
    }
    router.get("/sites/{cinema}/calendar.ics") { (request, id: String) async throws in
      let cinema = try ownSite(id, [.ics])
      return try await answer(request, for: cinema) { style in
        site(cinema, request, style).calendar(modified: world.modified(cinema))
      }
    }
    router.get("/sites/{cinema}/tickets/{date}/{show}") { (_, id: String, date: String, number: String) in
      guard let cinema = world.cinema(id), let date = CivilDate(date), let number = Int(number),
        let show = world.day(date, at: cinema)?.shows.first(where: { $0.number == number })
      else { throw Problem(.notFound, "there is no such show") }
      let page = DemoDocument.page(
        lang: "en", title: show.title(at: cinema),
        """
        <h1>\(show.title(at: cinema))</h1>
        <p>\(cinema.name), \(date.description) \(show.start.description). No ticket is sold here.</p>
        """)
      return .html(page.text.replacing(DemoDocument.charsetMark, with: "utf-8"))
    }
  }

  private func ownSite(_ id: String, _ formats: Set<SiteFormat>) throws -> DemoCinema {
    guard let cinema = world.cinema(id), formats.contains(cinema.format) else {
      throw Problem(.notFound, "\(id) has no such site; /directory.json lists all of them")
    }
    return cinema
  }

  private func site(_ cinema: DemoCinema, _ request: HTTPRequest, _ style: SiteStyle) -> OwnSite {
    OwnSite(cinema: cinema, days: world.days(of: cinema), base: base(request), style: style)
  }

  // MARK: Answers

  /// A document with its validators, or what the knobs make of it.
  private func answer(
    _ request: HTTPRequest, for cinema: DemoCinema?, _ document: (SiteStyle) -> DemoDocument
  ) async throws -> HTTPResponse {
    let answer = MisbehavingAnswer(
      active: world.knobs.active(for: cinema?.id), knobs: world.knobs, time: world.time, serverTime: serverTime)
    let target = request.head.rawQuery.map { "\(request.path)?\($0)" } ?? request.path
    if let refusal = try await answer.refusal(at: target) { return refusal }
    let modified = cinema.map(world.modified)
    if let modified, isUnchanged(request, since: modified) { return HTTPResponse(.notModified) }
    var response = answer.response(document(answer.style)).cached(.revalidate)
    if let modified { response = response.with("Last-Modified", modified.httpDate) }
    return response
  }

  /// RFC 9110 13.1.3: the date counts only without a tag, and to the second.
  private func isUnchanged(_ request: HTTPRequest, since modified: WallTime) -> Bool {
    guard request["if-none-match"] == nil, let text = request["if-modified-since"],
      let known = WallTime(httpDate: text, now: world.time.wall)
    else { return false }
    return modified.milliseconds / 1_000 <= known.milliseconds / 1_000
  }

  /// Where the client thinks that we are, for links.
  private func base(_ request: HTTPRequest) -> String { "http://\(request["host"] ?? "127.0.0.1:7190")" }

  private var robots: DemoRobots { DemoRobots(world, denying: [.robotsDeny]) }
}
