package import Clocks

/// Whether a failed call is made again, and when.
///
/// The rule that matters: what may have been executed is repeated only if repeating is harmless. "Unavailable" alone
/// proves nothing; the server says whether it ran the call, and silence means maybe.
package struct RetryPolicy: Hashable, Sendable {
  /// All attempts of a call together, the first included.
  package var attemptsMax: Int
  package var backoff: Backoff
  /// An attempt with less than this to live could only fail: the margin that a hop keeps for itself.
  package var timeLeftMin: Duration
  /// What an attempt gets of the time that its call has left, if another endpoint can be asked after it. A share,
  /// because only the caller knows what is slow; half, so that the next one has as long.
  package var attemptShare: Double
  /// A call with less time than this is not divided: its parts would be about as long as an honest answer takes.
  package var dividedMin: Duration

  package init(
    attemptsMax: Int = 3, backoff: Backoff = .retry, timeLeftMin: Duration = .milliseconds(5),
    attemptShare: Double = 0.5, dividedMin: Duration = .seconds(1)
  ) {
    self.attemptsMax = attemptsMax
    self.backoff = backoff
    self.timeLeftMin = timeLeftMin
    self.attemptShare = attemptShare
    self.dividedMin = dividedMin
  }

  /// What is known about the work behind a failure.
  package enum Executed: UInt8, Sendable, CaseIterable {
    /// Never sent, shed, or refused by a draining server.
    case no
    /// The connection or the deadline ended before an answer came.
    case maybe
    /// A handler ran and said no.
    case yes
  }

  package struct Failure: Hashable, Sendable {
    package var executed: Executed
    /// Whether time may cure it. A bad argument, a missing right or an unknown method stays what it is.
    package var isTransient: Bool
    /// The server's request to stay away at least this long.
    package var retryAfter: Duration?

    package init(executed: Executed, isTransient: Bool = true, retryAfter: Duration? = nil) {
      self.executed = executed
      self.isTransient = isTransient
      self.retryAfter = retryAfter
    }
  }

  package struct Call: Hashable, Sendable {
    /// The attempt that failed; the first is 1.
    package var attempt: Int
    /// A read, an idempotent write, or a write that carries its idempotency key.
    package var isRepeatable: Bool
    package var timeLeft: Duration
    /// Only the hop where the call was born retries, so that hops do not multiply each other's attempts.
    package var isOutermost: Bool

    package init(attempt: Int, isRepeatable: Bool, timeLeft: Duration, isOutermost: Bool) {
      self.attempt = attempt
      self.isRepeatable = isRepeatable
      self.timeLeft = timeLeft
      self.isOutermost = isOutermost
    }
  }

  package enum Decision: Hashable, Sendable {
    case retry(after: Duration)
    case giveUp(Reason)
  }

  package enum Reason: String, Sendable, CaseIterable {
    case permanent = "trying again would not help"
    case executed = "the call was executed"
    case notRepeatable = "the call may have been executed and must not be repeated without an idempotency key"
    case innerHop = "only the hop where the call was born retries"
    case attemptsSpent = "all attempts are spent"
    case deadlineTooNear = "too little time is left for another attempt"
    case budgetSpent = "the retry budget is spent"
  }

  /// How long an attempt may take where another endpoint could be asked after it: all that is left, if nobody would be.
  package func timeForAttempt(_ call: Call, budget: inout RetryBudget, now: Instant) -> Duration {
    guard call.isRepeatable, call.isOutermost, call.attempt < attemptsMax, call.timeLeft >= dividedMin,
      budget.available(now: now) > 0
    else { return call.timeLeft }
    return call.timeLeft * attemptShare
  }

  /// Decides, and takes from the budget only if the answer is to retry.
  package func decide(
    _ call: Call, after failure: Failure, budget: inout RetryBudget, now: Instant,
    using random: inout some RandomNumberGenerator
  ) -> Decision {
    guard failure.isTransient else { return .giveUp(.permanent) }
    guard failure.executed != .yes else { return .giveUp(.executed) }
    guard failure.executed == .no || call.isRepeatable else { return .giveUp(.notRepeatable) }
    guard call.isOutermost else { return .giveUp(.innerHop) }
    guard call.attempt < attemptsMax else { return .giveUp(.attemptsSpent) }
    let delay = backoff.delay(repetition: call.attempt, after: failure.retryAfter, using: &random)
    guard delay + timeLeftMin < call.timeLeft else { return .giveUp(.deadlineTooNear) }
    guard budget.withdraw(now: now) else { return .giveUp(.budgetSpent) }
    return .retry(after: delay)
  }
}
