/// Finds what a selector matches below one node, by passes over the records and without backtracking.
///
/// A complex selector is evaluated from its first compound to its last. Each pass marks the elements that pass the
/// compound's tests and stand in the right relation to a mark of the pass before; because records lie in the order of
/// the page, one sweep is enough for any combinator. `:has()` goes the other way, from the last compound to the
/// element in question. So the work is the number of nodes times the number of tests, whatever the page.
struct SelectorMatcher {
  private let tree: Tree
  /// The records that the search sees: the scope and what is inside it. A mark's index counts from the scope.
  private let scope: Int
  private let count: Int
  private let limit: Int
  private(set) var steps = 0
  private(set) var isExhausted = false

  typealias Marks = [Bool]

  init(tree: Tree, scope: Int, limit: Int) {
    self.tree = tree
    self.scope = scope
    count = Int(tree.nodes[scope].end) - scope
    self.limit = limit
  }

  /// The places in the tree that match, below the scope and in the order of the page.
  mutating func select(_ selector: Selector) -> [Int] {
    var found = marks(ofAny: selector.alternatives)
    found[0] = false
    return isExhausted ? [] : found.indices.lazy.filter { found[$0] }.map { $0 + scope }
  }

  // MARK: Passes

  private mutating func marks(ofAny alternatives: [Complex]) -> Marks {
    guard alternatives.count > 1 else { return marks(of: alternatives[0]) }
    var union = Marks(repeating: false, count: count)
    for complex in alternatives {
      let marks = marks(of: complex)
      for index in marks.indices where marks[index] { union[index] = true }
    }
    return union
  }

  private mutating func marks(of complex: Complex) -> Marks {
    var marks = passing(complex.compounds[0], among: nil)
    for (combinator, compound) in zip(complex.combinators, complex.compounds.dropFirst()) {
      marks = passing(compound, among: reached(from: marks, by: combinator))
    }
    return marks
  }

  private mutating func marks(ofAnchorsOf relative: Relative) -> Marks {
    let complex = relative.complex
    var marks = passing(complex.compounds[complex.compounds.count - 1], among: nil)
    for place in complex.combinators.indices.reversed() {
      marks = passing(complex.compounds[place], among: reaching(marks, by: complex.combinators[place]))
    }
    return reaching(marks, by: relative.leading)
  }

  /// The nodes that stand to a marked one as the right side of the combinator does to the left.
  private mutating func reached(from marks: Marks, by combinator: Combinator) -> Marks {
    var reached = Marks(repeating: false, count: count)
    guard charge(count) else { return reached }
    for index in 1..<max(count, 1) {
      switch combinator {
      case .child: reached[index] = marks[parent(index)]
      case .descendant: reached[index] = marks[parent(index)] || reached[parent(index)]
      case .next: if let previous = previous(index) { reached[index] = marks[previous] }
      case .subsequent: if let previous = previous(index) { reached[index] = marks[previous] || reached[previous] }
      }
    }
    return reached
  }

  /// The nodes to which a marked one stands as the right side of the combinator does to the left.
  private mutating func reaching(_ marks: Marks, by combinator: Combinator) -> Marks {
    var reaching = Marks(repeating: false, count: count)
    guard charge(count) else { return reaching }
    for index in stride(from: count - 1, to: 0, by: -1) {
      switch combinator {
      case .child: if marks[index] { reaching[parent(index)] = true }
      case .descendant: if marks[index] || reaching[index] { reaching[parent(index)] = true }
      case .next: if marks[index], let previous = previous(index) { reaching[previous] = true }
      case .subsequent: if marks[index] || reaching[index], let previous = previous(index) { reaching[previous] = true }
      }
    }
    return reaching
  }

  private mutating func passing(_ compound: Compound, among candidates: Marks?) -> Marks {
    var marks = candidates ?? Marks(repeating: true, count: count)
    for index in 0..<count where marks[index] && tree.nodes[scope + index].kind != .element { marks[index] = false }
    // `:scope` alone may be the document, which is no element.
    if compound.tests == [.scope] { marks[0] = candidates?[0] ?? true }
    for test in compound.tests {
      guard charge(count) else { return Marks(repeating: false, count: count) }
      apply(test, to: &marks)
    }
    return marks
  }

