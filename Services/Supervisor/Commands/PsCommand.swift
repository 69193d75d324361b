import JSON
import ServiceKit

/// `odi ps`: the services and how each is.
enum PsCommand {
  static var command: Command {
    Command(
      "ps", "show the services and how they are",
      discussion: "Exit code 5: no suite runs. 9: one of the services is not ready.",
      examples: [.init("odi ps --json", "for a script")], takes: [SuiteOptions.data]
    ) { call, output in
      let suite = try await SupervisorClient(folder: SuiteOptions.folder(call, output)).ask(ListServices())
      try output.write(report(suite))
      let world = suite.isDemo ? "demo world" : "live"
      output.note(
        "\(suite.page)  \(world), process \(suite.pid), up \(Duration.milliseconds(suite.uptimeMilliseconds).spoken)")
      return suite.services.allSatisfy { $0.state == .ready } ? .done : .degraded
    }
  }

  static func report(_ suite: ListServices.Response) -> Report {
    let columns = [
      Report.Column("service"), Report.Column("pid", alignment: .right), Report.Column("state"),
      Report.Column("uptime", alignment: .right), Report.Column("rss", alignment: .right),
      Report.Column("restarts", alignment: .right), Report.Column("ready", visible: false), Report.Column("address"),
      Report.Column("problem", shrinks: true),
    ]
    return Report(columns, rows: suite.services.map(row))
  }

  private static func row(_ service: ServiceReport) -> [Report.Cell] {
    let isReady = service.state == .ready
    return [
      "\(service.name)", .number(service.pid.map { Int($0) }),
      Report.Cell(service.state.rawValue, isReady ? .good : .warning),
      .duration(service.uptimeMilliseconds.map { .milliseconds($0) }), .bytes(service.residentBytes),
      .number(service.restarts, service.restarts > 0 ? .warning : .plain), .flag(isReady), "\(service.address)",
      // A dash in every line of a healthy suite would only be noise.
      Report.Cell(service.problem ?? "", json: service.problem.map { .string($0) } ?? .null, .warning),
    ]
  }
}

/// `odi restart`: one service, in good order.
enum RestartCommand {
  static var command: Command {
    let name = Parameter<String>.argument(
      "SERVICE", "which", completion: .choices(SuiteMember.allCases.map(\.rawValue)))
    return Command(
      "restart", "end one service in good order and start it again",
      examples: [.init("odi restart scraper", "after its program has been replaced")], takes: [name, SuiteOptions.data]
    ) { call, output in
      let member = try SuiteOptions.member(call[name])
      _ = try await SupervisorClient(folder: SuiteOptions.folder(call, output)).ask(
        RestartService(name: member.rawValue))
      output.note("\(member.rawValue) is restarting; see odi ps")
      return .done
    }
  }
}
