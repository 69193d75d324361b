package import Clocks

/// Names one flight; that of an earlier flight in the same place is not mistaken for it.
package struct Flight: Hashable, Sendable {
  fileprivate var place: UInt32
  fileprivate var generation: UInt32
}

/// A waiter's seat on a flight, to leave it by.
package struct FlightTicket: Hashable, Sendable {
  package var flight: Flight
  fileprivate var seat: Int
}

/// Single flight: equal reads that arrive while one is under way wait for its answer instead of running too.
///
/// The work has the time of those who wait when it begins, is done again for those who came later and have more, and is
/// cancelled when the last one leaves.
package struct FlightTable<Key: Hashable, Waiter> {
  package struct Limits: Hashable, Sendable {
    /// Different reads under way at once; as many as streams on four connections.
    package var flightsMax = 4_096
    /// Callers of one answer: a crowd at a popular film, times ten.
    package var waitersMax = 100_000

    package init() {}
  }

  package enum Answer: Hashable, Sendable {
    /// Nobody is at it: do the work.
    case start(FlightTicket)
    /// Somebody is: wait.
    case join(FlightTicket)
    /// The table is full: do the work alone.
    case full
  }

  package enum Departure: Hashable, Sendable {
    /// Others still wait, or the flight is over.
    case stays
    /// Nobody waits any more: cancel the work.
    case cancel(Flight)
  }

  /// What becomes of a flight whose time was up.
  package struct Overdue {
    /// Those whose own time is up too.
    package var expired: [Waiter]
    /// Set if others have time left, because they came later: do the work again.
    package var flyAgain: Bool
  }

  private struct Entry {
    var key: Key?
    /// Each with its own deadline; a seat is empty once its waiter left.
    var seats: [(waiter: Waiter, deadline: Instant)?] = []
    var waiting = 0
    var deadline: Instant
    /// The deadline the work was last begun with.
    var begunWith: Instant
    /// A refresh goes on when nobody waits.
    var isUnattended: Bool
  }

  private let limits: Limits
  private var flights: [Key: Flight] = [:]
  private var entries: [Entry?] = []
  private var generations: [UInt32] = []
  private var free: [UInt32] = []

  package init(_ limits: Limits = Limits()) { self.limits = limits }

  /// Flights under way.
  package var count: Int { entries.count - free.count }

  package func flight(of key: Key) -> Flight? { flights[key] }

  package func key(of flight: Flight) -> Key? { place(of: flight).flatMap { entries[$0]?.key } }

  package func waiters(of flight: Flight) -> Int { place(of: flight).flatMap { entries[$0]?.waiting } ?? 0 }

  /// Until when somebody waits for the work: the latest of its waiters' deadlines. Nil if the flight is over.
  package func deadline(of flight: Flight) -> Instant? { place(of: flight).flatMap { entries[$0]?.deadline } }

  package mutating func board(_ key: Key, waiter: Waiter, deadline: Instant) -> Answer {
    guard let flight = flights[key] else {
      guard let flight = takeOff(key, deadline: deadline, isUnattended: false) else { return .full }
      return .start(seat(waiter, deadline: deadline, on: flight))
    }
    guard entries[Int(flight.place)]!.seats.count < limits.waitersMax else { return .full }
    return .join(seat(waiter, deadline: deadline, on: flight))
  }

  /// Begins work that nobody waits for; nil if it is already under way or the table is full.
  package mutating func refresh(_ key: Key, deadline: Instant) -> Flight? {
    flights[key] == nil ? takeOff(key, deadline: deadline, isUnattended: true) : nil
  }

  /// Ends a flight: its waiters, in the order they came. Nobody, if it is over already.
  package mutating func land(_ flight: Flight) -> [Waiter] { end(flight)?.seats.compactMap { $0?.waiter } ?? [] }

  /// Ends a flight whose work ran out of time, unless some of its waiters have time left.
  package mutating func overdue(_ flight: Flight, now: Instant) -> Overdue {
    guard let place = place(of: flight), entries[place]!.deadline > max(now, entries[place]!.begunWith) else {
      return Overdue(expired: land(flight), flyAgain: false)
    }
    var expired: [Waiter] = []
    for seat in entries[place]!.seats.indices {
      guard let one = entries[place]!.seats[seat], one.deadline <= now else { continue }
      expired.append(one.waiter)
      entries[place]!.seats[seat] = nil
      entries[place]!.waiting -= 1
    }
    entries[place]!.begunWith = entries[place]!.deadline
    return Overdue(expired: expired, flyAgain: true)
  }

  /// Takes a waiter off, because it was cancelled or its own deadline passed.
  package mutating func leave(_ ticket: FlightTicket) -> Departure {
    guard let place = place(of: ticket.flight), entries[place]!.seats[ticket.seat] != nil else { return .stays }
    entries[place]!.seats[ticket.seat] = nil
    entries[place]!.waiting -= 1
    guard entries[place]!.waiting == 0, !entries[place]!.isUnattended else { return .stays }
    _ = end(ticket.flight)
    return .cancel(ticket.flight)
  }

  /// Lets the flight of a key land for those who wait, while new readers start another: what it brings is out of date.
  package mutating func detach(_ key: Key) {
    guard let flight = flights.removeValue(forKey: key) else { return }
    entries[Int(flight.place)]!.key = nil
  }

  /// The same of every key.
  package mutating func detachAll() {
    for key in Array(flights.keys) { detach(key) }
  }

  /// Where a flight is, if it is not over. Entries are changed in place: a copy would copy all its seats.
  private func place(of flight: Flight) -> Int? {
    let place = Int(flight.place)
    return generations[place] == flight.generation ? place : nil
  }

  private mutating func takeOff(_ key: Key, deadline: Instant, isUnattended: Bool) -> Flight? {
    guard count < limits.flightsMax else { return nil }
    let place = free.popLast() ?? UInt32(entries.count)
    if Int(place) == entries.count {
      entries.append(nil)
      generations.append(0)
    }
    entries[Int(place)] = Entry(key: key, deadline: deadline, begunWith: deadline, isUnattended: isUnattended)
    let flight = Flight(place: place, generation: generations[Int(place)])
    flights[key] = flight
    return flight
  }

  private mutating func seat(_ waiter: Waiter, deadline: Instant, on flight: Flight) -> FlightTicket {
    let place = Int(flight.place)
    entries[place]!.seats.append((waiter, deadline))
    entries[place]!.waiting += 1
    entries[place]!.deadline = max(entries[place]!.deadline, deadline)
    return FlightTicket(flight: flight, seat: entries[place]!.seats.count - 1)
  }

  private mutating func end(_ flight: Flight) -> Entry? {
    guard let place = place(of: flight), let entry = entries[place].take() else { return nil }
    generations[place] &+= 1
    free.append(flight.place)
    if let key = entry.key { flights[key] = nil }
    return entry
  }
}
