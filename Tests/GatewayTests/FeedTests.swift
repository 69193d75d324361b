import Clocks
import Contracts
import Gateway
import GatewayFakes
import HTTP
import RPC
import Testing

/// What crawlers and feed readers are told.
@Suite("Sitemap and feed", .timeLimit(.minutes(5)))
@MainActor
struct FeedTests {
  private let gateway = GatewayFixture { $0.manners.publicURL = "https://odi.example" }

  private func all(_ text: String, between start: String, and end: String) -> [String] {
    text.split(separator: start).dropFirst().map { String($0[..<($0.firstRange(of: end)?.lowerBound ?? $0.endIndex)]) }
  }

  @Test("the sitemap names the page of every cinema, of what plays and of every festival, and robots.txt names it")
  func sitemap() async throws {
    let reply = await gateway.ask("/sitemap.xml")
    #expect(reply.status == 200 && reply["content-type"] == "application/xml; charset=utf-8")
    let pages = all(reply.text, between: "<loc>https://odi.example", and: "</loc>")
    #expect(Set(pages).isSuperset(of: ["/", "/cinemas/lantern", "/cinemas/paperboat", "/films/film_tea"]), "\(pages)")
    #expect(pages.contains { $0.hasPrefix("/festivals/") } && !pages.contains("/cinemas/shut"))
    for page in pages { #expect(await gateway.ask(page).status == 200, "\(page)") }
    #expect(reply["cache-control"] == "public, max-age=86400")
    let again = await gateway.ask("GET", "/sitemap.xml", ["If-None-Match: \(reply["etag"] ?? "")"])
    #expect(again.status == 304)
    #expect(await gateway.ask("/robots.txt").text.hasSuffix("\nSitemap: https://odi.example/sitemap.xml\n"))
    gateway.time.advance(by: .seconds(31))
    gateway.world.scraper.manners.failure = RPCError(.unavailable, "away", executed: .no)
    let partial = await gateway.ask("/sitemap.xml")
    #expect(partial.status == 200 && partial["cache-control"] == "private, no-store", "half of it is not kept")
  }

  @Test("the feed tells of the films that were listed last, in the reader's language, and marks what is invented")
  func feed() async throws {
    let now = gateway.time.wall.milliseconds
    gateway.world.scraper.since = [
      FilmID("film_tea")!: WallTime(milliseconds: now - 7_200_000),
      FilmID("film_monster")!: WallTime(milliseconds: now - 3_600_000),
    ]
    let reply = await gateway.ask("/feeds/new.atom?lang=en")
    #expect(reply.status == 200 && reply["content-type"] == "application/atom+xml; charset=utf-8")
    let titles = all(reply.text, between: "<title>", and: "</title>")
    #expect(titles == ["Odi (demo)", "Monster (2023)", "A Taste of Tea (2004)"])
    let updated = all(reply.text, between: "<updated>", and: "</updated>")
    #expect(updated == ["2026-11-22T06:00:00Z", "2026-11-22T06:00:00Z", "2026-11-22T05:00:00Z"])
    let ids = all(reply.text, between: "<id>", and: "</id>")
    #expect(ids[1] == "https://odi.example/films/film_monster")
    #expect(all(reply.text, between: "<summary>", and: "</summary>")[0].hasPrefix("2026-11-22 19:30 · "))
    let korean = await gateway.ask("GET", "/feeds/new.atom?limit=1", ["Accept-Language: ko"])
    #expect(all(korean.text, between: "<title>", and: "</title>") == ["Odi (demo)", "괴물 (2023)"])
    #expect(korean["vary"]?.contains("Accept-Language") == true && korean["content-language"] == "ko")
    #expect(await gateway.ask("/feeds/new.atom?limit=0").status == 400)
    #expect(korean["cache-control"]?.hasPrefix("public, max-age=60,") == true)
  }

  @Test("while the directory is away the feed names cinemas by their ids, and nobody keeps that")
  func feedWithoutCinemas() async {
    gateway.world.scraper.since = [FilmID("film_monster")!: gateway.time.wall]
    gateway.world.locator.manners.failure = RPCError(.unavailable, "away", executed: .no)
    let reply = await gateway.ask("/feeds/new.atom?lang=ko")
    #expect(reply.status == 200 && reply.text.contains("<entry>"))
    #expect(reply["cache-control"] == "private, no-store", "\(reply["cache-control"] ?? "")")
  }

  @Test("the sitemap asks nobody again for as long as nothing can be new, whatever the server is called")
  func keptSitemap() async {
    let seen = { self.gateway.world.locator.manners.seen.count { $0 == "ListCinemas" } }
    let first = await gateway.ask("/sitemap.xml")
    let again = await gateway.ask("/sitemap.xml")
    #expect(first.text == again.text && seen() == 1)
    gateway.world.festivals.manners.failure = RPCError(.unavailable, "away", executed: .no)
    gateway.time.advance(by: .seconds(31))
    let partial = await gateway.ask("/sitemap.xml")
    #expect(!partial.text.contains("/festivals/") && seen() == 2)
    gateway.world.festivals.manners.failure = nil
    #expect(await gateway.ask("/sitemap.xml").text == first.text, "what missed something was not kept")
    #expect(seen() == 3)
  }

  @Test("a film that begins to play is in the sitemap at once; another change of a programme asks nobody")
  func newFilm() async throws {
    gateway.front.begin()
    await gateway.front.live.feed.live()
    let seen = { self.gateway.world.locator.manners.seen.count { $0 == "ListCinemas" } }
    let heard = { self.gateway.front.live.counters.published }
    _ = await gateway.ask("/sitemap.xml")
    gateway.world.scraper.publish(gateway.change("lantern"))
    while heard() < 1 { await Task.yield() }
    _ = await gateway.ask("/sitemap.xml")
    #expect(seen() == 1)
    var change = gateway.change("lantern")
    change.listed = [FilmID("film_monster")!]
    gateway.world.scraper.publish(change)
    while heard() < 2 { await Task.yield() }
    _ = await gateway.ask("/sitemap.xml")
    #expect(seen() == 2)
    gateway.front.end()
  }
}
