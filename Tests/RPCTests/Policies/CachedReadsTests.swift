import Clocks
import RPC
import Testing

@Suite("Flight table")
struct FlightTableTests {
  typealias Table = FlightTable<String, Int>
  let start = Instant(nanoseconds: 1_000_000_000)

  private func started(_ answer: Table.Answer) -> FlightTicket? {
    if case .start(let ticket) = answer { ticket } else { nil }
  }

  private func joined(_ answer: Table.Answer) -> FlightTicket? {
    if case .join(let ticket) = answer { ticket } else { nil }
  }

  @Test("the first does the work, the others join and are answered in the order they came")
  func joins() throws {
    var table = Table()
    guard case .start(let first) = table.board("k", waiter: 1, deadline: start + .seconds(1)) else {
      Issue.record("did not start")
      return
    }
    for waiter in 2...5 {
      guard case .join(let ticket) = table.board("k", waiter: waiter, deadline: start) else {
        Issue.record("did not join")
        return
      }
      #expect(ticket.flight == first.flight)
    }
    #expect(table.waiters(of: first.flight) == 5)
    #expect(table.land(first.flight) == [1, 2, 3, 4, 5])
    #expect(table.count == 0)
    #expect(table.land(first.flight) == [], "a flight lands once")
  }

  @Test("somebody waits for the work until its most patient waiter's time is up")
  func deadline() throws {
    var table = Table()
    let first = try need(started(table.board("k", waiter: 1, deadline: start + .seconds(1))))
    #expect(table.deadline(of: first.flight) == start + .seconds(1))
    for (waiter, seconds) in [(2, 5), (3, 2)] {
      let answer = table.board("k", waiter: waiter, deadline: start + .seconds(seconds))
      #expect(joined(answer)?.flight == first.flight)
    }
    #expect(table.deadline(of: first.flight) == start + .seconds(5))
  }

