import TextSearch

/// One word of a printed title: where it stands, and what stands before it.
nonisolated struct PrintedWord {
  /// What stands between two words of the same brackets.
  enum Joint {
    /// Blanks, commas, hyphens: one goes on in the other.
    case none
    case colon
    /// Dashes, strokes, plus signs.
    case dash
    /// Upright strokes, stars: no name goes on behind one.
    case bar
  }

  /// In the folded text.
  let units: Range<Int>
  /// In the bytes as they were printed.
  let place: Range<Int>
  let joint: Joint
  /// The pair of brackets that it stands in; 0 outside of all.
  let group: Int
  /// They are those of titles: 『…』, “…”.
  let isQuoted: Bool

  static func all(of folded: FoldedText, in bytes: [UInt8], atMost most: Int) -> [PrintedWord] {
    var brackets = Brackets()
    var end = 0
    let starts = folded.startsWord.indices.filter { folded.startsWord[$0] }
    return starts.prefix(most).enumerated().map { index, start in
      let units = start..<(index + 1 < starts.count ? starts[index + 1] : folded.units.count)
      let place = folded.origins[units.lowerBound].lowerBound..<folded.origins[units.upperBound - 1].upperBound
      let joint = brackets.pass(String(decoding: bytes[min(end, place.lowerBound)..<place.lowerBound], as: UTF8.self))
      end = place.upperBound
      return PrintedWord(
        units: units, place: place, joint: joint, group: brackets.open.last?.group ?? 0,
        isQuoted: brackets.open.last?.isQuote ?? false)
    }
  }

  /// Those that are open after each word.
  private struct Brackets {
    var open: [(close: Unicode.Scalar, group: Int, isQuote: Bool)] = []
    private var count = 0

    /// What a text between two words says of how they belong together.
    mutating func pass(_ text: String) -> Joint {
      var joint = Joint.none
      for scalar in text.unicodeScalars {
        // Quotation marks that close as they open are seen closing first.
        if let place = open.lastIndex(where: { $0.close == scalar }) {
          open.removeSubrange(place...)
        } else if let pair = Self.pairs[scalar] {
          count += 1
          open.append((pair.close, count, pair.isQuote))
        } else if scalar == ":" || scalar == "：" {
          joint = .colon
        } else if Self.bars.contains(scalar) {
          joint = .bar
        } else if Self.dashes.contains(scalar) || Self.closing.contains(scalar)
          || Self.signs.contains(scalar) && text.utf8.count > 1
        {
          if joint == .none { joint = .dash }
        }
      }
      return joint
    }

    private static let pairs: [Unicode.Scalar: (close: Unicode.Scalar, isQuote: Bool)] = [
      "(": (")", false), "[": ("]", false), "{": ("}", false), "（": ("）", false), "［": ("］", false), "【": ("】", false),
      "〔": ("〕", false), "<": (">", true), "＜": ("＞", false), "〈": ("〉", true), "《": ("》", true), "「": ("」", true),
      "『": ("』", true), "“": ("”", true), "„": ("“", true), "«": ("»", true), "\"": ("\"", true),
    ]

    /// What nothing opened sets a label off: "필름) 부산행".
    private static let closing: Set<Unicode.Scalar> = [")", "）", "]", "］", "】"]
    /// Between blanks; not in "Q&A" and "Jean-Luc".
    private static let signs: Set<Unicode.Scalar> = ["-", "+", "&"]
    private static let dashes: Set<Unicode.Scalar> = [
      "–", "—", "―", "−", "/", "／", "＋", "＆", "•", "·", "~", "〜", "～",
    ]
    private static let bars: Set<Unicode.Scalar> = ["|", "｜", "_", "★", "☆", "※", "*"]
  }
}
