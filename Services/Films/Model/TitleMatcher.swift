package import Contracts
import Extraction
import TextSearch

/// Tells which film of the catalogue a printed title means, and what speaks for and against each.
nonisolated package struct TitleMatcher {
  private let catalogue: Catalogue

  package init(_ catalogue: Catalogue) { self.catalogue = catalogue }

  private enum Score {
    static let title = 0.6
    /// A title that is only nearly the same counts as much as it covers, and less.
    static let nearTitle = 0.45
    static let taught = 1.0
    static let sameYear = 0.25
    static let nextYear = 0.15
    static let otherYear = -0.5
    static let director = 0.2
    static let otherDirector = -0.3
    static let runtime = 0.1
    static let otherRuntime = -0.1
    /// What a candidate needs, and how far before the next one it has to be.
    static let enough = 0.6
    static let ahead = 0.1
  }

  /// Found by a part of the title; more would be chance.
  private static let searched = 20

  package func match(_ printed: PrintedFilm, limit: Int) -> TitleMatch {
    let name = PrintedTitle(printed.title)
    let year = printed.year ?? name.year
    let titles = ([name.film] + (printed.titles ?? []).map { PrintedTitle($0).film }).filter { !$0.isEmpty }
    var candidates = places(titles, whole: printed.title).map { place in
      candidate(place, titles, whole: printed.title, year, printed)
    }
    candidates.sort { ($1.score, $0.film.id) < ($0.score, $1.film.id) }
    let second = candidates.count > 1 ? candidates[1].score : 0
    let isSure = candidates.first.map { best in
      // The hundredth part is there because sums of decimals are not exact.
      best.score >= Score.enough - 0.01 && best.score - second >= Score.ahead - 0.01
    }
    return TitleMatch(
      name: name.film, attributes: name.attributes.map(\.rawValue).sorted(), removed: name.removed, year: year,
      film: isSure == true ? candidates.first?.film.id : nil, candidates: Array(candidates.prefix(limit)))
  }

  /// Candidates by any of the titles.
  private func places(_ titles: [String], whole: String) -> [Int] {
    var places: [Int] = catalogue.lesson(whole).map { [$0] } ?? []
    for title in titles {
      places += catalogue.places(titled: title)
      places += catalogue.found(title, limit: Self.searched).map(\.document)
    }
    var seen: Set<Int> = []
    return places.filter { seen.insert($0).inserted }
  }

  private func candidate(
    _ place: Int, _ titles: [String], whole: String, _ year: Int?, _ printed: PrintedFilm
  ) -> TitleCandidate {
    let film = catalogue.films[place].film
    let parts = [
      title(titles, of: film), catalogue.lesson(whole) == place ? taught(whole) : nil,
      year.flatMap { self.year($0, film) },
      director(printed.directors ?? [], film), runtime(printed.runtimeMinutes, film),
    ].compactMap { $0 }
    return TitleCandidate(film: film, score: parts.reduce(0) { $0 + $1.score }, parts: parts)
  }

  // MARK: Parts

  private func taught(_ whole: String) -> TitleScorePart {
    TitleScorePart(name: "taught", score: Score.taught, note: "somebody said that \(whole) means this film")
  }

  private func title(_ titles: [String], of film: Film) -> TitleScorePart {
    var best = TitleScorePart(name: "title", score: 0, note: "")
    for known in film.searchedTitles {
      let own = FoldedText(known).units
      for title in titles {
        let asked = FoldedText(title).units
        guard !own.isEmpty, !asked.isEmpty else { continue }
        let score =
          own == asked
          ? Score.title : Score.nearTitle * Double(min(own.count, asked.count)) / Double(max(own.count, asked.count))
        if score > best.score {
          best = TitleScorePart(name: "title", score: score, note: "\(title) \(own == asked ? "=" : "~") \(known)")
        }
      }
    }
    return best
  }

  private func year(_ year: Int, _ film: Film) -> TitleScorePart? {
    guard let known = film.year else { return nil }
    let score =
      switch abs(year - known) {
      case 0: Score.sameYear
      // Premieres and releases are often in different years.
      case 1: Score.nextYear
      case 2: 0.0
      default: Score.otherYear
      }
    return TitleScorePart(name: "year", score: score, note: "\(year), \(known)")
  }

  private func director(_ directors: [String], _ film: Film) -> TitleScorePart? {
    guard let isSame = Self.sharesName(directors, film.directors ?? []) else { return nil }
    return TitleScorePart(
      name: "director", score: isSame ? Score.director : Score.otherDirector,
      note: "\(directors.joined(separator: ", ")); \((film.directors ?? []).joined(separator: ", "))")
  }

  /// Whether two lists of people have one in common. Nil if that cannot be said: names in different scripts cannot be
  /// compared.
  static func sharesName(_ people: [String], _ others: [String]) -> Bool? {
    guard !people.isEmpty, !others.isEmpty else { return nil }
    if !Set(people.map(nameKey)).isDisjoint(with: others.map(nameKey)) { return true }
    return people.allSatisfy(isLatin) == others.allSatisfy(isLatin) ? false : nil
  }

  private func runtime(_ minutes: Int?, _ film: Film) -> TitleScorePart? {
    guard let minutes, let known = film.runtimeMinutes else { return nil }
    let score =
      abs(minutes - known) <= 3
      ? Score.runtime : Double(abs(minutes - known)) > 0.15 * Double(known) ? Score.otherRuntime : 0
    return TitleScorePart(name: "runtime", score: score, note: "\(minutes), \(known) min")
  }

  /// `Kore-eda Hirokazu` and `Hirokazu Koreeda` are one.
  private static func nameKey(_ name: String) -> String {
    let words = name.split { $0 == " " || $0 == "," }.map { FoldedText($0).text }
    return words.sorted().joined(separator: " ")
  }

  private static func isLatin(_ name: String) -> Bool { FoldedText(name).units.allSatisfy { $0 < 0x250 } }
}
