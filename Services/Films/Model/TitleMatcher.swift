package import Contracts
import Drafts
import Extraction
import FilmFiles
import TextSearch

/// Tells which film of the catalogue a printed title means, and what speaks for and against each.
nonisolated package struct TitleMatcher {
  private let catalogue: Catalogue

  package init(_ catalogue: Catalogue) { self.catalogue = catalogue }

  enum Score {
    static let title = 0.6
    /// A title that is only nearly the same counts as much as it covers, and less.
    static let nearTitle = 0.45
    /// A title within a longer text of which not all is understood.
    static let setOff = 0.5
    /// The text has two of a film's titles.
    static let otherTitle = 0.1
    static let taught = 1.0
    /// What was taught is the title without what is printed around it, "괴물" of "괴물 4K": a year may say otherwise.
    static let taughtBare = 0.3
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
  /// An evening has no more films; a longer list is a sentence.
  private static let billMax = 4

  package func match(_ printed: PrintedFilm, limit: Int) -> TitleMatch {
    var match = one(printed, limit: limit)
    if match.film == nil, let bill = bill(match.name) {
      match.films = bill.map(\.film.id)
      let others = match.candidates.filter { other in !bill.contains { $0.film.id == other.film.id } }
      match.candidates = Array((bill + others).prefix(limit))
      match.attributes = Set(match.attributes + [ScreeningAttribute.doubleBill.rawValue]).sorted()
    }
    return match
  }

  private func one(_ printed: PrintedFilm, limit: Int) -> TitleMatch {
    let name = PrintedTitle(printed.title)
    let titles = ([name.film] + (printed.titles ?? []).map { PrintedTitle($0).film }).filter { !$0.isEmpty }
    let asked = titles + titles.compactMap(Self.articleFirst) + titles.compactMap(ShortTitle.withoutAnd)
    let reading = NamesInside(printed.title, catalogue, whole: Set(asked.flatMap(catalogue.places(titled:))))
    let year = printed.year ?? name.year ?? reading.year
    let lesson = Lesson(printed.title, name.film, catalogue)
    var candidates = places(asked, reading, lesson).map { place in
      candidate(place, asked, reading, year, printed, lesson)
    }
    candidates.sort { ($1.score, $0.film.id) < ($0.score, $1.film.id) }
    let second = candidates.count > 1 ? candidates[1].score : 0
    let best = candidates.first.flatMap { best in
      // The hundredth part is there because sums of decimals are not exact.
      best.score >= Score.enough - 0.01 && best.score - second >= Score.ahead - 0.01 ? best.film : nil
    }
    var match = TitleMatch(
      name: name.film, attributes: name.attributes.map(\.rawValue).sorted(), removed: name.removed, year: year,
      film: best?.id, candidates: Array(candidates.prefix(limit)))
    if let best, let place = catalogue.place(of: best.id), let inside = reading.name(of: place) {
      match.take(inside, outOf: name.film)
    }
    return match
  }

  /// "Third Man, The"
  private static func articleFirst(_ title: String) -> String? {
    guard let comma = title.lastIndex(of: ",") else { return nil }
    let last = title[title.index(after: comma)...].trimmed
    return Article.isOne(last) ? "\(last) \(title[..<comma])" : nil
  }

  /// The films of a bill, if a title is the names of several, each of them sure.
  private func bill(_ name: String) -> [TitleCandidate]? {
    for joint in Self.billJoints {
      let parts = name.parts(between: joint).map(\.trimmed)
      guard (2...Self.billMax).contains(parts.count), parts.allSatisfy({ !$0.isEmpty }) else { continue }
      var films: [TitleCandidate] = []
      for part in parts {
        let match = one(PrintedFilm(title: part), limit: 1)
        guard match.film != nil, let film = match.candidates.first else { break }
        films.append(film)
      }
      if films.count == parts.count, Set(films.map(\.film.id)).count == films.count { return films }
    }
    return nil
  }

  private static let billJoints = ["＋", "+", "／", "/", " & ", "＆", " | ", " and ", " et ", " und "]

  /// What somebody taught of a title: of the whole of it, or of what is left without its attributes.
  private struct Lesson {
    let place: Int
    let part: TitleScorePart

    init?(_ whole: String, _ name: String, _ catalogue: Catalogue) {
      let isWhole = catalogue.lesson(whole) != nil
      guard let place = catalogue.lesson(whole) ?? catalogue.lesson(name) else { return nil }
      self.place = place
      part = TitleScorePart(
        name: "taught", score: isWhole ? Score.taught : Score.taughtBare,
        note: "somebody said that \(isWhole ? whole : name) means this film")
    }
  }

  /// Candidates by any of the titles.
  private func places(_ titles: [String], _ reading: NamesInside, _ lesson: Lesson?) -> [Int] {
    var places: [Int] = lesson.map { [$0.place] } ?? []
    for title in titles {
      places += catalogue.places(titled: title)
      places += catalogue.found(title, limit: Self.searched).map(\.document)
    }
    places += reading.places
    places += titles.first.map(catalogue.places(inShort:)) ?? []
    var seen: Set<Int> = []
    return places.filter { seen.insert($0).inserted }
  }

  private func candidate(
    _ place: Int, _ titles: [String], _ reading: NamesInside, _ year: Int?, _ printed: PrintedFilm, _ lesson: Lesson?
  ) -> TitleCandidate {
    let film = catalogue.films[place].film
    let parts = [
      title(titles, of: film, at: place, reading), reading.otherTitle(of: place).map(alsoTitled),
      lesson?.place == place ? lesson?.part : nil, year.flatMap { self.year($0, film) },
      director(printed.directors ?? [], film) ?? (reading.saysMaker(of: place) ? namedDirector(film) : nil),
      runtime(printed.runtimeMinutes, film),
    ].compactMap { $0 }
    return TitleCandidate(film: film, score: parts.reduce(0) { $0 + $1.score }, parts: parts)
  }

  // MARK: Parts

  private func alsoTitled(_ other: String) -> TitleScorePart {
    TitleScorePart(name: "titles", score: Score.otherTitle, note: "\(other) is another of its titles")
  }

  private func namedDirector(_ film: Film) -> TitleScorePart {
    TitleScorePart(
      name: "director", score: Score.director, note: "\((film.directors ?? []).joined(separator: ", ")) is named")
  }

  private func title(_ titles: [String], of film: Film, at place: Int, _ reading: NamesInside) -> TitleScorePart {
    var best = near(titles, film)
    if best.score < Score.title, let inside = reading.name(of: place) {
      let score = inside.rest == .setOff ? max(Score.setOff, best.score) : Score.title
      let isSame = inside.rest == .known ? "=" : "~"
      best = TitleScorePart(name: "title", score: score, note: "\(inside.text) \(isSame) \(film.title)")
    }
    if best.score < Score.title, let first = titles.first, catalogue.places(inShort: first).contains(place) {
      best = TitleScorePart(name: "title", score: Score.title, note: "\(first) ~ \(film.title)")
    }
    return best
  }

  private func near(_ titles: [String], _ film: Film) -> TitleScorePart {
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
