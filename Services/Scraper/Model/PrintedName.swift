import Calendars

/// A title as a cinema prints it, taken apart: the film's own name, and what else was said in the same breath.
nonisolated package struct PrintedName: Hashable, Sendable {
  /// Nil if nothing but marks was printed.
  package private(set) var filmTitle: String?
  package private(set) var attributes: [String] = []

  private static let brackets: [(open: UInt8, close: UInt8)] = [
    (UInt8(ascii: "("), UInt8(ascii: ")")), (UInt8(ascii: "["), UInt8(ascii: "]")),
  ]

  package init(_ printed: String) {
    attributes = PrintedMarks(printed).attributes.map(\.rawValue).sorted()
    var rest = printed.trimmed
    while let shorter = Self.withoutMarks(rest) { rest = shorter }
    filmTitle = rest.isEmpty ? nil : rest
  }

  /// Without one group of brackets at either end, if it holds marks; nil if there is none.
  private static func withoutMarks(_ text: String) -> String? {
    let bytes = Array(text.utf8)
    for (open, close) in brackets {
      if bytes.last == close, let start = bytes.lastIndex(of: open), start > 0,
        isMark(bytes[(start + 1)..<(bytes.count - 1)])
      {
        return String(decoding: bytes[..<start], as: UTF8.self).trimmed
      }
      if bytes.first == open, let end = bytes.firstIndex(of: close), end < bytes.count - 1, isMark(bytes[1..<end]) {
        return String(decoding: bytes[(end + 1)...], as: UTF8.self).trimmed
      }
    }
    return nil
  }

  private static func isMark(_ bytes: ArraySlice<UInt8>) -> Bool {
    let marks = PrintedMarks(String(decoding: bytes, as: UTF8.self))
    return !marks.attributes.isEmpty || marks.seats != nil
  }

  /// Letters and digits in lower case: what two cinemas' ways to print one title have in common.
  package static func folded(_ text: String) -> String {
    var folded = ""
    for scalar in text.lowercased().unicodeScalars {
      let properties = scalar.properties
      if properties.isAlphabetic || properties.numericType != nil { folded.unicodeScalars.append(scalar) }
    }
    return folded
  }
}
