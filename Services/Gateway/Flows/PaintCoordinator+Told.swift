import Contracts
import HTTP
import JSON
import RPC

/// Views that are written from what the API tells.
extension PaintCoordinator {
  static let festivalField = PathField("id", "The festival's id.", schema: .string())
  static let sessionField = PathField("session", "The session's id.", schema: .string())
  private static let wallPage = "30"
  private static let hitsMost = "30"
  /// What a search may have; more is no name of anything.
  private static let lettersMost = 100

  func discover(_ asking: Asking) async throws -> Answer {
    var scene = scene(asking)
    // One that is empty is none, as the script reads it.
    func chosen(_ name: String) -> String? { scene[name].flatMap { $0.isEmpty ? nil : $0 } }
    let (list, genre, person) = (chosen("list"), chosen("genre"), chosen("person"))
    let point = scene.place.position
    let language = scene.language
    async let kinds = extra("/v1/genres", [], in: language, asking)
    var told = JSONValue.null
    var isStrange = false
    do {
      if let person {
        told = try await get("/v1/people/{id}", [person], [:], &scene, asking)
      } else if let genre {
        told = try await get("/v1/films", [], ["genre": genre, "limit": Self.wallPage], &scene, asking)
      } else if let list {
        told = try await get("/v1/films", [], ["list": list, "limit": Self.wallPage], &scene, asking)
      } else {
        let place: KeyValuePairs<String, String?> = ["lat": "\(point.latitude)", "lon": "\(point.longitude)"]
        told = try await get("/v1/home", [], place, &scene, asking)
      }
    } catch let problem as Problem where problem.status == .badRequest {
      // Films of a kind that there is not: that says nothing of the server.
      isStrange = true
    }
    let view = DiscoverView(
      parts: scene.parts, view: scene.view, place: scene.place,
      genres: await kinds?["data"]?.array?.filter { genre in
        genre["films"]?.int != 0 && genre["id"]?.string.map { PageScene.isPlain($0[...]) } == true
      } ?? [],
      list: person.map { "person:\($0)" } ?? genre.map { "genre:\($0)" } ?? list,
      person: person == nil ? nil : told["name"]?.string,
      items: person == nil ? told["data"]?.array ?? [] : Self.works(of: told),
      isPartial: told["missing"]?.array?.isEmpty == false, isStrange: isStrange)
    let page = PageAnswer(
      title: scene.parts.words("tab.discover"), tab: "discover", status: isStrange ? .notFound : .ok)
    return answer(asking, scene, page) { view.write(to: &$0) }
  }

  /// What somebody made or plays in, each once, as a list has it.
  private static func works(of person: JSONValue) -> [JSONValue] {
    var seen: Set<String> = []
    return ["directed", "wrote", "played_in"].flatMap { person[$0]?.array ?? [] }
      .filter { seen.insert($0["id"]?.string ?? "").inserted }
  }

  func map(_ asking: Asking) async throws -> Answer {
    var scene = scene(asking)
    let told = try await get("/v1/cinemas.geojson", [], [:], &scene, asking)
    let view = MapView(parts: scene.parts, place: scene.place, features: told["features"]?.array ?? [])
    return answer(asking, scene, PageAnswer(title: scene.parts.words("tab.map"), tab: "map")) { view.write(to: &$0) }
  }

  func search(_ asking: Asking) async throws -> Answer {
    let scene = scene(asking)
    // An address is for people: what the API would refuse of it is let pass.
    let typed = (scene.search ?? "").unicodeScalars.filter { $0.properties.generalCategory != .control }
    let asked = String(String.UnicodeScalarView(typed.prefix(Self.lettersMost)))
    var found: JSONValue?
    if !asked.allSatisfy(\.isWhitespace) {
      let point = scene.place.position
      let question: KeyValuePairs<String, String?> = [
        "q": asked, "lat": "\(point.latitude)", "lon": "\(point.longitude)", "limit": Self.hitsMost,
      ]
      // Hits are names, and carry no marks.
      found = try await api.get("/v1/search", [], question, for: asking, in: scene.language)
    }
    let view = SearchView(parts: scene.parts, cities: files.cities, asked: asked, answer: found)
    return answer(asking, scene, PageAnswer(title: scene.parts.words("tab.search"), isListed: false, tab: "search")) {
      view.write(to: &$0)
    }
  }

  func radio(_ asking: Asking) async throws -> Answer {
    var scene = scene(asking)
    let told = try await get("/v1/stations", [], [:], &scene, asking)
    let view = RadioView(
      parts: scene.parts, sections: (told["data"]?.array ?? []).filter { $0["id"]?.string != "favourites" })
    return answer(asking, scene, PageAnswer(title: scene.parts.words("tab.radio"), tab: "radio")) {
      view.write(to: &$0)
    }
  }

  func festivals(_ asking: Asking) async throws -> Answer {
    var scene = scene(asking)
    let told = try await get("/v1/festivals", [], [:], &scene, asking)
    let view = FestivalsView(parts: scene.parts, view: scene.view, festivals: told["data"]?.array ?? [])
    var data = linked(asking, scene)
    for festival in view.festivals { data.add(festival: festival) }
    return answer(asking, scene, PageAnswer(title: scene.parts.words("tab.festivals"), tab: "festivals", linked: data))
    {
      view.write(to: &$0)
    }
  }

