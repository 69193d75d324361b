/// Texts as readers of pages compare and show them.
extension String {
  /// Without white space at its ends, runs inside as one blank.
  var trimmedText: String {
    if isTrimmed { return self }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(utf8.count)
    var owesBlank = false
    var scalars = unicodeScalars.makeIterator()
    while let scalar = scalars.next() {
      if scalar.isBlank {
        owesBlank = true
        continue
      }
      if owesBlank, !bytes.isEmpty { bytes.append(0x20) }
      owesBlank = false
      bytes.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  private var isTrimmed: Bool {
    utf8.withContiguousStorageIfAvailable { bytes in
      var isBehindBlank = true
      for index in bytes.indices {
        switch bytes[index] {
        case 0x20:
          if isBehindBlank { return false }
          isBehindBlank = true
          continue
        case 0x09...0x0D: return false
        // The first bytes of blanks beyond ASCII.
        case 0xC2, 0xE1, 0xEF: return false
        case 0xE2 where bytes[index + 1] == 0x81 || bytes[index + 1] == 0x80 && bytes[index + 2] & 0xF0 != 0x90:
          return false
        case 0xE3 where bytes[index + 1] == 0x80 && bytes[index + 2] == 0x80: return false
        default: isBehindBlank = false
        }
      }
      return !isBehindBlank || bytes.isEmpty
    } ?? false
  }

  /// At most so many scalars, with an ellipsis where something was cut.
  func shortened(to count: Int) -> String {
    guard utf8.count > count, unicodeScalars.count > count else { return self }
    return String(unicodeScalars.prefix(count)) + "…"
  }

  /// Letters and digits alone, in lower case, without accents and width: what two spellings of a name have in common.
  var foldedKey: String {
    var key: [UInt8] = []
    key.reserveCapacity(utf8.count)
    let isASCII = utf8.withContiguousStorageIfAvailable { bytes in
      for byte in bytes {
        switch byte {
        case 0x30...0x39, 0x61...0x7A: key.append(byte)
        case 0x41...0x5A: key.append(byte | 0x20)
        case 0x80...: return false
        default: break
        }
      }
      return true
    }
    if isASCII != true {
      key.removeAll(keepingCapacity: true)
      for scalar in unicodeScalars { scalar.fold(into: &key) }
    }
    return String(decoding: key, as: UTF8.self)
  }

  var hasLetters: Bool {
    utf8.contains { 0x61...0x7A ~= $0 | 0x20 } || unicodeScalars.contains { $0.properties.isAlphabetic }
  }
}

extension Unicode.Scalar {
  var isBlank: Bool {
    switch value {
    case 0x09...0x0D, 0x20, 0x85, 0xA0, 0x1680, 0x2000...0x200B, 0x2028, 0x2029, 0x202F, 0x205F, 0x3000, 0xFEFF: true
    default: false
    }
  }

  /// Appends what `foldedKey` keeps of it.
  func fold(into key: inout [UInt8]) {
    switch value {
    case 0x30...0x39, 0x61...0x7A: key.append(UInt8(value))
    case 0x41...0x5A: key.append(UInt8(value + 0x20))
    case 0..<0x80: break
    // Full-width forms.
    case 0xFF01...0xFF5E: Unicode.Scalar(value - 0xFEE0)!.fold(into: &key)
    case 0xC0...0x17F:
      let plain = FoldTable.latin[Int(value - 0xC0)]
      if plain != UInt8(ascii: "*") { key.append(plain) }
      if value == 0xDF { key.append(UInt8(ascii: "s")) }
    case 0x300...0x36F, 0x591...0x5C7, 0xFE00...0xFE0F, 0x200B...0x200F: break
    // Letters that have no case: kana, Han, Hangul.
    case 0x3041...0x3096, 0x30A1...0x30FA, 0x4E00...0x9FFF, 0xAC00...0xD7A3:
      key.append(contentsOf: UTF8.encode(self) ?? UTF8.encodedReplacementCharacter)
    default:
      guard properties.isAlphabetic || properties.numericType != nil else { return }
      key.append(contentsOf: properties.lowercaseMapping.utf8)
    }
  }
}

private enum FoldTable {
  /// U+00C0 to U+017F without their accents.
  static let latin = Array(
    """
    aaaaaaaceeeeiiiidnooooo*ouuuuytsaaaaaaaceeeeiiiidnooooo*ouuuuyty\
    aaaaaaccccccccddddeeeeeeeeeegggggggghhhhiiiiiiiiiiiijjkkklllllll\
    lllnnnnnnnnnoooooooorrrrrrssssssssttttttuuuuuuuuuuuuwwyyyzzzzzzs
    """.utf8)
}
