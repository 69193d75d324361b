package import Clocks

/// Calls that wait for room: few, briefly, the important ones first.
///
/// A queue that has not been empty for 100 ms is not a burst but overload. Then a wait of 5 ms is the most that is
/// worth while (CoDel), and the newest goes first: its caller is still there, the oldest's has probably left.
package struct AdmissionQueue<Call> {
  package struct Limits: Hashable, Sendable {
    /// The longest a call waits while the queue merely evens out bursts, and how long a queue may stand before it
    /// counts as overload.
    package var interval: Duration = .milliseconds(100)
    /// The longest wait under overload.
    package var target: Duration = .milliseconds(5)

    package init() {}
  }

  private struct Entry {
    var call: Call
    var since: UInt64
    var deadline: UInt64
  }

  private let limits: Limits
  /// One lane a priority, the highest first.
  private var lanes = [Ring<Entry>](repeating: Ring(), count: CallPriority.allCases.count)
  private var lastEmpty: UInt64
  package private(set) var count = 0

  package init(_ limits: Limits = Limits(), now: Instant) {
    self.limits = limits
    lastEmpty = now.nanoseconds
  }

  package var isEmpty: Bool { count == 0 }

  package func isOverloaded(now: Instant) -> Bool {
    count > 0 && now.nanoseconds - lastEmpty >= UInt64(limits.interval.saturatedNanoseconds)
  }

  /// Lets a call wait, or refuses it or one that matters less. At most `capacity` wait.
  package mutating func offer(
    _ call: Call, priority: CallPriority, deadline: Instant, capacity: Int, now: Instant,
    refuse: (Call, AdmissionRefusal) -> Void
  ) {
    guard deadline > now else { return refuse(call, .expired) }
    if count == 0 { lastEmpty = now.nanoseconds }
    if count >= capacity { trim(now: now, refuse: refuse) }
    if count >= capacity, let lane = laneToDisplace(for: priority, now: now) {
      guard let loser = lanes[lane].popFirst() else { return refuse(call, .full) }
      count -= 1
      refuse(loser.call, .displaced)
    }
    guard count < capacity else { return refuse(call, .full) }
    lanes[Int(priority.rawValue)].append(
      Entry(call: call, since: now.nanoseconds, deadline: deadline.nanoseconds))
    count += 1
  }

  /// The call to run next. Those that are past saving are refused on the way.
  package mutating func next(now: Instant, refuse: (Call, AdmissionRefusal) -> Void) -> Call? {
    let isOverloaded = isOverloaded(now: now)
    let patience = patience(isOverloaded)
    for lane in lanes.indices {
      while let entry = isOverloaded ? lanes[lane].popLast() : lanes[lane].popFirst() {
        count -= 1
        if let refusal = refusal(of: entry, patience: patience, now: now) {
          refuse(entry.call, refusal)
        } else {
          if count == 0 { lastEmpty = now.nanoseconds }
          return entry.call
        }
      }
    }
    lastEmpty = now.nanoseconds
    return nil
  }

  /// Refuses the calls at the old end that are past saving. Call it now and then: when nothing finishes, nothing
  /// else would tell them.
  package mutating func trim(now: Instant, refuse: (Call, AdmissionRefusal) -> Void) {
    let patience = patience(isOverloaded(now: now))
    for lane in lanes.indices {
      while let oldest = lanes[lane].first, let refusal = refusal(of: oldest, patience: patience, now: now) {
        _ = lanes[lane].popFirst()
        count -= 1
        refuse(oldest.call, refusal)
      }
    }
    if count == 0 { lastEmpty = now.nanoseconds }
  }

  /// Takes out a call whose caller left. Linear, which a bounded queue can afford.
  package mutating func remove(where fits: (Call) -> Bool) -> Call? {
    for lane in lanes.indices {
      guard let entry = lanes[lane].remove(where: { fits($0.call) }) else { continue }
      count -= 1
      return entry.call
    }
    return nil
  }

  private func patience(_ isOverloaded: Bool) -> UInt64 {
    UInt64((isOverloaded ? limits.target : limits.interval).saturatedNanoseconds)
  }

  private func refusal(of entry: Entry, patience: UInt64, now: Instant) -> AdmissionRefusal? {
    if entry.deadline <= now.nanoseconds { return .expired }
    return now.nanoseconds - entry.since > patience ? .waited : nil
  }

  /// Less important calls go first; among equals the older one, and only under overload.
  private func laneToDisplace(for priority: CallPriority, now: Instant) -> Int? {
    let own = Int(priority.rawValue)
    let end = isOverloaded(now: now) ? own : own + 1
    return lanes.indices.last { $0 >= end && !lanes[$0].isEmpty }
  }
}

/// Whose turn comes first. Strict: a lower one waits while a higher one does.
package enum CallPriority: UInt8, Comparable, Sendable, CaseIterable {
  case admin, write, read, prefetch

  package static func < (left: CallPriority, right: CallPriority) -> Bool { left.rawValue > right.rawValue }
}

/// Why a call was not run. It never was: whoever sent it may send it again.
package enum AdmissionRefusal: String, Sendable, CaseIterable {
  case full = "the queue is full"
  case displaced = "a more important or a newer call took its place"
  case expired = "its deadline passed while it waited"
  case waited = "it waited too long under overload"
}
