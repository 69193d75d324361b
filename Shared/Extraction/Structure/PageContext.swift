import Calendars
import HTML

/// Where each atom stands in the page, and what can be said of it from where it stands.
struct PageContext {
  let tree: PageTree
  let atoms: [PageAtom]
  /// How many times stand before each node: to ask whether a part of the page has times of its own.
  private var timesBefore: [Int]
  private(set) var grids: [Int: TableGrid] = [:]
  /// By the atom of a day's number that is of the month before the one that is printed, or after it.
  private(set) var monthSteps: [Int: Int] = [:]
  /// How many days that are no choice stand before each atom.
  private var daysBefore: [Int] = []
  /// By node: the nearest table and cell around it or at it, or -1.
  private let nearestTable: [Int]
  private let nearestCell: [Int]
  /// By node: the nearest form or dialog around it, or -1.
  private let nearestDialog: [Int]
  /// By node: how deep the largest part around it is that has no times; past all depths if it has some itself.
  private var timelessDepth: [Int]
  /// Dates that choose a day and are not the heading of one: their places, and the active one.
  private(set) var strips: Set<Int> = []
  private(set) var activeDate: Int?
  /// The one day of several that alone has another class: chosen, if nothing says more.
  private(set) var oddDate: Int?
  /// Parts of the page that a label elsewhere speaks of, by place.
  private(set) var labelled: [Int: Int] = [:]
  /// By atom: the last one before it that is a week, and the last that is a month; -1 if there is none.
  let weeks: [Int]
  let months: [Int]
  /// Atoms that say what is not shown: "※11/24(火)は休映", "(not Wed)".
  let remarks: [Int]
  /// Headings that name cinemas, by atom, on a page that has several: each heads what follows, whatever holds them.
  private(set) var houses: Set<Int> = []

  init(tree: PageTree, atoms: [PageAtom], budget: WorkBudget) throws(ExtractionError) {
    self.atoms = atoms
    remarks = atoms.indices.filter { atoms[$0].line.map { $0.leavesOut || $0.isClosed } ?? false }
    var weeks = [Int](repeating: -1, count: atoms.count)
    var months = weeks
    for index in atoms.indices.dropFirst() {
      weeks[index] = atoms[index - 1].week == nil ? weeks[index - 1] : index - 1
      if case .month = atoms[index - 1].kind { months[index] = index - 1 } else { months[index] = months[index - 1] }
    }
    self.weeks = weeks
    self.months = months
    let tree = try GridOfParts(tree: tree, atoms: atoms, budget: budget).taken()
    self.tree = tree
    var counts = [Int](repeating: 0, count: tree.nodes.count + 1)
    for atom in atoms where atom.isTime { counts[atom.place + 1] += 1 }
    for index in 1..<counts.count { counts[index] += counts[index - 1] }
    timesBefore = counts
    var tables = [Int](repeating: -1, count: tree.nodes.count)
    var cells = tables
    var depths = tables
    var dialogs = tables
    for (place, node) in tree.nodes.enumerated() {
      let parent = node.parent
      tables[place] = node.tag == "table" ? place : parent < 0 ? -1 : tables[parent]
      cells[place] = node.tag == "td" || node.tag == "th" ? place : parent < 0 ? -1 : cells[parent]
      dialogs[place] = node.isDialog ? place : parent < 0 ? -1 : dialogs[parent]
      let hasTimes = counts[node.end] > counts[place]
      depths[place] = hasTimes ? .max : parent < 0 || depths[parent] == .max ? node.depth : depths[parent]
    }
    nearestTable = tables
    nearestCell = cells
    nearestDialog = dialogs
    timelessDepth = depths
    try budget.spend(tree.nodes.count)
    for (place, node) in tree.nodes.enumerated() where node.tag == "table" { grids[place] = TableGrid(place, in: tree) }
    let days = try DayStrips(in: self, budget: budget)
    (strips, activeDate, oddDate, labelled) = (days.members, days.activeDate, days.oddDate, days.labelled)
    try findLabels(budget)
    try findMatches(budget)
    try findNeighbours(budget)
    try findHouses(budget)
    daysBefore = [0]
    for (index, atom) in atoms.enumerated() {
      daysBefore.append(daysBefore[index] + (atom.isDate && !strips.contains(index) ? 1 : 0))
    }
  }

