import Clocks
import RPC
import Testing

@Suite("Latency window")
struct LatencyWindowTests {
  let start = Instant(nanoseconds: 1_000_000_000_000)

  @Test("knows the middle and the slow end of recent calls within a sixteenth")
  func quantiles() throws {
    var window = LatencyWindow()
    #expect(window.p50 == nil && window.p95 == nil)
    var random = SeededRandom(seed: 1)
    for microseconds in (1...10_000).shuffled(using: &random) {
      window.record(.microseconds(microseconds), now: start)
    }
    let p50 = try #require(window.p50).inSeconds
    let p95 = try #require(window.p95).inSeconds
    #expect((0.0047...0.0053).contains(p50), "\(p50)")
    #expect((0.0089...0.0101).contains(p95), "\(p95)")
  }

  @Test("forgets what is older than ten seconds")
  func forgets() throws {
    var window = LatencyWindow()
    for _ in 0..<1_000 { window.record(.seconds(1), now: start) }
    for _ in 0..<100 { window.record(.milliseconds(1), now: start + .seconds(6)) }
    #expect(try #require(window.p50) > .milliseconds(500), "both halves count")
    for _ in 0..<100 { window.record(.milliseconds(1), now: start + .seconds(11)) }
    #expect(try #require(window.p50) < .milliseconds(2))
    window.roll(to: (start + .seconds(60)).nanoseconds)
    #expect(window.p50 == nil && window.count == 0)
  }

  @Test("a latency below zero or beyond all measure does no harm")
  func extremes() {
    var window = LatencyWindow()
    window.record(.seconds(-1), now: start)
    window.record(.seconds(Int64.max), now: start)
    #expect(window.count == 2)
  }
}

@Suite("Hedge policy")
struct HedgePolicyTests {
  let start = Instant(nanoseconds: 1_000_000_000_000)

  /// A policy that has seen `calls` calls: nineteen of 10 ms to one of 200 ms.
  func experienced(calls: Int = 1_000) -> HedgePolicy {
    var policy = HedgePolicy()
    for call in 0..<calls { policy.record(call % 20 == 0 ? .milliseconds(200) : .milliseconds(10), now: start) }
    return policy
  }

  func delay(
    _ policy: inout HedgePolicy, repeatable: Bool = true, endpoints: Int = 2, timeLeft: Duration = .seconds(10)
  ) -> Duration? {
    policy.delay(isRepeatable: repeatable, endpoints: endpoints, timeLeft: timeLeft, now: start)
  }

  @Test("waits for as long as all but the slowest twentieth take")
  func delays() throws {
    var policy = experienced()
    let delay = try need(delay(&policy))
    #expect(delay >= .milliseconds(9) && delay <= .milliseconds(11))
  }

  @Test("no second request for a write, to a single endpoint, too near the deadline or without experience")
  func refuses() {
    var policy = experienced()
    #expect(delay(&policy, repeatable: false) == nil)
    #expect(delay(&policy, endpoints: 1) == nil)
    #expect(delay(&policy, timeLeft: .milliseconds(15)) == nil)
    #expect(delay(&policy, timeLeft: .seconds(-1)) == nil)
    var young = experienced(calls: 99)
    #expect(delay(&young) == nil)
    #expect(delay(&policy) != nil)
  }

  @Test("the fastest service is given a millisecond")
  func least() {
    var policy = HedgePolicy()
    for _ in 0..<200 { policy.record(.microseconds(30), now: start) }
    #expect(delay(&policy) == .milliseconds(1))
  }

  @Test("the extra load stays within one call in fifty, even if all are slow")
  func budget() {
    var policy = experienced()
    var hedges = 0
    for call in 0..<5_000 {
      let now = start + .milliseconds(call)
      _ = policy.delay(isRepeatable: true, endpoints: 2, timeLeft: .seconds(10), now: now)
      if policy.mayHedge(now: now) { hedges += 1 }
    }
    #expect(hedges == 100)
  }
}

@Suite("Hedge race")
struct HedgeRaceTests {
  @Test("without a second attempt it is an ordinary call")
  func single() {
    var race = HedgeRace()
    #expect(race.answered(.first) == .deliver(cancelling: nil))
    var failing = HedgeRace()
    #expect(failing.failed(.first) == .fail)
  }

  @Test("the first answer wins and the other attempt is cancelled", arguments: [HedgeRace.Attempt.first, .second])
  func wins(winner: HedgeRace.Attempt) {
    let loser: HedgeRace.Attempt = winner == .first ? .second : .first
    var race = HedgeRace()
    #expect(race.hedge() == true)
    #expect(race.hedge() == false)
    #expect(race.answered(winner) == .deliver(cancelling: loser))
    #expect(race.answered(loser) == .ignore)
    #expect(race.failed(loser) == .ignore)
  }

  @Test("one failure waits for the other attempt; two are a failure")
  func failures() {
    var race = HedgeRace()
    _ = race.hedge()
    #expect(race.failed(.first) == .wait)
    #expect(race.answered(.second) == .deliver(cancelling: nil))
    var lost = HedgeRace()
    _ = lost.hedge()
    #expect(lost.failed(.second) == .wait)
    #expect(lost.failed(.first) == .fail)
  }

  @Test("nothing can be hedged that is over, and no attempt answers that was never sent")
  func over() {
    var race = HedgeRace()
    #expect(race.answered(.second) == .ignore)
    _ = race.answered(.first)
    #expect(race.hedge() == false)
  }
}
