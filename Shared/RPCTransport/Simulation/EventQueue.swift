import Clocks

/// What happens at which instant, in the order of time and then of scheduling: a heap.
struct EventQueue {
  private struct Event {
    var due: UInt64
    var serial: UInt64
    var body: () -> Void

    func isBefore(_ other: Event) -> Bool { (due, serial) < (other.due, other.serial) }
  }

  private var events: [Event] = []
  private var serial: UInt64 = 0

  var due: Instant? { events.first.map { Instant(nanoseconds: $0.due) } }

  mutating func add(at due: Instant, _ body: @escaping () -> Void) {
    serial += 1
    events.append(Event(due: due.nanoseconds, serial: serial, body: body))
    var child = events.count - 1
    while child > 0, events[child].isBefore(events[(child - 1) / 2]) {
      events.swapAt(child, (child - 1) / 2)
      child = (child - 1) / 2
    }
  }

  mutating func next(upTo now: Instant) -> (() -> Void)? {
    guard let first = events.first, first.due <= now.nanoseconds, let last = events.popLast() else { return nil }
    guard !events.isEmpty else { return first.body }
    events[0] = last
    var parent = 0
    while true {
      var least = parent
      for child in [2 * parent + 1, 2 * parent + 2] where child < events.count && events[child].isBefore(events[least])
      {
        least = child
      }
      guard least != parent else { return first.body }
      events.swapAt(parent, least)
      parent = least
    }
  }
}
