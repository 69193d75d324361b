import Clocks
import RPC
import Testing

@Suite("Balancer")
struct BalancerTests {
  let start = Instant(nanoseconds: 1_000_000_000_000)

  /// A balancer whose endpoints are all connected and warm.
  func warm(_ addresses: [String]) -> (balancer: Balancer<String>, ids: [String: Balancer<String>.ID]) {
    var balancer = Balancer<String>()
    var ids: [String: Balancer<String>.ID] = [:]
    for one in balancer.update(to: addresses, now: start - .seconds(60)).added {
      ids[one.address] = one.id
      balancer.setConnected(one.id, true, now: start - .seconds(60))
    }
    return (balancer, ids)
  }

  @Test("without addresses there is nobody to call")
  func empty() {
    var balancer = Balancer<String>()
    var random = SeededRandom(seed: 1)
    #expect(balancer.pick(now: start, using: &random) == nil)
    #expect(balancer.update(to: [], now: start).added.isEmpty)
    #expect(balancer.pick(now: start, using: &random) == nil)
  }

  @Test("the last good set stays when resolving fails or finds nothing")
  func keepsLastGood() {
    var (balancer, _) = warm(["a", "b"])
    #expect(balancer.update(to: nil, now: start).removed.isEmpty)
    #expect(balancer.update(to: [], now: start).removed.isEmpty)
    #expect(balancer.addresses == ["a", "b"])
    #expect(balancer.usableCount == 2)
  }

  @Test("an update says what came and what went, once, and forgets doubles")
  func changes() {
    var (balancer, ids) = warm(["a", "b"])
    let change = balancer.update(to: ["b", "c", "c", "b"], now: start)
    #expect(change.added.map(\.address) == ["c"])
    #expect(change.removed.map(\.address) == ["a"])
    #expect(change.removed.map(\.id) == [ids["a"]])
    #expect(Set(balancer.addresses) == ["b", "c"])
    let again = balancer.update(to: ["c", "b"], now: start)
    #expect(again.added.isEmpty && again.removed.isEmpty)
  }

  @Test("a set of more than 256 addresses is cut")
  func bounded() {
    var balancer = Balancer<Int>()
    #expect(balancer.update(to: Array(0..<10_000), now: start).added.count == 256)
  }

