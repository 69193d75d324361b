import Clocks
import Contracts
import Gateway
import GatewayFakes
import JSON
import RPC
import Testing

/// What once was there.
@Suite("Gone", .timeLimit(.minutes(5)))
@MainActor
struct GoneTests {
  @Test("a cinema that was taken out of the directory is gone, with the one that stands for it; its page leads there")
  func cinema() async throws {
    let gateway = GatewayFixture()
    gateway.world.locator.former = [
      FormerCinema(id: CinemaID("old")!, removedAt: gateway.time.wall, replacedBy: CinemaID("lantern")!),
      FormerCinema(id: CinemaID("lost")!, removedAt: gateway.time.wall),
    ]
    for path in ["", "/days", "/showtimes", "/calendar.ics", "/restaurants"] {
      let reply = await gateway.ask("/v1/cinemas/old\(path)")
      #expect(reply.status == 410 && reply.problem == "gone", "\(path): \(reply.text)")
      #expect(reply.json["replaced_by"]?.string == "lantern")
    }
    let lost = await gateway.ask("/v1/cinemas/lost")
    #expect(lost.status == 410 && lost.json["replaced_by"] == nil)
    #expect(await gateway.ask("/v1/cinemas/nobody").status == 404)
    let page = await gateway.ask("/cinemas/old?date=2026-11-23")
    #expect(page.status == 308 && page["location"] == "/cinemas/lantern?date=2026-11-23")
    // It may come back.
    #expect(page["cache-control"] == "private, no-cache")
    let left = await gateway.ask("/cinemas/lost")
    #expect(left.status == 410 && left.text.contains("<html"))
  }

