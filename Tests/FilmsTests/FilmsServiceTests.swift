import Clocks
import Contracts
import EventLoops
import Films
import HTTP
import JSON
import Observability
import RPC
import RPCTransport
import ServiceKit
import ServiceTestKit
import TestKit
import Testing

/// The whole service, with its database, asked over its unix socket.
@Suite("Films")
@MainActor
struct FilmsServiceTests {
  @Test("an empty catalogue begins with the films that we know, unless it is told not to")
  func starter() async throws {
    try await running { rig, client in
      let answer1 = try await client.call(ListCatalogue(limit: 1))
      #expect(answer1.total > 500)
      #expect(await rig.command("seed", "--json").output == #"{"added":0}"# + "\n")
      #expect(await rig.command("lint").code == .done)
    }
    try await running(["starter": "false"]) { _, client in
      let answer2 = try await client.call(ListCatalogue(limit: 1))
      #expect(answer2.total == 0)
    }
  }

  @Test("answers its contracts")
  func contracts() async throws {
    try await running { _, client in
      let ids: [FilmID] = [.named("film_ran-1985"), .named("nobody"), .named("film_m-1931")]
      let films = try await client.call(CatalogueFilms(ids: ids))
      #expect(films.map(\.film.film.title) == ["Ran", "M"])
      let similar = try await client.call(SimilarFilms(film: .named("film_late-spring-1949"), limit: 5))
      #expect(similar.count == 5 && similar.allSatisfy { $0.film.film.directors == ["Yasujirō Ozu"] })
      #expect(similar[0].reasons.first?.kind == .director && similar[0].reasons.first?.word == "Yasujirō Ozu")
      let liked = [LikedFilm(id: .named("film_parasite-2019"), weight: 1)]
      let recommended = try await client.call(RecommendFilms(history: liked, limit: 10))
      #expect(recommended.count == 10 && recommended.allSatisfy { $0.film.film.id.text != "film_parasite-2019" })
      #expect(recommended.first?.reasons.first?.film?.title == "Parasite")
      let answer3 = try await client.call(Genres())
      #expect(answer3.first?.id == "drama")
      let person = try await client.call(PersonByID(id: PersonID("agnes-varda")!))
      #expect(person.directed.map(\.film.year) == person.directed.map(\.film.year).sorted { $0 ?? 0 > $1 ?? 0 })
    }
  }

  @Test("what a session is shown is told with what it goes by: what it saved, and for less what it looked at")
  func session() async throws {
    let bookmarks = RPCRouter(service: BookmarksAPI.name)
    bookmarks.on(ListItems.self) { (request: ListItems, _: borrowing CallContext) throws(RPCError) in
      guard request.user.text == "user_a" else { throw RPCError(.notFound, "nobody") }
      let saved = SavedItem(kind: .film, id: "film_parasite-2019", savedAt: WallTime(milliseconds: 0), revision: 1)
      return ItemPage(items: [saved], revision: 1)
    }
    bookmarks.on(ListViews.self) { (_: ListViews, _: borrowing CallContext) in
      ["film_parasite-2019", "film_burning-2018"].map { View(kind: .film, id: $0) }
    }
    let server = RPCServer(bookmarks, time: EventLoop.time)
    try await running { rig, client in
      _ = try server.listen(on: rig.environment.data.adminSocket(of: "bookmarks"))
      let told = await rig.command("recommend", "user_a", "--explain", "--json")
      #expect(told.code == .done, "\(told.errors)")
      #expect(told.errors.contains("gone by film_parasite-2019, weight 1.0\ngone by film_burning-2018, weight 0.3\n"))
      let liked = [("film_parasite-2019", 1), ("film_burning-2018", 0.3)].map { LikedFilm(id: .named($0), weight: $1) }
      let asked = try await client.call(RecommendFilms(history: liked, limit: 10))
      let shown = try JSONValue(parsing: told.output)
      #expect(shown["data"]?.array?.compactMap { $0["id"]?.string } == asked.map(\.film.film.id.text))
      #expect(await rig.command("recommend", "user_a", "--explain").output.contains(" %)"))
      #expect(!(await rig.command("recommend", "film_parasite-2019").output.contains(" %)")))
      #expect(await rig.command("recommend", "user_b").code == .notFound)
    }
    await server.drain()
    try await running { rig, _ in
      #expect(await rig.command("recommend", "user_a").errors.contains("bookmarks do not answer"))
    }
  }

