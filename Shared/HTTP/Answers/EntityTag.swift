/// Strong validators (RFC 9110 8.8.3): the same tag means the same bytes.
nonisolated enum EntityTag {
  /// What a tag ends with when the bytes were sent compressed.
  static let gzipSuffix = "-gz"

  /// A tag made from bytes, eight at a time: two 64-bit hashes, one of which begins with the length. Against accidents,
  /// not against enemies: only our own content is tagged.
  static func of(_ bytes: [UInt8]) -> String {
    var hash = Hash(bytes.count)
    bytes.withUnsafeBytes { buffer in
      let whole = buffer.count & ~7
      for offset in stride(from: 0, to: whole, by: 8) {
        hash.take(buffer.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
      }
      var rest: UInt64 = 0
      for byte in buffer[whole...] { rest = rest << 8 | UInt64(byte) }
      hash.take(rest)
    }
    return hash.text
  }

  static func of(_ numbers: [UInt64]) -> String {
    var hash = Hash(0)
    for number in numbers { hash.take(number) }
    return hash.text
  }

  private struct Hash {
    private var forward: UInt64 = 0xCBF2_9CE4_8422_2325
    private var mixed: UInt64

    init(_ count: Int) { mixed = 0x9E37_79B9_7F4A_7C15 ^ UInt64(count) }

    @inline(__always)
    mutating func take(_ word: UInt64) {
      forward = (forward ^ word) &* 0x9FB2_1C65_1E98_DF25
      forward ^= forward >> 32
      mixed = (mixed &+ word) &* 0xFF51_AFD7_ED55_8CCD
      mixed ^= mixed >> 29
    }

    var text: String { EntityTag.text(of: forward, mixed) }
  }

  /// Thirteen digits of five bits each.
  fileprivate static func text(of words: UInt64...) -> String {
    let perWord = 13
    return String(unsafeUninitializedCapacity: words.count * perWord) { digits in
      for (place, word) in words.enumerated() {
        var left = word
        for index in 0..<perWord {
          let digit = UInt8(truncatingIfNeeded: left & 31)
          digits.initializeElement(
            at: place * perWord + index, to: digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") - 10 + digit)
          left >>= 5
        }
      }
      return words.count * perWord
    }
  }

  /// Which forms of what has the tag the values of `If-None-Match` name; nil if neither. `*` names what is plain.
  static func match(_ head: HTTPHead, _ tag: String) -> (plain: Bool, packed: Bool)? {
    var match = (plain: false, packed: false)
    head.eachValue(of: "if-none-match") { value in
      var rest = value
      while let start = rest.firstIndex(where: { $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: "*") }) {
        if rest[start] == UInt8(ascii: "*") {
          match.plain = match.plain || value.count == 1
          rest = rest[(start + 1)...]
          continue
        }
        guard let end = rest[(start + 1)...].firstIndex(of: UInt8(ascii: "\"")) else { return }
        let inside = rest[(start + 1)..<end]
        match.plain = match.plain || inside.elementsEqual(tag.utf8)
        match.packed = match.packed || inside.elementsEqual((tag + gzipSuffix).utf8)
        rest = rest[(end + 1)...]
      }
    }
    return match.plain || match.packed ? match : nil
  }
}