  private mutating func findHouses(_ budget: WorkBudget) throws(ExtractionError) {
    try budget.spend(atoms.count)
    var found: Set<Int> = []
    var names: Set<String> = []
    for (index, atom) in atoms.enumerated() where atom.isWords && atom.text.utf8.count <= Self.houseBytesMax {
      guard names.count < Self.housesMax,
        tree.path(atom.place).prefix(3).contains(where: { ["h2", "h3", "h4"].contains(tree[$0].tag) }),
        CinemaWords.isName(atom.text) || leadsToHouse(atom.place)
      else { continue }
      found.insert(index)
      names.insert(atom.text.foldedKey)
    }
    if names.count > 1 { houses = found }
  }

  private func leadsToHouse(_ place: Int) -> Bool {
    tree.path(place).prefix(3).contains { tree[$0].node["href"].map(PageWords.leadsToHouse) ?? false }
  }

  private static let houseBytesMax = 60
  /// A city has fewer.
  private static let housesMax = 200

  /// Times that turned out to be of something else give no part of the page times of its own.
  mutating func discount(_ refused: Set<Int>) {
    guard !refused.isEmpty else { return }
    var counts = [Int](repeating: 0, count: tree.nodes.count + 1)
    for (index, atom) in atoms.enumerated() where atom.isTime && !refused.contains(index) {
      counts[atom.place + 1] += 1
    }
    for index in 1..<counts.count { counts[index] += counts[index - 1] }
    timesBefore = counts
    for (place, node) in tree.nodes.enumerated() {
      let parent = node.parent
      let hasTimes = counts[node.end] > counts[place]
      timelessDepth[place] =
        hasTimes
        ? .max : parent < 0 || timelessDepth[parent] == .max ? node.depth : timelessDepth[parent]
    }
  }

  /// Whether a day that is no choice stands between two atoms.
  func hasDay(from first: Int, to last: Int) -> Bool { daysBefore[last] > daysBefore[first] }

  /// The last of the days between two atoms.
  func lastDay(from first: Int, to last: Int) -> Int? {
    guard hasDay(from: first, to: last) else { return nil }
    var (low, high) = (first, last)
    while high - low > 1 {
      let middle = (low + high) / 2
      if daysBefore[middle] < daysBefore[last] { low = middle } else { high = middle }
    }
    return low
  }

  func times(in place: Int) -> Int { timesBefore[tree[place].end] - timesBefore[place] }

  /// Cells above the empty ones of a row, left of the time: where a date or a film is printed once for several rows.
  func repeated(in row: Int, of cell: TableGrid.Cell, _ grid: TableGrid) -> [TableGrid.Cell] {
    var found: [TableGrid.Cell] = []
    for other in tree.children(row).prefix(Self.blanksMax)
    where tree[other].length <= 2 && tree.text(other).trimmedText.isEmpty {
      guard let blank = grid.cell(at: other), blank.columns.upperBound <= cell.columns.lowerBound,
        let above = grid.filled(above: blank, in: tree), times(in: above.place) == 0,
        times(in: tree[above.place].parent) > 0
      else { continue }
      found.append(above)
    }
    return found
  }

  /// Columns before the one of the times.
  private static let blanksMax = 6

  /// How many times stand from one node on up to another.
  func times(from place: Int, to end: Int) -> Int { timesBefore[end] - timesBefore[place] }

  func grid(_ place: Int) -> TableGrid? { grids[place] }

