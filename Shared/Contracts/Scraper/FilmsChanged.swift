package import RPC
import Wire

/// The films that programmes ever showed, as they are now, of which something changed after a mark: they came, were told
/// more of, or turned out to be another. Who keeps them asks only for what is new.
package struct FilmsChanged: RPCRequest, Hashable, WireLayout {
  package typealias Service = ScraperAPI
  package typealias Response = FilmChanges
  package static let method: MethodID = 0x020B
  package static let safety: Safety = .read

  package static let limitMax = 500

  /// Of the last answer. Nil, or one that is not known any more: all films, from the beginning.
  package var after: String?
  /// 1...``limitMax``.
  package var limit: Int

  package init(after: String? = nil, limit: Int) {
    self.after = after
    self.limit = limit
  }
}

/// Films, in the order in which they changed last.
package struct FilmChanges: Codable, Hashable, Sendable, WireLayout {
  /// Each under its own id, or under the one of a film that turned out to be this one.
  package var films: [FilmEntry]
  /// For the next question.
  package var mark: String
  /// There are more already.
  package var hasMore: Bool?

  package init(films: [FilmEntry], mark: String, hasMore: Bool? = nil) {
    self.films = films
    self.mark = mark
    self.hasMore = hasMore
  }
}