  @Test("what makes no sense is refused with a sentence")
  func refused() async throws {
    try await running { _, client in
      func refusal<Request: RPCRequest>(_ request: Request) async -> String where Request.Service == FilmsAPI {
        do throws(RPCError) {
          _ = try await client.call(request)
          return "answered"
        } catch {
          return "\(error.code) \(error.message)"
        }
      }
      let id = FilmID.named("x")
      #expect(await refusal(ListCatalogue(limit: 501)).contains("limit is 501; ask for 1...500"))
      #expect(await refusal(ListCatalogue(after: "-1", limit: 1)).contains("after is no place"))
      #expect(await refusal(SearchCatalogue(text: String(repeating: "x", count: 501), limit: 1)).contains("shorten it"))
      #expect(await refusal(CatalogueFilms(ids: Array(repeating: id, count: 501))).contains("at most 500"))
      #expect(await refusal(SimilarFilms(film: id, limit: 1)).contains("no film has the id x"))
      #expect(await refusal(PersonByID(id: PersonID("x")!)).contains("nobody has the id x"))
      let endless = [LikedFilm(id: id, weight: .infinity)]
      #expect(await refusal(RecommendFilms(history: endless, limit: 1)).contains("a weight is no number"))
    }
  }

  @Test("an import completes what is there, adds what is not, and a second one changes nothing")
  func importing() async throws {
    try await running { rig, client in
      let folder = try TemporaryFolder()
      let file = try folder.write(FormatTests.tmdb, to: "film.json")
      let dry = await rig.command("import", file, "--dry-run", "--tsv")
      #expect(dry.code == .done && dry.errors.contains("0 added · 1 changed"))
      #expect(await rig.command("import", file).errors.contains("0 added · 1 changed"))
      #expect(await rig.command("import", file).errors.contains("0 added · 0 changed · 1 unchanged"))
      // It is the film that was there: both ids lead to it, and what TMDb does not say stays.
      let both = try await client.call(
        CatalogueFilms(ids: [.named("film_tmdb-843"), .named("film_in-the-mood-for-love-2000")]))
      #expect(both.count == 2 && both[0].film == both[1].film)
      #expect(both[0].film.film.titles?.contains { $0.language == "zh" } == true && both[0].film.score == 8.1)
      let bad = try folder.write("title,year\nOne,1999\nTwo,x\n", to: "bad.csv")
      let partial = await rig.command("import", bad)
      #expect(partial.code == .partial && partial.errors.contains("bad.csv:3: year is x"))
    }
  }

  @Test("what was merged is found by every id for ever, and can be taken apart again")
  func merging() async throws {
    let folder = try TemporaryFolder()
    try await running(folder: folder) { rig, client in
      #expect(await rig.command("add", "--title-en", "Ran (again)", "--year", "1985").code == .done)
      let (kept, lost) = (FilmID.named("film_ran-1985"), FilmID.named("film_ran-again-1985"))
      #expect(await rig.command("merge", kept.text, lost.text).code == .done)
      let film4 = try await client.entry(lost.text)
      #expect(film4?.film.id == kept)
      #expect(await rig.command("merge", kept.text, lost.text).code == .notFound)
      #expect(await rig.command("split", lost.text).code == .done)
      let film5 = try await client.entry(lost.text)
      #expect(film5?.film.title == "Ran (again)")
      let film6 = try await client.entry(kept.text)
      #expect(film6?.otherIDs == nil)
      // A second time there is nothing to take apart, and nothing changes.
      let before = try await client.call(ListCatalogue(limit: 1))
      #expect(await rig.command("split", lost.text).code == .notFound)
      let after = try await client.call(ListCatalogue(limit: 1))
      #expect(after.total == before.total)
      #expect(await rig.command("merge", kept.text, lost.text).code == .done)
    }
    try await running(folder: folder) { rig, client in
      let film7 = try await client.entry("film_ran-again-1985")
      #expect(film7 != nil)
      #expect(await rig.command("history", "film_ran-1985", "--tsv").output.contains("merged"))
    }
  }