  /// The table whose rows are climbed at `outer`, and the cell of it in which a node stands.
  func grid(around outer: Int, of place: Int) -> (grid: TableGrid, cell: TableGrid.Cell)? {
    guard let table = table(around: outer), let grid = grids[table], let cell = cell(of: place, in: grid) else {
      return nil
    }
    return (grid, cell)
  }

  /// The nearest table, the node itself included.
  func table(around place: Int) -> Int? { nearestTable[place] < 0 ? nil : nearestTable[place] }

  /// The cell of a table that holds a node, cells of tables inside passed over.
  func cell(of place: Int, in grid: TableGrid) -> TableGrid.Cell? {
    var at = nearestCell[place]
    for _ in 0..<Self.nestingMax where at >= 0 {
      if let cell = grid.cell(at: at) { return cell }
      at = tree[at].parent < 0 ? -1 : nearestCell[tree[at].parent]
    }
    return nil
  }

  /// Tables inside each other: pages made of them have four.
  private static let nestingMax = 8

  /// Whether a node stands in a part of `outer` that has no times of its own.
  func isFree(_ place: Int, in outer: Int) -> Bool { timelessDepth[place] <= tree[outer].depth + 1 }

  /// Whether a node stands in a form or a dialog in which another does not: what it says is said there alone.
  func isApart(_ place: Int, from other: Int) -> Bool {
    nearestDialog[place] >= 0 && !tree.contains(nearestDialog[place], other)
  }

  /// The indexes of the atoms inside a node.
  func range(in place: Int) -> Range<Int> { first(from: place)..<first(from: tree[place].end) }

  /// What is said inside a node to be left out.
  func remarks(in place: Int) -> ArraySlice<Int> {
    guard !remarks.isEmpty else { return [] }
    let range = range(in: place)
    var low = 0
    var high = remarks.count
    while low < high {
      let middle = (low + high) / 2
      if remarks[middle] < range.lowerBound { low = middle + 1 } else { high = middle }
    }
    return remarks[low...].prefix(Self.remarksMax).prefix { $0 < range.upperBound }
  }

  /// What one film leaves out is said in a line or three.
  private static let remarksMax = 24

  private func first(from place: Int) -> Int {
    var low = 0
    var high = atoms.count
    while low < high {
      let middle = (low + high) / 2
      if atoms[middle].place < place { low = middle + 1 } else { high = middle }
    }
    return low
  }

  /// A month in a table ends with the first days of the next one, and begins with the last ones of the month before.
  private mutating func findNeighbours(_ budget: WorkBudget) throws(ExtractionError) {
    for place in grids.keys.sorted() {
      let range = range(in: place)
      try budget.spend(range.count)
      var numbers: [(atom: Int, day: Int)] = []
      var cell = -1
      for index in range {
        guard case .dayNumber(let day) = atoms[index].kind, nearestCell[atoms[index].place] != cell,
          nearestTable[atoms[index].place] == place
        else { continue }
        // The first number of each cell.
        cell = nearestCell[atoms[index].place]
        numbers.append((index, day))
      }
      guard numbers.count >= Self.monthDaysMin, let first = numbers.firstIndex(where: { $0.day == 1 }),
        first < Self.daysOfWeek, zip(numbers[..<first], numbers[..<first].dropFirst()).allSatisfy({ $0.day < $1.day }),
        numbers[..<first].allSatisfy({ $0.day > Self.lastDaysMin })
      else { continue }
      // A month that is printed for a day of its own needs no step.
      let printed = months[numbers[first].atom]
      func isUnder(_ atom: Int) -> Bool { months[atom] == printed && !isMonth(atom + 1) }
      var last = 0
      var step = 0
      for number in numbers[first...] {
        if number.day < last {
          guard number.day == 1, last >= Self.monthDaysMin, step == 0 else { break }
          step = 1
        }
        last = number.day
        if step > 0, isUnder(number.atom) { monthSteps[number.atom] = step }
      }
      for number in numbers[..<first] where isUnder(number.atom) { monthSteps[number.atom] = -1 }
    }
  }

