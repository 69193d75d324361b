import Clocks
import Contracts
import Gateway
import GatewayFakes
import HTTP
import JSON
import RPC
import Testing

/// What every route has in common, over all routes.
@MainActor
@Suite("Conventions", .timeLimit(.minutes(5)))
struct ConventionTests {
  private let gateway = GatewayFixture()

  /// What `{id}` is, by how a path begins; elsewhere there is something called lantern.
  private static let ids: [(path: String, id: String)] = [
    ("/v1/films", "film_tea"), ("/v1/people", "yasujiro-ozu"), ("/v1/restaurants", "rest_noodle"),
    ("/v1/showtimes", "show_lantern_2026-11-22_2"),
  ]

  /// A path that exists, with what its route requires.
  private static func target(_ endpoint: Endpoint, _ more: [String] = []) -> String {
    let values = [
      "{film}": "film_tea", "{kind}": "cinema", "{session}": "ses_tea", "{floor}": "ground", "{share}": "share-1",
      "{id}": ids.first { endpoint.path.hasPrefix($0.path) }?.id ?? "lantern",
    ]
    let path = values.reduce(endpoint.path) { $0.replacing($1.key, with: $1.value) }
    let needed = ["lat": "37.571", "lon": "126.976", "q": "달", "topics": "sources"]
    // A question about restaurants has to have some condition, whichever it is.
    let condition = endpoint.path == "/v1/restaurants" ? ["near=37.5663,126.9779"] : []
    let query = endpoint.requiredNames.map { "\($0)=\(PercentEncoding.encode(needed[$0] ?? "1"))" } + condition + more
    return query.isEmpty ? path : path + "?" + query.joined(separator: "&")
  }

  /// All but the streams, which have no end.
  private var endpoints: [Endpoint] {
    gateway.front.endpoints.filter { $0.path != "/v1/events" && !$0.path.hasSuffix("/audio") }
  }

