import Calendars
import Clocks
import Contracts
import Gateway
import GatewayFakes
import HTML
import JSON
import RPC
import Testing

@Suite("Tonight")
@MainActor
struct TonightTests {
  @Test("tonight is narrowed by what its showings have, and tells what else there is to choose")
  func narrowed() async throws {
    let gateway = GatewayFixture()
    let question = "/v1/tonight?lat=37.57&lon=126.97&within_min=1440&limit=100"
    func ids(_ list: [JSONValue]) -> [String] { list.compactMap { $0["id"]?.string } }
    let all = await gateway.ask(question).json
    let shows = all["data"]?.array ?? []
    let marked = shows.filter { $0["attributes"]?.array?.contains("gv") == true }
    #expect(!marked.isEmpty && marked.count < shows.count)
    #expect(all["attributes"]?[0]?["id"] == "gv" && all["attributes"]?[0]?["count"]?.int == marked.count)
    let narrow = await gateway.ask(question + "&attribute=gv").json
    #expect(ids(narrow["data"]?.array ?? []) == ids(marked) && narrow["attributes"] == all["attributes"])
    let none = await gateway.ask(question + "&attribute=gv,35mm").json
    #expect(none["data"]?.array?.isEmpty == true && none["hint"]?.string?.contains("leave out an attribute") == true)
    #expect(await gateway.ask(question + "&attribute=G%20V").status == 400)
  }

  @Test("tonight is told of some cinemas alone, and of another day as a whole")
  func chosen() async throws {
    let gateway = GatewayFixture()
    let question = "/v1/tonight?lat=37.57&lon=126.97&limit=300"
    func told(_ answer: JSONValue, _ name: String) -> [String] {
      answer["data"]?.array?.compactMap { $0[name]?.string } ?? []
    }
    let all = await gateway.ask(question + "&within_min=1440").json
    let cinemas = all["cinemas"]?.array ?? []
    #expect(cinemas.count > 1 && cinemas.compactMap { $0["count"]?.int }.reduce(0, +) == told(all, "id").count)
    let one = try #require(cinemas.last?["id"]?.string)
    let narrow = await gateway.ask(question + "&within_min=1440&cinema=\(one)").json
    #expect(Set(told(narrow, "cinema_id")) == [one] && told(narrow, "id").count == cinemas.last?["count"]?.int)
    #expect(narrow["cinemas"] == all["cinemas"])
    let none = await gateway.ask(question + "&within_min=1440&cinema=nowhere").json
    #expect(told(none, "id").isEmpty && none["hint"]?.string?.contains("nowhere is none of the") == true)
    let close = all["data"]?.array?.filter { ($0["cinema"]?["distance_m"]?.int ?? .max) < 30_000 } ?? []
    let last = close.compactMap { $0["service_date"]?.string }.max()
    let day = try #require(last)
    let other = await gateway.ask(question + "&within_min=5&date=\(day)").json
    #expect(Set(told(other, "service_date")) == [day] && !told(other, "id").isEmpty)
    // The page tells of no other region.
    let near = try #require(other["data"]?.array?.first { ($0["cinema"]?["distance_m"]?.int ?? .max) < 30_000 })
    let there = near["cinema_id"]?.string ?? "none"
    let page = await gateway.ask("/tonight?lang=en&at=37.57,126.97&date=\(day)&cinemas=\(there)")
    let painted = try HTMLDocument.parse(page.body, contentCharset: "utf-8")
    #expect(painted.select(".choice.many a[aria-current]").count == 1 && painted.first(".leave") == nil, "\(page.text)")
    let others = painted.select(".choice a").filter { $0["aria-current"] == nil }.compactMap { $0["href"] }
    #expect(!others.isEmpty && others.allSatisfy { $0.contains("cinemas=") }, "\(others)")
    #expect(!painted.select(".chip").isEmpty && !page.text.contains("Tonight, on foot"), "\(page.text)")
  }

  /// Films of a genre that the catalogue knows, of one that their cinemas print, and of none.
  private func sorted(_ gateway: GatewayFixture) {
    let (films, scraper) = (gateway.world.films, gateway.world.scraper)
    let known = [FilmID("film_monster"): ["mystery", "drama"], FilmID("film_lighthouse"): ["drama"]]
    for index in films.films.indices { films.films[index].film.genres = known[films.films[index].film.id] }
    for index in scraper.films.indices where scraper.films[index].id == FilmID("film_tea") {
      scraper.films[index].genres = ["코미디"]
    }
  }

