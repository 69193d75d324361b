import JSON
import ServiceKit

/// `odi seed`: gives the running suite what it begins with.
enum SeedCommand {
  static var command: Command {
    Command(
      "seed", "put in what a suite begins with: cinemas, films and radio stations",
      discussion: """
        What is there already stays as it is, and services that do not run are left out. Stations come without rights: \
        operators alone see them until somebody allows more.
        """, takes: [SuiteOptions.data, SuiteOptions.programs]
    ) { call, output in
      let folder = try SuiteOptions.folder(call, output)
      let services = try await SupervisorClient(folder: folder).ask(ListServices()).services
      let running = services.filter { $0.pid != nil }.map(\.name)
      var report = Report([Report.Column("service"), Report.Column("result", shrinks: true)])
      for member in SuiteMember.allCases where member.hasSeed && running.contains(member.rawValue) {
        let tool = ServiceTool(
          member, programs: SuiteOptions.programs(call), folder: folder, environment: output.terminal.environment)
        let document = try await tool.ask(["seed"])
        report.append([
          "\(member.rawValue)", Report.Cell(String(decoding: document.json, as: UTF8.self), json: document),
        ])
      }
      try output.write(report)
      return .done
    }
  }
}
