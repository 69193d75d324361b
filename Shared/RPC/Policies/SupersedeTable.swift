package import Clocks

/// Which request of a session and slot is the newest: a newer one cancels the older ones, an older one that arrives
/// late is refused. A pane that shows the film of the moment wants no other answer than the latest.
///
/// Calls with the same number belong together (one page often asks a service several times) and live side by side.
/// Reads only: a write that was cancelled half way would leave its caller guessing.
package struct SupersedeTable<Key: Hashable, Call: Equatable> {
  package struct Limits: Hashable, Sendable {
    /// Panes that are remembered: two thousand sessions with five each, about a megabyte.
    package var keysMax = 10_000
    /// Calls of one number that a newer one can cancel; more run unlinked.
    package var callsMax = 64
    /// How long a number is remembered after its calls ended. Longer than any deadline, so that none can arrive later.
    package var memory: Duration = .seconds(60)

    package init() {}
  }

  package enum Verdict {
    /// Run it; those it replaces are to be cancelled with SUPERSEDED.
    case run(cancelling: [Call])
    /// A newer one was here: refuse with SUPERSEDED.
    case superseded(by: UInt64)
    /// Only reads may be superseded.
    case notARead
  }

  private struct Entry {
    var sequence: UInt64
    var calls: [Call]
    var lastUsed: Instant
  }

  private let limits: Limits
  private var entries = RecencyMap<Key, Entry>()

  package init(_ limits: Limits = Limits()) { self.limits = limits }

  package var count: Int { entries.count }

  package mutating func arrive(_ key: Key, sequence: UInt64, call: Call, isRead: Bool, now: Instant) -> Verdict {
    guard isRead else { return .notARead }
    forget(now: now)
    let callsMax = limits.callsMax
    let verdict = entries.update(key) { entry -> Verdict in
      entry.lastUsed = now
      guard sequence >= entry.sequence else { return .superseded(by: entry.sequence) }
      guard sequence > entry.sequence else {
        if entry.calls.count < callsMax { entry.calls.append(call) }
        return .run(cancelling: [])
      }
      let older = entry.calls
      entry.sequence = sequence
      entry.calls = [call]
      return .run(cancelling: older)
    }
    if let verdict { return verdict }
    if entries.count >= limits.keysMax { evict() }
    entries.set(key, to: Entry(sequence: sequence, calls: [call], lastUsed: now))
    return .run(cancelling: [])
  }

  /// Ends a call. Its number stays, to refuse what is older.
  package mutating func finish(_ key: Key, call: Call, now: Instant) {
    _ = entries.update(key) { entry in
      entry.lastUsed = now
      if let place = entry.calls.firstIndex(of: call) { entry.calls.remove(at: place) }
    }
  }

  /// Two for each arrival, so that the table shrinks faster than it grows.
  private mutating func forget(now: Instant) {
    for _ in 0..<2 {
      guard let eldest = entries.eldest, eldest.value.calls.isEmpty, now - eldest.value.lastUsed >= limits.memory
      else { return }
      entries.remove(eldest.key)
    }
  }

  /// Preferably one without running calls; else the oldest, whose calls then run to their end.
  private mutating func evict() {
    let idle = entries.oldest(among: 16) { $0.calls.isEmpty }
    if let key = idle ?? entries.eldest?.key { entries.remove(key) }
  }
}
