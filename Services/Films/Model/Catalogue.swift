package import Contracts
import TextSearch

/// All films at one revision, with the indexes that answer questions about them. It never changes: a change of the
/// catalogue makes another one.
nonisolated package final class Catalogue: Sendable {
  package let revision: Int64
  /// The most popular first; among equals those that are rated better, then the newer ones.
  package let films: [CatalogueFilm]
  /// By every id that leads to one.
  private let places: [FilmID: Int32]
  /// By ids elsewhere: `tmdb:843`.
  private let outside: [String: Int32]
  /// By what their titles have in common however they are written.
  private let named: [String: [Int32]]
  /// By titles without their subtitles and articles.
  private let short: [String: [Int32]]
  /// What somebody taught: a title as it is printed, folded.
  private let taught: [String: Int32]
  private let titles: TextIndex
  package let people: People

  package static let empty = Catalogue([], revision: 0)

  package init(_ films: [CatalogueFilm], lessons: [String: FilmID] = [:], revision: Int64) {
    self.revision = revision
    let films = films.sorted(by: Self.precedes)
    self.films = films
    var places: [FilmID: Int32] = [:]
    var outside: [String: Int32] = [:]
    var named: [String: [Int32]] = [:]
    var short: [String: [Int32]] = [:]
    for (index, entry) in films.enumerated() {
      let place = Int32(index)
      for id in entry.ids { places[id] = place }
      for id in entry.film.externalIDs ?? [] { outside[id] = place }
      for key in Set(entry.film.searchedTitles.map { FoldedText($0).text }) { named[key, default: []].append(place) }
      for key in Set(entry.film.searchedTitles.flatMap(ShortTitle.keys)) { short[key, default: []].append(place) }
    }
    self.places = places
    self.outside = outside
    self.named = named
    self.short = short
    taught = lessons.compactMapValues { places[$0] }
    titles = TextIndex(films.map(\.film.searchedTitles))
    people = People(films)
  }

  private static func precedes(_ left: CatalogueFilm, _ right: CatalogueFilm) -> Bool {
    let popularity = (left.wanted, right.wanted)
    if popularity.0 != popularity.1 { return popularity.0 > popularity.1 }
    let score = (left.score ?? 0, right.score ?? 0)
    if score.0 != score.1 { return score.0 > score.1 }
    let year = (left.film.year ?? 0, right.film.year ?? 0)
    return year.0 == year.1 ? left.film.id < right.film.id : year.0 > year.1
  }

  // MARK: Questions

  package subscript(id: FilmID) -> CatalogueFilm? { place(of: id).map { films[$0] } }

  func place(of id: FilmID) -> Int? { places[id].map(Int.init) }

  /// By an id of ours, or one of elsewhere: `tmdb:843`.
  package func film(named text: String) -> CatalogueFilm? { place(ofItem: text).map { films[$0] } }

  func place(ofItem text: String) -> Int? {
    (FilmID(text).flatMap { places[$0] } ?? outside[text]).map(Int.init)
  }

  /// The films one of whose titles is this, however it is written.
  func places(titled text: String) -> [Int] { places(key: FoldedText(text).text) }

  /// The same, of a title that is folded already.
  func places(key: String) -> [Int] { (named[key] ?? []).map(Int.init) }

  /// The only film that is called so in short: by a title without its subtitle or its article. None where a film has
  /// that very name.
  func places(inShort text: String) -> [Int] { places(shortKey: FoldedText(text).text) }

  func places(shortKey key: String) -> [Int] {
    guard named[key] == nil, let places = short[key], places.count == 1 else { return [] }
    return places.map(Int.init)
  }

  /// The film that somebody said this title means.
  func lesson(_ title: String) -> Int? { Self.lessonKey(title).flatMap { taught[$0] }.map(Int.init) }

  /// All of them, in the order of their titles.
  var lessons: [TaughtTitle] {
    taught.map { TaughtTitle(title: $0.key, film: films[Int($0.value)].film.id) }.sorted { $0.title < $1.title }
  }

  /// What two ways to print one title have in common; nil if nothing of it is a letter or digit.
  static func lessonKey(_ title: String) -> String? {
    let key = FoldedText(title).text
    return key.isEmpty ? nil : key
  }

  /// The films that a text names, with their places.
  func found(_ text: String, limit: Int, toleratesTypos: Bool = true) -> [SearchHit] {
    titles.search(text, limit: limit, toleratesTypos: toleratesTypos)
  }

  /// The same, of a text that may end with a year, as lists print films: `괴물 2023`, `괴물 (2023)`.
  private func found(withYear text: String, limit: Int) -> [SearchHit] {
    let whole = found(text, limit: limit)
    let words = text.split { $0 == " " || $0 == "(" || $0 == ")" || $0 == "（" || $0 == "）" }
    guard words.count > 1, let year = words.last.flatMap({ Int($0) }), Film.years.contains(year),
      // A title that has the number, 2001 or 1987, is meant by it.
      !whole.contains(where: { $0.text.hasSuffix("\(year)") })
    else { return whole }
    let name = words.dropLast().joined(separator: " ")
    let ofYear = found(name, limit: Self.namesakesMax).filter { films[$0.document].film.year == year }
    let others = whole.filter { hit in !ofYear.contains { $0.document == hit.document } }
    return Array((ofYear + others).prefix(limit))
  }

  /// Among how many films of a name the one of a year is looked for.
  private static let namesakesMax = 200

  package func search(_ request: SearchCatalogue) -> [CatalogueHit] {
    var budget = FilmBudget()
    let hits = found(withYear: request.text, limit: request.limit).map { hit in
      CatalogueHit(
        film: budget.take(people.named(films[hit.document])), score: hit.score, matched: hit.text,
        highlights: hit.ranges.flatMap { [$0.lowerBound, $0.upperBound] })
    }
    guard request.includesPeople == true else { return hits }
    let all = hits + people.search(request.text, limit: request.limit)
    let sorted = all.enumerated().sorted { ($1.element.score, $0.offset) < ($0.element.score, $1.offset) }
    return sorted.prefix(request.limit).map(\.element)
  }

  package var genres: [GenreCount] {
    var counts: [String: Int] = [:]
    for genre in films.lazy.flatMap({ $0.film.genres ?? [] }) { counts[genre, default: 0] += 1 }
    return counts.map { GenreCount(id: $0.key, films: $0.value) }
      .sorted { ($1.films, $0.id) < ($0.films, $1.id) }
  }

  // MARK: Itself

  package var statistics: CatalogueStatistics {
    CatalogueStatistics(
      revision: revision, films: films.count, ids: places.count, titles: titles.textCount, people: people.count,
      lessons: taught.count)
  }
}

nonisolated extension CatalogueFilm {
  /// How many want it, as far as that is told. TMDb gives every film a little: one that nobody voted for is not wanted
  /// more than those of which nothing is told.
  var wanted: Double {
    guard let popularity else { return 0 }
    let isOfTMDb = film.externalIDs?.contains { $0.hasPrefix("tmdb:") } ?? false
    return isOfTMDb && votes ?? 0 == 0 && popularity < Self.noticed ? 0 : popularity
  }

  private static let noticed = 10.0
}

/// How large a catalogue and its indexes are.
nonisolated package struct CatalogueStatistics: Codable, Hashable, Sendable {
  package var revision: Int64
  package var films: Int
  /// Ids that lead to one.
  package var ids: Int
  /// Titles that can be searched.
  package var titles: Int
  package var people: Int
  /// Titles that somebody taught.
  package var lessons: Int
}

nonisolated extension Film {
  /// Every title, each once, the one that is shown first.
  var searchedTitles: [String] {
    var all = [title]
    for text in (titles?.map(\.text) ?? []) + [originalTitle].compactMap({ $0 }) where !all.contains(text) {
      all.append(text)
    }
    return all
  }
}
