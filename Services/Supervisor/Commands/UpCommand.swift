import EventLoops
import Observability
import ServiceKit

/// `odi up`: starts everything and stays, or leaves it running.
enum UpCommand {
  private static let port = Parameter<Int>.option(
    "port", short: "p", "where the gateway answers browsers", default: 8_080, in: 1...65_535)
  // The last of them is 1,091 further.
  private static let ports = Parameter<Int>.option(
    "ports", "where the services' own ports begin", default: 7_100, in: 1_024...64_000)
  private static let live = Parameter<Bool>.flag(
    "live", "the real sites, as far as they are enabled, and no demo world")
  private static let detach = Parameter<Bool>.flag(
    "detach", short: "d", "return when it is ready, and leave it running")
  private static let only = Parameter<[String]>.options(
    "only", "start only this service; may be repeated", completion: .choices(SuiteMember.allCases.map(\.rawValue)))
  private static let show = Parameter<Log.Level?>.optionalOption(
    "show", "the lowest level of log lines that is shown here; warning on a terminal, else info")

  /// Tells a detached process that it is one.
  static let backgroundVariable = "ODI_IN_BACKGROUND"

  static var command: Command {
    Command(
      "up", "start the suite and keep it running",
      discussion: """
        Shows what the services log, from warnings up, and keeps everything they say for odi logs. Ctrl-C lets them \
        finish what they do, a second one ends them at once. SIGHUP makes them read their settings again.
        """,
      examples: [
        .init("odi up", "with the demo world, on http://127.0.0.1:8080/"),
        .init("odi up --detach --port 9000", "in the background, on another port"),
        .init("odi up --live", "with real sites: none is asked before you enable it"),
        .init("odi up --data /tmp/second --port 8081 --ports 17100", "a second suite beside the first"),
      ],
      takes: [port, ports, live, detach, only, show, SuiteOptions.data, SuiteOptions.programs]
    ) { call, output in
      let choices = try choices(call, output)
      try choices.folder.make()
      guard !call[detach] else { return try await DetachedStart(choices: choices, output: output).run() }
      let level = call[show] ?? (output.terminal.errorIsTerminal ? .warning : .info)
      return try await SuiteRun(choices: choices, output: output, shown: level).run()
    }
  }

  private static func choices(_ call: Invocation, _ output: Output) throws(CommandError) -> SuitePlan.Choices {
    var choices = SuitePlan.Choices(
      folder: try SuiteOptions.folder(call, output), programs: SuiteOptions.programs(call),
      supervisor: SuiteOptions.ownFolder)
    choices.port = UInt16(call[port])
    choices.firstPort = UInt16(call[ports])
    choices.isLive = call[live]
    choices.environment = output.terminal.environment
    choices.environment[backgroundVariable] = nil
    let names = call[only]
    if !names.isEmpty {
      choices.members = []
      for name in names { choices.members.append(try SuiteOptions.member(name)) }
    }
    return choices
  }
}

nonisolated extension SuitePlan.Choices {
  /// The command line that makes these choices.
  var arguments: [String] {
    var arguments = [
      "up", "--data", folder.path, "--port", "\(port)", "--ports", "\(firstPort)", "--programs", programs,
    ]
    if isLive { arguments.append("--live") }
    if members != SuiteMember.allCases { arguments += members.flatMap { ["--only", $0.rawValue] } }
    return arguments
  }
}
