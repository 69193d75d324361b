import Calendars
import Clocks
import Contracts
import Gateway
import GatewayFakes
import HTTP
import JSON
import RPC
import Testing

/// What is told of one film: facts, people, pictures, films like it.
@MainActor
@Suite("One film", .timeLimit(.minutes(5)))
struct FilmDetailTests {
  private let gateway = GatewayFixture()

  @Test("a film is found by every id that it had, with what the programme and the catalogue know")
  func film() async {
    let now = await gateway.ask("/v1/films/film_tea?lang=ko")
    let before = await gateway.ask("/v1/films/film_tea-2004?lang=ko")
    #expect(now.json["id"] == "film_tea" && before.json["id"] == "film_tea")
    #expect(now.json["genres"]?.array == ["드라마"] && now.json["attribution"] == "told by somebody")
    #expect(before.json["showing"] == true && now.json["writers"]?.array == ["A Writer"])
    let old = await gateway.ask("/v1/films/film_ran-1985?include=similar")
    #expect(old.json["showing"] == false && old.json["similar"]?.array?.count ?? 0 > 2)
    #expect(await gateway.ask("/v1/films/nobody").problem == "not-found")
    // Without the catalogue what plays is told as ever, and what does not play is not denied.
    gateway.world.films.manners.failure = RPCError(.unavailable, "away")
    let tea = await gateway.ask("/v1/films/film_tea?include=similar&lang=en")
    #expect(tea.status == 200 && tea.json["missing"] == ["catalogue", "similar"])
    #expect(tea["x-odi-partial"] == "1" && tea["cache-control"] == "private, no-store")
    #expect(await gateway.ask("/v1/films/film_tea/credits?lang=en")["x-odi-partial"] == "1")
    #expect(await gateway.ask("/v1/films/film_ran-1985?lang=en").status == 503)
  }

  @Test("films like one that only play and share something are kept for nobody; those of the catalogue are")
  func similarAway() async {
    let path = "/v1/films/film_tea?include=similar&lang=en"
    gateway.world.films.manners.failures["SimilarFilms"] = RPCError(.unavailable, "away")
    let without = await gateway.ask(path)
    #expect(without.status == 200 && without.json["missing"] == ["similar"] && without["x-odi-partial"] == "1")
    gateway.world.films.manners.failures = [:]
    let whole = await gateway.ask(path)
    #expect(whole.json["missing"] == nil && whole["x-odi-partial"] == nil)
    #expect(whole.json["similar"] != without.json["similar"], "what came without the catalogue is not told again")
  }

  @Test("a film that plays and is in no catalogue lacks nothing that somebody could ask for again")
  func similarUnknown() async {
    gateway.world.films.manners.failures["SimilarFilms"] = RPCError(.notFound, "no film has the id film_tea")
    let film = await gateway.ask("/v1/films/film_tea?include=similar&lang=en")
    #expect(film.status == 200 && film.json["missing"] == nil && film["x-odi-partial"] == nil)
    let similar = await gateway.ask("/v1/films/film_tea/similar")
    #expect(similar.status == 200 && similar.json["data"]?.array?.isEmpty == true)
    #expect(await gateway.ask("/v1/films/nobody/similar").problem == "not-found")
  }

  @Test("a film tells what people think of it, what it cost, its trailers and whose these facts are; its page too")
  func detail() async throws {
    let place = try #require(gateway.world.films.films.firstIndex { $0.film.id.text == "film_tea" })
    gateway.world.films.films[place].score = 8.14
    gateway.world.films.films[place].votes = 2_500
    gateway.world.films.films[place].budget = 3_000_000
    gateway.world.films.films[place].videos = [
      FilmVideo(site: "youtube", key: "a-1", name: "Trailer <1>"), FilmVideo(site: "vimeo", key: "7"),
    ].compactMap(\.self)
    let told = await gateway.ask("/v1/films/film_tea").json
    #expect(told["videos"]?[0]?["url"] == "https://www.youtube.com/watch?v=a-1")
    #expect(told["videos"]?[0]?["name"] == "Trailer <1>" && told["videos"]?[1]?["name"] == nil)
    #expect(told["budget_usd"] == 3_000_000 && told["revenue_usd"] == nil)
    let page = await gateway.ask("/films/film_tea?lang=en").text
    for part in [
      "<dt>Writers</dt><dd><a href=\"/search?q=A%20Writer\">A Writer</a></dd>", "<dd>81% (2,500 votes)</dd>",
      "<dt>Budget</dt><dd>$3,000,000</dd>",
      "watch?v=a-1\"", ">Trailer &lt;1&gt;</a>, <a", ">Trailer</a></dd>", "told by somebody",
    ] {
      #expect(page.contains(part), "\(part)")
    }
    #expect(!page.contains("Box office"))
    // In lists there is no room for it.
    let listed = await gateway.ask("/v1/films?q=Tea").json["data"]?[0]
    #expect(listed?["videos"] == nil && listed?["budget_usd"] == nil)
  }

