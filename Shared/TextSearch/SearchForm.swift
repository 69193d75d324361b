/// A way in which a text can be asked for.
enum SearchForm: UInt8, CaseIterable {
  /// As it is written, folded.
  case written
  /// By the first consonants of its syllables: ㅆㄴㅋㅂ for 씨네큐브.
  case initials
  /// By the letters of its syllables, so that a syllable that is half typed is found: 씬 on the way to 씨네.
  case letters
  /// By how it sounds in Latin letters.
  case sounds

  /// The text in this form; nil where the form adds nothing.
  func units(of text: FoldedText) -> FormedText? {
    switch self {
    case .written:
      return FormedText(text) { unit in [unit] }
    case .initials:
      guard text.units.contains(where: Hangul.isSyllable) else { return nil }
      return FormedText(text) { unit in [Hangul.isSyllable(unit) ? Hangul.initial(unit) : unit] }
    case .letters:
      guard text.units.contains(where: Hangul.isSyllable) else { return nil }
      return FormedText(text, Hangul.letters)
    case .sounds:
      guard text.units.contains(where: { Hangul.isSyllable($0) || Kana.isKana($0) }) else { return nil }
      return FormedText(soundOf: text.units, startsWord: text.startsWord)
    }
  }
}

/// A text in one of its forms.
struct FormedText {
  /// A scalar, and whether a match may begin with it, and whether a word does.
  private(set) var units: [UInt32] = []
  /// For each unit, the unit of the folded text that it came from.
  private(set) var sources: [Int] = []

  static let wordBit: UInt32 = 1 << 31
  static let startBit: UInt32 = 1 << 30
  static let scalarMask: UInt32 = startBit - 1

  /// - Parameter expand: what a unit becomes; a match can only begin where a unit does.
  init(_ text: FoldedText, _ expand: (UInt32) -> [UInt32]) {
    for (source, unit) in text.units.enumerated() {
      for (place, part) in expand(unit).enumerated() {
        append(part, source, isFirst: place == 0, isWord: text.startsWord[source])
      }
    }
  }

  init(soundOf units: [UInt32], startsWord: [Bool] = []) {
    var letters: [UInt8] = []
    var origins: [Int] = []
    var isDoubling = false
    for (source, unit) in units.enumerated() {
      if Hangul.isSyllable(unit) {
        letters += Hangul.romanised(unit).utf8
      } else if Kana.isKana(unit) {
        Kana.romanise(unit, after: &letters, isDoubling: &isDoubling)
      } else if unit < 0x80 {
        letters.append(UInt8(unit))
      }
      while origins.count < letters.count { origins.append(source) }
      origins.removeLast(origins.count - letters.count)
    }
    let (sounds, places) = Sound.of(letters)
    for (sound, place) in zip(sounds, places) {
      let source = origins[place]
      append(
        UInt32(sound), source, isFirst: sources.last != source,
        isWord: startsWord.indices.contains(source) && startsWord[source])
    }
  }

  private mutating func append(_ unit: UInt32, _ source: Int, isFirst: Bool, isWord: Bool) {
    let start = isFirst ? Self.startBit : 0
    let word = isFirst && isWord ? Self.wordBit : 0
    units.append(unit | start | word)
    sources.append(source)
  }
}