  @Test("an endpoint that left gets no more calls, and those under way still count")
  func draining() throws {
    var (balancer, ids) = warm(["a"])
    var random = SeededRandom(seed: 1)
    let pick = try need(balancer.pick(now: start, using: &random))
    let old = try #require(ids["a"])
    _ = balancer.update(to: ["b"], now: start)
    #expect(balancer.inFlight(old) == 1)
    for _ in 0..<100 { #expect(balancer.pick(now: start, using: &random).map(balancer.address) == "b") }
    balancer.finish(pick, .success, now: start)
    #expect(balancer.inFlight(old) == 0)
    let again = balancer.update(to: ["a"], now: start).added
    #expect(again.map(\.address) == ["a"])
    #expect(again.map(\.id) != [old], "an old name is not mistaken for the new endpoint")
    balancer.setConnected(old, true, now: start)
    #expect(balancer.usableCount == 0)
  }

  @Test("connected endpoints are preferred; without any, it guesses among all")
  func panic() {
    var balancer = Balancer<String>()
    var random = SeededRandom(seed: 1)
    let added = balancer.update(to: ["a", "b", "c"], now: start).added
    var guessed: Set<String> = []
    for _ in 0..<100 {
      guard let pick = balancer.pick(now: start, using: &random) else { continue }
      #expect(pick.isPanic)
      guessed.insert(balancer.address(of: pick))
      balancer.finish(pick, .neutral, now: start)
    }
    #expect(guessed == ["a", "b", "c"])
    balancer.setConnected(added[1].id, true, now: start)
    for _ in 0..<100 {
      let pick = balancer.pick(now: start, using: &random)
      #expect(pick.map(balancer.address) == "b" && pick?.isPanic == false)
    }
  }

  @Test("calls under way are spread evenly over equal endpoints")
  func spread() {
    var (balancer, _) = warm(["a", "b", "c", "d"])
    var random = SeededRandom(seed: 5)
    var counts: [String: Int] = [:]
    for _ in 0..<400 {
      guard let pick = balancer.pick(now: start, using: &random) else { continue }
      counts[balancer.address(of: pick), default: 0] += 1
    }
    #expect(counts.values.allSatisfy { (90...110).contains($0) }, "\(counts)")
  }

  /// Serves `calls` one after another every millisecond, each endpoint taking its time; how many each got.
  func serve(
    _ balancer: inout Balancer<String>, calls: Int, from begin: Instant, every gap: Duration = .milliseconds(1),
    latency: (String) -> Duration
  ) -> (counts: [String: Int], end: Instant) {
    var random = SeededRandom(seed: 9)
    var counts: [String: Int] = [:]
    var running: [(end: Instant, pick: Balancer<String>.Pick)] = []
    var now = begin
    for _ in 0..<calls {
      now = now + gap
      for one in running.filter({ $0.end <= now }).sorted(by: { $0.end < $1.end }) {
        balancer.finish(one.pick, .success, now: one.end)
      }
      running.removeAll { $0.end <= now }
      guard let pick = balancer.pick(now: now, using: &random) else { continue }
      counts[balancer.address(of: pick), default: 0] += 1
      running.append((now + latency(balancer.address(of: pick)), pick))
    }
    for one in running { balancer.finish(one.pick, .success, now: max(one.end, now)) }
    return (counts, now)
  }

  @Test("a slow endpoint gets a small part of the calls, and its share back when it recovers")
  func slow() {
    var (balancer, _) = warm(["a", "b", "slow"])
    let first = serve(&balancer, calls: 3_000, from: start) { $0 == "slow" ? .milliseconds(100) : .milliseconds(5) }
    #expect(first.counts["slow", default: 0] < 150, "\(first.counts)")
    let second = serve(&balancer, calls: 30_000, from: first.end) { _ in .milliseconds(5) }
    let third = serve(&balancer, calls: 6_000, from: second.end) { _ in .milliseconds(5) }
    #expect(third.counts["slow", default: 0] > 1_000, "\(third.counts)")
  }

  @Test("an endpoint that was added gets its share slowly")
  func slowStart() {
    var (balancer, _) = warm(["a", "b"])
    let before = serve(&balancer, calls: 500, from: start) { _ in .milliseconds(5) }
    for one in balancer.update(to: ["a", "b", "new"], now: before.end).added {
      balancer.setConnected(one.id, true, now: before.end)
    }
    let first = serve(&balancer, calls: 1_000, from: before.end) { _ in .milliseconds(5) }
    #expect(first.counts["new", default: 0] < 120, "\(first.counts)")
    #expect(first.counts["new", default: 0] > 0)
    let later = serve(&balancer, calls: 3_000, from: first.end + .seconds(10)) { _ in .milliseconds(5) }
    #expect((850...1_150).contains(later.counts["new", default: 0]), "\(later.counts)")
  }

  @Test("five failures in a row take one of two endpoints out, never both")
  func neverTheLast() throws {
    var (balancer, ids) = warm(["a", "b"])
    var random = SeededRandom(seed: 2)
    for _ in 0..<200 {
      let pick = try need(balancer.pick(now: start, using: &random))
      balancer.finish(pick, .failure, now: start)
    }
    #expect(balancer.usableCount == 1)
    #expect(ids.values.count { balancer.isEjected($0, now: start) } == 1)
  }

  @Test("a single endpoint is never ejected")
  func single() throws {
    var (balancer, _) = warm(["a"])
    var random = SeededRandom(seed: 2)
    for _ in 0..<100 {
      let pick = try need(balancer.pick(now: start, using: &random))
      #expect(!pick.isPanic && !pick.isProbe)
      balancer.finish(pick, .failure, now: start)
    }
    #expect(balancer.usableCount == 1)
  }

  @Test("an ejected endpoint gets nothing for five seconds, then one probe; a good one lets it in, slowly")
  func probe() throws {
    var (balancer, ids) = warm(["bad", "good"])
    let bad = try #require(ids["bad"])
    var random = SeededRandom(seed: 3)
    while !balancer.isEjected(bad, now: start) {
      let pick = try need(balancer.pick(now: start, using: &random))
      balancer.finish(pick, balancer.address(of: pick) == "bad" ? .failure : .success, now: start)
    }
    for _ in 0..<100 {
      let pick = try need(balancer.pick(now: start + .milliseconds(4_999), using: &random))
      #expect(balancer.address(of: pick) == "good")
      balancer.finish(pick, .success, now: start + .milliseconds(4_999))
    }
    let later = start + .seconds(5)
    let probe = try need(balancer.pick(now: later, using: &random))
    #expect(probe.isProbe && balancer.address(of: probe) == "bad")
    for _ in 0..<100 {
      let pick = try need(balancer.pick(now: later, using: &random))
      #expect(balancer.address(of: pick) == "good", "only one probe at a time")
      balancer.finish(pick, .success, now: later)
    }
    balancer.finish(probe, .success, now: later)
    #expect(balancer.usableCount == 2)
    #expect(!balancer.isEjected(bad, now: later))
  }

  @Test("a call goes on where it has not been, or nowhere")
  func further() throws {
    var random = SeededRandom(seed: 4)
    for _ in 0..<50 {
      var (three, _) = warm(["a", "b", "c"])
      var tried = [try need(three.pick(now: start, using: &random))]
      for _ in 0..<2 { tried.append(try need(three.pick(otherThan: tried, now: start, using: &random))) }
      #expect(Set(tried.map { three.address(of: $0) }) == ["a", "b", "c"])
      #expect(three.pick(otherThan: tried, now: start, using: &random) == nil)
    }
  }

  @Test("no history loses count of the calls under way", arguments: 1...20)
  func conservation(seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    var balancer = Balancer<Int>()
    var ids: [Balancer<Int>.ID] = []
    var picks: [Balancer<Int>.Pick] = []
    var now = start
    for step in 0..<2_000 {
      now = now + .milliseconds(Int.random(in: 0...200, using: &random))
      switch Int.random(in: 0..<12, using: &random) {
      case 0:
        let set = (0..<6).filter { _ in Bool.random(using: &random) }
        ids += balancer.update(to: set, now: now).added.map(\.id)
      case 1, 2:
        if let id = ids.randomElement(using: &random) {
          balancer.setConnected(id, Bool.random(using: &random), now: now)
        }
      case 3..<8:
        if let pick = balancer.pick(now: now, using: &random) { picks.append(pick) }
      default:
        guard !picks.isEmpty else { continue }
        let pick = picks.remove(at: Int.random(in: 0..<picks.count, using: &random))
        balancer.finish(pick, [.success, .failure, .neutral].randomElement(using: &random)!, now: now)
      }
      for id in Set(picks.map(\.endpoint)) where step % 16 == 0 {
        #expect(balancer.inFlight(id) == picks.count { $0.endpoint == id }, "seed \(seed)")
      }
    }
  }
}

@Suite("Outlier ejection")
struct OutlierEjectionTests {
  let start = Instant(nanoseconds: 1_000_000_000_000)

