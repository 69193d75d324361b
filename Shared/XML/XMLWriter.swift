/// Writes a document: escaped, indented, an element at a time.
///
///     var xml = XMLWriter()
///     xml.element("room", [("name", "Hall <1>")]) { xml in xml.element("title", "Tom & Jerry") }
package struct XMLWriter {
  package private(set) var bytes: [UInt8] = []
  private var depth = 0

  package init(hasDeclaration: Bool = true) {
    if hasDeclaration { put("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n") }
  }

  package mutating func element(
    _ name: String, _ attributes: [(String, String?)] = [], _ body: (inout XMLWriter) -> Void
  ) {
    indent()
    open(name, attributes)
    put(">\n")
    depth += 1
    body(&self)
    depth -= 1
    indent()
    put("</\(name)>\n")
  }

  package mutating func element(_ name: String, _ attributes: [(String, String?)] = [], _ text: String) {
    indent()
    open(name, attributes)
    put(">")
    escape(text, isAttribute: false)
    put("</\(name)>\n")
  }

  package mutating func empty(_ name: String, _ attributes: [(String, String?)] = []) {
    indent()
    open(name, attributes)
    put("/>\n")
  }

  /// A note for another program. What would end it is dropped.
  package mutating func instruction(_ target: String, _ attributes: [(String, String?)]) {
    indent()
    put("<?\(target)")
    for (name, value) in attributes {
      guard let value else { continue }
      put(" \(name)=\"")
      escape(value, isAttribute: true)
      put("\"")
    }
    put("?>\n")
  }

  /// A tree as it is, without blanks of ours.
  package mutating func tree(_ element: XMLElement) {
    open(element.name, element.attributes.map { ($0.name, $0.value) })
    guard !element.children.isEmpty else {
      put("/>")
      return
    }
    put(">")
    for child in element.children {
      switch child {
      case .element(let inner): tree(inner)
      case .text(let text): escape(text, isAttribute: false)
      case .instruction: break
      }
    }
    put("</\(element.name)>")
  }

  private mutating func open(_ name: String, _ attributes: [(String, String?)]) {
    put("<\(name)")
    for (name, value) in attributes {
      guard let value else { continue }
      put(" \(name)=\"")
      escape(value, isAttribute: true)
      put("\"")
    }
  }

  private mutating func indent() {
    for _ in 0..<depth { put("  ") }
  }

  private mutating func put(_ text: String) { bytes += text.utf8 }

  /// Control characters have no place in XML, escaped or not; they are dropped.
  private mutating func escape(_ text: String, isAttribute: Bool) {
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "<"): put("&lt;")
      case UInt8(ascii: ">"): put("&gt;")
      case UInt8(ascii: "&"): put("&amp;")
      case UInt8(ascii: "\"") where isAttribute: put("&quot;")
      case UInt8(ascii: "\n") where isAttribute: put("&#10;")
      case UInt8(ascii: "\r"): put("&#13;")
      case 0x09 where isAttribute: put("&#9;")
      case 0x09, 0x0A, 0x20...: bytes.append(byte)
      default: break
      }
    }
  }
}
