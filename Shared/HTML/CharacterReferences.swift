extension String {
  /// With HTML's character references resolved: `Amélie` for `Am&eacute;lie`. For text that carries them outside of
  /// markup, as titles inside JSON do.
  package var resolvingCharacterReferences: String {
    guard mayHoldReferences else { return self }
    // A title holds references and no markup, so the parser's own table of 2,231 names does the work.
    var limits = HTMLDocument.Limits()
    limits.depth = 8
    let markup = "<title>" + split(separator: "<", omittingEmptySubsequences: false).joined(separator: "&lt;")
    guard let page = try? HTMLDocument.parse(markup, limits: limits), let title = page.first("title") else {
      return self
    }
    return title.rawText
  }

  /// A reference is `&` and a letter or `#`: "Peat & Ash" has none.
  private var mayHoldReferences: Bool {
    var isBehindMark = false
    for byte in utf8 {
      if isBehindMark, byte == UInt8(ascii: "#") || asciiLowercased(byte) &- 0x61 < 26 { return true }
      // What the parser replaces is left to it.
      if byte < 0x20 || byte == 0x7F { return utf8.contains(UInt8(ascii: "&")) }
      isBehindMark = byte == UInt8(ascii: "&")
    }
    return false
  }
}
