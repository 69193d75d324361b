import HTML

/// Finds tables that are made of other parts: a row with a date in each of its parts, and rows of as many parts below it.
///
///     <div><div>Film</div><div>Fri 20</div><div>Sat 21</div>…</div>
///     <div><div>Silt</div><div>18:00</div><div></div>…</div>
///
/// Where all parts of the first row are days, what stands before as many parts of the others is no cell.
struct GridOfParts {
  let tree: PageTree
  let atoms: [PageAtom]
  let budget: WorkBudget

  /// Fewer days in a row may be anything.
  private static let daysMin = 3
  /// A row of nothing but days is a week's, or nearly one's.
  private static let weekMin = 5
  /// How far above a date the row may be that it stands in.
  private static let levels = 3
  private static let rowsMax = 400
  /// Rows of dates in one part of a page, before one of them heads a table: days to choose from, weeks.
  private static let triesMax = 4

  /// The tree, with what was found as tables.
  func taken() throws(ExtractionError) -> PageTree {
    let times = atoms.filter(\.isTime).map(\.place).sorted()
    var dated: [Int: Set<Int>] = [:]
    for atom in atoms where atom.isDate && !atom.isOfContent {
      try budget.spend(4)
      let path = tree.path(atom.place)
      for (part, row) in zip(path, path.dropFirst()).prefix(Self.levels) where !tree[part].isText {
        if Self.tables.contains(tree[row].tag) { break }
        dated[row, default: []].insert(part)
      }
    }
    var found = tree
    var tries: [Int: Int] = [:]
    for (row, parts) in dated.sorted(by: { $0.key < $1.key }) where parts.count >= Self.daysMin {
      let table = tree[row].parent
      let width = self.width(of: row)
      // What stands in front of the days, at most, and behind them.
      guard table >= 0, width > parts.count || width >= Self.weekMin, width <= parts.count + 2,
        tries[table, default: 0] < Self.triesMax
      else { continue }
      tries[table, default: 0] += 1
      try budget.spend(tree[table].end - table)
      var rows: [(row: Int, cells: [Int])] = []
      for other in tree.children(table) where other >= row && rows.count < Self.rowsMax {
        if let cells = cells(of: other, below: width, isWeek: width == parts.count, times) {
          rows.append((other, cells))
        }
      }
      guard rows.count >= 2, let first = rows.first, let last = rows.last,
        hasTimes(rows[1].row..<tree[last.row].end, times), !hasTimes(first.row..<tree[first.row].end, times)
      else { continue }
      found.takeAsTable(table, rows: rows)
    }
    return found
  }

  private static let tables: Set<String> = ["table", "thead", "tbody", "tr", "td", "th", "body", "html"]

  private func width(of row: Int) -> Int { parts(of: row).count }

  private func parts(of row: Int) -> [Int] {
    tree[row].isText ? [] : tree.children(row).filter { !tree[$0].isText }
  }

  /// As many parts of a row as its head has; below a week, the last ones where they are alike.
  private func cells(of row: Int, below width: Int, isWeek: Bool, _ times: [Int]) -> [Int]? {
    let parts = parts(of: row)
    if parts.count == width { return parts }
    guard isWeek, parts.count > width, parts.count <= width + 2, case let cells = parts.suffix(width),
      let first = cells.first, !hasTimes(parts[0]..<first, times),
      cells.allSatisfy({ tree[$0].tag == tree[first].tag && tree[$0].words.first == tree[first].words.first })
    else { return nil }
    return Array(cells)
  }

  /// - Parameter times: where times stand, from the first on.
  private func hasTimes(_ places: Range<Int>, _ times: [Int]) -> Bool {
    var (low, high) = (0, times.count)
    while low < high {
      let middle = (low + high) / 2
      if times[middle] < places.lowerBound { low = middle + 1 } else { high = middle }
    }
    return low < times.count && times[low] < places.upperBound
  }
}