  @Test("tonight is narrowed by genre, which the catalogue knows or the cinema prints")
  func ofGenres() async throws {
    let gateway = GatewayFixture()
    sorted(gateway)
    let question = "/v1/tonight?lat=37.57&lon=126.97&within_min=1440&limit=300"
    func films(_ answer: JSONValue) -> Set<String> {
      Set(answer["data"]?.array?.map { $0["film"]?["id"]?.string ?? "none" } ?? [])
    }
    func genres(_ answer: JSONValue) -> [String] {
      answer["genres"]?.array?.map { "\($0["id"]?.string ?? "") \($0["films"]?.int ?? -1)" } ?? []
    }
    let all = await gateway.ask(question).json
    #expect(genres(all) == ["drama 2", "comedy 1", "mystery 1"], "\(genres(all))")
    let drama = await gateway.ask(question + "&genre=drama&lang=ja").json
    #expect(films(drama) == ["film_monster", "film_lighthouse"] && genres(drama) == genres(all))
    #expect(drama["genres"]?[0]?["name"] == "ドラマ")
    #expect(films(await gateway.ask(question + "&genre=mystery,comedy").json) == ["film_monster", "film_tea"])
    let none = await gateway.ask(question + "&genre=war").json
    #expect(films(none).isEmpty && genres(none).contains("war 0"), "\(genres(none))")
    #expect(none["hint"]?.string?.contains("leave out") == true)
    let refused = await gateway.ask(question + "&genre=mistery")
    #expect(refused.status == 400 && refused.text.contains("did you mean mystery"), "\(refused.text)")
    #expect(await gateway.ask(question + "&genre=").status == 400)

    let shows = "/v1/showtimes?limit=100&date=\(gateway.world.scraper.today)"
    #expect(films(await gateway.ask(shows + "&genre=mystery").json) == ["film_monster"])
    #expect(films(await gateway.ask(shows + "&genre=mystery,drama&film=film_lighthouse").json) == ["film_lighthouse"])
    let nothing = await gateway.ask(shows + "&genre=war").json
    #expect(nothing["data"]?.array?.isEmpty == true && nothing["hint"]?.string?.contains("genre") == true)

    // What is wanted is among those that were not looked at, too.
    try crowd(gateway)
    #expect(films(await gateway.ask(question + "&genre=comedy").json) == ["film_tea"])
    #expect(films(await gateway.ask(question + "&genre=war").json).isEmpty)
  }

