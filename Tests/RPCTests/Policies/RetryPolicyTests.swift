import Clocks
import RPC
import Testing

@Suite("Retry policy")
struct RetryPolicyTests {
  let now = Instant(nanoseconds: 1_000_000_000)

  func decide(
    _ executed: RetryPolicy.Executed = .maybe, transient: Bool = true, retryAfter: Duration? = nil, attempt: Int = 1,
    repeatable: Bool = true, timeLeft: Duration = .seconds(10), outermost: Bool = true, seed: UInt64 = 1
  ) -> RetryPolicy.Decision {
    var budget = RetryBudget()
    var random = SeededRandom(seed: seed)
    return RetryPolicy().decide(
      .init(attempt: attempt, isRepeatable: repeatable, timeLeft: timeLeft, isOutermost: outermost),
      after: .init(executed: executed, isTransient: transient, retryAfter: retryAfter), budget: &budget, now: now,
      using: &random)
  }

  func isRetry(_ decision: RetryPolicy.Decision) -> Bool {
    if case .retry = decision { true } else { false }
  }

  @Test("what was not executed may be repeated, even if it is not repeatable")
  func notExecuted() {
    #expect(isRetry(decide(.no, repeatable: false)))
    #expect(isRetry(decide(.no, repeatable: true)))
  }

  @Test("what may have been executed is repeated only if that is harmless")
  func maybeExecuted() {
    #expect(decide(.maybe, repeatable: false) == .giveUp(.notRepeatable))
    #expect(isRetry(decide(.maybe, repeatable: true)))
  }

  @Test("what was executed is never repeated")
  func executed() {
    #expect(decide(.yes, repeatable: true) == .giveUp(.executed))
  }

  @Test("a permanent error is final, whatever was executed", arguments: RetryPolicy.Executed.allCases)
  func permanent(executed: RetryPolicy.Executed) {
    #expect(decide(executed, transient: false) == .giveUp(.permanent))
  }

  @Test("an inner hop leaves retrying to the hop where the call was born")
  func innerHop() {
    #expect(decide(.no, outermost: false) == .giveUp(.innerHop))
  }

  @Test("the third attempt is the last")
  func attempts() {
    #expect(isRetry(decide(attempt: 2)))
    #expect(decide(attempt: 3) == .giveUp(.attemptsSpent))
    #expect(decide(attempt: .max) == .giveUp(.attemptsSpent))
  }

  @Test("no wait runs into the deadline", arguments: 1...200)
  func deadline(seed: UInt64) {
    switch decide(attempt: 2, timeLeft: .milliseconds(60), seed: seed) {
    case .retry(let after): #expect(after + .milliseconds(5) < .milliseconds(60))
    case .giveUp(let reason): #expect(reason == .deadlineTooNear)
    }
    #expect(decide(timeLeft: .zero, seed: seed) == .giveUp(.deadlineTooNear))
    #expect(decide(timeLeft: .seconds(-1), seed: seed) == .giveUp(.deadlineTooNear))
  }

  @Test("the server's pushback is waited out, with jitter on top")
  func pushback() {
    var waits: Set<Duration> = []
    for seed in 1...20 {
      guard case .retry(let after) = decide(retryAfter: .seconds(2), seed: UInt64(seed)) else {
        Issue.record("gave up")
        continue
      }
      #expect(after >= .seconds(2) && after <= .milliseconds(2_050))
      waits.insert(after)
    }
    #expect(waits.count == 20)
    #expect(decide(retryAfter: .seconds(11)) == .giveUp(.deadlineTooNear))
    #expect(isRetry(decide(retryAfter: .seconds(-5))), "a nonsensical pushback counts as none")
  }

  private func time(
    _ left: Duration, attempt: Int = 1, repeatable: Bool = true, outermost: Bool = true,
    budget: RetryBudget = RetryBudget()
  ) -> Duration {
    var budget = budget
    return RetryPolicy().timeForAttempt(
      .init(attempt: attempt, isRepeatable: repeatable, timeLeft: left, isOutermost: outermost), budget: &budget,
      now: now)
  }

  @Test("an attempt that may be followed by another has half of what is left, the last one all")
  func timeForAttempt() {
    #expect(time(.seconds(10)) == .seconds(5))
    #expect(time(.seconds(5), attempt: 2) == .milliseconds(2_500))
    #expect(time(.seconds(2), attempt: 3) == .seconds(2))
  }

  @Test("an attempt that nothing can follow has all the time of its call")
  func undivided() {
    #expect(time(.seconds(10), repeatable: false) == .seconds(10))
    #expect(time(.seconds(10), outermost: false) == .seconds(10))
    #expect(time(.seconds(10), budget: RetryBudget(.init(share: 0, perSecondMin: 0))) == .seconds(10))
    #expect(time(.milliseconds(999)) == .milliseconds(999) && time(.seconds(1)) == .milliseconds(500))
    #expect(time(.zero) == .zero)
  }

