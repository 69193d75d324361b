/// The name of one thing among its kind: `cinecube`, `film_8k2q`. Chosen once, in URLs and files, never an index.
///
/// 1 to 80 of `a-z A-Z 0-9 . _ -`, beginning with a letter or digit. `Subject` keeps a cinema's from being taken for a
/// film's.
package struct ID<Subject>: Hashable, Sendable, LosslessStringConvertible {
  package let text: String

  package init?(_ text: String) {
    guard ID.isValid(text.utf8) else { return nil }
    self.text = text
  }

  package var description: String { text }
}

extension ID: Comparable {
  package static func < (left: ID, right: ID) -> Bool { left.text < right.text }
}

extension ID: Codable {
  // Synthesised decoding would skip the check.
  package init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    let text = try container.decode(String.self)
    guard let id = ID(text) else {
      throw DecodingError.dataCorruptedError(in: container, debugDescription: "this is not \(ID.form)")
    }
    self = id
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(text)
  }
}

extension ID {
  /// The form in words, for an error.
  package static var form: String { "an id of 1 to 80 letters, digits, dots, hyphens and underscores" }

  private static var bytesMax: Int { 80 }

  private static func isValid(_ bytes: String.UTF8View) -> Bool {
    guard let first = bytes.first, bytes.count <= bytesMax, isAlphanumeric(first) else { return false }
    return bytes.allSatisfy { byte in
      isAlphanumeric(byte) || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_") || byte == UInt8(ascii: ".")
    }
  }

  private static func isAlphanumeric(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"):
      true
    default: false
    }
  }
}

package typealias CinemaID = ID<Cinema>
package typealias FilmID = ID<Film>
package typealias ShowtimeID = ID<Showtime>
package typealias StationID = ID<Station>
package typealias UserID = ID<User>

/// Somebody who saves things: an anonymous device, or several that were paired.
package enum User {}
