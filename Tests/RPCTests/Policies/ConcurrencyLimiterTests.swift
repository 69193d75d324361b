import Clocks
import RPC
import Testing

@Suite("Concurrency limiter")
struct ConcurrencyLimiterTests {
  let start = Instant(nanoseconds: 1_000_000_000)
  let limits = ConcurrencyLimiter.Limits(cores: 2)

  @Test("the floor is four, or two a core")
  func floors() {
    #expect(ConcurrencyLimiter.Limits(cores: 1).floor == 4)
    #expect(ConcurrencyLimiter.Limits(cores: 2).floor == 4)
    #expect(ConcurrencyLimiter.Limits(cores: 16).floor == 32)
    #expect(ConcurrencyLimiter.Limits(cores: 400).ceiling == 800)
  }

  @Test("lets in as many as the limit says, and one more for each that ends")
  func counts() throws {
    var limiter = ConcurrencyLimiter(limits, now: start)
    var tickets: [ConcurrencyLimiter.Ticket] = []
    while let ticket = limiter.start(now: start) { tickets.append(ticket) }
    #expect(tickets.count == 64)
    #expect(limiter.start(now: start) == nil)
    limiter.finish(try need(tickets.popLast()), now: start)
    #expect(limiter.hasRoom)
    #expect(limiter.start(now: start) != nil)
    #expect(limiter.inFlight == 64)
  }

  /// Keeps `concurrency` calls running for `seconds`; each takes what `latency` says, in seconds.
  func keepBusy(
    _ limiter: inout ConcurrencyLimiter, from begin: Instant, seconds: Double, concurrency: Int, seed: UInt64 = 1,
    latency: (Int, inout SeededRandom) -> Double, each: (Int) -> Void = { _ in }
  ) -> Instant {
    var random = SeededRandom(seed: seed)
    var running = Heap()
    var tickets: [ConcurrencyLimiter.Ticket] = []
    var now = begin
    let end = begin + .seconds(seconds)
    while now < end {
      while limiter.inFlight < concurrency, let ticket = limiter.start(now: now) {
        tickets.append(ticket)
        let takes = latency(limiter.inFlight, &random)
        running.push((Double(now.nanoseconds) + takes * 1e9, tickets.count - 1))
      }
      guard let next = running.pop() else { break }
      now = max(now, Instant(nanoseconds: UInt64(next.key)))
      limiter.finish(tickets[next.id], now: now)
      each(limiter.limit)
    }
    while let next = running.pop() { limiter.finish(tickets[next.id], now: now) }
    return now
  }

  @Test("the noise of a 25 us handler never costs a place", arguments: 1...2)
  func fastHandlers(seed: UInt64) {
    var limiter = ConcurrencyLimiter(limits, now: start)
    var least = Int.max
    _ = keepBusy(&limiter, from: start, seconds: 0.4, concurrency: 40, seed: seed) { _, random in
      // Mostly 25 us, often ten times that, now and then a stall of 20 ms.
      let dice = Int.random(in: 0..<1_000, using: &random)
      return dice == 0 ? 0.02 : dice < 300 ? 250e-6 : Double.random(in: 10e-6...40e-6, using: &random)
    } each: {
      least = min(least, $0)
    }
    #expect(least == 64, "seed \(seed)")
  }

  @Test("grows to the ceiling while more calls do not make them slower")
  func grows() {
    var limiter = ConcurrencyLimiter(limits, now: start)
    let now = keepBusy(&limiter, from: start, seconds: 1, concurrency: 2) { _, _ in 0.05 }
    #expect(limiter.limit == 64, "a limit that is not reached does not move")
    _ = keepBusy(&limiter, from: now, seconds: 12, concurrency: 600) { _, _ in 0.05 }
    #expect(limiter.limit == 512)
  }

  @Test("falls to what the core can do when calls slow each other down, and grows back when they stop")
  func shrinksAndRecovers() {
    var limiter = ConcurrencyLimiter(limits, now: start)
    var now = keepBusy(&limiter, from: start, seconds: 1, concurrency: 1) { _, _ in 0.02 }
    now = keepBusy(&limiter, from: now, seconds: 10, concurrency: 400) { count, _ in 0.02 * Double(count) }
    #expect((4...12).contains(limiter.limit), "\(limiter.limit)")
    now = keepBusy(&limiter, from: now, seconds: 10, concurrency: 400) { _, _ in 0.02 }
    #expect(limiter.limit >= 200, "\(limiter.limit)")
  }