  private func parent(_ index: Int) -> Int { Int(tree.nodes[scope + index].parent) - scope }

  /// The element before this one, unless it lies outside the scope.
  private func previous(_ index: Int) -> Int? {
    let place = Int(tree.nodes[scope + index].previous) - scope
    return place > 0 && tree.nodes[scope + index].previous >= 0 ? place : nil
  }

  private mutating func charge(_ work: Int) -> Bool {
    if steps > limit - work { isExhausted = true }
    if !isExhausted { steps += work }
    return !isExhausted
  }

  // MARK: Tests

  private mutating func apply(_ test: SelectorTest, to marks: inout Marks) {
    switch test {
    case .any: break
    case .tag(let name):
      // Names that the page does not have match nothing; SVG's keep their capitals.
      let exact = tree.nameIDs[name]
      let lowercased = tree.nameIDs[name.lowercased()]
      keep(in: &marks) { node in node.name == exact || node.name == lowercased }
    case .id(let id): keep(in: &marks, attribute: "id") { value in value.elementsEqual(id.utf8) }
    case .className(let name):
      let name = Array(name.utf8)
      keep(in: &marks, attribute: "class") { value in holdsWord(value, name) }
    case .attribute(let test): keep(in: &marks, attribute: test.name) { value in test.accepts(value) }
    case .root: keep(in: &marks) { node in node.parent == 0 }
    case .scope: for index in marks.indices.dropFirst() { marks[index] = false }
    case .empty: keepEmpty(in: &marks)
    case .nth(let nth):
      keepPositions(in: &marks, ofType: nth.ofType) { first, last in nth.accepts(nth.fromEnd ? last : first) }
    case .only(let ofType): keepPositions(in: &marks, ofType: ofType) { first, last in first == 1 && last == 1 }
    case .contains(let text): keepContaining(Array(text.utf8), in: &marks)
    case .matchesAny(let alternatives): keep(self.marks(ofAny: alternatives), in: &marks)
    case .matchesNone(let alternatives): keep(self.marks(ofAny: alternatives).map(!), in: &marks)
    case .has(let relatives):
      var anchors = Marks(repeating: false, count: count)
      for relative in relatives {
        let some = self.marks(ofAnchorsOf: relative)
        for index in some.indices where some[index] { anchors[index] = true }
      }
      keep(anchors, in: &marks)
    }
  }

  private func keep(_ others: Marks, in marks: inout Marks) {
    for index in marks.indices where marks[index] { marks[index] = others[index] }
  }

  private func keep(in marks: inout Marks, where passes: (NodeRecord) -> Bool) {
    for index in marks.indices where marks[index] { marks[index] = passes(tree.nodes[scope + index]) }
  }

  private mutating func keep(in marks: inout Marks, attribute name: String, where passes: (ArraySlice<UInt8>) -> Bool) {
    let exact = tree.nameIDs[name]
    let lowercased = tree.nameIDs[name.lowercased()]
    var bytes = 0
    for index in marks.indices where marks[index] {
      let value =
        exact.flatMap { tree.value(of: $0, at: scope + index) }
        ?? (exact == lowercased ? nil : lowercased.flatMap { tree.value(of: $0, at: scope + index) })
      bytes += (value?.count ?? 0) / 16
      marks[index] = value.map(passes) ?? false
    }
    _ = charge(bytes)
  }

  private func keepEmpty(in marks: inout Marks) {
    for index in marks.indices where marks[index] {
      var inner = scope + index + 1
      let end = Int(tree.nodes[scope + index].end)
      while inner < end, tree.nodes[inner].kind == .comment { inner += 1 }
      marks[index] = inner == end
    }
  }

