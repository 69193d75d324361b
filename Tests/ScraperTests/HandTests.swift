import Calendars
import Clocks
import Contracts
import EventLoops
import Fetch
import Observability
import RPC
import Scraper
import Testing

/// One that works for another's queue, on a clock that the test moves.
@Suite("What a scraper does that works for another", .timeLimit(.minutes(5)))
@MainActor
struct HandTests {
  private let time = ManualTime(wall: Timestamp("2026-11-22T12:00:00+09:00")!.instant)
  private let pages = HeldPages()
  private let log = RecordingSink()

  private func hand(
    _ owner: QueueBench, visits: Int = 1, seed: UInt64 = 1,
    reachingDemoWorld: @escaping @MainActor (LeasedVisit) async throws -> Void = { _ in }
  ) -> HarvestHand {
    HarvestHand(
      for: owner.client, from: pages, as: "hand", visits: visits, time: time, random: SeededRandom(seed: seed),
      log: Log(to: log, as: .json, level: .debug, clock: { 0 }), reachingDemoWorld: reachingDemoWorld,
      whenStopped: {})
  }

  @Test("the demo world that was told is that of the sites, or they are not visited")
  func elsewhere() throws {
    var leased = LeasedVisit.invented("one", isDemo: true)
    leased.document = #"{"site":"one","start":["http://127.0.0.1:26190/sites/one?day=1"]}"#
    #expect(leased.leads(to: try FetchURL(parsing: "http://127.0.0.1:26190/")))
    #expect(!leased.leads(to: try FetchURL(parsing: "http://127.0.0.1:7190")))
  }

  /// A site of the owner's, leased and offered to the hand.
  private func offered(_ owner: QueueBench) async throws -> Lease {
    let (lease, visit) = try #require(try await owner.harvester.handOut(to: "hand", within: .zero))
    owner.renew(lease)
    owner.offer(LeasedVisit(lease, visit, for: owner.harvester.leasePeriod))
    return lease
  }

  private func timerIsSet() async { while time.pending == 0, !Task.isCancelled { await Task.yield() } }

  @Test("the lease is renewed while a page is waited for, however long that takes")
  func renewed() async throws {
    let test = try await TestStore()
    let owner = try await QueueBench(test.store)
    let lease = try await offered(owner)
    let hand = hand(owner)
    try await hand.start()
    await pages.wereAsked(1)
    for number in 1...2 {
      owner.clock.wall = owner.clock.wall.adding(.seconds(200))
      await timerIsSet()
      time.advance(by: .seconds(75))
      await owner.until { $0.renewals == number }
      #expect(try await owner.harvester.handOut(to: "another", within: .zero) == nil)
    }
    pages.open()
    await owner.until { !$0.handedIn.isEmpty }
    #expect(owner.handedIn.first?.isAborted == false)
    #expect(try await owner.harvester.renew(lease))
    await hand.stop()
  }

  @Test("a visit whose lease is another's by now ends in the middle of a page")
  func overtaken() async throws {
    let test = try await TestStore()
    let owner = try await QueueBench(test.store)
    _ = try await offered(owner)
    let hand = hand(owner)
    try await hand.start()
    await pages.wereAsked(1)
    owner.clock.wall = owner.clock.wall.adding(.seconds(301))
    #expect(try await owner.harvester.handOut(to: "another", within: .zero) != nil)
    await timerIsSet()
    time.advance(by: .seconds(75))
    await owner.until { !$0.handedIn.isEmpty }
    #expect(owner.handedIn.first?.isAborted == true && pages.asked == 1)
    await hand.stop()
  }

  @Test("it asks for one site at a time, and for none while it visits as many as it may")
  func oneByOne() async throws {
    let test = try await TestStore()
    let owner = try await QueueBench(test.store)
    owner.offer(.invented("one"), .invented("two"), .invented("three"))
    let hand = hand(owner, visits: 2)
    try await hand.start()
    await pages.wereAsked(2)
    for _ in 0..<100 { await Task.yield() }
    #expect(owner.leasesAsked == 2 && pages.asked == 2)
    pages.open()
    await owner.until { $0.handedIn.count == 3 && $0.leasesAsked == 4 }
    #expect(owner.leasesAskedTogether == 1)
    await hand.stop()
  }

