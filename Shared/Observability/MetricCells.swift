import Clocks
import Synchronization

/// A count that only grows. Adding is one atomic instruction, from any thread.
package struct Counter: Sendable {
  let cell: IntegerCell

  package func add(_ count: Int = 1) {
    precondition(count >= 0, "a counter only grows; a gauge can fall")
    cell.value.wrappingAdd(count, ordering: .relaxed)
  }

  package var value: Int { cell.value.load(ordering: .relaxed) }
}

/// Time that has been spent in all, told in seconds.
package struct TimeCounter: Sendable {
  let cell: IntegerCell

  package func add(_ duration: Duration) {
    cell.value.wrappingAdd(max(Int(duration.saturatedNanoseconds), 0), ordering: .relaxed)
  }
}

/// A value that goes up and down.
package struct Gauge: Sendable {
  let cell: FractionCell

  package func set(_ value: Double) { cell.bits.store(value.bitPattern, ordering: .relaxed) }

  package func set(_ value: Int) { set(Double(value)) }

  package func add(_ step: Int) { add(Double(step)) }

  package func add(_ step: Double) {
    var old = cell.bits.load(ordering: .relaxed)
    while true {
      let new = (Double(bitPattern: old) + step).bitPattern
      let (exchanged, original) = cell.bits.compareExchange(expected: old, desired: new, ordering: .relaxed)
      if exchanged { return }
      old = original
    }
  }

  package var value: Double { Double(bitPattern: cell.bits.load(ordering: .relaxed)) }
}

/// How durations are distributed. Recording is two atomic additions and allocates nothing.
package struct Histogram: Sendable {
  let cell: DistributionCell

  package func record(_ duration: Duration) {
    let nanoseconds = UInt64(max(duration.saturatedNanoseconds, 0))
    cell.buckets[DurationScale.bucket(of: nanoseconds)].wrappingAdd(1, ordering: .relaxed)
    cell.sum.wrappingAdd(nanoseconds, ordering: .relaxed)
  }

  package var distribution: Distribution { cell.distribution }
}

final class IntegerCell: Sendable {
  let value = Atomic<Int>(0)
}

final class FractionCell: Sendable {
  let bits = Atomic<UInt64>(0)
}

// Safety: `buckets` never changes after init and its elements are atomic; it is freed when nobody can reach it.
final class DistributionCell: @unchecked Sendable {
  let buckets: UnsafeMutableBufferPointer<Atomic<UInt64>>
  let sum = Atomic<UInt64>(0)

  init() {
    buckets = .allocate(capacity: DurationScale.bucketCount)
    for index in buckets.indices { buckets.initializeElement(at: index, to: Atomic(0)) }
  }

  deinit {
    buckets.deinitialize()
    buckets.deallocate()
  }

  var distribution: Distribution {
    Distribution(
      buckets: buckets.indices.map { buckets[$0].load(ordering: .relaxed) },
      sum: .nanoseconds(Int64(clamping: sum.load(ordering: .relaxed))))
  }
}