  @Test("who made a film is named in the reader's letters, wherever the film is told; as printed where nobody knows")
  func peopleInLetters() async throws {
    let scraper = gateway.world.scraper
    for index in scraper.films.indices { scraper.films[index].directors = ["이만희"] }
    let films = gateway.world.films
    let names = ["고레에다 히로카즈", "是枝裕和", "コレエダ・ヒロカズ"].map { PersonName("Hirokazu Kore-eda", other: $0) }
    let place = try #require(films.films.firstIndex { $0.film.id.text == "film_monster" })
    films.films[place].film.directors = ["Hirokazu Kore-eda"]
    films.films[place].otherNames = names
    scraper.films.firstIndex { $0.id.text == "film_monster" }.map { scraper.films[$0].directors = ["고레에다 히로카즈"] }
    let other = try #require(films.films.firstIndex { $0.film.id.text == "film_tea" })
    films.films[other].film.directors = ["Lee Man-hee"]

    for (language, name) in [
      ("ko", "고레에다 히로카즈"), ("ja", "コレエダ・ヒロカズ"), ("en", "Hirokazu Kore-eda"), ("", "고레에다 히로카즈"),
    ] {
      let lang = language.isEmpty ? "" : "&lang=\(language)"
      func made(_ target: String, _ path: (JSONValue) -> JSONValue?) async -> String? {
        path(await gateway.ask(target + lang).json)?["directors"]?[0]?.string
      }
      #expect(await made("/v1/films/film_monster?", { $0 }) == name)
      #expect(await made("/v1/films/film_monster/credits?", { $0 }) == name)
      let day = await gateway.ask("/v1/cinemas/lantern/showtimes?\(lang)").json["data"]?.array
      let shown = day?.compactMap { $0["film"] }.first { $0["id"] == "film_monster" }
      #expect(shown?["directors"]?[0]?.string == name, "\(language): \(shown ?? .null)")
      let listed = await gateway.ask("/v1/films?limit=50\(lang)").json["data"]?.array
      let card = listed?.compactMap { $0["film"] }.first { $0["id"] == "film_monster" }
      #expect(card?["directors"]?[0]?.string == name)
    }
    // Who goes by no name that this reader can read is named as the catalogue has them.
    let tea = await gateway.ask("/v1/films/film_tea?lang=en").json
    #expect(tea["directors"]?.array == ["Lee Man-hee"])
    #expect(await gateway.ask("/v1/films/film_tea?lang=ko").json["directors"]?.array == ["이만희"])
    let reason = await gateway.ask("/v1/films/film_ran-1985/similar?lang=ko&limit=9").json["data"]?.array?
      .first { $0["film"]?["id"] == "film_monster" }
    #expect(reason?["film"]?["directors"]?[0] == "고레에다 히로카즈")
    // Without the catalogue they are as printed, and the answer is not kept.
    films.manners.failures["CatalogueFilms"] = RPCError(.unavailable, "away", executed: .no)
    gateway.time.advance(by: .seconds(120))
    let printed = await gateway.ask("/v1/films/film_monster?lang=en")
    #expect(printed.json["directors"]?.array == ["고레에다 히로카즈"] && printed["x-odi-partial"] == "1")
  }

