import Contracts
import Testing
import Wire

/// Answers with many films of long texts.
@Suite("Films of one answer")
struct FilmBudgetTests {
  private func film(_ number: Int) -> Film {
    let long = String(repeating: "가", count: 160)
    return Film(
      id: FilmID("film_\(number)")!, title: long,
      titles: (0..<40).map { FilmTitle(language: "x\($0)", text: long) }, originalTitle: long, year: 2_000,
      countries: Array(repeating: long, count: 40), genres: Array(repeating: long, count: 40),
      directors: Array(repeating: long, count: 40),
      cast: Array(repeating: long, count: 40), synopsis: String(repeating: "가", count: 2_600),
      externalIDs: Array(repeating: long, count: 40))
  }

  @Test("500 of the longest films stay far below a message, and all keep what tells them apart")
  func longest() throws {
    var budget = FilmBudget()
    let names = (0..<40).map { PersonName("Maker \($0)", other: String(repeating: "가", count: 160)) }
    let all = (0..<500).map { budget.take(CatalogueFilm(film: film($0), otherNames: names)) }
    let told = all.map(\.film)
    #expect(all.first?.otherNames == names && all.last?.otherNames == nil)
    #expect(told.first?.synopsis != nil && told.last?.synopsis == nil && budget.isSpent)
    #expect(told.allSatisfy { $0.year == 2_000 && $0.directors?.isEmpty == false && $0.titles?.isEmpty == false })
    let bytes = try Wire.encode(all.map { CatalogueEntry(asked: $0.film.id, film: $0) }).count
    #expect(bytes < 3 << 20, "\(bytes) bytes")
  }

  @Test("films of usual length are told whole")
  func usual() {
    var budget = FilmBudget()
    var film = film(1)
    (film.titles, film.genres, film.directors, film.cast) = (nil, ["drama"], ["Ozu"], nil)
    (film.countries, film.externalIDs) = (["JP"], nil)
    film.synopsis = String(repeating: "x", count: 900)
    #expect((0..<100).allSatisfy { _ in budget.take(film) == film })
  }
}
