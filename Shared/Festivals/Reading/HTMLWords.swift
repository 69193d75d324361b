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

  private static func scalar(named name: Substring) -> Unicode.Scalar? {
    guard name.utf8.first == UInt8(ascii: "#") else { return names[String(name)] }
    let digits = name.dropFirst()
    let isHexadecimal = digits.utf8.first.map { $0 | 0x20 == UInt8(ascii: "x") } ?? false
    let number = isHexadecimal ? UInt32(digits.dropFirst(), radix: 16) : UInt32(digits)
    return number.flatMap { $0 >= 0x20 ? Unicode.Scalar($0) : nil }
  }

  /// Those of Latin letters, in their order from U+00A0, and those of punctuation.
  static let names: [String: Unicode.Scalar] = {
    var names: [String: Unicode.Scalar] = [
      "amp": "&", "lt": "<", "gt": ">", "quot": "\"", "apos": "'", "ndash": "–", "mdash": "—", "hellip": "…",
      "lsquo": "‘", "rsquo": "’", "sbquo": "‚", "ldquo": "“", "rdquo": "”", "bdquo": "„", "lsaquo": "‹", "rsaquo": "›",
      "bull": "•", "euro": "€", "trade": "™", "OElig": "Œ", "oelig": "œ", "Scaron": "Š", "scaron": "š", "rarr": "→",
    ]
    for (place, name) in latin.split(separator: " ").enumerated() {
      names[String(name)] = Unicode.Scalar(0xA0 + UInt32(place))
    }
    return names
  }()

  private static let latin = """
    nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 sup3 acute micro \
    para middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest Agrave Aacute Acirc Atilde Auml Aring AElig Ccedil \
    Egrave Eacute Ecirc Euml Igrave Iacute Icirc Iuml ETH Ntilde Ograve Oacute Ocirc Otilde Ouml times Oslash Ugrave \
    Uacute Ucirc Uuml Yacute THORN szlig agrave aacute acirc atilde auml aring aelig ccedil egrave eacute ecirc euml \
    igrave iacute icirc iuml eth ntilde ograve oacute ocirc otilde ouml divide oslash ugrave uacute ucirc uuml yacute \
    thorn yuml
    """
}
