package import RPC
import Wire

/// The genres that films have, the most frequent first.
package struct Genres: RPCRequest, Hashable {
  package typealias Service = FilmsAPI
  package typealias Response = [GenreCount]
  package static let method: MethodID = 0x0407
  package static let safety: Safety = .read
  /// Each home page asks for them, and a count that is a minute old misleads nobody.
  package static let freshness: Freshness? = Freshness(fresh: .seconds(60), stale: .seconds(86_400))

  package init() {}
}

/// A genre, and how many films are of it.
package struct GenreCount: Codable, Hashable, Sendable, WireLayout {
  /// ``FilmGenre``'s word, or a source's own.
  package var id: String
  package var films: Int

  package init(id: String, films: Int) {
    self.id = id
    self.films = films
  }
}