  @Test("the last one to leave cancels the work, whatever the order", arguments: 1...20)
  func leaving(seed: UInt64) {
    var random = SeededRandom(seed: seed)
    var table = Table()
    var tickets: [FlightTicket] = []
    for waiter in 0..<20 {
      switch table.board("k", waiter: waiter, deadline: start) {
      case .start(let ticket), .join(let ticket): tickets.append(ticket)
      case .full: Issue.record("full")
      }
    }
    tickets.shuffle(using: &random)
    for ticket in tickets.dropLast() { #expect(table.leave(ticket) == .stays) }
    #expect(table.leave(tickets[0]) == .stays, "who left cannot leave again")
    #expect(table.leave(tickets[19]) == .cancel(tickets[19].flight))
    #expect(table.count == 0)
    guard case .start(let next) = table.board("k", waiter: 99, deadline: start) else {
      Issue.record("a cancelled flight takes no more waiters")
      return
    }
    #expect(table.land(tickets[0].flight) == [], "its late answer is nobody's")
    #expect(table.leave(tickets[0]) == .stays)
    #expect(table.land(next.flight) == [99])
  }

  @Test("who left is not answered")
  func leftIsNotAnswered() throws {
    var table = Table()
    let first = try need(started(table.board("k", waiter: 1, deadline: start)))
    _ = table.board("k", waiter: 2, deadline: start)
    #expect(table.leave(first) == .stays)
    #expect(table.land(first.flight) == [2])
  }

  @Test("a refresh goes on when nobody waits, and serves those who join it")
  func refresh() throws {
    var table = Table()
    let flight = try need(table.refresh("k", deadline: start))
    #expect(table.refresh("k", deadline: start) == nil)
    let ticket = try need(joined(table.board("k", waiter: 1, deadline: start + .seconds(1))))
    #expect(table.deadline(of: flight) == start + .seconds(1))
    #expect(table.leave(ticket) == .stays)
    #expect(table.deadline(of: flight) != nil)
    _ = table.board("k", waiter: 2, deadline: start)
    #expect(table.land(flight) == [2])
  }

  @Test("work that ran out of time is done again for those who came later, with all the time they have")
  func overdue() throws {
    var table = Table()
    let first = try need(started(table.board("k", waiter: 1, deadline: start + .seconds(1))))
    _ = table.board("k", waiter: 2, deadline: start + .seconds(3))
    let once = table.overdue(first.flight, now: start + .seconds(1))
    #expect(once.expired == [1] && once.flyAgain)
    let twice = table.overdue(first.flight, now: start + .seconds(2))
    #expect(twice.expired == [2] && !twice.flyAgain, "it was given all the time there is")
    #expect(table.count == 0)
  }

  @Test("is bounded in flights and in waiters")
  func bounded() {
    var limits = Table.Limits()
    limits.flightsMax = 2
    limits.waitersMax = 3
    var table = Table(limits)
    for waiter in 0..<3 { #expect(table.board("a", waiter: waiter, deadline: start) != .full) }
    #expect(table.board("a", waiter: 9, deadline: start) == .full)
    #expect(table.board("b", waiter: 9, deadline: start) != .full)
    #expect(table.board("c", waiter: 9, deadline: start) == .full)
    #expect(table.refresh("c", deadline: start) == nil)
  }

  @Test("after a write the flight under way lands for its waiters, and new readers start another")
  func detached() throws {
    var table = Table()
    let old = try need(started(table.board("k", waiter: 1, deadline: start)))
    table.detach("k")
    guard case .start(let new) = table.board("k", waiter: 2, deadline: start) else {
      Issue.record("joined an outdated flight")
      return
    }
    #expect(table.land(old.flight) == [1])
    #expect(table.flight(of: "k") == new.flight, "the old landing does not take the new flight away")
    #expect(table.land(new.flight) == [2])
  }
}

@Suite("Cached reads")
struct CachedReadsTests {
  typealias Reads = CachedReads<String, String, Int>
  let start = Instant(nanoseconds: 1_000_000_000)
  let minute = Freshness(fresh: .seconds(60), stale: .seconds(3_600))

  /// What a read was told, in words that compare.
  enum Seen: Equatable {
    case fresh(String, Duration), stale(String, Duration, refreshes: Bool), start, join, resting(Duration), alone
  }

  func seen(_ answer: Reads.Answer) -> Seen {
    switch answer {
    case .fresh(let value, let age): .fresh(value, age)
    case .stale(let value, let age, let refresh): .stale(value, age, refreshes: refresh != nil)
    case .start: .start
    case .join: .join
    case .resting(let after): .resting(after)
    case .alone: .alone
    }
  }

  func read(
    _ reads: inout Reads, _ key: String = "k", _ freshness: Freshness? = nil, waiter: Int = 0, at time: Duration
  ) -> Reads.Answer {
    reads.read(key, freshness ?? minute, waiter: waiter, deadline: start + time + .seconds(10), now: start + time)
  }

  func flight(_ answer: Reads.Answer) -> Flight? {
    switch answer {
    case .start(let ticket), .join(let ticket): ticket.flight
    case .stale(_, _, let refresh): refresh
    default: nil
    }
  }

  @discardableResult
  func land(
    _ reads: inout Reads, _ flight: Flight?, _ value: String, bytes: Int = 10, _ freshness: Freshness? = nil,
    at time: Duration
  ) -> [Int] {
    flight.map { reads.landed($0, value, bytes: bytes, freshness ?? minute, now: start + time) } ?? []
  }

  @Test("an answer is served fresh, then stale behind one refresh, then fetched anew; its age is told")
  func ages() {
    var reads = Reads()
    land(&reads, flight(read(&reads, at: .zero)), "one", at: .zero)
    #expect(seen(read(&reads, at: .seconds(59))) == .fresh("one", .seconds(59)))
    let stale = read(&reads, at: .seconds(60))
    #expect(seen(stale) == .stale("one", .seconds(60), refreshes: true))
    #expect(seen(read(&reads, at: .seconds(61))) == .stale("one", .seconds(61), refreshes: false))
    #expect(land(&reads, flight(stale), "two", at: .seconds(62)) == [])
    #expect(seen(read(&reads, at: .seconds(63))) == .fresh("two", .seconds(1)))
    #expect(seen(read(&reads, at: .seconds(62 + 3_600))) == .start)
  }

  @Test("ten thousand identical reads of a cold key start exactly one flight")
  func herd() throws {
    var reads = Reads()
    var started: [Flight] = []
    for waiter in 0..<10_000 {
      let answer = read(&reads, waiter: waiter, at: .zero)
      if case .start(let ticket) = answer { started.append(ticket.flight) } else { #expect(seen(answer) == .join) }
    }
    #expect(started.count == 1)
    #expect(land(&reads, started.first, "one", at: .milliseconds(80)) == Array(0..<10_000))
  }

  /// A thousand reads a second for two minutes; fetching takes 80 ms and fails between `outage`.
  func flightsUnderLoad(
    _ freshness: Freshness, outage: Range<Int> = 0..<0, sharing: Bool = true
  ) -> (flights: Int, unanswered: Int) {
    var reads = Reads()
    var flights = 0
    var unanswered = 0
    var landings: [(at: Int, flight: Flight)] = []
    for millisecond in 0..<120_000 {
      let now = Duration.milliseconds(millisecond)
      while let next = landings.first, next.at <= millisecond {
        landings.removeFirst()
        if outage.contains(millisecond) {
          unanswered += reads.failed(next.flight, freshness, now: start + now).count
        } else {
          land(&reads, next.flight, "v", freshness, at: now)
        }
      }
      let answer = read(&reads, sharing ? "k" : "k\(millisecond)", freshness, waiter: millisecond, at: now)
      if case .join = answer { continue }
      if case .resting = answer { unanswered += 1 }
      if let flight = flight(answer) {
        flights += 1
        landings.append((millisecond + 80, flight))
      }
    }
    return (flights, unanswered)
  }

  @Test("an expiry under a thousand reads a second makes one refresh")
  func expiryUnderLoad() {
    let result = flightsUnderLoad(Freshness(fresh: .seconds(10), stale: .seconds(60)))
    #expect(result.flights == 12, "one for the cold start, one every 10 s and 80 ms: \(result)")
    #expect(result.unanswered == 0)
  }

  @Test("control: without sharing a key every read is a flight")
  func control() {
    #expect(flightsUnderLoad(Freshness(fresh: .seconds(10), stale: .seconds(60)), sharing: false).flights == 120_000)
  }

  @Test("while the source is down, stale answers are served and it is asked once a second")
  func outage() {
    let result = flightsUnderLoad(Freshness(fresh: .seconds(10), stale: .seconds(60)), outage: 5_000..<55_000)
    #expect(result.unanswered == 0)
    #expect((40...65).contains(result.flights), "\(result)")
  }

  @Test("errors are not remembered, unless the contract says for how long")
  func failures() {
    var reads = Reads()
    let first = read(&reads, waiter: 7, at: .zero)
    #expect(flight(first).map { reads.failed($0, minute, now: start) } == [7])
    #expect(seen(read(&reads, at: .zero)) == .start)

    let cautious = Freshness(fresh: .seconds(60), stale: .seconds(60), failure: .seconds(2))
    var second = Reads()
    if let flight = flight(read(&second, "k", cautious, at: .zero)) { _ = second.failed(flight, cautious, now: start) }
    #expect(seen(read(&second, "k", cautious, at: .milliseconds(500))) == .resting(.milliseconds(1_500)))
    #expect(seen(read(&second, "k", cautious, at: .seconds(2))) == .start)
  }

  @Test("the last waiter to leave cancels the flight; its late answer is not kept")
  func cancelled() throws {
    var reads = Reads()
    var begun: FlightTicket?
    if case .start(let ticket) = read(&reads, at: .zero) { begun = ticket }
    let ticket = try need(begun)
    #expect(reads.leave(ticket) == .cancel(ticket.flight))
    #expect(land(&reads, ticket.flight, "late", at: .zero) == [])
    #expect(reads.count == 0)
  }

  @Test("what was under way during a write is given to its waiters and not kept")
  func invalidated() {
    var reads = Reads()
    land(&reads, flight(read(&reads, at: .zero)), "one", at: .zero)
    let refresh = flight(read(&reads, at: .seconds(100)))
    reads.invalidate("k")
    #expect(reads.count == 0 && reads.bytes == 0)
    let again = read(&reads, at: .seconds(100))
    #expect(seen(again) == .start)
    land(&reads, refresh, "before the write", at: .seconds(101))
    #expect(seen(read(&reads, at: .seconds(101))) == .join)
    land(&reads, flight(again), "after the write", at: .seconds(102))
    #expect(seen(read(&reads, at: .seconds(102))) == .fresh("after the write", .zero))
  }

  @Test("without freshness equal reads share a flight and nothing is kept")
  func nothingKept() {
    var reads = Reads()
    let first = read(&reads, "k", Freshness.none, waiter: 1, at: .zero)
    #expect(seen(read(&reads, "k", Freshness.none, waiter: 2, at: .zero)) == .join)
    #expect(land(&reads, flight(first), "one", Freshness.none, at: .zero) == [1, 2])
    #expect(reads.count == 0)
    #expect(seen(read(&reads, "k", Freshness.none, at: .zero)) == .start)
  }

  @Test("the answer used longest ago goes first when entries or bytes run out")
  func eviction() {
    var limits = Reads.Limits()
    limits.entriesMax = 3
    limits.entryOverhead = 0
    limits.bytesMax = 100
    limits.valueBytesMax = 60
    var reads = Reads(limits)
    for key in ["a", "b", "c"] { land(&reads, flight(read(&reads, key, at: .zero)), key, bytes: 20, at: .zero) }
    #expect(seen(read(&reads, "a", at: .zero)) == .fresh("a", .zero), "a is used again")
    land(&reads, flight(read(&reads, "d", at: .zero)), "d", bytes: 20, at: .zero)
    #expect(reads.count == 3 && reads.bytes == 60)
    #expect(seen(read(&reads, "a", at: .zero)) == .fresh("a", .zero))
    #expect(seen(read(&reads, "b", at: .zero)) == .start)
    land(&reads, flight(read(&reads, "e", at: .zero)), "e", bytes: 60, at: .zero)
    #expect(reads.bytes == 100 && reads.count == 3, "c went")
    #expect(seen(read(&reads, "c", at: .zero)) == .start)
    land(&reads, flight(read(&reads, "f", at: .zero)), "f", bytes: 61, at: .zero)
    #expect(seen(read(&reads, "f", at: .zero)) == .start, "one answer may not push out the rest")
  }

  @Test("when there is no room to coordinate, a caller works alone")
  func alone() {
    var limits = Reads.Limits()
    limits.flights.flightsMax = 1
    var reads = Reads(limits)
    #expect(seen(read(&reads, "a", at: .zero)) == .start)
    #expect(seen(read(&reads, "b", at: .zero)) == .alone)
  }

  @Test(
    "every waiter is answered, told or lets go, exactly once, and the bounds hold in any history", arguments: 1...20)
  func conservation(seed: UInt64) {
    var random = SeededRandom(seed: seed)
    var limits = Reads.Limits()
    limits.entriesMax = 5
    limits.bytesMax = 5_000
    limits.flights.flightsMax = 4
    var reads = Reads(limits)
    let freshness = Freshness(fresh: .seconds(1), stale: .seconds(3), failure: .milliseconds(200))
    var flights: [Flight] = []
    var tickets: [Int: FlightTicket] = [:]
    var waiter = 0
    var now = start
    func settle(_ waiters: [Int]) {
      for one in waiters { #expect(tickets.removeValue(forKey: one) != nil, "seed \(seed): told twice") }
    }
    for _ in 0..<3_000 {
      now = now + .milliseconds(Int.random(in: 0...100, using: &random))
      let key = "k\(Int.random(in: 0..<8, using: &random))"
      switch Int.random(in: 0..<10, using: &random) {
      case 0..<5:
        waiter += 1
        switch reads.read(key, freshness, waiter: waiter, deadline: now + .seconds(1), now: now) {
        case .start(let ticket):
          tickets[waiter] = ticket
          flights.append(ticket.flight)
        case .join(let ticket): tickets[waiter] = ticket
        case .stale(_, let age, let refresh):
          #expect(age < .seconds(3))
          if let refresh { flights.append(refresh) }
        case .fresh(_, let age): #expect(age < .seconds(1))
        case .resting, .alone: break
        }
      case 5, 6:
        guard !flights.isEmpty else { continue }
        let flight = flights.remove(at: Int.random(in: 0..<flights.count, using: &random))
        let size = Int.random(in: 0...2_000, using: &random)
        settle(
          Bool.random(using: &random)
            ? reads.landed(flight, "v", bytes: size, freshness, now: now) : reads.failed(flight, freshness, now: now))
      case 7:
        guard let flight = flights.randomElement(using: &random) else { continue }
        let overdue = reads.overdue(flight, now: now)
        settle(overdue.expired)
        if !overdue.flyAgain { flights.removeAll { $0 == flight } }
      case 8:
        guard let one = tickets.keys.sorted().randomElement(using: &random), let ticket = tickets[one] else { continue }
        tickets[one] = nil
        if case .cancel(let flight) = reads.leave(ticket) { flights.removeAll { $0 == flight } }
      default: reads.invalidate(key)
      }
      #expect(reads.count <= 5 && reads.bytes <= 5_000 && reads.bytes >= 0, "seed \(seed)")
    }
    for flight in flights { settle(reads.failed(flight, freshness, now: now)) }
    #expect(tickets.isEmpty, "seed \(seed): forgotten \(tickets.keys)")
    #expect(reads.flightCount == 0, "seed \(seed)")
  }
}
