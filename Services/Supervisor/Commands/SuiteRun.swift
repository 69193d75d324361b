import Clocks
import EventLoops
import Observability
import RPC
import RPCTransport
import ServiceKit

/// One run of a suite in this process, from its lock to its end.
final class SuiteRun {
  private let choices: SuitePlan.Choices
  private let plan: SuitePlan
  private let output: Output
  private let shown: Log.Level
  private let isInBackground: Bool
  private let time = EventLoop.time

  private var supervisor: Supervisor!
  private var log: Log = .silent
  private var signals: [SignalWatch] = []
  private var result = ExitCode.done
  private var ending: Task<Void, Never>?

  init(choices: SuitePlan.Choices, output: Output, shown: Log.Level) {
    self.choices = choices
    plan = SuitePlan(choices)
    self.output = output
    self.shown = shown
    isInBackground = output.terminal.environment[UpCommand.backgroundVariable] != nil
  }

  func run() async throws -> ExitCode {
    let lock = try SuiteLock(of: choices.folder)
    defer { withExtendedLifetime(lock) {} }
    try choices.folder.makeKeys()
    try plan.check()
    let sink = StandardErrorSink()
    defer { sink.flush(waitingAtMost: 200) }
    let lines = SuiteLog(
      file: try LogFile(choices.folder.logFile), style: style, shown: shown, sink: sink)
    log = lines.log(as: LogLine.supervisor)
    supervisor = Supervisor(
      plan.services.map {
        SupervisedService($0, time: time, log: log, output: lines.output(of: $0.member))
      }, time: time)
    let server = try answer()
    listen()
    log.info("starting", ["services": .int(plan.services.count), "data": .string(choices.folder.path)])
    supervisor.start()
    try await tellStart(lines)
    await ended()
    await server.drain()
    log.info("ended")
    return result
  }

  // MARK: Its start

  private func tellStart(_ lines: SuiteLog) async throws(CommandError) {
    var progress = StartProgress(choices, plan, output, isShown: output.terminal.errorIsTerminal && !isInBackground)
    progress.begin()
    let handlers = SupervisorHandlers(supervisor: supervisor, plan: plan, time: time)
    while !supervisor.isReady, supervisor.failed == nil, !supervisor.isStopping {
      await supervisor.nextChange()
      progress.show(handlers.report().services)
    }
    if let failed = supervisor.failed, !supervisor.isStopping {
      await supervisor.stop()
      let name = failed.plan.member.rawValue
      throw CommandError(
        .failed, "\(name) does not start", why: failed.problem, details: lines.lastWords(of: name),
        try: "\(failed.plan.member.executable) doctor")
    }
    guard supervisor.isReady else { return }
    let took = time.now - supervisor.startedAt
    log.info("ready", ["page": .string(plan.page), "after": .duration(took)])
    progress.finish(after: took)
    progress.farewell(isDetached: false)
  }

  private var style: SuiteLog.Style {
    if isInBackground { return .hidden }
    return output.terminal.errorIsTerminal ? .text(colour: output.coloursErrors) : .json
  }

  private func answer() throws -> RPCServer {
    let router = RPCRouter(service: "odi")
    let server = RPCServer(router, time: time)
    SupervisorHandlers(supervisor: supervisor, plan: plan, time: time).register(on: router)
    try server.listen(on: .unix(path: choices.folder.supervisorSocket))
    return server
  }

  // MARK: Its end

  private func listen() {
    let hasTerminal = output.terminal.errorIsTerminal && !isInBackground
    signals = [
      Signals.on(.interrupt) { [weak self] _ in self?.stop(.interrupted) },
      Signals.on(.terminate) { [weak self] _ in self?.stop(.terminated) },
      Signals.on(.hangup) { [weak self] _ in
        // A terminal that goes takes with it what was started there; otherwise it is the old way to say "read again".
        if hasTerminal { self?.stop(.terminated) } else { self?.supervisor.reload() }
      },
    ]
  }

  /// The first time in good order, then at once.
  private func stop(_ code: ExitCode) {
    if ending != nil {
      result = code
      log.warning("ending at once")
      return supervisor.kill()
    }
    if output.terminal.errorIsTerminal, !isInBackground, !output.isQuiet {
      // Below the ^C that the terminal has written.
      output.terminal.writeError("\nending; once more ends it at once\n")
    }
    log.info("ending")
    ending = Task { await supervisor.stop() }
  }

  private func ended() async {
    while ending == nil { await supervisor.nextChange() }
    await ending?.value
    for signal in signals { signal.stop() }
  }
}
