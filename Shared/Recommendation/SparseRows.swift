/// A matrix of which few cells are not zero, row by row; within a row the columns ascend.
struct SparseRows: Sendable {
  let columnCount: Int
  private(set) var starts: [Int] = [0]
  private(set) var columns: [Int32] = []
  private(set) var values: [Float] = []

  init(columnCount: Int, capacity: Int = 0) {
    self.columnCount = columnCount
    columns.reserveCapacity(capacity)
    values.reserveCapacity(capacity)
  }

  var rowCount: Int { starts.count - 1 }
  var count: Int { columns.count }

  /// The cells of a row, as places in ``columns`` and ``values``.
  subscript(row: Int) -> Range<Int> { starts[row]..<starts[row + 1] }

  mutating func append(column: Int, _ value: Float) {
    columns.append(Int32(column))
    values.append(value)
  }

  mutating func endRow() { starts.append(columns.count) }

  /// Columns as rows. The rows of the result ascend too.
  func transposed() -> SparseRows {
    var result = SparseRows(columnCount: rowCount)
    result.starts = Array(repeating: 0, count: columnCount + 1)
    for column in columns { result.starts[Int(column) + 1] += 1 }
    for column in 0..<columnCount { result.starts[column + 1] += result.starts[column] }
    var next = result.starts
    result.columns = Array(repeating: 0, count: count)
    result.values = Array(repeating: 0, count: count)
    for row in 0..<rowCount {
      for cell in self[row] {
        let column = Int(columns[cell])
        result.columns[next[column]] = Int32(row)
        result.values[next[column]] = values[cell]
        next[column] += 1
      }
    }
    return result
  }

  /// Every cell as 1.
  func binary() -> SparseRows {
    var result = self
    result.values = Array(repeating: 1, count: count)
    return result
  }

  /// The sum of the squares of each row.
  func squares() -> [Float] {
    (0..<rowCount).map { row in self[row].reduce(0) { $0 + values[$1] * values[$1] } }
  }
}
