/// Korean syllables and the letters that they are made of.
enum Hangul {
  static let syllables: ClosedRange<UInt32> = 0xac00...0xd7a3

  static func isSyllable(_ unit: UInt32) -> Bool { syllables.contains(unit) }

  /// A letter that is typed alone: `ㅆ`.
  static func isConsonant(_ unit: UInt32) -> Bool { (0x3131...0x314e).contains(unit) }

  private static func isLetter(_ unit: UInt32) -> Bool { (0x3131...0x3163).contains(unit) }

  /// The first consonant of a syllable as a letter of its own: `씨` gives `ㅆ`.
  static func initial(_ syllable: UInt32) -> UInt32 { initials[Int((syllable - 0xac00) / 588)] }

  /// What a syllable is typed with: `큐` gives `ㅋㅠ`, `값` gives `ㄱㅏㅂㅅ`.
  static func letters(_ unit: UInt32) -> [UInt32] {
    guard isSyllable(unit) else { return isLetter(unit) ? split(unit) : [unit] }
    let (first, rest) = (unit - 0xac00).quotientAndRemainder(dividingBy: 588)
    let (middle, last) = rest.quotientAndRemainder(dividingBy: 28)
    let tail = last == 0 ? [] : split(finals[Int(last) - 1])
    return [initials[Int(first)]] + split(0x314f + middle) + tail
  }

  /// A syllable out of conjoining letters that stand one after the other, as some systems write file names.
  static func composed(_ left: UInt32, _ right: UInt32) -> UInt32? {
    if (0x1100...0x1112).contains(left), (0x1161...0x1175).contains(right) {
      return 0xac00 + (left - 0x1100) * 588 + (right - 0x1161) * 28
    }
    if isSyllable(left), (left - 0xac00) % 28 == 0, (0x11a8...0x11c2).contains(right) { return left + right - 0x11a7 }
    return nil
  }

  static func fromHalfWidth(_ value: UInt32) -> UInt32? {
    switch value {
    case 0xffa1...0xffbe: 0x3131 + value - 0xffa1
    case 0xffc2...0xffc7: 0x314f + value - 0xffc2
    case 0xffca...0xffcf: 0x3155 + value - 0xffca
    case 0xffd2...0xffd7: 0x315b + value - 0xffd2
    case 0xffda...0xffdc: 0x3161 + value - 0xffda
    default: nil
    }
  }

  /// Latin letters for a syllable by Revised Romanisation, each syllable for itself.
  static func romanised(_ syllable: UInt32) -> String {
    let (first, rest) = (syllable - 0xac00).quotientAndRemainder(dividingBy: 588)
    let (middle, last) = rest.quotientAndRemainder(dividingBy: 28)
    return initialNames[Int(first)] + middleNames[Int(middle)] + finalNames[Int(last)]
  }

  /// Letters that are typed with two keys are two letters.
  private static func split(_ letter: UInt32) -> [UInt32] { compounds[letter] ?? [letter] }

  private static let initials = "ㄱㄲㄴㄷㄸㄹㅁㅂㅃㅅㅆㅇㅈㅉㅊㅋㅌㅍㅎ".unicodeScalars.map(\.value)
  private static let finals = "ㄱㄲㄳㄴㄵㄶㄷㄹㄺㄻㄼㄽㄾㄿㅀㅁㅂㅄㅅㅆㅇㅈㅊㅋㅌㅍㅎ".unicodeScalars.map(\.value)

  private static let compounds: [UInt32: [UInt32]] = {
    let pairs = [
      "ㄳㄱㅅ", "ㄵㄴㅈ", "ㄶㄴㅎ", "ㄺㄹㄱ", "ㄻㄹㅁ", "ㄼㄹㅂ", "ㄽㄹㅅ", "ㄾㄹㅌ", "ㄿㄹㅍ", "ㅀㄹㅎ", "ㅄㅂㅅ", "ㅘㅗㅏ", "ㅙㅗㅐ", "ㅚㅗㅣ",
      "ㅝㅜㅓ", "ㅞㅜㅔ", "ㅟㅜㅣ", "ㅢㅡㅣ",
    ]
    return Dictionary(
      uniqueKeysWithValues: pairs.map { pair in
        let letters = pair.unicodeScalars.map(\.value)
        return (letters[0], [letters[1], letters[2]])
      })
  }()

  private static let initialNames = [
    "g", "kk", "n", "d", "tt", "r", "m", "b", "pp", "s", "ss", "", "j", "jj", "ch", "k", "t", "p", "h",
  ]
  private static let middleNames = [
    "a", "ae", "ya", "yae", "eo", "e", "yeo", "ye", "o", "wa", "wae", "oe", "yo", "u", "wo", "we", "wi", "yu", "eu",
    "ui", "i",
  ]
  private static let finalNames = [
    "", "k", "k", "k", "n", "n", "n", "t", "l", "k", "m", "l", "l", "l", "p", "l", "m", "p", "p", "t", "t", "ng", "t",
    "t", "k", "t", "p", "t",
  ]
}
