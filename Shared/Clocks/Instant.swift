/// A point on the monotonic clock of one process: nanoseconds since an arbitrary start.
///
/// Two processes' instants do not compare; what crosses the wire is a `Duration` that is left.
package struct Instant: Hashable, Comparable, Sendable {
  package var nanoseconds: UInt64

  package init(nanoseconds: UInt64) { self.nanoseconds = nanoseconds }

  package static let distantFuture = Instant(nanoseconds: .max)

  package static func < (left: Instant, right: Instant) -> Bool { left.nanoseconds < right.nanoseconds }
  // The defaults of `Comparable` are generic: instants are compared several times in every call.
  package static func <= (left: Instant, right: Instant) -> Bool { left.nanoseconds <= right.nanoseconds }
  package static func > (left: Instant, right: Instant) -> Bool { left.nanoseconds > right.nanoseconds }
  package static func >= (left: Instant, right: Instant) -> Bool { left.nanoseconds >= right.nanoseconds }

  package func after(milliseconds: UInt32) -> Instant {
    let (sum, overflow) = nanoseconds.addingReportingOverflow(UInt64(milliseconds) * 1_000_000)
    return Instant(nanoseconds: overflow ? .max : sum)
  }

  /// Whole milliseconds until `later`, rounded down; zero if that is past. A `Duration` would count in attoseconds.
  package func milliseconds(until later: Instant) -> UInt64 {
    later > self ? (later.nanoseconds - nanoseconds) / 1_000_000 : 0
  }

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
    let (later, earlier) = (max(left, right), min(left, right))
    let distance = Int64(clamping: later.nanoseconds - earlier.nanoseconds)
    return Duration(attoseconds: Int128(left > right ? distance : -distance) * 1_000_000_000)
  }
}

extension Duration {
  /// Whole nanoseconds, held to the range of `Int64` (292 years).
  package var saturatedNanoseconds: Int64 {
    // 18 s fit in 64 bits, which divide in a few cycles; 128 take a hundred.
    if let few = UInt64(exactly: attoseconds) { return Int64(few / 1_000_000_000) }
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
