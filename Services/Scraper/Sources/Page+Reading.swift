import Extraction
import HTML

nonisolated extension Page {
  private var source: PageSource { PageSource(contentTypeField: contentType) }

  /// The `charset` of the `Content-Type`.
  var charset: String? { source.charset }

  /// `text/html` of `text/html; charset=euc-kr`.
  var mediaType: String? { source.contentType }

  func document() throws(ReadingError) -> HTMLDocument {
    do throws(HTMLError) {
      return try HTMLDocument.parse(body, contentCharset: charset, url: url)
    } catch {
      throw ReadingError("the page cannot be read: \(error)", role: role)
    }
  }
}

nonisolated extension String {
  /// Without white space at its ends.
  var trimmed: String {
    let scalars = unicodeScalars
    guard let first = scalars.firstIndex(where: { !$0.properties.isWhitespace }),
      let last = scalars.lastIndex(where: { !$0.properties.isWhitespace })
    else { return "" }
    return String(scalars[first...last])
  }
}