  @Test("an unknown parameter is refused by name, with the one that was meant")
  func unknownParameters() async throws {
    let token = try await gateway.session()
    for endpoint in endpoints {
      let wrong = endpoint.queryNames.contains("limit") ? "limt" : "xyzzy"
      let reply = await gateway.ask(
        endpoint.method.rawValue, Self.target(endpoint, ["\(wrong)=1"]),
        token: endpoint.access == .everybody ? nil : token)
      #expect(reply.status == 400 && reply.problem == "validation", "\(endpoint.method) \(endpoint.path)")
      #expect(reply["content-type"] == "application/problem+json")
      let error = reply.json["errors"]?.array?.first { $0["parameter"]?.string == wrong }
      #expect(error != nil, "\(endpoint.path)")
      if wrong == "limt" { #expect(error?["did_you_mean"]?.string == "limit", "\(endpoint.path)") }
    }
  }

  @Test("everything that is wrong is named at once")
  func allAtOnce() async {
    let reply = await gateway.ask("/v1/cinemas/nearby?lat=97&limt=3&include=foo&date=23/11&limit=x")
    let names = (reply.json["errors"]?.array ?? []).compactMap { $0["parameter"]?.string }
    #expect(Set(names) == ["lat", "lon", "limt", "include", "date", "limit"])
    #expect(reply.json["detail"]?.string == "6 problems" && reply.json["trace_id"]?.string?.count == 32)
  }

  @Test("what needs a session is 401 without one, and says how to get it")
  func sessions() async {
    for endpoint in endpoints where endpoint.access == .user {
      let reply = await gateway.ask(
        endpoint.method.rawValue, Self.target(endpoint), body: endpoint.takesBody ? "{}" : nil)
      #expect(reply.status == 401 && reply["www-authenticate"] != nil, "\(endpoint.method) \(endpoint.path)")
    }
  }

  @Test("who has no session is told so by the head: what was to be sent need not come")
  func headsOfStrangers() async throws {
    let cookie = try #require(await gateway.ask("POST", "/v1/sessions", ["X-Odi-Request: 1"])["set-cookie"])
    let byCookie = "Cookie: \(cookie.prefix { $0 != ";" })"
    for endpoint in endpoints where endpoint.access == .user && endpoint.takesBody {
      let (method, target) = (endpoint.method.rawValue, Self.target(endpoint))
      let announced = ["Content-Type: application/json", "Content-Length: 2", "Expect: 100-continue"]
      let stranger = await gateway.open(method, target, announced).reply()
      #expect(stranger.status == 401 && stranger.problem == "unauthenticated", "\(method) \(target)")
      #expect(stranger.json["instance"] == .string(target) && stranger.json["trace_id"]?.string?.count == 32)
      let form = await gateway.open(method, target, announced + [byCookie]).reply()
      #expect(form.status == 403, "\(method) \(target)")
      let welcome = await gateway.open(method, target, announced + [byCookie, "X-Odi-Request: 1"]).reply()
      #expect(welcome.status == 100, "\(method) \(target)")
    }
  }

  @Test("every problem names its path and its trace, also where no endpoint was reached")
  func nameless() async {
    let resting = GatewayFixture()
    resting.front.desk.maintenance = "back soon"
    for (status, reply) in [
      (405, await gateway.ask("PATCH", "/v1/home")), (404, await gateway.ask("/v1/hom")),
      (503, await resting.ask("/v1/home")),
      (413, await gateway.open("POST", "/v1/sessions", ["Content-Length: 100000000"]).reply()),
    ] {
      let trace = reply.json["trace_id"]?.string
      #expect(reply.status == status && trace?.count == 32 && reply["trace-id"] == trace, "\(status): \(reply.text)")
      #expect(reply.json["instance"]?.string?.hasPrefix("/v1/") == true, "\(status): \(reply.text)")
    }
    let caller = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"
    let followed = await gateway.ask("GET", "/v1/hom", ["traceparent: \(caller)"])
    #expect(followed.json["trace_id"] == "0af7651916cd43dd8448eb211c80319c")
  }

  @Test("public reading is shared: tagged, cached for a minute, by language, and 304 to who has it")
  func sharing() async {
    for endpoint in endpoints where endpoint.isShared {
      let target = Self.target(endpoint)
      let reply = await gateway.ask("GET", target, ["Accept-Language: ko, en;q=0.5"])
      #expect(reply.status == 200, "\(target): \(reply.status) \(reply.text.prefix(300))")
      #expect(reply["cache-control"]?.hasPrefix("public, max-age=") == true, "\(target)")
      #expect(reply.all("vary").contains { $0.contains("Accept-Language") }, "\(target)")
      #expect(reply["content-language"] == "ko", "\(target)")
      guard let tag = reply["etag"] else {
        Issue.record("\(target) has no tag")
        continue
      }
      let again = await gateway.ask("GET", target, ["Accept-Language: ko", "If-None-Match: \(tag)"])
      #expect(again.status == 304 && again.body.isEmpty, "\(target)")
      let english = await gateway.ask(
        "GET", target + (target.contains("?") ? "&" : "?") + "lang=en", ["Accept-Language: ko"])
      #expect(english.status == 200 && english["content-language"] == "en", "\(target): lang wins")
      let wrong = await gateway.ask("GET", target + (target.contains("?") ? "&" : "?") + "lang=tlh")
      #expect(wrong.status == 400, "\(target)")
    }
  }

  @Test("HEAD is GET without a body; another method is 405 and told which ones there are")
  func methods() async {
    for endpoint in endpoints where endpoint.method == .get && endpoint.access == .everybody {
      let target = Self.target(endpoint)
      let (get, head) = (await gateway.ask("GET", target), await gateway.ask("HEAD", target))
      #expect(head.status == get.status && head.body.isEmpty, "\(target)")
      #expect(head["content-length"] == get["content-length"], "\(target)")
      let options = await gateway.ask("OPTIONS", target)
      #expect(options.status == 204 && options["allow"]?.contains("GET, HEAD") == true, "\(target)")
      let others = gateway.front.endpoints.filter { $0.path == endpoint.path }.map(\.method)
      guard !others.contains(.patch) else { continue }
      let patch = await gateway.ask("PATCH", target)
      #expect(patch.status == 405 && patch["allow"] == options["allow"], "\(target)")
    }
  }

  @Test("a body must be JSON, and what is wrong in it is named by its place")
  func bodies() async throws {
    let token = try await gateway.session()
    for endpoint in endpoints where endpoint.takesJSON {
      let (method, target) = (endpoint.method.rawValue, Self.target(endpoint))
      let text = await gateway.ask(method, target, ["Content-Type: text/plain"], body: "hello", token: token)
      #expect(text.status == 415, "\(method) \(target): \(text.status)")
      for broken in ["{", "[]", "3"] {
        #expect(
          await gateway.ask(method, target, body: broken, token: token).status == 422, "\(method) \(target) \(broken)")
      }
      let wrong = await gateway.ask(method, target, body: #"{"nonsense":1}"#, token: token)
      #expect(wrong.status == 422 && wrong.problem == "validation", "\(method) \(target)")
      let pointers = (wrong.json["errors"]?.array ?? []).compactMap { $0["pointer"]?.string }
      #expect(pointers.contains("/nonsense"), "\(method) \(target): \(pointers)")
    }
  }

  @Test("what is of a user is kept by nobody and read by our own pages only; what is public by all")
  func origins() async throws {
    let token = try await gateway.session()
    for endpoint in endpoints where endpoint.method == .get && endpoint.path.hasPrefix("/v1/") {
      let target = Self.target(endpoint)
      let foreign = await gateway.ask("GET", target, ["Origin: https://elsewhere.example"], token: token)
      if endpoint.path.hasPrefix("/v1/me") {
        #expect(foreign["access-control-allow-origin"] == nil, "\(target)")
        // Problems say it in one word.
        #expect(foreign["cache-control"] == (foreign.status == 200 ? "private, no-store" : "no-store"), "\(target)")
        let own = await gateway.ask("GET", target, ["Origin: http://odi.test"], token: token)
        #expect(own["access-control-allow-origin"] == "http://odi.test", "\(target)")
      } else {
        #expect(foreign["access-control-allow-origin"] == "*", "\(target)")
      }
    }
    let preflight = await gateway.ask(
      "OPTIONS", "/v1/me/bookmarks/film_tea",
      ["Origin: https://elsewhere.example", "Access-Control-Request-Method: PUT"])
    #expect(preflight["access-control-allow-origin"] == nil && preflight["access-control-allow-methods"] == nil)
    let reading = await gateway.ask(
      "OPTIONS", "/v1/cinemas", ["Origin: https://elsewhere.example", "Access-Control-Request-Method: GET"])
    #expect(reading["access-control-allow-methods"] == "GET, HEAD")
  }

  @Test("what is asked too widely, or of a place that there is not, is told as that")
  func meant() async {
    let wide = await gateway.ask("/v1/cinemas/lantern/days?from=2026-11-22&to=2027-02-01")
    #expect(wide.status == 400 && wide.json["errors"]?[0]?["parameter"] == "to", "\(wide.text)")
    #expect(wide.json["errors"]?[0]?["detail"]?.string?.contains("2027-01-20") == true, "\(wide.text)")
    let whole = await gateway.ask("/v1/cinemas/lantern/days?from=2026-11-22&to=2027-01-20")
    #expect(whole.status == 200 && whole.json["data"]?.array?.count == 60)
    // A + that nobody encoded.
    let plain = await gateway.ask("/v1/showtimes?from=2026-11-22T10:00:00+09:00")
    #expect(plain.status == 200, "\(plain.text)")
    let cinema = await gateway.ask("/v1/showtimes?cinema=lantrn")
    #expect(cinema.json["hint"]?.string?.contains("there is no cinema lantrn; did you mean lantern?") == true)
    let region = await gateway.ask("/v1/cinemas?region=seol")
    #expect(region.json["hint"] == "there is no region seol; did you mean seoul?", "\(region.text)")
    let point = await gateway.ask("/v1/regions").json["data"]?[0]?["center"]?["lat"]
    #expect(point?.double.map { "\($0)".utf8.count <= 10 } == true, "\(point ?? .null)")
  }

  @Test("every answer has the fields that protect, and the id of its trace")
  func safety() async throws {
    let token = try await gateway.session()
    for endpoint in endpoints where endpoint.method == .get {
      let reply = await gateway.ask("GET", Self.target(endpoint), token: token)
      #expect(reply["x-content-type-options"] == "nosniff" && reply["referrer-policy"] != nil, "\(endpoint.path)")
      #expect(reply["trace-id"]?.count == 32, "\(endpoint.path)")
    }
    let nearby = await gateway.ask("/v1/cinemas/nearby?lat=37&lng=127")
    let meant = nearby.json["errors"]?.array?.compactMap { $0["did_you_mean"]?.string }
    #expect(meant == ["lon"], "and not lang: \(nearby.text)")
    let problem = await gateway.ask("/v1/cinemas?lng=3")
    #expect(problem.json["errors"]?[0]?["did_you_mean"] == "near", "\(problem.text)")
    let type = await gateway.ask(problem.json["type"]?.string ?? "")
    #expect(type.status == 200 && type.json["title"] == problem.json["title"] && type.json["status"] == 400)
    #expect(await gateway.ask("/problems/none").status == 404)
    let docs = await gateway.ask("/docs")
    #expect(docs["content-security-policy"]?.contains("script-src 'self'") == true)
  }

  @Test("a slash too many is told where to go")
  func slash() async {
    let reply = await gateway.ask("/v1/cinemas/?limit=2")
    #expect(reply.status == 308 && reply["location"] == "/v1/cinemas?limit=2")
  }

  @Test("lists turn pages: a cursor and a link go on, and belong to their filters")
  func pages() async throws {
    for target in ["/v1/cinemas?limit=2", "/v1/showtimes?limit=2", "/v1/cinemas?limit=1&near=37.5,127"] {
      let first = await gateway.ask(target)
      let cursor = try #require(first.json["next_cursor"]?.string, "\(target)")
      #expect(first.json["has_more"]?.bool == true)
      #expect(first["link"]?.contains("cursor=\(cursor)") == true && first["link"]?.contains("rel=\"next\"") == true)
      let second = await gateway.ask(target + "&cursor=\(cursor)")
      #expect(second.status == 200 && second.json["data"]?[0]?["id"] != first.json["data"]?[0]?["id"], "\(target)")
      let changed = await gateway.ask(target + "&cursor=\(cursor)&bbox=0,0,180,90")
      #expect(changed.status == 400, "\(target)")
      let broken = await gateway.ask(target + "&cursor=AAAAAAAAAAAA")
      #expect(broken.status == 400 && broken.problem == "invalid-cursor", "\(target)")
    }
    var seen: [String] = []
    var cursor = ""
    repeat {
      let page = await gateway.ask("/v1/cinemas?limit=2" + cursor)
      seen += (page.json["data"]?.array ?? []).compactMap { $0["id"]?.string }
      cursor = page.json["next_cursor"]?.string.map { "&cursor=\($0)" } ?? ""
    } while !cursor.isEmpty
    #expect(seen == ["harbour", "lantern", "moonlight", "owl", "paperboat"])
  }

  @Test(
    "a cursor that somebody made up is a place or none, and costs nobody else their answer",
    arguments: [
      ("/v1/cinemas", [], false), ("/v1/cinemas", ["near=37.57,126.98"], true),
      ("/v1/cinemas", ["bbox=124,33,132,43", "sort=name"], true), ("/v1/showtimes", [], false),
      ("/v1/films", [], false), ("/v1/films/film_tea/showtimes", [], false), ("/v1/festivals", [], true),
      ("/v1/festivals/lantern/sessions", [], true),
    ])
  func madeUpCursors(path: String, parameters: [String], countsPlaces: Bool) async {
    for key in ["\(Int.max)", "\(Int.min)", "0", "x", "", "99999999999999999999"] {
      // Nothing in a cursor is secret: it is bound to its question, and anybody can ask that.
      let question = ([path, ""] + parameters).joined(separator: "\n")
      let query = (parameters + ["cursor=" + Cursor.text(after: key, of: question)]).joined(separator: "&")
      let reply = await gateway.ask("\(path)?\(query)")
      #expect(reply.status == 200 || !countsPlaces && reply.status == 400, "\(path) \(key): \(reply.status)")
    }
  }

  @Test("who asks too often is told to wait, by address and by user, and hears how much is left")
  func limits() async throws {
    let gateway = GatewayFixture {
      $0.manners.perAddress = .init(perSecond: 1, burst: 5)
      $0.manners.perUser = .init(perSecond: 1, burst: 2)
    }
    // Memory streams have no address, so only the user counts here; addresses are tested where there are sockets.
    let token = try await gateway.session()
    #expect(await gateway.ask("/v1/me", token: token).status == 200)
    #expect(await gateway.ask("/v1/me", token: token).status == 200)
    let refused = await gateway.ask("/v1/me", token: token)
    #expect(refused.status == 429 && refused.problem == "rate-limited" && refused["retry-after"] == "1")
    #expect(refused.all("ratelimit").contains("\"user\";r=0;t=1"))
    gateway.time.advance(by: .seconds(1))
    #expect(await gateway.ask("/v1/me", token: token).status == 200)
  }

  @Test("closed for maintenance, it says so and still shows that it lives")
  func maintenance() async {
    gateway.front.desk.maintenance = "back at nine"
    let reply = await gateway.ask("/v1/cinemas")
    #expect(reply.status == 503 && reply["retry-after"] != nil && reply.json["detail"]?.string == "back at nine")
    #expect(await gateway.ask("/livez").status == 200)
  }

  @Test("large answers are compressed for who takes it, under a tag of their own")
  func compression() async {
    let reply = await gateway.ask("GET", "/openapi.json", ["Accept-Encoding: gzip"])
    #expect(reply["content-encoding"] == "gzip" && reply["etag"]?.hasSuffix("-gz\"") == true)
    #expect(reply.all("vary").contains("Accept-Encoding"))
  }
}
