import Clocks
import EventLoops
import Glibc
import Observability

/// The processes beside this one that take calls at its port, between which the kernel deals out connections: begun once
/// this one takes calls, begun again when one dies, ended before it.
final class WorkerPool: ServicePart {
  nonisolated let name = "workers"
  private let count: Int
  private let environment: ServiceEnvironment
  private let variables: [String: String]
  private var children: [Int: ChildProcess] = [:] { didSet { living.set(children.count + 1) } }
  private var keeping: [Task<Void, Never>] = []
  private var isEnding = false
  private let living: Gauge
  private let restarts: Counter

  /// Before one that died is begun again: twice as long each time, until one has lived for the longest.
  private static let pauseMin: Duration = .milliseconds(100)
  private static let pauseMax: Duration = .seconds(10)

  /// - Parameter count: of processes, with this one.
  init(_ count: Int, of environment: ServiceEnvironment, _ variables: [String: String]) {
    self.count = count
    self.environment = environment
    self.variables = variables
    living = environment.metrics.gauge("odi_workers", "Processes that live to take calls at one port, with this one.")
    living.set(1)
    restarts = environment.metrics.counter("odi_worker_restarts_total", "Workers that ended and were begun again.")
    // One that has not yet asked for the signal ends of it, and is begun again with what is new.
    environment.onReload { [weak self] _ in self?.send(.hangup) }
    // Well before it drains: who ends this process may end all of its group.
    environment.readiness.onChange { [weak self] in if $0 == .draining { self?.isEnding = true } }
  }

  func start() async throws {
    keeping = (2...count).map { number in Task { await keep(number) } }
  }

  func drain() async { await end(.terminate) }

  func stop() async { await end(.kill) }

  private func send(_ signal: Signal) {
    for child in children.values { child.send(signal) }
  }

  private func end(_ signal: Signal) async {
    isEnding = true
    send(signal)
    for task in keeping { task.cancel() }
    for task in keeping { await task.value }
  }

  private func keep(_ number: Int) async {
    var pause = Self.pauseMin
    while !isEnding {
      let began = environment.time.now
      do throws(SocketError) {
        let child = try begin(number)
        children[number] = child
        let exit = await child.wait()
        children[number] = nil
        guard !isEnding else { return }
        environment.log.warning(
          "a worker ended and is begun again", ["worker": .int(number), "how": .string("\(exit)")])
      } catch {
        environment.log.error("a worker cannot be begun", ["worker": .int(number), "error": "\(error)"])
      }
      restarts.add()
      if environment.time.now - began > Self.pauseMax { pause = Self.pauseMin }
      try? await environment.time.sleep(for: pause)
      pause = min(pause * 2, Self.pauseMax)
    }
  }

  /// Begins this program again with the same words. It ends with us, and a terminal's Ctrl-C is for us alone.
  private func begin(_ number: Int) throws(SocketError) -> ChildProcess {
    var variables = variables
    variables["NOTIFY_SOCKET"] = nil
    variables[RunningService.supervisorVariable] = "\(getpid())"
    variables[WorkerPlace.variable] = WorkerPlace.text(number, environment.callAddress ?? environment.listen)
    return try ChildProcess(
      "/proc/self/exe", Array(CommandLine.arguments.dropFirst()), environment: variables, ownSession: true)
  }
}
