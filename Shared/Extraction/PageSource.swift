/// What is known of a page beside its bytes.
package struct PageSource: Sendable {
  /// The media type of the answer, without parameters: `text/html`.
  package var contentType: String?
  /// The `charset` of the answer.
  package var charset: String?
  /// The page's address after redirects.
  package var url: String?
  /// The venue that the page is fetched for, where it does not say one itself.
  package var venue: String?

  package init(contentType: String? = nil, charset: String? = nil, url: String? = nil, venue: String? = nil) {
    self.contentType = contentType
    self.charset = charset
    self.url = url
    self.venue = venue
  }

  /// From a `Content-Type` field as it came.
  package init(contentTypeField field: String?, url: String? = nil, venue: String? = nil) {
    self.init(url: url, venue: venue)
    guard let field else { return }
    let parts = field.utf8.split(separator: UInt8(ascii: ";")).map { String(decoding: $0, as: UTF8.self).trimmedText }
    contentType = parts.first?.lowercased()
    for part in parts.dropFirst() {
      let pair = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard pair.count == 2, String(pair[0]).trimmedText.lowercased() == "charset" else { continue }
      let value = pair[1].filter { !" \t\"'".contains($0) }
      charset = value.isEmpty ? nil : value
      return
    }
  }
}
