package import RPC
import Wire

/// The films that fulfil every condition, in an order, a page at a time.
package struct ListCatalogue: RPCRequest, Hashable, WireLayout {
  package typealias Service = FilmsAPI
  package typealias Response = CataloguePage
  package static let method: MethodID = 0x0401
  package static let safety: Safety = .read

  package static let onlyMax = 500
  package static let limitMax = 500

  /// Only these, at most ``onlyMax``, by any of their ids; without an order they stay in this one.
  package var only: [FilmID]?
  /// Any of these.
  package var genres: [String]?
  package var countries: [String]?
  package var yearFrom: Int?
  package var yearTo: Int?
  package var runtimeMax: Int?
  /// Found by this text in a title, or in the name of somebody who made or plays in it; the best first where no other order
  /// is asked for.
  package var text: String?
  /// Nil: the most popular first, the best of a text, or as `only` lists them.
  package var order: CatalogueOrder?
  /// `next` of the page before.
  package var after: String?
  /// 1...``limitMax``.
  package var limit: Int
  /// With what else people are called, whichever film told it; without, each film is as it is stored.
  package var namesPeople: Bool?

  package init(
    only: [FilmID]? = nil, genres: [String]? = nil, countries: [String]? = nil, yearFrom: Int? = nil,
    yearTo: Int? = nil, runtimeMax: Int? = nil, text: String? = nil, order: CatalogueOrder? = nil,
    after: String? = nil, limit: Int, namesPeople: Bool? = nil
  ) {
    self.only = only
    self.genres = genres
    self.countries = countries
    self.yearFrom = yearFrom
    self.yearTo = yearTo
    self.runtimeMax = runtimeMax
    self.text = text
    self.order = order
    self.after = after
    self.limit = limit
    self.namesPeople = namesPeople
  }
}

/// In which order films are listed.
package enum CatalogueOrder: GrowingEnum {
  case popularity
  case title
  /// The newest first.
  case newest
  case oldest
  case id
  case unknown(String)

  package static let known: [CatalogueOrder] = [.popularity, .title, .newest, .oldest, .id]

  package var rawValue: String {
    switch self {
    case .popularity: "popularity"
    case .title: "title"
    case .newest: "newest"
    case .oldest: "oldest"
    case .id: "id"
    case .unknown(let name): name
    }
  }
}

/// One page of the catalogue.
package struct CataloguePage: Codable, Hashable, Sendable, WireLayout {
  package var films: [CatalogueFilm]
  /// Nil at the end.
  package var next: String?
  /// How many there are in all.
  package var total: Int
  /// Which state of the catalogue this is.
  package var revision: Int64
  /// Whose names the text is in, if the films are theirs.
  package var people: [Person]?

  package init(
    films: [CatalogueFilm], next: String? = nil, total: Int, revision: Int64, people: [Person]? = nil
  ) {
    self.films = films
    self.next = next
    self.total = total
    self.revision = revision
    self.people = people
  }
}
