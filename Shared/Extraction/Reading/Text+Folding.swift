/// Texts as readers of pages compare and show them.
extension String {
  /// Without white space at its ends, runs inside as one blank.
  var trimmedText: String {
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

  /// At most so many scalars, with an ellipsis where something was cut.
  func shortened(to count: Int) -> String {
    guard utf8.count > count, unicodeScalars.count > count else { return self }
    return String(unicodeScalars.prefix(count)) + "…"
  }

  /// Letters and digits alone, in lower case, without accents and width: what two spellings of a name have in common.
  var foldedKey: String {
    var key = String.UnicodeScalarView()
    for scalar in unicodeScalars { scalar.fold(into: &key) }
    return String(key)
  }

  var hasLetters: Bool { unicodeScalars.contains { $0.properties.isAlphabetic } }
}

extension Unicode.Scalar {
  var isBlank: Bool {
    switch value {
    case 0x09...0x0D, 0x20, 0x85, 0xA0, 0x1680, 0x2000...0x200B, 0x2028, 0x2029, 0x202F, 0x205F, 0x3000, 0xFEFF: true
    default: false
    }
  }

  fileprivate func fold(into key: inout String.UnicodeScalarView) {
    switch value {
    case 0x30...0x39, 0x61...0x7A: key.append(self)
    case 0x41...0x5A: key.append(Unicode.Scalar(value + 0x20)!)
    case 0..<0x80: break
    // Full-width forms.
    case 0xFF01...0xFF5E: Unicode.Scalar(value - 0xFEE0)!.fold(into: &key)
    case 0xC0...0x17F:
      let plain = FoldTable.latin[Int(value - 0xC0)]
      if plain != UInt8(ascii: "*") { key.append(Unicode.Scalar(plain)) }
      if value == 0xDF { key.append("s") }
    case 0x300...0x36F, 0x591...0x5C7, 0xFE00...0xFE0F, 0x200B...0x200F: break
    default:
      guard properties.isAlphabetic || properties.numericType != nil else { return }
      for lower in properties.lowercaseMapping.unicodeScalars { key.append(lower) }
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
