import Clocks
import Observability

/// A queue with threads of its own, each of which owns one connection: the writer's, the readers', the errands'.
final class Lane: Sendable {
  private struct Life {
    var threads: Int
    var waiters: [UnsafeContinuation<Void, Never>] = []
  }

  let queue: JobQueue
  private let life: Monitor<Life>
  private let tally: Tally
  private let now: @Sendable () -> Instant

  /// `serve` is run on each thread; when it returns, its connection is closed.
  init(
    _ name: String, connections: [DatabaseConnection], queueLimit: Int, _ tally: Tally,
    now: @escaping @Sendable () -> Instant,
    serve: @escaping @Sendable (DatabaseConnection, JobQueue) -> Void
  ) throws {
    self.tally = tally
    self.now = now
    queue = JobQueue(name: name, limit: queueLimit)
    life = Monitor(Life(threads: connections.count))
    for (index, connection) in connections.enumerated() {
      // Safety: the connection is this thread's from here on.
      nonisolated(unsafe) let connection = connection
      do {
        try DatabaseThread.start("db \(name)") { [self] in
          serve(connection, queue)
          connection.close()
          threadsEnded(1)
        }
      } catch {
        threadsEnded(connections.count - index)
        queue.close()
        throw error
      }
    }
  }

  /// Waits in the queue, runs on one of the threads, and returns what `body` returned.
  func run<Result: Sendable>(
    deadline: Instant, alone: Bool = false, _ body: @escaping DatabaseWork<Result>
  ) async throws -> Result {
    let job = Call(deadline: deadline, queuedAt: now(), isAlone: alone, body)
    return try await withTaskCancellationHandler {
      try await withUnsafeThrowingContinuation { continuation in
        job.continuation = continuation
        // One that was cancelled before is refused here.
        if let refusal = queue.add(job) {
          if refusal.kind == .overloaded { tally.refusals.add() }
          job.fail(refusal)
        }
      }
    } onCancel: {
      queue.cancel(job)
    }
  }

  /// Returns when the queue was closed, what waited in it is answered, and the connections are closed.
  func ended() async {
    await withUnsafeContinuation { continuation in
      let isOver = life.withLock { life in
        if life.threads > 0 { life.waiters.append(continuation) }
        return life.threads == 0
      }
      if isOver { continuation.resume() }
    }
  }

  private func threadsEnded(_ count: Int) {
    let waiters = life.withLock { life in
      life.threads -= count
      guard life.threads == 0 else { return [UnsafeContinuation<Void, Never>]() }
      defer { life.waiters = [] }
      return life.waiters
    }
    for waiter in waiters { waiter.resume() }
  }
}
