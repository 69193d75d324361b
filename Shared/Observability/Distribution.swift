/// The buckets that every histogram counts in: 36 even steps in each power of ten, from 1 µs to 1,000 s.
///
/// A step is a quarter of its power, so 1, 2.5 and 5 of any power are edges: what is exported with those bounds is
/// exact, and a quantile is off by a quarter at worst. An edge belongs to the bucket below it, as in Prometheus.
enum DurationScale {
  private static let steps = 36
  private static let firstPower = 3
  private static let powers = 9
  /// One for what is shorter, one for what is longer.
  static let bucketCount = powers * steps + 2

  static func bucket(of nanoseconds: UInt64) -> Int {
    guard nanoseconds > 1_000 else { return 0 }
    let below = nanoseconds - 1
    var power = firstPower
    var size: UInt64 = 1_000
    while below >= size * 10 {
      power += 1
      size *= 10
      if power == firstPower + powers { return bucketCount - 1 }
    }
    return 1 + (power - firstPower) * steps + Int(below / (size / 4)) - 4
  }

  /// The longest duration that falls in the bucket, in nanoseconds; nil in the last one.
  static func upperEdge(of bucket: Int) -> UInt64? {
    guard bucket < bucketCount - 1 else { return nil }
    guard bucket > 0 else { return 1_000 }
    let (power, step) = (bucket - 1).quotientAndRemainder(dividingBy: steps)
    let size = (0..<power).reduce(into: UInt64(1_000)) { size, _ in size *= 10 }
    return size / 4 * UInt64(step + 5)
  }
}

/// What a histogram has counted, at one moment.
package struct Distribution: Sendable {
  let buckets: [UInt64]
  package let sum: Duration

  package var count: UInt64 { buckets.reduce(0, +) }

  /// The duration that this share of all stays within, by the straight line through its bucket. Nil when empty.
  package func quantile(_ share: Double) -> Duration? {
    let total = count
    guard total > 0 else { return nil }
    let rank = max(1, (Double(total) * min(max(share, 0), 1)).rounded(.up))
    var passed = 0.0
    for (index, count) in buckets.enumerated() where count > 0 {
      if passed + Double(count) >= rank {
        let low = index == 0 ? 0 : DurationScale.upperEdge(of: index - 1) ?? 0
        guard let high = DurationScale.upperEdge(of: index) else { return .nanoseconds(Int64(low)) }
        return .nanoseconds(Int64(Double(low) + Double(high - low) * (rank - passed) / Double(count)))
      }
      passed += Double(count)
    }
    return nil
  }

  /// What was counted since `earlier`.
  package func since(_ earlier: Distribution) -> Distribution {
    Distribution(
      buckets: zip(buckets, earlier.buckets).map { $0 >= $1 ? $0 - $1 : $0 }, sum: max(sum - earlier.sum, .zero))
  }

  /// How many are within each of the rising edges, and at the end how many there are.
  func counts(upTo edges: [UInt64]) -> [UInt64] {
    var counts: [UInt64] = []
    var total: UInt64 = 0
    var next = 0
    for edge in edges {
      let end = DurationScale.bucket(of: edge) + 1
      while next < end {
        total += buckets[next]
        next += 1
      }
      counts.append(total)
    }
    return counts + [buckets[next...].reduce(total, +)]
  }
}

/// The edges that a histogram is exported with; inside, all count alike.
package enum HistogramBounds: Sendable {
  /// For what a person waits for: 1 ms to 5 s.
  case requests
  /// For what a program waits for: 10 µs to 10 s.
  case calls

  var nanoseconds: [UInt64] {
    switch self {
    case .requests: Self.edges(from: 1_000_000, to: 5_000_000_000)
    case .calls: Self.edges(from: 10_000, to: 10_000_000_000)
    }
  }

  private static func edges(from low: UInt64, to high: UInt64) -> [UInt64] {
    var edges: [UInt64] = []
    var power = low
    while power <= high {
      edges += [power, power / 2 * 5, power * 5].filter { $0 <= high }
      power *= 10
    }
    return edges
  }
}
