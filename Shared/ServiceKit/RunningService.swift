import Clocks
import EventLoops
import Glibc
import Observability
import Synchronization

/// One life of a service: makes its environment, runs its parts, listens to signals.
final class RunningService {
  private let program: ServiceProgram
  private let terminal: Terminal
  private let sink = StandardErrorSink()
  private let environment: ServiceEnvironment
  private let operationsListen: SocketAddress
  private let notice: SupervisorNotice
  private var signals: [SignalWatch] = []

  init(program: ServiceProgram, configuration: Configuration, terminal: Terminal) throws(CommandError) {
    let data = DataFolder(configuration[StandardSettings.data])
    var adminListen: SocketAddress
    if let set = configuration[StandardSettings.adminListen] {
      adminListen = set
    } else {
      adminListen = try data.adminSocket(of: program.name)
    }
    let workers = program.offersWorkers ? configuration[StandardSettings.workers] : 1
    let worker = program.offersWorkers ? try WorkerPlace(terminal.environment, owner: adminListen) : nil
    var operationsListen = configuration[program.standard.operations]
    if let worker {
      adminListen = try worker.own(adminListen, for: .administrators)
      operationsListen = try worker.own(operationsListen, for: .operations)
      worker.nameProcess(program.name)
    } else if workers > 1 {
      try WorkerPlace.check(
        workers, calls: configuration[program.standard.listen], administrators: adminListen,
        operations: operationsListen, tasks: taskLimit())
    }
    self.operationsListen = operationsListen
    self.program = program
    self.terminal = terminal
    notice = SupervisorNotice(environment: terminal.environment)
    let metrics = Metrics()
    environment = ServiceEnvironment(
      service: program.name, build: program.build, configuration: configuration, data: data,
      listen: worker?.calls ?? configuration[program.standard.listen], adminListen: adminListen, time: EventLoop.time,
      log: Self.log(program, worker, configuration, terminal, to: sink), metrics: metrics,
      traces: Self.traces(configuration), readiness: Readiness(), worker: worker,
      sharesPort: worker != nil || workers > 1)
    register(metrics)
  }

  /// - Parameter readAgain: reads the settings as they were read at the start.
  func run(readAgain: @escaping () throws(ConfigurationError) -> Configuration) async throws -> ExitCode {
    setProcessLimits()
    // A worker only reads, and one that hangs would keep the port from its owner's successor.
    let farewell: Signal = environment.worker == nil ? .terminate : .kill
    if let supervisor, !Signals.send(farewell, whenParentEnds: supervisor) {
      environment.log.error("the supervisor has gone", ["pid": .int(supervisor)])
      return .failed
    }
    if environment.worker == nil { try checkAlone() }
    defer { sink.flush(waitingAtMost: 200) }
    for warning in environment.configuration.warnings {
      environment.log.warning("settings", ["warning": .string(warning)])
    }
    environment.onReload(of: [StandardSettings.logLevel]) { [environment] in
      environment.log.level = $0[StandardSettings.logLevel]
    }
    let operations = OperationsServer(
      on: operationsListen, readiness: environment.readiness, metrics: environment.metrics, time: environment.time,
      log: environment.log)
    let runner = ServiceRunner(
      parts: [operations] + (try program.parts(environment)) + workers, limits: limits,
      readiness: environment.readiness, time: environment.time, log: environment.log)
    environment.onStop { [weak runner] in runner?.stop() }
    environment.onFailure { [weak runner] in runner?.fail($0, $1) }
    environment.readiness.onChange { [notice] in $0 == .ready ? notice.ready() : notice.stopping() }
    environment.readAgain = readAgain
    listen(runner)
    defer { for signal in signals { signal.stop() } }
    let beat = beat()
    defer { beat.cancel() }
    return await runner.run()
  }

  /// Whoever begins a second one is told of the first, and not of the first port that both want.
  private func checkAlone() throws(CommandError) {
    guard case .unix = environment.adminListen else { return }
    do throws(SocketError) {
      try Listener.checkFree(environment.adminListen)
    } catch {
      throw CommandError(
        .conflict, "\(program.executable) runs on \(environment.data.path) already",
        why: "it answers administrators at \(environment.adminListen)",
        try: "\(program.executable) status --data \(environment.data.path.shellWord)")
    }
  }

  /// The processes beside this one, if it is the one that has some.
  private var workers: [any ServicePart] {
    guard environment.sharesPort, environment.worker == nil else { return [] }
    return [WorkerPool(environment.configuration[StandardSettings.workers], of: environment, terminal.environment)]
  }

  private func listen(_ runner: ServiceRunner) {
    signals = [
      Signals.on(.terminate) { _ in runner.stop(.terminated) },
      Signals.on(.interrupt) { _ in runner.stop(.interrupted) },
      Signals.on(.hangup) { [environment] _ in _ = environment.reread() },
    ]
  }

  /// Once a second: what logging has held back is told, and what the log's reader did not take is offered again.
  private func beat() -> Task<Void, Never> {
    Task { [environment, sink] in
      while (try? await environment.time.sleep(for: .seconds(1))) != nil {
        environment.log.tellSuppressed()
        sink.flush()
      }
    }
  }

  private var limits: LifecycleLimits {
    var limits = LifecycleLimits()
    limits.drain = environment.configuration[StandardSettings.drainTime]
    // Neither somebody at a terminal nor `odi` balances load.
    if terminal.errorIsTerminal || supervisor != nil { limits.announce = .zero }
    return limits
  }

  /// The process that started this one and without which it is not to live on.
  private var supervisor: Int32? { terminal.environment[Self.supervisorVariable].flatMap { Int32($0) } }

  static let supervisorVariable = "ODI_SUPERVISOR"

  private func register(_ metrics: Metrics) {
    ProcessMetrics.register(in: metrics)
    LoopMetrics.register(in: metrics)
    let build = program.build
    metrics.gauge(
      "odi_build_info", "What runs; always 1.",
      labels: [
        "service": program.name, "version": build.version, "revision": build.revision ?? "unknown",
        "swift": BuildInfo.swift,
      ]
    ).set(1)
  }

  private static func log(
    _ program: ServiceProgram, _ worker: WorkerPlace?, _ configuration: Configuration, _ terminal: Terminal,
    to sink: StandardErrorSink
  ) -> Log {
    let isText =
      switch configuration[StandardSettings.logFormat] {
      case .auto: terminal.errorIsTerminal
      case .text: true
      case .json: false
      }
    let colour = terminal.wantsColour(.auto, isTerminal: terminal.errorIsTerminal)
    let facts: Facts =
      isText
      ? ["service": .string(program.name)]
      : [
        "service": .string(program.name), "version": .string(program.build.version), "host": .string(hostName()),
        "pid": .int(getpid()),
      ]
    let log = Log(
      to: sink, as: isText ? .text(colour: colour) : .json, level: configuration[StandardSettings.logLevel],
      clock: WallClock.microseconds, facts: facts)
    return worker.map { log.with(["worker": .int($0.number)]) } ?? log
  }

  private static func traces(_ configuration: Configuration) -> Traces {
    var limits = Traces.Limits()
    limits.slow = configuration[StandardSettings.slowTrace]
    return Traces(limits: limits, random: traceIDs())
  }

  private static func hostName() -> String {
    var bytes = [UInt8](repeating: 0, count: 256)
    let status = bytes.withUnsafeMutableBytes { gethostname($0.baseAddress!, $0.count - 1) }
    return status == 0 ? String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self) : "unknown"
  }
}
