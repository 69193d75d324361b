import EventLoops
import ServiceKit

/// `odi`: runs all services of the suite on this machine, and tells how they are.
@main
struct SupervisorCommand {
  nonisolated static func main() {
    EventLoop.run {
      let runner = CommandRunner(
        root: root, terminal: .ofProcess(), explain: { CommandError(explaining: $0) })
      return await runner.run(Array(CommandLine.arguments.dropFirst())).rawValue
    }
  }

  /// The whole tree of commands.
  package static var root: Command {
    Command(
      program: "odi", "what plays at the independent cinemas near you: the whole suite on this machine",
      discussion: """
        Starts a process for each service (gateway, locator, scraper, bookmarks, films, dining, timetable, radio, and \
        unless --live the demo world), watches them and starts again what ends. Everything is kept in one folder: \
        --data DIR, or ODI_DATA, or ~/.odi. \
        Each service has a program of its own with more commands: odi-locator --help.
        """,
      examples: [
        .init("odi up", "start everything; Ctrl-C ends it"), .init("odi up --detach", "and go on with something else"),
        .init("odi ps", "how it is"), .init("odi logs -f scraper", "what one of them says"),
        .init("odi down", "end it"),
      ],
      build: .ofSuite(),
      subcommands: [
        UpCommand.command, DownCommand.command, PsCommand.command, RestartCommand.command, LogsCommand.command,
        DoctorCommand.command, SeedCommand.command, BackupCommand.command, RestoreCommand.command,
      ])
  }
}
