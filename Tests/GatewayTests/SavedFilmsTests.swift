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
}
