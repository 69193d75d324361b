package import Clocks

/// When to send a slow read a second time, to another endpoint: after what all but the slowest twentieth take, and
/// for no more than one call in fifty.
package struct HedgePolicy: Sendable {
  package struct Limits: Hashable, Sendable {
    /// Fewer calls than this do not make a 95th percentile.
    package var samplesMin = 100
    /// Below a millisecond the second request would race the first one's answer through the loop.
    package var delayMin: Duration = .milliseconds(1)
    package var budget = RetryBudget.Limits.hedge

    package init() {}
  }

  private let limits: Limits
  private var latencies = LatencyWindow()
  private var budget: RetryBudget

  package init(_ limits: Limits = Limits()) {
    self.limits = limits
    budget = RetryBudget(limits.budget)
  }

  /// How long to wait for the first answer before asking a second time; nil if not at all. Ask once for each call.
  package mutating func delay(isRepeatable: Bool, endpoints: Int, timeLeft: Duration, now: Instant) -> Duration? {
    budget.deposit(now: now)
    latencies.roll(to: now.nanoseconds)
    guard isRepeatable, endpoints >= 2, latencies.count >= limits.samplesMin, let p95 = latencies.p95 else {
      return nil
    }
    let delay = max(p95, limits.delayMin)
    // The second one needs about as long as the first was given.
    return delay + delay < timeLeft ? delay : nil
  }

  /// Asked when the delay is over and no answer is there; true takes from the budget.
  package mutating func mayHedge(now: Instant) -> Bool { budget.withdraw(now: now) }

  /// What an attempt took that was answered. A loser that was cancelled says nothing.
  package mutating func record(_ latency: Duration, now: Instant) { latencies.record(latency, now: now) }
}

/// Two attempts of one call: the first answer wins, the other is cancelled.
package struct HedgeRace: Hashable, Sendable {
  package enum Attempt: Sendable { case first, second }

  package enum Action: Hashable, Sendable {
    /// Take this answer; cancel the other attempt if there is one.
    case deliver(cancelling: Attempt?)
    /// The other attempt is still running.
    case wait
    /// Nobody is left: the call has failed with this attempt's error.
    case fail
    /// The race is over: an answer that came too late.
    case ignore
  }

  private var running: Set<Attempt> = [.first]
  package private(set) var isOver = false

  package init() {}

  /// Sends the second attempt off; false if the race is over or it is already running.
  package mutating func hedge() -> Bool { !isOver && running.insert(.second).inserted }

  package mutating func answered(_ attempt: Attempt) -> Action {
    guard !isOver, running.remove(attempt) != nil else { return .ignore }
    isOver = true
    return .deliver(cancelling: running.first)
  }

  package mutating func failed(_ attempt: Attempt) -> Action {
    guard !isOver, running.remove(attempt) != nil else { return .ignore }
    isOver = running.isEmpty
    return isOver ? .fail : .wait
  }
}
