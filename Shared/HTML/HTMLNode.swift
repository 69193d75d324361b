/// An element, a text or a comment of a page: a place in its document, cheap to copy.
package struct HTMLNode: Sendable {
  let tree: Tree
  let index: Int

  package enum Kind: UInt8, Sendable {
    case document, element, text, comment
  }

  var record: NodeRecord { tree.nodes[index] }

  package var kind: Kind { record.kind }

  /// The tag's name in lower case (SVG's as SVG spells it); empty for what is not an element.
  package var name: String { record.kind == .element ? tree.name(at: index) : "" }

  // MARK: Attributes

  /// An attribute's value with its character references resolved.
  package subscript(_ name: String) -> String? {
    guard let id = tree.nameIDs[name] ?? tree.nameID(lowercasing: name) else { return nil }
    return tree.value(of: id, at: index).map { String(decoding: $0, as: UTF8.self) }
  }

  /// The same for who asks many nodes: the page's names are looked through once.
  package subscript(_ name: AttributeName) -> String? {
    tree.value(of: name.id, at: index).map { String(decoding: $0, as: UTF8.self) }
  }

  /// All attributes in the order of the tag.
  package var attributes: [(name: String, value: String)] {
    guard kind == .element else { return [] }
    return tree.attributes(of: index).map {
      (tree.names[Int($0.name.value)], String(decoding: $0.value(in: tree.bytes), as: UTF8.self))
    }
  }

  /// Those whose values have so many bytes or more.
  package func attributes(ofBytes least: Int) -> [(name: String, value: String)] {
    guard kind == .element else { return [] }
    return tree.attributes(of: index).filter { Int($0.count) >= least }.map {
      (tree.names[Int($0.name.value)], String(decoding: $0.value(in: tree.bytes), as: UTF8.self))
    }
  }

  package var id: String? { self["id"] }

  package var classes: [String] {
    self["class"]?.utf8.split(whereSeparator: isHTMLSpace).map { String(decoding: $0, as: UTF8.self) } ?? []
  }

  package func hasClass(_ name: String) -> Bool { classes.contains(name) }

  // MARK: Text

  /// What a reader sees: white space as single blanks, blocks apart from each other, no scripts, styles or templates.
  ///
  /// Of a script, style, template, text or comment itself: what it holds.
  package var text: String {
    var writer = TextWriter(tree: tree)
    switch record.kind {
    case .text, .comment: writer.append(tree.text(at: index))
    case .document, .element: writer.append(subtreeOf: index, includingHidden: record.isHidden)
    }
    return writer.finish()
  }

  /// The text directly inside, without that of the elements inside.
  package var ownText: String {
    var writer = TextWriter(tree: tree)
    for child in childNodes {
      if child.kind == .text {
        writer.append(tree.text(at: child.index))
      } else if child.record.isBlock {
        writer.separate()
      }
    }
    return writer.finish()
  }

  /// Every character inside, as it stands in the page: for scripts that hold data, and `<pre>`.
  package var rawText: String { String(decoding: rawBytes, as: UTF8.self) }

  /// The same in UTF-8.
  package var rawBytes: [UInt8] {
    if record.kind == .text || record.kind == .comment { return Array(tree.text(at: index)) }
    var bytes: [UInt8] = []
    for inner in index..<Int(record.end) where tree.nodes[inner].kind == .text { bytes += tree.text(at: inner) }
    return bytes
  }

  // MARK: Around

  package var parent: HTMLNode? { record.parent < 0 ? nil : HTMLNode(tree: tree, index: Int(record.parent)) }

  /// From the parent up to the document.
  package var ancestors: some Sequence<HTMLNode> {
    sequence(state: self) { node in
      guard let parent = node.parent else { return HTMLNode?.none }
      node = parent
      return parent
    }
  }

  /// The elements directly inside.
  package var children: [HTMLNode] { childNodes.filter { $0.kind == .element } }

  /// Everything directly inside.
  package var childNodes: [HTMLNode] {
    var found: [HTMLNode] = []
    var next = index + 1
    while next < Int(record.end) {
      found.append(HTMLNode(tree: tree, index: next))
      next = Int(tree.nodes[next].end)
    }
    return found
  }

  /// The element before this one under the same parent.
  package var previous: HTMLNode? {
    var place = index
    // A text has no record of the element before it: the parent's children are gone through.
    if record.kind != .element {
      return parent?.childNodes.last { $0.index < index && $0.kind == .element }
    }
    place = Int(record.previous)
    return place < 0 ? nil : HTMLNode(tree: tree, index: place)
  }

  /// The element after this one under the same parent.
  package var next: HTMLNode? {
    guard record.parent >= 0 else { return nil }
    let parentEnd = Int(tree.nodes[Int(record.parent)].end)
    var place = Int(record.end)
    while place < parentEnd {
      if tree.nodes[place].kind == .element { return HTMLNode(tree: tree, index: place) }
      place = Int(tree.nodes[place].end)
    }
    return nil
  }

  // MARK: Search

  /// Everything inside this node that matches, in the order of the page.
  ///
  /// The search sees this node and what is inside it, nothing around it; `:scope` is this node. The work is the
  /// number of nodes inside times the number of the selector's parts.
  package func select(_ selector: Selector) -> [HTMLNode] {
    var matcher = SelectorMatcher(tree: tree, scope: index, limit: .max)
    return matcher.select(selector).map { HTMLNode(tree: tree, index: $0) }
  }

  /// The same, with the work taken from a budget that several searches share.
  package func select(_ selector: Selector, within budget: StepBudget) throws(HTMLError) -> [HTMLNode] {
    var matcher = SelectorMatcher(tree: tree, scope: index, limit: budget.left)
    let found = matcher.select(selector)
    budget.spend(matcher.steps)
    guard !matcher.isExhausted else { throw .searchTooLong(limit: budget.limit) }
    return found.map { HTMLNode(tree: tree, index: $0) }
  }

  /// The first match inside this node.
  package func first(_ selector: Selector) -> HTMLNode? {
    var matcher = SelectorMatcher(tree: tree, scope: index, limit: .max)
    return matcher.select(selector).first.map { HTMLNode(tree: tree, index: $0) }
  }

  /// Whether this node itself matches, seen from the document.
  package func matches(_ selector: Selector) -> Bool {
    var matcher = SelectorMatcher(tree: tree, scope: 0, limit: .max)
    return matcher.select(selector).contains(index)
  }
}

/// The name of an attribute that some element of one page has. It means nothing to other pages.
package struct AttributeName: Sendable {
  let id: NameID
}

extension HTMLNode: Hashable {
  package static func == (left: HTMLNode, right: HTMLNode) -> Bool {
    left.index == right.index && left.tree === right.tree
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(ObjectIdentifier(tree))
    hasher.combine(index)
  }
}

/// Steps that several searches of one extraction share, so that a page cannot make their sum large.
package final class StepBudget {
  package let limit: Int
  package private(set) var left: Int

  /// Fifty million steps take about a quarter of a second.
  package init(steps limit: Int = 50_000_000) {
    self.limit = limit
    left = limit
  }

  func spend(_ steps: Int) { left -= min(left, steps) }
}
