import Calendars
import Clocks
import Contracts
import Gateway
import GatewayFakes
import HTML
import HTTP
import Testing

/// The page of services that were told markup and scripts.
@MainActor
@Suite("Page of hostile texts", .timeLimit(.minutes(5)))
struct HostilePaintTests {
  private func read(_ reply: Reply) throws -> HTMLDocument {
    try HTMLDocument.parse(reply.body, contentCharset: "utf-8")
  }

  @Test("what a hostile site wrote is text", arguments: Hostile.texts)
  func hostile(text: String) async throws {
    let gateway = GatewayFixture()
    let world = gateway.world
    func spoil(_ film: inout Film) {
      film.title = text
      film.originalTitle = text + "!"
      film.titles = nil
      film.directors = [text]
      film.cast = [text]
      film.countries = [text]
      film.genres = [text]
      film.synopsis = text
      film.rating = AgeRating(system: text, code: text)
    }
    for index in world.scraper.films.indices { spoil(&world.scraper.films[index]) }
    // The catalogue took its facts from elsewhere, and nobody vouches for them either.
    for index in world.films.films.indices {
      spoil(&world.films.films[index].film)
      world.films.films[index].film.genres = ["drama", text]
      world.films.films[index].writers = [text]
      world.films.films[index].credit = text
    }
    for index in world.locator.cinemas.indices {
      world.locator.cinemas[index].name = text
      world.locator.cinemas[index].nameEnglish = text
      world.locator.cinemas[index].address = text
      world.locator.cinemas[index].city = text
    }
    let links = Hostile.links
    for (cinema, days) in world.scraper.days {
      for (date, shows) in days {
        world.scraper.days[cinema]?[date] = shows.enumerated().map { index, show in
          var show = show
          show.title = text
          show.screen = text
          show.attributes = ["gv", text]
          show.bookingURL = links[index % links.count]
          return show
        }
      }
    }
    let asked = PercentEncoding.encode(text.replacing("\u{0}", with: ""))
    let lists = ["/discover", "/map", "/status", "/search?q=\(asked)"]
    for path in ["/", "/cinemas/lantern", "/films/film_monster", "/films/film_tea?lang=ja"] + lists {
      let reply = await gateway.ask(path)
      #expect(reply.status == 200)
      let page = try read(reply)
      let scripts = page.select("script")
      #expect(
        scripts.count == (lists.contains(path) ? 1 : 2)
          && scripts.allSatisfy { $0["src"]?.hasPrefix("/s/") == true || $0["type"] == "application/ld+json" })
      #expect(page.select("main img, main iframe, main plaintext, main style, base, title ~ title").isEmpty)
      let all = page.select("*")
      #expect(all.allSatisfy { $0.attributes.allSatisfy { !$0.name.hasPrefix("on") && $0.name != "style" } })
      let followed = page.select("a[href]").compactMap { $0["href"] }
      #expect(followed.allSatisfy(Self.isHarmless), "\(followed.filter { !Self.isHarmless($0) })")
      #expect(page.first("main") != nil && page.first("footer") != nil, "nothing closed the page early")
      if let shown = page.first("h1")?.text, path.hasPrefix("/films") { #expect(shown == Hostile.plain(text)) }
    }
  }

  private static func isHarmless(_ address: String) -> Bool {
    address.hasPrefix("#") || address.hasPrefix("https://") || address.hasPrefix("http://")
      || address.hasPrefix("?") || address.hasPrefix("/") && !address.hasPrefix("//") && !address.hasPrefix("/\\")
  }
}

/// Texts and addresses that were somebody's way in once.
enum Hostile {
  static let texts = [
    "<script>hit()</script>", "<img src=x onerror=hit()>", "\"><svg onload=hit()>", "'-hit()-'",
    "</title><script>hit()</script>",
    "</script><script>hit()</script>", "<!-- ", "]]>", "</main></body>", "&lt;b&gt;", "\u{0}<b\u{0}>", "<plaintext>",
    "\u{202E}txt", "{{head}}{{t:demo}}", "\"onfocus=hit() autofocus=\"", "<a href=javascript:hit()>x</a>",
  ]

  static let links = [
    "javascript:hit()", "JaVaScRiPt:hit()", " javascript:hit()", "java\nscript:hit()",
    "data:text/html,<script>hit()</script>",
    "//evil.example/", "/\\evil.example", "https://tickets.example/?a=\"><script>", "vbscript:x", "https:javascript",
    "",
  ]

  /// As people see it: blanks as one, without what no page may have.
  static func plain(_ text: String) -> String {
    text.replacing("\u{0}", with: "").split(whereSeparator: \.isWhitespace).joined(separator: " ")
  }
}
