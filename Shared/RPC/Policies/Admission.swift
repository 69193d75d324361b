package import Clocks

/// The door of a server: runs a call, lets it wait, or refuses it at once.
///
/// ```text
/// arrive ──► runs now ─────────────► finish ──► next: whoever waits, while there is room
///        └─► waits (AdmissionQueue) ──────────────┘
///        └─► refused: full, displaced, expired, waited
/// ```
package struct Admission<Call> {
  package typealias Queue = AdmissionQueue<Call>

  package enum Verdict {
    /// There is room: run it, and hand the ticket back when it ends.
    case run(ConcurrencyLimiter.Ticket)
    /// It stands in the queue, or `refuse` was called with it.
    case queued
  }

  package private(set) var limiter: ConcurrencyLimiter
  package private(set) var queue: Queue

  package init(_ limits: ConcurrencyLimiter.Limits, queue: Queue.Limits = .init(), kinds: Int = 1, now: Instant) {
    limiter = ConcurrencyLimiter(limits, kinds: kinds, now: now)
    self.queue = Queue(queue, now: now)
  }

  package mutating func arrive(
    _ call: Call, kind: Int = 0, priority: CallPriority, deadline: Instant, now: Instant,
    refuse: (Call, AdmissionRefusal) -> Void
  ) -> Verdict {
    if queue.count == 0, deadline > now, let ticket = limiter.start(kind: kind, now: now) { return .run(ticket) }
    offer(call, priority, deadline, now, refuse)
    return .queued
  }

  /// By itself, as the queue's type is looked up where it is called, and nearly no call waits.
  @inline(never)
  private mutating func offer(
    _ call: Call, _ priority: CallPriority, _ deadline: Instant, _ now: Instant,
    _ refuse: (Call, AdmissionRefusal) -> Void
  ) {
    queue.offer(call, priority: priority, deadline: deadline, capacity: limiter.limit, now: now, refuse: refuse)
  }

  /// Ends a call. Then ask for the next until there is none.
  package mutating func finish(_ ticket: ConcurrencyLimiter.Ticket, counts: Bool = true, now: Instant) {
    limiter.finish(ticket, counts: counts, now: now)
  }

  /// A waiting call for which there is room. `kind` tells its kind.
  package mutating func next(
    now: Instant, kind: (Call) -> Int = { _ in 0 }, refuse: (Call, AdmissionRefusal) -> Void
  ) -> (call: Call, ticket: ConcurrencyLimiter.Ticket)? {
    guard !queue.isEmpty, limiter.hasRoom, let call = queue.next(now: now, refuse: refuse) else { return nil }
    guard let ticket = limiter.start(kind: kind(call), now: now) else { return nil }
    return (call, ticket)
  }

  /// Refuses what waited too long; for a timer, because nothing else runs when no call finishes.
  package mutating func trim(now: Instant, refuse: (Call, AdmissionRefusal) -> Void) {
    queue.trim(now: now, refuse: refuse)
  }

  /// Takes out a waiting call whose caller left.
  package mutating func remove(where fits: (Call) -> Bool) -> Call? { queue.remove(where: fits) }
}
