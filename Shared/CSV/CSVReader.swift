/// Reads the records of a CSV text one after the other: RFC 4180, and what spreadsheets make of it.
///
///     var reader = try CSVReader(bytes)
///     while let record = try reader.next() { … record.fields … record.line … }
///
/// Strict where data would be lost: a quote that is never closed, text after a closing quote and bytes that are not
/// UTF-8 are errors. Forgiving where nothing is: a byte-order mark, UTF-16 that has one, any kind of line end, blank
/// lines, a quote inside a field that has not begun with one, a first line `sep=;`.
package struct CSVReader {
  static let byteOrderMark: [UInt8] = [0xef, 0xbb, 0xbf]

  private let bytes: [UInt8]
  private let limits: CSVLimits
  /// Comma, semicolon, tab or an upright stroke.
  package let separator: UInt8
  private var position: Int
  /// The line that `position` is on, from 1. Line ends inside quotes count.
  private var line = 1
  private var records = 0

  /// - Parameter separator: found out from the first line if not given.
  package init(
    _ bytes: some Sequence<UInt8>, separator: UInt8? = nil, limits: CSVLimits = CSVLimits()
  ) throws(CSVError) {
    let given = Array(bytes)
    guard given.count <= limits.bytes else {
      throw CSVError(line: 1, "the file has \(given.count) bytes; split it into files of \(limits.bytes) at most")
    }
    self.bytes = try Self.utf8(given)
    self.limits = limits
    position = self.bytes.starts(with: Self.byteOrderMark) ? Self.byteOrderMark.count : 0
    let declared = Self.declaredSeparator(self.bytes, at: position)
    self.separator = separator ?? declared ?? Self.likelySeparator(self.bytes, from: position)
    if let other = Self.otherKind(self.bytes) { throw CSVError(line: 1, other) }
    if declared != nil { skipLine() }
  }

  /// What spreadsheets call Unicode text is UTF-16 with its mark.
  private static func utf8(_ bytes: [UInt8]) throws(CSVError) -> [UInt8] {
    let isLittle = bytes.starts(with: [0xff, 0xfe])
    guard isLittle || bytes.starts(with: [0xfe, 0xff]) else { return bytes }
    let units = stride(from: 2, to: bytes.count - 1, by: 2).map { place in
      let (first, second) = (UInt16(bytes[place]), UInt16(bytes[place + 1]))
      return isLittle ? second << 8 | first : first << 8 | second
    }
    guard bytes.count % 2 == 0, let text = String(validating: units, as: UTF16.self) else {
      throw CSVError(line: 1, "the file begins as UTF-16 and is not; save it as CSV UTF-8")
    }
    return Array(text.utf8)
  }

  /// What is no table at all by how it begins, and what to do then.
  private static func otherKind(_ bytes: [UInt8]) -> String? {
    if bytes.starts(with: [0x1f, 0x8b]) { return "the file is packed by gzip; unpack it with gunzip" }
    if bytes.starts(with: [0x50, 0x4b, 0x03, 0x04]) {
      return "the file is a spreadsheet or an archive; save it as CSV UTF-8, or unpack it"
    }
    let words = String(decoding: bytes.prefix(64), as: UTF8.self).lowercased()
    let head = words.drop { $0.isWhitespace || $0 == "\u{feff}" }
    let isPage = ["<!doctype", "<html", "<?xml"].contains { head.hasPrefix($0) }
    return isPage ? "the file is a page of the web or XML, and no table" : nil
  }

  /// The next record, or nil at the end. After an error, reading goes on with the line that follows.
  package mutating func next() throws(CSVError) -> CSVRecord? {
    skipBlankLines()
    guard position < bytes.count else { return nil }
    records += 1
    guard records <= limits.records else {
      position = bytes.count
      throw CSVError(line: line, "more than \(limits.records) records; split the file")
    }
    let first = line
    var fields: [String] = []
    repeat {
      guard fields.count < limits.fields else {
        skipLine()
        throw CSVError(line: first, "more than \(limits.fields) fields in one record")
      }
      fields.append(try field())
    } while takeSeparator()
    takeLineEnd()
    return CSVRecord(line: first, fields: fields)
  }

  // MARK: Fields

  private mutating func field() throws(CSVError) -> String {
    position < bytes.count && bytes[position] == .quote ? try quoted() : try plain()
  }

  private mutating func plain() throws(CSVError) -> String {
    let start = position
    while position < bytes.count, bytes[position] != separator, !bytes[position].endsLine { position += 1 }
    return try text(bytes[start..<position])
  }

  private mutating func quoted() throws(CSVError) -> String {
    let first = line
    var content: [UInt8] = []
    position += 1
    while position < bytes.count {
      let byte = bytes[position]
      position += 1
      if byte == .quote {
        guard position < bytes.count, bytes[position] == .quote else { return try closed(content, first) }
        position += 1
      }
      // CRLF is one line end: its CR does not count.
      let isCRLF = byte == .carriageReturn && position < bytes.count && bytes[position] == .lineFeed
      if byte.endsLine, !isCRLF { line += 1 }
      content.append(byte)
      if content.count > limits.fieldBytes { break }
    }
    position = bytes.count
    throw CSVError(line: first, "a quote is opened here and not closed; what follows was not read")
  }

  /// What a closing quote stands before: a separator or the end of the record.
  private mutating func closed(_ content: [UInt8], _ first: Int) throws(CSVError) -> String {
    // Blanks before the separator are a habit of people who line columns up.
    while position < bytes.count, bytes[position] == .space { position += 1 }
    guard position == bytes.count || bytes[position] == separator || bytes[position].endsLine else {
      skipLine()
      throw CSVError(line: first, "text follows a closing quote; write a quote inside quotes twice")
    }
    return try text(content[...])
  }

  private mutating func text(_ slice: ArraySlice<UInt8>) throws(CSVError) -> String {
    guard slice.count <= limits.fieldBytes else {
      let found = line
      skipLine()
      throw CSVError(line: found, "a field has \(slice.count) bytes; at most \(limits.fieldBytes) are taken")
    }
    guard let text = String(validating: slice, as: UTF8.self) else {
      let found = line
      skipLine()
      throw CSVError(line: found, "not UTF-8; save the file as CSV UTF-8")
    }
    return text
  }

  // MARK: Moving on

  private mutating func takeSeparator() -> Bool {
    guard position < bytes.count, bytes[position] == separator else { return false }
    position += 1
    return true
  }

  private mutating func takeLineEnd() {
    guard position < bytes.count, bytes[position].endsLine else { return }
    let byte = bytes[position]
    position += 1
    if byte == .carriageReturn, position < bytes.count, bytes[position] == .lineFeed { position += 1 }
    line += 1
  }

  private mutating func skipLine() {
    while position < bytes.count, !bytes[position].endsLine { position += 1 }
    takeLineEnd()
  }

  private mutating func skipBlankLines() {
    while position < bytes.count, bytes[position].endsLine { takeLineEnd() }
  }

  // MARK: The separator

  /// `sep=;` on the first line, which Excel writes and understands.
  private static func declaredSeparator(_ bytes: [UInt8], at start: Int) -> UInt8? {
    let line = bytes[start...].prefix { !$0.endsLine }
    guard line.count == 5, line.starts(with: Array("sep=".utf8)) else { return nil }
    return line.last
  }

  /// The candidate that is most frequent in the first record, outside quotes; a comma if there is none.
  private static func likelySeparator(_ bytes: [UInt8], from start: Int) -> UInt8 {
    var counts: [UInt8: Int] = [:]
    var isQuoted = false
    for byte in bytes[start...].prefix(1 << 16) {
      if byte == .quote { isQuoted.toggle() }
      if !isQuoted, byte.endsLine { break }
      if !isQuoted { counts[byte, default: 0] += 1 }
    }
    let candidates: [UInt8] = [.comma, .semicolon, .tab]
    let most = candidates.map { counts[$0, default: 0] }.max() ?? 0
    // Within a field it parts the values of a list; no name of a column has it.
    if most == 0, counts[.bar, default: 0] > 0 { return .bar }
    return candidates.first { counts[$0, default: 0] == most } ?? .comma
  }
}

