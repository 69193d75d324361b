import Calendars
import Clocks
import Contracts
import Gateway
import GatewayFakes
import HTTP
import JSON
import RPC
import Testing

/// Films beyond what plays: lists, home, searches, recommendations.
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
