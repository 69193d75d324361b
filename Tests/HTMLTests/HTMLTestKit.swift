import Clocks
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

extension SeededRandom {
  mutating func pick<Element>(_ elements: [Element]) -> Element { elements[Int(next() % UInt64(elements.count))] }
  mutating func bytes(_ count: Int) -> [UInt8] { (0..<count).map { _ in UInt8(truncatingIfNeeded: next()) } }
}
