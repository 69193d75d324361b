package import Clocks

/// How long an answer serves, as the contract of a read declares it.
package struct Freshness: Hashable, Sendable {
  /// Up to this age it is served as it is.
  package var fresh: Duration
  /// Up to this age it is served while a new one is fetched behind it.
  package var stale: Duration
  /// How long a failure with nothing to serve keeps the next attempt away. Zero: errors are never remembered.
  package var failure: Duration

  package init(fresh: Duration, stale: Duration, failure: Duration = .zero) {
    self.fresh = fresh
    self.stale = max(fresh, stale)
    self.failure = failure
  }

  /// Equal reads share one flight, nothing is kept.
  package static let none = Freshness(fresh: .zero, stale: .zero)
}

/// Answers that are kept, fetched once however many ask, and renewed behind a stale one.
///
/// A state machine without I/O: it says what to do, the caller does it and tells how it went.
package struct CachedReads<Key: Hashable, Value, Waiter> {
  package struct Limits: Hashable, Sendable {
    package var entriesMax = 10_000
    /// What the values say they weigh, plus `entryOverhead` each.
    package var bytesMax = 64 << 20
    /// One answer may not push out everything else.
    package var valueBytesMax = 4 << 20
    /// Key, table and links of one entry, roughly.
    package var entryOverhead = 256
    /// How long after a failed refresh a stale answer is served without another try.
    package var refreshPause: Duration = .seconds(1)
    /// The time a refresh has, since no caller gives it one.
    package var refreshDeadline: Duration = .seconds(10)
    package var flights = FlightTable<Key, Waiter>.Limits()

    package init() {}
  }

  package enum Answer {
    /// Serve it.
    case fresh(Value, age: Duration)
    /// Serve it; and if there is a flight, do its work for those to come.
    case stale(Value, age: Duration, refresh: Flight?)
    /// Do the work; the waiter is on the flight.
    case start(FlightTicket)
    /// Wait for the work that is under way.
    case join(FlightTicket)
    /// It just failed: refuse.
    case resting(retryAfter: Duration)
    /// No room to coordinate: do the work for this caller alone.
    case alone
  }

  private struct Entry {
    var value: Value?
    var weight: Int
    var storedAt: Instant
    var restsUntil: Instant
  }

  private let limits: Limits
  private var flights: FlightTable<Key, Waiter>
  private var entries = RecencyMap<Key, Entry>()
  package private(set) var bytes = 0

  package init(_ limits: Limits = Limits()) {
    self.limits = limits
    flights = FlightTable(limits.flights)
  }

  package var count: Int { entries.count }
  package var flightCount: Int { flights.count }

  package func deadline(of flight: Flight) -> Instant? { flights.deadline(of: flight) }

  package mutating func read(
    _ key: Key, _ freshness: Freshness, waiter: Waiter, deadline: Instant, now: Instant
  ) -> Answer {
    if let entry = entries.use(key) {
      let age = now - entry.storedAt
      if let value = entry.value, age < freshness.fresh { return .fresh(value, age: age) }
      if let value = entry.value, age < freshness.stale {
        let mayRefresh = entry.restsUntil <= now
        let refresh = mayRefresh ? flights.refresh(key, deadline: now + limits.refreshDeadline) : nil
        return .stale(value, age: age, refresh: refresh)
      }
      if freshness.failure > .zero, entry.restsUntil > now, flights.flight(of: key) == nil {
        return .resting(retryAfter: entry.restsUntil - now)
      }
    }
    return switch flights.board(key, waiter: waiter, deadline: deadline) {
    case .start(let ticket): .start(ticket)
    case .join(let ticket): .join(ticket)
    case .full: .alone
    }
  }

  /// The work is done: keeps the value if it is worth keeping, and names those to answer.
  package mutating func landed(
    _ flight: Flight, _ value: Value, bytes size: Int, _ freshness: Freshness, now: Instant
  ) -> [Waiter] {
    // A detached flight has no key: what it brings is older than a write.
    if let key = flights.key(of: flight), freshness.stale > .zero, size <= limits.valueBytesMax {
      let weight = max(0, size) + limits.entryOverhead
      store(key, Entry(value: value, weight: weight, storedAt: now, restsUntil: now))
    }
    return flights.land(flight)
  }

  /// The work failed: names those to tell. A stale value stays, and serves for as long as it may.
  package mutating func failed(_ flight: Flight, _ freshness: Freshness, now: Instant) -> [Waiter] {
    if let key = flights.key(of: flight) {
      let refreshRest = now + max(limits.refreshPause, freshness.failure)
      let known: Void? = entries.update(key) { $0.restsUntil = $0.value == nil ? now + freshness.failure : refreshRest }
      if known == nil, freshness.failure > .zero {
        store(
          key, Entry(value: nil, weight: limits.entryOverhead, storedAt: now, restsUntil: now + freshness.failure))
      }
    }
    return flights.land(flight)
  }

  /// The work ran out of time: those whose time is up too, and whether to do it again for those who came later.
  package mutating func overdue(_ flight: Flight, now: Instant) -> FlightTable<Key, Waiter>.Overdue {
    flights.overdue(flight, now: now)
  }

  /// A waiter was cancelled, or its deadline passed.
  package mutating func leave(_ ticket: FlightTicket) -> FlightTable<Key, Waiter>.Departure { flights.leave(ticket) }

  /// Something was written: the kept answer and the one under way are out of date.
  package mutating func invalidate(_ key: Key) {
    if let entry = entries.remove(key) { bytes -= entry.weight }
    flights.detach(key)
  }

  /// The same of every key.
  package mutating func invalidateAll() {
    entries = RecencyMap()
    bytes = 0
    flights.detachAll()
  }

  private mutating func store(_ key: Key, _ entry: Entry) {
    if let previous = entries.set(key, to: entry) { bytes -= previous.weight }
    bytes += entry.weight
    while entries.count > limits.entriesMax || bytes > limits.bytesMax, let eldest = entries.removeEldest() {
      bytes -= eldest.weight
    }
  }
}