  @Test("a cinema that was replaced is saved as the one in its place, once, and taken out by either id")
  func saved() async throws {
    let gateway = GatewayFixture()
    let token = try await gateway.session()
    func saved() async -> [String] {
      let items = await gateway.ask("/v1/me/favourites", token: token).json["data"]?.array ?? []
      return items.map { "\($0["id"]?.string ?? "") \($0["note"]?.string ?? "-")" }.sorted()
    }
    // While it was in the directory.
    let there = gateway.world.locator.cinemas
    gateway.world.locator.cinemas.append(gateway.cinema("old"))
    #expect(await gateway.ask("PUT", "/v1/me/favourites/cinema/old", token: token).status == 201)
    gateway.world.locator.cinemas = there
    gateway.time.advance(by: .seconds(61))
    gateway.world.locator.former = [
      FormerCinema(id: CinemaID("old")!, removedAt: gateway.time.wall, replacedBy: CinemaID("lantern")!),
      FormerCinema(id: CinemaID("lost")!, removedAt: gateway.time.wall),
    ]
    let put = await gateway.ask(
      "PUT", "/v1/me/favourites/cinema/old", body: #"{"note": "row 5"}"#, token: token)
    #expect(put.status == 201 && put.json["id"]?.string == "lantern", "\(put.text)")
    #expect(await saved() == ["lantern row 5"])
    #expect(await gateway.ask("PUT", "/v1/me/favourites/cinema/lost", token: token).json["id"]?.string == "lost")
    #expect(await gateway.ask("PUT", "/v1/me/favourites/festival/old", token: token).json["id"]?.string == "old")
    #expect(await gateway.ask("DELETE", "/v1/me/favourites/cinema/old", token: token).status == 204)
    #expect(await saved() == ["lost -", "old -"])
  }

  @Test("by its old id a cinema is taken out once, keeps its note, and a key stays that of one request")
  func savedAgain() async throws {
    let gateway = GatewayFixture()
    let token = try await gateway.session()
    let path = "/v1/me/favourites/cinema/"
    func saved() async -> [String] {
      let items = await gateway.ask("/v1/me/favourites", token: token).json["data"]?.array ?? []
      return items.map { "\($0["id"]?.string ?? "") \($0["note"]?.string ?? "-")" }.sorted()
    }
    let there = gateway.world.locator.cinemas
    gateway.world.locator.cinemas.append(gateway.cinema("old"))
    for (id, note) in [("old", "row 5"), ("lantern", "row 7")] {
      await gateway.ask("PUT", path + id, body: "{\"note\": \"\(note)\"}", token: token)
    }
    gateway.world.locator.cinemas = there
    gateway.time.advance(by: .seconds(61))
    gateway.world.locator.former = [
      FormerCinema(id: CinemaID("old")!, removedAt: gateway.time.wall, replacedBy: CinemaID("lantern")!)
    ]
    // Each press takes out one; a key sent again takes out none that was saved since.
    let key = ["Idempotency-Key: 1"]
    #expect(await gateway.ask("DELETE", path + "old", key, token: token).status == 204)
    #expect(await saved() == ["lantern row 7"])
    #expect(await gateway.ask("DELETE", path + "old", key, token: token).status == 204)
    #expect(await saved() == ["lantern row 7"])
    #expect(await gateway.ask("DELETE", path + "old", token: token).status == 204)
    #expect(await saved().isEmpty)

    gateway.world.locator.former = []
    gateway.world.locator.cinemas.append(gateway.cinema("old"))
    await gateway.ask("PUT", path + "old", body: #"{"note": "row 9"}"#, token: token)
    gateway.world.locator.cinemas = there
    gateway.time.advance(by: .seconds(61))
    gateway.world.locator.former = [
      FormerCinema(id: CinemaID("old")!, removedAt: gateway.time.wall, replacedBy: CinemaID("lantern")!)
    ]
    let put = await gateway.ask("PUT", path + "old", ["Idempotency-Key: 2"], token: token)
    #expect(put.status == 201 && put.json["note"]?.string == "row 9", "\(put.text)")
    gateway.world.locator.manners.failure = RPCError(.unavailable, "away")
    let again = await gateway.ask("PUT", path + "old", ["Idempotency-Key: 2"], token: token)
    #expect(again.json["id"]?.string == "lantern" && again["idempotent-replayed"] == "true", "\(again.text)")
    gateway.world.locator.manners.failure = nil
    #expect(await saved() == ["lantern row 9"])
  }

  @Test("a favourite cinema that was replaced leads to the one in its place, in the list and in alerts")
  func favourite() async throws {
    let gateway = GatewayFixture()
    gateway.front.begin()
    await gateway.front.live.feed.live()
    let token = try await gateway.session()
    gateway.world.locator.cinemas.append(gateway.cinema("old"))
    for path in ["favourites/cinema/old", "favourites/festival/old", "bookmarks/film_monster"] {
      #expect(await gateway.ask("PUT", "/v1/me/\(path)", token: token).status == 201)
    }
    gateway.world.locator.cinemas.removeLast()
    gateway.world.locator.former = [
      FormerCinema(id: CinemaID("old")!, removedAt: gateway.time.wall, replacedBy: CinemaID("lantern")!)
    ]
    let items = await gateway.ask("/v1/me/favourites", token: token).json["data"]?.array ?? []
    let told = items.map { "\($0["kind"]?.string ?? "") \($0["replaced_by"]?.string ?? "-")" }
    #expect(told.sorted() == ["cinema lantern", "festival -"])
    let device = gateway.open("GET", "/v1/events?topics=me", token: token)
    _ = await device.read { $0.contains("id: 100-3\n") || $0.contains("id: -3\n") }
    for cinema in ["moonlight", "lantern"] {
      var change = gateway.change(cinema)
      (change.listed, change.changed) = ([FilmID("film_monster")!], [])
      gateway.world.scraper.publish(change)
    }
    let text = await device.read { $0.contains("event: bookmark.playing\n") && $0.hasSuffix("\n\n") }
    #expect(text.contains("\"cinema_id\":\"lantern\"") && !text.contains("\"cinema_id\":\"moonlight\""))
    device.hangUp()
    gateway.front.end()
  }

  @Test(
    "what nobody knows is no favourite, and told so; while who would know is away it is one, and it can always go",
    arguments: ["cinema", "restaurant", "station", "person"], [RPCError.Code.unavailable, .internal, .unimplemented])
  func unknown(kind: String, trouble: RPCError.Code) async throws {
    let gateway = GatewayFixture()
    let token = try await gateway.session()
    let path = "/v1/me/favourites/\(kind)/nobody"
    let refused = await gateway.ask("PUT", path, token: token)
    #expect(refused.status == 404 && refused.problem == "not-found", "\(refused.text)")
    #expect(refused.json["detail"]?.string == "no \(kind) has the id nobody")
    #expect(await gateway.ask("DELETE", path, token: token).status == 204)
    let known = ["cinema": "lantern", "restaurant": "rest_noodle", "station": "reel", "person": "yasujiro-ozu"][kind]!
    #expect(await gateway.ask("PUT", "/v1/me/favourites/\(kind)/\(known)", token: token).status == 201)

    let world = gateway.world
    let owners = [world.locator.manners, world.dining.manners, world.radio.manners, world.films.manners]
    for manners in owners { manners.failure = RPCError(trouble, "away", executed: .no) }
    #expect(await gateway.ask("PUT", path, token: token).status == 201)
    #expect(await gateway.ask("DELETE", path, token: token).status == 204)
    #expect(await gateway.ask("PUT", path, token: token).status == 201)
    for manners in owners { manners.failure = nil }
    // Who has it already may write on it.
    let noted = await gateway.ask("PUT", path, body: #"{"note": "gone?"}"#, token: token)
    #expect(noted.status == 200 && noted.json["note"]?.string == "gone?", "\(noted.text)")
    #expect(await gateway.ask("DELETE", path, token: token).status == 204)
    #expect(await gateway.ask("PUT", path, token: token).status == 404)
  }

  @Test("a guide that did not answer knows of a restaurant what nobody else does")
  func untold() async throws {
    let gateway = GatewayFixture()
    let token = try await gateway.session()
    let path = "/v1/me/favourites/restaurant/rest_J999"
    for (kind, status) in [(GuideState.Kind.quota, 201), (.failed, 200), (.fresh, 200)] {
      gateway.world.dining.guide = GuideState(kind)
      #expect(await gateway.ask("PUT", path, token: token).status == status, "\(kind)")
    }
    await gateway.ask("DELETE", path, token: token)
    #expect(await gateway.ask("PUT", path, token: token).status == 404)
  }

  @Test("a report of a cinema or a film that nobody knows is told so; one of what has gone is taken")
  func reports() async throws {
    let gateway = GatewayFixture()
    func report(_ subject: String) async -> Reply {
      await gateway.ask("POST", "/v1/reports", body: #"{"kind": "other", "subject": {\#(subject)}}"#)
    }
    let cinema = await report(#""cinema_id": "nobody""#)
    #expect(cinema.status == 404 && cinema.json["detail"]?.string == "no cinema has the id nobody", "\(cinema.text)")
    let film = await report(#""film_id": "film_nobody""#)
    #expect(film.status == 404 && film.json["detail"]?.string == "no film has the id film_nobody", "\(film.text)")
    #expect(gateway.world.scraper.reports.isEmpty)
    gateway.world.locator.former = [FormerCinema(id: CinemaID("lost")!, removedAt: gateway.time.wall)]
    for subject in [
      #""cinema_id": "lost""#, #""cinema_id": "lantern", "film_id": "film_monster""#,
      #""showtime_id": "show_vanished""#,
    ] {
      #expect(await report(subject).status == 201, "\(subject)")
    }
    for trouble in [RPCError.Code.unavailable, .internal, .unimplemented] {
      gateway.world.locator.manners.failure = RPCError(trouble, "away", executed: .no)
      #expect(await report(#""cinema_id": "nobody""#).status == 201, "\(trouble)")
      gateway.world.films.manners.failure = RPCError(trouble, "away", executed: .no)
      #expect(await report(#""film_id": "film_nobody""#).status == 201, "\(trouble)")
    }
  }
}
