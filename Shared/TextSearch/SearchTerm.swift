/// What was asked for, in words; each must be found.
struct SearchQuery {
  /// Longer than any title; the rest of what was pasted is not looked for.
  static let unitsMax = 200
  /// Words of a long question beyond these are not looked for.
  static let termsMax = 8

  let terms: [SearchTerm]
  /// All of it as one word: 씨네 큐브 is also 씨네큐브.
  let whole: SearchTerm?

  init(_ text: String) {
    let folded = FoldedText(text, unitsMax: Self.unitsMax)
    var words: [[UInt32]] = []
    for (unit, startsWord) in zip(folded.units, folded.startsWord) {
      if startsWord { words.append([]) }
      words[words.count - 1].append(unit)
    }
    terms = words.prefix(Self.termsMax).map(SearchTerm.init)
    whole = words.count > 1 ? SearchTerm(folded.units) : nil
  }
}

/// One word that was asked for, in the forms in which it can be found.
struct SearchTerm {
  let forms: [(form: SearchForm, units: [UInt32])]

  /// Sounds of fewer letters would be found everywhere.
  private static let soundsMin = 3

  init(_ units: [UInt32]) {
    var forms: [(SearchForm, [UInt32])] = [(.written, units)]
    if units.allSatisfy(Hangul.isConsonant) {
      forms.append((.initials, units))
    } else if units.contains(where: Hangul.isSyllable) {
      forms.append((.letters, units.flatMap(Hangul.letters)))
    }
    // Kana too: ヴェ is also written ベ.
    if units.allSatisfy({ (0x61...0x7a).contains($0) || Kana.isKana($0) }) {
      let sounds = FormedText(soundOf: units).units.map { $0 & FormedText.scalarMask }
      if sounds.count >= Self.soundsMin { forms.append((.sounds, sounds)) }
    }
    self.forms = forms
  }

  /// How many slips of the finger are forgiven in a form of this length.
  static func typos(_ form: SearchForm, _ count: Int) -> Int {
    switch form {
    case .initials: 0
    case .written, .sounds: count < 4 ? 0 : count < 8 ? 1 : 2
    // Two to three letters are a syllable.
    case .letters: count < 6 ? 0 : count < 12 ? 1 : 2
    }
  }
}
