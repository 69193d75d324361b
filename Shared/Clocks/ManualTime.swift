/// A clock that stands still until a test moves it. Timers fire in order of their time, then of their setting.
@MainActor
package final class ManualTime: TimeSource {
  package private(set) var now = Instant(nanoseconds: 1_000_000_000)
  package var wall: WallTime
  package var inattention = Duration.zero
  private var timers: [Timer] = []
  private var serial: UInt64 = 0

  package init(wall: WallTime = WallTime(milliseconds: 1_790_000_000_000)) { self.wall = wall }

  /// Timers that are set and have not fired.
  package var pending: Int { timers.count }

  /// When the next timer is due.
  package var nextDue: Instant? { timers.map(\.due).min() }

  package func after(_ delay: Duration, _ body: @escaping @MainActor () -> Void) -> any Scheduled {
    serial += 1
    let timer = Timer(due: now + max(delay, .zero), serial: serial, owner: self, body: body)
    timers.append(timer)
    return timer
  }

  /// Moves both clocks on, firing what comes due on the way at the time it was due.
  package func advance(by step: Duration) {
    let end = now + step
    while let next = timers.min(by: { ($0.due, $0.serial) < ($1.due, $1.serial) }), next.due <= end {
      timers.removeAll { $0 === next }
      move(to: next.due)
      next.body()
    }
    move(to: end)
  }

  private func move(to instant: Instant) {
    guard instant > now else { return }
    wall.milliseconds += (instant - now).wholeMilliseconds
    now = instant
  }

  private final class Timer: Scheduled {
    let due: Instant
    let serial: UInt64
    let body: @MainActor () -> Void
    private weak let owner: ManualTime?

    init(due: Instant, serial: UInt64, owner: ManualTime, body: @escaping @MainActor () -> Void) {
      self.due = due
      self.serial = serial
      self.owner = owner
      self.body = body
    }

    func cancel() { owner?.timers.removeAll { $0 === self } }
  }
}
