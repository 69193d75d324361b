/// Japanese syllables, as hiragana.
enum Kana {
  enum Mark { case voiced, halfVoiced }

  static func isKana(_ unit: UInt32) -> Bool { (0x3041...0x3096).contains(unit) }

  /// The syllable with a mark that was written as a character of its own: か and ゛ are が.
  static func voiced(_ unit: UInt32, by mark: Mark) -> UInt32? {
    switch (mark, unit) {
    // The voiced syllable follows its plain one.
    case (.voiced, 0x304b...0x3062) where unit % 2 == 1: unit + 1
    case (.voiced, 0x3064...0x3069) where unit % 2 == 0: unit + 1
    case (.voiced, 0x306f...0x307d) where unit % 3 == 0: unit + 1
    case (.voiced, 0x3046): 0x3094
    case (.halfVoiced, 0x306f...0x307d) where unit % 3 == 0: unit + 2
    default: nil
    }
  }

  static func fromHalfWidth(_ value: UInt32) -> UInt32 { halfWidth[Int(value - 0xff66)] }

  /// U+FF66 to U+FF9D without the long mark's place, which is never asked for.
  private static let halfWidth = "をぁぃぅぇぉゃゅょっーあいうえおかきくけこさしすせそたちつてとなにぬねのはひふへほまみむめもやゆよらりるれろわん"
    .unicodeScalars.map(\.value)

  /// Appends the Latin letters of a syllable by Hepburn's rules to those of the syllables before it.
  static func romanise(_ unit: UInt32, after letters: inout [UInt8], isDoubling: inout Bool) {
    switch unit {
    case 0x3063: isDoubling = true
    case 0x3041, 0x3043, 0x3045, 0x3047, 0x3049:  // ふぁ is fa: the vowel changes
      if let last = letters.last, isVowel(last) { letters.removeLast() }
      letters += names[Int(unit - 0x3041)].utf8
    case 0x3083, 0x3085, 0x3087:  // しゃ is sha, きゃ is kya
      var name = Array(names[Int(unit - 0x3041)].utf8)
      if letters.last == UInt8(ascii: "i") { letters.removeLast() }
      if let last = letters.last, last == UInt8(ascii: "h") || last == UInt8(ascii: "j") { name.removeFirst() }
      letters += name
    default:
      let name = Array(names[Int(unit - 0x3041)].utf8)
      if isDoubling, let first = name.first { letters.append(first) }
      isDoubling = false
      letters += name
    }
  }

  private static func isVowel(_ letter: UInt8) -> Bool { "aiueo".utf8.contains(letter) }

  /// U+3041 to U+3096.
  private static let names = [
    "a", "a", "i", "i", "u", "u", "e", "e", "o", "o", "ka", "ga", "ki", "gi", "ku", "gu", "ke", "ge", "ko", "go", "sa",
    "za", "shi", "ji", "su", "zu", "se", "ze", "so", "zo", "ta", "da", "chi", "ji", "", "tsu", "zu", "te", "de", "to",
    "do", "na", "ni", "nu", "ne", "no", "ha", "ba", "pa", "hi", "bi", "pi", "fu", "bu", "pu", "he", "be", "pe", "ho",
    "bo", "po", "ma", "mi", "mu", "me", "mo", "ya", "ya", "yu", "yu", "yo", "yo", "ra", "ri", "ru", "re", "ro", "wa",
    "wa", "i", "e", "o", "n", "vu", "ka", "ke",
  ]
}
