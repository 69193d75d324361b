/// What a festival wrote of a session, in parts that can be shown: paragraphs, headings and lists, with emphasis and links
/// to the web.
///
/// Festivals write Markdown or simple HTML. Both are read as the same few things, and whatever else there is stays text:
/// nothing of it is markup where it is shown.
package struct SessionProse: Hashable, Sendable {
  package enum Kind: String, CaseIterable, Sendable {
    case paragraph, heading, list
    case numbered = "numbered_list"
  }

  /// A piece of a line that looks alike.
  package struct Run: Hashable, Sendable {
    package var text: String
    /// Of the web; any other address is text.
    package var url: String?
    package var isStrong = false
    package var isEmphasised = false
  }

  package struct Block: Hashable, Sendable {
    package var kind: Kind
    /// Of a list its items, of a paragraph what its breaks part.
    package var lines: [[Run]]
  }

  package let blocks: [Block]

  /// More is no text that somebody reads before a film.
  package static let lettersMax = 20_000

  package init(_ text: String) {
    let pieces = Self.pieces(of: String(text.unicodeScalars.prefix(Self.lettersMax)))
    var gathering = Gathering()
    // In HTML a line ends where it says so, and a list is no list by its dashes.
    if pieces.contains(where: \.isOfHTML) { gathering.addHTML(pieces) } else { gathering.addLines(pieces) }
    blocks = gathering.whole
  }

  enum Mark: Hashable, Sendable { case strong, emphasis }

  /// A letter, or what a tag of HTML means.
  enum Piece: Hashable, Sendable {
    case letter(Unicode.Scalar)
    case mark(Mark, isOpen: Bool)
    /// Nil: it ends, or leads nowhere.
    case link(String?)
    case lineBreak
    case paragraph
    case heading
    case list(isNumbered: Bool, isOpen: Bool)
    case item(isOpen: Bool)

    var letter: Unicode.Scalar? { if case .letter(let letter) = self { letter } else { nil } }

    /// Marks of letters and single breaks stand in Markdown, too.
    fileprivate var isOfHTML: Bool {
      switch self {
      case .letter, .mark, .link, .lineBreak: false
      case .paragraph, .heading, .list, .item: true
      }
    }

    var isBlank: Bool { letter?.properties.isWhitespace ?? false }
  }
}

// MARK: - Tags

extension SessionProse {
  /// Longer ones carry what we do not read.
  private static let tagLettersMax = 2_000

  private static func pieces(of text: String) -> [Piece] {
    var pieces: [Piece] = []
    var rest = text[...]
    func add(_ text: Substring) { pieces += HTMLWords.plain(String(text)).unicodeScalars.map { .letter($0) } }
    while let open = rest.firstIndex(of: "<") {
      add(rest[..<open])
      rest = rest[open...]
      let inside = rest.dropFirst().prefix(tagLettersMax)
      if let close = inside.firstIndex(where: { $0 == ">" || $0 == "<" }), inside[close] == ">",
        let tag = tag(inside[..<close])
      {
        pieces += tag
        rest = rest[close...].dropFirst()
      } else {
        pieces.append(.letter("<"))
        rest = rest.dropFirst()
      }
    }
    add(rest)
    return pieces
  }

  /// What stands between `<` and `>`; nil for what is no tag of ours.
  private static func tag(_ inside: Substring) -> [Piece]? {
    let isOpen = inside.first != "/"
    let words = isOpen ? inside : inside.dropFirst()
    let name = words.prefix { $0.isASCII && ($0.isLetter || $0.isNumber) }.lowercased()
    guard words.dropFirst(name.count).first.map({ $0.isWhitespace || $0 == "/" }) ?? true else { return nil }
    switch name {
    case "p": return [.paragraph]
    case "br": return [.lineBreak]
    case "strong", "b": return [.mark(.strong, isOpen: isOpen)]
    case "em", "i": return [.mark(.emphasis, isOpen: isOpen)]
    case "ul", "ol": return [.list(isNumbered: name == "ol", isOpen: isOpen)]
    case "li": return [.item(isOpen: isOpen)]
    case "h1", "h2", "h3", "h4", "h5", "h6": return isOpen ? [.paragraph, .heading] : [.paragraph]
    case "a": return [.link(isOpen ? address(in: words) : nil)]
    default: return nil
    }
  }

  private static func address(in attributes: Substring) -> String? {
    guard let name = attributes.firstRange(of: " href=") ?? attributes.firstRange(of: " HREF=") else { return nil }
    let value = attributes[name.upperBound...]
    guard let quote = value.first, quote == "\"" || quote == "'" else {
      return webAddress(String(value.prefix { !$0.isWhitespace }))
    }
    return webAddress(HTMLWords.plain(String(value.dropFirst().prefix { $0 != quote })))
  }

