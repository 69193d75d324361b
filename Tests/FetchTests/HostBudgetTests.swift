import Clocks
import EventLoops
import Fetch
import Testing

@Suite("HostBudget")
struct HostBudgetTests {
  private func instant(_ seconds: Double) -> Instant { Instant(nanoseconds: UInt64((1_000 + seconds) * 1e9)) }
  private let site = [HostBudget.Key.site("cinema.example")]

  @Test("a site is asked every two seconds, or as seldom as it wants")
  func pace() {
    var budget = HostBudget()
    #expect(budget.earliestStart(site, now: instant(0)) == instant(0))
    budget.begin(site, now: instant(0))
    #expect(budget.earliestStart(site, now: instant(0)) == instant(2))
    #expect(budget.earliestStart([.site("other.example")], now: instant(0)) == instant(0))
    budget.setCrawlDelay(.seconds(10), of: .site("cinema.example"), now: instant(2))
    budget.begin(site, now: instant(2))
    #expect(budget.earliestStart(site, now: instant(2)) == instant(12))
    #expect(budget.earliestStart(site, now: instant(60)) == instant(60))
  }

  @Test("two sites on one machine are one site")
  func sharedAddress() throws {
    let url = try FetchURL(parsing: "http://a.example/")
    let other = try FetchURL(parsing: "http://b.example/")
    let address = try #require(IPAddress("192.0.2.1"))
    var budget = HostBudget()
    budget.begin(HostBudget.keys(url, address: address), now: instant(0))
    #expect(budget.earliestStart(HostBudget.keys(other, address: address), now: instant(0)) == instant(2))
    #expect(budget.earliestStart(HostBudget.keys(other, address: nil), now: instant(0)) == instant(0))
    let (first, second) = (IPAddress("2a00::1"), IPAddress("2a00::ffff"))
    #expect(HostBudget.keys(url, address: first) == HostBudget.keys(url, address: second))
    #expect(HostBudget.keys(try FetchURL(parsing: "http://192.0.2.1/"), address: nil) == [.address(address)])
  }

  @Test("429 and 503 double the pause up to a day, and an answer ends it")
  func backoff() {
    var budget = HostBudget()
    var now = instant(0)
    for expected in [30, 60, 120, 240] as [Double] {
      budget.finish(site, .throttled(retryAfter: nil), now: now)
      #expect(budget.earliestStart(site, now: now) - now == .seconds(expected))
      now = budget.earliestStart(site, now: now)
      budget.begin(site, now: now)
    }
    for _ in 0..<40 {
      budget.finish(site, .throttled(retryAfter: .seconds(1)), now: now)
      now = budget.earliestStart(site, now: now)
    }
    budget.finish(site, .throttled(retryAfter: .seconds(999_999)), now: now)
    #expect(budget.earliestStart(site, now: now) - now == .seconds(24 * 3_600))
    now = budget.earliestStart(site, now: now)
    budget.begin(site, now: now)
    budget.finish(site, .answered(after: .milliseconds(100)), now: now)
    #expect(budget.earliestStart(site, now: now) - now == .seconds(2))
    budget.finish(site, .throttled(retryAfter: .seconds(300)), now: now)
    #expect(budget.earliestStart(site, now: now) - now == .seconds(300))
  }

  @Test("a site that does not answer is left alone from the third time on")
  func failures() {
    var budget = HostBudget()
    for _ in 0..<2 { budget.finish(site, .failed, now: instant(0)) }
    #expect(budget.earliestStart(site, now: instant(0)) == instant(0))
    budget.finish(site, .failed, now: instant(0))
    #expect(budget.earliestStart(site, now: instant(0)) == instant(30))
  }

  @Test("a slow site is asked less")
  func latency() {
    var budget = HostBudget()
    budget.begin(site, now: instant(0))
    budget.finish(site, .answered(after: .seconds(8)), now: instant(8))
    #expect(budget.earliestStart(site, now: instant(8)) == instant(16))
  }

  @Test("pauses are told and taken up again")
  func restart() {
    var budget = HostBudget()
    budget.finish(site, .throttled(retryAfter: .seconds(600)), now: instant(0))
    let pauses = budget.pauses(now: instant(100))
    #expect(pauses.map(\.left) == [.seconds(500)] && pauses.map(\.throttles) == [1])
    var later = HostBudget()
    for pause in pauses { later.restore(pause.key, left: pause.left, throttles: pause.throttles, now: instant(0)) }
    #expect(later.earliestStart(site, now: instant(0)) == instant(500))
    later.finish(site, .throttled(retryAfter: nil), now: instant(500))
    #expect(later.earliestStart(site, now: instant(500)) == instant(560))
  }

