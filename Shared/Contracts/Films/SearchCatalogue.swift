package import RPC
import Wire

/// The films and people that a text names: any part of a title in any language, two letters of Korean or Japanese,
/// initial consonants, romanised, mistyped.
package struct SearchCatalogue: RPCRequest, Hashable, WireLayout {
  package typealias Service = FilmsAPI
  package typealias Response = [CatalogueHit]
  package static let method: MethodID = 0x0402
  package static let safety: Safety = .read

  package static let limitMax = 100

  package var text: String
  /// 1...``limitMax``.
  package var limit: Int
  package var includesPeople: Bool?

  package init(text: String, limit: Int, includesPeople: Bool? = nil) {
    self.text = text
    self.limit = limit
    self.includesPeople = includesPeople
  }
}

/// A film or a person that was found, and by what.
package struct CatalogueHit: Codable, Hashable, Sendable, WireLayout {
  package var film: CatalogueFilm?
  package var person: Person?
  /// Greater is better.
  package var score: Double
  /// Which name matched.
  package var matched: String
  /// Where in `matched`: pairs of a first and a last-plus-one UTF-8 offset.
  package var highlights: [Int]

  package init(
    film: CatalogueFilm? = nil, person: Person? = nil, score: Double, matched: String, highlights: [Int]
  ) {
    self.film = film
    self.person = person
    self.score = score
    self.matched = matched
    self.highlights = highlights
  }
}
