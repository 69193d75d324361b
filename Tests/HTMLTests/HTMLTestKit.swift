import HTML

/// A tree in one line: elements as `name(...)`, texts in quotes, comments as `!`.
func outline(_ node: HTMLNode) -> String {
  switch node.kind {
  case .document: node.childNodes.map(outline).joined(separator: " ")
  case .text: "'\(node.rawText)'"
  case .comment: "!"
  case .element:
    node.childNodes.isEmpty ? node.name : "\(node.name)(\(node.childNodes.map(outline).joined(separator: " ")))"
  }
}

/// Numbers that look random and are the same for the same seed.
struct SeededGenerator: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed &+ 0x9E37_79B9_7F4A_7C15 }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}

extension SeededGenerator {
  mutating func pick<Element>(_ elements: [Element]) -> Element { elements[Int(next() % UInt64(elements.count))] }
  mutating func bytes(_ count: Int) -> [UInt8] { (0..<count).map { _ in UInt8(truncatingIfNeeded: next()) } }
}
