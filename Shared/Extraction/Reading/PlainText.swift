import HTML

/// A field's text as a reader sees it: without markup, references resolved, blanks as one.
enum PlainText {
  /// Titles and names are shorter; longer fields are descriptions, and nobody asks for those.
  static let bytesMax = 1_024

  static func of(_ raw: String) -> String {
    guard raw.utf8.count <= bytesMax else { return "" }
    var text = raw
    if text.utf8.contains(UInt8(ascii: "&")) { text = text.resolvingCharacterReferences }
    // Twice, because some pages escape what was escaped.
    if text.utf8.contains(UInt8(ascii: "&")), text.utf8.contains(UInt8(ascii: ";")) {
      text = text.resolvingCharacterReferences
    }
    if text.utf8.contains(UInt8(ascii: "<")), let page = try? HTMLDocument.parse(text) { text = page.root.text }
    return text.trimmedText
  }
}
