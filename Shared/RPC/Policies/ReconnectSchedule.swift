package import Clocks

/// When to connect to an endpoint again.
///
/// If a call is waiting and nobody else can take it: at once, then with growing pauses. If not, there is no hurry, and
/// the first attempt comes somewhere within six seconds, so that a thousand clients of a server that restarted do not
/// greet it in the same instant. A peer on this machine has few clients, and is met within a second for as long as its
/// restart may take.
package struct ReconnectSchedule: Hashable, Sendable {
  package struct Limits: Hashable, Sendable {
    /// Where the first attempt falls when nobody waits for it.
    package var spread: Duration = .seconds(6)
    /// Pauses after failures: a server that restarts is back within a second, a dead one is asked every ten.
    package var backoff = Backoff(first: .milliseconds(100), cap: .seconds(10))
    /// So long after it was lost a peer is expected back: no pause is longer than `expectedPauseMax`.
    package var expected: Duration = .zero
    package var expectedPauseMax: Duration = .seconds(1)
    /// The least that a failed attempt is followed by.
    package var pauseMin: Duration = .milliseconds(20)

    package init() {}

    /// Of a peer on this machine: an attempt in vain takes some 50 us there, and ten minutes are more than a build, an
    /// upgrade or a backup that is put back takes.
    package static let onThisMachine: Limits = {
      var limits = Limits()
      limits.spread = .seconds(1)
      limits.expected = .seconds(600)
      return limits
    }()
  }

  private let limits: Limits
  private var failures = 0
  /// Since when it is not there, or not known to be.
  private var lostAt: Instant
  /// When to try; nil while connected.
  package private(set) var due: Instant?

  /// A new endpoint is tried at once.
  package init(_ limits: Limits = Limits(), now: Instant) {
    self.limits = limits
    lostAt = now
    due = now
  }

  package mutating func connected() {
    failures = 0
    due = nil
  }

  /// The connection was lost.
  package mutating func disconnected(isWanted: Bool, now: Instant, using random: inout some RandomNumberGenerator) {
    failures = 0
    lostAt = now
    due = isWanted ? now : now + .random(upTo: limits.spread, using: &random)
  }

  /// An attempt failed.
  package mutating func failed(now: Instant, using random: inout some RandomNumberGenerator) {
    failures += 1
    var backoff = limits.backoff
    if now - lostAt < limits.expected { backoff.cap = min(backoff.cap, limits.expectedPauseMax) }
    due = now + max(limits.pauseMin, backoff.delay(repetition: failures, using: &random))
  }

  /// A call came that nobody else can take: no need to wait, unless the endpoint was just tried in vain.
  package mutating func wanted(now: Instant) {
    if failures == 0, let due { self.due = min(due, now) }
  }
}
