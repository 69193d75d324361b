/// The name of one intended write: however often the request is sent, the write happens once.
///
/// 128 random bits. Written as a UUID is, `6f9619ff-8b86-d011-b42d-00c04fc964ff`, because that is what browsers make;
/// read with or without the hyphens, in either case.
package struct IdempotencyKey: Hashable, Sendable, Codable, LosslessStringConvertible {
  package let bits: UInt128

  /// Nil for zero, which is what a forgotten key looks like.
  package init?(bits: UInt128) {
    guard bits != 0 else { return nil }
    self.bits = bits
  }

  package static func random(using random: inout some RandomNumberGenerator) -> IdempotencyKey {
    while true {
      if let key = IdempotencyKey(bits: UInt128(random.next()) << 64 | UInt128(random.next())) { return key }
    }
  }

  package init?(_ text: String) {
    var bits: UInt128 = 0
    var digits = 0
    let hyphens = text.utf8.count == 36
    guard hyphens || text.utf8.count == 32 else { return nil }
    for (place, byte) in text.utf8.enumerated() {
      if hyphens, Self.hyphenPlaces.contains(place) {
        guard byte == UInt8(ascii: "-") else { return nil }
        continue
      }
      guard let digit = Self.digit(byte) else { return nil }
      bits = bits << 4 | UInt128(digit)
      digits += 1
    }
    guard digits == 32 else { return nil }
    self.init(bits: bits)
  }

  package var description: String {
    String(unsafeUninitializedCapacity: 36) { buffer in
      var shift = 124
      for place in 0..<36 {
        guard !Self.hyphenPlaces.contains(place) else {
          buffer[place] = UInt8(ascii: "-")
          continue
        }
        let digit = UInt8(truncatingIfNeeded: bits >> UInt128(shift)) & 15
        buffer[place] = digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10
        shift -= 4
      }
      return 36
    }
  }

  package init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    let text = try container.decode(String.self)
    guard let key = IdempotencyKey(text) else {
      throw DecodingError.dataCorruptedError(
        in: container, debugDescription: "an idempotency key is a UUID, such as crypto.randomUUID() makes")
    }
    self = key
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }

  private static let hyphenPlaces: Set = [8, 13, 18, 23]

  private static func digit(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
    default: nil
    }
  }
}
