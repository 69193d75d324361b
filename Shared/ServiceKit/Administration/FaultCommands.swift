import RPC

/// `fault`: makes the running service fail or dawdle for a while, to see what the others make of it.
struct FaultCommands {
  let access: ServiceAccess

  var command: Command {
    Command(
      "fault", "make calls fail or dawdle for a while, to see what the others make of it",
      subcommands: [set, list, clear])
  }

  private static let method = Parameter<String?>.optionalArgument("METHOD", "only this one; without it all")
  private static let percent = Parameter<Int>.option("percent", "of the calls", default: 100, in: 1...100)
  private static let delay = Parameter<Duration?>.optionalOption("delay", "answer so much later")
  private static let code = Parameter<RPCError.Code?>.optionalOption("fail", "answer with this instead")
  private static let period = Parameter<Duration>.option(
    "for", "then it ends by itself", default: .seconds(60), in: .seconds(1) ... .seconds(FaultRule.secondsMax))

  private var set: Command {
    let service = access.service
    return Command(
      "set", "add a fault",
      discussion: "What administrators ask is never touched. The first rule that fits a call holds.",
      examples: [
        .init("odi-\(service) fault set --percent 10 --fail unavailable --for 30s", "one call in ten"),
        .init("odi-\(service) fault set --delay 800ms", "everything late, for a minute"),
      ],
      takes: [Self.method, Self.percent, Self.delay, Self.code, Self.period] + access.parameters
    ) { call, output in
      guard call[Self.delay] != nil || call[Self.code] != nil else {
        throw CommandError(.usage, "a fault needs --delay or --fail", try: "odi-\(service) fault set --delay 500ms")
      }
      var method: String?
      if let name = call[Self.method] { method = try await access.method(named: name, call, output).name }
      let rule = FaultRule(
        method: method, percent: call[Self.percent],
        delayMilliseconds: call[Self.delay].map { Int($0 / .milliseconds(1)) },
        code: call[Self.code]?.rawValue, seconds: Int(call[Self.period] / .seconds(1)))
      try output.write(Self.report(try await access.ask(InjectFault(rule: rule), call, output)))
      return .done
    }
  }

  private var list: Command {
    Command("list", "show the faults that hold now", takes: access.parameters) { call, output in
      try output.write(Self.report(try await access.ask(ReadFaults(), call, output)))
      return .done
    }
  }

  private var clear: Command {
    Command("clear", "end all faults", takes: access.parameters) { call, output in
      let count = try await access.ask(ReadFaults(), call, output).count
      _ = try await access.ask(InjectFault(rule: nil), call, output)
      output.note("\(count) faults ended")
      return .done
    }
  }

  private static func report(_ rules: [FaultRule]) -> Report {
    let columns = [
      Report.Column("method"), Report.Column("percent", alignment: .right), Report.Column("delay", alignment: .right),
      Report.Column("fail"), Report.Column("left", alignment: .right),
    ]
    return Report(
      columns,
      rows: rules.map { rule in
        [
          .text(rule.method ?? "all"), .number(rule.percent),
          .duration(rule.delayMilliseconds.map { .milliseconds($0) }),
          .text(rule.code.flatMap(RPCError.Code.init).map { "\($0)" }), .duration(.seconds(rule.seconds)),
        ]
      })
  }
}

nonisolated extension RPCError.Code: ArgumentValue {
  package static var wanted: String { "one of " + allCases.map(\.argument).joined(separator: ", ") }
  package static var valueName: String { "CODE" }
  package static var completion: Completion { .choices(allCases.map(\.argument)) }
  package init?(argument: String) {
    guard let code = Self.allCases.first(where: { $0.argument == argument }) else { return nil }
    self = code
  }
  package var argument: String { "\(self)" }
}
