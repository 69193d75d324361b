package import Clocks
package import Contracts

/// What a new reading of a cinema's day changes in the published one.
nonisolated package struct ScheduleDiff: Hashable, Sendable {
  /// What is published from now on, by start.
  package private(set) var showtimes: [Showtime] = []
  package private(set) var added: [ShowtimeID] = []
  /// Cancelled, moved to another day or corrected away.
  package private(set) var removed: [ShowtimeID] = []
  package private(set) var changed: [ShowtimeChange] = []
  /// Rows that differ though nobody needs to be told: seats that were sold.
  package private(set) var isTouched = false

  package var isEmpty: Bool { added.isEmpty && removed.isEmpty && changed.isEmpty }

  /// Why showings may be gone.
  package enum Reason: Sendable {
    /// The source was read: what is gone and was to come is cancelled.
    case read
    /// The same pages were read by better rules: what is gone never was.
    case corrected
  }

  /// - Parameters:
  ///   - old: what is published for the day, and what is listed in `new` though published for another.
  ///   - movedAway: what `old` has and another day's `new` lists.
  ///   - new: as read, with `firstSeen` and `lastSeen` of now.
  package init(old: [Showtime], new: [Showtime], movedAway: Set<ShowtimeID> = [], now: WallTime, reason: Reason = .read)
  {
    var before = Dictionary(old.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
    for fresh in new {
      if let known = before.removeValue(forKey: fresh.id) { keep(known, as: fresh) } else { add(fresh) }
    }
    for gone in before.values.sorted(by: Showtime.precedes) { drop(gone, movedAway, now, reason) }
    showtimes.sort(by: Showtime.precedes)
  }

  mutating func restamp(_ revision: (Showtime) -> Int64) {
    for index in showtimes.indices { showtimes[index].revision = revision(showtimes[index]) }
  }

  private mutating func add(_ fresh: Showtime) {
    showtimes.append(fresh)
    added.append(fresh.id)
  }

  private mutating func keep(_ known: Showtime, as fresh: Showtime) {
    var next = fresh
    next.firstSeen = known.firstSeen
    next.changes = known.changes
    next.revision = known.revision
    let steps = Self.steps(from: known, to: fresh)
    if steps.isEmpty {
      if known.seats != fresh.seats { isTouched = true }
    } else {
      next.changes = (known.changes ?? 0) + 1
      changed += steps
    }
    showtimes.append(next)
  }

  private mutating func drop(_ gone: Showtime, _ movedAway: Set<ShowtimeID>, _ now: WallTime, _ reason: Reason) {
    if movedAway.contains(gone.id) {
      removed.append(gone.id)
    } else if gone.startsAt <= now || gone.state == .cancelled {
      showtimes.append(gone)
    } else if reason == .corrected {
      removed.append(gone.id)
    } else {
      var cancelled = gone
      cancelled.state = .cancelled
      cancelled.changes = (gone.changes ?? 0) + 1
      showtimes.append(cancelled)
      removed.append(gone.id)
      changed.append(ShowtimeChange(id: gone.id, kind: .cancelled, film: gone.film, before: gone.spokenTime))
    }
  }

  /// What people would call the difference; seats that are counted down are none.
  private static func steps(from old: Showtime, to new: Showtime) -> [ShowtimeChange] {
    func step(_ kind: ShowtimeChangeKind, _ before: String? = nil, _ after: String? = nil) -> ShowtimeChange {
      ShowtimeChange(id: new.id, kind: kind, film: new.film, before: before, after: after)
    }
    var steps: [ShowtimeChange] = []
    if old.startsAt != new.startsAt || old.serviceDate != new.serviceDate {
      steps.append(step(.moved, old.spokenTime, new.spokenTime))
    }
    if old.screen != new.screen { steps.append(step(.screen, old.screen, new.screen)) }
    let (wasSoldOut, isSoldOut) = (old.seats?.state == .soldOut, new.seats?.state == .soldOut)
    if wasSoldOut != isSoldOut { steps.append(step(isSoldOut ? .soldOut : .available)) }
    var rest = old
    (rest.startsAt, rest.serviceDate, rest.displayTime) = (new.startsAt, new.serviceDate, new.displayTime)
    (rest.screen, rest.firstSeen, rest.lastSeen) = (new.screen, new.firstSeen, new.lastSeen)
    (rest.changes, rest.revision, rest.seats) = (new.changes, new.revision, new.seats)
    // A film's end moves with its start.
    if !steps.isEmpty { rest.endsAt = new.endsAt }
    let isFew = (old.seats?.state == .few, new.seats?.state == .few)
    if rest != new || (wasSoldOut == isSoldOut && isFew.0 != isFew.1) {
      let isBack = old.state == .cancelled && new.state == .scheduled
      steps.append(isBack ? step(.details, "cancelled", "scheduled") : step(.details))
    }
    return steps
  }
}

nonisolated extension Showtime {
  /// The order of a programme.
  package static func precedes(_ left: Showtime, _ right: Showtime) -> Bool {
    (left.startsAt, left.id) < (right.startsAt, right.id)
  }

  /// `2026-11-23 24:30`.
  var spokenTime: String { "\(serviceDate) \(displayTime)" }
}
