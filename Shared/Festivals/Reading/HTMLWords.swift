/// Words of web pages that programs put into calendars as they stood there: `Tom &amp; Jo &#8211; live`.
enum HTMLWords {
  /// The text without entities. What is none stays as it is.
  static func plain(_ text: String) -> String {
    guard text.utf8.contains(UInt8(ascii: "&")) else { return text }
    var plain = ""
    var rest = text[...]
    while let mark = rest.utf8.firstIndex(of: UInt8(ascii: "&")) {
      plain += rest[..<mark]
      rest = rest[mark...]
      let head = rest.utf8.prefix(lengthMax)
      guard let end = head.firstIndex(of: UInt8(ascii: ";")),
        let scalar = scalar(named: rest[rest.utf8.index(after: mark)..<end])
      else {
        plain += "&"
        rest = rest[rest.utf8.index(after: mark)...]
        continue
      }
      plain.unicodeScalars.append(scalar)
      rest = rest[rest.utf8.index(after: end)...]
    }
    return plain + rest
  }

  /// `&#1114111;` and the longest name that we know are shorter.
  private static let lengthMax = 12

  static func scalar(named name: Substring) -> Unicode.Scalar? {
    guard name.utf8.first == UInt8(ascii: "#") else { return names[String(name)] }
    let digits = name.dropFirst()
    let isHexadecimal = digits.utf8.first.map { $0 | 0x20 == UInt8(ascii: "x") } ?? false
    let number = isHexadecimal ? UInt32(digits.dropFirst(), radix: 16) : UInt32(digits)
    return number.flatMap { $0 >= 0x20 ? Unicode.Scalar($0) : nil }
  }

  /// Those that titles and names have.
  private static let names: [String: Unicode.Scalar] = [
    "amp": "&", "lt": "<", "gt": ">", "quot": "\"", "apos": "'", "nbsp": "\u{A0}", "ndash": "–", "mdash": "—",
    "hellip": "…", "lsquo": "‘", "rsquo": "’", "ldquo": "“", "rdquo": "”", "bdquo": "„", "laquo": "«", "raquo": "»",
    "middot": "·", "bull": "•", "eacute": "é", "egrave": "è", "ecirc": "ê", "agrave": "à", "aacute": "á", "acirc": "â",
    "auml": "ä", "ouml": "ö", "uuml": "ü", "Auml": "Ä", "Ouml": "Ö", "Uuml": "Ü", "szlig": "ß", "ccedil": "ç",
    "ntilde": "ñ", "oacute": "ó", "uacute": "ú", "iacute": "í", "oslash": "ø", "aring": "å", "euro": "€", "pound": "£",
    "copy": "©", "reg": "®", "trade": "™", "times": "×", "deg": "°", "Eacute": "É",
  ]
}
