import Calendars
import Clocks
import Contracts
import Gateway
import GatewayFakes
import HTTP
import JSON
import RPC
import Testing

/// Films beyond what plays: lists, home, similar, people, recommendations.
@MainActor
@Suite("Films", .timeLimit(.minutes(5)))
struct FilmFlowTests {
  private let gateway = GatewayFixture()

  private func ids(_ reply: Reply) -> [String] {
    (reply.json["data"]?.array ?? []).compactMap { ($0["film"]?["id"] ?? $0["id"])?.string }
  }

  @Test("a list comes in pages, each film once, with the next showing of those that play")
  func list() async throws {
    var seen: [String] = []
    var target = "/v1/films?genre=drama&limit=4"
    for _ in 0..<2 {
      let reply = await gateway.ask(target)
      seen += ids(reply)
      guard let cursor = reply.json["next_cursor"]?.string else { break }
      #expect(reply["link"]?.contains("rel=\"next\"") == true)
      target = "/v1/films?genre=drama&limit=4&cursor=\(cursor)"
    }
    #expect(seen.count == 6 && Set(seen).count == 6)
    let first = await gateway.ask("/v1/films?limit=1").json["data"]?[0]
    #expect(first?["next_showtime"]?["cinema"] != nil && first?["showtimes"]?.int ?? 0 > 0)
    let other = await gateway.ask("/v1/films?genre=horror&cursor=\(target.split(separator: "=").last ?? "")")
    #expect(other.problem == "invalid-cursor")
  }

  @Test("a genre that no film is of is refused with the one that was meant; a name finds the films of who bears it")
  func genreMeant() async throws {
    // One that a source brought is asked for by the id under which it is listed.
    gateway.world.films.films[0].film.genres = ["시네마 (실험)"]
    gateway.world.films.genres.append(GenreCount(id: "시네마 (실험)", films: 1))
    #expect(await gateway.ask("/v1/genres").text.contains(#""id":"시네마 (실험)""#))
    let asked = PercentEncoding.encode("시네마 (실험)")
    #expect(await gateway.ask("/v1/films?genre=\(asked)").json["data"]?.array?.count == 1)
    for index in 1...2 { gateway.world.films.films[index].film.genres = ["시네마 (실험)"] }
    let row = await gateway.ask("/v1/home").json["data"]?.array?.first { $0["id"] == "genre:시네마 (실험)" }
    #expect(row?["more"] == .string("/v1/films?genre=\(asked)"), "\(String(describing: row))")
    // No address of the page can say it.
    let page = await gateway.ask("/discover?lang=ko").text
    #expect(page.contains("genre=drama") && page.contains("시네마 (실험)</h2>") && !page.contains("genre=시네마"))
    let wrong = await gateway.ask("/v1/films?genre=drama,horrror")
    #expect(wrong.status == 400 && wrong.json["errors"]?[0]?["did_you_mean"] == "horror", "\(wrong.text)")
    #expect(wrong.json["errors"]?[0]?["value"] == "horrror" && wrong.json["errors"]?.array?.count == 1)
    #expect(await gateway.ask("/v1/films?section=classics").json["errors"]?[0]?["did_you_mean"] == "list")
    // A genre of ours that no film happens to be of is a genre.
    #expect(await gateway.ask("/v1/films?genre=western").status == 200)
    gateway.world.films.manners.failures["Genres"] = RPCError(.unavailable, "away", executed: .no)
    gateway.time.advance(by: .seconds(100_000))
    #expect(await gateway.ask("/v1/films?genre=horrrors").status == 200)

    let found = await gateway.ask("/v1/films?q=Ozu")
    #expect(ids(found) == ["film_tokyo-story-1953", "film_late-spring-1949"], "\(found.text)")
    #expect(found.json["hint"]?.string?.contains("with the films of Yasujirō Ozu") == true)
    #expect(await gateway.ask("/v1/films?q=Ran").json["hint"] == nil)
  }

  @Test("with include=reviews_links a film leads to where others write about it, by ids that can be trusted")
  func reviews() async throws {
    let place = try #require(gateway.world.films.films.firstIndex { $0.film.id.text == "film_monster" })
    gateway.world.films.films[place].film.externalIDs = [
      "imdb:tt23736044", "tmdb:1050035", "kobis:2", "imdb:../x", "tmdb:",
    ]
    let page = await gateway.ask("/v1/films/film_monster?include=reviews_links")
    let links = page.json["reviews_links"]?.array?.compactMap { $0["url"]?.string }
    #expect(links?.first == "https://www.imdb.com/title/tt23736044/reviews/", "\(page.text)")
    #expect(links?.last == "https://www.themoviedb.org/movie/1050035/reviews" && links?.count == 2)
    #expect(await gateway.ask("/v1/films/film_monster").json["reviews_links"] == nil)
  }

