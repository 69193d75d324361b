import Contracts
import Films
import RPC
import ServiceKit
import ServiceTestKit
import TestKit
import Testing

/// Films of one title that nobody gave ids.
@Suite("Namesakes")
@MainActor
struct NamesakeTests {
  private func imported(
    _ text: String, again: String? = nil,
    _ body: (ServiceRig, Screen.Result, [CatalogueFilm]) async throws -> Void
  ) async throws {
    try await running(["starter": "false"]) { rig, client in
      let folder = try TemporaryFolder()
      _ = await rig.command("import", try folder.write(text, to: "films.csv"))
      let result = await rig.command("import", try folder.write(again ?? text, to: "films.csv"))
      let films = try await client.call(ListCatalogue(order: .id, limit: 100)).films
      try await body(rig, result, films)
    }
  }

  @Test("two of one title and year by different directors are two films, and stay so when they come again")
  func directors() async throws {
    let rows = "title,year,directors\nGift,2000,Ann A\nGift,2000,Bo B\n"
    try await imported(rows) { rig, result, films in
      #expect(films.map(\.film.directors) == [["Ann A"], ["Bo B"]])
      #expect(films.map(\.film.id.text) == ["film_gift-2000", "film_gift-2000-2"])
      #expect(result.errors.contains("0 added · 0 changed · 2 unchanged"), "\(result.errors)")
      let told = await rig.command("history", "film_gift-2000-2", "--tsv", "--fields", "kind")
      #expect(told.output == "kind\nadded\n")
    }
  }

  @Test("the report says which film was not taken for which, and a dry run says it too")
  func told() async throws {
    try await running(["starter": "false"]) { rig, _ in
      let folder = try TemporaryFolder()
      _ = await rig.command("import", try folder.write("title,year,directors\nGift,2000,Ann A\n", to: "a.csv"))
      let file = try folder.write("title,year,directors\nGift,2000,Bo B\n", to: "b.csv")
      for result in [await rig.command("import", file, "--dry-run"), await rig.command("import", file)] {
        #expect(result.errors.contains("1 added"))
        #expect(result.errors.contains("film_gift-2000-2, beside film_gift-2000; odi-films merge"), "\(result.errors)")
      }
    }
  }

  @Test("\"and\" and its sign are one word to a programme")
  func andItsSign() async throws {
    try await imported("title,year,directors\nSilt & Marram,1991,Ann A\nHeron and Gull,1999,Bo B\n") { rig, _, _ in
      for (printed, film) in [
        ("Silt and Marram", "film_silt-marram-1991"), ("HERON & GULL", "film_heron-and-gull-1999"),
      ] {
        let told = await rig.command("match", printed, "--json")
        #expect(told.code == .done && told.output.contains("\"\(film)\""), "\(told.output)\(told.errors)")
      }
    }
  }

  @Test("without a year a title alone joins nothing that says otherwise")
  func withoutYear() async throws {
    let first = "title,year,directors,runtime_min\nGift,,Ann A,\nHome,,,90\nLand,1990,,\n"
    let second = "title,year,directors,runtime_min\nGift,,Bo B,\nHome,,,120\nLand,,,80\nGift,,Ann A,95\n"
    try await imported(first, again: second) { _, result, films in
      #expect(
        films.map(\.film.id.text) == [
          "film_gift", "film_gift-2", "film_home", "film_home-2", "film_land", "film_land-1990",
        ])
      // The one that is surely the same was completed.
      #expect(films[0].film.runtimeMinutes == 95 && films[0].film.directors == ["Ann A"])
      #expect(result.errors.contains("film_land, beside film_land-1990"), "\(result.errors)")
    }
  }

  @Test("other numbers of one source are other films, though title and year are the same")
  func numbers() async throws {
    let rows = "id,title,year,external_ids\ntmdb-1,Gift,2000,tmdb:1\ntmdb-2,Gift,2000,tmdb:2\n"
    try await imported(rows.replacing("tmdb-2,Gift,2000,tmdb:2\n", with: ""), again: rows) { _, _, films in
      #expect(films.map(\.film.id.text) == ["film_tmdb-1", "film_tmdb-2"])
    }
  }

  @Test("a film without an id is the one of its title and year if nothing speaks against it")
  func same() async throws {
    let first = "id,title_en,title_ko,year,directors\nx,Gift,선물,2000,Ann A\n"
    try await imported(first, again: "title,year,directors\n선물,2000,안 에이\n") { _, _, films in
      #expect(films.count == 1 && films[0].film.titles?.count == 2)
    }
  }

  @Test("add without an id refuses what is there, and takes a namesake")
  func adding() async throws {
    try await running(["starter": "false"]) { rig, client in
      let words = ["add", "--title", "Gift", "--year", "2000"]
      #expect(await rig.command(words + ["--directors", "Ann A"]).code == .done)
      #expect(await rig.command(words + ["--directors", "Ann A"]).errors.contains("is there already"))
      let other = await rig.command(words + ["--directors", "Bo B"])
      #expect(other.code == .done && other.errors.contains("beside film_gift-2000"), "\(other.errors)")
      let count = try await client.call(ListCatalogue(limit: 1)).total
      #expect(count == 2)
    }
  }
}
