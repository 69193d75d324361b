package import RPC
import Wire

/// The films that a text names: any part of a title, two letters of Korean or Japanese, initial consonants.
package struct FindFilms: RPCRequest, Hashable, WireLayout {
  package typealias Service = ScraperAPI
  package typealias Response = [FilmHit]
  package static let method: MethodID = 0x0206
  package static let safety: Safety = .read

  package static let limitMax = 100

  package var text: String
  /// 1...``limitMax``.
  package var limit: Int

  package init(text: String, limit: Int) {
    self.text = text
    self.limit = limit
  }
}

/// A film that was found, and by what.
package struct FilmHit: Codable, Hashable, Sendable, WireLayout {
  package var film: Film
  /// Greater is better.
  package var score: Double
  /// Which of its titles matched.
  package var matched: String
  /// Where in `matched`: pairs of a first and a last-plus-one UTF-8 offset.
  package var highlights: [Int]

  package init(film: Film, score: Double, matched: String, highlights: [Int]) {
    self.film = film
    self.score = score
    self.matched = matched
    self.highlights = highlights
  }
}
