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
      let remedy = await rig.command("unmatched", "--tsv", "--fields", "remedy").output
      // What looks a little like it is no film to be made one with it.
      #expect(remedy == "remedy\nodi-films search 달밤\n", "\(remedy)")
      #expect(await rig.command("adopt").errors.contains("nothing is new"))
    }
  }

  @Test("ratings of films that the catalogue does not have are counted and named, and the code says so")
  func unknownRatings() async throws {
    let programme = try Programme()
    programme.films = [dtryx, unknown]
    try await running(programme) { rig, _ in
      _ = await rig.command("adopt")
      let lines = [
        "1,film_abc,5", "2,film_abc,4", "1,film_new,4", "2,film_new,4", "1,tt12,5", "2,tt12,3", "1,film_gone,2",
      ]
      let path = try rig.folder.write(lines.joined(separator: "\n") + "\n", to: "ratings.csv")
      let made = await rig.command("model", "train", path, "--json")
      #expect(made.code == .partial, "\(made.errors)")
      #expect(try JSONValue(parsing: made.output)["unknown"] == 3)
      #expect(made.errors.contains("3 of 7 ratings") && made.errors.contains("tt12, film_gone"), "\(made.errors)")
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