  @Test("an id that leads to another film is asked for by genre as by itself")
  func formerID() async throws {
    let gateway = GatewayFixture()
    sorted(gateway)
    let (former, film) = (try #require(FilmID("film_keeper")), try #require(FilmID("film_lighthouse")))
    gateway.world.scraper.formerFilms[former] = film
    let shows = "/v1/showtimes?limit=100&date=\(gateway.world.scraper.today)&film=\(former)"
    func ids(_ query: String) async -> [String] {
      (await gateway.ask(shows + query).json["data"]?.array ?? []).compactMap { $0["id"]?.string }
    }
    let all = await ids("")
    let (drama, mystery) = (await ids("&genre=drama"), await ids("&genre=mystery"))
    #expect(!all.isEmpty && drama == all && mystery.isEmpty)
  }

  @Test("what is sorted by genre says which films were left out, and who asks for less is told all")
  func unlooked() async throws {
    let gateway = GatewayFixture()
    sorted(gateway)
    let cut = "only the 500 films that are shown most were looked at; give a cinema"
    func hint(_ query: String) async -> String { await gateway.ask(query).json["hint"]?.string ?? "" }
    gateway.world.scraper.show(497)
    let shows = "/v1/showtimes?date=\(gateway.world.scraper.today)&genre=mystery"
    #expect(await hint(shows + "&limit=1") == "")
    gateway.world.scraper.show(1)
    #expect(await hint(shows + "&limit=2") == cut)
    #expect(await hint(shows + "&limit=2&film=film_monster") == "")
    #expect(await hint(shows + "&limit=2&cinema=moonlight") == "")
    #expect(await hint("/v1/showtimes?genre=war") == "no such film is of that genre; leave genre out; \(cut)")

    // Of more showings than are looked at those of the genre are asked for.
    try crowd(gateway)
    let question = "/v1/tonight?lat=37.57&lon=126.97&within_min=1440&limit=300"
    let mystery = await gateway.ask(question + "&genre=mystery").json
    #expect(mystery["hint"]?.string == cut && mystery["has_more"] == true, "\(mystery["hint"] as Any)")
    #expect(mystery["data"]?.array?.isEmpty == false)
    #expect(await hint(question + "&genre=war").hasSuffix("; \(cut)"))
    #expect(await hint(question + "&genre=mystery&cinema=moonlight") == "")
  }

  @Test("without the catalogue tonight is sorted by what cinemas print, and says that it lacks the rest")
  func unsorted() async throws {
    let gateway = GatewayFixture()
    sorted(gateway)
    gateway.world.films.manners.failure = RPCError(.unavailable, "away")
    let question = "/v1/tonight?lat=37.57&lon=126.97&within_min=1440&limit=300"
    let comedy = await gateway.ask(question + "&genre=comedy")
    let found = comedy.json["data"]?.array ?? []
    #expect(!found.isEmpty && found.allSatisfy { $0["film"]?["id"] == "film_tea" })
    #expect(comedy.json["missing"]?.array == ["genres"] && comedy["x-odi-partial"] != nil, "\(comedy.text)")
    let all = await gateway.ask(question)
    #expect(all.status == 200 && all.json["missing"] == nil && all.json["genres"]?.array?.count == 1)
    let page = await gateway.ask("/tonight?lang=en&within=1440&genre=drama")
    let painted = try HTMLDocument.parse(page.body, contentCharset: "utf-8")
    #expect(painted.first(".notice.part") != nil && painted.first(".notice.empty") == nil, "\(page.text)")
  }

  @Test("tonight is told of several days, and of some times of day alone")
  func spans() async throws {
    let gateway = GatewayFixture()
    let today = gateway.world.scraper.today
    let question = "/v1/tonight?lat=37.57&lon=126.97&limit=300&date="
    func told(_ answer: JSONValue, _ name: String) -> [String] {
      answer["data"]?.array?.compactMap { $0[name]?.string } ?? []
    }
    let span = await gateway.ask(question + "\(today + 1)&date_to=\(today + 3)").json
    #expect(Set(told(span, "service_date")) == Set((1...3).map { "\(today + $0)" }))
    let starts = told(span, "starts_at").compactMap { Timestamp($0)?.instant }
    #expect(!starts.isEmpty && starts == starts.sorted() && Set(told(span, "id")).count == starts.count)
    let evening = await gateway.ask(
      question + "\(today + 1)&date_to=\(today + 2)&start_after=19:30&start_before=24:30"
    ).json
    #expect(Set(told(evening, "display_time")) == ["19:30", "22:10"], "\(told(evening, "display_time"))")
    for wrong in ["\(today + 1)&date_to=\(today)", "\(today)&date_to=\(today + 7)", "9999-12-31&date_to=\(today)"] {
      let refused = await gateway.ask(question + wrong)
      #expect(refused.status == 400 && refused.text.contains("date_to"), "\(wrong): \(refused.text)")
    }
    let needs = await gateway.ask("/v1/tonight?lat=37.57&lon=126.97&date_to=\(today + 1)")
    #expect(needs.status == 400 && needs.text.contains("needs date"), "\(needs.text)")
  }

  @Test("the page's filters are links and a form, told in words, and none is not all")
  func paintedFilters() async throws {
    let gateway = GatewayFixture()
    sorted(gateway)
    let today = gateway.world.scraper.today
    func paint(_ query: String) async throws -> HTMLDocument {
      try HTMLDocument.parse(await gateway.ask("/tonight?\(query)").body, contentCharset: "utf-8")
    }
    let (from, to) = (today + 1, today + 2)
    let page = try await paint("lang=en&date=\(from)&until=\(to)&after=19:30&before=25:00&genre=mystery,nonsense")
    #expect(page.first("h1")?.text.contains(" – ") == true)
    #expect(page.select("option[selected]").compactMap { $0["value"] } == ["\(to)", "19:30", "25:00"])
    #expect(page.select("option[selected]").map(\.text).dropFirst() == ["7:30 pm", "1:00 am"])
    #expect(page.select(".choice.many a[aria-current]").map(\.text) == ["Mystery"])
    let kept = page.select("form.hours input").map { "\($0["name"] ?? "")=\($0["value"] ?? "")" }
    #expect(kept == ["lang=en", "date=\(from)", "genre=mystery,nonsense"], "\(kept)")
    let status = page.first(".tonight [role=status]")
    #expect(status?.text.contains("1 film: Mystery · from 7:30 pm · before 1:00 am") == true, "\(status?.text ?? "")")
    #expect(status?.children.first?["href"] == "/tonight?lang=en&date=\(from)&until=\(to)")
    #expect(Set(page.select(".evening h2 a").compactMap { $0["href"] }) == ["/films/film_monster"])
    // Each day stands by itself.
    let places = page.select(".by-cinema > li").compactMap { $0["data-key"] }
    #expect(!places.isEmpty && places.allSatisfy { $0.hasPrefix("\(from) ") || $0.hasPrefix("\(to) ") }, "\(places)")

    let empty = try await paint("lang=ko&within=1440&genre=war")
    #expect(empty.first(".notice.empty p:not(.notice-t)")?.text == "전쟁")
    #expect(
      empty.select(".notice.empty a").compactMap { $0["href"] }
        == ["/tonight?lang=ko&within=1440", "/tonight?lang=ko&within=1440&genre=war&date=\(from)"],
      "all of today, and tomorrow")
    for nobody in ["genre=", "cinemas="] {
      let none = try await paint("lang=en&within=1440&\(nobody)")
      #expect(none.first(".notice-t")?.text == "Nothing is chosen" && none.select(".evening > li").isEmpty)
      #expect(none.first(".notice.empty a")?["href"] == "/tonight?lang=en&within=1440")
      #expect(!none.select(".choice.many a").isEmpty && none.select(".choice.many a[aria-current]").isEmpty)
    }
    // A form sends what was left alone as nothing, and days that do not follow each other are one.
    let sent = try await paint("lang=en&until=&after=&before=&date=\(from)")
    #expect(sent.first(".tonight [role=status]") == nil && !sent.select(".evening > li").isEmpty)
    #expect(try await paint("date=\(from)&until=\(today)").first("h1")?.text.contains("–") == false)
    #expect(try await paint("date=9999-12-31&until=9999-12-31").first(".notice.empty") != nil)
    let short = try await paint("lang=en&until=\(to)")
    #expect(short.first("h1")?.text.contains(" – ") == true && short.first(".leave") == nil)
  }