  func festival(_ asking: Asking) async throws -> Answer {
    var scene = scene(asking)
    // As codes on doors were printed.
    let named = asking.asked.parameters.first { $0.name == "session" }?.value
    if let session = named.flatMap({ SessionID($0) }) {
      let page = scene.place.address("/festivals/\(asking.path[0])/sessions/\(session)", [:])
      return Answer(.redirect(.permanentRedirect, to: page)).with("Cache-Control", "private, no-cache")
    }
    let festival = try await get("/v1/festivals/{id}", asking.path, [:], &scene, asking)
    let language = scene.language
    async let floors = extra("/v1/festivals/{id}/floors", asking.path, in: language, asking)
    let days = (festival["days"]?.array ?? []).compactMap { $0["date"]?.string ?? $0.string }
    let today = "\(scene.parts.today(festival["time_zone"]?.string, scene.view))"
    let wanted = scene["day"].flatMap { days.contains($0) ? $0 : nil }
    let day = wanted ?? days.first { $0 >= today } ?? days.first
    var timetable: JSONValue?
    if let day {
      timetable = try await get("/v1/festivals/{id}/timetable", asking.path, ["day": day], &scene, asking)
    }
    let view = FestivalView(
      parts: scene.parts, place: scene.place, id: asking.path[0], festival: festival, days: days, day: day,
      timetable: timetable, floors: await floors?["data"]?.array ?? [])
    var data = linked(asking, scene)
    data.add(festival: festival, sessions: timetable?["sessions"]?.array ?? [])
    let title = scene.parts.readable(festival).title
    let about = scene.parts.words("about.festival", ["name": title])
    return answer(asking, scene, PageAnswer(title: title, about: about, tab: "festivals", linked: data)) {
      view.write(to: &$0)
    }
  }

  func session(_ asking: Asking) async throws -> Answer {
    var scene = scene(asking)
    let told = try await get("/v1/festivals/{id}/sessions/{session}", asking.path, [:], &scene, asking)
    let festival = try await get("/v1/festivals/{id}", [asking.path[0]], [:], &scene, asking)
    let view = SessionView(
      parts: scene.parts, id: asking.path[0], festival: festival, session: told)
    var data = linked(asking, scene)
    data.add(session: told, of: festival)
    return answer(asking, scene, PageAnswer(title: scene.parts.readable(told).title, tab: "festivals", linked: data)) {
      view.write(to: &$0)
    }
  }

  /// Who works there needs the script; that there is such a festival is known without.
  func door(_ asking: Asking) async throws -> Answer {
    var scene = scene(asking)
    let festival = try await get("/v1/festivals/{id}", asking.path, [:], &scene, asking)
    let page = PageAnswer(title: scene.parts.words("door"), isListed: false, tab: "festivals")
    return answer(asking, scene, page) { scene.parts.door(of: festival, asking.path[0], to: &$0) }
  }

  func dinner(_ asking: Asking) async throws -> Answer {
    var scene = scene(asking)
    let isBefore = scene["mode"] != "after"
    let walk = scene["walk"].flatMap { Int($0) }.flatMap { DinnerView.walks.contains($0) ? $0 : nil }
    let question: KeyValuePairs<String, String?> = [
      "mode": isBefore ? "before" : "after", "walk_max_min": "\(walk ?? DinnerView.walkUsual)",
      "eat_min": "\(DinnerView.eating)", "genre": scene["genre"],
      "budget_max": scene["budget"].flatMap { Int($0) }.map { "\($0)" },
    ]
    var told = JSONValue.null
    var trouble: Problem?
    do {
      told = try await get("/v1/showtimes/{id}/dinner", asking.path, question, &scene, asking)
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
    let page = PageAnswer(
      title: scene.parts.words("dinner"), isListed: false, tab: "nearby", linked: data, status: trouble?.status ?? .ok)
    var answer = answer(asking, scene, page) { view.write(to: &$0) }
    answer.response.fields += trouble?.fields ?? []
    return answer
  }

  func plan(_ asking: Asking) async throws -> Answer {
    var scene = scene(asking)
    let plan = try await get("/v1/plans/{share}", asking.path, [:], &scene, asking)
    // A plan is kept in its maker's words; names are shown in the reader's.
    let (show, language) = (plan["showtime"], scene.language)
    async let cinema = named("/v1/cinemas/{id}", show?["cinema_id"]?.string, in: language, asking)
    async let film = named("/v1/films/{id}", show?["film_id"]?.string, in: language, asking)
    let view = PlanView(
      parts: scene.parts, plan: plan, cinema: await cinema, film: await film, base: asking.base)
    let page = PageAnswer(title: view.title, isListed: false, tab: "nearby")
    return answer(asking, scene, page) { view.write(to: &$0) }
  }

  private func named(
    _ pattern: String, _ id: String?, in language: Language, _ asking: Asking
  ) async -> JSONValue? {
    guard let id else { return nil }
    return await extra(pattern, [id], in: language, asking)
  }

  func status(_ asking: Asking) async throws -> Answer {
    var scene = scene(asking)
    let told = try await get("/v1/sources", [], [:], &scene, asking)
    let view = StatusView(parts: scene.parts, sources: told["data"]?.array ?? [])
    let page = PageAnswer(title: scene.parts.words("tab.status"), tab: "status")
    return answer(asking, scene, page) { view.write(to: &$0) }
  }

  // MARK: Views that show what only the browser knows

  func bookmarks(_ asking: Asking) -> Answer {
    let scene = scene(asking)
    let page = PageAnswer(title: scene.parts.words("tab.bookmarks"), isListed: false, tab: "bookmarks")
    return answer(asking, scene, page) { scene.parts.saved(to: &$0) }
  }

  func settings(_ asking: Asking) -> Answer {
    let scene = scene(asking)
    let page = PageAnswer(title: scene.parts.words("tab.settings"), isListed: false, tab: "settings")
    return answer(asking, scene, page) { scene.parts.doors(to: &$0) }
  }
}
