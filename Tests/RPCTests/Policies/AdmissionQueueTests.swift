import Clocks
import RPC
import Testing

@Suite("Admission queue")
struct AdmissionQueueTests {
  let start = Instant(nanoseconds: 1_000_000_000)

  /// A queue and what it refused.
  struct Fixture {
    var queue: AdmissionQueue<Int>
    var refused: [Int: AdmissionRefusal] = [:]
    var now: Instant

    init(now: Instant) {
      queue = AdmissionQueue(now: now)
      self.now = now
    }

    mutating func offer(
      _ call: Int, _ priority: CallPriority = .read, within deadline: Duration = .seconds(10), capacity: Int = 100
    ) {
      var refused = refused
      queue.offer(call, priority: priority, deadline: now + deadline, capacity: capacity, now: now) {
        refused[$0] = $1
      }
      self.refused = refused
    }

    mutating func next() -> Int? {
      var refused = refused
      defer { self.refused = refused }
      return queue.next(now: now) { refused[$0] = $1 }
    }

    mutating func trim() {
      var refused = refused
      queue.trim(now: now) { refused[$0] = $1 }
      self.refused = refused
    }

    /// Keeps the queue from being empty for longer than its patience.
    mutating func makeOverloaded() {
      offer(-1, .prefetch)
      for _ in 0..<3 {
        now = now + .milliseconds(40)
        offer(-1, .prefetch)
        _ = next()
      }
      precondition(queue.isOverloaded(now: now))
    }
  }

  @Test("evens out a burst in the order of arrival")
  func fifo() {
    var fixture = Fixture(now: start)
    for call in 1...5 { fixture.offer(call) }
    #expect((1...6).map { _ in fixture.next() } == [1, 2, 3, 4, 5, nil])
    #expect(fixture.refused.isEmpty)
  }

  @Test("the more important go first")
  func priorities() {
    var fixture = Fixture(now: start)
    fixture.offer(4, .prefetch)
    fixture.offer(3, .read)
    fixture.offer(1, .admin)
    fixture.offer(2, .write)
    #expect((1...4).map { _ in fixture.next() } == [1, 2, 3, 4])
    #expect(CallPriority.admin > .write && CallPriority.write > .read && CallPriority.read > .prefetch)
  }

  @Test("is bounded: a full queue refuses the newcomer")
  func bounded() {
    var fixture = Fixture(now: start)
    for call in 1...10 { fixture.offer(call, capacity: 4) }
    #expect(fixture.queue.count == 4)
    #expect(fixture.refused == [5: .full, 6: .full, 7: .full, 8: .full, 9: .full, 10: .full])
    fixture.offer(11, capacity: 0)
    #expect(fixture.refused[11] == .full)
  }

  @Test("a full queue gives the place of the least important to a more important one")
  func displaces() {
    var fixture = Fixture(now: start)
    fixture.offer(1, .read, capacity: 3)
    fixture.offer(2, .prefetch, capacity: 3)
    fixture.offer(3, .prefetch, capacity: 3)
    fixture.offer(4, .admin, capacity: 3)
    #expect(fixture.refused == [2: .displaced])
    fixture.offer(5, .write, capacity: 3)
    fixture.offer(6, .write, capacity: 3)
    #expect(fixture.refused == [2: .displaced, 3: .displaced, 1: .displaced])
    fixture.offer(7, .prefetch, capacity: 3)
    #expect(fixture.refused[7] == .full, "the less important does not displace")
    #expect((1...4).map { _ in fixture.next() } == [4, 5, 6, nil])
  }

  @Test("an expired call is never run")
  func expired() {
    var fixture = Fixture(now: start)
    fixture.offer(1, within: .zero)
    #expect(fixture.refused == [1: .expired])
    fixture.offer(2, within: .milliseconds(10))
    fixture.offer(3, within: .milliseconds(30))
    fixture.now = start + .milliseconds(10)
    #expect(fixture.next() == 3)
    #expect(fixture.refused == [1: .expired, 2: .expired])
  }

  @Test("nothing waits longer than 100 ms")
  func patience() {
    var fixture = Fixture(now: start)
    fixture.offer(1)
    fixture.now = start + .milliseconds(60)
    fixture.offer(2)
    fixture.now = start + .milliseconds(101)
    fixture.trim()
    #expect(fixture.refused[1] == .waited)
  }

