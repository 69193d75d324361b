package import RPC
import Wire

/// Which films the catalogue has pictures for. They change with the catalogue: ``CatalogueChanges`` tells when.
package struct PosterNames: RPCRequest, Hashable, WireLayout {
  package typealias Service = FilmsAPI
  package typealias Response = [PosterName]
  package static let method: MethodID = 0x040b
  package static let safety: Safety = .read

  package static let limitMax = 20_000

  /// At most that many, those of the films that are asked for most. 1...``limitMax``.
  package var limit: Int

  package init(limit: Int) { self.limit = limit }
}

/// A film and the name of its picture, which changes with the picture.
package struct PosterName: Codable, Hashable, Sendable, WireLayout {
  package var film: FilmID
  package var poster: String

  package init(film: FilmID, poster: String) {
    self.film = film
    self.poster = poster
  }
}