  @Test("a film's page tells where the showings are that it has no place for; a calendar has them all, or says so")
  func manyShowings() async throws {
    let lantern = try #require(CinemaID("lantern"))
    let day: CivilDate = gateway.world.scraper.today + 3
    let programme = try #require(gateway.world.scraper.days[lantern])
    let model = try #require(programme[day]?.first)
    let film = try #require(model.film)
    func add(_ numbers: Range<Int>) {
      var more: [Showtime] = []
      for number in numbers {
        guard let id = ShowtimeID("show_many_\(number)") else { continue }
        more.append(
          Showtime(
            id: id, cinema: lantern, film: film, title: model.title, startsAt: model.startsAt,
            serviceDate: model.serviceDate, displayTime: model.displayTime, attributes: [], state: .scheduled,
            firstSeen: model.firstSeen, lastSeen: model.lastSeen, revision: 100))
      }
      gateway.world.scraper.days[lantern]?[day]? += more
    }
    func calendar(_ query: String = "") async -> (events: Int, text: String) {
      let text = await gateway.ask("/v1/cinemas/lantern/calendar.ics" + query).text
      return (text.split(separator: "BEGIN:VEVENT").count - 1, text)
    }
    let page = "/v1/films/\(film)?include=showtimes"
    let few = await gateway.ask(page)
    #expect(few.json["hint"] == nil && few["link"] == nil)
    let before = await calendar()
    add(0..<600)
    let many = await gateway.ask(page + "&lang=en")
    #expect(many.json["showtimes"]?.array?.count == 200)
    #expect(many.json["hint"]?.string?.contains("/v1/films/\(film)/showtimes") == true)
    #expect(many["link"] == "</v1/films/\(film)/showtimes>; rel=\"related\"")
    let longer = await calendar("?days=29")
    #expect(longer.events == before.events + 600 && !longer.text.contains("There are more"))
    // One deadline for all pages; what came before one that did not come is told.
    let manners = gateway.world.scraper.manners
    let calls = manners.seen.count
    manners.held = ["FindShowtimes"]
    let exchange = gateway.open("GET", "/v1/cinemas/lantern/calendar.ics?days=27")
    await manners.until { manners.waiting == 1 }
    gateway.time.advance(by: .seconds(1))
    manners.open()
    await manners.until { manners.seen.count == calls + 2 && manners.waiting == 1 }
    #expect(Set(manners.deadlines.suffix(2)).count == 1)
    manners.failure = RPCError(.unavailable, "away")
    manners.open()
    let half = await exchange.reply()
    (manners.held, manners.failure) = ([], nil)
    #expect(half.status == 200 && half.text.contains("DESCRIPTION:The next 500 showings. There are more."))
    #expect(half["X-Odi-Partial"] == "1" && half["ETag"] == nil, "what lacks a page is nothing to keep")
    add(600..<5_000)
    let cut = await calendar("?days=28")
    #expect(cut.events == 5_000 && cut.text.contains("DESCRIPTION:The next 5000 showings. There are more."))
  }

  @Test("half a point is no point, and its sender is told so", arguments: ["/v1/home?", "/v1/search?q=lantern&"])
  func halfAPoint(path: String) async {
    for half in ["lat=37.5", "lon=127"] {
      let reply = await gateway.ask(path + half)
      #expect(reply.status == 200 && reply.json["hint"]?.string?.contains("lat and lon") == true, "\(reply.text)")
    }
    #expect(await gateway.ask(path + "lat=37.5&lon=127").json["hint"] == nil)
  }

