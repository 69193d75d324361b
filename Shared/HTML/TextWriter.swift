/// Collects text as a reader sees it: runs of white space become one blank, and blocks are kept apart by one.
struct TextWriter {
  let tree: Tree
  private(set) var bytes: [UInt8] = []
  private var owesBlank = false

  init(tree: Tree) { self.tree = tree }

  /// Everything inside a node. `visiting` is told of each node before its text is appended.
  mutating func append(
    subtreeOf root: Int, includingHidden: Bool, visiting: (_ node: Int, _ length: Int) -> Void = { _, _ in }
  ) {
    let end = Int(tree.nodes[root].end)
    var blockEnds: [Int] = []
    var index = root
    while index < end {
      while let blockEnd = blockEnds.last, blockEnd <= index {
        blockEnds.removeLast()
        owesBlank = true
      }
      visiting(index, bytes.count)
      let node = tree.nodes[index]
      switch node.kind {
      case .text: append(tree.text(at: index))
      case .element where node.isHidden && !(includingHidden && index == root):
        for inner in index + 1..<max(Int(node.end), index + 1) { visiting(inner, bytes.count) }
        index = Int(node.end)
        continue
      case .element where node.isBlock:
        owesBlank = true
        blockEnds.append(Int(node.end))
      default: break
      }
      index += 1
    }
    if !blockEnds.isEmpty { owesBlank = true }
  }

  /// Keeps what comes next apart from what came before.
  mutating func separate() { owesBlank = true }

  mutating func append(_ text: ArraySlice<UInt8>) {
    text.withUnsafeBufferPointer { text in
      var index = 0
      while index < text.count {
        let skipped = blankLength(text, index)
        if skipped > 0 {
          owesBlank = true
          index += skipped
          continue
        }
        let invisible = invisibleLength(text, index)
        if invisible > 0 {
          index += invisible
          continue
        }
        if owesBlank, !bytes.isEmpty { bytes.append(UInt8(ascii: " ")) }
        owesBlank = false
        let end = plainEnd(text, index)
        bytes.append(contentsOf: UnsafeBufferPointer(rebasing: text[index..<end]))
        index = end
      }
    }
  }

  func finish() -> String { String(decoding: bytes, as: UTF8.self) }
}

/// Behind the visible character at `index` and what follows it and is written as it stands: more of ASCII, single blanks
/// between, letters of scripts that have neither blanks nor invisible marks.
private func plainEnd(_ text: UnsafeBufferPointer<UInt8>, _ index: Int) -> Int {
  var end = index + 1
  while end < text.count, text[end] & 0xC0 == 0x80 { end += 1 }
  while end < text.count {
    switch text[end] {
    case 0x21...0x7F: end += 1
    case 0x20:
      guard end + 1 < text.count, 0x21...0x7F ~= text[end + 1] else { return end }
      end += 2
    case 0xC3...0xDF:
      guard end + 1 < text.count else { return end }
      end += 2
    case 0xE3 where end + 2 < text.count && text[end + 1] != 0x80, 0xE4...0xED where end + 2 < text.count: end += 3
    default: return end
    }
  }
  return end
}

/// How many bytes of white space stand at `index`: ASCII's, and Unicode's blanks of any width.
private func blankLength(_ text: UnsafeBufferPointer<UInt8>, _ index: Int) -> Int {
  switch text[index] {
  case 0x09, 0x0A, 0x0B, 0x0C, 0x0D, 0x20: return 1
  case 0xC2: return text.holds(0xA0, at: index + 1) || text.holds(0x85, at: index + 1) ? 2 : 0
  case 0xE1: return text.holds(0x9A, at: index + 1) && text.holds(0x80, at: index + 2) ? 3 : 0
  case 0xE2:
    guard index + 2 < text.count else { return 0 }
    switch (text[index + 1], text[index + 2]) {
    case (0x80, 0x80...0x8A), (0x80, 0xA8), (0x80, 0xA9), (0x80, 0xAF), (0x81, 0x9F): return 3
    default: return 0
    }
  case 0xE3: return text.holds(0x80, at: index + 1) && text.holds(0x80, at: index + 2) ? 3 : 0
  default: return 0
  }
}

/// How many bytes at `index` are a mark that no reader sees: a soft hyphen, a zero-width space, a byte order mark.
private func invisibleLength(_ text: UnsafeBufferPointer<UInt8>, _ index: Int) -> Int {
  switch text[index] {
  case 0xC2: text.holds(0xAD, at: index + 1) ? 2 : 0
  case 0xE2: text.holds(0x80, at: index + 1) && text.holds(0x8B, at: index + 2) ? 3 : 0
  case 0xEF: text.holds(0xBB, at: index + 1) && text.holds(0xBF, at: index + 2) ? 3 : 0
  default: 0
  }
}

extension UnsafeBufferPointer<UInt8> {
  fileprivate func holds(_ byte: UInt8, at index: Int) -> Bool { index < count && self[index] == byte }
}

/// Space, tab, line feed, form feed, carriage return: what separates things in HTML.
func isHTMLSpace(_ byte: UInt8) -> Bool {
  byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0C || byte == 0x0D
}

func asciiLowercased(_ byte: UInt8) -> UInt8 { byte >= 0x41 && byte <= 0x5A ? byte | 0x20 : byte }

extension String {
  /// Without HTML's white space at both ends.
  package var trimmed: String {
    let bytes = utf8
    guard let first = bytes.firstIndex(where: { !isHTMLSpace($0) }),
      let last = bytes.lastIndex(where: { !isHTMLSpace($0) })
    else { return "" }
    return String(self[first...last])
  }

  /// As `HTMLNode.text` would give it: white space as single blanks, invisible marks left out.
  package var collapsed: String {
    let tree = Tree(nodes: [], attributes: [], bytes: [], names: [], nameIDs: [:])
    var writer = TextWriter(tree: tree)
    writer.append(Array(utf8)[...])
    return writer.finish()
  }
}
