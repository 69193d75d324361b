import Clocks
import EventLoops
import Glibc
import Observability
import ServiceKit

/// `odi logs`: what the services said, and what they say.
enum LogsCommand {
  private static let follow = Parameter<Bool>.flag("follow", short: "f", "go on with what comes")
  private static let count = Parameter<Int>.option(
    "lines", short: "n", "how many of the last", default: 100, in: 0...100_000)
  private static let level = Parameter<Log.Level?>.optionalOption("level", "at least this")
  private static let grep = Parameter<String?>.optionalOption("grep", "only lines that contain this")

  /// Soon enough for somebody who watches.
  private static let pause: Duration = .milliseconds(200)

  static var command: Command {
    Command(
      "logs", "show what the services said, also after they have ended",
      examples: [
        .init("odi logs -f scraper", "what one of them says"), .init("odi logs --level warning", "only trouble"),
      ],
      takes: [SuiteOptions.service, follow, count, level, grep, SuiteOptions.data]
    ) { call, output in
      let folder = try SuiteOptions.folder(call, output)
      let service = try call[SuiteOptions.service].map { name throws(CommandError) in
        name == LogLine.supervisor ? name : try SuiteOptions.member(name).rawValue
      }
      let wanted = { (line: LogLine) in
        line.level >= call[level] ?? .debug && line.service == service ?? line.service
          && (call[grep].map { String(decoding: line.json, as: UTF8.self).contains($0) } ?? true)
      }
      var reader = LogReader(folder.logFile)
      let last = reader.last(call[count], where: wanted)
      if last.isEmpty, !call[follow], !reader.exists {
        throw CommandError(.notFound, "there is no log in \(folder.log)", try: "odi up --data \(folder.path)")
      }
      for line in last { show(line, output) }
      while call[follow] {
        try await EventLoop.time.sleep(for: pause)
        for line in reader.new() where wanted(line) { show(line, output) }
      }
      return .done
    }
  }

  private static func show(_ line: LogLine, _ output: Output) {
    let text =
      output.format == .table ? line.text(colour: output.coloursResults) : String(decoding: line.json, as: UTF8.self)
    output.write(text + "\n")
  }
}
