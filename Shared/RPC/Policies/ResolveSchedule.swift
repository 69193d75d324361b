package import Clocks

/// When to ask the resolver again: every five seconds, and soon after a connection is lost.
///
/// Asking only after a failure is why clients elsewhere never find the instances that were added; asking at every
/// failure would turn a crash into a storm at the name server.
package struct ResolveSchedule: Hashable, Sendable {
  package struct Limits: Hashable, Sendable {
    package var interval: Duration = .seconds(5)
    /// Share of the interval by which clients that started together drift apart.
    package var jitter = 0.1
    /// The shortest time between two questions.
    package var intervalMin: Duration = .seconds(1)

    package init() {}
  }

  private let limits: Limits
  private var lastAsked: Instant?
  /// When to ask next.
  package private(set) var due: Instant

  package init(_ limits: Limits = Limits(), now: Instant) {
    self.limits = limits
    due = now
  }

  /// The question was put.
  package mutating func asked(now: Instant, using random: inout some RandomNumberGenerator) {
    lastAsked = now
    let interval = limits.interval.saturatedNanoseconds
    let spread = Int64(Double(interval) * limits.jitter)
    due = now + .nanoseconds(interval + Int64.random(in: -spread...spread, using: &random))
  }

  /// A connection was lost: the set may have changed.
  package mutating func disconnected(now: Instant) {
    let soonest = lastAsked.map { max(now, $0 + limits.intervalMin) } ?? now
    due = min(due, soonest)
  }
}