  @Test("days of which the last does not follow within a week are one, in the heading and in what is told")
  func farDays() async throws {
    let gateway = GatewayFixture()
    let today = gateway.world.scraper.today
    func paint(_ query: String) async throws -> [String] {
      let page = await gateway.ask("/tonight?lang=en&at=37.57,126.97&within=600" + query)
      let painted = try HTMLDocument.parse(page.body, contentCharset: "utf-8")
      return [painted.first("h1")?.text ?? ""] + painted.select(".by-cinema > li").compactMap { $0["data-key"] }
        + painted.select(".chip").compactMap { $0["href"] }
    }
    let (tonight, far) = (try await paint(""), try await paint("&until=\(today + 9)"))
    #expect(tonight.count > 2 && far == tonight)
    let (day, from) = (try await paint("&date=\(today + 1)"), try await paint("&date=\(today + 1)&until=\(today + 20)"))
    #expect(day.count > 2 && from == day)
    #expect(try await paint("&date=\(today + 1)&until=\(today)") == day)
    #expect(try await paint("&until=\(today + 1)").count > tonight.count)
  }

  @Test("what makes no sense in an address of the page is passed over")
  func nonsense() async throws {
    let gateway = GatewayFixture()
    // Something starts within three hours.
    gateway.time.advance(by: .seconds(3_600))
    func main(_ query: String) async throws -> [String] {
      let page = await gateway.ask("/tonight?lang=en" + query)
      let painted = try HTMLDocument.parse(page.body, contentCharset: "utf-8")
      return painted.select(".tonight h1, .evening > li, .choice.many a, .notice").map(\.text)
    }
    let (plain, odd) = (try await main(""), try await main("&within=4&walk=0&cinemas=Bad!ID&with=G%20V&genre=odd"))
    #expect(plain.count > 2 && odd == plain, "\(plain) \(odd)")
  }

  /// More showings than are looked at, all of one cinema and within the next hours.
  private func crowd(_ gateway: GatewayFixture) throws {
    let (scraper, lantern) = (gateway.world.scraper, CinemaID("lantern")!)
    let shows = scraper.days[lantern]?[scraper.today] ?? []
    let model = try #require(shows.first { $0.startsAt > gateway.time.wall })
    let others = (0..<600).map { number in
      var show = model
      show.id = ShowtimeID("show_crowd_\(number)")!
      return show
    }
    scraper.days[lantern]?[scraper.today] = shows + others
  }

