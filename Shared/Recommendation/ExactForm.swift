/// The weights of EASE (Steck, 2019): each item explained by all others, in closed form.
///
/// With X the users' ratings and P = (XᵀX + λ)⁻¹, what item i says about item j is −Pᵢⱼ / Pⱼⱼ. Kept is the symmetric
/// part, −λ·Pᵢⱼ, and 1 / (λ·Pⱼⱼ) for each j. The matrix to invert has as many rows as there are items; or, since
/// λ·P = 1 − Xᵀ (XXᵀ + λ)⁻¹ X, as there are users, if they are fewer.
struct ExactForm {
  /// Row by row, zero on the diagonal.
  private(set) var cells: [Float]
  private(set) var scale: [Float]

  /// Nil if a matrix that has an inverse on paper has none in numbers.
  init?(_ byUser: SparseRows, _ byItem: SparseRows, _ regularisation: Float) {
    let count = byItem.rowCount
    let found =
      byUser.rowCount < count
      ? Self.throughUsers(byUser, byItem, regularisation) : Self.throughItems(byUser, regularisation)
    guard let found else { return nil }
    cells = Array(unsafeUninitializedCapacity: count * count) { cells, initialised in
      for row in 0..<count {
        for column in 0..<count { cells[row * count + column] = found[row, column] }
      }
      initialised = count * count
    }
    scale = Array(repeating: 0, count: count)
    for item in 0..<count {
      // What is left of the item when the others have explained what they can; never nothing but by rounding.
      scale[item] = 1 / max(1 - cells[item * count + item], Self.leastRest)
      cells[item * count + item] = 0
    }
  }

  private static let leastRest: Float = 1e-4

  /// 1 − λP, from the items' matrix.
  private static func throughItems(_ byUser: SparseRows, _ regularisation: Float) -> SymmetricMatrix? {
    var matrix = products(of: byUser)
    matrix.addToDiagonal(regularisation)
    guard matrix.invert() else { return nil }
    for place in matrix.cells.indices { matrix.cells[place] *= -regularisation }
    matrix.addToDiagonal(1)
    return matrix
  }

  /// 1 − λP, from the users' matrix K⁻¹: first K·X, then Xᵀ·(K·X), each as sums of whole rows.
  private static func throughUsers(
    _ byUser: SparseRows, _ byItem: SparseRows, _ regularisation: Float
  ) -> SymmetricMatrix? {
    var inverse = products(of: byItem)
    inverse.addToDiagonal(regularisation)
    guard inverse.invert() else { return nil }
    let (users, items) = (inverse.stride, (byItem.rowCount + 7) & ~7)
    let half = sums(of: inverse.cells, width: users, byItem) { _ in users }
    let turned = transposed(half, rows: byItem.rowCount, width: users, height: items)
    var result = SymmetricMatrix(count: byItem.rowCount)
    // By symmetry a row is summed only up to its diagonal.
    result.cells = sums(of: turned, width: items, byItem, rows: items) { row in min(row / 8 * 8 + 8, items) }
    result.mirror()
    return result
  }

  /// For each row of `factors`, the sum of the rows of `matrix` that it names, times its values.
  private static func sums(
    of matrix: [Float], width: Int, _ factors: SparseRows, rows: Int? = nil, upTo end: (Int) -> Int
  ) -> [Float] {
    var result = [Float](repeating: 0, count: (rows ?? factors.rowCount) * width)
    matrix.withUnsafeBufferPointer { matrix in
      result.withUnsafeMutableBufferPointer { result in
        factors.columns.withUnsafeBufferPointer { columns in
          factors.values.withUnsafeBufferPointer { values in
            for row in 0..<factors.rowCount {
              let sum = result.baseAddress! + row * width
              let count = end(row)
              for cell in factors[row] {
                addRow(matrix.baseAddress! + Int(columns[cell]) * width, times: values[cell], count: count, to: sum)
              }
            }
          }
        }
      }
    }
    return result
  }

  /// Rows of `width` numbers as columns of a matrix whose rows have `height` numbers.
  private static func transposed(_ cells: [Float], rows: Int, width: Int, height: Int) -> [Float] {
    var result = [Float](repeating: 0, count: width * height)
    let edge = 32
    cells.withUnsafeBufferPointer { cells in
      result.withUnsafeMutableBufferPointer { result in
        for top in stride(from: 0, to: rows, by: edge) {
          for left in stride(from: 0, to: width, by: edge) {
            for column in left..<min(left + edge, width) {
              for row in top..<min(top + edge, rows) { result[column * height + row] = cells[row * width + column] }
            }
          }
        }
      }
    }
    return result
  }

  /// The products of all pairs of columns: MᵀM, its lower triangle.
  private static func products(of rows: SparseRows) -> SymmetricMatrix {
    var result = SymmetricMatrix(count: rows.columnCount)
    let stride = result.stride
    result.cells.withUnsafeMutableBufferPointer { cells in
      rows.columns.withUnsafeBufferPointer { columns in
        rows.values.withUnsafeBufferPointer { values in
          for row in 0..<rows.rowCount {
            let range = rows[row]
            for cell in range {
              let target = cells.baseAddress! + Int(columns[cell]) * stride
              let factor = values[cell]
              // Columns ascend, so these lie under the diagonal.
              for other in range.lowerBound...cell { target[Int(columns[other])] += values[other] * factor }
            }
          }
        }
      }
    }
    return result
  }
}
