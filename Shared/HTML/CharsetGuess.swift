import CGumbo

/// Guesses the encoding of a page that names none.
///
/// Valid UTF-8 with anything beyond ASCII in it is UTF-8: no other encoding produces it by chance. Otherwise the
/// encodings of the languages we serve are tried, and the one whose text looks most like that language wins. If none
/// does, it is what browsers take: windows-1252.
enum CharsetGuess {
  static func encoding(of bytes: ArraySlice<UInt8>, isWhole: Bool) -> TextEncoding {
    if hasJapaneseEscape(bytes) { return .iso2022JP }
    if let utf16 = utf16(bytes) { return utf16 }
    guard UTF8Repair.asciiEnd(of: bytes, from: bytes.startIndex) < bytes.endIndex else { return .utf8 }
    // A cut in the middle of a character says nothing about the page.
    let invalid = UTF8Repair.invalidSequences(in: bytes)
    if invalid == 0 || (!isWhole && invalid == 1 && UTF8Repair.endsInsideSequence(bytes)) { return .utf8 }

    var best = (encoding: TextEncoding.windows1252, score: 0)
    for candidate in [TextEncoding.eucKR, .shiftJIS, .eucJP, .gb18030] {
      guard let decoded = try? TextDecoder.decode(bytes, as: candidate) else { continue }
      let score = score(decoded, as: candidate)
      if score > best.score { best = (candidate, score) }
    }
    return best.encoding
  }

  /// `ESC $ B`, `ESC $ @` or `ESC ( J`: how ISO-2022-JP leaves and enters ASCII. Nothing else on the web does so.
  private static func hasJapaneseEscape(_ bytes: ArraySlice<UInt8>) -> Bool {
    guard UTF8Repair.asciiEnd(of: bytes, from: bytes.startIndex) == bytes.endIndex else { return false }
    return bytes.withUnsafeBytes { all in
      var index = 0
      while index + 2 < all.count {
        index += cgumbo_place(all.baseAddress! + index, all.count - index, 0x1B)
        guard index + 2 < all.count else { break }
        switch (all[index + 1], all[index + 2]) {
        case (0x24, 0x42), (0x24, 0x40), (0x28, 0x4A), (0x28, 0x49): return true
        default: index += 1
        }
      }
      return false
    }
  }

  /// Markup in UTF-16 has a zero in most pairs of bytes, always on the same side.
  private static func utf16(_ bytes: ArraySlice<UInt8>) -> TextEncoding? {
    let head = Array(bytes.prefix(256))
    guard head.count >= 16 else { return nil }
    let pairs = head.count / 2
    let zeroFirst = (0..<pairs).count { head[2 * $0] == 0 && head[2 * $0 + 1] != 0 }
    let zeroSecond = (0..<pairs).count { head[2 * $0] != 0 && head[2 * $0 + 1] == 0 }
    if zeroFirst * 10 >= pairs * 6 { return .utf16BigEndian }
    if zeroSecond * 10 >= pairs * 6 { return .utf16LittleEndian }
    return nil
  }

  /// How much a text looks like one of its encoding's language: everyday letters count for it, bytes that mean
  /// nothing and letters that a wrong reading produces count against it.
  private static func score(_ decoded: (bytes: [UInt8], replacements: Int), as encoding: TextEncoding) -> Int {
    var score = -20 * decoded.replacements
    for scalar in String(decoding: decoded.bytes, as: UTF8.self).unicodeScalars where scalar.value >= 0x80 {
      switch (scalar.value, encoding) {
      case (0xAC00...0xD7A3, .eucKR): score += 4
      case (0x3041...0x3096, .shiftJIS), (0x3041...0x3096, .eucJP): score += 6
      case (0x30A1...0x30FC, .shiftJIS), (0x30A1...0x30FC, .eucJP): score += 4
      // A wrong reading as Shift_JIS is full of half-width katakana.
      case (0xFF61...0xFF9F, .shiftJIS): score -= 2
      case (0xE000...0xF8FF, _): score -= 10
      case (0x4E00...0x9FFF, .gb18030): score += 2
      case (0x4E00...0x9FFF, .shiftJIS), (0x4E00...0x9FFF, .eucJP): score += 2
      case (0x3001...0x3002, _), (0xFF01...0xFF5E, _): score += 1
      case (0x80...0xFF, _), (0x0100...0x04FF, _): score -= 1
      default: break
      }
    }
    return score
  }
}
