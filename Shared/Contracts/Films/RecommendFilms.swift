package import RPC
import Wire

/// Films for somebody who liked these. Nothing of it is kept.
package struct RecommendFilms: RPCRequest, Hashable, WireLayout {
  package typealias Service = FilmsAPI
  package typealias Response = [SuggestedFilm]
  package static let method: MethodID = 0x0406
  package static let safety: Safety = .read

  package static let historyMax = 1_000
  package static let limitMax = 100

  /// What they saved and looked at, at most ``historyMax``, the newest first.
  package var history: [LikedFilm]
  /// 1...``limitMax``.
  package var limit: Int

  package init(history: [LikedFilm], limit: Int) {
    self.history = history
    self.limit = limit
  }
}

/// A film that somebody had to do with.
package struct LikedFilm: Codable, Hashable, Sendable, WireLayout {
  package var id: FilmID
  /// 1 for one that they saved, less for one that they looked at.
  package var weight: Double

  package init(id: FilmID, weight: Double) {
    self.id = id
    self.weight = weight
  }
}