  @Test("what a title was taught to mean is listed, and can be forgotten")
  func taught() async throws {
    try await running { rig, client in
      let printed = PrintedFilm(title: "신작 시사회")
      @MainActor func meaning() async throws -> String? {
        try await client.call(MatchTitles(titles: [printed], limit: 1)).first?.film?.text
      }
      #expect(await rig.command("alias", "add", printed.title, "film_monster-2023").code == .done)
      let before = try await meaning()
      #expect(before == "film_monster-2023")
      #expect(await rig.command("alias", "list", "--tsv", "--fields", "film").output == "film\nfilm_monster-2023\n")
      #expect(await rig.command("alias", "rm", "[신작] 시사회!").code == .done)
      let after = try await meaning()
      #expect(after == nil)
      #expect(await rig.command("alias", "rm", printed.title).code == .notFound)
      let history = await rig.command("history", "film_monster-2023", "--tsv", "--fields", "kind")
      #expect(history.output == "kind\nforgotten\ntaught\nadded\n")
    }
  }

  @Test("an edit leaves titles in other languages as they are")
  func edited() async throws {
    try await running { rig, client in
      let film = try await client.entry("film_2046-2004")
      let titles = try #require(film?.film.titles)
      #expect(titles.contains { $0.language == "zh" })
      _ = await rig.command("edit", "film_2046-2004", "--other-titles", "fr:2046 (fr)")
      #expect(await rig.command("edit", "film_2046-2004", "--runtime-min", "129").code == .done)
      let after = try await client.entry("film_2046-2004")
      #expect(after?.film.titles == titles + [FilmTitle(language: "fr", text: "2046 (fr)")])
    }
  }

  @Test("the history of one film is found under all its ids, page by page")
  func history() async throws {
    try await running { rig, _ in
      for minutes in ["1", "2", "3"] {
        _ = await rig.command("edit", "film_ran-1985", "--runtime-min", minutes)
        _ = await rig.command("edit", "film_m-1931", "--runtime-min", minutes)
      }
      _ = await rig.command("add", "--title-en", "Ran (again)", "--year", "1985")
      _ = await rig.command("merge", "film_ran-1985", "film_ran-again-1985")
      @MainActor func lines(_ words: String...) async -> [Substring] {
        await rig.command(["history"] + words + ["--tsv", "--fields", "revision,film,kind"]).output
          .split(separator: "\n").dropFirst().map { $0 }
      }
      let all = await lines("film_ran-again-1985")
      #expect(all.count == 6 && all.allSatisfy { $0.contains("film_ran") })
      let two = await lines("film_ran-1985", "-n", "2")
      #expect(two == Array(all.prefix(2)))
      let rest = await lines("film_ran-1985", "--before", String(two.last?.prefix { $0 != "\t" } ?? ""))
      #expect(rest == Array(all.dropFirst(2)))
    }
  }

  @Test("a change is taken back by its revision, whatever it was")
  func undo() async throws {
    try await running { rig, client in
      func newest() async -> String {
        await rig.command("history", "-n", "1", "--tsv", "--fields", "revision").output
          .split(separator: "\n").last.map(String.init) ?? ""
      }
      #expect(await rig.command("edit", "film_ran-1985", "--runtime-min", "1").code == .done)
      #expect(await rig.command("undo", newest()).code == .done)
      let film8 = try await client.entry("film_ran-1985")
      #expect(film8?.film.runtimeMinutes == 162)
      #expect(await rig.command("rm", "film_ran-1985", "--yes").code == .done)
      #expect(await rig.command("get", "film_ran-1985").code == .notFound)
      #expect(await rig.command("undo", newest()).code == .done)
      #expect(await rig.command("get", "film_ran-1985").code == .done)
      #expect(await rig.command("undo", "999999").code == .notFound)
    }
  }

