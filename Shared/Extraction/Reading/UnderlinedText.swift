/// A text without markup whose headings are underlined, as in newsletters: written as a page, heading by heading.
///
///     Daughters of Tide
///     =================
enum UnderlinedText {
  /// The page, or nil of what is no such text.
  static func page(_ bytes: [UInt8]) -> [UInt8]? {
    guard bytes.count <= textBytesMax, !bytes.contains(UInt8(ascii: "<")), !bytes.contains(0) else { return nil }
    let lines = bytes.split(separator: 0x0A, omittingEmptySubsequences: false).map { trimmed($0) }
    guard lines.contains(where: isDouble) else { return nil }
    var page: [UInt8] = []
    for (index, line) in lines.enumerated() where !line.isEmpty && !isRule(line) {
      let name = index + 1 < lines.count && isDouble(lines[index + 1]) ? "h2" : "p"
      page += "<\(name)>".utf8
      for byte in line { if byte == UInt8(ascii: "&") { page += "&amp;".utf8 } else { page.append(byte) } }
      page += "</\(name)>\n".utf8
    }
    return page
  }

  /// A letter's.
  private static let textBytesMax = 256 << 10
  private static let underlineMin = 4

  private static func isDouble(_ line: ArraySlice<UInt8>) -> Bool {
    line.count >= underlineMin && line.allSatisfy { $0 == UInt8(ascii: "=") }
  }

  /// Of any kind: between parts of a letter stands "=-=-=".
  private static func isRule(_ line: ArraySlice<UInt8>) -> Bool {
    line.count >= underlineMin && line.allSatisfy { $0 == UInt8(ascii: "=") || $0 == UInt8(ascii: "-") }
  }

  private static func trimmed(_ line: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    guard let first = line.firstIndex(where: { $0 > 0x20 }), let last = line.lastIndex(where: { $0 > 0x20 }) else {
      return []
    }
    return line[first...last]
  }
}
