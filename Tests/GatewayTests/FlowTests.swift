import Clocks
import Contracts
import Gateway
import GatewayFakes
import HTTP
import JSON
import RPC
import Testing

/// What happens when all is well, and when a service is away, slow, or no longer asked.
@MainActor
@Suite("Flows", .timeLimit(.minutes(5)))
struct FlowTests {
  nonisolated private static let near = "/v1/cinemas/nearby?lat=37.571&lon=126.976"
  private static let away = RPCError(.unavailable, "nobody is there", executed: .no)

  @Test("what is near comes with days and films in one request, the nearest first")
  func nearby() async throws {
    let gateway = GatewayFixture()
    let reply = await gateway.ask("\(Self.near)&include=days,showtimes")
    #expect(reply.status == 200)
    let names = (reply.json["data"]?.array ?? []).compactMap { $0["id"]?.string }
    #expect(names == ["lantern", "moonlight", "harbour"])
    #expect(reply.json["data"]?[0]?["films"]?[0]?["showtimes"]?[0]?["display_time"]?.string != nil)
    #expect(reply.json["data"]?[0]?["days"]?.array?.count == 14)
    #expect(gateway.world.scraper.manners.seen.sorted() == ["CinemaDays", "DayProgrammes"])
    #expect(reply.json["demo"]?.bool == true)
  }

  @Test("plain nearby is one call")
  func oneCall() async {
    let gateway = GatewayFixture()
    await gateway.ask(Self.near)
    #expect(gateway.world.locator.manners.seen == ["NearestPlaces"])
    #expect(gateway.world.scraper.manners.seen.isEmpty && gateway.world.bookmarks.manners.seen.isEmpty)
  }

  @Test("what was read of the directory is not read again, until there is another")
  func places() async throws {
    let gateway = GatewayFixture()
    func names(_ query: String) async -> [String] {
      (await gateway.ask("/v1/cinemas/nearby?\(query)").json["data"]?.array ?? []).compactMap { $0["name"]?.string }
    }
    let seoul = await names("lat=37.571&lon=126.976&limit=2")
    #expect(seoul == ["등불극장", "달빛시네마"])
    #expect(await names("lat=37.5721&lon=126.969&limit=2") == seoul.reversed())
    #expect(gateway.world.locator.manners.seen.count == 2, "places are enough once their cinemas are known")
    #expect(await names("lat=51.5&lon=-0.1&limit=1") == ["The Paper Boat"])
    #expect(gateway.world.locator.manners.seen.count == 4, "who is new is asked for with the cinemas")
    gateway.world.locator.cinemas.insert(gateway.world.locator.cinemas.removeLast(), at: 0)
    gateway.world.locator.cinemas[1].name = "새 등불"
    gateway.world.locator.revision += 1
    #expect(await names("lat=37.5711&lon=126.976&limit=2") == ["새 등불", "달빛시네마"])
    #expect(gateway.world.locator.manners.seen.count == 5, "another directory comes with its cinemas")
  }