  /// A demo world that comes up when the test says so.
  @MainActor
  private final class World {
    var isThere = false

    func reach() throws { if !isThere { throw NotThere() } }
  }

  private struct NotThere: Error, CustomStringConvertible {
    let description = "start it with --demo true"
  }

  @Test("a demo site that cannot be reached from here is given back, told once, and others get time to take it")
  func demoWorld() async throws {
    let test = try await TestStore()
    let owner = try await QueueBench(test.store)
    let world = World()
    let hand = hand(owner) { _ in try world.reach() }
    try await hand.start()
    owner.offer(.invented("one", isDemo: true), .invented("one", isDemo: true), .invented("one", isDemo: true))
    for number in 1...2 {
      await owner.until { $0.handedIn.count == number }
      await timerIsSet()
      #expect(owner.handedIn.allSatisfy { $0.isAborted == true && $0.isWithoutReading == nil && $0.pages.isEmpty })
      #expect(owner.leasesAsked == number && pages.asked == 0)
      world.isThere = number == 2
      time.advance(by: .seconds(10))
    }
    // It has come up meanwhile.
    await pages.wereAsked(1)
    let errors = log.lines.filter { $0.contains("\"error\"") }
    #expect(errors.count == 1 && errors.first?.contains("--demo true") == true)
    await hand.stop()
  }

  @Test("those who are turned away together come back after the time they are told, and not together")
  func turnedAway() async throws {
    let test = try await TestStore()
    let owner = try await QueueBench(test.store)
    owner.refusal = RPCError(.resourceExhausted, "too many wait", executed: .no, retryAfter: .seconds(20))
    let hands = (1...8).map { hand(owner, seed: $0) }
    for hand in hands { try await hand.start() }
    await owner.until { $0.leasesAsked == 8 }
    while time.pending < 8, !Task.isCancelled { await Task.yield() }
    time.advance(by: .seconds(20))
    // So many timers have fired as hands have come back.
    #expect(time.pending == 8)
    time.advance(by: .seconds(1))
    #expect((1..<8).contains(time.pending))
    time.advance(by: .seconds(1))
    await owner.until { $0.leasesAsked == 16 }
    for hand in hands { await hand.stop() }
  }
}

/// The queue's owner as a visit elsewhere sees it.
@Suite("The owner of a queue, seen from elsewhere", .timeLimit(.minutes(5)))
@MainActor
struct QueueOwnerTests {
  private let time = ManualTime()

  @Test("a turn that is refused because too many wait is asked for again, later than the owner said")
  func crowded() async throws {
    let test = try await TestStore()
    let bench = try await QueueBench(test.store)
    var asked = 0
    bench.router.on(TakeHostTurn.self) { (_: TakeHostTurn, _: CallContext) in
      asked += 1
      guard asked > 1 else {
        throw RPCError(.resourceExhausted, "too many wait", executed: .no, retryAfter: .seconds(2))
      }
      return HostTurn()
    }
    let owner = QueueOwner(bench.client, time: time, random: SeededRandom(seed: 1))
    let turn = Task { @MainActor in try await owner.turn(for: FetchURL(parsing: "https://emu.example/")) }
    while time.pending == 0, !Task.isCancelled { await Task.yield() }
    time.advance(by: .seconds(2))
    #expect(time.pending == 1)
    time.advance(by: .seconds(2))
    try await turn.value
    #expect(asked == 2)
  }

  @Test("each end of a turn is told with a key of its own")
  func ends() async throws {
    let test = try await TestStore()
    let bench = try await QueueBench(test.store)
    var keys: [IdempotencyKey] = []
    let told = Bell()
    bench.router.on(EndHostTurn.self) { (_: EndHostTurn, context: CallContext) in
      if let key = context.key { keys.append(key) }
      told.ring()
      return HostTurn()
    }
    let owner = QueueOwner(bench.client, time: time, random: SeededRandom(seed: 1))
    let url = try FetchURL(parsing: "https://emu.example/")
    for _ in 0..<2 { owner.finish(url, .throttled(retryAfter: nil), address: nil) }
    while keys.count < 2, !Task.isCancelled { await told.wait() }
    #expect(Set(keys).count == 2)
  }
}
