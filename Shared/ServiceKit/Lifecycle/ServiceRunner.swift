package import Clocks
import EventLoops
package import Observability

/// A part of a service that has a life: a database, a server, a schedule.
///
/// Parts start in the order of their list and stop in the reverse, so what a part needs stands before it.
package protocol ServicePart: AnyObject, Sendable {
  var name: String { get }
  /// Returns when it works. One that throws has cleaned up after itself and is not stopped.
  func start() async throws
  /// Takes nothing new, tells its clients, and returns when what is in flight has ended. All parts drain at once.
  func drain() async
  /// Ends it now. Cancelled when it takes too long.
  func stop() async
}

extension ServicePart {
  package func drain() async {}
  package func stop() async {}
}

/// Starts the parts, waits for a reason to stop, and stops them; what to do when is decided by ``LifecycleMachine``.
package final class ServiceRunner {
  private let parts: [any ServicePart]
  private let limits: LifecycleLimits
  private let readiness: Readiness
  private let time: any TimeSource
  private let log: Log
  private var machine: LifecycleMachine
  private var timer: (any Scheduled)?
  private var settling: (any Scheduled)?
  private var work: [Task<Void, Never>] = []
  private var ending: UnsafeContinuation<ExitCode, Never>?

  package init(
    parts: [any ServicePart], limits: LifecycleLimits = LifecycleLimits(), readiness: Readiness, time: any TimeSource,
    log: Log
  ) {
    self.parts = parts
    self.limits = limits
    self.readiness = readiness
    self.time = time
    self.log = log
    machine = LifecycleMachine(partCount: parts.count, limits: limits)
  }

  /// Lives until the end. Call it once.
  package func run() async -> ExitCode {
    await withUnsafeContinuation { continuation in
      ending = continuation
      handle(.begin)
    }
  }

  /// Ends it in good order; at once, with `code`, when it was asked before.
  package func stop(_ code: ExitCode = .terminated) { handle(.stopAsked(code)) }

  /// Ends it in good order because a part can no longer do its work.
  package func fail(_ part: any ServicePart, _ error: any Error) {
    log.error("part failed", ["part": .string(part.name), "error": "\(error)"])
    handle(.partFailed)
  }

  private func handle(_ event: LifecycleMachine.Event) {
    for action in machine.handle(event) { perform(action) }
  }

  private func perform(_ action: LifecycleMachine.Action) {
    switch action {
    case .start(let index): start(parts[index], index)
    case .tellReady(let isReady):
      readiness.state = isReady ? .ready : .draining
      if isReady { log.info("ready", ["parts": .int(parts.count)]) } else { log.info("stopping") }
      if isReady { settle() }
    case .setTimer(let duration):
      timer?.cancel()
      timer = time.after(duration) { [weak self] in self?.handle(.timeUp) }
    case .clearTimer:
      timer?.cancel()
      timer = nil
    case .drain: drain()
    case .tellOverdue:
      log.warning("the bound has passed; what still runs is cut off")
      for task in work { task.cancel() }
    case .stop(let index): stop(parts[index], index)
    case .end(let code):
      timer?.cancel()
      settling?.cancel()
      readiness.state = .draining
      ending?.resume(returning: code)
      ending = nil
    }
  }

  /// What only starting took, code and constants among it, is half of what a service holds when nobody asks anything.
  private func settle() {
    settling = time.after(Self.settled) { Task { await Background.giveMemoryBack() } }
  }

  /// Upstreams are connected by then, and the first questions of a page are answered.
  private static let settled: Duration = .seconds(5)

  // These tasks have no parent on purpose: one that hangs must not keep the process from ending.
  private func start(_ part: any ServicePart, _ index: Int) {
    work.append(
      Task {
        do {
          try await part.start()
          log.debug("part started", ["part": .string(part.name)])
          handle(.started(index))
        } catch {
          log.error("part did not start", ["part": .string(part.name), "error": "\(error)"])
          handle(.startFailed(index))
        }
      })
  }

  private func drain() {
    let drains = parts.map { part in Task { await part.drain() } }
    work += drains
    work.append(
      Task {
        for drain in drains { await drain.value }
        handle(.drained)
      })
  }

  private func stop(_ part: any ServicePart, _ index: Int) {
    work.append(
      Task {
        await part.stop()
        log.debug("part stopped", ["part": .string(part.name)])
        handle(.stopped(index))
      })
  }
}
