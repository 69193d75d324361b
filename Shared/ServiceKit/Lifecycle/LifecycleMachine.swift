/// The life of a service as a table: what happens, and what is to be done about it. It knows no part, clock or signal.
nonisolated struct LifecycleMachine {
  enum Event: Equatable {
    case begin
    case started(Int)
    case startFailed(Int)
    /// An operator wants it to end. Twice means now.
    case stopAsked(ExitCode)
    /// A part has died while running.
    case partFailed
    /// The timer that was set last.
    case timeUp
    case drained
    case stopped(Int)
  }

  enum Action: Equatable {
    case start(Int)
    case tellReady(Bool)
    case setTimer(Duration)
    case clearTimer
    case drain
    /// The bound has passed: what still runs is cut off.
    case tellOverdue
    case stop(Int)
    case end(ExitCode)
  }

  private enum State: Equatable {
    case idle
    case starting(Int)
    case running
    /// No longer ready, still serving: whoever balances load needs a moment to see it.
    case announcing
    case draining
    case stopping(Int)
    case ended
  }

  private let partCount: Int
  private let limits: LifecycleLimits
  private var state = State.idle
  private var result = ExitCode.done
  private var isStopAsked = false

  init(partCount: Int, limits: LifecycleLimits) {
    self.partCount = partCount
    self.limits = limits
  }

  mutating func handle(_ event: Event) -> [Action] {
    switch (state, event) {
    case (.ended, _): return []
    case (_, .stopAsked(let code)) where isStopAsked: return end(code)
    case (.idle, .begin): return start(0)
    case (.idle, .stopAsked): return end(.done)

    case (.starting(let index), .started(let part)) where part == index:
      return isStopAsked ? stop(index) : start(index + 1)
    case (.starting(let index), .startFailed(let part)) where part == index:
      result = .failed
      return stop(index - 1)
    case (.starting, .stopAsked):
      isStopAsked = true
      return []
    case (.starting, .partFailed):
      result = .failed
      isStopAsked = true
      return []

    case (.running, .stopAsked):
      isStopAsked = true
      state = .announcing
      return [.tellReady(false), .setTimer(limits.announce)]
    case (.running, .partFailed):
      result = .failed
      isStopAsked = true
      return [.tellReady(false)] + drain()
    case (.announcing, .timeUp): return drain()
    case (.announcing, .partFailed), (.draining, .partFailed), (.stopping, .partFailed):
      result = .failed
      return []

    case (.draining, .drained): return [.clearTimer] + stop(partCount - 1)
    case (.draining, .timeUp): return [.tellOverdue] + stop(partCount - 1)
    case (.stopping(let index), .stopped(let part)) where part == index: return [.clearTimer] + stop(index - 1)
    case (.stopping(let index), .timeUp):
      result = .failed
      return [.tellOverdue] + stop(index - 1)

    // What was cut off may still report later.
    case (_, .begin), (_, .started), (_, .startFailed), (_, .timeUp), (_, .drained), (_, .stopped),
      (.idle, .partFailed), (.announcing, .stopAsked), (.draining, .stopAsked), (.stopping, .stopAsked):
      return []
    }
  }

  private mutating func start(_ index: Int) -> [Action] {
    guard index < partCount else {
      state = .running
      return [.tellReady(true)]
    }
    state = .starting(index)
    return [.start(index)]
  }

  private mutating func drain() -> [Action] {
    state = .draining
    return [.drain, .setTimer(limits.drain)]
  }

  private mutating func stop(_ index: Int) -> [Action] {
    guard index >= 0 else { return end(result) }
    state = .stopping(index)
    return [.stop(index), .setTimer(limits.stop)]
  }

  private mutating func end(_ code: ExitCode) -> [Action] {
    state = .ended
    return [.end(code)]
  }
}

/// How long each step of an ending may take.
nonisolated package struct LifecycleLimits: Sendable {
  /// Not ready, and still accepting: load balancers ask every second or so.
  package var announce: Duration = .seconds(1)
  /// Calls in flight may finish. The longest deadline of a call is this too.
  package var drain: Duration = .seconds(10)
  /// A part that takes longer to stop is left behind.
  package var stop: Duration = .seconds(5)

  package init() {}
}
