package import Clocks
package import Contracts
import Crypto

/// How things without a name of their own get one that is the same each time: a hash of what makes them what they are.
nonisolated package enum Identity {
  /// Twelve letters of 32: sixty bits, so that among a million things two are alike once in two million tries.
  private static let letterCount = 12
  /// Without `i l o u`, which are misread.
  private static let alphabet = Array("0123456789abcdefghjkmnpqrstvwxyz".utf8)

  package static func film(key: String) -> FilmID { FilmID("film_" + letters(of: "film " + key))! }

  /// Of a showing that the source itself has a name for.
  package static func showtime(cinema: CinemaID, bookingID: String) -> ShowtimeID {
    ShowtimeID("show_" + letters(of: "booking \(cinema) \(bookingID)"))!
  }

  /// Of any other: what is shown where and when. `ordinal` tells apart what the source prints twice.
  package static func showtime(
    cinema: CinemaID, screen: String?, film: String, startsAt: WallTime, ordinal: Int
  ) -> ShowtimeID {
    let facts = "\(cinema)\u{1f}\(screen ?? "")\u{1f}\(film)\u{1f}\(startsAt.milliseconds)\u{1f}\(ordinal)"
    return ShowtimeID("show_" + letters(of: "show " + facts))!
  }

  package static func report(key: String) -> String { "report_" + letters(of: "report " + key) }

  private static func letters(of text: String) -> String {
    let digest = SHA256.digest(of: text)
    var bits: UInt64 = digest.prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
    return String(
      decoding: (0..<letterCount).map { _ in
        defer { bits >>= 5 }
        return alphabet[Int(bits & 31)]
      }, as: UTF8.self)
  }
}
