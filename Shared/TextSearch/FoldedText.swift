/// A text as it is compared: without case, width, accents, blanks and punctuation, katakana as hiragana.
///
///     FoldedText("Ｃｉｎéma・シネマ").units        // c i n e m a し ね ま
///
/// Each unit remembers where it came from, so that what was found can be shown in the text as it was written.
package struct FoldedText: Hashable, Sendable {
  /// Scalars of the folded text, without anything between the words.
  package private(set) var units: [UInt32] = []
  /// Where each unit stands in the original, as UTF-8 offsets.
  package private(set) var origins: [Range<Int>] = []
  /// Whether a word begins with this unit.
  package private(set) var startsWord: [Bool] = []

  /// - Parameter unitsMax: what follows is left out.
  package init(_ text: some StringProtocol, unitsMax: Int = .max) {
    var offset = 0
    var isBetweenWords = true
    for scalar in text.unicodeScalars {
      let range = offset..<(offset + UTF8.width(scalar))
      offset = range.upperBound
      guard units.count < unitsMax else { return }
      switch ScalarFolding.fold(scalar) {
      case .nothing:
        // An accent belongs to the letter before it, and is shown with it.
        extendLast(to: range.upperBound)
      case .separator: isBetweenWords = true
      case .voicing(let mark):
        if let last = units.last, let voiced = Kana.voiced(last, by: mark) {
          units[units.count - 1] = voiced
          extendLast(to: range.upperBound)
        }
      case .unit(let unit): append(unit, range, &isBetweenWords)
      case .units(let many): for unit in many { append(unit, range, &isBetweenWords) }
      }
    }
  }

  private mutating func append(_ unit: UInt32, _ range: Range<Int>, _ isBetweenWords: inout Bool) {
    if let last = units.last, !isBetweenWords, let syllable = Hangul.composed(last, unit) {
      units[units.count - 1] = syllable
      extendLast(to: range.upperBound)
      return
    }
    units.append(unit)
    origins.append(range)
    startsWord.append(isBetweenWords)
    isBetweenWords = false
  }

  private mutating func extendLast(to end: Int) {
    guard let last = origins.last else { return }
    origins[origins.count - 1] = last.lowerBound..<end
  }

  /// The folded text as text, without blanks: a key to compare and to sort by.
  package var text: String { Self.text(of: units[...]) }

  /// Some of a folded text's units as text.
  package static func text(of units: ArraySlice<UInt32>) -> String {
    var view = String.UnicodeScalarView()
    for unit in units { if let scalar = Unicode.Scalar(unit) { view.append(scalar) } }
    return String(view)
  }

  /// The fewest letters to insert, drop, replace or swap with their neighbour that make of this the whole of `name`, or
  /// a beginning of it, or of one of its words; nil if they are more than `limit`.
  package func slips(to name: FoldedText, atMost limit: Int) -> Int? {
    guard limit >= 0 else { return nil }
    return name.units.indices.lazy.filter { name.startsWord[$0] }
      .compactMap { Slips.between(units, andPrefixOf: name.units[$0...], atMost: limit)?.slips }.min()
  }
}

/// What becomes of one scalar.
enum ScalarFolding {
  case nothing
  case separator
  case unit(UInt32)
  case units([UInt32])
  /// A voicing mark of kana: it changes the unit before it.
  case voicing(Kana.Mark)

  static func fold(_ scalar: Unicode.Scalar) -> ScalarFolding {
    let value = scalar.value
    switch value {
    case 0x61...0x7a, 0x30...0x39: return .unit(value)
    case 0x41...0x5a: return .unit(value + 0x20)
    // Apostrophes stand inside words: it's, 's-Hertogenbosch.
    case 0x27, 0x2018, 0x2019, 0x2bc: return .nothing
    case 0...0x7f: return .separator
    case 0xac00...0xd7a3, 0x4e00...0x9fff, 0x3400...0x4dbf: return .unit(value)
    case 0x3099, 0xff9e, 0x309b: return .voicing(.voiced)
    case 0x309a, 0xff9f, 0x309c: return .voicing(.halfVoiced)
    // The long mark: コンピュータ and コンピューター are one word.
    case 0x30fc, 0xff70: return .nothing
    case 0x3041...0x3096: return .unit(value)
    case 0x30a1...0x30f6: return .unit(value - 0x60)
    case 0xff66...0xff9d: return .unit(Kana.fromHalfWidth(value))
    case 0xffa1...0xffdc: return Hangul.fromHalfWidth(value).map { .unit($0) } ?? .nothing
    // Full-width forms of ASCII.
    case 0xff01...0xff5e: return Unicode.Scalar(value - 0xfee0).map(fold) ?? .separator
    case 0x2160...0x216b, 0x2170...0x217b: return .units(Array(romanNumeral(value & 0xf).unicodeScalars.map(\.value)))
    case 0x2460...0x2468: return .unit(0x31 + value - 0x2460)
    default: return other(scalar)
    }
  }

  private static func other(_ scalar: Unicode.Scalar) -> ScalarFolding {
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .format, .spacingMark: return .nothing
    case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter:
      let lower = scalar.properties.lowercaseMapping.unicodeScalars
      let folded = lower.flatMap { LatinLetters.plain($0.value) }
      return folded.count == 1 ? .unit(folded[0]) : .units(folded)
    case .modifierLetter, .otherLetter, .decimalNumber, .letterNumber, .otherNumber: return .unit(scalar.value)
    default: return .separator
    }
  }

  private static func romanNumeral(_ index: UInt32) -> String {
    ["i", "ii", "iii", "iv", "v", "vi", "vii", "viii", "ix", "x", "xi", "xii"][Int(min(index, 11))]
  }
}
