import Calendars
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
      #expect(await rig.command("seed", "--json").output == #"{"added":0,"completed":0}"# + "\n")
      #expect(await rig.command("lint").code == .done)
    }
    try await running(["starter": "false"]) { _, client in
      let answer2 = try await client.call(ListCatalogue(limit: 1))
      #expect(answer2.total == 0)
    }
  }

  @Test("what scripts read of its answers is there, by its name and of its kind")
  func golden() async throws {
    try await running { rig, _ in
      let broken = try await rig.broken(
        "films",
        [
          ("status", ["status"]), ("list", ["list"]), ("get", ["get", "film_ran-1985"]), ("search", ["search", "ran"]),
          ("match", ["match", "Ran"]), ("history", ["history", "film_ran-1985"]),
        ])
      #expect(broken == [])
    }
  }

  @Test("seed completes a film that is there with what we know of it since, and leaves alone what somebody said")
  func completed() async throws {
    try await running(["starter": "false"]) { rig, client in
      let file = try rig.folder.write(
        "id,title,year,genres\nfilm_ran-1985,Ran,1985,war\nfilm_m-1931,M,1931,\n", to: "films.csv")
      #expect(await rig.command("import", file).code == .done)
      #expect(await rig.command("edit", "film_ran-1985", "--genres", "").code == .done)
      #expect(await rig.command("edit", "film_ran-1985", "--title-ko", "란 (亂)").code == .done)
      let seeded = await rig.command("seed", "--json")
      #expect(seeded.output.contains(#""completed":2}"#), "\(seeded.output) \(seeded.errors)")
      let films = try await client.call(CatalogueFilms(ids: [.named("film_ran-1985"), .named("film_m-1931")]))
      let (ran, m) = (films[0].film.film, films[1].film.film)
      #expect(ran.genres == nil && ran.titles?.first { $0.language == "ko" }?.text == "란 (亂)")
      #expect(ran.titles?.first { $0.language == "ja" }?.text == "乱" && ran.directors == ["Akira Kurosawa"])
      #expect(m.directors == ["Fritz Lang"])
      #expect(await rig.command("seed", "--json").output == #"{"added":0,"completed":0}"# + "\n")
    }
  }

  @Test("a search on the command line finds who made a film, and says how to list theirs")
  func searchPeople() async throws {
    try await running { rig, _ in
      let found = await rig.command("search", "kurosawa")
      #expect(found.code == .done && found.output.contains("Akira Kurosawa"), "\(found.output) \(found.errors)")
      #expect(found.errors.contains("odi-films person "), "\(found.errors)")
    }
  }

  @Test("a film of which only TMDb's own count says anything is not the most wanted")
  func wanted() async throws {
    try await running { rig, client in
      let file = try rig.folder.write(
        #"{"page":1,"total_pages":1,"total_results":1,"results":[{"id":990001,"title":"Nobody Saw It","original_title":"Nobody Saw It","release_date":"1999-01-02","genre_ids":[18],"popularity":1.2,"vote_count":0,"vote_average":0}]}"#,
        to: "page.json")
      #expect(await rig.command("import", file).code == .done)
      let suggested = try await client.call(RecommendFilms(history: [], limit: 20))
      #expect(!suggested.contains { $0.film.film.title == "Nobody Saw It" }, "\(suggested.map(\.film.film.title))")
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

  @Test("films whose directors are written in other letters are of one director: alike, and recommended for it")
  func otherLetters() async throws {
    try await running { rig, client in
      let file = try rig.folder.write(
        #"{"movieInfoResult":{"movieInfo":{"movieCd":"20230001","movieNm":"미키 17","prdtYear":"2025","directors":[{"peopleNm":"봉준호","peopleNmEn":"BONG Joon Ho"}]}}}"#,
        to: "mickey.json")
      #expect(await rig.command("import", file).code == .done)
      let similar = try await client.call(SimilarFilms(film: .named("film_kobis-20230001"), limit: 3))
      #expect(similar.count == 3 && similar.allSatisfy { $0.film.film.directors == ["Bong Joon-ho"] }, "\(similar)")
      #expect(similar.first?.reasons.first?.kind == .director && similar.first?.reasons.first?.word == "Bong Joon-ho")
      let back = try await client.call(SimilarFilms(film: .named("film_parasite-2019"), limit: 20))
      let mickey = back.first { $0.film.film.title == "미키 17" }
      #expect(mickey?.reasons.first?.kind == .director && mickey?.reasons.first?.word == "봉준호", "\(back)")
    }
  }

  @Test("films to go by that nobody knows are told, and without any that are known nothing is listed")
  func unknownTaste() async throws {
    try await running { rig, _ in
      let none = await rig.command("recommend", "film_nosuch", "--json")
      #expect(none.code == .notFound && none.output.isEmpty && none.errors.contains("film_nosuch"), "\(none)")
      let one = await rig.command("recommend", "film_nosuch", "film_parasite-2019", "--json")
      #expect(one.code == .done && one.errors.contains("film_nosuch") && one.output.contains("film_"), "\(one)")
      let word = await rig.command("recommend", "nobody")
      #expect(word.code == .usage && word.errors.contains("odi-bookmarks sessions list"), "\(word)")
    }
  }

  @Test("lists of what plays are made of what the scraper answers; without it that is told, and classics are listed")
  func lists() async throws {
    let scraper = RPCRouter(service: ScraperAPI.name)
    let now = EventLoop.time.wall
    func showing(_ id: String, inDays next: Int64, until last: Int64, since first: Int64) -> FilmShowing {
      func day(_ count: Int64) -> WallTime { WallTime(milliseconds: now.milliseconds + count * 86_400_000) }
      let showtime = Showtime(
        id: ShowtimeID("show_\(id)")!, cinema: CinemaID("lantern")!, film: .named(id), title: id, startsAt: day(next),
        serviceDate: CivilDate("2026-11-23")!, displayTime: DisplayTime("24:30")!, attributes: [], state: .scheduled,
        firstSeen: now, lastSeen: now, revision: 1)
      return FilmShowing(
        film: Film(id: .named(id), title: id), showtimes: 3, cinemas: [CinemaID("lantern")!], next: showtime,
        last: day(last), since: day(-first))
    }
    scraper.on(FilmsShowing.self) { (request: FilmsShowing, _: borrowing CallContext) in
      #expect(request.cinemas == nil && request.films == nil && request.limit == 500)
      return [
        showing("film_ran-1985", inDays: 1, until: 9, since: 30), showing("film_m-1931", inDays: 5, until: 9, since: 1),
        showing("film_parasite-2019", inDays: 4, until: 8, since: 30),
        showing("film_burning-2018", inDays: 1, until: 2, since: 30),
        showing("film_nobody", inDays: 1, until: 9, since: 1),
      ]
    }
    let server = RPCServer(scraper, time: EventLoop.time)
    try await running { rig, _ in
      func listed(_ words: String...) async -> [String] {
        let told = await rig.command(["list", "--tsv", "--fields", "id"] + words)
        #expect(told.code == .done, "\(told.errors)")
        return told.output.split(separator: "\n").map(String.init).filter { $0.hasPrefix("film_") }
      }
      _ = try server.listen(on: rig.environment.data.adminSocket(of: "scraper"))
      #expect(
        await listed("--list", "now_playing")
          == ["film_ran-1985", "film_m-1931", "film_parasite-2019", "film_burning-2018"])
      #expect(await listed("--list", "coming_soon") == ["film_parasite-2019", "film_m-1931"])
      #expect(await listed("--list", "last_chance") == ["film_burning-2018"])
      #expect(await listed("--list", "new_this_week") == ["film_m-1931"])
      #expect(
        await listed("--list", "now_playing", "--country", "KR", "--order", "oldest", "-n", "1") == [
          "film_burning-2018"
        ])
      let told = await rig.command("list", "--list", "now_playing", "--json").output
      let first = try JSONValue(parsing: told)["data"]?[0]
      #expect(first?["showtimes"]?.int == 3 && first?["next"]?.string == "2026-11-23 24:30")
      #expect(first?["cinema"]?.string == "lantern" && first?["last"]?.string?.hasSuffix("Z") == true)
    }
    await server.drain()
    try await running { rig, _ in
      let told = await rig.command("list", "--list", "coming_soon")
      #expect(told.code == .unreachable && told.errors.contains("cannot reach odi-scraper"), "\(told.errors)")
      let classics = await rig.command("list", "--list", "classics", "--tsv", "--fields", "year")
      let years = classics.output.split(separator: "\n").compactMap { Int($0) }
      #expect(classics.code == .done && years.count > 100 && years.allSatisfy { $0 <= FilmList.classicsTo })
      #expect(await rig.command("list", "--list", "tomorrow").code == .usage)
    }
  }

  @Test("what a session is shown is told with what it goes by: what it saved, and for less what it looked at")
  func session() async throws {
    let bookmarks = RPCRouter(service: BookmarksAPI.name)
    bookmarks.on(ListItems.self) { (request: ListItems, _: borrowing CallContext) throws(RPCError) in
      guard request.user.text == "u_reader-a" else { throw RPCError(.notFound, "nobody") }
      let saved = SavedItem(kind: .film, id: "film_parasite-2019", savedAt: WallTime(milliseconds: 0), revision: 1)
      return ItemPage(items: [saved], revision: 1)
    }
    bookmarks.on(ListViews.self) { (_: ListViews, _: borrowing CallContext) in
      ["film_parasite-2019", "film_burning-2018"].map { View(kind: .film, id: $0) }
    }
    var keepsHistory: Bool?
    bookmarks.on(SettingsOf.self) { (_: SettingsOf, _: borrowing CallContext) in
      UserSettings(keepsHistory: keepsHistory)
    }
    let server = RPCServer(bookmarks, time: EventLoop.time)
    try await running { rig, client in
      _ = try server.listen(on: rig.environment.data.adminSocket(of: "bookmarks"))
      let told = await rig.command("recommend", "u_reader-a", "--explain", "--json")
      #expect(told.code == .done, "\(told.errors)")
      #expect(told.errors.contains("gone by film_parasite-2019, weight 1.0\ngone by film_burning-2018, weight 0.3\n"))
      let liked = [("film_parasite-2019", 1), ("film_burning-2018", 0.3)].map { LikedFilm(id: .named($0), weight: $1) }
      let asked = try await client.call(RecommendFilms(history: liked, limit: 10))
      let shown = try JSONValue(parsing: told.output)
      #expect(shown["data"]?.array?.compactMap { $0["id"]?.string } == asked.map(\.film.film.id.text))
      #expect(await rig.command("recommend", "u_reader-a", "--explain").output.contains(" %)"))
      #expect(!(await rig.command("recommend", "film_parasite-2019").output.contains(" %)")))
      #expect(await rig.command("recommend", "u_reader-b").code == .notFound)
      // Who no longer wants looks to be remembered is not told by those of before.
      keepsHistory = false
      let without = await rig.command("recommend", "u_reader-a", "--explain")
      #expect(without.errors.contains("film_parasite-2019") && !without.errors.contains("film_burning-2018"))
    }
    await server.drain()
    try await running { rig, _ in
      #expect(await rig.command("recommend", "u_reader-a").errors.contains("cannot reach odi-bookmarks"))
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

  @Test("a film of a file is one however often the file has it, in what is told before as in what is done")
  func repeatedRow() async throws {
    try await running { rig, _ in
      let film = #"{"id": 990001, "title": "Silt", "original_title": "Silt", "release_date": "1999-01-02"}"#
      let file = try rig.folder.write("[\(film),\(film),\(film)]", to: "films.json")
      let dry = await rig.command("import", file, "--dry-run")
      #expect(dry.errors.contains("1 added · 0 changed · 2 unchanged"), "\(dry.errors)")
      #expect(await rig.command("get", "film_tmdb-990001").code == .notFound)
      #expect(await rig.command("import", file).errors.contains("1 added · 0 changed · 2 unchanged"))
    }
  }

  @Test("an import is one job, which is taken back as one, but for films that were changed since")
  func undoImport() async throws {
    try await running { rig, client in
      let rows = (1...250).map { "Silt \($0),\(1_900 + $0 % 100),90" }
      let file = try rig.folder.write(
        "title,year,runtime_min\nRan,1985,1\n" + rows.joined(separator: "\n") + "\n", to: "films.csv")
      let done = await rig.command("import", file)
      #expect(done.code == .done && done.errors.contains("250 added · 1 changed"), "\(done.errors)")
      let job = try #require(done.errors.firstMatch(of: /odi-films undo --job (\d+)/)?.1)
      #expect(await rig.command("history", "-n", "1", "--json").output.contains("\"job\":\(job)"))
      #expect(await rig.command("edit", "film_silt-1-1901", "--runtime-min", "91").code == .done)
      let undone = await rig.command("undo", "--job", String(job))
      #expect(undone.code == .partial && undone.errors.contains("film_silt-1-1901 was changed since"), "\(undone)")
      let ran = try await client.entry("film_ran-1985")
      #expect(ran?.film.runtimeMinutes == 162)
      for (id, isThere) in [("film_silt-1-1901", true), ("film_silt-2-1902", false), ("film_silt-250-1950", false)] {
        let film = try await client.entry(id)
        #expect((film != nil) == isThere, "\(id)")
      }
      #expect(await rig.command("undo", "--job", "999999").code == .notFound)
      #expect(await rig.command("undo").code == .usage)
      #expect(await rig.command("undo", "1", "--job", "1").code == .usage)
    }
  }

  @Test("a search on the command line names films in the language that is asked for")
  func searchLanguage() async throws {
    try await running { rig, _ in
      let korean = await rig.command("search", "parasite", "--lang", "ko")
      #expect(korean.code == .done && korean.output.contains("기생충"), "\(korean.output) \(korean.errors)")
      let usual = await rig.command("search", "parasite", "--tsv", "--fields", "title")
      #expect(usual.output.contains("Parasite") && !usual.output.contains("기생충"))
    }
  }

  @Test("an import completes what is there, adds what is not, and a second one changes nothing")
  func importing() async throws {
    try await running { rig, client in
      let folder = try TemporaryFolder()
      let file = try folder.write(TMDbTests.film, to: "film.json")
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

  @Test("what was taught of a title holds with what is printed around it, unless that says another year")
  func taughtBare() async throws {
    try await running { rig, client in
      #expect(await rig.command("alias", "add", "괴물", "film_the-host-2006").code == .done)
      let titles = ["괴물", "괴물 4K", "【字幕】괴물", "괴물 (2023)"].map { PrintedFilm(title: $0) }
      let matches = try await client.call(MatchTitles(titles: titles, limit: 3))
      #expect(
        matches.map { $0.film?.text }
          == ["film_the-host-2006", "film_the-host-2006", "film_the-host-2006", "film_monster-2023"])
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
