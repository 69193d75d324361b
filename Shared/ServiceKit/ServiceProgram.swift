import EventLoops
import Glibc
import Observability

/// A service as an executable: the commands that every service has and its own, and the service itself behind `serve`.
///
///     @main struct LocatorCommand {
///       static func main() { ServiceProgram.main(LocatorService.program) }
///     }
package struct ServiceProgram {
  /// `locator`; the executable is `odi-locator`.
  package let name: String
  let summary: String
  let discussion: String
  let examples: [Command.Example]
  let build: BuildInfo
  let standard: StandardSettings
  package let settings: [any AnySetting]
  let checks: [Check]
  let commands: [Command]
  /// Whether `serve --workers N` is there: the service's reads can be answered by processes that only follow its state.
  let offersWorkers: Bool
  /// Puts the service together.
  package let parts: @MainActor (ServiceEnvironment) throws -> [any ServicePart]

  /// - Parameters:
  ///   - port: where it takes calls, on loopback, unless it is told otherwise.
  ///   - settings: the service's own, beside ``StandardSettings``.
  ///   - checks: the service's own, for `doctor`.
  ///   - commands: the service's own.
  ///   - offersWorkers: `parts` makes less of an environment that has a `worker`: what reads, and nothing that changes.
  ///   - parts: puts the service together; it is here that everything is wired by hand.
  package init(
    _ name: String, _ summary: String, discussion: String = "", examples: [Command.Example] = [], build: BuildInfo,
    port: UInt16, settings: [any AnySetting] = [], checks: [Check] = [], commands: [Command] = [],
    offersWorkers: Bool = false,
    parts: @escaping @MainActor (ServiceEnvironment) throws -> [any ServicePart]
  ) {
    self.name = name
    self.summary = summary
    self.discussion = discussion
    self.examples = examples
    self.build = build
    standard = StandardSettings(port: port)
    self.offersWorkers = offersWorkers
    self.settings = standard.all + (offersWorkers ? [StandardSettings.workers] : []) + settings
    self.checks = checks
    self.commands = commands
    self.parts = parts
  }

  /// Runs the process. First and last thing in `main`.
  nonisolated package static func main(_ program: @escaping @MainActor @Sendable () -> ServiceProgram) -> Never {
    EventLoop.run {
      let runner = CommandRunner(root: program().root, terminal: .ofProcess(), explain: CommandError.init(explaining:))
      return await runner.run(Array(CommandLine.arguments.dropFirst())).rawValue
    }
  }

  package var executable: String { "odi-\(name)" }

  /// The whole tree of commands.
  package var root: Command {
    let options = ConfigurationOptions(of: name, settings)
    let access = ServiceAccess(to: name)
    let doctor = Doctor([configurationCheck, .openFiles, .timeZones] + checks, of: access)
    let admin = AdminCommands(access: access, time: EventLoop.time)
    // A service may have a better answer to what all are asked.
    let own = Set(commands.map(\.name))
    let usual = admin.all.filter { !own.contains($0.name) }
    let known = [serve(options)] + usual + [options.command, doctor.command(program: executable)] + commands
    return Command(
      program: executable, summary, discussion: discussion, examples: examples, build: build, subcommands: known)
  }

  // MARK: Commands

  private func serve(_ options: ConfigurationOptions) -> Command {
    Command(
      "serve", "run the service until it is told to stop",
      discussion: """
        SIGTERM and SIGINT end it in good order, a second one at once. SIGHUP reads the settings again and keeps the old \
        ones if the new are wrong.
        """,
      takes: options.parameters
    ) { [self] call, output in
      let configuration: Configuration
      do throws(ConfigurationError) {
        let environment = output.terminal.environment
        configuration = try options.read(call, environment, insteadOfFile: environment[WorkerPlace.fileVariable])
      } catch {
        throw error.asCommandError
      }
      let service = try RunningService(program: self, configuration: configuration, terminal: output.terminal)
      return try await service.run { () throws(ConfigurationError) in
        try options.read(call, output.terminal.environment)
      }
    }
  }

  private var configurationCheck: Check {
    Check("config") { [name, settings] in
      do throws(ConfigurationError) {
        let environment = processEnvironment()
        let file = try ConfigurationFile.read(of: name, named: environment["ODI_CONFIG"])
        let sources = Configuration.Sources(environment: environment, file: file)
        let configuration = try Configuration(of: name, settings, from: sources)
        guard let warning = configuration.warnings.first else {
          return Check.Finding(.ok, file.map { "\($0.path) is valid" } ?? "no file; the defaults hold")
        }
        return Check.Finding(.warning, warning)
      } catch {
        return Check.Finding(.problem, error.problems.joined(separator: "; "), try: "odi-\(name) config check")
      }
    }
  }
}
