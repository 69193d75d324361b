/// A symmetric matrix in full rows, and its inverse.
///
/// Only the lower triangle is read by ``invert()``; rows are filled up to a multiple of eight numbers.
struct SymmetricMatrix {
  let count: Int
  /// Numbers from one row to the next.
  let stride: Int
  var cells: [Float]

  init(count: Int) {
    self.count = count
    stride = (count + 7) & ~7
    cells = Array(repeating: 0, count: stride * stride)
  }

  subscript(row: Int, column: Int) -> Float {
    get { cells[row * stride + column] }
    set { cells[row * stride + column] = newValue }
  }

  mutating func addToDiagonal(_ value: Float) {
    for place in 0..<count { self[place, place] += value }
  }

  /// Makes the upper triangle what the lower one is.
  mutating func mirror() {
    cells.withUnsafeMutableBufferPointer { cells in
      let edge = 64  // Squares that stay in the cache, read along and written across.
      for top in Swift.stride(from: 0, to: stride, by: edge) {
        for left in Swift.stride(from: 0, through: top, by: edge) {
          for row in top..<min(top + edge, stride) {
            for column in left..<min(left + edge, row) { cells[column * stride + row] = cells[row * stride + column] }
          }
        }
      }
    }
  }

  /// Replaces a positive definite matrix by its inverse, both triangles; false if it is not positive definite.
  ///
  /// Sweeps the matrix block by block: with D the inverse of a block on the diagonal and C the columns under it, every
  /// other cell loses C·D·Cᵀ, the columns become C·D, and the block −D. After the last block the matrix is the inverse,
  /// negated. That is n³ operations like Cholesky's way, nearly all of them in one small loop, and in a given order, so
  /// that the result does not depend on the machine.
  mutating func invert() -> Bool {
    for place in count..<stride { self[place, place] = 1 }
    let isDone = cells.withUnsafeMutableBufferPointer { cells in
      var sweep = Sweep(cells.baseAddress!, stride)
      defer { sweep.free() }
      for start in Swift.stride(from: 0, to: stride, by: Sweep.width) {
        guard sweep.take(start..<min(start + Sweep.width, stride)) else { return false }
      }
      for place in cells.indices { cells[place] = -cells[place] }
      return true
    }
    mirror()
    return isDone
  }
}

/// One inversion under way.
private struct Sweep {
  /// Columns that are swept together: their panel of 2,000 rows stays in a processor's second cache.
  static let width = 64

  let cells: UnsafeMutablePointer<Float>
  let stride: Int
  /// C in strips of 8 rows, each by column: what the loop reads along the columns of the result.
  let strips: UnsafeMutablePointer<Float>
  /// C·D in groups of 4 rows, each by column: what it reads along the rows.
  let groups: UnsafeMutablePointer<Float>

  init(_ cells: UnsafeMutablePointer<Float>, _ stride: Int) {
    self.cells = cells
    self.stride = stride
    strips = .allocate(capacity: stride * Self.width)
    groups = .allocate(capacity: stride * Self.width)
  }

  func free() {
    strips.deallocate()
    groups.deallocate()
  }

  mutating func take(_ block: Range<Int>) -> Bool {
    guard let inverse = inverted(block) else { return false }
    fillStrips(block)
    fillGroups(block, inverse)
    for row in Swift.stride(from: 0, to: stride, by: 4) where !block.contains(row) {
      let group = UnsafePointer(groups + row * block.count)
      for column in Swift.stride(from: 0, through: row, by: 8) where !block.contains(column) {
        Self.subtract(
          group, UnsafePointer(strips + column * block.count), depth: block.count,
          from: cells + row * stride + column, stride)
      }
    }
    writeBack(block, inverse)
    return true
  }

