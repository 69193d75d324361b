import Contracts
import GatewayFakes
import JSON
import RPC
import Testing

/// What somebody saved, in the order in which it can be seen.
@Suite("Saved films", .timeLimit(.minutes(5)))
@MainActor
struct SavedFilmsTests {
  private static let path = "/v1/me/bookmarks?include=next_showtime"
  private static let lantern = "near=37.5663,126.9779&radius_m=100"
  private let gateway = GatewayFixture()

  /// Somebody who saved three films that play and, last, one that does not.
  private func user() async throws -> String {
    let token = try await gateway.session()
    for film in ["film_tea", "film_monster", "film_lighthouse", "film_ran-1985"] {
      #expect(await gateway.ask("PUT", "/v1/me/bookmarks/\(film)", token: token).status == 201)
    }
    return token
  }

  private func films(_ reply: Reply) -> [String?] {
    (reply.json["data"]?.array ?? []).map { $0["film_id"]?.string }
  }

  @Test("the newest come first, or with sort=next_showtime what can be seen next, and last what plays nowhere")
  func order() async throws {
    let token = try await user()
    let newest = await gateway.ask(Self.path, token: token)
    #expect(films(newest) == ["film_ran-1985", "film_lighthouse", "film_monster", "film_tea"])
    #expect(films(await gateway.ask(Self.path + "&sort=-created_at", token: token)) == films(newest))
    let next = await gateway.ask(Self.path + "&sort=next_showtime", token: token)
    // All three begin at half past seven, each in a cinema of its own.
    #expect(films(next) == ["film_lighthouse", "film_monster", "film_tea", "film_ran-1985"], "\(next.text)")
    #expect(next.json["data"]?[3]?["next_showtime"] == nil)
    #expect(await gateway.ask(Self.path + "&sort=title", token: token).status == 400)
  }

  @Test("with near, what can be seen there is told and sorted before what begins sooner elsewhere")
  func near() async throws {
    let token = try await user()
    let lantern = CinemaID("lantern")!
    gateway.world.scraper.days[lantern] = gateway.world.scraper.days[lantern]?.filter {
      $0.key == gateway.world.scraper.today
    }
    let reply = await gateway.ask(Self.path + "&sort=next_showtime&" + Self.lantern, token: token)
    #expect(films(reply) == ["film_tea", "film_lighthouse", "film_monster", "film_ran-1985"], "\(reply.text)")
    let shows = (reply.json["data"]?.array ?? []).map { $0["next_showtime"] }
    #expect(shows.map { $0?["display_time"]?.string } == ["19:30", "22:10", "19:30", nil])
    #expect(shows[0]?["cinema"]?["distance_m"]?.int == 0)
    #expect(shows[2]?["cinema"]?["id"]?.string == "harbour" && shows[2]?["cinema"]?["distance_m"]?.int ?? 0 > 300_000)
    // In the other order the showings are the same.
    let newest = await gateway.ask(Self.path + "&" + Self.lantern, token: token)
    #expect(newest.json["data"]?[1]?["next_showtime"]?["display_time"]?.string == "22:10")
  }

  @Test("pages of what is sorted follow each other, and their cursors hold for nothing else")
  func pages() async throws {
    let token = try await user()
    var seen: [String?] = []
    var target = "/v1/me/bookmarks?sort=next_showtime&limit=1&" + Self.lantern
    for page in 1...4 {
      let reply = await gateway.ask(target, token: token)
      seen += films(reply)
      let next = reply.json["next_cursor"]?.string
      #expect((next == nil) == (page == 4))
      guard let next else { break }
      target = "/v1/me/bookmarks?sort=next_showtime&limit=1&\(Self.lantern)&cursor=\(next)"
      #expect(await gateway.ask("/v1/me/bookmarks?cursor=\(next)", token: token).problem == "invalid-cursor")
    }
    #expect(seen == ["film_tea", "film_lighthouse", "film_monster", "film_ran-1985"])
  }

  @Test("without the programmes what was saved is still told, but not sorted by them")
  func away() async throws {
    let token = try await user()
    gateway.world.scraper.manners.failure = RPCError(.unavailable, "away", executed: .no)
    let newest = await gateway.ask(Self.path + ",film", token: token)
    #expect(newest.status == 200 && newest.json["missing"]?.array?.compactMap(\.string) == ["next_showtime"])
    #expect(newest.json["data"]?[0]?["film"]?["title"]?.string == "Ran")
    let sorted = await gateway.ask(Self.path + "&sort=next_showtime", token: token)
    #expect(sorted.status == 503 && sorted["retry-after"] != nil && sorted.text.contains("leave sort out"))
    gateway.world.scraper.manners.failure = nil
    gateway.world.locator.manners.failure = RPCError(.unavailable, "away", executed: .no)
    let far = await gateway.ask(Self.path + "&" + Self.lantern, token: token)
    #expect(far.status == 200 && far.json["missing"]?.array?.compactMap(\.string) == ["near"])
    // A second page would go on in another order.
    let sortedFar = await gateway.ask(Self.path + "&sort=next_showtime&" + Self.lantern, token: token)
    #expect(sortedFar.status == 503 && sortedFar["retry-after"] != nil, "\(sortedFar.text)")
  }

