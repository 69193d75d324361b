/// One question on its way through the tree of a ``GlobeIndex``. Distances are squares, in units of ``FixedPoint``.
struct GlobeWalk {
  struct Candidate {
    var distance: Double
    var point: Int32
  }

  struct Tree {
    let splits: UnsafeBufferPointer<Int32>
    let points: UnsafeBufferPointer<FixedPoint>
    let depth: Int
  }

  private let origin: SIMD4<Double>
  private let candidates: UnsafeMutableBufferPointer<Candidate>
  private var taken = 0
  /// What a point has to be nearer than: the bound, then the worst of the candidates once there are enough.
  private var worst: Double

  /// - Parameters:
  ///   - candidates: room for as many as are wanted.
  ///   - bound: the square of the straight distance within which they have to be, in radii of the earth.
  init(from origin: UnitVector, into candidates: UnsafeMutableBufferPointer<Candidate>, bound: Double) {
    self.origin = SIMD4(origin.x, origin.y, origin.z, 0) * FixedPoint.scale
    self.candidates = candidates
    worst = bound * FixedPoint.scale * FixedPoint.scale
  }

  /// What was found, nearest first, with distances in radii of the earth.
  var found: some Collection<Candidate> { candidates[..<taken] }

  mutating func walk(_ tree: borrowing Tree) {
    descend(tree, node: 0, level: 0, places: 0..<tree.points.count, gaps: .zero, distance: 0)
    for place in 0..<taken { candidates[place].distance /= FixedPoint.scale * FixedPoint.scale }
  }

  /// - Parameters:
  ///   - places: where the points of this part of the tree are.
  ///   - gaps: how far its box is from the origin along each axis.
  ///   - distance: the square of how far it is in all.
  private mutating func descend(
    _ tree: borrowing Tree, node: Int, level: Int, places: Range<Int>, gaps: SIMD4<Double>, distance: Double
  ) {
    guard level < tree.depth else { return look(tree, at: places) }
    let split = tree.splits[node]
    let axis = Int(split & 3)
    let gap = origin[axis] - Double(split & ~3)
    let middle = (places.lowerBound + places.upperBound) / 2
    let (lower, upper) = (places.lowerBound..<middle, middle..<places.upperBound)
    let isAbove = gap >= 0
    descend(
      tree, node: 2 * node + (isAbove ? 2 : 1), level: level + 1, places: isAbove ? upper : lower, gaps: gaps,
      distance: distance)
    // The other half begins at the division: what it was away along this axis before is replaced. A point below may be
    // as high as the bits that the axis took.
    let farGap = isAbove ? max(gap - 4, 0) : gap
    let farDistance = distance - gaps[axis] * gaps[axis] + farGap * farGap
    guard farDistance < worst else { return }
    var farGaps = gaps
    farGaps[axis] = farGap
    descend(
      tree, node: 2 * node + (isAbove ? 1 : 2), level: level + 1, places: isAbove ? lower : upper, gaps: farGaps,
      distance: farDistance)
  }

  private mutating func look(_ tree: borrowing Tree, at places: Range<Int>) {
    for place in places {
      let point = tree.points[place]
      let way = point.vector - origin
      let distance = way.x * way.x + way.y * way.y + way.z * way.z
      if distance < worst { take(Candidate(distance: distance, point: point.number)) }
    }
  }

  /// Keeps the candidates in order of their distance. There are three as a rule.
  private mutating func take(_ candidate: Candidate) {
    var slot = taken < candidates.count ? taken : taken - 1
    while slot > 0, candidates[slot - 1].distance > candidate.distance {
      candidates[slot] = candidates[slot - 1]
      slot -= 1
    }
    candidates[slot] = candidate
    taken = min(taken + 1, candidates.count)
    if taken == candidates.count { worst = min(worst, candidates[taken - 1].distance) }
  }
}
