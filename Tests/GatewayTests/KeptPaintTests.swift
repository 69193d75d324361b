import Calendars
import Clocks
import Contracts
import Gateway
import GatewayFakes
import HTML
import RPC
import Testing

/// The page while the scraper is away: painted from the copies that the API keeps.
@MainActor
@Suite("Page of what is kept", .timeLimit(.minutes(5)))
struct KeptPaintTests {
  private func read(_ reply: Reply) throws -> HTMLDocument {
    try HTMLDocument.parse(reply.body, contentCharset: "utf-8")
  }

  @Test("while the scraper is away nearby is painted as the API answers it: the whole copy that is kept, with its age")
  func keptNearby() async throws {
    let gateway = GatewayFixture()
    let script = "/v1/cinemas/nearby?lat=37.571&lon=126.976&limit=3&include=days,showtimes"
    #expect(await gateway.ask("GET", script, ["Accept-Language: ko"]).status == 200)
    let whole = try read(await gateway.ask("/?lang=ko"))
    gateway.time.advance(by: .seconds(120))
    gateway.world.scraper.manners.failure = RPCError(.unavailable, "nobody is there", executed: .no)
    let page = try read(await gateway.ask("/?lang=ko"))
    func texts(_ page: HTMLDocument, _ selector: Selector) -> [String] { page.select(selector).map(\.text) }
    for selector in ["li.film h3", "li.film .chip-t", "a.day", ".asof a"] as [Selector] {
      let wanted = texts(whole, selector)
      #expect(!wanted.isEmpty && texts(page, selector) == wanted, "\(selector): \(texts(page, selector))")
    }
    #expect(page.first(".asof")?["data-stale"] == "true" && page.first(".asof time") != nil)
    #expect(page.select(".notice.error").isEmpty && page.select("span.demo").count == whole.select("span.demo").count)
    // Of another language nothing was kept.
    #expect(try read(await gateway.ask("/?lang=ja")).select("li.film").isEmpty)
    // Nor of another day, and that is said of the day that was chosen.
    let other = try read(await gateway.ask("/?lang=ko&cinema=lantern&date=\(gateway.world.scraper.today + 4)"))
    #expect(other.select("li.film").isEmpty && other.first(".notice.error") != nil)
    #expect(other.select("a.day")[4]["aria-current"] == "date")
  }

  @Test("while the scraper is away a cinema's page and another day of nearby are painted from what is kept of them")
  func keptCinema() async throws {
    let gateway = GatewayFixture()
    let day = gateway.world.scraper.today + 4
    let near = "/v1/cinemas/nearby?lat=37.571&lon=126.976&limit=3&include=days,showtimes"
    for script in ["/v1/cinemas/lantern?include=days", "/v1/cinemas/lantern/showtimes?date=\(day)", near] {
      #expect(await gateway.ask("GET", script, ["Accept-Language: ko"]).status == 200)
    }
    let pages = ["/cinemas/lantern?lang=ko&date=\(day)", "/?lang=ko&cinema=lantern&date=\(day)"]
    func texts(_ page: HTMLDocument, _ selector: Selector) -> [String] { page.select(selector).map(\.text) }
    var whole: [HTMLDocument] = []
    for page in pages { whole.append(try read(await gateway.ask(page))) }
    gateway.time.advance(by: .seconds(120))
    gateway.world.scraper.manners.failure = RPCError(.unavailable, "nobody is there", executed: .no)
    for (path, whole) in zip(pages, whole) {
      let page = try read(await gateway.ask(path))
      for selector in ["li.film h3", "li.film .chip-t", ".asof a"] as [Selector] {
        let wanted = texts(whole, selector)
        #expect(!wanted.isEmpty && texts(page, selector) == wanted, "\(path), \(selector): \(texts(page, selector))")
      }
      #expect(page.first(".asof")?["data-stale"] == "true" && page.first(".asof time") != nil)
      #expect(page.select(".notice.error").isEmpty)
    }
    #expect(texts(try read(await gateway.ask(pages[0])), "a.day") == texts(whole[0], "a.day"))
    // Of another day and another language nothing was kept.
    for path in ["/cinemas/lantern?lang=ko&date=\(day - 1)", "/cinemas/lantern?lang=ja&date=\(day)"] {
      let other = try read(await gateway.ask(path))
      #expect(other.select("li.film").isEmpty && other.first(".notice.error") != nil, "\(path)")
    }
  }

  @Test("while the scraper is away a cinema's page takes its days and today from what is kept of the place")
  func keptCinemaNearby() async throws {
    let gateway = GatewayFixture()
    let script = "/v1/cinemas/nearby?lat=37.571&lon=126.976&limit=3&include=days,showtimes"
    #expect(await gateway.ask("GET", script, ["Accept-Language: ko"]).status == 200)
    gateway.world.scraper.manners.failure = RPCError(.unavailable, "nobody is there", executed: .no)
    let page = try read(await gateway.ask("/cinemas/lantern?lang=ko"))
    #expect(page.select("a.day").count == 14 && !page.select("li.film").isEmpty)
    #expect(page.first(".asof")?["data-stale"] == "true")
    let other = try read(await gateway.ask("/cinemas/lantern?lang=ko&date=\(gateway.world.scraper.today + 4)"))
    #expect(other.select("a.day").count == 14 && other.select("li.film").isEmpty)
    #expect(other.first(".notice.error") != nil)
  }

  @Test("of a kept copy nearby takes only what nobody tells now")
  func partlyKeptNearby() async throws {
    let gateway = GatewayFixture()
    let script = "/v1/cinemas/nearby?lat=37.571&lon=126.976&limit=3&include=days,showtimes"
    #expect(await gateway.ask("GET", script, ["Accept-Language: ko"]).status == 200)
    let scraper = gateway.world.scraper
    scraper.days[CinemaID("lantern")!]?[scraper.today + 3] = nil
    let page = "/?lang=ko&cinema=lantern"
    #expect(try read(await gateway.ask(page)).select("a.day.off").count == 3)
    scraper.manners.failures["DayProgrammes"] = RPCError(.unavailable, "nobody is there", executed: .no)
    let half = try read(await gateway.ask(page))
    #expect(half.select("a.day.off").count == 3 && !half.select("li.film").isEmpty)
  }

  @Test(
    "a kept copy is found for every point as the script writes it",
    arguments: [
      ("37,127", "lat=37&lon=127"), ("37.5716,126.9764", "lat=37.572&lon=126.976"),
      ("-0.0004,126.9765", "lat=0&lon=126.977"), ("-36.8485,174.7", "lat=-36.848&lon=174.7"),
    ])
  func keptPoint(at: String, asked: String) async throws {
    let gateway = GatewayFixture()
    let script = "/v1/cinemas/nearby?\(asked)&limit=3&include=days,showtimes"
    #expect(await gateway.ask("GET", script, ["Accept-Language: ko"]).status == 200)
    gateway.world.scraper.manners.failure = RPCError(.unavailable, "nobody is there", executed: .no)
    #expect(try !read(await gateway.ask("/?lang=ko&at=\(at)")).select("li.film").isEmpty)
  }
}