  @Test("the calendar of saved films has all of them, however many were saved later")
  func calendar() async throws {
    let token = try await gateway.session()
    #expect(await gateway.ask("PUT", "/v1/me/bookmarks/film_tea", token: token).status == 201)
    let me = await gateway.ask("/v1/me", token: token).json["id"]?.string
    let user = try #require(me.flatMap { UserID($0) })
    for number in 0..<600 {
      _ = try await gateway.world.bookmarks.client.call(SaveItem(user: user, kind: .film, id: "film_a\(number)"))
    }
    let key = await gateway.ask("POST", "/v1/me/bookmarks/feed", token: token).json["key"]?.string
    let feed = await gateway.ask("/v1/me/bookmarks.ics?key=\(key ?? "")")
    #expect(feed.status == 200 && feed.text.contains("BEGIN:VEVENT"), "\(feed.text.prefix(400))")
  }

  @Test("a film is taken out by any id that it was saved by, and saved once by two")
  func olderID() async throws {
    let token = try await gateway.session()
    let year = try #require(gateway.world.scraper.films.first { $0.id.text == "film_tea" }).year ?? 0
    let (today, older) = ("/v1/me/bookmarks/film_tea", "/v1/me/bookmarks/film_tea-\(year)")
    func saved() async -> [String] {
      await gateway.ask("/v1/me/bookmarks", token: token).json["data"]?.array?.compactMap { $0["film_id"]?.string }
        ?? []
    }
    #expect(await gateway.ask("PUT", older, token: token).json["film_id"] == "film_tea")
    #expect(await gateway.ask("PUT", today, token: token).status == 200)
    #expect(await saved() == ["film_tea"])
    #expect(await gateway.ask("DELETE", older, token: token).status == 204)
    #expect(await saved().isEmpty)
    // A second time it is no error.
    #expect(await gateway.ask("DELETE", older, token: token).status == 204)
  }

  @Test("a removal by an older id that is sent again takes out nothing that was saved since")
  func olderIDAgain() async throws {
    let token = try await gateway.session()
    let year = try #require(gateway.world.scraper.films.first { $0.id.text == "film_tea" }).year ?? 0
    let (today, older) = ("/v1/me/bookmarks/film_tea", "/v1/me/bookmarks/film_tea-\(year)")
    let key = ["Idempotency-Key: 1"]
    await gateway.ask("PUT", today, token: token)
    #expect(await gateway.ask("DELETE", older, key, token: token)["idempotent-replayed"] == nil)
    #expect(await gateway.ask("PUT", today, token: token).status == 201)
    let again = await gateway.ask("DELETE", older, key, token: token)
    #expect(again.status == 204 && again["idempotent-replayed"] == "true")
    #expect(await gateway.ask("/v1/me/bookmarks", token: token).json["data"]?.array?.count == 1)
  }

  @Test("taking out what is saved asks nobody but the bookmarks, and works while everybody else is away")
  func deleteAlone() async throws {
    let token = try await gateway.session()
    let (world, film) = (gateway.world, "/v1/me/bookmarks/film_tea")
    #expect(await gateway.ask("PUT", film, token: token).status == 201)
    world.scraper.manners.failure = RPCError(.unavailable, "away")
    world.films.manners.failure = RPCError(.unavailable, "away")
    let asked = (world.scraper.manners.seen.count, world.films.manners.seen.count)
    #expect(await gateway.ask("DELETE", film, token: token).status == 204)
    #expect((world.scraper.manners.seen.count, world.films.manners.seen.count) == asked)
    #expect(await gateway.ask("/v1/me/bookmarks", token: token).json["data"]?.array?.isEmpty == true)
    // What is not there may be saved by another id, which nobody can tell now: still no error.
    #expect(await gateway.ask("DELETE", film, token: token).status == 204)
  }

  @Test("a save that says something wrong is told so before anybody looks what it is about")
  func wrongBeforeUnknown() async throws {
    let token = try await gateway.session()
    for path in ["/v1/me/bookmarks/film_nowhere", "/v1/me/bookmarks/%20", "/v1/me/favourites/station/%20"] {
      let wrong = await gateway.ask("PUT", path, body: #"{"note": 7}"#, token: token)
      #expect(wrong.status == 422, "\(path): \(wrong.status)")
      #expect(await gateway.ask("PUT", path, body: #"{"note": "x"}"#, token: token).status == 404)
    }
  }
}
