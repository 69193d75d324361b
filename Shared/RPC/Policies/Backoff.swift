import Clocks

/// The wait before a repeat: a random share of a ceiling that doubles each time ("full jitter"), so that callers who
/// failed together do not come back together.
package struct Backoff: Hashable, Sendable {
  /// The ceiling of the first wait.
  package var first: Duration
  /// The ceiling that doubling stops at.
  package var cap: Duration

  package init(first: Duration, cap: Duration) {
    self.first = first
    self.cap = cap
  }

  /// 50 ms outlasts a hiccup of a loop; past 1 s a caller with a 10 s deadline would rather hear no.
  package static let retry = Backoff(first: .milliseconds(50), cap: .seconds(1))

  /// The longest wait before repeat number `repetition` (the first is 1).
  package func ceiling(repetition: Int) -> Duration {
    let doublings = max(1, repetition) - 1
    let start = first.saturatedNanoseconds
    let most = cap.saturatedNanoseconds
    guard doublings < 62, start <= most >> Int64(doublings) else { return cap }
    return .nanoseconds(start << Int64(doublings))
  }

  /// The same on top of what the other side asked for, or everyone it asked would return in the same instant.
  package func delay(
    repetition: Int, after pushback: Duration?, using random: inout some RandomNumberGenerator
  ) -> Duration {
    max(pushback ?? .zero, .zero) + delay(repetition: repetition, using: &random)
  }

  package func delay(repetition: Int, using random: inout some RandomNumberGenerator) -> Duration {
    .random(upTo: ceiling(repetition: repetition), using: &random)
  }
}
