extension StringProtocol {
  /// Lines and tabs are how a spreadsheet's cell is laid out, and no part of a name or an address.
  package var oneLine: String {
    split { $0.isNewline || $0 == "\t" }.map { String($0).trimmed }.filter { !$0.isEmpty }.joined(separator: " ")
  }

  /// Its beginning of so many bytes at the most, no letter cut in two, but one that is longer by its marks alone.
  package func prefix(bytes count: Int) -> String {
    var left = count
    let letters = prefix { letter in
      left -= letter.utf8.count
      return left >= 0
    }
    guard letters.isEmpty else { return String(letters) }
    left = count
    return String(
      String.UnicodeScalarView(
        unicodeScalars.prefix { scalar in
          left -= scalar.utf8.count
          return left >= 0
        }))
  }

  /// Without blanks at its ends.
  package var trimmed: String {
    var view = self.unicodeScalars[...]
    while let first = view.first, first.properties.isWhitespace { view.removeFirst() }
    while let last = view.last, last.properties.isWhitespace { view.removeLast() }
    return String(String.UnicodeScalarView(view))
  }
}
