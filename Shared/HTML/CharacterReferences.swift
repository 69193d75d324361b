extension String {
  /// With HTML's character references resolved: `Amélie` for `Am&eacute;lie`. For text that carries them outside of
  /// markup, as titles inside JSON do.
  package var resolvingCharacterReferences: String {
    guard utf8.contains(UInt8(ascii: "&")) else { return self }
    // A title holds references and no markup, so the parser's own table of 2,231 names does the work.
    var limits = HTMLDocument.Limits()
    limits.depth = 8
    let markup = "<title>" + split(separator: "<", omittingEmptySubsequences: false).joined(separator: "&lt;")
    guard let page = try? HTMLDocument.parse(markup, limits: limits), let title = page.first("title") else {
      return self
    }
    return title.rawText
  }
}
