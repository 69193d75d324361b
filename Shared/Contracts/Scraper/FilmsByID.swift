package import RPC
import Wire

/// The films of these ids, in this order, without those that nobody knows. A film that left keeps its entry.
/// Where they say more than one answer holds, the later ones are told in short: ``FilmBudget``.
package struct FilmsByID: RPCRequest, Hashable, WireLayout {
  package typealias Service = ScraperAPI
  package typealias Response = [FilmEntry]
  package static let method: MethodID = 0x0205
  package static let safety: Safety = .read

  package static let idsMax = 500

  /// At most ``idsMax``.
  package var ids: [FilmID]

  package init(ids: [FilmID]) {
    self.ids = ids
  }
}

/// A film, and the id it goes by now.
package struct FilmEntry: Codable, Hashable, Sendable, WireLayout {
  /// As asked; another than the film's if two films were found to be one.
  package var asked: FilmID
  package var film: Film

  package init(asked: FilmID, film: Film) {
    self.asked = asked
    self.film = film
  }
}
