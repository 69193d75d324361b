import Clocks
import Foundation
import RPC

/// An asynchronous server on one core in virtual time: calls arrive whether or not earlier ones were answered
/// (open loop), wait for an upstream, then share the core evenly. A refusal costs the core something too. Nobody
/// tells the server when a caller has given up.
struct OverloadSimulation {
  struct Work {
    var kind = 0
    /// Mean seconds of core, exponentially distributed.
    var core = 0.0
    /// Mean seconds at an upstream, give or take a fifth.
    var upstream = 0.0
    /// How often it comes beside the others.
    var weight = 1.0
  }

  struct Phase {
    var seconds: Double
    var callsPerSecond: Double
    var work: [Work]
  }

  struct Outcome {
    var arrived = 0
    /// Answered within the deadline.
    var good = 0
    var refused = 0
    var latencies: [Double] = []
    var limitMin = Int.max

    var p99: Double { latencies.sorted()[latencies.count * 99 / 100] }
  }

  private struct Call {
    var arrivedAt: UInt64
    var work: Work
    var ticket: ConcurrencyLimiter.Ticket?
  }

  private struct Waiting {
    var id: Int
    var kind: Int
  }

  /// Seconds until the caller gives up.
  var deadline = 0.25
  var refusalCost = 20e-6
  private var admission: Admission<Waiting>?
  private var random: SeededRandom
  private var calls: [Call] = []
  private var waiting = Heap()
  private var computing = Heap()
  /// Work done so far by each call that has been on the core since the beginning.
  private var share = 0.0
  /// Core time owed to refusals; the calls stand still meanwhile.
  private var owed = 0.0
  private var now = 1.0
  private var bins: [Outcome] = []

  /// - Parameter limits: nil lets everything in.
  init(limits: ConcurrencyLimiter.Limits?, kinds: Int = 1, seed: UInt64) {
    admission = limits.map { Admission($0, kinds: kinds, now: Instant(nanoseconds: 1_000_000_000)) }
    random = SeededRandom(seed: seed)
  }

  /// What happened in each half second, by the time of the answer.
  mutating func run(_ phases: [Phase]) -> [Outcome] {
    bins = Array(repeating: Outcome(), count: Int(phases.reduce(0) { $0 + $1.seconds } * 2) + 1)
    var phaseEnd = now
    for phase in phases {
      phaseEnd += phase.seconds
      var arrival = now + gap(phase.callsPerSecond)
      while min(arrival, nextEvent) < phaseEnd {
        if arrival <= nextEvent {
          advance(to: arrival)
          arrive(pick(phase.work))
          arrival = now + gap(phase.callsPerSecond)
        } else {
          advance(to: nextEvent)
          step()
        }
      }
      advance(to: phaseEnd)
    }
    return bins
  }

  private var instant: Instant { Instant(nanoseconds: UInt64(now * 1e9)) }
  private var bin: Int { min(Int((now - 1) * 2), bins.count - 1) }

  private var coreIsDone: Double {
    computing.first.map { now + owed + ($0.key - share) * Double(computing.count) } ?? .infinity
  }

  private var nextEvent: Double { max(now, min(waiting.first?.key ?? .infinity, coreIsDone)) }

  private mutating func gap(_ rate: Double) -> Double { -log(1 - Double.random(in: 0..<1, using: &random)) / rate }

  private mutating func pick(_ work: [Work]) -> Work {
    var mark = Double.random(in: 0..<work.reduce(0) { $0 + $1.weight }, using: &random)
    for one in work {
      mark -= one.weight
      if mark < 0 { return one }
    }
    return work[work.count - 1]
  }

  private mutating func advance(to time: Double) {
    let passed = time - now
    let useful = max(0, passed - owed)
    owed = max(0, owed - passed)
    if computing.count > 0 { share += useful / Double(computing.count) }
    now = time
  }

  private mutating func arrive(_ work: Work) {
    bins[bin].arrived += 1
    calls.append(Call(arrivedAt: instant.nanoseconds, work: work))
    let id = calls.count - 1
    guard admission != nil else { return begin(id) }
    var refused = 0
    let verdict = admission!.arrive(
      Waiting(id: id, kind: work.kind), kind: work.kind, priority: .read, deadline: instant + .seconds(deadline),
      now: instant
    ) { _, _ in refused += 1 }
    refuse(refused)
    guard case .run(let ticket) = verdict else { return }
    calls[id].ticket = ticket
    begin(id)
  }

  private mutating func refuse(_ count: Int) {
    owed += refusalCost * Double(count)
    bins[bin].refused += count
  }

  private mutating func begin(_ id: Int) {
    let work = calls[id].work
    guard work.upstream > 0 else { return compute(id) }
    waiting.push((now + work.upstream * Double.random(in: 0.8...1.2, using: &random), id))
  }

  private mutating func compute(_ id: Int) {
    let core = calls[id].work.core
    guard core > 0 else { return finish(id) }
    computing.push((share + core * -log(1 - Double.random(in: 0..<1, using: &random)), id))
  }

  private mutating func step() {
    if let first = waiting.first, first.key <= coreIsDone {
      _ = waiting.pop()
      compute(first.id)
    } else if let done = computing.pop() {
      finish(done.id)
    }
  }

  private mutating func finish(_ id: Int) {
    let latency = Double(instant.nanoseconds - calls[id].arrivedAt) / 1e9
    bins[bin].latencies.append(latency)
    if latency <= deadline { bins[bin].good += 1 }
    guard let ticket = calls[id].ticket else { return }
    admission!.finish(ticket, now: instant)
    bins[bin].limitMin = min(bins[bin].limitMin, admission!.limiter.limit)
    var refused = 0
    while let next = admission!.next(now: instant, kind: \.kind, refuse: { _, _ in refused += 1 }) {
      calls[next.call.id].ticket = next.ticket
      begin(next.call.id)
    }
    refuse(refused)
  }
}

/// Events in the order of their time.
struct Heap {
  private var items: [(key: Double, id: Int)] = []

  var count: Int { items.count }
  var first: (key: Double, id: Int)? { items.first }

  mutating func push(_ item: (key: Double, id: Int)) {
    items.append(item)
    var child = items.count - 1
    while child > 0, items[child].key < items[(child - 1) / 2].key {
      items.swapAt(child, (child - 1) / 2)
      child = (child - 1) / 2
    }
  }

  mutating func pop() -> (key: Double, id: Int)? {
    guard let first = items.first else { return nil }
    let last = items.removeLast()
    guard !items.isEmpty else { return first }
    items[0] = last
    var parent = 0
    while true {
      var least = parent
      for child in [2 * parent + 1, 2 * parent + 2] where child < items.count {
        if items[child].key < items[least].key { least = child }
      }
      guard least != parent else { return first }
      items.swapAt(parent, least)
      parent = least
    }
  }
}
