import Clocks
import EventLoops
import Glibc
import ServiceKit

/// `odi up --detach`: starts the suite as a process of its own, waits until it is ready, and leaves.
struct DetachedStart {
  let choices: SuitePlan.Choices
  let output: Output

  /// A first start that has to migrate a large database may take long; then it goes on without us.
  private static let patience: Duration = .seconds(120)
  private static let pause: Duration = .milliseconds(30)
  private static let outputBytesMax = 64 << 10

  func run() async throws -> ExitCode {
    let folder = choices.folder
    if let holder = SuiteLock.holder(of: folder) { throw SuiteLock.refusal(folder, holder) }
    let child = try start()
    let interrupt = Signals.on(.interrupt) { _ in child.send(.terminate) }
    defer { interrupt.stop() }
    let plan = SuitePlan(choices)
    var progress = StartProgress(choices, plan, output, isShown: true)
    progress.begin()
    let client = SupervisorClient(folder: folder)
    let started = EventLoop.time.now
    while child.exit == nil {
      if let suite = await client.askIfRunning(), suite.pid == child.id {
        progress.show(suite.services)
        if suite.services.allSatisfy({ $0.state == .ready }) {
          progress.finish(after: EventLoop.time.now - started)
          progress.farewell(isDetached: true)
          try output.write(report(suite))
          return .done
        }
      }
      guard EventLoop.time.now - started < Self.patience else {
        throw CommandError(.timedOut, "the suite is still starting", try: "odi ps --data \(folder.path)")
      }
      try await EventLoop.time.sleep(for: Self.pause)
    }
    return failed(await child.wait())
  }

  private func start() throws -> ChildProcess {
    let path = choices.folder.startOutput
    let file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    guard file >= 0 else {
      throw CommandError(.failed, "cannot write \(path)", why: String(cString: strerror(errno)))
    }
    defer { close(file) }
    var environment = choices.environment
    environment[UpCommand.backgroundVariable] = "1"
    return try ChildProcess(
      SuiteOptions.ownPath(), choices.arguments, environment: environment, output: .discard, errors: .file(file),
      ownSession: true)
  }

  /// Passes on what the process said before it ended.
  private func failed(_ exit: ChildProcess.Exit) -> ExitCode {
    let said = (try? contents(ofFile: choices.folder.startOutput, bytesMax: Self.outputBytesMax)) ?? []
    output.terminal.writeError(said.isEmpty ? "error: odi \(exit)\n" : String(decoding: said, as: UTF8.self))
    if case .code(let code) = exit, code != 0, let code = ExitCode(rawValue: code) { return code }
    return .failed
  }

  private func report(_ suite: ListServices.Response) -> Report {
    Report(item: [
      (Report.Column("page"), "\(suite.page)"), (Report.Column("process"), .number(Int(suite.pid))),
      (Report.Column("data"), "\(choices.folder.path)"),
    ])
  }
}
