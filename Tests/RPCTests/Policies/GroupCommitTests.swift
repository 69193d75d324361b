import Clocks
import RPC
import Testing

/// Callers who write one thing after another into a database that commits in groups, in virtual time.
///
/// A write that comes alone takes one sync. One that comes while a sync is under way waits for its end and shares the
/// next one: twice as long, and that is no overload but what makes the groups large.
private struct GroupCommitSimulation {
  var callers: Int
  var sync: Duration
  /// What one write costs the writer beside the sync.
  var work: Duration = .microseconds(30)
  var groupMax = 64
  /// From an answer to the same caller's next write.
  var pause: Duration = .microseconds(200)
  /// How long the first caller is alone: what it learns in this time is the time of a lone write.
  var quiet: Duration
  /// After a refusal.
  var backoff: Duration = .milliseconds(100)

  struct Outcome {
    var acknowledged = 0
  }

  /// - Parameter limits: nil lets everything in.
  func run(limits: ConcurrencyLimiter.Limits?, for duration: Duration) -> Outcome {
    var now = Instant(nanoseconds: 1_000_000_000)
    let end = now + duration
    var admission = limits.map { Admission<Int>($0, now: now) }
    var outcome = Outcome()
    var tickets: [Int: ConcurrencyLimiter.Ticket] = [:]
    var arrivals = (0..<callers).map { (at: now + ($0 == 0 ? .zero : quiet) + .microseconds(17 * $0), id: $0) }
    var queue: [Int] = []
    var group: [Int] = []
    var groupEnds = Instant.distantFuture

    func next() -> Instant { min(arrivals.map(\.at).min() ?? .distantFuture, groupEnds) }
    while next() < end {
      now = next()
      var refused: [Int] = []
      if groupEnds <= now {
        for id in group {
          outcome.acknowledged += 1
          arrivals.append((now + pause, id))
          if let ticket = tickets.removeValue(forKey: id) { admission?.finish(ticket, now: now) }
        }
        (group, groupEnds) = ([], .distantFuture)
        while let (id, ticket) = admission?.next(now: now, refuse: { id, _ in refused.append(id) }) {
          tickets[id] = ticket
          queue.append(id)
        }
      }
      for (_, id) in arrivals.filter({ $0.at <= now }).sorted(by: { $0.id < $1.id }) {
        guard admission != nil else {
          queue.append(id)
          continue
        }
        let verdict = admission!.arrive(id, priority: .write, deadline: now + .seconds(10), now: now) { id, _ in
          refused.append(id)
        }
        if case .run(let ticket) = verdict {
          tickets[id] = ticket
          queue.append(id)
        }
      }
      arrivals.removeAll { $0.at <= now }
      admission?.trim(now: now) { id, _ in refused.append(id) }
      arrivals += refused.map { (now + backoff, $0) }
      if group.isEmpty, !queue.isEmpty {
        group = Array(queue.prefix(groupMax))
        queue.removeFirst(group.count)
        groupEnds = now + sync + work * group.count
      }
    }
    return outcome
  }
}

@Suite("The limiter before a database that commits in groups")
struct GroupCommitTests {
  private func share(_ simulation: GroupCommitSimulation, _ limits: ConcurrencyLimiter.Limits) -> Double {
    let free = simulation.run(limits: nil, for: .seconds(4))
    return Double(simulation.run(limits: limits, for: .seconds(4)).acknowledged) / Double(free.acknowledged)
  }

  @Test("takes nothing from the writes that share their syncs, busy from the start or after a quiet time")
  func unthrottled() {
    for (sync, callers) in [(5, 8), (5, 64), (20, 64), (20, 128)] {
      for quiet in [0, 1] {
        let simulation = GroupCommitSimulation(callers: callers, sync: .milliseconds(sync), quiet: .seconds(quiet))
        let share = share(simulation, .init(cores: 2))
        #expect(share >= 0.9, "\(share) of what is written without it: \(callers) callers, \(sync) ms, \(quiet) s")
      }
    }
  }

  @Test("control: a limit that does not grow makes the groups small, and loses most writes")
  func control() {
    let simulation = GroupCommitSimulation(callers: 64, sync: .milliseconds(20), quiet: .zero)
    let share = share(simulation, .init(cores: 1, ceiling: 8))
    #expect(share < 0.5, "\(share)")
  }
}
