extension GlobeIndex {
  /// Puts the points in the order of the tree: halves them along the axis on which they are spread most, again and again.
  struct Builder {
    private(set) var points: [FixedPoint]
    let depth: Int
    private(set) var splits: [Int32]

    init(_ places: some Collection<(latitude: Double, longitude: Double)>) {
      points = places.enumerated().map { number, place in
        FixedPoint(latitude: place.latitude, longitude: place.longitude, number: number)
      }
      var depth = 0
      while points.count > GlobeIndex.leafMax << depth { depth += 1 }
      self.depth = depth
      splits = Array(repeating: 0, count: (1 << depth) - 1)
    }

    mutating func divide() {
      let depth = depth
      splits.withUnsafeMutableBufferPointer { splits in
        points.withUnsafeMutableBufferPointer { points in
          // A part of the tree stands for the places that halving gives it, so no bounds have to be kept.
          var parts = [(node: 0, level: 0, places: 0..<points.count)]
          while let (node, level, places) = parts.popLast() {
            guard level < depth else { continue }
            let middle = (places.lowerBound + places.upperBound) / 2
            let axis = Self.widestAxis(points, places)
            Self.partition(points, places, at: middle, along: axis)
            splits[node] = points[middle][axis] & ~3 | Int32(axis)
            parts.append((2 * node + 1, level + 1, places.lowerBound..<middle))
            parts.append((2 * node + 2, level + 1, middle..<places.upperBound))
          }
        }
      }
    }

    private static func widestAxis(_ points: UnsafeMutableBufferPointer<FixedPoint>, _ places: Range<Int>) -> Int {
      var low = points[places.lowerBound].vector
      var high = low
      for place in places {
        let vector = points[place].vector
        low = pointwiseMin(low, vector)
        high = pointwiseMax(high, vector)
      }
      let spread = high - low
      return spread.x >= spread.y && spread.x >= spread.z ? 0 : spread.y >= spread.z ? 1 : 2
    }

    /// Hoare's selection: what is before `middle` is not greater, what is from there on is not less.
    private static func partition(
      _ points: UnsafeMutableBufferPointer<FixedPoint>, _ places: Range<Int>, at middle: Int, along axis: Int
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

    private static func median(_ a: Int32, _ b: Int32, _ c: Int32) -> Int32 { max(min(a, b), min(max(a, b), c)) }
  }
}
