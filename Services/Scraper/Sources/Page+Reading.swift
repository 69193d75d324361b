import HTML

nonisolated extension Page {
  /// The `charset` of the `Content-Type`.
  var charset: String? {
    for parameter in (contentType ?? "").split(separator: ";").dropFirst() {
      let pair = parameter.split(separator: "=", maxSplits: 1)
      guard pair.count == 2, String(pair[0]).trimmed.lowercased() == "charset" else { continue }
      return String(pair[1]).trimmed.filter { $0 != "\"" && $0 != "'" }
    }
    return nil
  }

  /// `text/html` of `text/html; charset=euc-kr`.
  var mediaType: String? { contentType?.split(separator: ";").first.map { String($0).trimmed.lowercased() } }

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
