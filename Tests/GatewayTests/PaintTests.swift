import Calendars
import Clocks
import Contracts
import Extraction
import Gateway
import GatewayFakes
import HTML
import HTTP
import JSON
import RPC
import ServiceTestKit
import Testing

/// The page as it leaves the gateway, before any script runs.
@MainActor
@Suite("Page", .timeLimit(.minutes(5)))
struct PaintTests {
  private static let at = "at=37.571,126.976"

  private func read(_ reply: Reply) throws -> HTMLDocument {
    try HTMLDocument.parse(reply.body, contentCharset: "utf-8")
  }

  @Test("nearby is there with cinemas, days, films and times, in the language that is asked for")
  func nearby() async throws {
    let gateway = GatewayFixture()
    for (language, words) in [("ko", "근처"), ("ja", "近く"), ("en", "Near ")] {
      let reply = await gateway.ask("/?\(Self.at)&lang=\(language)")
      let page = try read(reply)
      #expect(reply.status == 200 && reply["content-language"] == language)
      #expect(page.first("html")?["lang"] == language)
      #expect(page.first("h1")?.text.contains(words) == true)
      #expect(page.select("a.card").count == 3)
      #expect(page.select("a.card[aria-current=true]").count == 1)
      #expect(page.select("a.day").count == 14)
      #expect(page.select("a.day.off").count == 2, "closed days are told apart")
      #expect(page.select("li.film").count == 4)
      #expect(!reply.text.contains("⟦") && !reply.text.contains("{{"), "no text and no place is left open")
    }
  }

  @Test("24:30 is printed with its real day; in English it belongs to its night")
  func late() async throws {
    let gateway = GatewayFixture()
    let korean = try read(await gateway.ask("/?\(Self.at)&lang=ko")).first("span.late, a.late")
    #expect(korean?.first(".chip-t")?.text == "24:30")
    #expect(korean?.first(".chip-m")?.text.contains("0:30") == true)
    let english = try read(await gateway.ask("/?\(Self.at)&lang=en")).first("span.late, a.late")
    #expect(english?.first(".chip-t")?.text == "12:30 am")
    #expect(english?.first(".chip-m")?.text.contains("night") == true)
    let whole = await gateway.ask("/?\(Self.at)&lang=en").text
    #expect(whole.contains(">12:30\u{A0}am<"), "a line does not end before a time's half of the day")
  }