  @Test("the demo world has no pause")
  func exempt() {
    var budget = HostBudget(exempt: [.address(.loopback)])
    budget.begin([.address(.loopback)], now: instant(0))
    #expect(budget.earliestStart([.address(.loopback)], now: instant(0)) == instant(0))
  }

  @Test("sites are forgotten when there are too many, paused ones last")
  func bounded() {
    var limits = HostBudget.Limits()
    limits.sitesMax = 100
    var budget = HostBudget(limits: limits)
    budget.finish(site, .throttled(retryAfter: .seconds(3_600)), now: instant(0))
    for number in 0..<1_000 { budget.begin([.site("\(number).example")], now: instant(Double(number))) }
    #expect(budget.earliestStart(site, now: instant(1_000)) == instant(3_600))
    #expect(budget.earliestStart([.site("1.example")], now: instant(0)) == instant(0))
  }

  @Test(
    "Retry-After is a number or a date",
    arguments: [
      ("120", 120), ("0", 0), ("Sun, 06 Nov 1994 08:49:37 GMT", 37), ("Sunday, 06-Nov-94 08:49:37 GMT", 37),
      ("Sun Nov  6 08:49:37 1994", 37),
      ("Sun, 06 Nov 1994 08:48:00 GMT", 0), ("999999999999999999999", 999_999_999), ("", nil), ("-1", nil),
      ("1.5", nil), ("soon", nil),
      ("Sun, 32 Nov 1994 08:49:37 GMT", nil), ("Sun, 06 Foo 1994 08:49:37 GMT", nil),
      ("Sun, 06 Nov 1994 25:49:37 GMT", nil),
    ] as [(String, Int64?)])
  func retryAfter(text: String, seconds: Int64?) {
    // 1994-11-06T08:49:00Z
    #expect(RetryAfter.wait(text, now: WallTime(milliseconds: 784_111_740_000)) == seconds.map { .seconds($0) })
  }
}

@Suite("HostQueue")
struct HostQueueTests {
  @Test("a host with many waiting delays another by one")
  func fair() {
    var queue = HostQueue<String>(total: 1, perHost: 1, waitingMax: 100)
    #expect(queue.enter("a", "a0") == .now)
    for number in 1...5 { #expect(queue.enter("a", "a\(number)") == .later) }
    #expect(queue.enter("b", "b1") == .later)
    var order: [String] = []
    var host = "a"
    while queue.active > 0 {
      queue.leave(host)
      guard let next = queue.next() else { break }
      order.append(next.waiter)
      host = next.host
    }
    #expect(order == ["a1", "b1", "a2", "a3", "a4", "a5"])
    #expect(queue.active == 0 && queue.waiting == 0)
  }

  @Test("no host has more than its places, and a full one does not block others")
  func perHost() {
    var queue = HostQueue<Int>(total: 10, perHost: 2, waitingMax: 3)
    #expect(queue.enter("a", 1) == .now && queue.enter("a", 2) == .now && queue.enter("a", 3) == .later)
    #expect(queue.next() == nil)
    #expect(queue.enter("b", 4) == .now)
    #expect(queue.enter("a", 5) == .later && queue.enter("a", 6) == .later && queue.enter("a", 7) == .never)
    queue.leave("a")
    #expect(queue.next()?.waiter == 3 && queue.next() == nil)
  }

  @Test("whatever comes and goes, the limits hold and nobody is lost", arguments: [1 as UInt64, 2, 3])
  func random(seed: UInt64) {
    var generator = SeededRandom(seed: seed)
    var queue = HostQueue<Int>(total: 5, perHost: 2, waitingMax: 300)
    var active: [String: Int] = [:]
    var (entered, served) = (0, 0)
    func total() -> Int { active.values.reduce(0, +) }
    for step in 0..<4_000 {
      let host = "h\(generator.next() % 7)"
      if generator.next() % 2 == 0 {
        switch queue.enter(host, step) {
        case .now:
          active[host, default: 0] += 1
          entered += 1
          served += 1
        case .later: entered += 1
        case .never: break
        }
      } else if let busy = active.filter({ $0.value > 0 }).keys.sorted().first {
        active[busy]! -= 1
        queue.leave(busy)
        while let next = queue.next() {
          active[next.host, default: 0] += 1
          served += 1
        }
      }
      #expect(total() == queue.active && queue.active <= 5 && active.values.allSatisfy { $0 <= 2 })
      #expect(entered - served == queue.waiting)
    }
  }
}
