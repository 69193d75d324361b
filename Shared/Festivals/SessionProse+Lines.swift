/// The letters of one line: emphasis, links, and blanks that say nothing.
extension SessionProse {
  /// How far the end of something is looked for: behind that it is nobody's.
  private static let reachMax = 500
  /// Emphasis in a link in emphasis.
  private static let depthMax = 4

  static func runs(of line: [Piece]) -> [Run] {
    var writing = Writing()
    read(line[...], depth: 0, &writing)
    return writing.trimmed
  }

  /// How what comes next looks, and what there is so far.
  private struct Writing {
    private var runs: [Run] = []
    var strong = 0
    var emphasis = 0
    var url: String?

    mutating func put(_ scalar: Unicode.Scalar) {
      let isBlank = scalar.properties.isWhitespace
      // Blanks are one, and none begins a line.
      if isBlank, runs.last?.text.last?.isWhitespace ?? true { return }
      let scalar = isBlank ? " " : scalar
      guard scalar.properties.generalCategory != .control else { return }
      let look = Run(text: "", url: url, isStrong: strong > 0, isEmphasised: emphasis > 0)
      if let last = runs.last,
        (last.url, last.isStrong, last.isEmphasised) == (look.url, look.isStrong, look.isEmphasised)
      {
        runs[runs.count - 1].text.unicodeScalars.append(scalar)
      } else {
        runs.append(look)
        runs[runs.count - 1].text.unicodeScalars.append(scalar)
      }
    }

    var trimmed: [Run] {
      var runs = runs
      while let last = runs.last?.text.last, last.isWhitespace {
        runs[runs.count - 1].text.removeLast()
        if runs[runs.count - 1].text.isEmpty { runs.removeLast() }
      }
      return runs
    }
  }

  private static func read(_ line: ArraySlice<Piece>, depth: Int, _ writing: inout Writing) {
    var place = line.startIndex
    while place < line.endIndex {
      switch line[place] {
      case .mark(.strong, let isOpen): writing.strong = max(0, writing.strong + (isOpen ? 1 : -1))
      case .mark(.emphasis, let isOpen): writing.emphasis = max(0, writing.emphasis + (isOpen ? 1 : -1))
      case .link(let url): writing.url = url
      case .lineBreak, .paragraph, .heading, .list, .item: break
      case .letter(let letter):
        if depth < depthMax, let end = special(letter, at: place, in: line, depth, &writing) {
          place = end
          continue
        }
        writing.put(letter)
      }
      place += 1
    }
  }

  /// Writes what a mark of Markdown begins. Returns where that ends; nil if the letter is one like others.
  private static func special(
    _ letter: Unicode.Scalar, at place: Int, in line: ArraySlice<Piece>, _ depth: Int, _ writing: inout Writing
  ) -> Int? {
    switch letter {
    case "\\":
      guard let next = line[(place + 1)...].first?.letter, next.isASCII, !isAlphanumeric(next),
        !next.properties.isWhitespace
      else { return nil }
      writing.put(next)
      return place + 2
    case "*", "_":
      for count in [2, 1] {
        guard let end = emphasised(letter, count, at: place, in: line) else { continue }
        if count == 2 { writing.strong += 1 } else { writing.emphasis += 1 }
        read(line[(place + count)..<end], depth: depth + 1, &writing)
        if count == 2 { writing.strong -= 1 } else { writing.emphasis -= 1 }
        return end + count
      }
      return nil
    case "[":
      guard writing.url == nil, let (words, url, end) = link(at: place, in: line) else { return nil }
      writing.url = url
      read(words, depth: depth + 1, &writing)
      writing.url = nil
      return end
    case "<", "h", "H":
      let start = letter == "<" ? place + 1 : place
      guard writing.url == nil, !isAlphanumeric(before: place, in: line), let (url, end) = bare(at: start, in: line)
      else { return nil }
      // `<https://…>`
      let isClosed = letter == "<" && end < line.endIndex && line[end].letter == ">"
      guard letter != "<" || isClosed else { return nil }
      writing.url = url
      for scalar in url.unicodeScalars { writing.put(scalar) }
      writing.url = nil
      return isClosed ? end + 1 : end
    default: return nil
    }
  }