  private func isMonth(_ index: Int) -> Bool {
    guard index < atoms.count, case .month = atoms[index].kind else { return false }
    return true
  }

  private static let monthDaysMin = 28
  private static let daysOfWeek = 7
  private static let lastDaysMin = 21

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
    var others: [String: Int] = [:]
    for (index, atom) in atoms.enumerated() where atom.isDate || atom.isWords {
      try budget.spend(2)
      for place in tree.path(atom.place).prefix(Self.labelLevels) {
        for id in tree[place].node.targets {
          if let target = ids[id] {
            if !tree.contains(target, atom.place), isBetter(index, than: labelled[target]) { labelled[target] = index }
          } else if atom.isDate, others.count < Self.targetsMax {
            others[id] = index
          }
        }
      }
    }
    try findClasses(others, budget)
  }

  /// `<a data-target="date-28">Mon 28</a>` … `<div class="day date-28">`: parts that days name by a class of theirs.
  private mutating func findClasses(_ targets: [String: Int], _ budget: WorkBudget) throws(ExtractionError) {
    guard targets.count > 1 else { return }
    var parts: [String: Int] = [:]
    for (place, node) in tree.nodes.enumerated() where !node.isText && times(in: place) > 0 {
      try budget.spend()
      for name in node.node.classes where targets[name] != nil { parts[name] = parts[name] == nil ? place : -1 }
    }
    let found = parts.filter { $0.value >= 0 }
    // One may be called so for another reason.
    guard found.count > 1 else { return }
    for (name, place) in found where labelled[place] == nil { labelled[place] = targets[name] }
  }

  /// Days to choose from.
  private static let targetsMax = 100

  /// `<li data-day="1698624000">Mon 30</li>` … `<div data-day="1698624000">18:20</div>`: days and parts of the page that an attribute
  /// gives one name.
  private mutating func findMatches(_ budget: WorkBudget) throws(ExtractionError) {
    var parts: [String: Int] = [:]
    for (place, node) in tree.nodes.enumerated() where !node.isText && times(in: place) > 0 {
      for name in try names(of: place, budget) { parts[name] = parts[name] == nil ? place : -1 }
    }
    guard parts.count > 1 else { return }
    var found: [Int: Int] = [:]
    for (index, atom) in atoms.enumerated() where atom.isDate {
      for place in tree.path(atom.place).prefix(Self.labelLevels) where times(in: place) == 0 {
        for name in try names(of: place, budget) {
          if let part = parts[name], part >= 0, found[part] == nil { found[part] = index }
        }
      }
    }
    // One may be anything that both are about.
    guard found.count > 1 else { return }
    for (part, index) in found where labelled[part] == nil { labelled[part] = index }
  }

  private func names(of place: Int, _ budget: WorkBudget) throws(ExtractionError) -> [String] {
    var names: [String] = []
    for (name, value) in tree[place].node.attributes where name.hasPrefix("data-") {
      try budget.spend()
      if (Self.nameBytesMin...Self.nameBytesMax).contains(value.utf8.count) { names.append("\(name)=\(value)") }
    }
    return names
  }

  private static let nameBytesMin = 2
  private static let nameBytesMax = 40

  /// From a label's words up to what says which part of the page it is of.
  static let labelLevels = 4
}

extension HTMLNode {
  /// The parts of the page that it speaks of, by their ids: `href="#d21"`, `aria-controls`, `data-target`.
  fileprivate var targets: [String] {
    Self.targetNames.compactMap { name in
      guard var id = self[name], id.utf8.count <= 80 else { return nil }
      if name == "href" { guard id.utf8.first == UInt8(ascii: "#") else { return nil } }
      if id.utf8.first == UInt8(ascii: "#") { id.removeFirst() }
      return id
    }
  }

  var target: String? { targets.first { !$0.isEmpty } }

  private static let targetNames = [
    "href", "aria-controls", "data-target", "data-bs-target", "data-tab", "data-panel", "for",
  ]
}
