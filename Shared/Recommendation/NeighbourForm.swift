/// The weights of EASE where each item is explained by the items most alike only, one small system an item.
///
/// No matrix of all items against all is made: memory is that of the ratings, of the neighbours, and of one system.
struct NeighbourForm {
  private let byUser: SparseRows
  private let byItem: SparseRows
  private let regularisation: Float

  init(_ byUser: SparseRows, _ byItem: SparseRows, _ regularisation: Float) {
    self.byUser = byUser
    self.byItem = byItem
    self.regularisation = regularisation
  }

  /// Row by row what an item says about others.
  func affinities(_ squares: [Float]) -> SparseRows {
    var search = NeighbourSearch(byUser, byItem, squares, shrink: Self.shrink, limit: Training.neighboursMax)
    var system = NeighbourSystem(byItem, users: byUser.rowCount, regularisation)
    var explained = SparseRows(columnCount: byItem.rowCount)
    for item in 0..<byItem.rowCount {
      let neighbours = search.neighbours(of: item)
      for (neighbour, weight) in zip(neighbours, system.weights(of: neighbours)) where weight != 0 {
        explained.append(column: neighbour.item, weight)
      }
      explained.endRow()
    }
    return explained.transposed()
  }

  /// Takes from the likeness of items that few have rated.
  private static let shrink: Float = 5
}

/// The items most alike to one: by the cosine of who rated them.
struct NeighbourSearch {
  struct Neighbour {
    let item: Int
    let product: Float
    let likeness: Float
  }

  private let byUser: SparseRows
  private let byItem: SparseRows
  private let lengths: [Float]
  private let shrink: Float
  private let limit: Int
  private var products: [Float]
  private var touched: [Int32] = []

  init(_ byUser: SparseRows, _ byItem: SparseRows, _ squares: [Float], shrink: Float, limit: Int) {
    self.byUser = byUser
    self.byItem = byItem
    lengths = squares.map { $0.squareRoot() }
    self.shrink = shrink
    self.limit = limit
    products = Array(repeating: 0, count: byItem.rowCount)
  }

  /// In the order of their places.
  mutating func neighbours(of item: Int) -> [Neighbour] {
    touched.removeAll(keepingCapacity: true)
    for cell in byItem[item] {
      let (user, weight) = (Int(byItem.columns[cell]), byItem.values[cell])
      for other in byUser[user] {
        let column = Int(byUser.columns[other])
        if products[column] == 0 { touched.append(Int32(column)) }
        products[column] += weight * byUser.values[other]
      }
    }
    var found: [Neighbour] = []
    found.reserveCapacity(touched.count)
    for place in touched {
      let other = Int(place)
      if other != item {
        let likeness = products[other] / (lengths[item] * lengths[other] + shrink)
        found.append(Neighbour(item: other, product: products[other], likeness: likeness))
      }
      products[other] = 0
    }
    if found.count > limit {
      found.sort { a, b in a.likeness != b.likeness ? a.likeness > b.likeness : a.item < b.item }
      found.removeLast(found.count - limit)
    }
    found.sort { $0.item < $1.item }
    return found
  }
}

/// (G + λ) w = g for an item's neighbours: G is how they go with each other, g how they go with the item.
private struct NeighbourSystem {
  private let byItem: SparseRows
  private let regularisation: Float
  /// For each user, how many of the neighbours they rated, then where their part of `rated` ends.
  private var ends: [Int32]
  private var users: [Int32] = []
  private var rated: [(place: Int32, weight: Float)] = []
  private var matrix: [Float] = []

  init(_ byItem: SparseRows, users: Int, _ regularisation: Float) {
    self.byItem = byItem
    self.regularisation = regularisation
    ends = Array(repeating: 0, count: users)
  }

  mutating func weights(of neighbours: [NeighbourSearch.Neighbour]) -> [Float] {
    let count = neighbours.count
    gather(neighbours)
    matrix.removeAll(keepingCapacity: true)
    matrix.append(contentsOf: repeatElement(0, count: count * count))
    for place in 0..<count { matrix[place * count + place] = regularisation }
    var start = 0
    for user in users {
      let end = Int(ends[Int(user)])
      for a in start..<end {
        let row = Int(rated[a].place) * count
        // Places ascend, so this is the upper triangle.
        for b in a..<end { matrix[row + Int(rated[b].place)] += rated[a].weight * rated[b].weight }
      }
      start = end
      ends[Int(user)] = 0
    }
    var solution = neighbours.map(\.product)
    solve(&solution)
    return solution
  }

  /// Who rated any of the neighbours, and which.
  private mutating func gather(_ neighbours: [NeighbourSearch.Neighbour]) {
    users.removeAll(keepingCapacity: true)
    var total = 0
    for neighbour in neighbours {
      for cell in byItem[neighbour.item] {
        let user = byItem.columns[cell]
        if ends[Int(user)] == 0 { users.append(user) }
        ends[Int(user)] += 1
        total += 1
      }
    }
    var start: Int32 = 0
    for user in users {
      let count = ends[Int(user)]
      ends[Int(user)] = start
      start += count
    }
    rated.removeAll(keepingCapacity: true)
    rated.append(contentsOf: repeatElement((place: 0, weight: 0), count: total))
    for (place, neighbour) in neighbours.enumerated() {
      for cell in byItem[neighbour.item] {
        let user = Int(byItem.columns[cell])
        rated[Int(ends[user])] = (Int32(place), byItem.values[cell])
        ends[user] += 1
      }
    }
  }

  /// Gauss's way on the upper triangle. The regularisation keeps each pivot above zero.
  private mutating func solve(_ solution: inout [Float]) {
    let count = solution.count
    matrix.withUnsafeMutableBufferPointer { matrix in
      for pivot in 0..<count {
        let source = matrix.baseAddress! + pivot * count
        for row in pivot + 1..<count where source[row] != 0 {
          let factor = source[row] / source[pivot]
          addRow(source + row, times: -factor, count: count - row, to: matrix.baseAddress! + row * count + row)
          solution[row] -= factor * solution[pivot]
        }
      }
      for row in stride(from: count - 1, through: 0, by: -1) {
        var rest = solution[row]
        for column in row + 1..<count { rest -= matrix[row * count + column] * solution[column] }
        solution[row] = rest / matrix[row * count + row]
      }
    }
  }
}
