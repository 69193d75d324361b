/// A printed text in the one form the reader knows: ASCII digits and marks, lower case, no accents, one kind of space,
/// wave, dash and bracket, Hangul and kana composed.
///
/// Each scalar remembers where in the source it came from, so that a result can say what was printed.
struct FoldedText {
  private(set) var scalars: [UInt32] = []
  /// The source's UTF-8 offset of each scalar, and one more for the end.
  private var offsets: [Int] = []
  private let source: [UInt8]

  init(_ text: some StringProtocol) {
    source = Array(text.utf8)
    scalars.reserveCapacity(source.count)
    offsets.reserveCapacity(source.count + 1)
    var offset = 0
    for scalar in text.unicodeScalars {
      fold(scalar.value, at: offset)
      offset += UTF8.width(scalar)
    }
    offsets.append(source.count)
    lowerMinutes()
    closeSlashes()
    openStops()
  }

  /// "18⁰⁰" is "18:00": an hour, and two raised digits behind it. One is a note's.
  private mutating func lowerMinutes() {
    var index = 1
    while index + 1 < scalars.count {
      defer { index += 1 }
      guard isDigit(scalars[index - 1]), let tens = Self.raised[scalars[index]],
        let ones = Self.raised[scalars[index + 1]],
        index + 2 == scalars.count || Self.raised[scalars[index + 2]] == nil
      else { continue }
      scalars.replaceSubrange(index...index + 1, with: [0x3A, tens, ones])
      offsets.insert(offsets[index], at: index)
    }
  }

  private static let raised: [UInt32: UInt32] = [
    0x2070: 0x30, 0xB9: 0x31, 0xB2: 0x32, 0xB3: 0x33, 0x2074: 0x34, 0x2075: 0x35, 0x2076: 0x36, 0x2077: 0x37,
    0x2078: 0x38, 0x2079: 0x39,
  ]

  /// "11 / 24 (火)" is "11/24 (火)": a bracket behind two numbers with room around their stroke says that they are a day.
  private mutating func closeSlashes() {
    guard let first = scalars.firstIndex(of: 0x2F), first >= 2 else { return }
    var blanks: Set<Int> = []
    for index in first..<scalars.count where scalars[index] == 0x2F {
      guard self[index - 1] == 0x20, isDigit(self[index - 2]), self[index + 1] == 0x20, isDigit(self[index + 2]) else {
        continue
      }
      var behind = isDigit(self[index + 3]) ? index + 4 : index + 3
      if self[behind] == 0x20 { behind += 1 }
      if self[behind] == 0x28, !isDigit(self[behind + 1]) { blanks.formUnion([index - 1, index + 1]) }
    }
    guard !blanks.isEmpty else { return }
    let kept = scalars.indices.filter { !blanks.contains($0) }
    offsets = kept.map { offsets[$0] } + offsets.suffix(1)
    scalars = kept.map { scalars[$0] }
  }

  /// "11/28.Sat" is "11/28 Sat".
  private mutating func openStops() {
    guard var index = scalars.firstIndex(of: 0x2E) else { return }
    while index + 3 < scalars.count {
      defer { index += 1 }
      guard scalars[index] == 0x2E, isDigit(self[index - 1]), isSpacedLetter(scalars[index + 1]),
        !isSpacedLetter(self[index + 4]), FoldedText.weekdays.contains(Array(scalars[index + 1...index + 3]))
      else { continue }
      scalars[index] = 0x20
    }
  }