  @Test("the fifth failure in a row is one too many; a success in between starts over")
  func consecutive() {
    var outlier = OutlierEjection()
    for _ in 0..<4 { #expect(outlier.record(success: false, now: start) == false) }
    #expect(outlier.record(success: true, now: start) == false)
    for _ in 0..<4 { #expect(outlier.record(success: false, now: start) == false) }
    #expect(outlier.record(success: false, now: start) == true)
  }

  @Test("fewer than four successes in five of at least twenty calls are too few")
  func share() {
    var outlier = OutlierEjection()
    var verdicts: [Bool] = []
    for call in 0..<30 { verdicts.append(outlier.record(success: call % 4 != 0, now: start)) }
    #expect(verdicts.firstIndex(of: true) == 20)
    var good = OutlierEjection()
    for call in 0..<1_000 { #expect(good.record(success: call % 5 != 4, now: start) == false) }
  }

  @Test("old failures are forgotten")
  func window() {
    var outlier = OutlierEjection()
    for call in 0..<19 { #expect(outlier.record(success: call % 2 == 0, now: start) == false) }
    for call in 0..<19 { #expect(outlier.record(success: call % 3 != 2, now: start + .seconds(11)) == false) }
  }

  @Test("each ejection is twice as long as the last, up to five minutes")
  func doubles() {
    var outlier = OutlierEjection()
    var now = start
    var lengths: [Int64] = []
    outlier.eject(now: now)
    for _ in 0..<9 {
      guard case .ejected(let until) = outlier.state(now: now) else { return }
      lengths.append((until - now).wholeMilliseconds / 1_000)
      #expect(outlier.beginProbe(now: until - .milliseconds(1)) == false)
      #expect(outlier.beginProbe(now: until) == true)
      #expect(outlier.beginProbe(now: until) == false)
      now = until
      outlier.endProbe(success: false, now: now)
    }
    #expect(lengths == [5, 10, 20, 40, 80, 160, 300, 300, 300])
  }

  @Test("after a long good time it starts at five seconds again; shortly after the last it does not")
  func forgives() {
    func length(afterHealthyFor time: Duration) -> Duration {
      var outlier = OutlierEjection()
      outlier.eject(now: start)
      let probed = start + .seconds(5)
      _ = outlier.beginProbe(now: probed)
      outlier.endProbe(success: true, now: probed)
      let again = probed + time
      outlier.eject(now: again)
      guard case .ejected(let until) = outlier.state(now: again) else { return .zero }
      return until - again
    }
    #expect(length(afterHealthyFor: .seconds(9)) == .seconds(10))
    #expect(length(afterHealthyFor: .seconds(10)) == .seconds(5))
  }

  @Test("a probe that proved nothing leaves the place to the next")
  func neutralProbe() {
    var outlier = OutlierEjection()
    outlier.eject(now: start)
    let later = start + .seconds(5)
    #expect(outlier.beginProbe(now: later) == true)
    outlier.endProbe(success: nil, now: later)
    #expect(outlier.state(now: later) == .halfOpen)
    #expect(outlier.beginProbe(now: later) == true)
  }

  @Test("answers that arrive during an ejection change nothing")
  func stragglers() {
    var outlier = OutlierEjection()
    outlier.eject(now: start)
    for _ in 0..<100 { #expect(outlier.record(success: false, now: start) == false) }
    outlier.endProbe(success: true, now: start)
    #expect(outlier.state(now: start) == .ejected(until: start + .seconds(5)))
  }
}

@Suite("Schedules")
struct ScheduleTests {
  let start = Instant(nanoseconds: 1_000_000_000_000)

  @Test("the resolver is asked at once and then every five seconds, give or take a tenth")
  func resolve() {
    var random = SeededRandom(seed: 1)
    var schedule = ResolveSchedule(now: start)
    #expect(schedule.due == start)
    var gaps: Set<Duration> = []
    for _ in 0..<1_000 {
      let now = schedule.due
      schedule.asked(now: now, using: &random)
      gaps.insert(schedule.due - now)
    }
    #expect(gaps.allSatisfy { $0 >= .milliseconds(4_500) && $0 <= .milliseconds(5_500) })
    #expect(gaps.count > 900)
  }

  @Test("a lost connection asks at once, but not twice within a second")
  func disconnected() {
    var random = SeededRandom(seed: 1)
    var schedule = ResolveSchedule(now: start)
    schedule.asked(now: start, using: &random)
    schedule.disconnected(now: start + .milliseconds(300))
    #expect(schedule.due == start + .seconds(1))
    schedule.disconnected(now: start + .milliseconds(1_500))
    #expect(schedule.due == start + .seconds(1), "what is due stays due")
    schedule.asked(now: start + .milliseconds(1_500), using: &random)
    schedule.disconnected(now: start + .seconds(4))
    #expect(schedule.due == start + .seconds(4))
  }

  @Test("a thousand idle clients of a restarted server come back over five seconds and more")
  func spread() {
    var perSecond = [Int](repeating: 0, count: 6)
    for seed in 0..<1_000 as Range<UInt64> {
      var random = SeededRandom(seed: seed)
      var schedule = ReconnectSchedule(now: start)
      schedule.connected()
      schedule.disconnected(isWanted: false, now: start, using: &random)
      let wait = ((schedule.due ?? start) - start).wholeMilliseconds
      perSecond[min(5, Int(wait / 1_000))] += 1
    }
    #expect(perSecond.allSatisfy { (120...220).contains($0) }, "\(perSecond)")
  }

  @Test("a waiting call reconnects at once; after a failure even it waits")
  func wanted() {
    var random = SeededRandom(seed: 1)
    var schedule = ReconnectSchedule(now: start)
    schedule.connected()
    #expect(schedule.due == nil)
    schedule.disconnected(isWanted: false, now: start, using: &random)
    schedule.wanted(now: start)
    #expect(schedule.due == start)
    schedule.failed(now: start, using: &random)
    let due = schedule.due
    schedule.wanted(now: start)
    #expect(schedule.due == due)
    schedule.connected()
    schedule.wanted(now: start)
    #expect(schedule.due == nil)
  }

  @Test("a peer on this machine is tried each second for ten minutes, and then each ten")
  func near() {
    for seed in 0..<50 as Range<UInt64> {
      var random = SeededRandom(seed: seed)
      var schedule = ReconnectSchedule(.onThisMachine, now: start)
      schedule.connected()
      schedule.disconnected(isWanted: false, now: start, using: &random)
      var waits: [(at: Instant, wait: Duration)] = []
      var now = start
      while let due = schedule.due, due < start + .seconds(1_800) {
        #expect(due >= now)
        waits.append((now, due - now))
        now = due
        schedule.failed(now: now, using: &random)
      }
      let soon = waits.filter { $0.at < start + .seconds(600) }
      let late = waits.filter { $0.at >= start + .seconds(600) }
      #expect(soon.allSatisfy { $0.wait <= .seconds(1) } && (900..<1_600).contains(soon.count), "\(soon.count)")
      #expect(late.allSatisfy { $0.wait <= .seconds(10) } && (150..<360).contains(late.count), "\(late.count)")
    }
  }

  @Test("pauses after failures grow to ten seconds and never vanish")
  func failures() {
    for seed in 0..<200 as Range<UInt64> {
      var random = SeededRandom(seed: seed)
      var schedule = ReconnectSchedule(now: start)
      for failure in 1...20 {
        schedule.failed(now: start, using: &random)
        let wait = (schedule.due ?? start) - start
        #expect(wait >= .milliseconds(20) && wait <= .seconds(10))
        #expect(wait <= .milliseconds(100 << min(failure - 1, 7)))
      }
    }
  }
}
