import Contracts
import GatewayFakes
import HTML
import HTTP
import RPC
import Testing

/// The map's list, a search and the sources as they leave the gateway: what they tell is there before any script runs.
@MainActor
@Suite("Lists on the page")
struct ListViewTests {
  private static let at = "at=37.571,126.976"

  private func read(_ reply: Reply) throws -> HTMLDocument {
    try HTMLDocument.parse(reply.body, contentCharset: "utf-8")
  }

  @Test("the map lists all cinemas with their pages, the nearest first, and when each begins next")
  func map() async throws {
    let gateway = GatewayFixture()
    let page = try read(await gateway.ask("/map?\(Self.at)&lang=en"))
    let rows = page.select(".map-list a")
    let cinemas = gateway.world.locator.cinemas.filter(\.isActive)
    let here = try Coordinate(latitude: 37.571, longitude: 126.976)
    let nearest = cinemas.sorted { here.metres(to: $0.position) < here.metres(to: $1.position) }
    #expect(rows.map { $0["href"] } == nearest.map { "/cinemas/\($0.id)" })
    #expect(page.first(".map-side p")?.text == "\(cinemas.count) cinemas, nearest first")
    #expect(rows.contains { $0.first(".map-s")?.text.hasPrefix("Next: ") == true })
    #expect(rows.first?.first(".small")?.text.hasSuffix("m") == true)
    #expect(page.select(".map-box *").isEmpty, "what only a script can draw is not there without it")
  }

  @Test("a clock after midnight is the evening's, and another day is named")
  func nextOnTheMap() async throws {
    /// What the list says of the lantern when of today only these showings are left.
    func told(_ language: String, leaving isLeft: (Showtime) -> Bool) async throws -> String? {
      let gateway = GatewayFixture()
      let world = gateway.world.scraper
      world.days[try #require(CinemaID("lantern"))]?[world.today]?.removeAll { !isLeft($0) }
      let page = try read(await gateway.ask("/map?\(Self.at)&lang=\(language)"))
      return page.select(".map-list li").first { $0["data-key"] == "lantern" }?.first(".map-s")?.text
    }
    #expect(try await told("ko") { "\($0.displayTime)" == "24:30" } == "다음 24:30")
    #expect(try await told("en") { "\($0.displayTime)" == "24:30" } == "Next: 12:30 am")
    #expect(try await told("ko") { _ in false } == "다음 내일 10:30")
  }

  @Test("a search is asked by its form, and answered with films and cinemas that have pages")
  func search() async throws {
    let gateway = GatewayFixture()
    let empty = try read(await gateway.ask("/search?lang=en"))
    #expect(empty.first("form[role=search]")?["action"] == "/search" && empty.first("form input")?["name"] == "q")
    #expect(empty.first("main p.small")?.text.isEmpty == false && empty.select(".hits").isEmpty)

    let asked = PercentEncoding.encode("괴물")
    let page = try read(await gateway.ask("/search?q=\(asked)&lang=ko&\(Self.at)"))
    #expect(page.first("#q")?["value"] == "괴물")
    #expect(page.first(".hits h2 a")?["href"]?.hasPrefix("/films/") == true)
    #expect(page.first(".hits h2 mark")?.text == "괴물", "what was asked for is marked")
    #expect(page.select(".langs a").allSatisfy { $0["href"]?.contains("q=\(asked)") == true }, "in any language")

    let none = try read(await gateway.ask("/search?q=zzqqxx&lang=en"))
    #expect(none.first(".notice.empty")?.text.contains("zzqqxx") == true)
    let blank = try read(await gateway.ask("/search?q=%20%20&lang=en"))
    #expect(blank.select(".hits").isEmpty && blank.select(".notice").isEmpty, "blanks ask for nothing")
    let long = await gateway.ask("/search?q=\(String(repeating: "a", count: 300))&lang=en")
    #expect(long.status == 200, "nobody has to know how long a search may be")
  }

  @Test("sources say how they are, the worst first, and how old what they told is")
  func status() async throws {
    let gateway = GatewayFixture()
    let page = try read(await gateway.ask("/status?lang=en"))
    let rows = page.select(".sources li")
    #expect(!rows.isEmpty && rows.allSatisfy { $0.first(".state")?.text.isEmpty == false })
    #expect(rows.allSatisfy { $0.first("b a")?["href"]?.hasPrefix("/cinemas/") == true })
    let sum = try #require(page.first(".sum")?.text)
    #expect(sum.hasPrefix("\(page.select(".state.ok").count) / \(rows.count) "), "\(sum)")
  }

  @Test("what was saved is the script's to show; without it the page says so, and where else to go")
  func saved() async throws {
    let gateway = GatewayFixture()
    for language in ["ko", "ja", "en"] {
      let page = await gateway.ask("/bookmarks?lang=\(language)").text
      #expect(page.contains("<noscript><div class=\"notice empty\">") && !page.contains("⟦"))
    }
  }

  @Test("a service that is away is told in the page's words")
  func away() async throws {
    let gateway = GatewayFixture()
    let gone = RPCError(.unavailable, "nobody is there", executed: .no)
    gateway.world.locator.manners.failure = gone
    gateway.world.scraper.manners.failure = gone
    for path in ["/map", "/status"] {
      let reply = await gateway.ask("\(path)?lang=en")
      #expect(reply.status == 503 && reply["retry-after"] != nil, "\(path): \(reply.status)")
      #expect(try read(reply).first(".notice.error")?.text.contains("nobody") == false)
    }
    gateway.world.films.manners.failure = gone
    let page = try read(await gateway.ask("/search?q=tea&lang=en"))
    #expect(
      page.first(".notice.part") != nil && page.first(".notice.empty") == nil, "nobody knows that there is nothing")
  }
}
