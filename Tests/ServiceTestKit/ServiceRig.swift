package import Clocks
import EventLoops
package import Observability
package import ServiceKit
import Synchronization

/// A service as `serve` makes it, in this process, with a folder of its own, and its commands over its unix socket.
///
///     try await ServiceRig.run(LocatorService.program) { rig in
///       let list = await rig.command("list", "--json")
@MainActor
package final class ServiceRig {
  package let program: ServiceProgram
  package let environment: ServiceEnvironment
  package let folder: TemporaryFolder
  package let log = RecordingSink()
  nonisolated private static let serial = Atomic<UInt64>(0)
  /// What runs.
  package private(set) var parts: [any ServicePart] = []

  /// - Parameters:
  ///   - flags: settings by name, as on the command line.
  ///   - folder: of an earlier rig, to see what is kept.
  package init(
    _ program: ServiceProgram, flags: [String: String] = [:], folder: TemporaryFolder? = nil,
    time: any TimeSource = EventLoop.time
  ) throws {
    self.program = program
    self.folder = try folder ?? TemporaryFolder()
    let data = DataFolder(self.folder.path)
    let flags = flags.merging(["data": data.path]) { mine, _ in mine }
    let read = { () throws(ConfigurationError) in
      try Configuration(of: program.name, program.settings, from: .init(flags: flags))
    }
    let settings = try read()
    environment = ServiceEnvironment(
      service: program.name, build: BuildInfo(version: "0.0.0"), configuration: settings, data: data,
      listen: .loopback(), adminListen: try data.adminSocket(of: program.name), time: time,
      log: Log(to: log, as: .json, level: .debug, clock: { 0 }), metrics: Metrics(),
      traces: Traces(random: { Self.serial.add(1, ordering: .relaxed).newValue }), readiness: Readiness())
    environment.readAgain = read
  }

  /// Runs `body` while the service runs.
  package static func run(
    _ program: ServiceProgram, flags: [String: String] = [:], folder: TemporaryFolder? = nil,
    time: any TimeSource = EventLoop.time, _ body: (ServiceRig) async throws -> Void
  ) async throws {
    let rig = try ServiceRig(program, flags: flags, folder: folder, time: time)
    try await rig.start()
    do {
      try await body(rig)
    } catch {
      await rig.stop()
      throw error
    }
    await rig.stop()
  }

  package func start() async throws {
    let all = try program.parts(environment)
    do {
      for part in all {
        try await part.start()
        parts.append(part)
      }
    } catch {
      await stop()
      throw error
    }
  }

  package func stop() async {
    for part in parts { await part.drain() }
    for part in parts.reversed() { await part.stop() }
    parts = []
  }

  /// Runs a command of the program, as a shell without a terminal would, with this rig's data folder.
  package func command(_ words: String...) async -> Screen.Result { await command(words) }

  package func command(_ words: [String]) async -> Screen.Result {
    let screen = Screen()
    let terminal = screen.terminal(environment: ["ODI_DATA": folder.path])
    let code = await CommandRunner(root: program.root, terminal: terminal, explain: CommandError.init(explaining:))
      .run(words)
    return Screen.Result(code: code, output: screen.output, errors: screen.errors)
  }
}