  @Test("an id that came after a change stays when the change is taken back")
  func undoKeepsIDs() async throws {
    try await running { rig, client in
      #expect(await rig.command("edit", "film_ran-1985", "--runtime-min", "1").code == .done)
      let newest = await rig.command("history", "-n", "1", "--tsv", "--fields", "revision").output
      let revision = newest.split(separator: "\n").last.map(String.init) ?? ""
      #expect(await rig.command("add", "--title-en", "Ran (again)", "--year", "1985").code == .done)
      #expect(await rig.command("merge", "film_ran-1985", "film_ran-again-1985").code == .done)
      #expect(await rig.command("undo", revision).code == .done)
      let film = try await client.entry("film_ran-again-1985")
      #expect(film?.film.id.text == "film_ran-1985" && film?.film.runtimeMinutes == 162)
      #expect(await rig.command("undo", revision).code == .notFound)
    }
  }

  @Test("a model that is there and cannot be read is told in the log, and films are found without it")
  func unreadableModel() async throws {
    let folder = try TemporaryFolder()
    // A folder in the place of the file.
    _ = try folder.write("", to: "films.model/empty")
    try await running(folder: folder) { rig, client in
      #expect(rig.log.lines.contains { $0.contains("the model cannot be read") })
      let similar = try await client.call(SimilarFilms(film: .named("film_late-spring-1949"), limit: 5))
      #expect(similar.count == 5)
    }
  }

  @Test("a title that no matching would find is taught")
  func teaching() async throws {
    try await running { rig, client in
      let title = "고레에다 감독전 개막작"
      #expect(await rig.command("match", title).code == .notFound)
      #expect(await rig.command("alias", "add", title, "film_monster-2023").code == .done)
      let match = try await client.call(MatchTitles(titles: [PrintedFilm(title: title)], limit: 3)).first
      #expect(match?.film?.text == "film_monster-2023")
      #expect(match?.candidates.first?.parts.contains { $0.name == "taught" } == true)
    }
  }

  @Test("whoever follows the catalogue hears of each change")
  func changes() async throws {
    try await running { rig, client in
      var changes = try await client.stream(CatalogueChanges()).makeAsyncIterator()
      let first = try #require(try await changes.next())
      #expect(await rig.command("edit", "film_ran-1985", "--synopsis", "A king divides his land.").code == .done)
      let next = try #require(try await changes.next())
      #expect(next.revision > first.revision)
    }
  }

