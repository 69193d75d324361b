/// What each item says about each other one.
enum Affinities: Sendable {
  /// Row by row, all against all.
  case dense([Float])
  /// Only what is not zero.
  case sparse(SparseRows)

  /// Adds what an item says about all others.
  func add(_ item: Int, times weight: Float, to scores: inout [Float]) {
    let count = scores.count
    switch self {
    case .dense(let cells):
      cells.withUnsafeBufferPointer { cells in
        scores.withUnsafeMutableBufferPointer { scores in
          guard let scores = scores.baseAddress, let cells = cells.baseAddress else { return }
          addRow(cells + item * count, times: weight, count: count, to: scores)
        }
      }
    case .sparse(let rows):
      for cell in rows[item] { scores[Int(rows.columns[cell])] += rows.values[cell] * weight }
    }
  }

  /// What an item says about another.
  func value(_ item: Int, _ other: Int, count: Int) -> Float {
    switch self {
    case .dense(let cells): return cells[item * count + other]
    case .sparse(let rows):
      var range = rows[item]
      while !range.isEmpty {
        let middle = (range.lowerBound + range.upperBound) / 2
        let column = Int(rows.columns[middle])
        if column == other { return rows.values[middle] }
        range = column < other ? middle + 1..<range.upperBound : range.lowerBound..<middle
      }
      return 0
    }
  }
}
