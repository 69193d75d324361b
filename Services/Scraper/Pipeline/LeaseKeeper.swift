import Clocks

/// Keeps a lease while a visit is made: it is renewed by the clock, as one round of pages may take longer than a lease.
final class LeaseKeeper {
  private enum Limits {
    /// So often in the time of one lease: three renewals in a row may get lost.
    static let renewals = 4
    /// Whatever somebody says how long a lease lasts, nobody is asked without a pause.
    static let shortest: Duration = .seconds(1)
  }

  private let period: Duration
  private let time: any TimeSource
  private let renewing: @MainActor () async throws -> Bool
  private var renewed: (at: Instant, wall: WallTime)
  private var isLost = false

  /// - Parameters:
  ///   - period: how long the lease lasts from now on, and after each renewal.
  ///   - renewing: asks for more time; false if the lease is another's. Throws if nobody answers.
  init(for period: Duration, time: any TimeSource, renewing: @escaping @MainActor () async throws -> Bool) {
    self.period = max(period, Limits.shortest)
    self.time = time
    self.renewing = renewing
    renewed = (time.now, time.wall)
  }

  /// Makes the visit and renews the lease meanwhile. A visit whose lease is known to be another's is cancelled.
  func during<Value: Sendable>(_ visit: @escaping @MainActor () async -> Value) async -> Value {
    let work = Task { await visit() }
    let ticking = Task {
      while !isLost, (try? await time.sleep(for: period / Limits.renewals)) != nil { await renew() }
      if isLost { work.cancel() }
    }
    let value = await withTaskCancellationHandler {
      await work.value
    } onCancel: {
      work.cancel()
    }
    ticking.cancel()
    return value
  }

  /// Whether the visit may go on: not when it is to end, when the lease is another's, or when nobody has said for a whole
  /// lease whose it is.
  func isHeld() async -> Bool {
    if age > period / 2 { await renew() }
    return !Task.isCancelled && !isLost && age < period
  }

  /// By the calendar too: that goes on while the machine sleeps.
  private var age: Duration { max(time.now - renewed.at, time.wall.since(renewed.wall)) }

  private func renew() async {
    let asked = (time.now, time.wall)
    guard let isHeld = try? await renewing() else { return }
    if isHeld { renewed = asked } else { isLost = true }
  }
}
