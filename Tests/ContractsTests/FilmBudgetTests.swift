import Contracts
import Testing

/// Answers with many films of long texts.
@Suite("Films of one answer")
struct FilmBudgetTests {
  private func film(_ number: Int) -> Film {
    let long = String(repeating: "가", count: 160)
    return Film(
      id: FilmID("film_\(number)")!, title: long,
      titles: (0..<40).map { FilmTitle(language: "x\($0)", text: long) }, originalTitle: long, year: 2_000,
      genres: Array(repeating: long, count: 40), directors: Array(repeating: long, count: 40),
      cast: Array(repeating: long, count: 40), synopsis: String(repeating: "가", count: 2_600))
  }

  @Test("500 of the longest films stay far below a message, and all keep what tells them apart")
  func longest() {
    var budget = FilmBudget()
    let told = (0..<500).map { budget.take(film($0)) }
    #expect(told.first?.synopsis != nil && told.last?.synopsis == nil && budget.isSpent)
    #expect(told.allSatisfy { $0.year == 2_000 && $0.directors?.isEmpty == false && $0.titles?.isEmpty == false })
    let bytes = told.reduce(0) { sum, film in
      let texts = [film.title, film.originalTitle, film.synopsis].compactMap(\.self)
      let lists = [film.titles?.map(\.text), film.genres, film.directors, film.cast].flatMap { $0 ?? [] }
      return sum + (texts + lists).reduce(0) { $0 + $1.utf8.count }
    }
    #expect(bytes < 7 << 19, "\(bytes) bytes")
  }

  @Test("films of usual length are told whole")
  func usual() {
    var budget = FilmBudget()
    var film = film(1)
    (film.titles, film.genres, film.directors, film.cast) = (nil, ["drama"], ["Ozu"], nil)
    film.synopsis = String(repeating: "x", count: 900)
    #expect((0..<100).allSatisfy { _ in budget.take(film) == film })
  }
}
