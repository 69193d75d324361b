import HTTP
import JSON
import Testing

@MainActor
@Suite("HTTP routes")
struct HTTPRouterTests {
  struct FilmID: PathParameter, Equatable {
    let text: String

    init?(pathSegment: String) {
      guard pathSegment.hasPrefix("film_") else { return nil }
      text = pathSegment
    }
  }

  enum Sort: String, CaseIterable { case distance, title }

  private let fixture = HTTPFixture(routes: { router in
    router.get("/v1/cinemas") { _ in .text("cinemas") }
    router.get("/v1/cinemas/nearby") { _ in .text("nearby") }
    router.get("/v1/cinemas/{id}") { (_, id: String) in .text("cinema \(id)") }
    router.get("/v1/cinemas/{id}/days") { (_, id: String) in .text("days of \(id)") }
    router.get("/v1/cinemas/{id}/calendar.ics") { (_, id: String) in .text("calendar of \(id)") }
    router.get("/v1/shows/{id}") { (_, id: String) in .text("show \(id)") }
    router.get("/v1/shows/{id}.ics") { (_, id: String) in .text("ics of \(id)") }
    router.get("/v1/films/{film}") { (_, film: FilmID) in .text("film \(film.text)") }
    router.get("/v1/pages/{number}") { (_, number: Int) in .text("page \(number)") }
    router.get("/v1/festivals/{f}/floors/{n}.svg") { (_, festival: String, floor: Int) in .text("\(festival) \(floor)")
    }
    router.get("/v1/four/{a}/{b}/{c}/{d}") { (_, a: String, b: Int, c: String, d: Int) async in
      .text("\(a)\(b)\(c)\(d)")
    }
    router.on(.put, "/v1/me/bookmarks/{film}") { (_, film: FilmID) in .text("put \(film.text)") }
    router.on(.delete, "/v1/me/bookmarks/{film}") { (_, film: FilmID) in .noContent }
    router.get(
      "/v1/search", query: ["q", "limit", "radius_m", "lat", "sort", "types", QueryParameter("all", "Everything")]
    ) { request in
      var query = request.query
      let parts: [String?] = [
        query.string("q", max: 10), query.int("limit", in: 1...100).map { "\($0)" },
        query.double("lat", in: -90...90).map { "\($0)" }, query.choice("sort", of: Sort.self)?.rawValue,
        query.bool("all").map { "\($0)" }, query.list("types").joined(separator: "+"),
      ]
      try query.finish()
      return .text(parts.map { $0 ?? "-" }.joined(separator: " "))
    }
  })

  @Test(
    "a path finds its route, literal before ending before parameter",
    arguments: [
      ("/v1/cinemas", "cinemas"), ("/v1/cinemas/nearby", "nearby"), ("/v1/cinemas/emu", "cinema emu"),
      ("/v1/cinemas/emu/days", "days of emu"), ("/v1/cinemas/nearby/days", "days of nearby"),
      ("/v1/cinemas/a/calendar.ics", "calendar of a"), ("/v1/shows/x", "show x"), ("/v1/shows/x.ics", "ics of x"),
      ("/v1/shows/x.ics.ics", "ics of x.ics"), ("/v1/shows/.ics", "show .ics"), ("/v1/films/film_1", "film film_1"),
      ("/v1/pages/7", "page 7"), ("/v1/pages/0", "page 0"), ("/v1/festivals/jiff/floors/2.svg", "jiff 2"),
      ("/v1/four/a/1/b/2", "a1b2"), ("/v1/cinemas/%ec%97%90%EB%AC%B4", "cinema 에무"),
      ("/v1/cinemas/a%2Fb", "cinema a/b"),
      ("/v1/cinemas/a+b", "cinema a+b"), ("/v1/cinemas/..", "cinema .."), ("/v1/%63inemas/near%62y", "nearby"),
      ("/v1/cinemas/a%20b/days", "days of a b"),
    ])
  func finds(path: String, body: String) {
    let reply = fixture.ask("GET", path)
    #expect(reply?.status == 200 && reply?.body == body)
  }

  @Test(
    "what was not registered is not there",
    arguments: [
      "/v1", "/v1/cinema", "/v1/cinemass", "/v1/cinemas//days", "//v1/cinemas", "/v1//cinemas", "/v1/films/1",
      "/v1/pages/x",
      "/v1/pages/-1", "/v1/pages/07", "/v1/pages/99999999999999999999", "/v1/festivals/a/floors/x.svg",
      "/v1/festivals/a/floors/.svg", "/v1/cinemas/a/b", "/v1/../v1/cinemas", "/V1/cinemas", "/v1%2Fcinemas",
      "/v1/four/a/1/b", "/v1/four/a/1/b/2/c",
    ])
  func missing(path: String) {
    let reply = fixture.ask("GET", path)
    #expect(reply?.status == 404)
    #expect(reply?.body.contains("\"type\":\"/problems/not-found\"") == true)
  }