  private static let weekdays = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"].map {
    $0.unicodeScalars.map(\.value)
  }

  var count: Int { scalars.count }

  subscript(_ index: Int) -> UInt32 { index >= 0 && index < scalars.count ? scalars[index] : 0 }

  /// What was printed for a range of scalars.
  func printed(_ range: Range<Int>) -> String {
    guard range.lowerBound < range.upperBound, range.upperBound <= scalars.count else { return "" }
    return String(decoding: source[offsets[range.lowerBound]..<offsets[range.upperBound]], as: UTF8.self)
  }

  private mutating func put(_ value: UInt32, at offset: Int) {
    scalars.append(value)
    offsets.append(offset)
  }

  private mutating func put(_ text: StaticString, at offset: Int) {
    text.withUTF8Buffer { for byte in $0 { put(UInt32(byte), at: offset) } }
  }

  private mutating func fold(_ value: UInt32, at offset: Int) {
    switch value {
    case 0x41...0x5A: put(value + 0x20, at: offset)
    case 0x5B, 0x7B: put("(", at: offset)
    case 0x5D, 0x7D: put(")", at: offset)
    case 0x60: put("'", at: offset)
    case 0x0A, 0x85, 0x2028, 0x2029: put(0x0A, at: offset)
    case 0x09, 0x0B...0x0D: put(" ", at: offset)
    case 0x20...0x7E: put(value, at: offset)
    case 0xA0, 0x2000...0x200A, 0x202F, 0x205F, 0x3000: put(" ", at: offset)
    // Full-width forms, U+FF5E of the waves among them.
    case 0xFF01...0xFF5E: fold(value - 0xFEE0, at: offset)
    case 0x301C, 0x223C, 0x2053, 0x3030: put("~", at: offset)
    case 0x2010...0x2015, 0x2212: put("-", at: offset)
    // Arrows from a start to its end.
    case 0x2192, 0x27A1, 0x2794, 0x279C, 0x2B62, 0x21E8: put("-", at: offset)
    // A long vowel, or a dash between times.
    case 0x30FC, 0xFF70, 0x3161: if isDigit(scalars.last ?? 0) { put("-", at: offset) } else { put(0x30FC, at: offset) }
    case 0x2236, 0xA789: put(":", at: offset)
    case 0x2044, 0x2215: put("/", at: offset)
    case 0x3001, 0xFF64: put(",", at: offset)
    case 0x3002, 0xFF61: put(";", at: offset)
    case 0xB7, 0x30FB, 0x2022, 0xFF65, 0x318D: put(0xB7, at: offset)
    case 0x3008, 0x300A, 0x300C, 0x300E, 0x3010, 0x3014, 0x3016, 0xFF62: put("(", at: offset)
    case 0x3009, 0x300B, 0x300D, 0x300F, 0x3011, 0x3015, 0x3017, 0xFF63: put(")", at: offset)
    case 0x2018...0x201B, 0x2032, 0xB4, 0x2BC, 0x05F3: put("'", at: offset)
    case 0x201C...0x201F, 0x2033, 0x05F4: put("\"", at: offset)
    case 0xAA: put("a", at: offset)
    case 0xBA, 0xB0: put("o", at: offset)
    case 0xDF: put("ss", at: offset)
    case 0xC6, 0xE6: put("ae", at: offset)
    case 0x152, 0x153: put("oe", at: offset)
    case 0xD7, 0xF7: put(value, at: offset)
    case 0xC0...0x17F: put(UInt32(FoldedText.plainLetters[Int(value - 0xC0)]), at: offset)
    case 0x218, 0x219: put(0x73, at: offset)
    case 0x21A, 0x21B: put(0x74, at: offset)
    case 0x386...0x3CE: put(FoldedText.plainGreek(value), at: offset)
    case 0x400...0x45F: put(FoldedText.plainCyrillic(value), at: offset)
    // The alif with its signs; the round t; the short a at a word's end.
    case 0x622, 0x623, 0x625: put(0x627, at: offset)
    case 0x629: put(0x647, at: offset)
    case 0x649: put(0x64A, at: offset)
    case 0x660...0x669: put(value - 0x660 + 0x30, at: offset)
    case 0x6F0...0x6F9: put(value - 0x6F0 + 0x30, at: offset)
    // ㈪ and ㊊ to ㈰ and ㊐: Monday to Sunday in a bracket or a circle.
    case 0x322A...0x3230, 0x328A...0x3290:
      put("(", at: offset)
      put(FoldedText.kanjiWeekdays[Int(value - (value < 0x3280 ? 0x322A : 0x328A))], at: offset)
      put(")", at: offset)
    case 0x33C2: put("am", at: offset)
    case 0x33D8: put("pm", at: offset)
    // Accents of their own, Hebrew and Arabic points, and what has no width.
    case 0x300...0x36F, 0x640, 0x64B...0x652, 0x591...0x5BD, 0x5BF, 0x5C1...0x5C7, 0x200B...0x200F, 0x202A...0x202E,
      0x2060...0x2069, 0xFEFF,
      0xAD,
      0xFE00...0xFE0F:
      break
    case 0x5BE: put("-", at: offset)
    case 0x3099, 0x309A: composeKana(value - 0x3098)
    case 0x1161...0x1175, 0x11A8...0x11C2: composeHangul(value, at: offset)
    case 0..<0x20, 0x7F...0x9F: put(" ", at: offset)
    default: put(value, at: offset)
    }
  }

  private static let kanjiWeekdays: [UInt32] = "月火水木金土日".unicodeScalars.map(\.value)

  /// U+00C0 to U+017F without their accents; the signs of multiplication and division stand among them.
  private static let plainLetters = Array(
    """
    aaaaaaaceeeeiiiidnooooo*ouuuuytsaaaaaaaceeeeiiiidnooooo/ouuuuyty\
    aaaaaaccccccccddddeeeeeeeeeegggggggghhhhiiiiiiiiiiiijjkkklllllll\
    lllnnnnnnnnnoooooooorrrrrrssssssssttttttuuuuuuuuuuuuwwyyyzzzzzzs
    """.utf8)

  /// A small letter of Greek without its accent; the sigma at a word's end is as the others.
  private static func plainGreek(_ value: UInt32) -> UInt32 {
    switch value {
    case 0x386, 0x3AC: 0x3B1
    case 0x388, 0x3AD: 0x3B5
    case 0x389, 0x3AE: 0x3B7
    case 0x38A, 0x390, 0x3AA, 0x3AF, 0x3CA: 0x3B9
    case 0x38C, 0x3CC: 0x3BF
    case 0x38E, 0x3AB, 0x3B0, 0x3CB, 0x3CD: 0x3C5
    case 0x38F, 0x3CE: 0x3C9
    case 0x3C2: 0x3C3
    case 0x391...0x3A9: value + 0x20
    default: value
    }
  }

  /// A small letter of Cyrillic without its accent.
  private static func plainCyrillic(_ value: UInt32) -> UInt32 {
    switch value {
    case 0x419, 0x439: 0x438
    case 0x401, 0x451: 0x435
    case 0x407, 0x457: 0x456
    case 0x400...0x40F: value + 0x50
    case 0x410...0x42F: value + 0x20
    default: value
    }
  }

  /// か and the mark of voicing are が.
  private mutating func composeKana(_ step: UInt32) {
    guard let last = scalars.last, (0x3041...0x30FA).contains(last) else { return }
    scalars[scalars.count - 1] = last + step
  }

  /// A consonant, a vowel and perhaps a consonant are one syllable.
  private mutating func composeHangul(_ value: UInt32, at offset: Int) {
    if value < 0x11A8, let last = scalars.last, (0x1100...0x1112).contains(last) {
      scalars[scalars.count - 1] = 0xAC00 + ((last - 0x1100) * 21 + value - 0x1161) * 28
    } else if value >= 0x11A8, let last = scalars.last, (0xAC00...0xD7A3).contains(last), (last - 0xAC00) % 28 == 0 {
      scalars[scalars.count - 1] = last + value - 0x11A7
    } else {
      put(value, at: offset)
    }
  }
}

func isDigit(_ value: UInt32) -> Bool { (0x30...0x39).contains(value) }

/// A letter of an alphabet that separates its words: Latin, Greek and Cyrillic (folded), Hebrew or Arabic.
func isSpacedLetter(_ value: UInt32) -> Bool {
  (0x61...0x7A).contains(value) || (0x5D0...0x5EA).contains(value) || (0x3B1...0x3C9).contains(value)
    || (0x430...0x45F).contains(value) || (0x621...0x64A).contains(value)
}

/// Hangul, kana, Han: words stand without spaces, or with particles stuck to them.
func isUnspacedLetter(_ value: UInt32) -> Bool {
  (0x3040...0x30FF).contains(value) || (0x3400...0x9FFF).contains(value) || (0xAC00...0xD7A3).contains(value)
}
