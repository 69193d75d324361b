import Clocks
import RPC
import Testing

@Suite("Retry budget")
struct RetryBudgetTests {
  let start = Instant(nanoseconds: 5_000_000_000)

  @Test("allows a fifth of the calls of the last ten seconds")
  func share() {
    var budget = RetryBudget()
    for call in 0..<2_000 { budget.deposit(now: start + .milliseconds(call * 5)) }
    let end = start + .milliseconds(9_999)
    #expect(budget.available(now: end) == 400)
    for _ in 0..<400 { #expect(budget.withdraw(now: end) == true) }
    #expect(budget.withdraw(now: end) == false)
  }

  @Test("a quiet client has ten a second over the window")
  func floor() {
    var budget = RetryBudget()
    budget.deposit(now: start)
    for _ in 0..<100 { #expect(budget.withdraw(now: start) == true) }
    #expect(budget.withdraw(now: start) == false)
    #expect(budget.withdraw(now: start + .milliseconds(9_000)) == false)
    #expect(budget.withdraw(now: start + .seconds(10)) == true, "what was spent is forgotten after ten seconds")
  }

  @Test("calls older than ten seconds allow nothing")
  func expiry() {
    var budget = RetryBudget(.init(share: 0.2, perSecondMin: 0))
    for _ in 0..<100 { budget.deposit(now: start) }
    #expect(budget.available(now: start + .seconds(9)) == 20)
    #expect(budget.available(now: start + .seconds(10)) == 0)
    #expect(budget.available(now: .distantFuture) == 0)
  }

  @Test("agrees with a list of events at every step of a random history", arguments: 1...5)
  func model(seed: UInt64) {
    var random = SeededRandom(seed: seed)
    var budget = RetryBudget(.init(share: 0.2, perSecondMin: 1))
    var calls: [UInt64] = []
    var extras: [UInt64] = []
    var now = start
    for _ in 0..<5_000 {
      let rare = Int.random(in: 0...99, using: &random) == 0
      now = now + .milliseconds(Int.random(in: 0...(rare ? 15_000 : 40), using: &random))
      let second = now.nanoseconds / 1_000_000_000
      if Bool.random(using: &random) {
        budget.deposit(now: now)
        calls.append(second)
      } else {
        let recentCalls = calls.count { $0 + 10 > second }
        let recentExtras = extras.count { $0 + 10 > second }
        let allowed = recentExtras < max(recentCalls / 5, 10)
        #expect(budget.withdraw(now: now) == allowed, "seed \(seed)")
        if allowed { extras.append(second) }
      }
    }
  }
}