  @Test(
    "a path that is not text is refused", arguments: ["/v1/cinemas/%ff", "/v1/cinemas/a%00b", "/v1/cinemas/%c0%af"])
  func notText(path: String) { #expect(fixture.ask("GET", path)?.status == 400) }

  @Test("another method is told which there are, and OPTIONS asks for them")
  func methods() {
    let wrong = fixture.ask("POST", "/v1/me/bookmarks/film_1")
    #expect(wrong?.status == 405 && wrong?["Allow"] == "PUT, DELETE, OPTIONS")
    #expect(fixture.ask("DELETE", "/v1/cinemas")?["Allow"] == "GET, HEAD, OPTIONS")
    let options = fixture.ask("OPTIONS", "/v1/me/bookmarks/film_1")
    #expect(options?.status == 204 && options?["Allow"] == "PUT, DELETE, OPTIONS")
    #expect(fixture.ask("OPTIONS", "*")?["Allow"] == "GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS")
    #expect(fixture.ask("OPTIONS", "/nowhere")?.status == 404)
    #expect(fixture.ask("HEAD", "/v1/cinemas")?.status == 200)
    #expect(fixture.ask("HEAD", "/v1/me/bookmarks/film_1")?.status == 405)
    #expect(fixture.ask("PUT", "/v1/me/bookmarks/film_1")?.body == "put film_1")
  }

  @Test("a slash too many is moved away for good, with the query, and never to another host")
  func trailingSlash() {
    let reply = fixture.ask("GET", "/v1/search/?q=a&limit=3")
    #expect(reply?.status == 308 && reply?["Location"] == "/v1/search?q=a&limit=3")
    #expect(fixture.ask("GET", "//example.org/")?.status == 404)
    #expect(fixture.ask("GET", "/v1/nothing/")?.status == 404)
    #expect(fixture.ask("GET", "/v1/search//")?.status == 404)
  }

  @Test("a query is read by type, decoded once")
  func query() {
    #expect(fixture.ask("GET", "/v1/search")?.body == "- - - - - ")
    #expect(
      fixture.ask("GET", "/v1/search?q=a+b%2525&limit=100&lat=-90&sort=title&all&types=x,y&types=z")?.body
        == "a b%25 100 -90.0 title true x+y+z")
    #expect(fixture.ask("GET", "/v1/search?q=%ea%b4%b4&&all=0&")?.body == "괴 - - - false ")
    #expect(fixture.ask("GET", "/v1/search?")?.status == 200)
  }

