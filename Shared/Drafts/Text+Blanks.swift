extension StringProtocol {
  /// Lines and tabs are how a spreadsheet's cell is laid out, and no part of a name or an address.
  package var oneLine: String {
    split { $0.isNewline || $0 == "\t" }.map { String($0).trimmed }.filter { !$0.isEmpty }.joined(separator: " ")
  }

  /// Without blanks at its ends.
  package var trimmed: String {
    var view = self.unicodeScalars[...]
    while let first = view.first, first.properties.isWhitespace { view.removeFirst() }
    while let last = view.last, last.properties.isWhitespace { view.removeLast() }
    return String(String.UnicodeScalarView(view))
  }
}
