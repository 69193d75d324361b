package import RPC
import Wire

/// The cinemas that a text names: any part of a name, two letters of Korean or Japanese, initial consonants, romanised.
package struct FindCinemas: RPCRequest, Hashable, WireLayout {
  package typealias Service = LocatorAPI
  package typealias Response = [CinemaHit]
  package static let method: MethodID = 0x0105
  package static let safety: Safety = .read

  package static let limitMax = 100

  package var text: String
  /// 1...``limitMax``.
  package var limit: Int
  /// Nearer ones first among equals.
  package var origin: Coordinate?

  package init(text: String, limit: Int, origin: Coordinate? = nil) {
    self.text = text
    self.limit = limit
    self.origin = origin
  }
}

/// A cinema that was found, and by what.
package struct CinemaHit: Codable, Hashable, Sendable, WireLayout {
  package var cinema: Cinema
  /// Greater is better.
  package var score: Double
  /// Which of its names matched.
  package var matched: String
  /// Where in `matched`: pairs of a first and a last-plus-one UTF-8 offset.
  package var highlights: [Int]

  package init(cinema: Cinema, score: Double, matched: String, highlights: [Int]) {
    self.cinema = cinema
    self.score = score
    self.matched = matched
    self.highlights = highlights
  }
}
