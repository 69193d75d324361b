package import Contracts
import FilmFiles
import TextSearch

/// Everybody who made or plays in a film, by name.
nonisolated package struct People: Sendable {
  private let people: [Person]
  private let places: [PersonID: Int]
  /// Where the films of each are in the catalogue.
  private let made: [[Int32]]
  private let byName: [String: Int]
  private let names: TextIndex

  package init(_ films: [CatalogueFilm]) {
    let known = PersonNames(films)
    var people: [Person] = []
    var made: [[Int32]] = []
    var places: [PersonID: Int] = [:]
    var byName: [String: Int] = [:]
    for (index, entry) in films.enumerated() {
      for name in entry.everybody {
        guard let place = byName[name] ?? found(name) else { continue }
        byName[name] = place
        // Listed by two names, or for two things: once.
        if made[place].last != Int32(index) { made[place].append(Int32(index)) }
      }
    }
    /// Spelt with and without an accent, or in other letters: one.
    func found(_ name: String) -> Int? {
      guard let own = PersonID.made(of: name) else { return nil }
      let main = known.main(of: name)
      let id = PersonID.made(of: main) ?? own
      let place = places[own] ?? places[id] ?? people.count
      if place == people.count {
        let others = known.others(of: main)
        people.append(Person(id: id, name: main, films: 0, otherNames: others.isEmpty ? nil : others))
        made.append([])
      }
      // What was linked to by another spelling leads on.
      for id in [id, own] where places[id] == nil { places[id] = place }
      return place
    }
    for place in people.indices { people[place].films = made[place].count }
    self.people = people
    self.made = made
    self.places = places
    self.byName = byName
    names = TextIndex(people.map { [$0.name] + ($0.otherNames ?? []) })
  }

  package var count: Int { people.count }

  package func page(of id: PersonID, in films: [CatalogueFilm]) -> PersonPage? {
    guard let place = places[id] else { return nil }
    let theirs = made[place].map { films[Int($0)] }
      .sorted { ($1.film.year ?? 0, $0.film.id) < ($0.film.year ?? 0, $1.film.id) }
    var budget = FilmBudget()
    func newest(_ names: (CatalogueFilm) -> [String]?) -> [CatalogueFilm] {
      theirs.filter { names($0)?.contains { byName[$0] == place } == true }.prefix(Self.toldMax)
        .map { budget.take(named($0)) }
    }
    return PersonPage(
      person: people[place], directed: newest(\.film.directors), wrote: newest(\.writers),
      playedIn: newest(\.film.cast))
  }

  /// Whom a film means by a name that it lists.
  func person(named name: String) -> Person? { byName[name].map { people[$0] } }

  /// The places of the films that somebody made or plays in.
  func films(of id: PersonID) -> [Int] { places[id].map { made[$0].map(Int.init) } ?? [] }

  /// The film with every name of its people, whichever film told it.
  func named(_ entry: CatalogueFilm) -> CatalogueFilm {
    var names = entry.otherNames ?? []
    var seen = Set(names)
    for name in entry.everybody.prefix(Self.namedMax) {
      guard let person = person(named: name) else { continue }
      for other in ([person.name] + (person.otherNames ?? [])).prefix(Self.othersMax) where other != name {
        let told = PersonName(name, other: other)
        if seen.insert(told).inserted { names.append(told) }
      }
    }
    var entry = entry
    entry.otherNames = names.isEmpty ? nil : names
    return entry
  }

  /// Of each kind on somebody's page: with more, "unknown" was taken for a name.
  private static let toldMax = 500
  /// Of those who direct, write and play, as many as anybody shows.
  private static let namedMax = 20
  /// Letters and spellings of one name; more are of a broken file.
  private static let othersMax = 8

  func search(_ text: String, limit: Int) -> [CatalogueHit] {
    names.search(text, limit: limit) { people[$0].films > people[$1].films }.map { hit in
      CatalogueHit(
        person: people[hit.document], score: hit.score, matched: hit.text,
        highlights: hit.ranges.flatMap { [$0.lowerBound, $0.upperBound] })
    }
  }
}

nonisolated extension CatalogueFilm {
  /// Each once.
  fileprivate var everybody: [String] {
    var all: [String] = []
    for name in (film.directors ?? []) + (writers ?? []) + (film.cast ?? []) where !all.contains(name) {
      all.append(name)
    }
    return all
  }
}

nonisolated extension PersonID {
  /// `yasujiro-ozu`; a name in other letters by its hash.
  fileprivate static func made(of name: String) -> PersonID? {
    FilmID.made(of: name, year: nil).flatMap { PersonID(String($0.text.dropFirst("film_".count))) }
  }
}
