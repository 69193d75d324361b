import CExecutor
import Clocks
@_spi(ExperimentalCustomExecutors) @_spi(ExperimentalScheduling) import _Concurrency

// The one place that knows how the loop becomes Swift's executor. In Swift 6.3 that is an SPI; the tests assert the
// thread of every kind of job, so that a toolchain in which this has changed fails loudly.

/// The main executor and the default executor at once: whatever is `async` in this process runs on the loop.
nonisolated final class LoopExecutor: MainExecutor, TaskExecutor, SchedulingExecutor {
  static let shared = LoopExecutor()

  func enqueue(_ job: consuming ExecutorJob) {
    odi_executor_push(unsafeBitCast(UnownedJob(job), to: UnsafeMutableRawPointer.self))
  }

  // What `Task.sleep` of the standard library needs. Our own code waits with a `TimeSource`.
  func enqueue<C: Clock>(
    _ job: consuming ExecutorJob, after delay: C.Duration, tolerance: C.Duration?, clock: C
  ) {
    schedule(UnownedJob(job), after: delay as? Duration ?? .zero)
  }

  func enqueue<C: Clock>(
    _ job: consuming ExecutorJob, at instant: C.Instant, tolerance: C.Duration?, clock: C
  ) {
    schedule(UnownedJob(job), after: clock.now.duration(to: instant) as? Duration ?? .zero)
  }

  private func schedule(_ job: UnownedJob, after delay: Duration) {
    Task { @MainActor in
      EventLoop.time.after(delay) {
        odi_executor_push(unsafeBitCast(job, to: UnsafeMutableRawPointer.self))
      }
    }
  }

  func run() throws { EventLoop.spin() }
  func stop() { EventLoop.stopSpinning() }

  var isMainExecutor: Bool { true }
  func asUnownedSerialExecutor() -> UnownedSerialExecutor { UnownedSerialExecutor(ordinary: self) }
  func asUnownedTaskExecutor() -> UnownedTaskExecutor { UnownedTaskExecutor(ordinary: self) }
  func isSameExclusiveExecutionContext(other: LoopExecutor) -> Bool { true }
  func isIsolatingCurrentContext() -> Bool? { odi_executor_is_loop_thread() }

  func checkIsolated() {
    precondition(odi_executor_is_loop_thread(), "this code belongs to the loop's thread and was called on another")
  }
}

nonisolated struct LoopExecutorFactory: ExecutorFactory {
  static var mainExecutor: any MainExecutor { LoopExecutor.shared }
  static var defaultExecutor: any TaskExecutor { LoopExecutor.shared }

  static func install() { _createExecutors(factory: LoopExecutorFactory.self) }
}
