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
  /// How often the points are halved; the leaves are all at this depth.
  package let depth: Int
  /// Where each inner node divides, in the order of a heap; the two lowest bits are the axis along which.
  private let splits: [Int32]
  /// Leaf after leaf.
  private let points: [FixedPoint]

  /// Leaves hold so many points at most: fewer, and walking the tree costs more than looking at the points.
  static let leafMax = 8
  /// Metres, the mean radius of the International Union of Geodesy and Geophysics.
  static let earthRadius = 6_371_008.8

  /// - Parameter points: latitude and longitude in degrees.
  package init(_ points: some Collection<(latitude: Double, longitude: Double)>) {
    var builder = Builder(points)
    builder.divide()
    count = builder.points.count
    depth = builder.depth
    splits = builder.splits
    self.points = builder.points
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
    return withUnsafeTemporaryAllocation(of: GlobeWalk.Candidate.self, capacity: limit) { candidates in
      splits.withUnsafeBufferPointer { splits in
        points.withUnsafeBufferPointer { points in
          var walk = GlobeWalk(from: origin, into: candidates, bound: Self.squaredChord(metresMax))
          walk.walk(GlobeWalk.Tree(splits: splits, points: points, depth: depth))
          return walk.found.map { found in
            Neighbour(point: Int(found.point), metres: Self.metres(squaredChord: found.distance))
          }
        }
      }
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
}

/// A point of the sphere and its number in 16 bytes, so that a million lie in few lines of cache: a unit vector in whole
/// parts of 2³¹, which on the earth are 3 mm.
struct FixedPoint: Sendable {
  private var lanes: SIMD4<Int32>

  static let scale = Double(Int32.max)

  init(latitude: Double, longitude: Double, number: Int) {
    let vector = UnitVector(latitude: latitude, longitude: longitude)
    let scaled = SIMD4(vector.x, vector.y, vector.z, 0) * Self.scale
    lanes = SIMD4(truncatingIfNeeded: SIMD4<Int64>(scaled, rounding: .toNearestOrEven))
    lanes.w = Int32(number)
  }

  var number: Int32 { lanes.w }
  /// The last lane is the number, and of no meaning here.
  var vector: SIMD4<Double> { SIMD4(lanes) }
  subscript(axis: Int) -> Int32 { lanes[axis] }
}
