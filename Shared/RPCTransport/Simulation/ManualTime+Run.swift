package import Clocks
import EventLoops

extension ManualTime {
  /// Lives through `step`: at every instant where something is due, it happens, and then every task that it woke runs
  /// until it waits again. Use it instead of `advance` when tasks take part.
  package func run(for step: Duration) async {
    let end = now + step
    await Self.settle()
    while let due = nextDue, due <= end {
      advance(by: due - now)
      await Self.settle()
    }
    advance(by: end - now)
    await Self.settle()
  }

  /// The same until `isDone`, and for no longer than `limit`. Whether it is done.
  package func run(until isDone: () -> Bool, limit: Duration = .seconds(60)) async -> Bool {
    let end = now + limit
    await Self.settle()
    while !isDone(), let due = nextDue, due <= end {
      advance(by: due - now)
      await Self.settle()
    }
    return isDone()
  }

  /// Waits until no job is left: a turn that ended without any, and one more for what its end set off.
  private static func settle() async {
    await withUnsafeContinuation { continuation in
      afterQuietTurns(2) { continuation.resume() }
    }
  }

  private static func afterQuietTurns(_ count: Int, _ body: @escaping @MainActor () -> Void) {
    EventLoop.atEndOfTurn {
      let left = EventLoop.jobsWait ? 2 : count - 1
      if left == 0 { body() } else { afterQuietTurns(left, body) }
    }
  }
}
