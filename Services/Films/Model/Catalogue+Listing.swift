package import Contracts
import TextSearch

/// Lists of films: conditions, orders and pages.
nonisolated extension Catalogue {
  /// - Returns: nil if `after` is no place in a list.
  package func page(_ request: ListCatalogue) -> CataloguePage? {
    let (found, makers) = candidates(request)
    var places = found.filter { fits(films[$0], request) }
    let listed = makers.isEmpty ? [] : Set(places)
    let named = makers.filter { !listed.isDisjoint(with: people.films(of: $0.id)) }
    sort(&places, request.order)
    guard let start = request.after.map({ start(after: $0, in: places) }) ?? 0 else { return nil }
    // Films of a page are told whole, for it is also the export: where they say much, it has fewer of them.
    var (end, budget) = (start, FilmBudget())
    var page: [CatalogueFilm] = []
    while end < min(places.count, start + request.limit), !budget.isSpent {
      let film = films[places[end]]
      page.append(budget.take(request.namesPeople == true ? people.named(film) : film))
      end += 1
    }
    return CataloguePage(
      films: page, next: end < places.count && start < end ? mark(end, page) : nil, total: places.count,
      revision: revision, people: named.isEmpty ? nil : named)
  }

  /// How many films came before, and the last of them: films may have come and gone when the next page is asked for.
  private func mark(_ count: Int, _ page: [CatalogueFilm]) -> String {
    "\(count).\(page.last?.film.id.text ?? "")"
  }

  private func start(after mark: String, in places: [Int]) -> Int? {
    guard let dot = mark.firstIndex(of: "."), let count = Int(mark[..<dot]), count >= 0 else { return nil }
    let last = FilmID(String(mark[mark.index(after: dot)...])).flatMap(place)
    if (1...max(places.count, 1)).contains(count), count <= places.count, places[count - 1] == last { return count }
    return last.flatMap { places.firstIndex(of: $0) }.map { $0 + 1 } ?? min(count, places.count)
  }

  /// Their places, in the order that they come in if no other is asked for, and for whose films there are more of them.
  private func candidates(_ request: ListCatalogue) -> (places: [Int], people: [Person]) {
    var places = Array(films.indices)
    if let only = request.only {
      var seen: Set<Int> = []
      places = only.compactMap(place).filter { seen.insert($0).inserted }
    }
    guard let text = request.text, !text.isEmpty else { return (places, []) }
    let titled = found(text, limit: films.count)
    // A name that says less than the best title is not what was meant: many a title is somebody's name, too.
    let best = titled.first?.score ?? 0
    let people = people.search(text, limit: Self.namedMax).filter { $0.score >= best }.compactMap(\.person)
    var seen = Set(request.only == nil ? [] : places)
    let isWanted: (Int) -> Bool = request.only == nil ? { seen.insert($0).inserted } : { seen.remove($0) != nil }
    let made = people.flatMap { self.people.films(of: $0.id) }
    return ((titled.map(\.document) + made).filter(isWanted), people)
  }

  /// More people of a name than that are no answer to anybody.
  private static let namedMax = 3

  private func fits(_ entry: CatalogueFilm, _ request: ListCatalogue) -> Bool {
    let film = entry.film
    func has(_ any: [String]?, _ of: [String]?) -> Bool { any.map { !Set($0).isDisjoint(with: of ?? []) } ?? true }
    return has(request.genres, film.genres) && has(request.countries, film.countries)
      && (request.yearFrom.map { $0 <= film.year ?? .min } ?? true)
      && (request.yearTo.map { $0 >= film.year ?? .max } ?? true)
      && (request.runtimeMax.map { $0 >= film.runtimeMinutes ?? .max } ?? true)
  }

  private func sort(_ places: inout [Int], _ order: CatalogueOrder?) {
    switch order {
    // The catalogue itself is in this order.
    case .popularity: places.sort()
    case .title:
      let keys = Dictionary(uniqueKeysWithValues: places.map { ($0, FoldedText(films[$0].film.title).text) })
      places.sort { (keys[$0] ?? "", $0) < (keys[$1] ?? "", $1) }
    case .newest: places.sort { (films[$1].film.year ?? 0, $0) < (films[$0].film.year ?? 0, $1) }
    case .oldest: places.sort { (films[$0].film.year ?? .max, $0) < (films[$1].film.year ?? .max, $1) }
    case .id: places.sort { films[$0].film.id < films[$1].film.id }
    case .unknown, nil: break
    }
  }
}