  @Test("links choose another cinema and another day, and keep what was chosen before")
  func links() async throws {
    let gateway = GatewayFixture()
    let first = try read(await gateway.ask("/?\(Self.at)&lang=ko"))
    let second = try #require(first.select("a.card").last?["href"])
    #expect(second.contains(Self.at) && second.contains("cinema=harbour"))
    let other = try read(await gateway.ask(second))
    #expect(other.select("a.card").last?["aria-current"] == "true")
    let day = try #require(other.select("a.day")[1]["href"])
    let tomorrow = try read(await gateway.ask(day))
    #expect(tomorrow.select("a.day")[1]["aria-current"] == "date")
    #expect(tomorrow.select("li.film").count == 4)
    let closed = try read(await gateway.ask(try #require(other.select("a.day")[6]["href"])))
    #expect(
      closed.select("li.film").isEmpty && closed.first(".notice.empty a.btn") != nil, "a closed day says what is next")
  }

  @Test("our own reader of pages finds every showing, with title, start, venue, screen and booking link")
  func roundTrip() async throws {
    let gateway = GatewayFixture()
    let world = gateway.world
    let cinema = try #require(world.locator.cinemas.first { $0.id.text == "lantern" })
    let pages = [
      ("/?\(Self.at)&lang=ko", world.scraper.days[cinema.id]?[world.scraper.today] ?? []),
      (
        "/cinemas/lantern?lang=ko&date=\(world.scraper.today + 1)",
        world.scraper.days[cinema.id]?[world.scraper.today + 1] ?? []
      ),
    ]
    let zones = ZoneDirectory()
    let reader = PageReader(zone: try zones.rules(for: cinema.zone), capturedAt: gateway.time.wall, zones: zones)
    for (path, shows) in pages {
      let reply = await gateway.ask(path)
      let found = try reader.read(
        reply.body, as: PageSource(contentTypeField: reply["content-type"], url: "http://odi.test\(path)"))
      #expect(shows.count == 5 && found.screenings.count == shows.count, "\(path): \(found.screenings.map(\.title))")
      for show in shows {
        let match = found.screenings.first { $0.start.instant == show.startsAt }
        #expect(match?.title == show.title, "\(show.startsAt)")
        #expect(match?.venue == cinema.name)
        #expect(match?.screen == show.screen)
        #expect(match?.url == show.bookingURL)
      }
    }
    // A film's page has all its showings, wherever they are.
    let reply = await gateway.ask("/films/film_monster?lang=ko&\(Self.at)")
    let found = try reader.read(
      reply.body, as: PageSource(contentTypeField: reply["content-type"], url: "http://odi.test/"))
    let coming = world.scraper.days.values.flatMap { $0.values.joined() }
      .filter { $0.film?.text == "film_monster" && $0.startsAt >= gateway.time.wall }
    #expect(coming.count > 10)
    for show in coming.sorted(by: { $0.startsAt < $1.startsAt }).prefix(200) {
      let venue = world.locator.cinemas.first { $0.id == show.cinema }?.name
      let match = found.screenings.first {
        $0.url == show.bookingURL && $0.start.instant == show.startsAt && $0.venue == venue
      }
      #expect(match?.title == show.title && match?.screen == show.screen, "\(show.startsAt)")
    }
  }

  @Test("a film's page says what the film is in schema.org's words, and every showing there is of it")
  func movie() async throws {
    let gateway = GatewayFixture()
    let film = try #require(gateway.world.films.films.first { $0.film.id.text == "film_monster" }?.film)
    let page = try read(await gateway.ask("/films/film_monster?lang=ko&\(Self.at)"))
    let block = try #require(page.first("script[type='application/ld+json']"))
    let graph = try #require(JSONValue(parsing: block.rawText)["@graph"]?.array)
    let movies = graph.filter { $0["@type"] == "Movie" }
    let movie = try #require(movies.first)
    #expect(movies.count == 1 && movie["name"]?.string == film.title)
    #expect(movie["alternateName"]?.string == film.originalTitle && film.originalTitle != nil)
    #expect(movie["dateCreated"]?.string == film.year.map(String.init) && film.year != nil)
    #expect(movie["director"]?.array?.first?["name"]?.string == film.directors?.first && film.directors != nil)
    let events = graph.filter { $0["@type"] == "ScreeningEvent" }
    #expect(events.count > 10 && events.allSatisfy { $0["workPresented"]?["@id"] == movie["@id"] })
    #expect(events.allSatisfy { $0["location"]?["containedInPlace"]?["@type"] == "MovieTheater" })
  }

  @Test("what a source wants said is said once, at the end of a list that has films of it")
  func credits() async throws {
    let gateway = GatewayFixture()
    let place = try #require(gateway.world.films.films.firstIndex { $0.film.id.text == "film_ran-1985" })
    gateway.world.films.films[place].credit = "told by somebody"
    for path in ["/discover?genre=drama", "/discover?\(Self.at)", "/search?q=ran", "/films/film_tea"] {
      let page = try read(await gateway.ask(path))
      #expect(page.select("p.small").filter { $0.text == "told by somebody" }.count == 1, "\(path)")
    }
    #expect(!(await gateway.ask("/search?q=lantern")).text.contains("told by somebody"))
  }

  @Test("a kind of film that there is not is said to be none", arguments: ["genre=nope", "list=nope"])
  func strangeKind(kind: String) async throws {
    let gateway = GatewayFixture()
    for (language, words) in [
      ("ko", "그런 종류의 영화는 없어요"), ("ja", "そのような種類の映画はありません"), ("en", "There is no such kind of film"),
    ] {
      let reply = await gateway.ask("/discover?\(kind)&lang=\(language)")
      let page = try read(reply)
      #expect(reply.status == 404 && page.first(".notice-t")?.text == words, "\(reply.text)")
      #expect(page.first(".notice a")?["href"] == "/discover")
    }
  }

  @Test("a film's page tells the day on which it was first shown, with its year")
  func released() async throws {
    let gateway = GatewayFixture()
    let place = try #require(gateway.world.films.films.firstIndex { $0.film.id.text == "film_tea" })
    gateway.world.films.films[place].releasedOn = CivilDate("2000-09-29")
    for (language, words) in [("ko", "2000년 9월 29일 (금)"), ("ja", "2000年9月29日（金）"), ("en", "Fri 29 Sep 2000")] {
      let page = try read(await gateway.ask("/films/film_tea?lang=\(language)"))
      #expect(page.select("dl.people dd").contains { $0.text == words }, "\(page.select("dl.people dd").map(\.text))")
    }
  }

  @Test("discover is painted from what the API answers: rows, one film large, cards that lead somewhere")
  func discover() async throws {
    let gateway = GatewayFixture()
    let home = await gateway.ask("/v1/home?lat=37.571&lon=126.976&lang=ko").json["data"]?.array ?? []
    let page = try read(await gateway.ask("/discover?\(Self.at)&lang=ko"))
    let told = home.filter { ($0["items"]?.array?.count ?? 0) >= ($0["id"]?.string == "near_you" ? 1 : 3) }
    #expect(!told.isEmpty && page.select("section.row").count == told.count)
    #expect(page.select("section.hero h2 a").count == 1)
    let large = page.first("section.hero h2 a")?["href"]
    let best = told.first { $0["id"]?.string == "last_chance" } ?? told[0]
    for (row, section) in zip(told, page.select("section.row")) {
      var films = row["items"]?.array?.compactMap { $0["film"]?["id"]?.string } ?? []
      if row["id"]?.string == best["id"]?.string, films.count > 3 { films.removeAll { "/films/\($0)" == large } }
      #expect(section.select("li").compactMap { $0["data-key"] } == films)
      #expect(section.select("a.wall-a").compactMap { $0["href"] } == films.map { "/films/\($0)" })
    }
    #expect(!(await gateway.ask("/discover")).text.contains("⟦"))
    #expect(try read(await gateway.ask("/discover?genre=&list=&person=")).first(".row") != nil)
  }

  @Test("a festival, its sessions and restaurants around a showing are told in schema.org's words")
  func linked() async throws {
    let gateway = GatewayFixture()
    func things(_ path: String) async throws -> [JSONValue] {
      let page = try read(await gateway.ask(path))
      let block = try #require(page.select("script[type=\"application/ld+json\"]").first, "\(path)")
      return try JSONValue(parsing: block.rawBytes)["@graph"]?.array ?? []
    }
    let festival = try #require(try await things("/festivals/lantern").first)
    #expect(festival["@type"] == "Festival" && festival["name"] == "등불 영화제" && festival["startDate"] == "2026-11-22")
    let events = festival["subEvent"]?.array ?? []
    let event = try #require(events.first { $0["startDate"]?.string == "2026-11-22T19:30:00+09:00" })
    #expect(events.count == 3)
    #expect(event["location"]?[0]?["name"] == "1관" && event["performer"]?[0]?["name"] == "윤서리")
    let path = try #require(event["url"]?.string).dropFirst("http://odi.test".count)
    let session = try #require(try await things(String(path)).first)
    #expect(session["name"] == event["name"] && session["superEvent"]?["name"] == "등불 영화제")
    #expect(try await things("/festivals").map { $0["@type"] } == ["Festival"])
    let places = try await things("/dinner/show_lantern_2026-11-22_2")
    #expect(!places.isEmpty && places.allSatisfy { $0["@type"] == "Restaurant" && $0["geo"]?["latitude"] != nil })
  }

  @Test("another language is a link that keeps what the address asks for, each once and never too much")
  func languages() async throws {
    let gateway = GatewayFixture()
    func links(_ address: String) async throws -> [String] {
      let page = try read(await gateway.ask(address))
      let header = page.select(".langs a").compactMap { $0["href"] }
      #expect(page.select(".foot a[hreflang]").compactMap { $0["href"] } == header, "the footer has the same")
      return header
    }
    func each(_ kept: String) -> [String] { ["ko", "ja", "en"].map { "?\(kept)lang=\($0)" } }
    #expect(try await links("/") == each(""))
    #expect(try await links("/?\(Self.at)&lang=en&date=2026-11-24&utm=1") == each("\(Self.at)&date=2026-11-24&"))
    #expect(try await links("/discover?list=classics&genre=drama&lang=tlh") == each("list=classics&genre=drama&"))
    #expect(try await links("/tonight?cinemas=lantern&with=35mm") == each("cinemas=lantern&with=35mm&"))
    let spelled = "q=%EB%B9%84%20%22%3Cb%3E%26lang%3Dxx%27"
    #expect(try await links("/search?\(spelled)&q=again") == each(spelled + "&"))
    let long = String(repeating: "a", count: 401)
    #expect(try await links("/search?q=\(long)&view=list") == each("view=list&"))
  }

  @Test("links carry on what an address can mean: each name once, and of a list what is none of it odd")
  func known() async throws {
    let gateway = GatewayFixture()
    let odd = "/tonight?utm=1&cinemas=Bad!ID,lantern&within=60&within=120&free=&genre=an%20odd%20one&walk=%3Cb%3E&with="
    let links = try read(await gateway.ask(odd + "&lang=en")).select(".choices a").compactMap { $0["href"] }
    #expect(links.contains("/tonight?cinemas=lantern&within=180&lang=en"), "\(links)")
    #expect(links.contains("/tonight?within=60&lang=en"), "the cinema that was chosen can be taken back")
    #expect(!links.contains { $0.contains { "!%<".contains($0) } || $0.contains("utm") || $0.contains("free=&") })
    let none = try read(await gateway.ask("/tonight?genre=")).select(".choices a").compactMap { $0["href"] }
    #expect(none.contains("/tonight?genre=&within=60"), "an empty list is none, and stays so")
    let many = (0..<40).map { "cinema-\($0)" }
    let first = try read(await gateway.ask("/tonight?cinemas=" + many.joined(separator: ","))).select(".choices a")
    let told = try #require(first.compactMap { $0["href"] }.first { $0.contains("within=60") })
    #expect(told == "/tonight?cinemas=" + many.prefix(20).joined(separator: ",") + "&within=60")
  }

  @Test("looks that somebody chose stand in the first paint; what is none of them does not")
  func looks() async throws {
    let gateway = GatewayFixture()
    let chosen = await gateway.ask("GET", "/settings", ["Cookie: theme=dark; text=largest"]).text
    #expect(chosen.contains(#"data-theme="dark" data-text="largest""#))
    #expect(chosen.contains(#"id="bars-light" media="not all""#) && chosen.contains(#"id="bars-dark" media="all""#))
    let other = await gateway.ask("GET", "/settings", ["Cookie: theme=\"><b>; text=huge"]).text
    #expect(other.contains(#"data-theme="auto" data-text="usual""#))
    #expect(other.contains(#"id="bars-dark" media="(prefers-color-scheme: dark)""#))
  }

  @Test("the folder of --web stands in for the build's files, as it is at each request, and nothing above it")
  func folder() async throws {
    let folder = try TemporaryFolder()
    _ = try folder.write("/* one */", to: "app.css")
    let gateway = GatewayFixture { $0.web = folder.path }
    let page = try read(await gateway.ask("/?lang=en"))
    #expect(page.first("h1")?.text.contains("Near") == true, "what the folder lacks comes from the build")
    let style = try #require(page.first("link[rel=stylesheet]")?["href"])
    let first = await gateway.ask(style)
    #expect(first.text == "/* one */" && first["cache-control"]?.contains("no-store") == true)
    _ = try folder.write("/* two */", to: "app.css")
    #expect((await gateway.ask(style)).text == "/* two */")
    let above = style.replacing("app.css", with: "..%2Fapp.css")
    for path in [above, style.replacing("app.css", with: ".hidden"), style + "/x", "/sw.js?v=1"] {
      #expect((await gateway.ask(path)).status == 404, "\(path)")
    }
  }

  @Test("a page says what it is to who links to it; what is invented or somebody's is not for search engines")
  func about() async throws {
    let gateway = GatewayFixture { $0.manners.publicURL = "https://odi.example" }
    func head(_ path: String) async throws -> HTMLDocument { try read(await gateway.ask(path)) }
    let invented = try await head("/cinemas/lantern?lang=en")
    #expect(
      invented.first("meta[name=robots]")?["content"] == "noindex" && invented.first("link[rel=canonical]") == nil)

    gateway.world.scraper.isDemo = false
    let page = try await head("/cinemas/lantern?lang=en&date=2026-11-23")
    let name = try #require(page.first("h1")?.text)
    #expect(page.first("meta[name=robots]") == nil)
    #expect(page.first("meta[name=description]")?["content"] == "\(name): films and times, day by day.")
    #expect(page.first("link[rel=canonical]")?["href"] == "https://odi.example/cinemas/lantern")
    #expect(
      page.select("link[rel=alternate][hreflang]").map { $0["href"] }.sorted { $0! < $1! }
        == ["en", "ja", "ko"].map { "https://odi.example/cinemas/lantern?lang=\($0)" })
    #expect(page.first("meta[property='og:title']")?["content"] == name)
    let picture = try #require(page.first("meta[property='og:image']")?["content"])
    let path = picture.replacing("https://odi.example", with: "")
    #expect((await gateway.ask(path))["content-type"] == "image/png", "\(picture)")

