import Clocks
import Contracts
import Gateway
import GatewayFakes
import JSON
import RPC
import Testing

/// What a film is called: as cinemas print it, as the catalogue knows it, in the reader's language.
@MainActor
@Suite("Titles of films", .timeLimit(.minutes(5)))
struct FilmTitleTests {
  private let gateway = GatewayFixture()

  /// A film that its cinemas print in Korean, and some in English.
  private func printMonster() throws {
    let world = gateway.world
    let index = try #require(world.scraper.films.firstIndex { $0.id.text == "film_monster" })
    world.scraper.films[index].title = "괴물"
    world.scraper.films[index].titles = [FilmTitle(language: "en", text: "Monster")]
  }

  /// Films of which only the catalogue has the Japanese title.
  private func nameAll() {
    let world = gateway.world
    for index in world.scraper.films.indices {
      world.scraper.films[index].title = "괴물 \(index)"
      world.scraper.films[index].titles = nil
    }
    for index in world.films.films.indices {
      world.films.films[index].film.titles = [FilmTitle(language: "ja", text: "怪物")]
    }
  }

  @Test("what plays has the reader's title where the catalogue knows one, and the printed one beside it")
  func titles() async throws {
    let world = gateway.world
    try printMonster()
    let place = try #require(world.films.films.firstIndex { $0.film.id.text == "film_monster" })
    world.films.films[place].film.titles = [FilmTitle(language: "ja", text: "怪物")]

    func film(_ path: String) async -> JSONValue? {
      func find(_ value: JSONValue) -> JSONValue? {
        if value["id"]?.string == "film_monster", value["type"] == nil { return value }
        if let list = value.array { return list.lazy.compactMap(find).first }
        return value.object?.lazy.compactMap { find($0.value) }.first
      }
      return find(await gateway.ask(path).json)
    }
    for path in [
      "/v1/cinemas/nearby?lat=37.57&lon=126.97&include=showtimes", "/v1/cinemas/lantern/showtimes?",
      "/v1/showtimes?cinema=lantern", "/v1/tonight?lat=37.57&lon=126.97&within_min=720",
      "/v1/home?lat=37.57&lon=126.97", "/v1/search?q=%EA%B4%B4%EB%AC%BC", "/v1/films/film_monster?",
    ] {
      let told = await film(path + "&lang=ja")
      #expect(told?["title"] == "怪物" && told?["printed_title"] == "괴물", "\(path): \(told as Any)")
      let own = await film(path + "&lang=ko")
      #expect(own?["title"] == "괴물" && own?["printed_title"] == nil, "\(path): \(own as Any)")
    }
    let page = await gateway.ask("/?lang=ja").text
    #expect(page.contains(">怪物</a>") && page.contains(#"<span class="orig" lang="ko">괴물</span>"#))
  }

  @Test("titles that the catalogue did not tell are asked for again after a rest; until then they are as printed")
  func titlesAway() async throws {
    let world = gateway.world
    nameAll()
    var turn = 0
    func title() async -> String? {
      // Each asks anew: coordinates of their own are kept for nobody.
      turn += 1
      let path = "/v1/cinemas/nearby?lat=37.5701\(turn)&lon=126.97&limit=1&include=showtimes&lang=ja"
      return await gateway.ask(path).json["data"]?[0]?["films"]?[0]?["film"]?["title"]?.string
    }
    func asks() -> Int { world.films.manners.seen.count { $0 == "CatalogueFilms" } }
    world.films.manners.failure = RPCError(.unavailable, "away")
    #expect(await title()?.hasPrefix("괴물") == true)
    let asked = asks()
    #expect(await title()?.hasPrefix("괴물") == true)
    #expect(asks() == asked)
    world.films.manners.failure = nil
    gateway.time.advance(by: .seconds(6))
    #expect(await title() == "怪物")
  }

  @Test("an answer without the catalogue's titles is kept for nobody")
  func untitledAnswers() async throws {
    let world = gateway.world
    nameAll()
    let showing = try #require(
      await gateway.ask("/v1/showtimes?cinema=lantern&limit=1").json["data"]?[0]?["id"]?.string)
    let paths = [
      "/v1/cinemas/nearby?lat=37.57&lon=126.97&include=showtimes", "/v1/cinemas/lantern/showtimes?",
      "/v1/showtimes?cinema=lantern", "/v1/showtimes/\(showing)?", "/v1/tonight?lat=37.57&lon=126.97&within_min=720",
      "/v1/home?lat=37.57&lon=126.97", "/v1/search?q=%EA%B4%B4%EB%AC%BC", "/v1/films/film_monster?include=showtimes",
      "/v1/showtimes/\(showing)/dinner?", "/feeds/new.atom?",
    ]
    world.scraper.since = [FilmID("film_monster")!: gateway.time.wall]
    world.films.manners.failure = RPCError(.unavailable, "away")
    for path in paths {
      let reply = await gateway.ask(path + "&lang=ja")
      #expect(reply.status == 200 && !reply.text.contains("怪物"), "\(path): \(reply.status)")
      #expect(reply["cache-control"]?.contains("no-store") == true, "\(path): \(reply["cache-control"] ?? "")")
    }
    world.films.manners.failure = nil
    gateway.time.advance(by: .seconds(6))
    for path in paths {
      let reply = await gateway.ask(path + "&lang=ja")
      #expect(reply.text.contains("怪物"), "\(path): \(reply.text.prefix(300))")
    }
  }

  @Test("what only another cinema calls a film is not told beside this one's showings")
  func printed() async throws {
    let world = gateway.world
    try printMonster()
    func film(printing title: String) async -> JSONValue? {
      for (cinema, days) in world.scraper.days {
        for (date, shows) in days {
          world.scraper.days[cinema]?[date] = shows.map { show in
            var show = show
            if show.film?.text == "film_monster" { show.title = title }
            return show
          }
        }
      }
      // What was answered is kept for whoever asks the same.
      let path = "/v1/showtimes?cinema=lantern&film=film_monster&lang=en&limit=\(title.utf8.count)"
      let answer = await gateway.ask(path).json
      return answer["data"]?[0]?["film"]
    }
    #expect(await film(printing: "괴물 (자막)")?["printed_title"] == "괴물")
    let other = await film(printing: "Monster + Q&A")
    #expect(other?["title"] == "Monster" && other?["printed_title"] == nil)
  }
}
