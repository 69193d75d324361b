/// The marks in a text: which words say how a film is shown, and whether anything else is said.
struct TitleMarks {
  private(set) var attributes: Set<ScreeningAttribute> = []
  /// Attributes that may stand anywhere in a title without being taken out of it.
  private(set) var secondaryAttributes: Set<ScreeningAttribute> = []
  /// Something says how it is shown, though it may be nothing to say: "2D".
  private(set) var hasMark = false
  /// Every word is a mark, or between marks.
  private(set) var isAll = false
  /// It begins with a mark of an occasion, and goes on about it: "Q&A with the director".
  private(set) var isLed = false
  /// It begins with what else is shown, or how: "shorts by …".
  private(set) var beginsWithMark = false
  /// It has a mark of an occasion somewhere: "감독 GV".
  private(set) var isStrong = false
  /// Words of a programme's strand are in it.
  private(set) var isStrand = false

  init(_ text: String) {
    let tokens = TitleVocabulary.tokens(of: text)
    guard !tokens.isEmpty else { return }
    var index = 0
    var covered = 0
    var fillers = 0
    var isFirst = true
    while index < tokens.count {
      // A price or a number has no plus behind it.
      if tokens[index] == "60", text.holds("60+") {
        attributes.insert(.seniors)
        if isFirst { beginsWithMark = true }
        (hasMark, isFirst, covered, index) = (true, false, covered + 1, index + 1)
        continue
      }
      guard let match = TitleVocabulary.match(tokens, at: index) else {
        index += 1
        isFirst = false
        continue
      }
      switch match.meaning {
      case .mark(let attribute):
        hasMark = true
        if isFirst { beginsWithMark = true }
        if let attribute { attributes.insert(attribute) }
      case .occasion(let attribute):
        attributes.insert(attribute)
        isStrong = true
        if isFirst { isLed = true }
      case .strand: isStrand = true
      case .filler: fillers += match.length
      case .inTitle(let attribute):
        secondaryAttributes.insert(attribute)
        index += match.length
        isFirst = false
        continue
      }
      if match.meaning != .filler { isFirst = false }
      covered += match.length
      index += match.length
    }
    isAll = covered == tokens.count && fillers < tokens.count
  }

  /// Whether a text ends with words of a programme's strand, but for an edition's number: "午前十時の映画祭16".
  static func endsWithStrand(_ text: String) -> Bool {
    let tokens = TitleVocabulary.tokens(of: text)
    guard !tokens.isEmpty else { return false }
    let end = tokens.lastIndex { !$0.utf8.allSatisfy(isDigitByte) && $0 != "回" && $0 != "회" } ?? 0
    return tokens[...end].indices.suffix(4).contains { start in
      guard let match = TitleVocabulary.match(tokens, at: start), match.meaning == .strand else { return false }
      return start + match.length == end + 1
    }
  }

  /// How many scalars at the end of a text in Han, kana or Hangul are marks: `版` of `4K修復版` included.
  static func unspacedTail(of text: String) -> Int? {
    guard let last = text.unicodeScalars.last, TitleVocabulary.isUnspaced(last) else { return nil }
    let scalars = Array(text.unicodeScalars)
    var best: Int?
    // The longest tail that is all marks, and holds more than one scalar.
    for start in scalars.indices.dropFirst().reversed().prefix(24) {
      // A bracket in front of them closes what is before.
      guard scalars.count - start >= 2,
        scalars[start].properties.isAlphabetic || scalars[start].properties.numericType != nil
      else { continue }
      var view = String.UnicodeScalarView()
      view.append(contentsOf: scalars[start...])
      let marks = TitleMarks(String(view))
      if marks.isAll, !marks.attributes.isEmpty, !TitleVocabulary.splitsWord(scalars, at: start) {
        best = scalars.count - start
      }
    }
    return best
  }
}