    let long = String(repeating: "Long & \"long\". ", count: 40)
    for index in gateway.world.scraper.films.indices {
      gateway.world.scraper.films[index].isDemo = nil
      gateway.world.scraper.films[index].synopsis = long
    }
    for index in gateway.world.films.films.indices { gateway.world.films.films[index].film.isDemo = nil }
    let text = try await head("/films/film_monster?lang=en").first("meta[name=description]")?["content"]
    #expect(
      text?.count == 200 && text?.hasPrefix("Long & \"long\". Long") == true && text?.hasSuffix("…") == true,
      "\(text ?? "")")

    let plan = "/plans/\(try await gateway.sharedPlan())"
    for path in ["/search?q=tea", "/bookmarks", "/settings", "/films/film_none", plan] {
      let page = try await head(path)
      #expect(page.first("meta[name=robots]")?["content"] == "noindex", "\(path)")
      #expect(page.first("meta[property='og:title']") == nil, "\(path)")
    }
  }

  @Test("a film that is none is 404 in words, and a directory that is away is 503; neither is JSON")
  func apologies() async throws {
    let gateway = GatewayFixture()
    for path in ["/films/film_none", "/cinemas/nowhere", "/films/-"] {
      let gone = await gateway.ask(path + "?lang=en")
      #expect(gone.status == 404 && gone["content-type"]?.hasPrefix("text/html") == true, "\(path)")
    }
    gateway.world.locator.manners.failure = RPCError(.unavailable, "nobody is there", executed: .no)
    let away = await gateway.ask("/?lang=en")
    let apology = try read(away).first(".notice.error")
    #expect(away.status == 503 && apology != nil)
    gateway.world.locator.manners.failure = nil
    gateway.world.scraper.manners.failure = RPCError(.unavailable, "nobody is there", executed: .no)
    let half = await gateway.ask("/?lang=en")
    let cards = try read(half).select("a.card").count
    #expect(half.status == 200 && cards == 3, "cinemas need no scraper")
  }

  @Test("the page lets nothing run but its own files, which are kept for ever under their hash")
  func files() async throws {
    let gateway = GatewayFixture()
    let reply = await gateway.ask("/")
    let policy = try #require(reply["content-security-policy"])
    for rule in ["script-src 'self'", "require-trusted-types-for 'script'", "trusted-types odi", "base-uri 'none'"] {
      #expect(policy.contains(rule))
    }
    #expect(!policy.contains("unsafe") && reply["cache-control"] == "private, no-cache")
    let page = try read(reply)
    let feed = page.select("link[rel=alternate]").first
    #expect(feed?["type"] == "application/atom+xml" && feed?["title"] == "New this week")
    let told = await gateway.ask(feed?["href"] ?? "")
    #expect(told.status == 200 && told["content-type"]?.hasPrefix("application/atom+xml") == true)
    let addresses = page.select("link[href], script[src]").filter { $0["rel"] != "alternate" }
      .compactMap { $0["href"] ?? $0["src"] }
    #expect(addresses.count > 6)
    for address in addresses {
      let file = await gateway.ask(address)
      #expect(file.status == 200 && !file.body.isEmpty, "\(address)")
      #expect(file["cache-control"]?.contains("immutable") == true)
    }
    #expect((await gateway.ask("/sw.js?v=1")).status == 200)
    #expect((await gateway.ask("/s/other/app.css")).status == 404)
  }

  @Test("a plan has names in its reader's language, the time that its film has by now, and a code that leads to it")
  func plan() async throws {
    let gateway = GatewayFixture { $0.cachesAnswers = false }
    let share = try await gateway.sharedPlan()
    let hour: Int64 = 3_600_000
    for (cinema, days) in gateway.world.scraper.days {
      for (date, showtimes) in days {
        for place in showtimes.indices {
          let start = WallTime(milliseconds: showtimes[place].startsAt.milliseconds + hour)
          gateway.world.scraper.days[cinema]?[date]?[place].startsAt = start
        }
      }
    }
    let told = try #require(await gateway.ask("/v1/plans/\(share)").json["showtime"])
    let name = try #require(told["cinema"]?.string)
    let planned = try #require(told["starts_at"]?.string).dropFirst(11).prefix(5)
    let page = try read(await gateway.ask("/plans/\(share)?lang=en"))
    let facts = try #require(page.first(".plan .film-what .facts")?.text)
    #expect(!facts.contains(name) && facts.contains("Lantern"), "\(facts)")
    #expect(page.first(".plan .film-what .facts span[lang=ko]")?.text.hasSuffix("관") == true, "\(facts)")
    #expect(page.first(".plan .film-what .warn")?.text.hasPrefix("Moved from ") == true)
    let korean = try read(await gateway.ask("/plans/\(share)?lang=ko"))
    #expect(korean.first(".plan .film-what .facts")?.text.contains(name) == true)
    #expect(korean.first(".plan .film-what .facts")?.text.contains(planned) == false)
    #expect(korean.first(".plan .film-what .warn")?.text.contains(planned) == true)
    #expect(page.first(".code img")?["src"] == "/v1/qr.svg?quiet=2&data=http://odi.test/plans/\(share)")
  }
}
