/// A point on the monotonic clock of one process: nanoseconds since an arbitrary start.
///
/// Two processes' instants do not compare; what crosses the wire is a `Duration` that is left.
package struct Instant: Hashable, Comparable, Sendable {
  package var nanoseconds: UInt64

  package init(nanoseconds: UInt64) { self.nanoseconds = nanoseconds }

  package static let distantFuture = Instant(nanoseconds: .max)

  package static func < (left: Instant, right: Instant) -> Bool { left.nanoseconds < right.nanoseconds }

  /// Saturates at both ends, so that a deadline computed from a hostile number is never in the past by overflow.
  package static func + (left: Instant, right: Duration) -> Instant {
    let step = right.saturatedNanoseconds
    if step >= 0 {
      let (sum, overflow) = left.nanoseconds.addingReportingOverflow(UInt64(step))
      return Instant(nanoseconds: overflow ? .max : sum)
    }
    let (difference, overflow) = left.nanoseconds.subtractingReportingOverflow(step.magnitude)
    return Instant(nanoseconds: overflow ? 0 : difference)
  }

  package static func - (left: Instant, right: Duration) -> Instant { left + (.zero - right) }

  package static func - (left: Instant, right: Instant) -> Duration {
    left >= right
      ? .nanoseconds(Int64(clamping: left.nanoseconds - right.nanoseconds))
      : .zero - .nanoseconds(Int64(clamping: right.nanoseconds - left.nanoseconds))
  }
}

extension Duration {
  /// Whole nanoseconds, held to the range of `Int64` (292 years).
  package var saturatedNanoseconds: Int64 {
    let (seconds, attoseconds) = components
    let (whole, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
    if overflow { return seconds < 0 ? .min : .max }
    let (sum, carry) = whole.addingReportingOverflow(attoseconds / 1_000_000_000)
    return carry ? (seconds < 0 ? .min : .max) : sum
  }

  /// Whole milliseconds, rounded down and held to the range of `Int64`.
  package var wholeMilliseconds: Int64 {
    let (seconds, attoseconds) = components
    let (whole, overflow) = seconds.multipliedReportingOverflow(by: 1_000)
    if overflow { return seconds < 0 ? .min : .max }
    let (sum, carry) = whole.addingReportingOverflow(attoseconds / 1_000_000_000_000_000)
    return carry ? (seconds < 0 ? .min : .max) : sum
  }

  package var inSeconds: Double {
    let (seconds, attoseconds) = components
    return Double(seconds) + Double(attoseconds) * 1e-18
  }
}