/// One record of a CSV text.
package struct CSVRecord: Hashable, Sendable {
  /// The line that it begins on, from 1.
  package let line: Int
  package let fields: [String]
}

/// What a CSV text may cost.
package struct CSVLimits: Sendable {
  /// A million cinemas with addresses and links are about 250 MB; the text is held in memory once.
  package var bytes = 512 << 20
  /// Longer than any synopsis. A quote that was never closed ends here instead of swallowing the file.
  package var fieldBytes = 1 << 16
  /// Columns; exports of ours have fewer than thirty.
  package var fields = 256
  package var records = 2_000_000

  package init() {}
}

/// What is wrong with a CSV text, and on which line.
package struct CSVError: Error, Hashable, Sendable, CustomStringConvertible {
  /// From 1, as editors count.
  package let line: Int
  /// A sentence that says what to do.
  package let reason: String

  package init(line: Int, _ reason: String) {
    self.line = line
    self.reason = reason
  }

  package var description: String { "line \(line): \(reason)" }
}

extension UInt8 {
  static let quote = UInt8(ascii: "\"")
  static let comma = UInt8(ascii: ",")
  static let semicolon = UInt8(ascii: ";")
  static let tab = UInt8(ascii: "\t")
  static let bar = UInt8(ascii: "|")
  static let space = UInt8(ascii: " ")
  static let lineFeed = UInt8(ascii: "\n")
  static let carriageReturn = UInt8(ascii: "\r")

  var endsLine: Bool { self == .lineFeed || self == .carriageReturn }
}
