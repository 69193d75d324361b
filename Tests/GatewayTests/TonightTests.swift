import Calendars
import Clocks
import Contracts
import Gateway
import GatewayFakes
import HTML
import JSON
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
    #expect(told(none, "id").isEmpty && none["hint"]?.string?.contains("leave out") == true)
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
    let painted = await gateway.ask("/tonight?lang=en&within=720").text
    #expect(painted.contains("There is more"), "\(painted)")
    let nowhere = await gateway.ask(question + "&cinema=nowhere").json
    #expect(nowhere["data"]?.array?.isEmpty == true && nowhere["hint"]?.string?.contains("leave out") == true)
    #expect(nowhere["cinemas"] == many["cinemas"] && nowhere["attributes"] == many["attributes"], "\(nowhere)")
  }

  @Test("the page of tonight keeps its cinemas in every link, offers none far off, and knows the day where it looks")
  func paintedPlaces() async throws {
    let gateway = GatewayFixture()
    func paint(_ query: String) async throws -> HTMLDocument {
      try HTMLDocument.parse(await gateway.ask("/tonight?lang=en\(query)").body, contentCharset: "utf-8")
    }
    let chosen = "lantern,moonlight," + (1...18).map { "cinema_\($0)_with_a_long_name" }.joined(separator: ",")
    let page = try await paint("&within=720&cinemas=\(chosen)")
    let kept = page.select(".choice:not(.many) a, .filters a").compactMap { $0["href"] }
    #expect(!kept.isEmpty && kept.allSatisfy { $0.contains("&cinemas=\(chosen)") }, "\(kept)")
    let pills = page.select(".choice.many").first?.children.compactMap { $0["href"] } ?? []
    #expect(pills.count == 2 && pills.allSatisfy { $0.contains("within=720") }, "\(pills)")
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
