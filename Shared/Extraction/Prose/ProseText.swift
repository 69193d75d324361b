/// Text that runs on, taken apart: its sentences, and the films that they name in quotation marks or in italics.
struct ProseText {
  struct Sentence {
    /// Without the names: where each stood there is `ProseText.hole`, so that no number in a name is a time.
    var words = ""
    var names: [String] = []

    /// The one film that it names, however often.
    var name: String? { Set(names.map(\.foldedKey)).count == 1 ? names[0] : nil }
  }

  private(set) var sentences: [Sentence] = []

  static let hole: Unicode.Scalar = "\u{FFFC}"
  /// Around what is emphasised, put there by whoever collects the text.
  static let (emphasis, emphasisEnd): (Unicode.Scalar, Unicode.Scalar) = ("\u{E000}", "\u{E001}")
  static let lineEnd: Unicode.Scalar = "\n"

  init(_ text: some Sequence<Unicode.Scalar>) {
    let scalars = Array(text)
    var sentence = Sentence()
    var index = 0
    func end() {
      if sentence.words.hasLetters || !sentence.names.isEmpty { sentences.append(sentence) }
      sentence = Sentence()
    }
    while index < scalars.count {
      let scalar = scalars[index]
      if let close = Self.close(of: index, in: scalars) {
        let quoted = String(String.UnicodeScalarView(scalars[index + 1..<close])).trimmedText
        let name = quoted.strippingEnds
        if Self.isName(name), !Self.isSpeech(quoted), !Self.isHouse(behind: sentence.words) {
          sentence.names.append(name)
          sentence.words.unicodeScalars.append(Self.hole)
        } else {
          sentence.words.unicodeScalars.append(contentsOf: scalars[index...close])
        }
        index = close + 1
        continue
      }
      if scalar == Self.lineEnd || Self.endsSentence(index, in: scalars) {
        end()
      } else if scalar != Self.emphasis, scalar != Self.emphasisEnd {
        sentence.words.unicodeScalars.append(scalar)
      }
      index += 1
    }
    end()
  }

  // MARK: Names

  /// By what opens a name: what may close it. „…“, “…”, ”…”, »…« and «…» are all in use.
  private static let marks: [Unicode.Scalar: Set<Unicode.Scalar>] = [
    emphasis: [emphasisEnd], "«": ["»"], "»": ["«", "»"], "„": ["“", "”", "\""], "“": ["”", "“", "\""], "”": ["”"],
    "\"": ["\""], "‘": ["’", "‘"], "‚": ["‘", "’"], "›": ["‹"], "‹": ["›"], "『": ["』"], "《": ["》"], "〈": ["〉"],
    "〝": ["〟"],
  ]
  /// These stand inside words, too.
  private static let apostrophes: Set<Unicode.Scalar> = ["’", "‘"]
  private static let nameMax = 100

  private static func close(of open: Int, in scalars: [Unicode.Scalar]) -> Int? {
    guard let ends = marks[scalars[open]], open == 0 || !scalars[open - 1].properties.isAlphabetic else {
      // In languages without blanks a name may follow a letter.
      guard let ends = marks[scalars[open]], unspaced.contains(scalars[open]) else { return nil }
      return firstEnd(ends, behind: open, in: scalars)
    }
    return firstEnd(ends, behind: open, in: scalars)
  }

  private static let unspaced: Set<Unicode.Scalar> = ["『", "《", "〈", "〝", emphasis]

  private static func firstEnd(_ ends: Set<Unicode.Scalar>, behind open: Int, in scalars: [Unicode.Scalar]) -> Int? {
    var index = open + 1
    while index < scalars.count, index - open <= nameMax, scalars[index] != lineEnd {
      if ends.contains(scalars[index]),
        !apostrophes.contains(scalars[index])
          || !(index + 1 < scalars.count && scalars[index + 1].properties.isAlphabetic)
      {
        return index
      }
      index += 1
    }
    return nil
  }

  /// Not what somebody says, and no part of a sentence that is only stressed.
  private static func isName(_ text: String) -> Bool {
    guard text.hasLetters || text.utf8.contains(where: isDigitByte), let first = text.unicodeScalars.first else {
      return false
    }
    guard let last = text.unicodeScalars.last, last != ",", last != ":", last != ";" else { return false }
    let words = text.unicodeScalars.split(whereSeparator: \.isBlank)
    return words.count <= wordsMax && !first.properties.isLowercase
  }

  private static let wordsMax = 14

  /// „Wir freuen uns auf alle, die kommen.“
  private static func isSpeech(_ text: String) -> Bool {
    (text.hasSuffix(".") || text.hasSuffix(",")) && !text.hasSuffix("..")
      && text.unicodeScalars.split(whereSeparator: \.isBlank).count >= speechWordsMin
  }

  private static let speechWordsMin = 4

  /// "das Kino »Moss«": the word before says what it is, unless it says who shows it.
  private static func isHouse(behind words: String) -> Bool {
    let before = words.unicodeScalars.suffix(wordsBytesMax)
    guard before.last?.isBlank ?? false else { return false }
    let last = before.split(whereSeparator: \.isBlank).suffix(wordsBefore).map { String(Substring($0)) }
    guard let word = last.last, ProseWords.isHouse(word), word.unicodeScalars.last?.properties.isAlphabetic ?? false
    else { return false }
    return !last.dropLast().contains(where: ProseWords.saysShowing)
  }

  /// "zeigt das neue Kino"
  private static let wordsBefore = 4
  private static let wordsBytesMax = 80

  // MARK: Sentences

  private static let ends: Set<Unicode.Scalar> = [".", "!", "?", "。", "！", "？"]
  /// "tel.", "Dir."
  private static let shortMax = 3

  /// "14. ožujka" and "tel. 011" end none.
  private static func endsSentence(_ index: Int, in scalars: [Unicode.Scalar]) -> Bool {
    guard ends.contains(scalars[index]) else { return false }
    if scalars[index].value > 0x2FFF { return true }
    var next = index + 1
    guard next == scalars.count || scalars[next].isBlank || scalars[next] == lineEnd else { return false }
    while next < scalars.count, scalars[next].isBlank { next += 1 }
    if next < scalars.count, scalars[next].properties.isLowercase { return false }
    var letters = 0
    while index - letters - 1 >= 0, scalars[index - letters - 1].properties.isAlphabetic { letters += 1 }
    if scalars[index] != "." { return true }
    if letters == 0 { return index > 0 && !isDigitByte(UInt8(truncatingIfNeeded: scalars[index - 1].value)) }
    return letters > shortMax
  }
}

extension String {
  /// "Silt," in its quotation marks is Silt.
  fileprivate var strippingEnds: String {
    var text = self[...]
    while let last = text.unicodeScalars.last, last == "," || last == "." && !text.dropLast().hasSuffix(".") {
      text = text.dropLast()
    }
    return String(text)
  }
}
