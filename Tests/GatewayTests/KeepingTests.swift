import Clocks
import Contracts
import Gateway
import GatewayFakes
import HTTP
import JSON
import RPC
import Testing

@MainActor
@Suite("Kept answers")
struct KeepingTests {
  @Test("the genres are asked for once for all who ask, and again behind an answer when they are a minute old")
  func genres() async {
    let gateway = GatewayFixture()
    let films = gateway.world.films.manners
    func asked() -> Int { films.seen.count { $0 == "Genres" } }
    // So exactly where somebody stands that no answer for it is kept for another.
    for tail in 1...3 { await gateway.ask("/v1/home?lat=37.5700\(tail)&lon=126.97001") }
    #expect(asked() == 1)
    gateway.time.advance(by: .seconds(61))
    await gateway.ask("/v1/home?lat=37.57004&lon=126.97001")
    await films.until { asked() == 2 }
    await gateway.ask("/v1/home?lat=37.57005&lon=126.97001")
    #expect(asked() == 2)
  }

  @Test(
    "of an answer that was asked for before the directory changed no cinema is kept",
    arguments: [
      ("NearestPlaces", "/v1/cinemas/nearby?lat=37.5663&lon=126.9779&include=days"),
      ("NearestCinemas", "/v1/cinemas?near=37.5663,126.9779"), ("NearestCinemas", "/?at=37.5663,126.9779"),
      ("NearestCinemas", "/v1/tonight?lat=37.5663&lon=126.9779"),
      ("NearestCinemas", "/v1/showtimes?near=37.5663,126.9779"),
      ("NearestCinemas", "/v1/films/film_tea/showtimes?near=37.5663,126.9779"),
      ("NearestCinemas", "/v1/me/bookmarks?near=37.5663,126.9779&include=next_showtime"),
      ("CinemasByID", "/v1/cinemas/lantern"),
    ])
  func overtaken(request: String, path: String) async throws {
    let gateway = GatewayFixture()
    let (locator, token) = (gateway.world.locator, try await gateway.session())
    await gateway.ask("PUT", "/v1/me/bookmarks/film_tea", token: token)
    gateway.front.begin()
    defer { gateway.front.end() }
    await locator.manners.until { locator.manners.seen.contains("DirectoryChanges") }
    locator.manners.held = [request]
    let under = gateway.open("GET", path, token: token)
    await locator.manners.until { locator.manners.waiting == 1 }
    var new = locator.cinemas[0]
    new.name = "새등불극장"
    // Whoever has heard of it asks for the regions anew.
    func regions() -> Int { locator.manners.seen.count { $0 == "Regions" } }
    await gateway.ask("/v1/regions")
    await locator.announce(new)
    for _ in 0..<100 where regions() < 2 { await gateway.ask("/v1/regions") }
    #expect(regions() == 2)
    // What is asked for behind it would be told as it was before, too.
    if request != "CinemasByID" { locator.manners.failures["CinemasByID"] = RPCError(.unavailable, "away") }
    locator.manners.held = []
    locator.manners.open()
    _ = await under.reply()
    locator.manners.failures = [:]
    locator.cinemas[0] = new
    #expect(await gateway.ask("/v1/cinemas/lantern").json["name"]?.string == new.name)
  }

  @Test("with keeping switched off each asks")
  func notKept() async {
    let gateway = GatewayFixture { $0.cachesAnswers = false }
    for tail in 1...3 { await gateway.ask("/v1/home?lat=37.5700\(tail)&lon=126.97001") }
    #expect(gateway.world.films.manners.seen.count { $0 == "Genres" } == 3)
  }

  @Test("a kept answer holds no more memory than is counted for it, however large the storage was that it came in")
  func storage() throws {
    let cache = AnswerCache(isOn: true, time: ManualTime())
    let key = AnswerKey(path: "/v1/regions", language: nil, query: [])
    var body = SpareBody.take(60 << 10)
    body += Array(#"{"data":[]}"#.utf8)
    cache.keep(.json(body), madeOf: [.directory], for: key, since: 0)
    let kept = try #require(cache.fresh(key))
    guard case .bytes(let bytes) = kept.body else {
      Issue.record("no body was kept")
      return
    }
    #expect(bytes == body)
    #expect(bytes.capacity < 1 << 10)
  }
}
