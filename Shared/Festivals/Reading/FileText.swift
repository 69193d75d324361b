/// A file's bytes as UTF-8, whatever the program that saved it writes.
enum FileText {
  /// UTF-16 by its mark, Latin letters by what an XML document says of itself; everything else stays as it is.
  static func utf8(_ bytes: [UInt8]) -> [UInt8] {
    if bytes.starts(with: [0xFF, 0xFE]) { return withoutEncoding(utf16(bytes, isLittle: true)) }
    if bytes.starts(with: [0xFE, 0xFF]) { return withoutEncoding(utf16(bytes, isLittle: false)) }
    guard let said = encoding(of: bytes), latin.contains(said), String(validating: bytes, as: UTF8.self) == nil else {
      return bytes
    }
    var text = String.UnicodeScalarView()
    for byte in bytes { text.append(scalar(of: byte)) }
    return withoutEncoding(Array(String(text).utf8))
  }

  /// The calendar that a page has in a comment, `<!-- BEGIN:VCALENDAR … -->`; everything else as it is.
  static func calendar(_ bytes: [UInt8]) -> [UInt8] {
    let (open, close) = (Array("<!--".utf8), Array("-->".utf8))
    guard bytes.starts(with: open), let end = bytes.lastIndex(where: { $0 > 0x20 }),
      bytes[...end].suffix(3) == close[...]
    else { return bytes }
    let inside = bytes[open.count..<max(open.count, end - 2)].drop { $0 <= 0x20 }
    return inside.starts(with: Array("BEGIN:VCALENDAR".utf8)) ? Array(inside) : bytes
  }

  private static let latin: Set = ["iso-8859-1", "iso8859-1", "latin1", "latin-1", "windows-1252", "cp1252"]

  private static func utf16(_ bytes: [UInt8], isLittle: Bool) -> [UInt8] {
    let units = stride(from: 2, to: bytes.count - 1, by: 2).map { place in
      let (first, second) = (UInt16(bytes[place]), UInt16(bytes[place + 1]))
      return isLittle ? second << 8 | first : first << 8 | second
    }
    return Array(String(decoding: units, as: UTF16.self).utf8)
  }

  /// What says ISO-8859-1 is nearly always of Windows, which has more letters and no control characters there.
  private static func scalar(of byte: UInt8) -> Unicode.Scalar {
    guard (0x80..<0xA0).contains(byte) else { return Unicode.Scalar(byte) }
    return windows[Int(byte) - 0x80]
  }

  private static let windows = Array(
    "€\u{81}‚ƒ„…†‡ˆ‰Š‹Œ\u{8D}Ž\u{8F}\u{90}‘’“”•–—˜™š›œ\u{9D}žŸ".unicodeScalars)

  // MARK: What an XML document says of itself

  /// `<?xml version="1.0" encoding="ISO-8859-1"?>`
  private static func encoding(of bytes: [UInt8]) -> String? {
    guard let declaration = declaration(of: bytes) else { return nil }
    let text = String(decoding: bytes[declaration], as: UTF8.self).lowercased()
    guard let name = text.firstRange(of: "encoding=") else { return nil }
    let value = text[name.upperBound...]
    guard let quote = value.first, quote == "\"" || quote == "'" else { return nil }
    return String(value.dropFirst().prefix { $0 != quote })
  }

  /// The same without its declaration, which is no longer true.
  private static func withoutEncoding(_ bytes: [UInt8]) -> [UInt8] {
    guard let declaration = declaration(of: bytes) else { return bytes }
    return Array(bytes[declaration.upperBound...])
  }

  private static func declaration(of bytes: [UInt8]) -> Range<Int>? {
    guard bytes.starts(with: Array("<?xml ".utf8)) else { return nil }
    guard let end = bytes.prefix(200).firstIndex(of: UInt8(ascii: ">")) else { return nil }
    return 0..<end + 1
  }
}
