import Calendars
import HTML

/// Where each atom stands in the page, and what can be said of it from where it stands.
struct PageContext {
  let tree: PageTree
  let atoms: [PageAtom]
  /// How many times stand before each node: to ask whether a part of the page has times of its own.
  private let timesBefore: [Int]
  private var grids: [Int: TableGrid] = [:]
  /// Dates that choose a day and are not the heading of one: their places, and the active one.
  private(set) var strips: Set<Int> = []
  private(set) var activeDate: Int?
  /// Parts of the page that a label elsewhere speaks of, by place.
  private(set) var labelled: [Int: Int] = [:]

  init(tree: PageTree, atoms: [PageAtom], budget: WorkBudget) throws(ExtractionError) {
    self.tree = tree
    self.atoms = atoms
    var counts = [Int](repeating: 0, count: tree.nodes.count + 1)
    for atom in atoms where atom.isTime { counts[atom.place + 1] += 1 }
    for index in 1..<counts.count { counts[index] += counts[index - 1] }
    timesBefore = counts
    for (place, node) in tree.nodes.enumerated() where node.tag == "table" { grids[place] = TableGrid(place, in: tree) }
    try findStrips(budget)
    try findLabels(budget)
  }

  func times(in place: Int) -> Int { timesBefore[tree[place].end] - timesBefore[place] }

  func grid(_ place: Int) -> TableGrid? { grids[place] }

  /// The table whose rows are climbed at `outer`, and the cell of it in which the path begins.
  func grid(around outer: Int, path: [Int]) -> (grid: TableGrid, cell: TableGrid.Cell)? {
    guard let table = tree.path(outer).first(where: { tree[$0].tag == "table" }), let grid = grids[table],
      let cell = grid.cell(holding: path)
    else { return nil }
    return (grid, cell)
  }

  /// The indexes of the atoms inside a node.
  func range(in place: Int) -> Range<Int> { first(from: place)..<first(from: tree[place].end) }

  private func first(from place: Int) -> Int {
    var low = 0
    var high = atoms.count
    while low < high {
      let middle = (low + high) / 2
      if atoms[middle].place < place { low = middle + 1 } else { high = middle }
    }
    return low
  }

  // MARK: Date strips

  /// Several dates side by side without a time among them are for choosing.
  private mutating func findStrips(_ budget: WorkBudget) throws(ExtractionError) {
    var groups: [String: [Int]] = [:]
    var order: [String] = []
    for (index, atom) in atoms.enumerated() where atom.isDate {
      try budget.spend(4)
      let path = tree.path(atom.place)
      // The part that repeats: two or three levels up, the same list.
      for level in 1...3 where path.count > level + 1 {
        let key = "\(path[level])|\(path.prefix(level).map(tree.name).joined(separator: "<"))"
        if groups[key] == nil { order.append(key) }
        groups[key, default: []].append(index)
      }
    }
    for key in order {
      guard let members = groups[key], members.count >= 3 else { continue }
      let list = Int(key.prefix { $0 != "|" }) ?? 0
      guard times(in: list) == 0, !tree.path(list).contains(where: { tree[$0].tag == "table" }) else { continue }
      // A strip has a day and little else in each part.
      guard tree[list].length <= members.count * 80 else { continue }
      for member in members {
        strips.insert(member)
        let parts = tree.path(atoms[member].place).prefix { $0 != list }
        if parts.contains(where: isActive) { activeDate = activeDate ?? member }
      }
    }
  }

  private func isActive(_ place: Int) -> Bool {
    let node = tree[place]
    if node.words.contains(where: { PageWords.active.contains($0) }) { return true }
    return node.node["aria-selected"] == "true" || node.node["aria-current"] != nil || node.node["aria-pressed"] == "true"
  }

  /// A whole date says more of a part than the number of a day, and that more than words.
  private func isBetter(_ index: Int, than other: Int?) -> Bool {
    guard let other else { return true }
    func weight(_ atom: PageAtom) -> Int {
      switch atom.kind {
      case .date: 3
      case .badDate: 2
      case .dayNumber: 1
      default: 0
      }
    }
    return weight(atoms[index]) > weight(atoms[other])
  }

  /// `<a href="#d21">`, `aria-controls`, `data-target`: a date that speaks of another part of the page.
  private mutating func findLabels(_ budget: WorkBudget) throws(ExtractionError) {
    var ids: [String: Int] = [:]
    for (place, node) in tree.nodes.enumerated() where !node.isText {
      if let id = node.node.id, ids[id] == nil { ids[id] = place }
    }
    guard !ids.isEmpty else { return }
    for (index, atom) in atoms.enumerated() where atom.isDate || atom.isWords {
      try budget.spend(2)
      for place in tree.path(atom.place).prefix(4) {
        let node = tree[place].node
        for name in ["href", "aria-controls", "data-target", "data-bs-target", "data-tab", "data-panel", "for"] {
          guard var id = node[name], id.utf8.count <= 80 else { continue }
          if name == "href" { guard id.utf8.first == UInt8(ascii: "#") else { continue } }
          if id.utf8.first == UInt8(ascii: "#") { id.removeFirst() }
          if let target = ids[id], !tree.contains(target, atom.place), isBetter(index, than: labelled[target]) { labelled[target] = index }
        }
      }
    }
  }
}
