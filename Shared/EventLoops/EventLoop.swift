import CExecutor
import CUV
package import Clocks
import Glibc

/// The process's one loop: libuv's default loop, which is also Swift's main and default executor.
///
/// A turn is one round of libuv: timers, then input and output, then what was put off to the end of the turn. Jobs
/// (continuations, tasks, actor calls) run inside the callback that made them ready, so that an answer that has arrived
/// is decoded out of the read buffer and its consequences leave in the same turn's write.
package enum EventLoop {
  /// How many jobs one callback may run before the loop looks at its sockets again.
  static let jobsPerCallback = 4_096
  /// What a few answers make ready, and little beside `jobsPerCallback` even if a callback hands over many slices.
  static let jobsPerSlice = 64

  /// Installs the executors, runs `body` on the loop and ends the process with its result. First thing in `main`.
  nonisolated package static func run(_ body: @escaping @MainActor @Sendable () async -> Int32) -> Never {
    install()
    Task { @MainActor in exit(await body()) }
    spin()
    exit(0)
  }

  /// Makes the calling thread the loop's. `run` does it for programs; a test process does it before its `main`.
  nonisolated package static func install() {
    odi_executor_begin { uv_async_send(LoopHandles.wake) }
    LoopExecutorFactory.install()
    MainActor.assumeIsolated { LoopHandles.start() }
  }

  /// How the loop waits for an answer that is near.
  package static var attention = Attention()

  /// The loop's clock.
  package static let time: any TimeSource = LoopTime.shared

  /// What libuv says that it is.
  nonisolated package static var library: (name: String, version: String) {
    ("libuv", String(cString: uv_version_string()))
  }

  /// Whether the caller is on the loop's thread.
  nonisolated package static var isCurrent: Bool { odi_executor_is_loop_thread() }

  /// Begins a task and runs it at once, until it first waits or ends.
  ///
  /// `Task.immediate` does the same, but notes a preference for an executor that is none with each task, and then every
  /// step of it takes a lock to look at that.
  @discardableResult @inlinable @inline(__always)
  package static func begin(_ body: @escaping @MainActor () async -> Void) -> Task<Void, Never> {
    let task = Task(operation: body)
    runNewestJob()
    return task
  }

  /// Runs the job that was made ready last, before all others: a task that the caller has just made, from its beginning.
  @usableFromInline package static func runNewestJob() { odi_executor_run_newest() }

  /// Runs `body` once, after this turn's callbacks and before the loop waits again.
  package static func atEndOfTurn(_ body: @escaping @MainActor () -> Void) {
    LoopHandles.endOfTurn.append(body)
    LoopHandles.keepAwake(true)
  }

  /// How many times the loop has gone round, for tests that count what one turn did.
  package private(set) static var turns = 0

  /// The time this loop has spent waiting for something to do, since it started.
  package static var idle: Duration { LoopTime.shared.idle }

  nonisolated static func spin() { uv_run(uv_default_loop(), UV_RUN_DEFAULT) }
  nonisolated static func stopSpinning() { uv_stop(uv_default_loop()) }

  /// Every libuv callback of ours goes through here or through ``perform(_:)``: it does its work, then runs the jobs that
  /// this made ready.
  @inline(__always)
  nonisolated static func callback(_ body: @MainActor () -> Void) {
    MainActor.assumeIsolated { perform(body) }
  }

  static func perform(_ body: () -> Void) {
    LoopTime.shared.forgetNow()
    LoopTime.shared.didWait()
    body()
    runJobs()
  }

  /// Calls a function of the loop from a callback that comes each turn.
  ///
  /// `MainActor.assumeIsolated` makes its closure an object and asks the runtime who the current executor is, as each
  /// closure on the way there does: three thousand instructions for each call that is answered. The thread knows.
  @inline(__always)
  nonisolated static func onLoop<Subject>(_ subject: Subject, _ body: @escaping @MainActor (Subject) -> Void) {
    precondition(odi_executor_is_loop_thread(), "a callback of the loop came on another thread")
    // Safety: isolation is no part of how a function is called, and this is the main actor's thread.
    unsafeBitCast(body, to: ((Subject) -> Void).self)(subject)
  }

  /// Runs some of the jobs that a callback has made ready so far, before it goes on. Within a job it does nothing.
  static func runSlice() { _ = odi_executor_drain(jobsPerSlice) }

  static func runJobs() {
    jobsWait = odi_executor_drain(jobsPerCallback) > 0
    LoopHandles.keepAwake(jobsWait || !LoopHandles.endOfTurn.isEmpty)
  }

  /// Whether more jobs were ready than the last callback may run.
  package private(set) static var jobsWait = false

  /// Runs what was put off, then flushes what was written: nothing after that can write again in this turn.
  static func finishTurn() {
    turns &+= 1
    runJobs()
    if !LoopHandles.endOfTurn.isEmpty {
      let bodies = LoopHandles.endOfTurn
      LoopHandles.endOfTurn = []
      for body in bodies { body() }
      runJobs()
    }
    SocketStream.flushAll()
  }
}

/// libuv's handles that belong to the loop itself.
enum LoopHandles {
  static let loop = uv_default_loop()!
  // Safety: set up before any other thread exists; then other threads only send to it, which libuv allows.
  nonisolated(unsafe) static let wake = UnsafeMutablePointer<uv_async_t>.allocate(capacity: 1)
  private static let prepare = UnsafeMutablePointer<uv_prepare_t>.allocate(capacity: 1)
  private static let check = UnsafeMutablePointer<uv_check_t>.allocate(capacity: 1)
  private static let idle = UnsafeMutablePointer<uv_idle_t>.allocate(capacity: 1)
  private static var isAwake = false
  static var endOfTurn: [@MainActor () -> Void] = []

  static func start() {
    // A write to a connection that the peer has closed is an error code, not the end of the process.
    signal(SIGPIPE, SIG_IGN)
    uv_async_init(loop, wake) { _ in EventLoop.callback {} }
    uv_prepare_init(loop, prepare)
    uv_check_init(loop, check)
    uv_idle_init(loop, idle)
    // Both ends of the wait: `prepare` for what timers and idle handles did, `check` for what the sockets did.
    uv_prepare_start(prepare) { @Sendable _ in EventLoop.onLoop((), LoopHandles.willWait) }
    uv_check_start(check) { @Sendable _ in EventLoop.onLoop((), LoopHandles.didWait) }
  }

  private static func willWait(_: Void) {
    EventLoop.finishTurn()
    let now = LoopTime.shared.willWait()
    if !isAwake { EventLoop.attention.stayAwake(since: now) }
  }

  private static func didWait(_: Void) {
    LoopTime.shared.didWait()
    EventLoop.finishTurn()
  }

  /// While jobs wait that did not fit in one callback, the loop polls its sockets without blocking.
  static func keepAwake(_ wanted: Bool) {
    guard wanted != isAwake else { return }
    isAwake = wanted
    if wanted {
      uv_idle_start(idle) { _ in EventLoop.callback {} }
    } else {
      uv_idle_stop(idle)
    }
  }
}
