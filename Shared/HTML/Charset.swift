/// Finds out which encoding a page is in, and reads it as text.
///
/// The order is the browsers': a byte order mark, then the transport's `charset`, then the page's `<meta>`; after that
/// what the caller expects of the site, and what the bytes look like.
package enum Charset {
  /// How far `<meta>` is looked for: where the standard tells authors to put it. Browsers look as far.
  static let prescanBytes = 1_024
  /// How much of a page without any declaration is looked at to guess.
  static let guessBytes = 64 << 10

  /// Reads `bytes` as text. Bytes that mean nothing in the encoding become U+FFFD and are counted.
  package static func decode(
    _ bytes: [UInt8], declared: String? = nil, hint: TextEncoding? = nil
  ) throws(HTMLError) -> DecodedText {
    var report = decide(bytes, declared: declared, hint: hint)
    guard report.encoding != .replacement else { throw .refusedEncoding(report.declarations.last?.label ?? "") }
    let mark = report.source == .byteOrderMark ? byteOrderMark(bytes)?.length ?? 0 : 0
    let decoded = try TextDecoder.decode(bytes[mark...], as: report.encoding)
    report.replacements = decoded.replacements
    return DecodedText(bytes: decoded.bytes, report: report)
  }

  /// A text's bytes in UTF-8, out of whatever was usual where it was written; as they are if no encoding explains all of
  /// them, or if they are no text.
  package static func utf8(_ bytes: [UInt8]) -> [UInt8] {
    guard !bytes.prefix(textSampleBytes).contains(where: { $0 < 0x09 }),
      String(validating: bytes, as: UTF8.self) == nil,
      let decoded = try? decode(bytes), decoded.report.replacements == 0
    else { return bytes }
    return decoded.bytes
  }

  /// Archives and spreadsheets have zeros this early.
  private static let textSampleBytes = 512

  /// Which encoding the page is in, without reading it.
  package static func decide(_ bytes: [UInt8], declared: String?, hint: TextEncoding?) -> CharsetReport {
    var declarations: [CharsetReport.Declaration] = []
    let mark = byteOrderMark(bytes)
    if let mark {
      declarations.append(.init(source: .byteOrderMark, label: mark.encoding.name, encoding: mark.encoding))
    }
    if let declared {
      declarations.append(.init(source: .transport, label: declared, encoding: TextEncoding(label: declared)))
    }
    if let label = MetaPrescan.label(in: bytes.prefix(prescanBytes)) {
      // The prescan has just read `<meta` as ASCII, so the page cannot be in UTF-16, whatever it says.
      let encoding: TextEncoding? =
        switch TextEncoding(label: label) {
        case .utf16LittleEndian, .utf16BigEndian: .utf8
        case .userDefined: .windows1252
        case let other: other
        }
      declarations.append(.init(source: .meta, label: label, encoding: encoding))
    }
    if let first = declarations.first(where: { $0.encoding != nil }), let encoding = first.encoding {
      return CharsetReport(encoding: encoding, source: first.source, declarations: declarations)
    }
    if let hint { return CharsetReport(encoding: hint, source: .hint, declarations: declarations) }
    let guess = CharsetGuess.encoding(of: bytes.prefix(guessBytes), isWhole: bytes.count <= guessBytes)
    return CharsetReport(encoding: guess, source: .guess, declarations: declarations)
  }

  private static func byteOrderMark(_ bytes: [UInt8]) -> (encoding: TextEncoding, length: Int)? {
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { return (.utf8, 3) }
    if bytes.starts(with: [0xFE, 0xFF]) { return (.utf16BigEndian, 2) }
    if bytes.starts(with: [0xFF, 0xFE]) { return (.utf16LittleEndian, 2) }
    return nil
  }
}

/// A page's text in UTF-8, and how it was read.
package struct DecodedText: Sendable {
  package var bytes: [UInt8]
  package var report: CharsetReport

  package var string: String { String(decoding: bytes, as: UTF8.self) }
}

/// How a page was read as text, and what was said about it.
package struct CharsetReport: Sendable, Hashable {
  package var encoding: TextEncoding
  package var source: Source
  /// Everything that named an encoding, strongest first.
  package var declarations: [Declaration] = []
  /// How many times bytes meant nothing and became U+FFFD.
  package var replacements = 0

  package enum Source: String, Sendable {
    case byteOrderMark, transport, meta, hint, guess
    /// The caller handed in text.
    case given
  }

  package struct Declaration: Sendable, Hashable {
    package var source: Source
    package var label: String
    /// Nil if the label is none that browsers know.
    package var encoding: TextEncoding?
  }

  /// Whether two declarations name different encodings, or one names none.
  package var hasConflict: Bool {
    declarations.contains { $0.encoding == nil } || Set(declarations.compactMap(\.encoding)).count > 1
  }
}
