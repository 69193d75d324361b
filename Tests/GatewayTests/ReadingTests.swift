import Calendars
import Contracts
import Gateway
import GatewayFakes
import HTML
import JSON
import Testing

/// What people read on the page, and hear of it.
@MainActor
@Suite("Reading the page", .timeLimit(.minutes(5)))
struct ReadingTests {
  private static let at = "at=37.571,126.976"
  private let gateway = GatewayFixture()

  private func read(_ path: String) async throws -> HTMLDocument {
    try HTMLDocument.parse(await gateway.ask(path).body, contentCharset: "utf-8")
  }

  @Test("a cinema that is found by its city is called by its name, and so it is while somebody types")
  func places() async throws {
    for index in gateway.world.locator.cinemas.indices { gateway.world.locator.cinemas[index].city = "Riverside" }
    let hits = await gateway.ask("/v1/search?q=riverside&types=cinema").json["data"]?.array ?? []
    let titles = hits.compactMap { $0["title"]?.string }
    #expect(titles.contains("등불극장") && Set(titles).count == titles.count && titles.count > 2, "\(titles)")
    #expect(hits.allSatisfy { $0["highlight"]?.array?.isEmpty == true }, "nothing of a name is what was asked for")
    let guesses = await gateway.ask("/v1/suggest?q=riverside").json["data"]?.array ?? []
    let guessed = guesses.compactMap { $0["text"]?.string }
    #expect(!guessed.isEmpty && guessed.allSatisfy(titles.contains), "\(guessed)")
    let named = await gateway.ask("/v1/search?q=lantern&types=cinema").json["data"]?.array?.first
    #expect(named?["title"] == "Lantern Cinema" && named?["highlight"]?.array?.count == 1)
  }

  @Test("an address that is none is said in words to who reads pages, and as a problem to who reads JSON")
  func nowhere() async throws {
    let browser = "Accept: text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"
    for path in ["/nowhere", "/films/a/b/c?lang=en", "/nowhere/else/than/this/and/that", "//"] {
      let reply = await gateway.ask("GET", path, [browser])
      #expect(reply.status == 404 && reply["content-type"]?.hasPrefix("text/html") == true, "\(path)")
      #expect(reply["content-security-policy"]?.contains("script-src 'self'") == true)
      let page = try HTMLDocument.parse(reply.body, contentCharset: "utf-8")
      #expect(page.first(".notice.error a.btn")?["href"] == "/" && page.first("nav.tabs") != nil)
    }
    let head = await gateway.ask("HEAD", "/nowhere", [browser])
    #expect(head.status == 404 && head["content-type"]?.hasPrefix("text/html") == true)
    for (method, path, fields) in [
      ("GET", "/nowhere", []), ("GET", "/nowhere", ["Accept: */*"]), ("GET", "/nowhere", ["Accept: application/json"]),
      ("GET", "/nowhere", ["Accept: text/html;q=0, application/json"]),
      ("GET", "/v1/nowhere", [browser]), ("POST", "/nowhere", [browser]),
    ] {
      let reply = await gateway.ask(method, path, fields)
      #expect(reply.status == 404 && reply.problem == "not-found", "\(method) \(path) \(fields)")
    }
  }

  @Test("tonight is called on foot where a walk was chosen, and offers a longer one only there")
  func onFoot() async throws {
    for (query, title, text) in [
      ("", "Tonight", "Try a longer time."), ("&walk=15", "Tonight, on foot", "Try a longer time or a longer walk."),
    ] {
      let page = try await read("/tonight?lang=en&\(Self.at)&within=720\(query)")
      #expect(page.first("h1")?.text == title)
      // From here no cinema is near.
      let none = try await read("/tonight?lang=en&at=-40,100\(query)")
      #expect(none.select(".notice.empty p").map(\.text).contains(text), "\(none.first(".notice.empty")?.text ?? "")")
    }
  }

  @Test("names in another script than the page's are in a language of their own")
  func tongues() async throws {
    for index in gateway.world.scraper.films.indices { gateway.world.scraper.films[index].directors = ["이만희"] }
    for index in gateway.world.films.films.indices { gateway.world.films.films[index].film.directors = ["이만희"] }
    for index in gateway.world.locator.cinemas.indices { gateway.world.locator.cinemas[index].address = "종로 1" }
    let near = try await read("/?\(Self.at)&lang=en")
    #expect(near.select("p.facts span[lang=ko]").contains { $0.text == "이만희" })
    #expect(near.select(".chip-m span[lang=ko]").contains { $0.text == "2관" || $0.text == "1관" })
    let film = try await read("/films/film_monster?\(Self.at)&lang=en")
    #expect(film.select("dl.people dd a[lang=ko]").contains { $0.text == "이만희" })
    let cinema = try await read("/cinemas/lantern?\(Self.at)&lang=ja")
    #expect(cinema.first("p.address")?["lang"] == "ko")
    #expect(cinema.select("header p.facts span[lang=ko]").map(\.text) == ["등불극장"])
    let own = try await read("/?\(Self.at)&lang=ko")
    #expect(own.select("p.facts span[lang=ko], .chip-m span[lang=ko]").isEmpty, "the page's own needs no word of it")
  }

  @Test("the first of a month has its month's name, and what is beyond the seas no kilometres")
  func small() async throws {
    let days = try await read("/?\(Self.at)&lang=en").select(".day-n").map(\.text)
    #expect(days.contains("1 Dec") && !days.contains("12/1"), "\(days)")
    let korean = try await read("/?\(Self.at)&lang=ko").select(".day-n").map(\.text)
    #expect(korean.contains("12/1"), "\(korean)")
    let far = try await read("/cinemas/paperboat?\(Self.at)&lang=en").first("header p.facts")?.text ?? ""
    #expect(!far.contains("km"), "\(far)")
    let near = try await read("/cinemas/harbour?\(Self.at)&lang=en").first("header p.facts")?.text ?? ""
    #expect(near.contains("km"), "\(near)")
  }

  @Test("a film's days are named once: today and tomorrow with their date, a later one by its date alone")
  func filmDays() async throws {
    let page = try await read("/films/film_monster?\(Self.at)&lang=en")
    let days = page.select(".by-day h3").map(\.text)
    #expect(days.count > 2 && days.first?.hasPrefix("Today ") == true, "\(days)")
    for day in days {
      let words = day.split(separator: " ")
      #expect(Set(words).count == words.count, "\(day)")
    }
  }

  @Test("sections of the radio that we know are named in the reader's language, others as they are told")
  func radio() async throws {
    let page = try await read("/radio?lang=ja")
    #expect(page.select(".radio h2").map(\.text).contains("映画ラジオ"), "\(page.select(".radio h2").map(\.text))")
  }

  @Test("what narrows tonight is one fold, open if something of it is chosen")
  func fold() async throws {
    let closed = try await read("/tonight?lang=en&\(Self.at)&within=720")
    let fold = try #require(closed.first("details.more"))
    #expect(fold["open"] == nil && fold.first("summary")?.text == "Filters")
    #expect(fold.first(".filters") != nil && fold.first("form.hours") != nil)
    for query in ["genre=drama", "free=1", "after=18:00", "before=25:00", "with=gv", "cinemas="] {
      let page = try await read("/tonight?lang=en&\(Self.at)&within=720&\(query)")
      #expect(page.first("details.more")?["open"] != nil, "\(query)")
    }
  }
}