  // MARK: What begins there

  /// Where so many of a mark end what they begin: letters stand close to them, and those of words do not part a word.
  private static func emphasised(
    _ mark: Unicode.Scalar, _ count: Int, at place: Int, in line: ArraySlice<Piece>
  ) -> Int? {
    func isMark(_ place: Int) -> Bool {
      (0..<count).allSatisfy { place + $0 < line.endIndex && line[place + $0].letter == mark }
    }
    let isLoose = count == 2 && mark == "*"
    let first = place + count
    guard isMark(place), first < line.endIndex, !line[first].isBlank, line[first].letter != mark || count == 2,
      isLoose || !isAlphanumeric(before: place, in: line)
    else { return nil }
    var end = first + 1
    while end < min(line.endIndex, first + reachMax) {
      // A pair of marks is no single one.
      let isOther =
        count == 1 && (line[end - 1].letter == mark || (end + 1 < line.endIndex && line[end + 1].letter == mark))
      if isMark(end), !isOther, !line[end - 1].isBlank, isLoose || !isAlphanumeric(after: end + count - 1, in: line) {
        // Of three marks the outer two are the pair.
        let isOuter = count == 2 && line[first].letter == mark && isMark(end + 1)
        return isOuter ? end + 1 : end
      }
      end += 1
    }
    return nil
  }

  /// `[words](https://…)`, perhaps with a title behind the address.
  private static func link(
    at start: Int, in line: ArraySlice<Piece>
  ) -> (words: ArraySlice<Piece>, url: String, end: Int)? {
    let near = line[start...].prefix(reachMax)
    guard let close = near.firstIndex(where: { $0.letter == "]" }), close > start + 1,
      close + 1 < line.endIndex, line[close + 1].letter == "("
    else { return nil }
    var depth = 0
    var text = ""
    for place in (close + 2)..<min(line.endIndex, close + reachMax) {
      guard let letter = line[place].letter else { return nil }
      if letter == ")", depth == 0 {
        let words = text.split(separator: " ", maxSplits: 1).first.map(String.init) ?? ""
        let inner = words.hasPrefix("<") && words.hasSuffix(">") ? String(words.dropFirst().dropLast()) : words
        guard let url = webAddress(inner) else { return nil }
        return (line[(start + 1)..<close], url, place + 1)
      }
      depth += letter == "(" ? 1 : letter == ")" ? -1 : 0
      text.unicodeScalars.append(letter)
    }
    return nil
  }

  /// An address that stands there as it is. Marks of the sentence behind it are not part of it.
  private static func bare(at place: Int, in line: ArraySlice<Piece>) -> (url: String, end: Int)? {
    guard place < line.endIndex else { return nil }
    let scheme = String(String.UnicodeScalarView(line[place...].prefix(4).compactMap(\.letter)))
    guard scheme.lowercased() == "http" else { return nil }
    var text = ""
    for piece in line[place...].prefix(reachMax) {
      guard let letter = piece.letter, letter.isASCII, letter.value > 0x20, !"<>\"".unicodeScalars.contains(letter)
      else {
        break
      }
      text.unicodeScalars.append(letter)
    }
    while let last = text.last, ".,;:!?'*_]".contains(last) || (last == ")" && !text.contains("(")) {
      text.removeLast()
    }
    guard let url = webAddress(text) else { return nil }
    return (url, place + text.unicodeScalars.count)
  }

  private static func isAlphanumeric(before place: Int, in line: ArraySlice<Piece>) -> Bool {
    place > line.startIndex && line[place - 1].letter.map(isAlphanumeric) ?? false
  }

  private static func isAlphanumeric(after place: Int, in line: ArraySlice<Piece>) -> Bool {
    place + 1 < line.endIndex && line[place + 1].letter.map(isAlphanumeric) ?? false
  }

  /// Of ASCII: other scripts write words without blanks between them.
  private static func isAlphanumeric(_ letter: Unicode.Scalar) -> Bool {
    letter.isASCII && (letter.properties.isAlphabetic || ("0"..."9").contains(letter))
  }
}
