package import Clocks
import EventLoops
package import Observability

/// A service that is kept running: started, watched, and started again when it ends.
package final class SupervisedService {
  nonisolated package enum State: String, Sendable, Codable, CaseIterable {
    case waiting, starting, ready, notReady = "not ready", resting, stopping, stopped, failed
  }

  package let plan: ServicePlan
  package private(set) var state = State.waiting { didSet { if state != oldValue { onChange?() } } }
  package private(set) var process: (any RunningProcess)?
  package private(set) var startedAt: Instant?
  package private(set) var restarts = 0
  /// What is not well, in words; nil when nothing is.
  package private(set) var problem: String?
  /// How long the last start took until it was ready.
  package private(set) var startTook: Duration?
  package var onChange: (() -> Void)?

  private let host: ProcessHost
  private let time: any TimeSource
  private let log: Log
  private let output: (UnsafeRawBufferPointer) -> Void
  private var policy: RestartPolicy
  private var hasBeenReady = false
  /// Ends since it was started, or asked to start again after it was given up, as long as it was never ready.
  private var attempts = 0
  private var isStopAsked = false
  private var isRestartAsked = false
  private var life: Task<Void, Never>?
  /// When the one that is ending is killed.
  private var endBound: (any Scheduled)?
  private var rest: Task<Void, any Error>?

  /// Asked often at the beginning, because a person waits, and rarely when it is ready: its end is told by the kernel.
  private static let probePause: Duration = .milliseconds(20)
  private static let probePauseLater: Duration = .milliseconds(500)
  private static let probePauseWhenReady: Duration = .seconds(2)
  /// Nobody waits longer than this for the first answer.
  private static let beginning: Duration = .seconds(10)
  /// Longer than a service's own ending may take: 10 s for calls, 5 s for each part.
  package static let stopPatience: Duration = .seconds(30)

  package init(
    _ plan: ServicePlan, host: ProcessHost = .ofSystem, policy: RestartPolicy = RestartPolicy(), time: any TimeSource,
    log: Log, output: @escaping (UnsafeRawBufferPointer) -> Void
  ) {
    self.plan = plan
    self.host = host
    self.policy = policy
    self.time = time
    self.log = log.with(["of": .string(plan.member.rawValue)])
    self.output = output
  }

  // MARK: What is asked of it

  package func start() { life = Task { await live() } }

  /// Ends it in good order and returns when it has ended; by force when it takes too long.
  package func stop() async {
    isStopAsked = true
    rest?.cancel()
    if let process { end(process) }
    await life?.value
    if state != .failed { state = .stopped }
  }

  /// In good order, or by force when that takes too long.
  private func end(_ process: any RunningProcess) {
    state = .stopping
    // A second signal would end it at once, in the middle of its calls.
    guard endBound == nil else { return }
    process.send(.terminate)
    endBound = time.after(Self.stopPatience) { [log] in
      log.error("it did not end in time and is killed", ["after": .duration(Self.stopPatience)])
      process.send(.kill)
    }
  }

  /// Ends it now, whatever it does.
  package func kill() {
    isStopAsked = true
    rest?.cancel()
    process?.send(.kill)
  }

  /// Ends it in good order, or by force when that takes too long, and starts it again at once. One that rests, or was given up,
  /// is started now.
  package func restart() {
    if let process {
      isRestartAsked = true
      return end(process)
    }
    rest?.cancel()
    guard state == .failed, !isStopAsked else { return }
    attempts = 0
    state = .waiting
    start()
  }

  package func reload() { process?.send(.hangup) }

  // MARK: Its life

  private func live() async {
    while !isStopAsked {
      let started = time.now
      let process: any RunningProcess
      do {
        process = try begin()
      } catch {
        // Its program may be replaced at this moment, or the machine have no room for a process.
        guard await recover(from: "\(error)", isFinal: false, after: .zero) else { return }
        continue
      }
      let watching = Task { await watch(process) }
      let exit = await process.wait()
      watching.cancel()
      endBound?.cancel()
      endBound = nil
      self.process = nil
      startedAt = nil
      if isStopAsked { return }
      if isRestartAsked {
        isRestartAsked = false
        log.info("ended to be started again", ["how": .string("\(exit)")])
        continue
      }
      // Wrong settings stay wrong.
      guard await recover(from: "\(exit)", isFinal: exit == .code(Self.usageError), after: time.now - started) else {
        return
      }
    }
  }

  private func begin() throws -> any RunningProcess {
    let process = try host.start(plan, output)
    self.process = process
    startedAt = time.now
    problem = nil
    state = .starting
    log.debug("started", ["pid": .int(process.id)])
    return process
  }

  /// Decides what follows an end that nobody asked for, or a start that was not possible. False if it is given up.
  /// - Parameter isFinal: if it was never ready, it will not be
  private func recover(from end: String, isFinal: Bool, after lived: Duration) async -> Bool {
    problem = end
    restarts += 1
    attempts += 1
    // Anything may have been an accident, but not again and again.
    if !hasBeenReady, isFinal || attempts >= policy.limits.attemptsBeforeReady {
      fail("\(end) before it was ready")
      return false
    }
    let pause = policy.rest(afterLivingFor: lived)
    log.warning(
      "ended and is started again",
      ["how": .string(end), "after": .duration(lived), "pause": .duration(pause), "restarts": .int(restarts)])
    guard pause > .zero else { return !isStopAsked }
    state = .resting
    let rest = Task { try await time.sleep(for: pause) }
    self.rest = rest
    _ = await rest.result
    return !isStopAsked
  }

  private static let usageError: Int32 = 2

  private func fail(_ problem: String) {
    log.error("does not start", ["why": .string(problem)])
    self.problem = problem
    state = .failed
  }

  /// Asks again and again whether it is ready, as long as the process lives.
  private func watch(_ process: any RunningProcess) async {
    let started = time.now
    while !Task.isCancelled {
      let answer = await host.isReady(plan)
      if Task.isCancelled || isStopAsked || isRestartAsked { return }
      take(answer, startedAt: started)
      let isBeginning = state == .starting && time.now - started < Self.beginning
      do {
        try await time.sleep(
          for: state == .ready ? Self.probePauseWhenReady : isBeginning ? Self.probePause : Self.probePauseLater)
      } catch {
        return
      }
    }
  }

  private func take(_ answer: ReadyAnswer, startedAt: Instant) {
    switch answer {
    case .ready:
      problem = nil
      if state != .ready {
        startTook = time.now - startedAt
        log.info("ready", ["after": .duration(time.now - startedAt), "pid": .int(process?.id ?? 0)])
      }
      hasBeenReady = true
      state = .ready
    case .notReady(let why):
      problem = why
      if state == .ready {
        log.warning("no longer ready", ["why": .string(why)])
        state = .notReady
      }
    case .silent:
      if state == .ready {
        log.warning("does not answer")
        problem = "does not answer"
        state = .notReady
      }
    }
  }
}
