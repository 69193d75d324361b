package import Clocks

/// What the middle and the slowest calls of the last seconds took, in fixed memory.
///
/// Two histograms take turns, so that answers rest on five to ten seconds. The quantiles are computed every 64 calls
/// and when the histograms change over, not for every question.
package struct LatencyWindow: Sendable {
  private static let turnNanoseconds: UInt64 = 5_000_000_000
  private static let refreshEvery = 64

  private var current = LogHistogram()
  private var previous = LogHistogram()
  private var turnStart: UInt64 = 0
  private var sinceRefresh = 0

  /// Half of the calls took no longer. Nil until there are any.
  package private(set) var p50: Duration?
  /// One in twenty took longer.
  package private(set) var p95: Duration?

  package init() {}

  /// Calls that the quantiles rest on.
  package var count: Int { current.count + previous.count }

  package mutating func record(_ latency: Duration, now: Instant) {
    roll(to: now.nanoseconds)
    current.record(UInt64(max(0, latency.saturatedNanoseconds)) / 1_000)
    sinceRefresh += 1
    if sinceRefresh >= Self.refreshEvery || count <= Self.refreshEvery { refresh() }
  }

  /// Forgets what is too old to count. Nothing else does while no calls are made.
  package mutating func roll(to nanoseconds: UInt64) {
    let turns = (nanoseconds - min(turnStart, nanoseconds)) / Self.turnNanoseconds
    guard turns > 0 else { return }
    previous = turns == 1 ? current : LogHistogram()
    current = LogHistogram()
    turnStart += turns * Self.turnNanoseconds
    refresh()
  }

  private mutating func refresh() {
    sinceRefresh = 0
    p50 = current.quantile(0.5, with: previous).map { .microseconds(Int64($0)) }
    p95 = current.quantile(0.95, with: previous).map { .microseconds(Int64($0)) }
  }
}
