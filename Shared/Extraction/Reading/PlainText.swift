import HTML

/// A field's text as a reader sees it: without markup, references resolved, blanks as one.
enum PlainText {
  /// Titles and names are shorter; longer fields are descriptions, and nobody asks for those.
  static let bytesMax = 1_024

  static func of(_ raw: String) -> String {
    guard raw.utf8.count <= bytesMax else { return "" }
    // Most fields have neither.
    guard raw.utf8.contains(where: { $0 == UInt8(ascii: "&") || $0 == UInt8(ascii: "<") }) else {
      return raw.trimmedText
    }
    var text = raw
    if text.utf8.contains(UInt8(ascii: "&")) { text = text.resolvingCharacterReferences }
    // Twice, because some pages escape what was escaped.
    if text.utf8.contains(UInt8(ascii: "&")), text.utf8.contains(UInt8(ascii: ";")) {
      text = text.resolvingCharacterReferences
    }
    if hasMarkup(text), let page = try? HTMLDocument.parse(text) { text = page.root.text }
    return text.trimmedText
  }

  private static let tags: Set<String> = [
    "b", "i", "em", "strong", "span", "br", "sup", "sub", "p", "div", "a", "u", "small", "font", "img", "h1", "h2",
    "h3", "h4", "mark", "script", "svg", "li", "ul", "wbr",
  ]

  /// Whether a tag that HTML knows stands in it: "mail <to@host>" has none.
  private static func hasMarkup(_ text: String) -> Bool {
    var rest = text.utf8[...]
    while let open = rest.firstIndex(of: UInt8(ascii: "<")) {
      rest = rest[rest.index(after: open)...]
      let name = rest.drop { $0 == UInt8(ascii: "/") }.prefix { isDigitByte($0) || (0x61...0x7A).contains($0 | 0x20) }
      let next = rest.drop { $0 == UInt8(ascii: "/") }.dropFirst(name.count).first
      if tags.contains(String(decoding: name, as: UTF8.self).lowercased()),
        next.map({ $0 == 0x20 || $0 == UInt8(ascii: ">") || $0 == UInt8(ascii: "/") }) ?? false
      {
        return true
      }
    }
    return false
  }
}