  @Test("stays between floor and ceiling whatever the calls do", arguments: 1...10)
  func bounds(seed: UInt64) {
    var limiter = ConcurrencyLimiter(limits, kinds: 1, now: start)
    var random = SeededRandom(seed: seed)
    var now = start
    var range = 64...64
    for _ in 0..<6 {
      let concurrency = Int.random(in: 1...700, using: &random)
      let scale = 0.001 * Double(1 << Int.random(in: 0...8, using: &random))
      now = keepBusy(&limiter, from: now, seconds: 0.5, concurrency: concurrency, seed: random.next()) {
        count, random in
        scale * Double.random(in: 0.1...3, using: &random) * (count % 7 == 0 ? Double(count) : 1)
      } each: {
        range = min(range.lowerBound, $0)...max(range.upperBound, $0)
      }
    }
    #expect((4...512).contains(range.lowerBound) && (4...512).contains(range.upperBound), "seed \(seed): \(range)")
  }

  @Test("a call that does not count neither teaches nor cuts")
  func uncounted() throws {
    var limiter = ConcurrencyLimiter(limits, now: start)
    var now = start
    for _ in 0..<1_000 {
      let ticket = try need(limiter.start(now: now))
      now = now + .milliseconds(1)
      limiter.finish(ticket, counts: false, now: now)
    }
    #expect(limiter.limit == 64)
  }
}

@Suite("Concurrency limiter in front of an upstream")
struct SlowUpstreamTests {
  typealias Work = OverloadSimulation.Work

  func answered(_ bins: ArraySlice<OverloadSimulation.Outcome>) -> Double {
    Double(bins.reduce(0) { $0 + $1.good }) / Double(bins.reduce(0) { $0 + $1.arrived })
  }

  @Test(
    "an upstream that becomes ten times slower is served again in full within two seconds, known unloaded or not",
    arguments: [true, false])
  func becomesSlower(isLearned: Bool) {
    var simulation = OverloadSimulation(limits: .init(cores: 1), seed: 21)
    let bins = simulation.run([
      .init(seconds: 1, callsPerSecond: isLearned ? 100 : 2_000, work: [Work(upstream: 0.01)]),
      .init(seconds: 2, callsPerSecond: 2_000, work: [Work(upstream: 0.01)]),
      .init(seconds: 6, callsPerSecond: 2_000, work: [Work(upstream: 0.1)]),
    ])
    #expect(answered(bins[2..<6]) > 0.99)
    #expect(answered(bins[10..<18]) > 0.99, "\(bins[6..<18].map { ($0.good, $0.limitMin) })")
  }

  @Test("a change from fast to slow kinds of call is not overload")
  func kinds() {
    let fast = Work(kind: 0, upstream: 0.0002)
    let slow = Work(kind: 1, upstream: 0.1)
    func run(kinds: Int) -> [OverloadSimulation.Outcome] {
      var simulation = OverloadSimulation(limits: .init(cores: 1), kinds: kinds, seed: 22)
      func mix(_ share: Double) -> [Work] {
        var (fast, slow) = (fast, slow)
        if kinds == 1 { slow.kind = 0 }
        fast.weight = 1 - share
        slow.weight = share
        return [fast, slow]
      }
      return simulation.run([
        .init(seconds: 2, callsPerSecond: 500, work: mix(0.02)),
        .init(seconds: 4, callsPerSecond: 1_500, work: mix(0.6)),
      ])
    }
    let bins = run(kinds: 2)
    #expect(bins.dropLast().map(\.limitMin).min() == 64, "no cut")
    #expect(answered(bins[4..<12]) > 0.97, "\(answered(bins[4..<12]))")
    #expect(run(kinds: 1).dropLast().map(\.limitMin).min() ?? 0 < 64, "control: one baseline for both is cut")
  }
}