  /// Four rows of eight cells, each less the products along a group and a strip.
  @inline(__always)
  private static func subtract(
    _ group: UnsafePointer<Float>, _ strip: UnsafePointer<Float>, depth: Int,
    from cells: UnsafeMutablePointer<Float>, _ stride: Int
  ) {
    let target = UnsafeMutableRawPointer(cells)
    let row = stride * MemoryLayout<Float>.stride
    var a = target.loadUnaligned(as: SIMD8<Float>.self)
    var b = target.loadUnaligned(fromByteOffset: row, as: SIMD8<Float>.self)
    var c = target.loadUnaligned(fromByteOffset: 2 * row, as: SIMD8<Float>.self)
    var d = target.loadUnaligned(fromByteOffset: 3 * row, as: SIMD8<Float>.self)
    var (left, right) = (group, UnsafeRawPointer(strip))
    for _ in 0..<depth {
      let column = right.loadUnaligned(as: SIMD8<Float>.self)
      a -= SIMD8(repeating: left[0]) * column
      b -= SIMD8(repeating: left[1]) * column
      c -= SIMD8(repeating: left[2]) * column
      d -= SIMD8(repeating: left[3]) * column
      left += 4
      right += MemoryLayout<SIMD8<Float>>.size
    }
    target.storeBytes(of: a, as: SIMD8<Float>.self)
    target.storeBytes(of: b, toByteOffset: row, as: SIMD8<Float>.self)
    target.storeBytes(of: c, toByteOffset: 2 * row, as: SIMD8<Float>.self)
    target.storeBytes(of: d, toByteOffset: 3 * row, as: SIMD8<Float>.self)
  }

  /// The inverse of a block on the diagonal, by the same sweep, one column at a time.
  private func inverted(_ block: Range<Int>) -> [Float]? {
    let width = block.count
    var small = [Double](repeating: 0, count: width * width)
    for row in 0..<width {
      for column in 0...row {
        let value = Double(cells[(block.lowerBound + row) * stride + block.lowerBound + column])
        small[row * width + column] = value
        small[column * width + row] = value
      }
    }
    var pivotRow = [Double](repeating: 0, count: width)
    let isDone = small.withUnsafeMutableBufferPointer { small in
      for pivot in 0..<width {
        let value = small[pivot * width + pivot]
        guard value > 0, value.isFinite else { return false }
        for column in 0..<width { pivotRow[column] = small[pivot * width + column] }
        for row in 0..<width where row != pivot {
          let factor = pivotRow[row] / value
          for column in 0..<width { small[row * width + column] -= factor * pivotRow[column] }
          small[row * width + pivot] = factor
        }
        for column in 0..<width { small[pivot * width + column] = pivotRow[column] / value }
        small[pivot * width + pivot] = -1 / value
      }
      return true
    }
    return isDone ? small.map { Float(-$0) } : nil
  }

  /// The block's columns for all rows. What lies right of the diagonal is read from under it.
  private func fillStrips(_ block: Range<Int>) {
    let width = block.count
    for row in 0..<stride where row >= block.upperBound {
      let strip = strips + row / 8 * 8 * width + row % 8
      let source = cells + row * stride + block.lowerBound
      for column in 0..<width { strip[column * 8] = source[column] }
    }
    for column in 0..<width {
      let source = cells + (block.lowerBound + column) * stride
      for row in 0..<block.lowerBound { strips[row / 8 * 8 * width + column * 8 + row % 8] = source[row] }
    }
  }

  /// C·D, row by row.
  private func fillGroups(_ block: Range<Int>, _ inverse: [Float]) {
    let width = block.count
    inverse.withUnsafeBufferPointer { inverse in
      withUnsafeTemporaryAllocation(of: Float.self, capacity: width) { product in
        for row in 0..<stride where !block.contains(row) {
          let strip = strips + row / 8 * 8 * width + row % 8
          product.update(repeating: 0)
          for column in 0..<width {
            addRow(
              inverse.baseAddress! + column * width, times: strip[column * 8], count: width, to: product.baseAddress!)
          }
          let group = groups + row / 4 * 4 * width + row % 4
          for column in 0..<width { group[column * 4] = product[column] }
        }
      }
    }
  }

  private func writeBack(_ block: Range<Int>, _ inverse: [Float]) {
    let width = block.count
    for row in 0..<stride where row >= block.upperBound {
      let group = groups + row / 4 * 4 * width + row % 4
      for column in 0..<width { cells[row * stride + block.lowerBound + column] = group[column * 4] }
    }
    for column in 0..<width {
      let target = cells + (block.lowerBound + column) * stride
      for row in 0..<block.lowerBound { target[row] = groups[row / 4 * 4 * width + column * 4 + row % 4] }
      for other in 0...column { target[block.lowerBound + other] = -inverse[column * width + other] }
    }
  }
}
