import Clocks
import EventLoops
import Glibc
import JSON
import Observability
import RPC
import RPCTransport

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

  /// A worker is asked again so long after its last answer, and has so long for the next.
  private static let askedEvery: Duration = .seconds(1)
  private static let patience: Duration = .seconds(2)
  /// One that has been silent so often hangs: that is some nine seconds, and no turn of work takes as long.
  private static let missesMax = 3
  /// Until it listens it reads what it serves, which may be much: it has two minutes.
  private static let triesMax = 120

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
        let watching = Task { await watch(child, number) }
        let exit = await child.wait()
        watching.cancel()
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

  /// Ends a worker that no longer says anything: connections that are dealt to it would wait for their deadlines.
  private func watch(_ child: ChildProcess, _ number: Int) async {
    guard let address = try? WorkerPlace.own(environment.adminListen, for: .administrators, of: number),
      address.port != 0
    else { return }
    var tries = 0
    while await !listens(at: address) {
      tries += 1
      guard tries < Self.triesMax else { return end(child, number) }
      guard (try? await environment.time.sleep(for: Self.askedEvery)) != nil else { return }
    }
    let client = ServiceClient(
      of: AdminAPI.self, at: [.address(address)], secret: environment.configuration[StandardSettings.sharedSecret],
      as: environment.service, time: environment.time)
    var misses = 0
    while misses < Self.missesMax {
      guard (try? await environment.time.sleep(for: Self.askedEvery)) != nil else { return }
      if await answers(client) {
        misses = 0
      } else {
        // One that ends in good order takes no more connections; the kernel takes them for one that hangs.
        misses = await listens(at: address) ? misses + 1 : 0
      }
    }
    end(child, number)
  }

  private func end(_ child: ChildProcess, _ number: Int) {
    guard !Task.isCancelled, !isEnding else { return }
    environment.log.error("a worker does not answer and is ended", ["worker": .int(number), "pid": .int(child.id)])
    child.send(.kill)
  }

  private func listens(at address: SocketAddress) async -> Bool {
    guard let stream = try? await Connector.connect(to: address, timeout: Self.patience) else { return false }
    stream.close(.done)
    return true
  }

  /// Whether it says anything at all: that it drains, or does not know us, is an answer too.
  private func answers(_ client: ServiceClient<AdminAPI>) async -> Bool {
    do throws(RPCError) {
      _ = try await client.call(Ping(), within: Self.patience)
      return true
    } catch {
      return error.origin != nil
    }
  }

  /// Begins this program again with the same words and settings. It ends with us, and a terminal's Ctrl-C is for us alone.
  private func begin(_ number: Int) throws(SocketError) -> ChildProcess {
    let file = try unnamedFile(environment.fileInForce.json)
    defer { close(file) }
    var variables = variables
    variables["NOTIFY_SOCKET"] = nil
    variables[RunningService.supervisorVariable] = "\(getpid())"
    variables[WorkerPlace.variable] = WorkerPlace.text(number, environment.callAddress ?? environment.listen)
    variables[WorkerPlace.fileVariable] = "/proc/self/fd/0"
    return try ChildProcess(
      "/proc/self/exe", Array(CommandLine.arguments.dropFirst()), environment: variables, input: file,
      ownSession: true)
  }

  /// Bytes as an open file without a name, for us and who gets it from us.
  private func unnamedFile(_ bytes: [UInt8]) throws(SocketError) -> Int32 {
    var path = Array("\(environment.data.path)/settings-XXXXXX".utf8CString)
    let file = mkstemp(&path)
    if file >= 0 { unlink(path) }
    guard file >= 0, fcntl(file, F_SETFD, FD_CLOEXEC) == 0, write(file, bytes, bytes.count) == bytes.count else {
      let why = String(cString: strerror(errno))
      if file >= 0 { close(file) }
      throw SocketError(.refusedBySystem, "cannot write the settings down in \(environment.data.path): \(why)")
    }
    return file
  }
}