  @Test("what belongs to a film has addresses of its own")
  func parts() async {
    let similar = await gateway.ask("/v1/films/film_ran-1985/similar?limit=2")
    #expect(similar.json["data"]?.array?.count == 2)
    #expect(similar.json["data"]?[0]?["reasons"]?[0]?["text"] == "By A Director, who made Ran")
    #expect(await gateway.ask("/v1/films/film_tea/credits").json["directors"]?.array == ["A Director"])
    let showtimes = await gateway.ask("/v1/films/film_tea-2004/showtimes?near=37.57,126.97")
    #expect(showtimes.json["data"]?[0]?["showtime"] != nil || showtimes.json["data"]?[0]?["starts_at"] != nil)
    let poster = await gateway.ask("/v1/films/film_tea/poster?w=92&lang=ko")
    #expect(
      poster["content-type"] == "image/svg+xml" && poster.text.contains("녹차의") && poster.text.contains("width=\"92\""))
    #expect(await gateway.ask("/v1/genres?lang=ja").json["data"]?[0]?["name"] == "ドラマ")
    #expect(await gateway.ask("/v1/people/yasujiro-ozu").json["directed"]?.array?.count == 2)
    #expect(await gateway.ask("/v1/people/nobody").status == 404)
  }

  @Test("a picture is told wherever its film is, kept for ever under its name, and stood in for while it is away")
  func posters() async throws {
    let gateway = GatewayFixture { $0.cachesAnswers = false }
    gateway.world.films.films[0].film.poster = "0a1b"
    let id = gateway.world.films.films[0].film.id
    gateway.world.films.picture = PosterPicture(form: .png, bytes: [1, 2, 3], tag: "t1")
    gateway.front.begin()
    defer { gateway.front.end() }
    func told(_ film: JSONValue?) -> String? { film?["poster"]?["url"]?.string }
    let full = await gateway.ask("/v1/films/\(id)")
    #expect(told(full.json) == "/v1/films/\(id)/poster?w=500&v=0a1b" && full.json["poster"]?["h"] == 750)
    #expect(told(await gateway.ask("/v1/films/film_ran-1985").json) == nil)
    // The programme does not say; the catalogue has.
    var programme: [String] = []
    for _ in 0..<100 where programme.isEmpty {
      await Task.yield()
      let near = await gateway.ask("/v1/cinemas/nearby?lat=37.57&lon=126.977&include=showtimes")
      let films = (near.json["data"]?.array ?? []).flatMap { $0["films"]?.array ?? [] }
      programme = films.compactMap { told($0["film"]) }
    }
    #expect(Set(programme) == ["/v1/films/\(id)/poster?w=342&v=0a1b"])
    let named = await gateway.ask("/v1/films/\(id)/poster?w=342&v=0a1b")
    #expect(named["content-type"] == "image/png" && named.body == [1, 2, 3] && named["etag"]?.contains("t1") == true)
    #expect(named["cache-control"]?.contains("immutable") == true)
    let unnamed = await gateway.ask("/v1/films/\(id)/poster")
    #expect(unnamed["cache-control"] == "public, max-age=86400")
    gateway.world.films.picture = nil
    let away = await gateway.ask("/v1/films/\(id)/poster?w=342&v=0a1b")
    #expect(away["content-type"] == "image/svg+xml" && away["cache-control"]?.contains("no-store") == true)
    // What is drawn in its place has the colour that was told for it.
    let colour = full.json["poster"]?["color"]?.string ?? "none"
    #expect(away.text.contains("fill=\"\(colour)\""))
    #expect(full.json["poster"]?["color"] == .string(PosterColours(of: id.text).ground))
  }

  @Test("posters have the colours that the page's style gives them")
  func posterColours() async throws {
    let page = await gateway.ask("/").text
    let start = try #require(page.firstRange(of: "href=\"/s/")?.lowerBound)
    let address = page[start...].dropFirst("href=\"".count).prefix { $0 != "\"" }
    let style = await gateway.ask(String(address)).text
    #expect(style.contains("--paper"))
    for (number, colours) in PosterColours.all.enumerated() {
      #expect(
        style.contains(".c\(number) { --bg: \(colours.ground); --fg: \(colours.ink); --a: \(colours.mark);"),
        "number \(number)")
    }
    #expect(!style.contains(".c\(PosterColours.all.count) {"))
  }

  @Test("an answer that was kept before the catalogue told its pictures is made anew when it has")
  func latePosters() async throws {
    let gateway = GatewayFixture()
    gateway.world.films.films[0].film.poster = "0a1b"
    let path = "/v1/cinemas/nearby?lat=37.57&lon=126.977&include=showtimes"
    func posters() async -> [String] {
      let films = (await gateway.ask(path).json["data"]?.array ?? []).flatMap { $0["films"]?.array ?? [] }
      return films.compactMap { $0["film"]?["poster"]?["url"]?.string }
    }
    #expect(await posters().isEmpty)
    gateway.front.begin()
    defer { gateway.front.end() }
    // Asked all the time, so that an answer without pictures is always kept when they come.
    var told: [String] = []
    for _ in 0..<100 where told.isEmpty {
      await Task.yield()
      told = await posters()
    }
    #expect(!told.isEmpty)
  }
}