  @Test("only an administrator may change the catalogue")
  func administrators() async throws {
    try await running { rig, _ in
      let server = try #require(rig.parts.compactMap { $0 as? CallServer }.first)
      let client = ServiceClient(of: FilmsAPI.self, at: [.address(try #require(server.address))])
      await #expect { @MainActor in
        try await client.call(PutFilms(films: [], editor: "x"))
      } throws: { error in (error as? RPCError)?.code == .permissionDenied }
    }
  }
}

/// Films that cinemas show.
@Suite("Films of programmes")
@MainActor
struct AdoptionTests {
  private let dtryx = Film(
    id: .named("film_abc"), title: "라쇼몽", titles: [FilmTitle(language: "en", text: "Rashomon")], year: 1950,
    runtimeMinutes: 88, countries: ["일본"], genres: ["드라마"], directors: ["구로사와 아키라"], synopsis: "네 사람의 이야기.",
    externalIDs: ["dtryx:900102"], isDemo: true)
  private let unknown = Film(id: .named("film_new"), title: "달밤", year: 2026, genres: ["스릴러"], isDemo: true)

  private func running(
    _ programme: Programme, folder: TemporaryFolder? = nil,
    _ body: (ServiceRig, any RPCClient<FilmsAPI>) async throws -> Void
  ) async throws {
    try await FilmsTests.running(["scraper": "\(programme.address)"], folder: folder, body)
    await programme.end()
  }

  @Test("a film that plays goes by the id of its showings, and its own leads to it")
  func adopted() async throws {
    let programme = try Programme()
    programme.films = [dtryx, unknown]
    try await running(programme) { rig, client in
      _ = await rig.command("adopt")
      let ids: [FilmID] = [.named("film_rashomon-1950"), .named("film_abc"), .named("film_new")]
      let films = try await client.call(CatalogueFilms(ids: ids))
      #expect(films.map(\.film.film.id.text) == ["film_abc", "film_abc", "film_new"])
      // What is known stays; what was not is added.
      #expect(films[0].film.film.title == "Rashomon" && films[0].film.film.directors == ["Akira Kurosawa"])
      #expect(films[0].film.film.synopsis == "네 사람의 이야기." && films[2].film.film.genres == ["thriller"])
      #expect(await rig.command("unmatched", "--tsv", "--fields", "id").output == "id\nfilm_new\n")
      #expect(await rig.command("adopt").errors.contains("nothing is new"))
    }
  }

  @Test("an id that was imported is a programme's once a showing carries it, though nothing else is new")
  func marked() async throws {
    let programme = try Programme()
    let known = Film(id: .named("film_told"), title: "달밤", year: 2026, genres: ["thriller"], isDemo: true)
    try await running(programme) { rig, client in
      _ = try await client.call(PutFilms(films: [CatalogueFilm(film: known)], editor: "a test"))
      programme.films = [known]
      _ = await rig.command("adopt")
      #expect(await rig.command("unmatched", "--tsv", "--fields", "id").output == "id\nfilm_told\n")
    }
  }

  @Test("a film that turned out to be another leads to it, and stays so after a restart")
  func merged() async throws {
    let folder = try TemporaryFolder()
    let programme = try Programme()
    programme.films = [dtryx, unknown]
    try await running(programme, folder: folder) { rig, client in
      _ = await rig.command("adopt")
      programme.films = [dtryx]
      programme.merged = [unknown.id: dtryx]
      _ = await rig.command("adopt")
      let film9 = try await client.entry(unknown.id.text)
      #expect(film9?.film.id == dtryx.id)
    }
    let later = try Programme()
    try await running(later, folder: folder) { _, client in
      let film10 = try await client.entry(unknown.id.text)
      #expect(film10?.film.id == dtryx.id)
    }
  }

  @Test("what an operator changed, removed or split stays when everything is told again")
  func toldAgain() async throws {
    let folder = try TemporaryFolder()
    let programme = try Programme()
    let flags = ["scraper": "\(programme.address)"]
    let edited = Film(id: .named("film_edited"), title: "새벽", year: 2026, runtimeMinutes: 90, isDemo: true)
    let removed = Film(id: .named("film_removed"), title: "한낮", year: 2026, isDemo: true)
    programme.films = [dtryx, unknown, edited, removed]
    try await FilmsTests.running(flags, folder: folder) { rig, _ in
      _ = await rig.command("adopt")
      programme.films = [dtryx, edited, removed]
      programme.merged = [unknown.id: dtryx]
      _ = await rig.command("adopt")
      #expect(await rig.command("edit", edited.id.text, "--runtime-min", "95").code == .done)
      #expect(await rig.command("rm", removed.id.text, "--yes").code == .done)
      #expect(await rig.command("split", unknown.id.text).code == .done)
    }
    try await FilmsTests.running(flags, folder: folder) { rig, client in
      @MainActor func isAsLeft() async throws -> Bool {
        let (gone, split) = (try await client.entry(removed.id.text), try await client.entry(unknown.id.text))
        return gone == nil && split?.film.id == unknown.id && split?.film.title == unknown.title
      }
      _ = await rig.command("adopt")
      let minutes = try await client.entry(edited.id.text)?.film.runtimeMinutes
      #expect(minutes == 95)
      let again = try await isAsLeft()
      #expect(again)
      // News is taken up, and of these films alone.
      programme.films[0].posterURL = "https://platform.example/p/900102.jpg"
      programme.merged[unknown.id] = programme.films[0]
      programme.films[1].runtimeMinutes = 100
      _ = await rig.command("adopt")
      let news = try await client.call(CatalogueFilms(ids: [dtryx.id, edited.id])).map(\.film.film)
      #expect(news.first?.posterURL == programme.films[0].posterURL && news.last?.runtimeMinutes == 100)
      let still = try await isAsLeft()
      #expect(still)
    }
    await programme.end()
  }

  @Test("what plays is taken up page by page, and asked for no more than it changes")
  func pages() async throws {
    let programme = try Programme()
    programme.page = 2
    programme.films = (0..<5).map { Film(id: .named("film_p\($0)"), title: "상영작 \($0)", year: 2026) }
    try await running(programme) { rig, client in
      _ = await rig.command("adopt")
      let found = try await client.call(CatalogueFilms(ids: programme.films.map(\.id)))
      #expect(found.count == 5)
      programme.films.append(unknown)
      _ = await rig.command("adopt")
      #expect(programme.marks.last == "5")
      let new = try await client.entry(unknown.id.text)
      #expect(new != nil)
    }
  }

  @Test("an id that led to a film before it was heard of leads to it here, and the film follows its programme")
  func earlier() async throws {
    let programme = try Programme()
    programme.films = [unknown]
    programme.merged = [.named("film_old"): unknown]
    try await running(programme) { rig, client in
      _ = await rig.command("adopt")
      programme.films[0].runtimeMinutes = 91
      programme.merged[.named("film_old")]?.runtimeMinutes = 91
      _ = await rig.command("adopt")
      let film = try await client.entry("film_old")
      #expect(film?.film.id == unknown.id && film?.film.runtimeMinutes == 91)
    }
  }

  @Test("a scraper that does not answer is told once, and once when it does again")
  func unanswered() async throws {
    let programme = try Programme()
    programme.failure = RPCError(.unavailable, "not now", executed: .no)
    let time = ManualTime()
    try await ServiceRig.run(
      FilmsService.program, flags: ["scraper": "\(programme.address)", "starter": "false"], time: time
    ) { rig in
      @MainActor func told(_ text: String) -> Int { rig.log.lines.count { $0.contains(text) } }
      var asked = Int.max
      while programme.marks.count < asked {
        // Each question is put more than once; ten more after it was told are some failures.
        if asked == .max, told("programmes are not taken up") > 0 { asked = programme.marks.count + 10 }
        time.advance(by: .seconds(2))
        // A turn of the loop, in which sockets are read.
        await Background.run {}
      }
      #expect(told("programmes are not taken up") == 1)
      programme.failure = nil
      while told("programmes are taken up again") == 0 {
        time.advance(by: .seconds(2))
        // A turn of the loop, in which sockets are read.
        await Background.run {}
      }
      #expect(told("programmes are not taken up") == 1)
    }
    await programme.end()
  }

  @Test("a film that only its programme knows follows what the programme says")
  func followed() async throws {
    let programme = try Programme()
    programme.films = [unknown]
    try await running(programme) { rig, client in
      _ = await rig.command("adopt")
      programme.films[0].title = "달밤 (완전판)"
      programme.films[0].runtimeMinutes = 91
      _ = await rig.command("adopt")
      let film = try await client.call(CatalogueFilms(ids: [unknown.id])).first?.film.film
      #expect(film?.title == "달밤 (완전판)" && film?.runtimeMinutes == 91)
    }
  }
}

/// The Movie Database, as its documentation describes it.
@Suite("TMDb")
@MainActor
struct TMDbTests {
  /// As long as a key of the kind that goes into the header; one letter repeated would be taken for a placeholder.
  private static let key = String(repeating: "0123456789abcdef", count: 4)

  private func running(
    key: String?, _ body: (ServiceRig, any RPCClient<FilmsAPI>) async throws -> Void
  ) async throws {
    var router = HTTPRouter()
    router.get("/3/search/movie", query: ["query", "year"]) { request in
      guard request["authorization"] == "Bearer " + Self.key else { return Self.refused }
      return .json(Array(#"{"page":1,"results":[{"id":843},{"id":404}],"total_results":2}"#.utf8))
    }
    router.get("/3/movie/{number}", query: ["append_to_response"]) { (request, number: String) in
      switch number {
      case "843": .json(Array(FormatTests.tmdb.utf8))
      case "1": Self.refused
      case "2": Self.overQuota
      case "3": .json(Array(#"{"id":3,"title":"Cut o"#.utf8))
      case "4": .json(Array("[1,2]".utf8))
      case "5": .json(Array("{}".utf8))
      case "6": .json(Array(#"{"id":6,"title":"Odd","runtime":"long","release_date":"soon","poster_path":7}"#.utf8))
      default: .json(Array(#"{"success":false,"status_code":34,"status_message":"Not here."}"#.utf8), .notFound)
      }
    }
    let server = HTTPServer(router: router, time: EventLoop.time)
    let address = try server.listen(on: .loopback())
    let folder = try TemporaryFolder()
    var flags = ["tmdb-url": "http://\(address)/", "starter": "false"]
    if let key { flags["tmdb-key-file"] = try folder.writeSecret(key, to: "key") }
    try await FilmsTests.running(flags, body)
    await server.drain()
  }

  private static var overQuota: HTTPResponse {
    var answer = HTTPResponse.json(
      Array(#"{"success":false,"status_code":25,"status_message":"Your request count is over the limit."}"#.utf8),
      .tooManyRequests)
    answer.fields = [HTTPField("Retry-After", "7")]
    return answer
  }

  private static let refused = HTTPResponse.json(
    Array(
      #"{"success":false,"status_code":7,"status_message":"Invalid API key: You must be granted a valid key."}"#.utf8),
    .unauthorized)

  @Test("a film is fetched by its number, once, with its credit")
  func fetched() async throws {
    try await running(key: Self.key) { rig, client in
      let result = await rig.command("fetch", "843")
      #expect(result.code == .done && result.errors.contains("TMDB API"), "\(result.errors)")
      let film = try await client.call(CatalogueFilms(ids: [.named("film_tmdb-843")])).first?.film
      #expect(film?.film.originalTitle == "花樣年華" && film?.credit == TMDbDocument.credit)
      #expect(await rig.command("fetch", "843", "--tsv").output.split(separator: "\n").count == 1)
    }
  }

  @Test("what goes wrong there is said, and the key is not")
  func failures() async throws {
    try await running(key: Self.key) { rig, _ in
      let missing = await rig.command("fetch", "404")
      #expect(missing.code == .notFound && missing.errors.contains("Not here."))
      let refused = await rig.command("fetch", "1")
      #expect(refused.errors.contains("TMDb does not take the key"))
      // The search leads to a film that is not there.
      #expect(await rig.command("fetch", "--search", "mood").code == .notFound)
      // A quota, what is cut off, what is no film: each is told as what it is, and nothing of it is stored.
      let quota = await rig.command("fetch", "2")
      #expect(quota.code != .done && quota.errors.contains("try again in 7 s: Your request count"), "\(quota.errors)")
      for number in ["3", "4"] {
        let broken = await rig.command("fetch", number)
        #expect(broken.code != .done && broken.errors.contains("TMDb's answer is no JSON object"), "\(broken.errors)")
      }
      let empty = await rig.command("fetch", "5")
      #expect(empty.code != .done && empty.errors.contains("TMDb film 5: its answer has no title"), "\(empty.errors)")
      #expect(await rig.command("list", "--tsv", "--fields", "id").output.contains("film_") == false)
      // What is odd in a record is left out of it, and told.
      let odd = await rig.command("fetch", "6")
      #expect(odd.errors.contains("released_on is soon"), "\(odd.errors)")
      #expect(await rig.command("get", "film_tmdb-6", "--json").output.contains(#""title":"Odd""#))
      #expect(![missing.errors, refused.errors, rig.log.lines.joined()].contains { $0.contains(Self.key) })
    }
    try await running(key: nil) { rig, _ in
      let result = await rig.command("fetch", "843")
      #expect(result.errors.contains("--tmdb-key-file"))
    }
  }
}
