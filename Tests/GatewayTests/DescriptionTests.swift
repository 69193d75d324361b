import Gateway
import GatewayFakes
import HTTP
import JSON
import Testing

/// The API's description, held against what is really answered.
@MainActor
@Suite("The API's description", .timeLimit(.minutes(5)))
struct DescriptionTests {
  private let gateway = GatewayFixture()

  @Test("every route under /v1 is described, and nothing else is")
  func complete() async {
    let document = await gateway.ask("/openapi.json").json
    #expect(document["openapi"]?.string == "3.1.0")
    var described: Set<String> = []
    for (path, item) in document["paths"]?.object ?? JSONObject() {
      for (method, _) in item.object ?? JSONObject() { described.insert("\(method.uppercased()) \(path)") }
    }
    let routes = gateway.front.server.router.routes.map { "\($0.method.rawValue) \($0.pattern)" }
    #expect(described.subtracting(routes).isEmpty, "what is described can be asked")
    // What is left out is the page: its views, its files, and the description itself.
    let left = Set(routes).subtracting(described)
    #expect(left.contains("GET /") && left.contains("GET /docs") && left.contains("GET /films/{id}"))
    #expect(left.filter { !$0.hasPrefix("GET /") || $0.hasPrefix("GET /v1") }.isEmpty)
  }

  @Test("that a station may only be linked to is described where it is answered")
  func linkedOnly() async {
    let document = await gateway.ask("/openapi.json").json
    for (path, item) in document["paths"]?.object ?? JSONObject() where path.hasPrefix("/v1/stations/{id}/") {
      let reply = await gateway.ask("/v1/stations/paper/" + path.dropFirst("/v1/stations/{id}/".count))
      #expect(item["get"]?["responses"]?[String(reply.status)] != nil, "\(path): \(reply.status)")
    }
  }

  @Test("every parameter that a route knows is described, and the other way round")
  func parameters() async {
    let document = await gateway.ask("/openapi.json").json
    for route in gateway.front.server.router.routes where route.pattern.hasPrefix("/v1") {
      let operation = document["paths"]?[route.pattern]?[route.method.rawValue.lowercased()]
      let named = (operation?["parameters"]?.array ?? []).filter { $0["in"]?.string == "query" }
      #expect(Set(named.compactMap { $0["name"]?.string }) == Set(route.query.map(\.name)), "\(route.pattern)")
    }
  }

