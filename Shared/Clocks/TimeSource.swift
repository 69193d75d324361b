/// Where the time comes from: the loop in a running service, a hand-moved clock in tests and simulations.
///
/// Nothing outside the target that owns a clock asks the system for the time, so that a whole suite can run on
/// virtual time from a seed.
@MainActor
package protocol TimeSource: AnyObject, Sendable {
  /// The monotonic clock. On the loop it is read once per turn, so within a turn it stands still.
  var now: Instant { get }
  /// The calendar's clock, which an operator may set back.
  var wall: WallTime { get }
  /// How long in all nobody looked at what had arrived, because something else kept the thread. Whoever is measured by
  /// his silence was not silent then.
  var inattention: Duration { get }
  /// Runs `body` once after `delay`, on the loop. Dropping the result does not cancel.
  @discardableResult
  func after(_ delay: Duration, _ body: @escaping @MainActor () -> Void) -> any Scheduled
}

/// A timer that has been set. Cancelling twice, or after it fired, does nothing.
@MainActor
package protocol Scheduled: AnyObject, Sendable {
  func cancel()
}

/// Milliseconds since 1970-01-01T00:00Z: what is stored, and what crosses the wire.
package struct WallTime: Hashable, Comparable, Sendable, Codable {
  package var milliseconds: Int64

  package init(milliseconds: Int64) { self.milliseconds = milliseconds }

  package init(from decoder: any Decoder) throws {
    milliseconds = try decoder.singleValueContainer().decode(Int64.self)
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(milliseconds)
  }

  package static func < (left: WallTime, right: WallTime) -> Bool { left.milliseconds < right.milliseconds }
}

extension TimeSource {
  package var inattention: Duration { .zero }

  /// Waits without holding a thread. Throws `CancellationError` as soon as the task is cancelled.
  package func sleep(for delay: Duration) async throws {
    let nap = Nap()
    await withTaskCancellationHandler {
      await withUnsafeContinuation { continuation in
        nap.begin(continuation, timer: after(delay) { nap.end() })
      }
    } onCancel: {
      Task { @MainActor in nap.end() }
    }
    try Task.checkCancellation()
  }
}

/// One sleep: whichever comes first of its timer and its cancellation ends it.
@MainActor
private final class Nap {
  private var continuation: UnsafeContinuation<Void, Never>?
  private var timer: (any Scheduled)?
  private var isOver = false

  nonisolated init() {}

  func begin(_ continuation: UnsafeContinuation<Void, Never>, timer: any Scheduled) {
    if isOver {
      timer.cancel()
      continuation.resume()
    } else {
      self.continuation = continuation
      self.timer = timer
    }
  }

  func end() {
    isOver = true
    timer?.cancel()
    timer = nil
    continuation?.resume()
    continuation = nil
  }
}
