extension GlobeIndex {
  /// Puts the points in the order of the tree: halves them along the axis on which they are spread most, again and again.
  struct Builder {
    struct Point {
      var x, y, z: Double
      var number: Int32

      subscript(axis: UInt8) -> Double { axis == 0 ? x : axis == 1 ? y : z }
    }

    private(set) var points: [Point]
    let depth: Int
    private(set) var axes: [UInt8]
    private(set) var splits: [Double]

    init(_ places: some Collection<(latitude: Double, longitude: Double)>) {
      points = places.enumerated().map { number, place in
        let vector = UnitVector(latitude: place.latitude, longitude: place.longitude)
        return Point(x: vector.x, y: vector.y, z: vector.z, number: Int32(number))
      }
      var depth = 0
      while points.count >> depth > GlobeIndex.leafMax { depth += 1 }
      self.depth = depth
      axes = Array(repeating: 0, count: (1 << depth) - 1)
      splits = Array(repeating: 0, count: (1 << depth) - 1)
    }

    mutating func divide() {
      let depth = depth
      axes.withUnsafeMutableBufferPointer { axes in
        splits.withUnsafeMutableBufferPointer { splits in
          points.withUnsafeMutableBufferPointer { points in
            // A node stands for the places that halving gives it, so no bounds have to be kept.
            var nodes = [(node: 0, level: 0, places: 0..<points.count)]
            while let (node, level, places) = nodes.popLast() {
              guard level < depth else { continue }
              let middle = (places.lowerBound + places.upperBound) / 2
              let axis = Self.widestAxis(points, places)
              Self.partition(points, places, at: middle, along: axis)
              axes[node] = axis
              splits[node] = points[middle][axis]
              nodes.append((2 * node + 1, level + 1, places.lowerBound..<middle))
              nodes.append((2 * node + 2, level + 1, middle..<places.upperBound))
            }
          }
        }
      }
    }

    private static func widestAxis(_ points: UnsafeMutableBufferPointer<Point>, _ places: Range<Int>) -> UInt8 {
      var low = points[places.lowerBound]
      var high = low
      for place in places {
        let point = points[place]
        (low.x, low.y, low.z) = (min(low.x, point.x), min(low.y, point.y), min(low.z, point.z))
        (high.x, high.y, high.z) = (max(high.x, point.x), max(high.y, point.y), max(high.z, point.z))
      }
      let spread = (high.x - low.x, high.y - low.y, high.z - low.z)
      return spread.0 >= spread.1 && spread.0 >= spread.2 ? 0 : spread.1 >= spread.2 ? 1 : 2
    }

    /// Hoare's selection: what is before `middle` is not greater, what is from there on is not less.
    private static func partition(
      _ points: UnsafeMutableBufferPointer<Point>, _ places: Range<Int>, at middle: Int, along axis: UInt8
    ) {
      var (low, high) = (places.lowerBound, places.upperBound - 1)
      while low < high {
        let pivot = median(points[low][axis], points[(low + high) / 2][axis], points[high][axis])
        var (left, right) = (low, high)
        // Equal points move too, so that a heap of them is halved and not walked one by one.
        while left <= right {
          while points[left][axis] < pivot { left += 1 }
          while points[right][axis] > pivot { right -= 1 }
          if left <= right {
            points.swapAt(left, right)
            left += 1
            right -= 1
          }
        }
        if middle <= right { high = right } else if middle >= left { low = left } else { return }
      }
    }

    private static func median(_ a: Double, _ b: Double, _ c: Double) -> Double {
      max(min(a, b), min(max(a, b), c))
    }
  }
}
