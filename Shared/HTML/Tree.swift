/// A page's nodes in the order of the page, one record each, and their strings in one array of bytes.
///
/// A node's subtree is the run of records from itself to its `end`, so walking down is counting up. Strings are
/// made when someone asks.
final class Tree: Sendable {
  let nodes: [NodeRecord]
  let attributes: [AttributeRecord]
  let bytes: [UInt8]
  /// Tag and attribute names, each once.
  let names: [String]
  let nameIDs: [String: NameID]

  init(nodes: [NodeRecord], attributes: [AttributeRecord], bytes: [UInt8], names: [String], nameIDs: [String: NameID]) {
    self.nodes = nodes
    self.attributes = attributes
    self.bytes = bytes
    self.names = names
    self.nameIDs = nameIDs
  }

  func attributes(of index: Int) -> ArraySlice<AttributeRecord> {
    let node = nodes[index]
    return attributes[Int(node.start)..<Int(node.start) + Int(node.count)]
  }

  /// The bytes of an attribute's value, or nil if the element has none of that name.
  func value(of name: NameID, at index: Int) -> ArraySlice<UInt8>? {
    let node = nodes[index]
    guard node.kind == .element else { return nil }
    for position in Int(node.start)..<Int(node.start) + Int(node.count) where attributes[position].name == name {
      return attributes[position].value(in: bytes)
    }
    return nil
  }

  /// The bytes of a text or a comment.
  func text(at index: Int) -> ArraySlice<UInt8> {
    let node = nodes[index]
    return bytes[Int(node.start)..<Int(node.start) + Int(node.count)]
  }

  /// For names that are written in capitals where the page has them in small letters.
  func nameID(lowercasing name: String) -> NameID? {
    name.utf8.contains { 0x41...0x5A ~= $0 } ? nameIDs[name.lowercased()] : nil
  }

  func name(at index: Int) -> String { names[Int(nodes[index].name.value)] }
}

struct NameID: Hashable, Sendable {
  var value: UInt32
}

struct NodeRecord: Sendable, Equatable {
  var kind: HTMLNode.Kind
  /// Starts a line of its own, so that its text does not run into its neighbours'.
  var isBlock = false
  /// Holds what is not shown: a script, a style, a template, the text inside an iframe.
  var isHidden = false
  var name = NameID(value: 0)
  var parent: Int32
  /// One past the last node inside this one.
  var end: Int32 = 0
  /// The element before this one under the same parent, or -1.
  var previous: Int32 = -1
  /// Which element under its parent this is, from 1.
  var position: Int32 = 0
  /// How many elements are directly inside.
  var elements: Int32 = 0
  /// Of a text or comment: its first byte and their number. Of an element: its first attribute and their number.
  var start: UInt32 = 0
  var count: UInt32 = 0
}

struct AttributeRecord: Sendable, Equatable {
  var name: NameID
  var start: UInt32
  var count: UInt32

  func value(in bytes: [UInt8]) -> ArraySlice<UInt8> { bytes[Int(start)..<Int(start) + Int(count)] }
}
