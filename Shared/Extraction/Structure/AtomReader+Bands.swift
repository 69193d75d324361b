import Calendars
import HTML

/// Tables of a week in which a row over all columns says the hour, and each film spans the days on which it is shown:
///
///     | 3/15 | 16 | 17 | 18 |
///     | 連日10:50～          |
///     | 声の庭     | 冬の岸   |
extension AtomReader {
  /// Behind a day with its month, numbers that count up from cell to cell are the days after it.
  mutating func settleNumberedHeads() throws(ExtractionError) {
    var index = 0
    while index < atoms.count {
      defer { index += 1 }
      guard case .date(let days) = atoms[index].kind, days.count == 1, let first = days[0].day,
        days[0].notes.isDisjoint(with: [.inferredFromWeekday, .relativeDay, .inferredMonth]),
        atoms[index].line?.rest.isEmpty ?? true, let (row, head) = cell(of: index)
      else { continue }
      var found: [(index: Int, line: PrintedLine)] = []
      var (last, next) = (head, index + 1)
      while next < atoms.count, case .dayNumber(let number) = atoms[next].kind, let (own, cell) = cell(of: next),
        own == row, cell != last, found.count < Self.headDaysMax
      {
        try budget.spend(4)
        let date = first + (found.count + 1)
        guard date.day == number, let line = PrintedLine(date.description, clock: clock, expecting: .dates),
          line.day == date
        else { break }
        found.append((next, line))
        (last, next) = (cell, next + 1)
      }
      guard found.count >= Self.headDaysMin else { continue }
      for (index, line) in found {
        atoms[index].kind = .date(line.days)
        atoms[index].line = line
      }
    }
  }

  private static let headDaysMin = 2
  /// Two weeks.
  private static let headDaysMax = 14

  private func cell(of index: Int) -> (row: Int, cell: Int)? {
    let path = tree.path(atoms[index].place)
    guard let cell = path.first(where: { tree[$0].tag == "td" || tree[$0].tag == "th" }), tree[cell].parent >= 0 else {
      return nil
    }
    return (tree[cell].parent, cell)
  }

  /// The one time of a row over all columns is that of each cell below it, up to the next such row, where none of them has one.
  mutating func settleBands() throws(ExtractionError) {
    guard atoms.indices.contains(where: isBand) else { return }
    var added: [(place: Int, atom: PageAtom)] = []
    var bands: Set<Int> = []
    for index in atoms.indices where isBand(index) {
      guard let (row, cell) = cell(of: index), case .times(let times) = atoms[index].kind else { continue }
      let rows = try cells(below: row)
      guard !rows.isEmpty, try standsBelowDays(row), let width = Int(tree[cell].node["colspan"] ?? ""),
        rows.allSatisfy({ $0.reduce(0) { $0 + (Int(tree[$1].node["colspan"] ?? "") ?? 1) } <= width })
      else { continue }
      for place in rows.joined() where tree.text(place).hasLetters {
        added.append((place, PageAtom(kind: .times(times), place: place, text: times[0].text)))
      }
      bands.insert(index)
    }
    guard !added.isEmpty else { return }
    var merged: [PageAtom] = []
    var next = added.sorted { $0.place < $1.place }[...]
    for (index, atom) in atoms.enumerated() where !bands.contains(index) {
      while let first = next.first, first.place <= atom.place {
        merged.append(first.atom)
        next = next.dropFirst()
      }
      merged.append(atom)
    }
    atoms = merged + next.map(\.atom)
  }

  private static let bandColumnsMin = 3
  private static let bandRowsMax = 12

  /// A time, alone in a cell that is alone in its row and spans several columns.
  private func isBand(_ index: Int) -> Bool {
    guard case .times(let times) = atoms[index].kind, times.count == 1, let (row, cell) = cell(of: index),
      tree[row].tag == "tr", let width = tree[cell].node["colspan"].flatMap({ Int($0) }),
      width >= Self.bandColumnsMin
    else { return false }
    let cells = tree.children(row).filter { tree[$0].tag == "td" || tree[$0].tag == "th" }
    return cells == [cell] && !atoms.indices.contains { $0 == index + 1 && tree.contains(cell, atoms[$0].place) }
  }

  /// Whether days head the columns of a row's table, each in a cell of its own.
  private func standsBelowDays(_ row: Int) throws(ExtractionError) -> Bool {
    try budget.spend(atoms.count)
    var cells: [Int: Set<Int>] = [:]
    for index in atoms.indices where atoms[index].isDate && atoms[index].place < row {
      guard let (head, cell) = cell(of: index), tree[head].parent == tree[row].parent else { continue }
      cells[head, default: []].insert(cell)
    }
    return cells.values.contains { $0.count >= Self.bandColumnsMin }
  }

  /// The cells of the rows behind one, up to the next row of one cell; nothing if a time or a day stands in any of them.
  private func cells(below row: Int) throws(ExtractionError) -> [[Int]] {
    var rows: [[Int]] = []
    let siblings = tree.children(tree[row].parent)
    for other in siblings.drop(while: { $0 <= row }).prefix(Self.bandRowsMax) where tree[other].tag == "tr" {
      let cells = tree.children(other).filter { tree[$0].tag == "td" || tree[$0].tag == "th" }
      if cells.count < 2 { break }
      rows.append(cells)
    }
    guard let last = rows.last?.last else { return [] }
    try budget.spend(atoms.count)
    let inside = tree[row].end..<tree[last].end
    return atoms.contains { inside.contains($0.place) && ($0.isTime || $0.isDate) } ? [] : rows
  }
}