  @Test("lists of programmes hold what plays, classics what is old, and words that are none are refused")
  func kinds() async {
    #expect(
      ids(await gateway.ask("/v1/films?list=now_playing")).sorted() == ["film_lighthouse", "film_monster", "film_tea"])
    #expect(ids(await gateway.ask("/v1/films?list=coming_soon")).isEmpty)
    let classics = await gateway.ask("/v1/films?list=classics&year_from=1950&lang=ja")
    #expect(ids(classics) == ["film_tokyo-story-1953", "film_ran-1985"])
    #expect(classics.json["data"]?[0]?["film"]?["title"] == "東京物語")
    let japanese = ids(await gateway.ask("/v1/films?list=classics&country=JP"))
    let small = ids(await gateway.ask("/v1/films?list=classics&country=jp"))
    #expect(japanese.contains("film_ran-1985") && small == japanese)
    let wrong = await gateway.ask("/v1/films?list=clasics&year_to=nine&contry=KR")
    let errors = wrong.json["errors"]?.array ?? []
    #expect(wrong.status == 400 && Set(errors.compactMap { $0["parameter"]?.string }) == ["list", "year_to", "contry"])
    #expect(errors.first { $0["parameter"]?.string == "list" }?["did_you_mean"]?.string == "classics")
  }

  @Test("a list of what plays says which films and cinemas it did not look at")
  func looked() async throws {
    #expect(await gateway.ask("/v1/films?list=now_playing").json["hint"] == nil)
    gateway.world.scraper.show(497)
    #expect(await gateway.ask("/v1/films?list=now_playing&limit=1").json["hint"] == nil)
    gateway.world.scraper.show(1)
    for list in ["now_playing", "last_chance"] {
      let hint = await gateway.ask("/v1/films?list=\(list)&limit=2").json["hint"]?.string
      #expect(hint?.contains("only the 500 films that are shown most were looked at") == true, "\(hint ?? "none")")
    }
    #expect(await gateway.ask("/v1/films?list=classics&limit=2").json["hint"] == nil)
  }

  @Test("twenty cinemas around a place are all that a list looks at, and one more is told as left out")
  func lookedAround() async throws {
    let locator = gateway.world.locator
    let lantern = try #require(locator.cinemas.first)
    func hint(_ cinemas: ClosedRange<Int>, limit: Int) async throws -> String? {
      for number in cinemas {
        var cinema = lantern
        cinema.id = try #require(CinemaID("near-\(number)"))
        locator.cinemas.append(cinema)
      }
      let near = "\(lantern.position.latitude),\(lantern.position.longitude)"
      return await gateway.ask("/v1/films?list=now_playing&near=\(near)&limit=\(limit)").json["hint"]?.string
    }
    // Two are there already.
    #expect(try await hint(3...20, limit: 1) == nil)
    #expect(try await hint(21...21, limit: 2)?.contains("only the nearest 20 cinemas were looked at") == true)
  }

  @Test("home has rows by kind and genre, each film in its own; a row that fails is missing alone")
  func home() async {
    func rows(_ reply: Reply) -> [String] { (reply.json["data"]?.array ?? []).compactMap { $0["id"]?.string } }
    let whole = await gateway.ask("/v1/home?lat=37.57&lon=126.97")
    #expect(rows(whole) == ["near_you", "now_playing", "classics", "genre:drama"])
    #expect(whole.json["missing"] == nil)
    for (language, reason) in [
      ("ko", "10 km 안에서 상영해요"), ("ja", "10 km 以内で上映しています"), ("en", "plays within 10 km of you"),
    ] {
      let told = await gateway.ask("/v1/home?lat=37.57&lon=126.97&lang=\(language)").json["data"]?.array ?? []
      #expect(told.first?["reason"]?.string == reason)
      #expect(told.allSatisfy { ($0["reason"]?.string?.allSatisfy(\.isASCII) == true) == (language == "en") })
    }
    gateway.world.films.manners.failure = RPCError(.unavailable, "away")
    let without = await gateway.ask("/v1/home?lat=37.571&lon=126.97")
    #expect(rows(without) == ["near_you", "now_playing"])
    // Which genres there are is known: each of their rows is missing by itself.
    #expect(without.json["missing"]?.array == ["classics", "genre:drama", "genre:horror"])
    gateway.world.films.manners.failure = nil
    gateway.world.scraper.manners.failure = RPCError(.unavailable, "away")
    let rest = await gateway.ask("/v1/home?lat=37.572&lon=126.97")
    #expect(rows(rest) == ["classics", "genre:drama"])
    gateway.world.films.manners.failure = RPCError(.unavailable, "away")
    #expect(await gateway.ask("/v1/home?lat=37.579&lon=126.9").status == 503)
  }

  @Test("a name that there is not is answered with the one that was meant; not while somebody who may know it is away")
  func meant() async {
    func meant(_ text: String) async -> String? {
      await gateway.ask("/v1/search?q=" + text).json["did_you_mean"]?.string
    }
    let slipped = await gateway.ask("/v1/search?q=tokyo%20stiryy")
    #expect(slipped.json["data"]?.array?.isEmpty == true)
    #expect(slipped.json["did_you_mean"]?.string == "Tokyo Story", "\(slipped.text)")
    #expect(await meant("zzzzzzzz") == nil)
    #expect(await meant("tokyo") == nil)
    gateway.world.locator.manners.failure = RPCError(.unavailable, "away")
    #expect(await meant("tokyo%20stirryy") == nil)
  }

  @Test("a list of films by a name that there is not tells the one that was meant, unless something else is asked for")
  func meantInList() async {
    let slipped = await gateway.ask("/v1/films?q=tokyo%20stiryy")
    #expect(slipped.json["data"]?.array?.isEmpty == true)
    #expect(slipped.json["did_you_mean"]?.string == "Tokyo Story", "\(slipped.text)")
    #expect(await gateway.ask("/v1/films?q=tokyo%20story&year_from=2020").json["did_you_mean"] == nil)
    #expect(await gateway.ask("/v1/films?q=tokyo").json["did_you_mean"] == nil)
  }

  @Test("what a source wants said stands beside its films in lists and rows")
  func credited() async {
    let list = await gateway.ask("/v1/films?genre=drama")
    let films = list.json["data"]?.array?.compactMap { $0["film"] } ?? []
    #expect(films.first { $0["id"] == "film_tea" }?["attribution"] == "told by somebody", "\(list.text)")
    let home = await gateway.ask("/v1/home?lat=37.571&lon=126.976")
    let row = home.json["data"]?.array?.first { $0["id"] == "genre:drama" }
    let told = row?["items"]?.array?.first { $0["film"]?["id"] == "film_tea" }
    #expect(told?["film"]?["attribution"] == "told by somebody")
    #expect(told?["next_showtime"]?["film"]?["attribution"] == nil)
  }

  @Test("the parts of a name are all asked for at once")
  func piecesAtOnce() async {
    let manners = gateway.world.scraper.manners
    manners.held = ["FindFilms"]
    let exchange = gateway.open("GET", "/v1/search?q=tokyo%20stiryy")
    await manners.until { manners.waiting == 1 }
    manners.open()
    await manners.until { manners.waiting == 2 }
    manners.held = []
    manners.open()
    #expect(await exchange.reply().json["did_you_mean"]?.string == "Tokyo Story")
  }

  @Test("a map without what plays says what it lacks, and is kept for nobody")
  func mapInPart() async {
    let whole = await gateway.ask("/v1/cinemas.geojson?bbox=126,37,128,38")
    #expect(whole.json["missing"] == nil && whole["cache-control"]?.contains("max-age") == true)
    gateway.world.scraper.manners.failure = RPCError(.unavailable, "away")
    let part = await gateway.ask("/v1/cinemas.geojson?bbox=126,37,128,39")
    #expect(part.json["missing"]?.array == ["showtimes", "days"])
    #expect(part["cache-control"]?.contains("no-store") == true)
  }

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
      "<dt>Writers</dt><dd>A Writer</dd>", "<dd>81% (2,500 votes)</dd>", "<dt>Budget</dt><dd>$3,000,000</dd>",
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

  @Test("a film is taken out by any id that it was saved by, and saved once by two")
  func olderID() async throws {
    let token = try await gateway.session()
    let year = try #require(gateway.world.scraper.films.first { $0.id.text == "film_tea" }).year ?? 0
    let (today, older) = ("/v1/me/bookmarks/film_tea", "/v1/me/bookmarks/film_tea-\(year)")
    func saved() async -> [String] {
      await gateway.ask("/v1/me/bookmarks", token: token).json["data"]?.array?.compactMap { $0["film_id"]?.string }
        ?? []
    }
    #expect(await gateway.ask("PUT", older, token: token).json["film_id"] == "film_tea")
    #expect(await gateway.ask("PUT", today, token: token).status == 200)
    #expect(await saved() == ["film_tea"])
    #expect(await gateway.ask("DELETE", older, token: token).status == 204)
    #expect(await saved().isEmpty)
    // A second time it is no error.
    #expect(await gateway.ask("DELETE", older, token: token).status == 204)
  }

  @Test("a removal by an older id that is sent again takes out nothing that was saved since")
  func olderIDAgain() async throws {
    let token = try await gateway.session()
    let year = try #require(gateway.world.scraper.films.first { $0.id.text == "film_tea" }).year ?? 0
    let (today, older) = ("/v1/me/bookmarks/film_tea", "/v1/me/bookmarks/film_tea-\(year)")
    let key = ["Idempotency-Key: 1"]
    await gateway.ask("PUT", today, token: token)
    #expect(await gateway.ask("DELETE", older, key, token: token)["idempotent-replayed"] == nil)
    #expect(await gateway.ask("PUT", today, token: token).status == 201)
    let again = await gateway.ask("DELETE", older, key, token: token)
    #expect(again.status == 204 && again["idempotent-replayed"] == "true")
    #expect(await gateway.ask("/v1/me/bookmarks", token: token).json["data"]?.array?.count == 1)
  }

  @Test("taking out what is saved asks nobody but the bookmarks, and works while everybody else is away")
  func deleteAlone() async throws {
    let token = try await gateway.session()
    let (world, film) = (gateway.world, "/v1/me/bookmarks/film_tea")
    #expect(await gateway.ask("PUT", film, token: token).status == 201)
    world.scraper.manners.failure = RPCError(.unavailable, "away")
    world.films.manners.failure = RPCError(.unavailable, "away")
    let asked = (world.scraper.manners.seen.count, world.films.manners.seen.count)
    #expect(await gateway.ask("DELETE", film, token: token).status == 204)
    #expect((world.scraper.manners.seen.count, world.films.manners.seen.count) == asked)
    #expect(await gateway.ask("/v1/me/bookmarks", token: token).json["data"]?.array?.isEmpty == true)
    // What is not there may be saved by another id, which nobody can tell now: still no error.
    #expect(await gateway.ask("DELETE", film, token: token).status == 204)
  }

  @Test("a save that says something wrong is told so before anybody looks what it is about")
  func wrongBeforeUnknown() async throws {
    let token = try await gateway.session()
    for path in ["/v1/me/bookmarks/film_nowhere", "/v1/me/bookmarks/%20", "/v1/me/favourites/station/%20"] {
      let wrong = await gateway.ask("PUT", path, body: #"{"note": 7}"#, token: token)
      #expect(wrong.status == 422, "\(path): \(wrong.status)")
      #expect(await gateway.ask("PUT", path, body: #"{"note": "x"}"#, token: token).status == 404)
    }
  }

  @Test("a search finds what plays once, and what does not, and people")
  func search() async {
    let films = await gateway.ask("/v1/search?q=Ran")
    #expect(ids(films).contains("film_ran-1985"))
    let monster = await gateway.ask("/v1/search?q=%EA%B4%B4%EB%AC%BC&types=film")
    #expect(ids(monster) == ["film_monster"])
    let people = await gateway.ask("/v1/search?q=ozu&types=person")
    #expect(people.json["data"]?[0]?["person"]?["name"] == "Yasujirō Ozu")
    gateway.world.films.manners.failure = RPCError(.unavailable, "away")
    let rest = await gateway.ask("/v1/search?q=%EA%B4%B4%EB%AC%BC&lang=ko")
    #expect(rest.status == 200 && rest.json["missing"]?.array == ["catalogue"])
  }

  @Test("recommendations are about what the user saved and looked at, and say so")
  func recommendations() async throws {
    #expect(await gateway.ask("/v1/me/recommendations").status == 401)
    let token = try await gateway.session()
    let empty = await gateway.ask("/v1/me/recommendations", token: token)
    #expect(empty.json["hint"] != nil && empty.json["data"]?[0]?["reasons"]?[0]?["kind"] == "popular")
    #expect(await gateway.ask("PUT", "/v1/me/bookmarks/film_ran-1985", token: token).status == 201)
    let reply = await gateway.ask("/v1/me/recommendations?explain=true&limit=3", token: token)
    #expect(reply.json["data"]?.array?.count == 3 && !ids(reply).contains("film_ran-1985"))
    let reason = reply.json["data"]?[0]?["reasons"]?[0]
    #expect(reason?["film_id"] == "film_ran-1985" && reason?["saved"] == true && reason?["share"] == 1)
    #expect(reply["cache-control"]?.contains("no-store") == true)
    // A film that does not play is saved by the catalogue's word, and shown with it.
    let saved = await gateway.ask("/v1/me/bookmarks?include=film,next_showtime", token: token)
    #expect(saved.json["data"]?[0]?["film"]?["title"] == "Ran")
  }
}