  @Test("what is written of a cinema beforehand is what is written of it with its programme")
  func keptMembers() async throws {
    let gateway = GatewayFixture()
    let plain = try #require(await gateway.ask(Self.near).json["data"]?.array)
    let whole = try #require(await gateway.ask("\(Self.near)&include=days").json["data"]?.array)
    #expect(plain.count == 3)
    for (short, long) in zip(plain, whole) {
      let (short, long) = (try #require(short.object), try #require(long.object))
      #expect(short.names == long.names.filter { short.names.contains($0) }, "in the same order")
      for name in short.names { #expect(short[name] == long[name], "\(name)") }
      #expect(short["distance_m"] != nil && short["walk_min"] != nil && short["links"] != nil)
    }
  }

  @Test("answers that are nobody else's do not drive out each other; after a while they do")
  func settled() async {
    let gateway = GatewayFixture { $0.keeping.entries = 2 }
    let points = (1...3).map { "/v1/cinemas/nearby?lat=37.\($0)712&lon=126.9761" }
    for point in points { await gateway.ask(point) }
    gateway.world.locator.manners.failure = Self.away
    #expect(await gateway.ask(points[0]).json["stale"]?.bool == true)
    #expect(await gateway.ask(points[2]).status == 503)
    gateway.world.locator.manners.failure = nil
    gateway.time.advance(by: .seconds(10))
    await gateway.ask(points[2])
    gateway.world.locator.manners.failure = Self.away
    #expect(await gateway.ask(points[2]).json["stale"]?.bool == true)
    #expect(await gateway.ask(points[0]).status == 503)
  }

  @Test("without the scraper the cinemas are there all the same, and what is missing is named")
  func scraperAway() async {
    let gateway = GatewayFixture()
    gateway.world.scraper.manners.failure = Self.away
    let reply = await gateway.ask("\(Self.near)&include=days,showtimes")
    #expect(reply.status == 200 && reply.json["data"]?.array?.count == 3)
    #expect(reply.json["missing"] == ["days", "showtimes"])
    #expect(reply["cache-control"] == "private, no-store", "half an answer is not to be kept")
    #expect(reply["x-odi-partial"] == "1", "and says so to who keeps answers all the same")
    let films = await gateway.ask("/v1/films/film_tea")
    #expect(films.status == 503 && films.problem == "upstream-unavailable" && films["retry-after"] != nil)
    let cinemas = await gateway.ask("/v1/cinemas")
    #expect(cinemas.status == 200, "the directory needs no scraper")
  }

  @Test("what was answered before is answered again while a service is away, and says how old it is")
  func stale() async {
    let gateway = GatewayFixture()
    let path = "/v1/cinemas/lantern/showtimes"
    let before = await gateway.ask(path)
    gateway.time.advance(by: .seconds(3_600))
    gateway.world.scraper.manners.failure = Self.away
    let after = await gateway.ask(path)
    #expect(after.status == 200 && after.json["stale"]?.bool == true)
    #expect(after.json["stale_as_of"]?.string?.hasPrefix("20") == true)
    #expect(after.json["data"] == before.json["data"])
    #expect(after["cache-control"] == "no-store" && after["etag"] == nil)
    let other = await gateway.ask("/v1/cinemas/moonlight/showtimes")
    #expect(other.status == 503, "nothing is made up for what was never answered")
  }

  @Test(
    "a whole answer that is kept goes before one that would lack a part, and says how old it is",
    arguments: [
      "\(Self.near)&include=days,showtimes", "\(Self.near)&include=showtimes", "/v1/cinemas.geojson",
      "/v1/home?lat=37.571&lon=126.976", "/v1/search?q=tea", "/v1/suggest?q=tea",
    ])
  func wholeBeforeLacking(path: String) async {
    let gateway = GatewayFixture()
    let before = await gateway.ask(path)
    #expect(before.status == 200 && before.json["missing"] == nil)
    gateway.time.advance(by: .seconds(3_600))
    gateway.world.scraper.manners.failure = Self.away
    let after = await gateway.ask(path)
    #expect(after.status == 200 && after.json["missing"] == nil, "\(after.text)")
    #expect(after.json["stale"]?.bool == true && after.json["stale_as_of"]?.string != nil)
    #expect(after.json["data"] == before.json["data"] && after.json["features"] == before.json["features"])
    #expect(after["cache-control"] == "no-store" && after["x-odi-stale-as-of"] != nil && after["etag"] == nil)
    gateway.world.scraper.manners.failure = nil
    let again = await gateway.ask(path)
    #expect(again.status == 200 && again.json["stale"] == nil && again.json["missing"] == nil)
  }

  @Test("who has a session is given the whole answer of before too, as anybody would be")
  func wholeForUsers() async throws {
    let gateway = GatewayFixture()
    let token = try await gateway.session()
    let path = "\(Self.near)&include=days,showtimes"
    let mine = await gateway.ask("GET", path, token: token)
    #expect(mine["cache-control"] == "private, no-store" && mine.text.contains("bookmarked"), "\(mine.text)")
    let asked = gateway.world.scraper.manners.seen.count
    let anybody = await gateway.ask(path)
    #expect(gateway.world.scraper.manners.seen.count == asked, "what a user was told is kept without what is theirs")
    #expect(anybody["cache-control"]?.contains("public") == true && !anybody.text.contains("bookmarked"))
    gateway.time.advance(by: .seconds(3_600))
    gateway.world.scraper.manners.failure = Self.away
    let after = await gateway.ask("GET", path, token: token)
    #expect(after.json["stale"]?.bool == true && after.json["missing"] == nil, "\(after.text)")
    #expect(after.json["data"] == anybody.json["data"] && after["cache-control"] == "no-store")
  }

  @Test("what is as good as new goes before a copy: titles as printed, and for a user what is of nobody else")
  func newBeforeKept() async throws {
    let gateway = GatewayFixture()
    let path = "\(Self.near)&include=days,showtimes&lang=ko"
    await gateway.ask(path)
    gateway.time.advance(by: .seconds(3_600))
    gateway.world.films.manners.failure = Self.away
    let printed = await gateway.ask(path)
    #expect(printed.status == 200 && printed.json["stale"] == nil && printed.json["missing"] == nil)
    let token = try await gateway.session()
    gateway.world.bookmarks.manners.failure = Self.away
    let unmarked = await gateway.ask("GET", path, token: token)
    #expect(unmarked.status == 200 && unmarked.json["stale"] == nil)
  }

  @Test("near enough is better than nothing while the directory is away")
  func staleNearby() async {
    let gateway = GatewayFixture()
    await gateway.ask("/v1/cinemas/nearby?lat=37.5712&lon=126.9761")
    gateway.world.locator.manners.failure = Self.away
    let reply = await gateway.ask("/v1/cinemas/nearby?lat=37.5719&lon=126.9769")
    #expect(reply.status == 200 && reply.json["stale"]?.bool == true)
    #expect(await gateway.ask("/v1/cinemas/nearby?lat=37.58&lon=126.97").status == 503)
  }

  @Test("a service that does not answer is not waited for past the deadline")
  func slow() async {
    let gateway = GatewayFixture { $0.manners.patience = .seconds(2) }
    gateway.world.locator.manners.held = ["NearestPlaces"]
    let exchange = gateway.open("GET", Self.near)
    await gateway.world.locator.manners.until { gateway.world.locator.manners.waiting == 1 }
    gateway.time.advance(by: .seconds(2))
    let reply = await exchange.reply()
    #expect(reply.status == 503 && reply["retry-after"] != nil)
    await gateway.world.locator.manners.until { gateway.world.locator.manners.cancelled == ["NearestPlaces"] }
  }

  @Test("a client that hangs up ends its call")
  func hangUp() async {
    let gateway = GatewayFixture()
    gateway.world.scraper.manners.held = ["FilmsByID"]
    let exchange = gateway.open("GET", "/v1/films/film_tea")
    await gateway.world.scraper.manners.until { gateway.world.scraper.manners.waiting == 1 }
    exchange.hangUp()
    await gateway.world.scraper.manners.until { gateway.world.scraper.manners.cancelled == ["FilmsByID"] }
  }

  @Test("the newest choice of a pane wins: the older ends with a status of its own, and its call is cancelled")
  func supersede() async {
    let gateway = GatewayFixture()
    let pane = ["X-Odi-Session: tab-1", "X-Odi-Slot: schedule"]
    let manners = gateway.world.scraper.manners
    manners.held = ["DayProgrammes"]
    let older = gateway.open("GET", "/v1/cinemas/lantern/showtimes?date=2026-11-22", pane)
    await manners.until { manners.waiting == 1 }
    let newer = gateway.open("GET", "/v1/cinemas/lantern/showtimes?date=2026-11-23", pane)
    let first = await older.reply()
    #expect(first.status == 409 && first.problem == "superseded")
    await manners.until { manners.cancelled == ["DayProgrammes"] && manners.waiting == 1 }
    manners.open()
    #expect(await newer.reply().status == 200)
    let marks = manners.marks.compactMap(\.self)
    #expect(marks.count == 2 && marks[0].pane == marks[1].pane && marks[0].sequence < marks[1].sequence)
    #expect(gateway.front.desk.supersession.ended == 1)
  }

  @Test("an older choice that arrives late is refused, and another pane is left alone")
  func latecomer() async {
    let gateway = GatewayFixture()
    func ask(_ slot: String, _ sequence: Int) async -> Int {
      await gateway.ask(
        "GET", "/v1/cinemas/lantern", ["X-Odi-Session: tab-1", "X-Odi-Slot: \(slot)", "X-Odi-Sequence: \(sequence)"]
      ).status
    }
    #expect(await ask("a", 5) == 200)
    #expect(await ask("a", 4) == 409)
    #expect(await ask("a", 5) == 200)
    #expect(await ask("b", 1) == 200)
    #expect(await gateway.ask("GET", "/v1/cinemas/lantern", ["X-Odi-Slot: a"]).status == 400)
  }

  @Test("every call behind a request has its deadline")
  func deadlines() async {
    let gateway = GatewayFixture { $0.manners.patience = .seconds(3) }
    await gateway.ask("\(Self.near)&include=days,showtimes")
    let latest = gateway.time.now + .seconds(3)
    let world = gateway.world
    #expect((world.locator.manners.deadlines + world.scraper.manners.deadlines).allSatisfy { $0 <= latest })
  }

  @Test("a kept answer serves others until what it is made of changes")
  func cache() async throws {
    let gateway = GatewayFixture()
    gateway.front.begin()
    await gateway.front.live.feed.live()
    let path = "/v1/cinemas/lantern/showtimes"
    await gateway.ask(path)
    await gateway.ask(path)
    #expect(gateway.world.scraper.manners.seen.filter { $0 == "DayProgrammes" }.count == 1)
    let before = gateway.front.live.counters.published
    gateway.world.scraper.publish(gateway.change("lantern"))
    while gateway.front.live.counters.published == before { await Task.yield() }
    await gateway.ask(path)
    #expect(gateway.world.scraper.manners.seen.filter { $0 == "DayProgrammes" }.count == 2)
    gateway.front.end()
  }

  @Test("what changes while an answer is made is not in it: the answer serves nobody else")
  func changedMeanwhile() async throws {
    let gateway = GatewayFixture()
    gateway.front.begin()
    await gateway.front.live.feed.live()
    let path = "/v1/cinemas/lantern/showtimes"
    gateway.world.scraper.manners.held = ["DayProgrammes"]
    let exchange = gateway.open("GET", path)
    while !gateway.world.scraper.manners.seen.contains("DayProgrammes") { await Task.yield() }
    let before = gateway.front.live.counters.published
    gateway.world.scraper.publish(gateway.change("lantern"))
    while gateway.front.live.counters.published == before { await Task.yield() }
    gateway.world.scraper.manners.held = []
    gateway.world.scraper.manners.open()
    #expect(await exchange.reply().status == 200)
    await gateway.ask(path)
    #expect(gateway.world.scraper.manners.seen.filter { $0 == "DayProgrammes" }.count == 2)
    gateway.front.end()
  }

  @Test("with the cache off every answer is made anew, and the last good one still stands in for an outage")
  func cacheOff() async {
    let gateway = GatewayFixture { $0.cachesAnswers = false }
    let path = "/v1/cinemas/lantern/showtimes"
    await gateway.ask(path)
    await gateway.ask(path)
    #expect(gateway.world.scraper.manners.seen.filter { $0 == "DayProgrammes" }.count == 2)
    gateway.world.scraper.manners.failure = Self.away
    let stale = await gateway.ask(path)
    #expect(stale.status == 200 && stale.json["stale_as_of"] != nil)
  }

  @Test("cinemas come in the order and with the members that were asked for")
  func cinemas() async {
    let gateway = GatewayFixture()
    func ids(_ query: String) async -> [String] {
      (await gateway.ask("/v1/cinemas?\(query)").json["data"]?.array ?? []).compactMap { $0["id"]?.string }
    }
    let all = await ids("sort=id")
    #expect(all == all.sorted() && all.count >= 3)
    let near = "near=37.571,126.976"
    #expect(await ids("sort=distance&\(near)").prefix(3) == ["lantern", "moonlight", "harbour"])
    #expect(await ids("sort=id&\(near)") == all)
    let pages = await gateway.ask("/v1/cinemas?sort=name&limit=2")
    let next = pages.json["next_cursor"]?.string ?? ""
    let rest = await ids("sort=name&limit=100&cursor=\(next)")
    #expect(Set(rest).isDisjoint(with: (pages.json["data"]?.array ?? []).compactMap { $0["id"]?.string }))
    #expect(await ids("screens_min=2") == all)
    #expect(await ids("screens_min=3").isEmpty)
    let sparse = await gateway.ask("/v1/cinemas?fields=name,distance_m&\(near)&limit=1")
    #expect(sparse.json["data"]?[0]?.object?.names == ["id", "name", "distance_m"])
    let wrong = await gateway.ask("/v1/cinemas?sort=distance&fields=nam")
    #expect(wrong.status == 400)
    #expect(wrong.text.contains("needs near") && wrong.text.contains("did you mean name?"))
  }

  @Test("whom to tell of a weakness is whom the operator named, or nobody")
  func securityContact() async {
    let silent = GatewayFixture()
    #expect(await silent.ask("/.well-known/security.txt").status == 404)
    let spoken = GatewayFixture { $0.securityContact = "mailto:safe@odi.example" }
    let text = await spoken.ask("/.well-known/security.txt").text
    #expect(text.contains("Contact: mailto:safe@odi.example\nExpires: 2027-"))
  }

  @Test("with more decimals than others have, the answer is exact and nobody else's")
  func exact() async {
    let gateway = GatewayFixture()
    let first = await gateway.ask("/v1/cinemas/nearby?lat=37.57111&lon=126.97611")
    let second = await gateway.ask("/v1/cinemas/nearby?lat=37.57199&lon=126.97699")
    #expect(first.json["data"]?[0]?["distance_m"] != second.json["data"]?[0]?["distance_m"])
  }
}

extension GatewayFixture {
  /// A publication of a cinema's first day.
  func change(_ cinema: String, kind: ShowtimeChangeKind = .soldOut) -> ScheduleChange {
    guard let cinema = CinemaID(cinema), let show = ShowtimeID("show_\(cinema)_x"), let film = FilmID("film_tea") else {
      preconditionFailure("a test's id is wrong")
    }
    return ScheduleChange(
      cinema: cinema, date: world.scraper.today, added: [], removed: [],
      changed: [ShowtimeChange(id: show, kind: kind, film: film)], listed: [], asOf: time.wall)
  }
}