  @Test(
    "answers are what they are described to be",
    arguments: [
      "/v1/cinemas/nearby?lat=37.571&lon=126.976&include=days,showtimes", "/v1/cinemas", "/v1/cinemas.geojson",
      "/v1/cinemas/lantern?include=days", "/v1/cinemas/lantern/days", "/v1/cinemas/lantern/showtimes",
      "/v1/cinemas/lantern/showtimes?group=screen", "/v1/cinemas/lantern/showtimes?group=none", "/v1/regions",
      "/v1/showtimes", "/v1/showtimes/show_lantern_2026-11-22_2", "/v1/tonight?lat=37.57&lon=126.97",
      "/v1/films/film_tea?include=credits,showtimes,similar,reviews_links",
      "/v1/home?lat=37.57&lon=126.97", "/v1/search?q=the",
      "/v1/suggest?q=the", "/v1/stations", "/v1/stations/lantern", "/v1/stations/lantern/stream",
      "/v1/stations/lantern/now_playing", "/v1/sources", "/v1", "/v1/me", "/v1/me/settings",
      "/v1/me/bookmarks?include=film,next_showtime",
      "/v1/festivals", "/v1/festivals/lantern", "/v1/festivals/lantern/timetable", "/v1/festivals/lantern/sessions",
      "/v1/festivals/lantern/sessions/ses_tea", "/v1/festivals/lantern/floors", "/v1/festivals/lantern/schedule.json",
      "/v1/me/festivals/lantern/agenda", "/v1/me/bookmarks/changes", "/v1/me/favourites", "/v1/me/views",
      "/v1/me/export",
      "/v1/restaurants?near=37.5663,126.9779", "/v1/cinemas/lantern/restaurants?type=lite",
      "/v1/dining/genres", "/v1/dining/features", "/v1/dining/budgets", "/v1/dining/areas", "/v1/dining/credit_cards",
      "/v1/dining/specials", "/v1/dining/special_categories",
    ])
  func truth(target: String) async throws {
    let document = await gateway.ask("/openapi.json").json
    let token = try await gateway.session()
    await gateway.ask("PUT", "/v1/me/bookmarks/film_tea", body: #"{"note":"x"}"#, token: token)
    await gateway.ask("PUT", "/v1/me/favourites/cinema/lantern", token: token)
    await gateway.ask("POST", "/v1/me/views", body: #"{"film":"film_tea"}"#, token: token)
    let reply = await gateway.ask("GET", target, token: target.hasPrefix("/v1/me") ? token : nil)
    #expect(reply.status == 200, "\(reply.text)")
    let path = String(target.prefix { $0 != "?" }).replacing("/lantern", with: "/{id}")
      .replacing("/film_tea", with: "/{id}").replacing("/show_{id}", with: "/show_lantern")
      .replacing("/show_lantern_2026-11-22_2", with: "/{id}").replacing("/ses_tea", with: "/{session}")
    let contents = document["paths"]?[path]?["get"]?["responses"]?["200"]?["content"]?.object
    let schema = try #require(contents?.first?.value["schema"], "\(path)")
    let problems = SchemaCheck(document).problems(reply.json, schema, "")
    #expect(problems.isEmpty, "\(problems.prefix(5))")
  }

  @Test("problems are what they are described to be")
  func problems() async throws {
    let document = await gateway.ask("/openapi.json").json
    let schema = try #require(document["components"]?["schemas"]?["Problem"])
    for target in ["/v1/cinemas/nearby?lat=x", "/v1/films/film_nope", "/v1/me", "/v1/nothing"] {
      let reply = await gateway.ask(target)
      #expect(SchemaCheck(document).problems(reply.json, schema, "").isEmpty, "\(target)")
    }
  }
}

/// As much of JSON Schema as the description uses.
struct SchemaCheck {
  private let document: JSONValue

  init(_ document: JSONValue) { self.document = document }

  func problems(_ value: JSONValue, _ schema: JSONValue, _ place: String) -> [String] {
    var problems: [String] = []
    if let name = schema["$ref"]?.string?.split(separator: "/").last {
      guard let target = document["components"]?["schemas"]?[String(name)] else { return ["\(place): no \(name)"] }
      return self.problems(value, target, place)
    }
    for part in schema["allOf"]?.array ?? [] { problems += self.problems(value, part, place) }
    for key in ["anyOf", "oneOf"] {
      if let choices = schema[key]?.array, !choices.contains(where: { self.problems(value, $0, place).isEmpty }) {
        problems.append("\(place): none of \(choices.count) choices fits")
      }
    }
    if let constant = schema["const"], constant != value { problems.append("\(place): is not \(constant)") }
    if let words = schema["enum"]?.array, !words.contains(value) {
      problems.append("\(place): \(value) is none of \(words)")
    }
    if let type = schema["type"]?.string, !Self.fits(value, type) { problems.append("\(place): is no \(type)") }
    if let least = schema["minimum"]?.double, let number = value.double, number < least {
      problems.append("\(place): too small")
    }
    if let most = schema["maximum"]?.double, let number = value.double, number > most {
      problems.append("\(place): too large")
    }
    for (index, element) in (value.array ?? []).enumerated() {
      if let items = schema["items"] { problems += self.problems(element, items, "\(place)/\(index)") }
    }
    guard let object = value.object else { return problems }
    let properties = schema["properties"]?.object ?? JSONObject()
    for name in schema["required"]?.array ?? [] where object[name.string ?? ""] == nil {
      problems.append("\(place)/\(name.string ?? ""): is missing")
    }
    for (name, member) in object {
      if let known = properties[name] {
        problems += self.problems(member, known, "\(place)/\(name)")
      } else if schema["properties"] != nil {
        // Readers must not mind what is new, but nothing that we write may be left undescribed.
        problems.append("\(place)/\(name): is not described")
      }
    }
    return problems
  }

  private static func fits(_ value: JSONValue, _ type: String) -> Bool {
    switch type {
    case "object": value.object != nil
    case "array": value.array != nil
    case "string": value.string != nil
    case "integer": value.int != nil
    case "number": value.double != nil
    case "boolean": value.bool != nil
    case "null": value.isNull
    default: false
    }
  }
}
