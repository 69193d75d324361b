/// Counts of whole numbers in buckets an eighth of an octave wide: quantiles within 6 %, in fixed memory.
package struct LogHistogram: Sendable {
  /// Values from here on share the last bucket: 67 s when the unit is a microsecond.
  package static let valueMax: UInt64 = 1 << 26

  /// Eight buckets for 0 to 7, then eight for each power of two.
  private var buckets = InlineArray<192, UInt32>(repeating: 0)
  package private(set) var count = 0

  package init() {}

  package mutating func record(_ value: UInt64) {
    buckets[Self.bucket(of: min(value, Self.valueMax - 1))] &+= 1
    count += 1
  }

  /// The value that a share of all recorded ones does not exceed, over two histograms as if they were one; nil if
  /// nothing was recorded.
  package func quantile(_ share: Double, with other: LogHistogram = LogHistogram()) -> UInt64? {
    let total = count + other.count
    guard total > 0 else { return nil }
    var left = max(1, Int((Double(total) * share).rounded(.up)))
    for index in buckets.indices {
      left -= Int(buckets[index]) + Int(other.buckets[index])
      if left <= 0 { return Self.middle(of: index) }
    }
    return Self.valueMax
  }

  private static func bucket(of value: UInt64) -> Int {
    guard value >= 8 else { return Int(value) }
    let octave = 63 - value.leadingZeroBitCount
    return (octave - 2) * 8 + Int((value >> UInt64(octave - 3)) & 7)
  }

  private static func middle(of bucket: Int) -> UInt64 {
    guard bucket >= 8 else { return UInt64(bucket) }
    let octave = UInt64(bucket / 8 + 2)
    let width: UInt64 = 1 << (octave - 3)
    return (8 + UInt64(bucket % 8)) * width + width / 2
  }
}