  /// An address of the web, without anything in it that readers would read differently.
  static func webAddress(_ text: String) -> String? {
    let folded = text.lowercased()
    guard let scheme = ["https://", "http://"].first(where: folded.hasPrefix), text.utf8.count > scheme.utf8.count,
      text.utf8.count <= addressBytesMax, text.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7F })
    else { return nil }
    return text
  }

  private static let addressBytesMax = 2_000
}

// MARK: - Blocks

extension SessionProse {
  /// Blocks as they come about, line by line.
  private struct Gathering {
    private var blocks: [(kind: Kind, lines: [[Piece]])] = []
    /// The next line belongs to the block before.
    private var isOpen = false

    var whole: [Block] {
      blocks.compactMap { block in
        let lines = block.lines.map { SessionProse.runs(of: $0) }.filter { !$0.isEmpty }
        return lines.isEmpty ? nil : Block(kind: block.kind, lines: lines)
      }
    }

    private mutating func add(_ line: [Piece], _ kind: Kind) {
      if isOpen, kind != .heading, blocks.last?.kind == kind {
        blocks[blocks.count - 1].lines.append(line)
      } else {
        blocks.append((kind, [line]))
      }
      isOpen = kind != .heading
    }

    // MARK: Markdown

    mutating func addLines(_ pieces: [Piece]) {
      for part in pieces.split(
        omittingEmptySubsequences: false, whereSeparator: { $0.letter == "\n" || $0 == .lineBreak })
      {
        let line = part.drop(while: \.isBlank)
        if line.isEmpty || isRule(line) {
          isOpen = false
        } else if let (kind, length) = opening(line) {
          add(Array(line.dropFirst(length)), kind)
        } else if isOpen, let last = blocks.last, last.kind != .paragraph, part.first?.isBlank == true {
          // An item goes on where its line is indented.
          blocks[blocks.count - 1].lines[last.lines.count - 1] += [.letter(" ")] + line
        } else {
          add(Array(line), .paragraph)
        }
      }
    }

    /// `---`
    private func isRule(_ line: ArraySlice<Piece>) -> Bool {
      let marks = line.filter { !$0.isBlank }
      guard marks.count >= 3, let first = marks.first?.letter, "-*_".unicodeScalars.contains(first) else {
        return false
      }
      return marks.allSatisfy { $0.letter == first }
    }

    /// `## `, `- `, `1. `: what a line is, and how long that mark is.
    private func opening(_ line: ArraySlice<Piece>) -> (Kind, Int)? {
      func isFollowed(_ length: Int) -> Bool { line.dropFirst(length).first?.isBlank ?? false }
      let hashes = line.prefix { $0.letter == "#" }.count
      if (1...6).contains(hashes), isFollowed(hashes) { return (.heading, hashes) }
      if let mark = line.first?.letter, "-*+•".unicodeScalars.contains(mark), isFollowed(1) { return (.list, 1) }
      let digits = line.prefix { $0.letter.map { ("0"..."9").contains($0) } ?? false }.count
      if (1...3).contains(digits), let end = line.dropFirst(digits).first?.letter, end == "." || end == ")",
        isFollowed(digits + 1)
      {
        return (.numbered, digits + 1)
      }
      return nil
    }

    // MARK: HTML

    mutating func addHTML(_ pieces: [Piece]) {
      var line: [Piece] = []
      var kind = Kind.paragraph
      var lists: [Kind] = []
      func isInItem() -> Bool { kind == .list || kind == .numbered }
      func end(_ gathering: inout Gathering) {
        if line.contains(where: { $0.letter != nil && !$0.isBlank }) { gathering.add(line, kind) }
        line = []
      }
      for (place, piece) in pieces.enumerated() {
        switch piece {
        case .letter("\n") where !isInItem() && pieces[..<place].last?.letter == "\n":
          end(&self)
          isOpen = false
        case .letter, .mark, .link: line.append(piece)
        case .lineBreak where isInItem() || kind == .heading: line.append(.letter(" "))
        case .lineBreak: end(&self)
        case .paragraph where isInItem(): line.append(.letter(" "))
        case .paragraph:
          end(&self)
          (kind, isOpen) = (.paragraph, false)
        case .heading: kind = .heading
        case .list(let isNumbered, let opens):
          end(&self)
          if opens { lists.append(isNumbered ? .numbered : .list) } else { _ = lists.popLast() }
          // A list in an item goes on as the one that it stands in.
          (kind, isOpen) = (.paragraph, isOpen && lists.count > (opens ? 1 : 0))
        case .item(let opens):
          end(&self)
          kind = opens ? lists.last ?? .list : .paragraph
        }
      }
      end(&self)
    }
  }
}