  @Test("what is left out of tonight is said, and what there is to choose is told whatever was asked for")
  func more() async throws {
    let gateway = GatewayFixture()
    let question = "/v1/tonight?lat=37.57&lon=126.97&within_min=1440"
    let few = await gateway.ask(question + "&limit=1").json
    #expect(few["has_more"] == true && few["hint"]?.string?.contains("limit") == true, "\(few)")
    #expect(await gateway.ask(question + "&limit=300").json["has_more"] == false)
    let none = await gateway.ask("/v1/tonight?lat=37.57&lon=126.97&within_min=5&cinema=lantern").json
    #expect(none["cinemas"]?.array?.count == 1 && none["cinemas"]?[0]?["id"] == "lantern", "\(none)")
    #expect(none["cinemas"]?[0]?["count"]?.int == 0 && none["cinemas"]?[0]?["distance_m"]?.int ?? 0 > 0, "\(none)")

    try crowd(gateway)
    let many = await gateway.ask(question + "&limit=299").json
    #expect(many["has_more"] == true && many["data"]?.array?.count == 299)
    #expect(many["hint"]?.string?.contains("a larger limit") == true, "\(many["hint"] as Any)")
    let most = await gateway.ask(question + "&limit=300&lang=en").json["hint"]?.string ?? ""
    #expect(most.contains("a cinema") && !most.contains("a larger limit"), "there is none: \(most)")
    let painted = await gateway.ask("/tonight?lang=en&within=1440").text
    #expect(painted.contains("There is more"), "\(painted)")
    let nowhere = await gateway.ask(question + "&cinema=nowhere").json
    #expect(nowhere["data"]?.array?.isEmpty == true && nowhere["hint"]?.string?.contains("nowhere is none") == true)
    #expect(nowhere["cinemas"] == many["cinemas"] && nowhere["attributes"] == many["attributes"], "\(nowhere)")
  }

  @Test("the page of tonight keeps its cinemas in every link, offers none far off, and knows the day where it looks")
  func paintedPlaces() async throws {
    let gateway = GatewayFixture()
    func paint(_ query: String) async throws -> HTMLDocument {
      try HTMLDocument.parse(await gateway.ask("/tonight?lang=en\(query)").body, contentCharset: "utf-8")
    }
    let chosen = "lantern,moonlight," + (1...18).map { "cinema_\($0)_with_a_long_name" }.joined(separator: ",")
    let page = try await paint("&within=1440&cinemas=\(chosen)")
    let kept = page.select(".choice:not(.many) a, .filters a").compactMap { $0["href"] }
    #expect(!kept.isEmpty && kept.allSatisfy { $0.contains("&cinemas=\(chosen)") }, "\(kept)")
    let pills = page.select(".choice.many").first?.children.compactMap { $0["href"] } ?? []
    #expect(pills.count == 2 && pills.allSatisfy { $0.contains("within=1440") }, "\(pills)")
    #expect(try await paint("&cinemas=nowhere").first(".choice.many[aria-label=Cinemas]") == nil)

    // It is still yesterday there.
    let honolulu = try #require(ZoneName("Pacific/Honolulu"))
    for index in gateway.world.locator.cinemas.indices { gateway.world.locator.cinemas[index].zone = honolulu }
    gateway.world.scraper.days = [:]
    let days = try await paint("").select(".choice").first?.children.compactMap { $0["href"] } ?? []
    #expect(days.count == 7 && days[1].hasSuffix("date=2026-11-22"), "\(days)")
    let told = await gateway.ask("/v1/tonight?lat=37.57&lon=126.97").json
    #expect(told["time_zone"] == "Pacific/Honolulu")
  }

  @Test("tonight is painted before any script, and what narrows it is a link that takes itself away again")
  func paintedTonight() async throws {
    let gateway = GatewayFixture()
    let all = try HTMLDocument.parse(await gateway.ask("/tonight?lang=en").body, contentCharset: "utf-8")
    #expect(all.select(".evening > li").isEmpty == (all.first(".tonight .notice") != nil))
    let page = await gateway.ask("/tonight?lang=en&walk=30&with=35mm,subtitled&free=1")
    let narrow = try HTMLDocument.parse(page.body, contentCharset: "utf-8")
    let taken = narrow.select(".choice.many a[aria-current]")
    #expect(taken.map(\.text) == ["Subtitled", "35mm", "Hide sold out"], "\(page.text)")
    #expect(
      taken.compactMap { $0["href"] } == [
        "/tonight?lang=en&walk=30&with=35mm&free=1", "/tonight?lang=en&walk=30&with=subtitled&free=1",
        "/tonight?lang=en&walk=30&with=35mm,subtitled",
      ])
    #expect(narrow.first(".notice a")?["href"] == "/tonight?lang=en&walk=30", "\(page.text)")
  }
}
