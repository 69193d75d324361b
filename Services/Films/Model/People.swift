package import Contracts
import FilmFiles
import TextSearch

/// Everybody who made or plays in a film, by name.
nonisolated package struct People: Sendable {
  private let people: [Person]
  private let places: [PersonID: Int]
  private let byName: [String: Int]
  private let names: TextIndex

  package init(_ films: [CatalogueFilm]) {
    var people: [Person] = []
    var places: [PersonID: Int] = [:]
    var byName: [String: Int] = [:]
    for entry in films {
      for name in entry.everybody {
        if let place = byName[name] {
          people[place].films += 1
        } else if let id = PersonID.made(of: name) {
          // Spelt with and without an accent: one.
          let place = places[id] ?? people.count
          if place == people.count {
            people.append(Person(id: id, name: name, films: 1))
            places[id] = place
          } else {
            people[place].films += 1
          }
          byName[name] = place
        }
      }
    }
    self.people = people
    self.places = places
    self.byName = byName
    names = TextIndex(people.map { [$0.name] })
  }

  package var count: Int { people.count }

  package func page(of id: PersonID, in films: [CatalogueFilm]) -> PersonPage? {
    guard let place = places[id] else { return nil }
    func newest(_ names: (CatalogueFilm) -> [String]?) -> [CatalogueFilm] {
      films.filter { names($0)?.contains { byName[$0] == place } == true }
        .sorted { ($1.film.year ?? 0, $0.film.id) < ($0.film.year ?? 0, $1.film.id) }
    }
    return PersonPage(
      person: people[place], directed: newest(\.film.directors), wrote: newest(\.writers),
      playedIn: newest(\.film.cast))
  }

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
