package import RPC
import Wire

/// Somebody, and the films that they made or play in; `notFound` if nobody has that id.
package struct PersonByID: RPCRequest, Hashable, WireLayout {
  package typealias Service = FilmsAPI
  package typealias Response = PersonPage
  package static let method: MethodID = 0x0408
  package static let safety: Safety = .read

  package var id: PersonID

  package init(id: PersonID) {
    self.id = id
  }
}

/// Somebody who makes films.
package struct Person: Codable, Hashable, Sendable, WireLayout {
  /// A slug of the name; two people of one name are one.
  package var id: PersonID
  package var name: String
  /// How many films of theirs are known.
  package var films: Int
  /// What else they are called: in their own letters, in others'.
  package var otherNames: [String]?

  package init(id: PersonID, name: String, films: Int, otherNames: [String]? = nil) {
    self.id = id
    self.name = name
    self.films = films
    self.otherNames = otherNames
  }
}

/// Somebody's films, the newest first; at most 500 of a kind, and of many with long texts the later ones in short:
/// ``FilmBudget``.
package struct PersonPage: Codable, Hashable, Sendable, WireLayout {
  package var person: Person
  package var directed: [CatalogueFilm]
  package var wrote: [CatalogueFilm]
  package var playedIn: [CatalogueFilm]

  package init(person: Person, directed: [CatalogueFilm], wrote: [CatalogueFilm], playedIn: [CatalogueFilm]) {
    self.person = person
    self.directed = directed
    self.wrote = wrote
    self.playedIn = playedIn
  }
}

package typealias PersonID = ID<Person>
