/// An element of an XML document, with what stands in it in order.
package struct XMLElement: Hashable, Sendable {
  /// As written, with its prefix.
  package var name: String
  package var attributes: [Attribute]
  package var children: [XMLNode]

  package struct Attribute: Hashable, Sendable {
    package var name: String
    package var value: String

    package init(_ name: String, _ value: String) {
      self.name = name
      self.value = value
    }
  }

  package init(_ name: String, _ attributes: [Attribute] = [], _ children: [XMLNode] = []) {
    self.name = name
    self.attributes = attributes
    self.children = children
  }

  /// The value of an attribute.
  package subscript(_ name: String) -> String? { attributes.first { $0.name == name }?.value }

  package var elements: some Sequence<XMLElement> { children.lazy.compactMap(\.element) }

  /// The first element of that name inside.
  package func first(_ name: String) -> XMLElement? {
    // A sequence of elements would copy each that is passed over.
    for child in children {
      if case .element(let element) = child, element.name == name { return element }
    }
    return nil
  }

  package func all(_ name: String) -> [XMLElement] { elements.filter { $0.name == name } }

  /// All text inside, at any depth, without blanks around it.
  package var text: String {
    if children.count == 1, case .text(let only) = children[0] { return only.trimmedOfBlanks }
    var text = ""
    append(to: &text)
    return text.trimmedOfBlanks
  }

  /// The text of an element inside; nil if there is none or it is empty.
  package func text(of name: String) -> String? {
    guard let text = first(name)?.text, !text.isEmpty else { return nil }
    return text
  }

  private func append(to text: inout String) {
    for child in children {
      switch child {
      case .text(let part): text += part
      case .element(let element): element.append(to: &text)
      case .instruction: break
      }
    }
  }
}

/// What stands in an element. Comments are dropped.
package enum XMLNode: Hashable, Sendable {
  case element(XMLElement)
  case text(String)
  /// `<?target data?>`: notes that programs leave for each other.
  case instruction(target: String, data: String)

  package var element: XMLElement? {
    if case .element(let element) = self { element } else { nil }
  }
}

extension String {
  fileprivate var trimmedOfBlanks: String {
    let bytes = utf8
    func isBlank(_ byte: UInt8) -> Bool { byte <= 0x20 }
    guard let start = bytes.firstIndex(where: { !isBlank($0) }), let end = bytes.lastIndex(where: { !isBlank($0) })
    else { return "" }
    if start == bytes.startIndex, bytes.index(after: end) == bytes.endIndex { return self }
    return String(self[start...end])
  }
}