  @Test("under overload the newest goes first, and 5 ms are all the patience there is")
  func overload() {
    var fixture = Fixture(now: start)
    fixture.makeOverloaded()
    fixture.refused = [:]
    fixture.offer(1)
    fixture.now = fixture.now + .milliseconds(3)
    fixture.offer(2)
    fixture.offer(3)
    #expect(fixture.next() == 3)
    fixture.now = fixture.now + .milliseconds(3)
    #expect(fixture.next() == 2)
    #expect(fixture.next() == nil)
    #expect(fixture.refused[1] == .waited)
  }

  @Test("under overload a full queue prefers the newer of two equals")
  func newerDisplaces() {
    var fixture = Fixture(now: start)
    fixture.makeOverloaded()
    for call in 1...4 { fixture.offer(call, capacity: 4) }
    fixture.refused = [:]
    fixture.offer(100, capacity: 4)
    #expect(fixture.refused == [1: .displaced])
    #expect(fixture.next() == 100)
  }

  @Test("overload ends when the queue has been empty")
  func overloadEnds() {
    var fixture = Fixture(now: start)
    fixture.makeOverloaded()
    while fixture.next() != nil {}
    fixture.offer(1)
    fixture.offer(2)
    #expect(fixture.queue.isOverloaded(now: fixture.now) == false)
    #expect(fixture.next() == 1)
  }

  @Test("a call whose caller left is taken out")
  func remove() {
    var fixture = Fixture(now: start)
    for call in 1...20 { fixture.offer(call, call % 2 == 0 ? .read : .write) }
    #expect(fixture.queue.remove { $0 == 7 } == 7)
    #expect(fixture.queue.remove { $0 == 7 } == nil)
    #expect(fixture.queue.count == 19)
    let order = (1...19).compactMap { _ in fixture.next() }
    #expect(order == (1...20).filter { $0 % 2 == 1 && $0 != 7 } + (1...20).filter { $0 % 2 == 0 })
  }

  @Test("every call is either run, refused or removed, exactly once, in any history", arguments: 1...30)
  func conservation(seed: UInt64) {
    var random = SeededRandom(seed: seed)
    var fixture = Fixture(now: start)
    var done: [Int: Int] = [:]
    var offered = 0
    for _ in 0..<2_000 {
      fixture.now = fixture.now + .milliseconds(Int.random(in: 0...8, using: &random))
      fixture.refused = [:]
      switch Int.random(in: 0..<10, using: &random) {
      case 0..<6:
        offered += 1
        fixture.offer(
          offered, CallPriority.allCases.randomElement(using: &random)!,
          within: .milliseconds(Int.random(in: 0...120, using: &random)),
          capacity: Int.random(in: 1...20, using: &random))
      case 6..<9: if let call = fixture.next() { done[call, default: 0] += 1 }
      default:
        let gone = Int.random(in: 0...offered, using: &random)
        if let call = fixture.queue.remove(where: { $0 == gone }) { done[call, default: 0] += 1 }
      }
      for call in fixture.refused.keys { done[call, default: 0] += 1 }
      #expect(fixture.queue.count <= 20, "seed \(seed)")
      #expect(done.count + fixture.queue.count == offered, "seed \(seed)")
    }
    #expect(done.values.allSatisfy { $0 == 1 }, "seed \(seed)")
  }
}

@Suite("Admission")
struct AdmissionTests {
  let start = Instant(nanoseconds: 1_000_000_000)

  @Test("a call runs while there is room, waits behind those, and comes when one ends")
  func passes() throws {
    var limits = ConcurrencyLimiter.Limits(cores: 1)
    limits.initial = 4
    var admission = Admission<Int>(limits, now: start)
    var running: [ConcurrencyLimiter.Ticket] = []
    var refused: [Int] = []
    for call in 1...10 {
      let verdict = admission.arrive(call, priority: .read, deadline: start + .seconds(1), now: start) { call, _ in
        refused.append(call)
      }
      if case .run(let ticket) = verdict { running.append(ticket) }
    }
    #expect(running.count == 4)
    #expect(admission.queue.count == 4)
    #expect(refused == [9, 10])
    #expect(admission.next(now: start) { _, _ in } == nil)
    admission.finish(try #require(running.first), now: start + .milliseconds(1))
    #expect(admission.next(now: start + .milliseconds(1)) { _, _ in }?.call == 5)
    #expect(admission.next(now: start + .milliseconds(1)) { _, _ in } == nil)
  }

  @Test("a refusal says that nothing was executed and is over at once")
  func expired() {
    var admission = Admission<Int>(.init(cores: 1), now: start)
    var refusal: AdmissionRefusal?
    _ = admission.arrive(1, priority: .admin, deadline: start, now: start) { refusal = $1 }
    #expect(refusal == .expired)
    #expect(admission.limiter.inFlight == 0)
  }
}
