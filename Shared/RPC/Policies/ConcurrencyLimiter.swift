package import Clocks

/// How many calls may run at once, learned from how long they take.
///
/// Every call that ran alone or nearly so teaches what its kind costs unloaded. While calls take about that long the
/// limit grows; when half of them take half as long again, it is cut. What others learned the hard way is built in:
/// - a fast handler's noise is not overload: the first two milliseconds of delay do not count, and a floor holds;
/// - cuts that do not shorten the calls are taken back: the delay is not ours, so it becomes the new normal (a slow
///   upstream must not strangle us);
/// - the limit moves only while it matters, so a quiet hour leaves room for a burst;
/// - kinds of call (methods) differ by orders of magnitude, so each is compared with itself.
package struct ConcurrencyLimiter: Sendable {
  package struct Limits: Hashable, Sendable {
    /// Below this nothing is gained: it keeps every core busy while some calls wait for others.
    package var floor: Int
    /// Above this memory, not time, is what runs out.
    package var ceiling: Int
    /// Room for a burst before anything was learned.
    package var initial: Int
    /// The shortest time between two changes.
    package var window: Duration = .milliseconds(100)
    /// Fewer calls than this say nothing about the middle one.
    package var samplesMin = 32
    /// How many times its unloaded time the middle call may take.
    package var tolerance = 1.5
    /// Delay that is never counted: a hiccup of the loop or the scheduler.
    package var slack: Duration = .milliseconds(2)
    /// How long measuring may hold the limit at the floor, for calls that were never seen unloaded.
    package var measuringMax: Duration = .milliseconds(500)
    /// How long to leave it alone when that taught nothing: calls slower than half a second.
    package var measuringPause: Duration = .seconds(60)
    /// Cuts in a row without effect before the delay is taken for someone else's.
    package var futileCutsMax = 3

    package init(cores: Int, ceiling: Int = 512) {
      floor = max(4, 2 * cores)
      self.ceiling = max(ceiling, floor)
      initial = min(max(64, floor), self.ceiling)
    }
  }

  /// A call that was let in. Hand it back exactly once.
  package struct Ticket: Sendable {
    fileprivate var startedAt: UInt64
    fileprivate var kind: UInt16
    fileprivate var startedUnloaded: Bool
  }

  /// What a kind of call takes when it does not compete with others.
  private struct Baseline {
    /// Nanoseconds; follows the median in steps that shrink as it learns.
    var typical: Double = 0
    var samples = 0

    mutating func learn(_ latency: Double) {
      let step = max(1.0 / 32, 1.0 / Double(samples + 1))
      typical = samples == 0 ? latency : latency > typical ? typical * (1 + step) : typical / (1 + step)
      typical = max(typical, 1_000)
      samples += 1
    }

    /// Until it was seen unloaded, the fastest call of a kind has to serve.
    mutating func assume(_ latency: Double) {
      typical = typical == 0 ? max(latency, 1_000) : min(typical, max(latency, 1_000))
    }
  }

  /// One period between two decisions: the calls that ended in it.
  private struct Window {
    var start: UInt64
    /// Delay over the baseline, in 64ths.
    var ratios = LogHistogram()
    var latencySum: UInt64 = 0
    var peak: Int
    /// Calls of kinds that were never seen unloaded.
    var assumed = 0

    static let unit = 64.0
  }

  private let limits: Limits
  private var exact: Double
  private var baselines: [Baseline]
  private var window: Window
  /// When the limit was last cut: calls from before it say nothing about it.
  private var epoch: UInt64
  private var measuredAt: UInt64?
  private var isMeasuring = false
  /// What led to the last cut, and the limit before the first of those that followed each other.
  private var lastCut: (ratio: Double, peak: Int, uncut: Double)?
  private var futileCuts = 0

  /// Calls that run now.
  package private(set) var inFlight = 0

  /// - Parameter kinds: how many kinds of call there are; each has a baseline of its own.
  package init(_ limits: Limits, kinds: Int = 1, now: Instant) {
    precondition((1...Int(UInt16.max)).contains(kinds), "a limiter knows 1...65535 kinds of call")
    self.limits = limits
    exact = Double(limits.initial)
    baselines = Array(repeating: Baseline(), count: kinds)
    window = Window(start: now.nanoseconds, peak: 0)
    epoch = now.nanoseconds
  }

  /// Calls that may run at once now.
  package var limit: Int { isMeasuring ? limits.floor : Int(exact) }

  package var hasRoom: Bool { inFlight < limit }

  /// Lets a call in, or says nil at the cost of a comparison.
  package mutating func start(kind: Int = 0, now: Instant) -> Ticket? {
    guard inFlight < limit else { return nil }
    inFlight += 1
    window.peak = max(window.peak, inFlight)
    return Ticket(startedAt: now.nanoseconds, kind: UInt16(kind), startedUnloaded: inFlight <= limits.floor)
  }

  /// Ends a call. `counts` is false for one whose time says nothing about us: it was cancelled, or failed early.
  package mutating func finish(_ ticket: Ticket, counts: Bool = true, now: Instant) {
    precondition(inFlight > 0, "a call ended twice")
    let endedUnloaded = inFlight <= limits.floor
    inFlight -= 1
    if counts, ticket.startedAt >= epoch {
      let latency = now.nanoseconds - ticket.startedAt
      let kind = Int(ticket.kind)
      if ticket.startedUnloaded && endedUnloaded {
        baselines[kind].learn(Double(latency))
      } else if baselines[kind].samples == 0 {
        baselines[kind].assume(Double(latency))
        window.assumed += 1
      }
      let delay = max(0, Double(latency) - slackNanoseconds)
      window.ratios.record(UInt64(min(delay / baselines[kind].typical, 1e5) * Window.unit))
      window.latencySum += latency
    }
    if now.nanoseconds - window.start >= windowNanoseconds { closeWindow(now: now.nanoseconds) }
  }

  private var slackNanoseconds: Double { Double(limits.slack.saturatedNanoseconds) }
  private var windowNanoseconds: UInt64 { UInt64(limits.window.saturatedNanoseconds) }

  private mutating func closeWindow(now: UInt64) {
    let elapsed = now - window.start
    if isMeasuring {
      let isOver = elapsed >= UInt64(limits.measuringMax.saturatedNanoseconds)
      guard isOver || window.ratios.count >= limits.samplesMin / 2 else { return }
      isMeasuring = false
      measuredAt = now
      return openWindow(now: now)
    }
    // Too soon after a cut, only the fastest of the calls since have ended.
    guard window.ratios.count >= limits.samplesMin,
      now - epoch >= 2 * window.latencySum / UInt64(window.ratios.count)
    else { return }
    let wasFull = window.peak >= limit
    adapt(ratio: Double(window.ratios.quantile(0.5) ?? 0) / Window.unit, now: now)
    let mayMeasure = measuredAt.map { now - $0 >= UInt64(limits.measuringPause.saturatedNanoseconds) } ?? true
    isMeasuring = wasFull && mayMeasure && window.assumed * 2 > window.ratios.count
    openWindow(now: now)
  }

  /// Calls above the limit are left from before a cut; they are not what it allows.
  private mutating func openWindow(now: UInt64) { window = Window(start: now, peak: min(inFlight, limit)) }

  private mutating func adapt(ratio: Double, now: UInt64) {
    guard window.peak * 2 >= limit else { return forgetCut() }
    guard ratio > limits.tolerance else {
      forgetCut()
      exact = min(exact + exact.squareRoot(), Double(limits.ceiling))
      return
    }
    if let lastCut, window.peak * 10 <= lastCut.peak * 9 {
      let asked = 1 - Double(window.peak) / Double(lastCut.peak)
      let gained = 1 - ratio / lastCut.ratio
      futileCuts = gained < asked / 2 ? futileCuts + 1 : 0
    }
    epoch = now
    guard futileCuts < limits.futileCutsMax else {
      for kind in baselines.indices { baselines[kind].typical *= ratio }
      exact = max(exact, lastCut?.uncut ?? exact)
      return forgetCut()
    }
    lastCut = (ratio, window.peak, lastCut?.uncut ?? exact)
    exact = max(exact * max(0.5, limits.tolerance / ratio), Double(limits.floor))
  }

  private mutating func forgetCut() {
    lastCut = nil
    futileCuts = 0
  }
}
