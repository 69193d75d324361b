import HTML

/// A table of films: rows are times, columns rooms or days, and each cell says what is shown then and there.
///
///     |       | Main Hall | Studio       |          | Fri 8.5. | Sat 9.5. |
///     | 19:00 | Silt      | Night Works  |    18:00 | Silt     | Marram   |
///
/// Or columns are times and rows are days.
struct TitleGrid {
  struct Cell {
    /// The atom of the title.
    let title: Int
    /// The atom that heads the column: a day, or the name of a room.
    let head: Int
    let isDay: Bool
  }

  let context: PageContext
  private var tree: PageTree { context.tree }

  private static let titleMax = 160
  private static let columnsMax = 40
  /// Enough to know a table by, for each of its times.
  private static let cellsAsked = 200

  /// What the row of a time shows; nil if the table is of another kind.
  func cells(of place: TimePlace) -> [Cell]? {
    guard let row = place.path.first(where: { tree[$0].tag == "tr" }),
      let (grid, own) = context.grid(around: row, of: place.path[0]), own.columns.lowerBound == 0,
      own.rows.lowerBound > 0, grid.columns.isEmpty,
      context.times(in: row) == context.times(in: own.place), let heads = heads(of: grid)
    else { return nil }
    var cells: [Cell] = []
    for other in tree.children(row).prefix(Self.columnsMax) {
      guard let cell = grid.cell(at: other), cell.place != own.place else { continue }
      guard let head = heads[cell.columns.lowerBound] else { return nil }
      let words = context.range(in: other).filter {
        context.atoms[$0].isWords && context.atoms[$0].text.hasLetters
      }
      guard let title = words.first else { continue }
      guard tree[other].length <= Self.titleMax, !PageWords.isLabel(context.atoms[title].text)
      else { return nil }
      cells.append(Cell(title: title, head: head, isDay: context.atoms[head].isDate))
    }
    return cells
  }

  /// What the column of a time shows, on the days that head the rows; nil if the table is of another kind.
  func cells(below place: TimePlace, budget: WorkBudget) throws(ExtractionError) -> [Cell]? {
    guard let row = place.path.first(where: { tree[$0].tag == "tr" }),
      let (grid, own) = context.grid(around: row, of: place.path[0]), own.rows == 0..<1, own.columns.lowerBound > 0,
      own.columns.count == 1, grid.columns.isEmpty, grid.cells.count <= Self.cellsAsked,
      let table = context.table(around: row), context.times(in: table) == context.times(in: row)
    else { return nil }
    try budget.spend(grid.cells.count * 4)
    var days: [(rows: Range<Int>, head: Int)] = []
    var shown: [(rows: Range<Int>, title: Int)] = []
    for cell in grid.cells {
      if cell.rows.lowerBound == 0 {
        guard cell.columns.lowerBound == 0 || context.times(in: cell.place) == 1 && cell.rows.count == 1 else {
          return nil
        }
      } else if cell.columns.lowerBound == 0 {
        guard let head = context.range(in: cell.place).first(where: { context.atoms[$0].isDate }) else { return nil }
        days.append((cell.rows, head))
      } else if cell.columns.overlaps(own.columns), tree[cell.place].length <= Self.titleMax,
        let title = context.range(in: cell.place).first(where: {
          context.atoms[$0].isWords && context.atoms[$0].text.hasLetters
        }), !PageWords.isLabel(context.atoms[title].text)
      {
        shown.append((cell.rows, title))
      }
    }
    var cells: [Cell] = []
    for film in shown {
      try budget.spend(days.count)
      for day in days where day.rows.overlaps(film.rows) {
        cells.append(Cell(title: film.title, head: day.head, isDay: true))
      }
    }
    return cells.isEmpty ? nil : cells
  }

  /// By column, what heads it; nil unless all columns but that of the times are headed alike.
  private func heads(of grid: TableGrid) -> [Int: Int]? {
    var heads: [Int: Int] = [:]
    var days = 0
    var isOfDays = false
    for cell in grid.cells.prefix(Self.columnsMax) where cell.rows.lowerBound == 0 {
      guard context.times(in: cell.place) == 0, cell.rows.count == 1 else { return nil }
      if cell.columns.lowerBound == 0 {
        isOfDays = context.range(in: cell.place).contains { context.atoms[$0].isDate && !context.atoms[$0].opensWeek }
        continue
      }
      guard cell.columns.count == 1, let head = context.range(in: cell.place).first else {
        return nil
      }
      let atom = context.atoms[head]
      if atom.isDate {
        days += 1
      } else if !atom.isWords || PageWords.isLabel(atom.text) || PageWords.isField(atom.text + ":") {
        return nil
      }
      heads[cell.columns.lowerBound] = head
    }
    // Below a day stand its times, in the first column as in the others.
    if isOfDays, days == heads.count { return nil }
    // Two columns of words may be anything: a film and its director.
    guard heads.count >= 2, days == heads.count || days == 0 && areRooms(heads, grid) else {
      return nil
    }
    return heads
  }

  /// What stands in one column stands in another too, or what heads them sounds like a place.
  private func areRooms(_ heads: [Int: Int], _ grid: TableGrid) -> Bool {
    let names = heads.values.map { context.atoms[$0].text }
    if names.contains(where: { ScreenName.isOne($0) || CinemaWords.isName($0) }) { return true }
    var columns: [String: Set<Int>] = [:]
    var empty = 0
    for cell in grid.cells.prefix(Self.cellsAsked) where cell.rows.lowerBound > 0 && cell.columns.lowerBound > 0 {
      let text = tree[cell.place].length <= Self.titleMax ? tree.text(cell.place).foldedKey : ""
      if text.isEmpty {
        empty += 1
      } else {
        columns[text, default: []].insert(cell.columns.lowerBound)
      }
    }
    return columns.values.contains { $0.count > 1 } || empty > 1
  }
}
