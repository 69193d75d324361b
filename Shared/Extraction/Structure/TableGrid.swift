import HTML

/// The cells of a table in their columns, as `colspan` and `rowspan` put them.
struct TableGrid {
  struct Cell {
    let place: Int
    let rows: Range<Int>
    let columns: Range<Int>
  }

  /// What the cells of a column hold, where its head says it.
  enum Column { case film, venue, screen, doors, start, end }

  let cells: [Cell]
  /// Those of them that reach into rows below their own.
  let tall: [Cell]
  let width: Int
  /// By the first column that they cover.
  let columns: [Int: Column]
  private let byPlace: [Int: Int]

  /// More is a mistake or an attack.
  private static let spanMax = 64
  private static let cellsMax = 20_000

  init(_ table: Int, in tree: PageTree) {
    var cells: [Cell] = []
    var width = 0
    /// For each column, the first row that is free again.
    var taken: [Int] = []
    var row = 0
    for tr in Self.rows(of: table, in: tree) {
      var column = 0
      for place in tree.children(tr) where tree[place].tag == "td" || tree[place].tag == "th" {
        guard cells.count < Self.cellsMax else { break }
        while column < taken.count, taken[column] > row { column += 1 }
        let across = Self.span(tree[place].node["colspan"])
        let down = Self.span(tree[place].node["rowspan"])
        cells.append(Cell(place: place, rows: row..<row + down, columns: column..<column + across))
        while taken.count < column + across { taken.append(0) }
        for covered in column..<column + across { taken[covered] = row + down }
        column += across
        width = max(width, column)
      }
      row += 1
    }
    Self.widen(&cells, to: width, in: tree)
    self.cells = cells
    self.width = width
    tall = cells.filter { $0.rows.count > 1 }
    var columns: [Int: Column] = [:]
    for cell in cells.prefix(Self.spanMax) where cell.rows.lowerBound == 0 && tree[cell.place].length <= 40 {
      columns[cell.columns.lowerBound] = PageWords.column(tree.text(cell.place))
    }
    self.columns = columns
    byPlace = Dictionary(cells.enumerated().map { ($1.place, $0) }, uniquingKeysWith: { $1 })
  }

  /// `<td colspan=2>Tue 17 · Wed 18</td>` or `<th>Tue 17</th>` alone in a row of three columns is of all three.
  private static func widen(_ cells: inout [Cell], to width: Int, in tree: PageTree) {
    let counts = Dictionary(cells.map { ($0.rows.lowerBound, 1) }, uniquingKeysWith: +)
    for (index, cell) in cells.enumerated()
    where cell.columns.lowerBound == 0 && (cell.columns.count > 1 || tree[cell.place].tag == "th")
      && cell.columns.count < width
      && cell.rows.count == 1 && counts[cell.rows.lowerBound] == 1
    {
      cells[index] = Cell(place: cell.place, rows: cell.rows, columns: 0..<width)
    }
  }

  private static func rows(of table: Int, in tree: PageTree) -> [Int] {
    var rows: [Int] = []
    for child in tree.children(table) {
      switch tree[child].tag {
      case "tr": rows.append(child)
      case "thead", "tbody", "tfoot": rows += tree.children(child).filter { tree[$0].tag == "tr" }
      default: break
      }
    }
    return rows
  }

  private static func span(_ text: String?) -> Int {
    // 0 means to the end, which nobody writes.
    min(max(text.flatMap { Int($0.trimmedText) } ?? 1, 1), spanMax)
  }

  /// The cell at a node, if it is one of this table.
  func cell(at place: Int) -> Cell? { byPlace[place].map { cells[$0] } }

  /// The cells that reach into a cell's rows from above, the nearest first.
  func above(_ cell: Cell) -> [Cell] {
    tall.reversed().filter { $0.rows.overlaps(cell.rows) && $0.rows.lowerBound < cell.rows.lowerBound }
  }

  /// The nearest cell above in the same columns that says something, some rows up.
  func filled(above cell: Cell, in tree: PageTree) -> Cell? {
    guard let index = byPlace[cell.place] else { return nil }
    for other in cells[..<index].suffix(Self.aboveMax).reversed() where other.columns == cell.columns {
      if tree[other.place].length > 2 || !tree.text(other.place).trimmedText.isEmpty { return other }
    }
    return nil
  }

  /// Cells looked at upwards: a dozen rows of a dozen columns.
  private static let aboveMax = 144

  /// Whether what stands in `header` is said of `cell`: it covers its column, or the whole width.
  func speaks(_ header: Cell, of cell: Cell) -> Bool {
    if header.rows.overlaps(cell.rows) { return true }
    return header.columns.overlaps(cell.columns) || header.columns.count >= width && width > 1
  }
}