  @Test("everything that is wrong with a query is told at once, by name")
  func badQuery() {
    let reply = fixture.ask("GET", "/v1/search?q=12345678901&limit=500&lat=nan&sort=titel&all=maybe")
    #expect(reply?.status == 400 && reply?["Content-Type"] == "application/problem+json")
    #expect(
      reply?.body == "{\"type\":\"/problems/validation\",\"title\":\"Some parameters are not valid\",\"status\":400,"
        + "\"detail\":\"5 problems\",\"instance\":\"/v1/search\",\"errors\":["
        + "{\"parameter\":\"q\",\"detail\":\"must have at most 10 bytes\"},"
        + "{\"parameter\":\"limit\",\"detail\":\"must be a whole number from 1 to 100\",\"value\":\"500\"},"
        + "{\"parameter\":\"lat\",\"detail\":\"must be a number from -90.0 to 90.0\",\"value\":\"nan\"},"
        + "{\"parameter\":\"sort\",\"detail\":\"must be one of distance, title\",\"value\":\"titel\",\"did_you_mean\":\"title\"},"
        + "{\"parameter\":\"all\",\"detail\":\"must be true or false\",\"value\":\"maybe\"}]}")
    #expect(fixture.ask("GET", "/v1/search?limit=1&limit=2")?.body.contains("must be given once") == true)
    #expect(fixture.ask("GET", "/v1/search?lat=0x10")?.status == 400)
    for empty in ["types=", "types=x,,y", "types=x&types="] {
      #expect(fixture.ask("GET", "/v1/search?\(empty)")?.body.contains("has an empty value") == true, "\(empty)")
    }
    #expect(fixture.ask("GET", "/v1/search?lat=inf")?.status == 400)
  }

  @Test("unknown parameters are refused before the handler, each with what was meant")
  func unknownParameters() {
    let reply = fixture.ask("GET", "/v1/search?radious_m=5&q=a&zzz=1")
    #expect(reply?.status == 400)
    #expect(
      reply?.body.contains(
        "\"errors\":[{\"parameter\":\"radious_m\",\"detail\":\"unknown parameter\",\"did_you_mean\":\"radius_m\"},"
          + "{\"parameter\":\"zzz\",\"detail\":\"unknown parameter\"}]") == true)
    #expect(fixture.ask("GET", "/v1/cinemas?x=1")?.status == 400)
  }

  @Test("a query that is not text, or has too many parts, is refused")
  func hostileQuery() {
    #expect(fixture.ask("GET", "/v1/search?q=%ff")?.status == 400)
    #expect(fixture.ask("GET", "/v1/search?q=%00")?.status == 400)
    #expect(fixture.ask("GET", "/v1/search?" + String(repeating: "q=1&", count: 65))?.status == 400)
  }

  @Test("what is at no path has one handler, as far as it takes that, and hides nothing that is at one")
  func elsewhere() {
    let fixture = HTTPFixture(routes: { router in
      router.get("/here") { _ in .text("here") }
      router.on(.put, "/put") { _ in .noContent }
      router.elsewhere(
        .get, query: [], checksQuery: false, summary: "", bodyLimit: 0, takes: { $0.rawPath.hasPrefix("/not") },
        replying: { $0.answer(.text("elsewhere")) })
    })
    #expect(fixture.ask("GET", "/here")?.body == "here")
    #expect(fixture.ask("GET", "/nothing/at/all?x=1")?.body == "elsewhere")
    #expect(fixture.ask("HEAD", "/nothing")?.status == 200)
    #expect(fixture.ask("POST", "/nothing")?.status == 404)
    #expect(fixture.ask("GET", "/there")?.status == 404)
    #expect(fixture.ask("GET", "/put")?.status == 405)
    #expect(fixture.ask("GET", "/here/")?.status == 308)
  }

  @Test("routes can be listed with what they take")
  func listing() {
    let search = fixture.server.router.routes.first { $0.pattern == "/v1/search" }
    #expect(search?.method == .get)
    #expect(search?.query.map(\.name) == ["q", "limit", "radius_m", "lat", "sort", "types", "all"])
    #expect(search?.query.last?.summary == "Everything")
    let floors = fixture.server.router.routes.first { $0.pattern.hasSuffix(".svg") }
    #expect(floors?.parameters == ["f", "n"])
  }

  @Test("JSON bodies are read as such and refused otherwise")
  func jsonBodies() {
    let fixture = HTTPFixture(routes: { router in
      router.on(.put, "/note") { request in
        var body = JSONReader(try request.json())
        let note = body.required("note", as: String.self)
        try body.finish()
        return .text(note ?? "")
      }
    })
    let json = "Content-Type: application/json\r\n"
    #expect(fixture.ask("PUT", "/note", json, body: "{\"note\":\"a\"}")?.body == "a")
    #expect(
      fixture.ask("PUT", "/note", "Content-Type: Application/JSON; charset=utf-8\r\n", body: "{\"note\":\"a\"}")?.status
        == 200)
    #expect(fixture.ask("PUT", "/note", "Content-Type: a/b+json;v=1\r\n", body: "{\"note\":\"a\"}")?.status == 200)
    #expect(fixture.ask("PUT", "/note", "", body: "{}")?.status == 415)
    #expect(fixture.ask("PUT", "/note", "Content-Type: application/jsonp\r\n", body: "{}")?.status == 415)
    #expect(fixture.ask("PUT", "/note", "Content-Type: text/plain\r\n", body: "{}")?.status == 415)
    #expect(fixture.ask("PUT", "/note", json, body: "{")?.status == 422)
    let reply = fixture.ask("PUT", "/note", json, body: "{\"noet\":1}")
    #expect(reply?.status == 422)
    #expect(
      reply?.body.contains(
        "\"errors\":[{\"pointer\":\"/note\",\"detail\":\"is missing; give a string\"},"
          + "{\"pointer\":\"/noet\",\"detail\":\"unknown field\",\"did_you_mean\":\"note\"}]") == true)
  }

  @Test("cookies are found by their whole name")
  func cookies() {
    let fixture = HTTPFixture(routes: { router in
      router.get("/cookie") { request in .text(request.cookie("odi") ?? "none") }
    })
    #expect(fixture.ask("GET", "/cookie", "Cookie: a=b; odi=v1.x=; odi=2\r\n")?.body == "v1.x=")
    #expect(fixture.ask("GET", "/cookie", "Cookie: odin=1; xodi=2; odi\r\n")?.body == "none")
    #expect(fixture.ask("GET", "/cookie")?.body == "none")
  }
}