  @Test("a refusal for any other reason leaves the budget alone")
  func budgetUntouched() {
    var budget = RetryBudget()
    var random = SeededRandom(seed: 1)
    let before = budget.available(now: now)
    for attempt in [1, 3] {
      for executed in RetryPolicy.Executed.allCases {
        let decision = RetryPolicy().decide(
          .init(attempt: attempt, isRepeatable: false, timeLeft: .milliseconds(1), isOutermost: true),
          after: .init(executed: executed), budget: &budget, now: now, using: &random)
        #expect(!isRetry(decision))
      }
    }
    #expect(budget.available(now: now) == before)
  }

  @Test("a spent budget ends retrying")
  func budgetSpent() {
    var budget = RetryBudget(.init(share: 0, perSecondMin: 0))
    var random = SeededRandom(seed: 1)
    let decision = RetryPolicy().decide(
      .init(attempt: 1, isRepeatable: true, timeLeft: .seconds(10), isOutermost: true),
      after: .init(executed: .no), budget: &budget, now: now, using: &random)
    #expect(decision == .giveUp(.budgetSpent))
  }
}

/// Calls that pass three hops to a backend which fails all of them for thirty seconds.
private struct RetryStorm {
  enum Rules { case ours, everyHopRetries, everyHopRetriesWithinBudget }

  static let hopCount = 3
  let rules: Rules
  var arrivals = [Int](repeating: 0, count: hopCount)
  private var budgets: [RetryBudget]
  private var random = SeededRandom(seed: 42)

  init(_ rules: Rules) {
    self.rules = rules
    budgets = (0..<Self.hopCount).map { _ in
      RetryBudget(rules == .everyHopRetries ? .init(share: 1_000, perSecondMin: 1_000_000) : .retry)
    }
  }

  /// Load at each hop over what the users asked for.
  mutating func amplification(callsPerSecond: Int) -> [Double] {
    let ticks = 30_000
    var due = [[Int]](repeating: [], count: ticks + 60_000)
    var asked = 0
    for tick in 0..<ticks {
      let now = Instant(nanoseconds: UInt64(tick + 1) * 1_000_000)
      asked += callsPerSecond / 1_000
      for _ in 0..<callsPerSecond / 1_000 { attempt(1, hop: 0, now: now) { due[tick + $0].append($1) } }
      for number in due[tick] { attempt(number, hop: 0, now: now) { due[tick + $0].append($1) } }
    }
    return arrivals.map { Double($0) / Double(asked) }
  }

  /// The outermost hop waits between attempts; inner hops repeat on the spot, which is kind to them: waiting would
  /// only move the load.
  private mutating func attempt(_ number: Int, hop: Int, now: Instant, later: (Int, Int) -> Void) {
    if number == 1 { budgets[hop].deposit(now: now) }
    arrivals[hop] += 1
    if hop + 1 < Self.hopCount {
      var inner = 1
      while true {
        var next: Int?
        attempt(inner, hop: hop + 1, now: now) { next = $1 }
        guard let again = next else { break }
        inner = again
      }
    }
    let decision = RetryPolicy().decide(
      .init(attempt: number, isRepeatable: true, timeLeft: .seconds(10), isOutermost: rules != .ours || hop == 0),
      after: .init(executed: .maybe), budget: &budgets[hop], now: now, using: &random)
    if case .retry(let after) = decision { later(Int(after.wholeMilliseconds) + 1, number + 1) }
  }
}

@Suite("Retry storm")
struct RetryStormTests {
  @Test("a backend that fails everything sees at most 1.2 times the load, at every hop", arguments: [1_000, 3_000])
  func bounded(rate: Int) {
    var storm = RetryStorm(.ours)
    let amplification = storm.amplification(callsPerSecond: rate)
    #expect(amplification.allSatisfy { $0 <= 1.2 }, "\(amplification)")
    #expect(amplification[0] > 1.15, "retries happen at all: \(amplification)")
  }

  @Test("control: without budget and with every hop retrying, the last hop sees more than twenty times the load")
  func control() {
    var storm = RetryStorm(.everyHopRetries)
    let amplification = storm.amplification(callsPerSecond: 1_000)
    #expect(amplification[2] > 20, "\(amplification)")
  }

  @Test("control: a budget at every hop still multiplies")
  func budgetsMultiply() {
    var storm = RetryStorm(.everyHopRetriesWithinBudget)
    let amplification = storm.amplification(callsPerSecond: 1_000)
    #expect(amplification[2] > 1.5, "\(amplification)")
  }
}
