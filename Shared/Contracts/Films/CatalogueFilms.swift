package import RPC
import Wire

/// The films of these ids, in this order, without those that nobody knows. Where they say more than one answer
/// holds, the later ones are told in short: ``FilmBudget``.
package struct CatalogueFilms: RPCRequest, Hashable, WireLayout {
  package typealias Service = FilmsAPI
  package typealias Response = [CatalogueEntry]
  package static let method: MethodID = 0x0403
  package static let safety: Safety = .read

  package static let idsMax = 500

  /// At most ``idsMax``.
  package var ids: [FilmID]
  /// With what else people are called, whichever film told it; without, each film is as it is stored.
  package var namesPeople: Bool?

  package init(ids: [FilmID], namesPeople: Bool? = nil) {
    self.ids = ids
    self.namesPeople = namesPeople
  }
}

/// A film, by the id that was asked for.
package struct CatalogueEntry: Codable, Hashable, Sendable, WireLayout {
  package var asked: FilmID
  package var film: CatalogueFilm

  package init(asked: FilmID, film: CatalogueFilm) {
    self.asked = asked
    self.film = film
  }
}
