/// A number, a word we know, a mark, or something else.
struct PrintedToken {
  enum Kind: Hashable {
    case number(value: Int, digits: Int)
    case word(PrintedWord)
    case mark(Mark)
    case newline
    /// Letters and signs that mean nothing here.
    case text

    /// Not "to" and "la", which say something wherever they stand.
    var mayBeName: Bool {
      switch self {
      case .number, .mark, .newline, .word(.joint), .word(.filler), .word(.until), .word(.from), .word(.and),
        .word(.timeHint), .word(.tuesdayOrMarch):
        false
      case .word, .text: true
      }
    }
  }

  enum Mark: UInt32 {
    case stop = 0x2E
    case comma = 0x2C
    case colon = 0x3A
    case semicolon = 0x3B
    case slash = 0x2F
    case dash = 0x2D
    case wave = 0x7E
    case open = 0x28
    case close = 0x29
    case apostrophe = 0x27
    case quote = 0x22
    case dot = 0xB7
    case plus = 0x2B
    case bar = 0x7C
  }

  var kind: Kind
  /// Scalars of the folded text.
  var range: Range<Int>
  var hasSpaceBefore: Bool

  static func all(in text: FoldedText) -> [PrintedToken] {
    var tokens: [PrintedToken] = []
    var index = 0
    var hasSpace = false
    while index < text.count {
      let first = text[index]
      if first == 0x20 {
        hasSpace = true
        index += 1
        continue
      }
      // "*15.30", "•15.30": what only marks an item of a list.
      if first == 0x2A || first == 0x2022, hasSpace || tokens.last.map({ $0.kind == .newline }) ?? true,
        isDigit(text[index + 1])
      {
        hasSpace = true
        index += 1
        continue
      }
      let (kind, length) = token(in: text, at: index, after: hasSpace ? nil : tokens.last?.kind)
      tokens.append(PrintedToken(kind: kind, range: index..<index + length, hasSpaceBefore: hasSpace))
      hasSpace = false
      index += length
    }
    return tokens
  }

  private static func token(in text: FoldedText, at index: Int, after previous: Kind?) -> (Kind, Int) {
    let first = text[index]
    if first == 0x0A { return (.newline, 1) }
    if isDigit(first) {
      var end = index
      var value = 0
      while isDigit(text[end]) {
        if end - index < 9 { value = value * 10 + Int(text[end] - 0x30) }
        end += 1
      }
      return (.number(value: value, digits: end - index), end - index)
    }
    if let mark = Mark(rawValue: first) { return (.mark(mark), 1) }
    guard let match = PrintedVocabulary.times.match(in: text, at: index) else { return (.text, 1) }
    // "7:30p": American listings save the m.
    if match.length == 1, case .number = previous, let part = [0x61: PartOfDay.am, 0x70: .pm][first] {
      return (.word(.partOfDay(part)), 1)
    }
    return (match.meaning.map(Kind.word) ?? .text, match.length)
  }
}
