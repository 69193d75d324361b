/// How long a service that has ended rests before it is started again.
nonisolated package struct RestartPolicy: Sendable {
  package struct Limits: Sendable {
    /// The second failure in a row. The first one is followed by a start at once: most are accidents.
    package var first: Duration = .milliseconds(200)
    /// Often enough to come back soon when the cause goes, rarely enough to leave the machine to others.
    package var longest: Duration = .seconds(10)
    /// Who lived this long had no failure in a row.
    package var steady: Duration = .seconds(30)
    /// A service that has never been ready and ends this often will not be.
    package var attemptsBeforeReady = 3

    package init() {}
  }

  package let limits: Limits
  private var failures = 0

  package init(limits: Limits = Limits()) { self.limits = limits }

  /// The rest after a life of `duration`.
  package mutating func rest(afterLivingFor duration: Duration) -> Duration {
    if duration >= limits.steady { failures = 0 }
    defer { failures += 1 }
    guard failures > 0 else { return .zero }
    // Doubling more often than this is beyond any bound, and would overflow.
    let doublings = min(failures - 1, 20)
    return min(limits.first * (1 << doublings), limits.longest)
  }
}
