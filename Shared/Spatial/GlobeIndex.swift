import Glibc

/// Points on the globe, and the nearest of them to any place: a k-d tree over unit vectors in flat arrays.
///
/// On unit vectors the straight distance grows with the distance along the great circle, and there is no pole and no
/// 180th meridian: nothing is special anywhere. A value that does not change; make another when the points have.
package struct GlobeIndex: Sendable {
  /// A point that was found: its place in the list that the index was made of, and how far it is.
  package struct Neighbour: Hashable, Sendable {
    package let point: Int
    /// Along the great circle.
    package let metres: Double
  }

  package let count: Int
  /// Leaves hold so many points at most: fewer, and walking the tree costs more than looking at the points.
  static let leafMax = 8
  /// Metres, the mean radius of the International Union of Geodesy and Geophysics.
  static let earthRadius = 6_371_008.8

  /// How often the points are halved; the leaves are all at this depth.
  package let depth: Int
  /// Of each inner node, in the order of a heap: along which axis it divides, and where.
  private let axes: [UInt8]
  private let splits: [Double]
  /// x, y, z of each point, leaf after leaf.
  private let vectors: [Double]
  /// Which point stands at each place.
  private let order: [Int32]

  /// - Parameter points: latitude and longitude in degrees.
  package init(_ points: some Collection<(latitude: Double, longitude: Double)>) {
    var builder = Builder(points)
    builder.divide()
    count = builder.points.count
    depth = builder.depth
    axes = builder.axes
    splits = builder.splits
    vectors = builder.points.flatMap { [$0.x, $0.y, $0.z] }
    order = builder.points.map(\.number)
  }

  /// The nearest points, nearest first. Of points that are equally far, any.
  ///
  /// - Parameter metresMax: none is further than this.
  package func nearest(
    _ limit: Int, latitude: Double, longitude: Double, metresMax: Double = .infinity
  ) -> [Neighbour] {
    let limit = min(limit, count)
    guard limit > 0, latitude.isFinite, longitude.isFinite, metresMax >= 0 else { return [] }
    let origin = UnitVector(latitude: latitude, longitude: longitude)
    return withUnsafeTemporaryAllocation(of: Candidate.self, capacity: limit) { buffer in
      let walk = Walk(self, origin, buffer, Self.squaredChord(metresMax))
      return walk.found.map { Neighbour(point: Int(order[$0.place]), metres: Self.metres(squaredChord: $0.distance)) }
    }
  }

  // MARK: Distances

  /// The square of the straight line through the earth, in radii.
  private static func squaredChord(_ metres: Double) -> Double {
    let angle = metres / earthRadius
    guard angle < .pi else { return 5 }
    let half = sin(angle / 2)
    // A point at exactly that distance is within it, whichever way its last digit was rounded.
    return 4 * half * half + 1e-15
  }

  private static func metres(squaredChord: Double) -> Double {
    2 * earthRadius * asin(min(1, squaredChord.squareRoot() / 2))
  }

  struct Candidate {
    var distance: Double
    var place: Int
  }

  /// One question on its way through the tree.
  private struct Walk {
    private let origin: UnitVector
    private let candidates: UnsafeMutableBufferPointer<Candidate>
    private var taken = 0
    /// What a point has to be nearer than: the bound, then the worst of the candidates once there are enough.
    private var worst: Double

    init(
      _ index: borrowing GlobeIndex, _ origin: UnitVector, _ candidates: UnsafeMutableBufferPointer<Candidate>,
      _ bound: Double
    ) {
      self.origin = origin
      self.candidates = candidates
      worst = bound
      index.axes.withUnsafeBufferPointer { axes in
        index.splits.withUnsafeBufferPointer { splits in
          index.vectors.withUnsafeBufferPointer { vectors in
            let tree = Tree(axes: axes, splits: splits, vectors: vectors, depth: index.depth)
            descend(tree, node: 0, level: 0, places: 0..<index.count, gaps: (0, 0, 0), distance: 0)
          }
        }
      }
    }

    var found: UnsafeMutableBufferPointer<Candidate>.SubSequence { candidates[..<taken] }

    struct Tree {
      let axes: UnsafeBufferPointer<UInt8>
      let splits: UnsafeBufferPointer<Double>
      let vectors: UnsafeBufferPointer<Double>
      let depth: Int
    }

    /// - Parameters:
    ///   - gaps: how far the node's box is from the origin along each axis.
    ///   - distance: the square of how far it is in all.
    private mutating func descend(
      _ tree: borrowing Tree, node: Int, level: Int, places: Range<Int>, gaps: (Double, Double, Double),
      distance: Double
    ) {
      guard level < tree.depth else { return look(tree, at: places) }
      let axis = tree.axes[node]
      let gap = origin[axis] - tree.splits[node]
      let middle = (places.lowerBound + places.upperBound) / 2
      let (lower, upper) = (places.lowerBound..<middle, middle..<places.upperBound)
      let isAbove = gap >= 0
      descend(
        tree, node: 2 * node + (isAbove ? 2 : 1), level: level + 1, places: isAbove ? upper : lower, gaps: gaps,
        distance: distance)
      // The other side begins at the division: what it was away along this axis before is replaced.
      var farGaps = gaps
      let before: Double
      switch axis {
      case 0: (before, farGaps.0) = (gaps.0, gap)
      case 1: (before, farGaps.1) = (gaps.1, gap)
      default: (before, farGaps.2) = (gaps.2, gap)
      }
      let farDistance = distance - before * before + gap * gap
      guard farDistance < worst else { return }
      descend(
        tree, node: 2 * node + (isAbove ? 1 : 2), level: level + 1, places: isAbove ? lower : upper, gaps: farGaps,
        distance: farDistance)
    }

    private mutating func look(_ tree: borrowing Tree, at places: Range<Int>) {
      for place in places {
        let (x, y, z) = (
          tree.vectors[3 * place] - origin.x, tree.vectors[3 * place + 1] - origin.y,
          tree.vectors[3 * place + 2] - origin.z
        )
        let distance = x * x + y * y + z * z
        if distance < worst { take(Candidate(distance: distance, place: place)) }
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
}

/// A place on the globe as a point of the sphere with radius 1.
struct UnitVector {
  let x, y, z: Double

  init(latitude: Double, longitude: Double) {
    let (up, around) = (latitude * .pi / 180, longitude * .pi / 180)
    x = cos(up) * cos(around)
    y = cos(up) * sin(around)
    z = sin(up)
  }

  subscript(axis: UInt8) -> Double { axis == 0 ? x : axis == 1 ? y : z }
}
