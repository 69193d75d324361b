package import Clocks

/// Whether an endpoint answers well enough to get calls: five failures in a row or fewer than four successes in five
/// take it out, one probe at a time lets it back in.
///
/// ```text
///           5 in a row, or < 80 % of ≥ 20 in 5 to 10 s           5 s, 10 s, … 300 s pass
/// healthy ───────────────────────────────────────────► ejected ──────────────────────────► half-open
///    ▲                                                    ▲                                  │  one probe
///    └──────────────────────── it succeeded ──────────────┴──────── it failed ◄──────────────┘
/// ```
package struct OutlierEjection: Sendable {
  package struct Limits: Hashable, Sendable {
    package var failuresInARow = 5
    package var successShareMin = 0.8
    /// Fewer calls than this make no share.
    package var callsMin = 20
    /// Calls count for one to two of these.
    package var halfWindow: Duration = .seconds(5)
    /// Each ejection is twice as long as the one before.
    package var first: Duration = .seconds(5)
    package var longest: Duration = .seconds(300)

    package init() {}
  }

  package enum State: Hashable, Sendable {
    case healthy
    case ejected(until: Instant)
    /// Its time is over; nobody has tried it yet.
    case halfOpen
    /// The one call that decides is under way.
    case probing
  }

  private struct Tally {
    var calls = 0
    var successes = 0
  }

  private let limits: Limits
  private var stored = State.healthy
  private var failuresInARow = 0
  private var current = Tally()
  private var previous = Tally()
  private var turnEnd = Instant(nanoseconds: 0)
  private var lastEjection = Duration.zero
  private var healthySince = Instant(nanoseconds: 0)

  package init(_ limits: Limits = Limits()) { self.limits = limits }

  /// Whether it gets ordinary calls. Time alone does not change that, a probe does.
  package var isHealthy: Bool { stored == .healthy }

  package func state(now: Instant) -> State {
    if case .ejected(let until) = stored, until <= now { .halfOpen } else { stored }
  }

  /// Counts an ordinary call; true if the endpoint should be ejected. The owner decides, who knows whether it is the
  /// last. Calls that began before an ejection do not count.
  package mutating func record(success: Bool, now: Instant) -> Bool {
    guard stored == .healthy else { return false }
    roll(to: now)
    current.calls += 1
    if success {
      current.successes += 1
      failuresInARow = 0
    } else {
      failuresInARow += 1
    }
    let calls = current.calls + previous.calls
    let successes = Double(current.successes + previous.successes)
    let isPoor = calls >= limits.callsMin && successes < limits.successShareMin * Double(calls)
    return !success && (failuresInARow >= limits.failuresInARow || isPoor)
  }

  package mutating func eject(now: Instant) {
    // Bad news after a long good time is news; shortly after the last it is the same again.
    let isRepeat = lastEjection > .zero && (stored != .healthy || now - healthySince < lastEjection + lastEjection)
    lastEjection = isRepeat ? min(lastEjection + lastEjection, limits.longest) : limits.first
    stored = .ejected(until: now + lastEjection)
    forget()
  }

  /// Takes the only place for a probe; false if there is none.
  package mutating func beginProbe(now: Instant) -> Bool {
    guard state(now: now) == .halfOpen else { return false }
    stored = .probing
    return true
  }

  /// Ends a probe. Nil: it was cancelled or shed and proved nothing; the next call may try.
  package mutating func endProbe(success: Bool?, now: Instant) {
    guard stored == .probing else { return }
    switch success {
    case true?:
      stored = .healthy
      healthySince = now
      forget()
    case false?: eject(now: now)
    case nil: stored = .ejected(until: now)
    }
  }

  private mutating func forget() {
    failuresInARow = 0
    current = Tally()
    previous = Tally()
  }

  private mutating func roll(to now: Instant) {
    guard now >= turnEnd else { return }
    previous = now - turnEnd < limits.halfWindow ? current : Tally()
    current = Tally()
    turnEnd = now + limits.halfWindow
  }
}