  /// Positions from 1, counted from the first and from the last.
  private mutating func keepPositions(
    in marks: inout Marks, ofType: Bool, where passes: (_ fromFirst: Int, _ fromLast: Int) -> Bool
  ) {
    guard ofType else {
      for index in marks.indices where marks[index] {
        let node = tree.nodes[scope + index]
        let siblings = Int(tree.nodes[Int(node.parent)].elements)
        marks[index] = passes(Int(node.position), siblings - Int(node.position) + 1)
      }
      return
    }
    // The scope's own siblings are outside the search, so it counts as the only one of its type.
    struct Family: Hashable {
      var parent: Int32
      var name: NameID
    }
    guard charge(2 * count) else { return }
    var sizes: [Family: Int] = [:]
    var positions = [Int](repeating: 1, count: count)
    for index in 0..<count {
      let node = tree.nodes[scope + index]
      guard node.kind == .element else { continue }
      let position = sizes[Family(parent: node.parent, name: node.name), default: 0] + 1
      sizes[Family(parent: node.parent, name: node.name)] = position
      positions[index] = position
    }
    for index in marks.indices where marks[index] {
      let node = tree.nodes[scope + index]
      let size = sizes[Family(parent: node.parent, name: node.name)] ?? 1
      marks[index] = passes(positions[index], size - positions[index] + 1)
    }
  }

  /// The scope's text is written once, with where each node's part begins; then the needle is looked for once.
  private mutating func keepContaining(_ needle: [UInt8], in marks: inout Marks) {
    guard !needle.isEmpty else { return }
    var starts = [Int](repeating: 0, count: count + 1)
    var writer = TextWriter(tree: tree)
    writer.append(subtreeOf: scope, includingHidden: false) { node, length in starts[node - scope] = length }
    starts[count] = writer.bytes.count
    guard charge(writer.bytes.count / 16) else { return }
    let found = occurrences(of: needle.map(asciiLowercased), in: writer.bytes.map(asciiLowercased))
    for index in marks.indices where marks[index] {
      let end = starts[Int(tree.nodes[scope + index].end) - scope]
      let first = found.partitioningIndex { $0 >= starts[index] }
      marks[index] = first < found.count && found[first] + needle.count <= end
    }
  }
}

extension AttributeTest {
  fileprivate func accepts(_ given: ArraySlice<UInt8>) -> Bool {
    let given = ignoresCase ? given.map(asciiLowercased)[...] : given
    return switch comparison {
    case .exists: true
    case .equals: given.elementsEqual(value)
    case .hasWord: holdsWord(given, value)
    case .hasPrefixBeforeDash:
      given.starts(with: value) && (given.count == value.count || given[given.startIndex + value.count] == 0x2D)
    case .startsWith: !value.isEmpty && given.starts(with: value)
    case .endsWith: !value.isEmpty && given.suffix(value.count).elementsEqual(value)
    case .contains: !value.isEmpty && !occurrences(of: value, in: Array(given)).isEmpty
    }
  }
}

/// Whether one of the words between blanks is `word`.
private func holdsWord(_ text: ArraySlice<UInt8>, _ word: [UInt8]) -> Bool {
  guard !word.isEmpty, text.count >= word.count else { return false }
  var start = text.startIndex
  while start < text.endIndex {
    let end = text[start...].firstIndex(where: isHTMLSpace) ?? text.endIndex
    if end - start == word.count, text[start..<end].elementsEqual(word) { return true }
    start = end + 1
  }
  return false
}

/// Where `needle` begins in `text`, by Knuth, Morris and Pratt: each byte of the text is looked at once.
private func occurrences(of needle: [UInt8], in text: [UInt8]) -> [Int] {
  guard !needle.isEmpty, needle.count <= text.count else { return [] }
  var fallback = [0]
  for index in 1..<max(needle.count, 1) {
    var length = fallback[index - 1]
    while length > 0, needle[index] != needle[length] { length = fallback[length - 1] }
    fallback.append(needle[index] == needle[length] ? length + 1 : 0)
  }
  var found: [Int] = []
  var length = 0
  for (index, byte) in text.enumerated() {
    while length > 0, byte != needle[length] { length = fallback[length - 1] }
    if byte == needle[length] { length += 1 }
    if length == needle.count {
      found.append(index + 1 - length)
      length = fallback[length - 1]
    }
  }
  return found
}

extension Array {
  /// The first index whose element passes, in an array where all that pass come last.
  fileprivate func partitioningIndex(where passes: (Element) -> Bool) -> Int {
    var low = 0
    var high = count
    while low < high {
      let middle = (low + high) / 2
      if passes(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
