/// Writes CSV that reads back the same: UTF-8, a header, quotes where they are needed.
///
///     var writer = CSVWriter(["id", "name"])
///     writer.write(["emu", "에무시네마"])
///     output.write(writer.text)
package struct CSVWriter {
  /// Files for people's editors and for `diff` end their lines as Unix does; RFC 4180 itself asks for CRLF.
  package enum LineEnd: String, Sendable {
    case unix = "\n"
    case internet = "\r\n"
  }

  package private(set) var bytes: [UInt8] = []
  private let columns: Int
  private let separator: UInt8
  private let lineEnd: LineEnd

  package init(_ header: [String], separator: Unicode.Scalar = ",", lineEnd: LineEnd = .unix) {
    precondition(separator.isASCII, "a separator is one ASCII character")
    columns = header.count
    self.separator = UInt8(ascii: separator)
    self.lineEnd = lineEnd
    write(header)
  }

  /// Adds a row. It has a field for each column; nil is an empty one.
  package mutating func write(_ fields: [String?]) {
    precondition(fields.count == columns, "a row of \(fields.count) fields under \(columns) columns")
    for (place, field) in fields.enumerated() {
      if place > 0 { bytes.append(separator) }
      write(field ?? "")
    }
    bytes += lineEnd.rawValue.utf8
  }

  package var text: String { String(decoding: bytes, as: UTF8.self) }

  private mutating func write(_ field: String) {
    guard mustBeQuoted(field) else {
      bytes += field.utf8
      return
    }
    bytes.append(.quote)
    for byte in field.utf8 {
      if byte == .quote { bytes.append(.quote) }
      bytes.append(byte)
    }
    bytes.append(.quote)
  }

  private func mustBeQuoted(_ field: String) -> Bool {
    // A line of one empty field would be a blank line, which is no record.
    guard let first = field.utf8.first, let last = field.utf8.last else { return columns == 1 }
    // At the beginning of a file these would say something about it instead of being text.
    if field.utf8.starts(with: CSVReader.byteOrderMark) || field.hasPrefix("sep=") { return true }
    return first == .space || last == .space
      || field.utf8.contains { $0 == separator || $0 == .quote || $0.endsLine || $0 == .tab }
  }
}
