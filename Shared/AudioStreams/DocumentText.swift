/// The bytes of a small document, if they are text at all, and its lines.
struct DocumentText {
  /// As UTF-8 or in one byte a letter, without a byte order mark.
  let bytes: ArraySlice<UInt8>
  /// How many addresses are read.
  let entriesMax: Int

  /// How much is looked at to tell text from sound.
  private static let sampleBytes = 1_024

  /// - Returns: nil for what is no text: it holds control characters or FF, which sound does early on, and no encoding of
  ///   text does at all.
  init?(_ all: [UInt8], _ limits: AudioDocument.Limits) {
    entriesMax = limits.entries
    if let text = Self.utf16(all.prefix(limits.bytes)) {
      bytes = text[...]
    } else {
      let start = all.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
      bytes = all[start...].prefix(limits.bytes)
    }
    let isText = bytes.prefix(Self.sampleBytes).allSatisfy { byte in
      byte >= 0x20 && byte != 0x7F && byte != 0xFF || byte == 0x09 || byte == 0x0A || byte == 0x0D || byte == 0x0C
    }
    guard isText else { return nil }
  }

  /// What Windows' players save: UTF-16 by its mark. A stream of sound may begin with the same two bytes, but is no text
  /// then.
  private static func utf16(_ all: ArraySlice<UInt8>) -> [UInt8]? {
    let isLittle = all.starts(with: [0xFF, 0xFE])
    guard isLittle || all.starts(with: [0xFE, 0xFF]) else { return nil }
    let units = stride(from: 2, to: all.count - 1, by: 2).map { place in
      let (first, second) = (UInt16(all[place]), UInt16(all[place + 1]))
      return isLittle ? second << 8 | first : first << 8 | second
    }
    return String(validating: units, as: UTF16.self).map { Array($0.utf8) }
  }

  var isBlank: Bool { bytes.allSatisfy(\.isBlank) }

  /// Lines without blanks around them and without empty ones; they end in LF, CR LF or CR.
  var lines: [ArraySlice<UInt8>] {
    bytes.split { $0 == 0x0A || $0 == 0x0D }.map(\.trimmed).filter { !$0.isEmpty }
  }

  /// Whether it begins with this, in any case, after blanks.
  func begins(with text: StaticString) -> Bool {
    bytes.drop(while: \.isBlank).beginsIgnoringCase(text)
  }

  var looksLikePage: Bool {
    let start = bytes.drop(while: \.isBlank)
    guard start.first == UInt8(ascii: "<") else { return false }
    return start.beginsIgnoringCase("<!doctype html") || start.beginsIgnoringCase("<html")
      || start.prefix(1_024).range(ofIgnoringCase: "<!doctype html") != nil
      || start.prefix(1_024).range(ofIgnoringCase: "<html") != nil
      || start.prefix(1_024).range(ofIgnoringCase: "<head") != nil
  }
}

extension UInt8 {
  var isBlank: Bool { self == 0x20 || (0x09...0x0D).contains(self) }

  var isDigit: Bool { (0x30...0x39).contains(self) }

  var lowercased: UInt8 { (0x41...0x5A).contains(self) ? self | 0x20 : self }
}

extension ArraySlice<UInt8> {
  var trimmed: ArraySlice<UInt8> {
    var rest = drop(while: \.isBlank)
    while rest.last?.isBlank == true { rest.removeLast() }
    return rest
  }

  /// Without a pair of quotes around it.
  var unquoted: ArraySlice<UInt8> {
    guard count > 1, let first, first == UInt8(ascii: "\"") || first == UInt8(ascii: "'"), last == first else {
      return self
    }
    return dropFirst().dropLast()
  }

  func beginsIgnoringCase(_ text: StaticString) -> Bool {
    text.withUTF8Buffer { wanted in
      count >= wanted.count && zip(self, wanted).allSatisfy { $0.lowercased == $1.lowercased }
    }
  }

  /// Where a text stands for the first time, in any case.
  func range(ofIgnoringCase text: StaticString) -> Range<Int>? {
    let length = text.utf8CodeUnitCount
    guard length > 0, count >= length else { return nil }
    let first = text.withUTF8Buffer { $0[0].lowercased }
    var place = startIndex
    while place <= endIndex - length {
      if self[place].lowercased == first, self[place...].beginsIgnoringCase(text) { return place..<(place + length) }
      place += 1
    }
    return nil
  }

  /// As text: UTF-8 if it is that, else Windows' Latin-1, in which nearly every byte is a letter.
  var decoded: String {
    String(validating: self, as: UTF8.self)
      ?? String(String.UnicodeScalarView(map { Unicode.Scalar.windows[$0] ?? Unicode.Scalar($0) }))
  }

  /// As an address, if it can be one: no blanks, and not longer than any address. SHOUTcast calls the web's own protocol
  /// by another name.
  var asAddress: String? {
    let text = trimmed.beginsIgnoringCase("icy://") ? Array("http".utf8) + trimmed.dropFirst(3) : trimmed
    guard !text.isEmpty, text.count <= AudioDocument.Limits.addressBytes, text.allSatisfy({ $0 > 0x20 && $0 != 0x7F })
    else { return nil }
    return text.decoded
  }

  /// As an address in which somebody left blanks.
  var asAddressWithBlanks: String? {
    let escaped = trimmed.flatMap { $0 == 0x20 ? Array("%20".utf8) : [$0] }
    return escaped[...].asAddress
  }

  /// As a title: nil if there is none, cut where nobody reads on.
  var asTitle: String? {
    let text = trimmed.letters(AudioDocument.Limits.titleBytes).printed
    return text.isEmpty ? nil : text
  }

  /// As text for a line of a list, a log or a terminal: what would steer one of them is a blank.
  var printed: String {
    String(
      String.UnicodeScalarView(
        decoded.unicodeScalars.map { $0.properties.generalCategory == .control || $0.isSteering ? " " : $0 }))
  }

  /// So many bytes at most, and no part of a letter of UTF-8.
  func letters(_ bytesMax: Int) -> ArraySlice<UInt8> {
    var cut = prefix(bytesMax)
    while cut.endIndex < endIndex, !cut.isEmpty, self[cut.endIndex] & 0xC0 == 0x80 { cut.removeLast() }
    return cut
  }

  var asNumber: Int? {
    guard !isEmpty, count <= 18, allSatisfy(\.isDigit) else { return nil }
    return reduce(0) { $0 * 10 + Int($1 - 0x30) }
  }
}

extension Unicode.Scalar {
  /// Where Windows has quotes and dashes, and Latin-1 what nobody prints (code page 1252).
  fileprivate static let windows: [UInt8: Unicode.Scalar] = [
    0x80: "€", 0x82: "‚", 0x83: "ƒ", 0x84: "„", 0x85: "…", 0x86: "†", 0x87: "‡", 0x88: "ˆ", 0x89: "‰", 0x8A: "Š",
    0x8B: "‹", 0x8C: "Œ", 0x8E: "Ž", 0x91: "‘", 0x92: "’", 0x93: "“", 0x94: "”", 0x95: "•", 0x96: "–", 0x97: "—",
    0x98: "˜", 0x99: "™", 0x9A: "š", 0x9B: "›", 0x9C: "œ", 0x9E: "ž", 0x9F: "Ÿ",
  ]

  /// Ends a line, or turns the direction of what follows it.
  fileprivate var isSteering: Bool {
    switch value {
    case 0x2028...0x202E, 0x2066...0x2069: true
    default: false
    }
  }
}
