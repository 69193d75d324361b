import Calendars
import Contracts
import RPC
import ServiceKit

/// `ban` and `upstreams drain`: who is kept out, and who is left in peace.
extension GatewayCommands {
  var ban: Command { Command("ban", "clients that are shut out", subcommands: [banAdd, banList, banLift]) }

  private var address: Parameter<String> {
    .argument("ADDRESS", "an IPv4 address, or an IPv6 one, which means its /64")
  }

  private var banAdd: Command {
    let address = address
    let time = Parameter<Duration>.option(
      "for", "how long", default: .seconds(86_400), in: .seconds(1) ... .seconds(365 * 86_400))
    let reason = Parameter<String?>.optionalOption("reason", "why, for the list")
    return Command(
      "add", "answer a client with 403 for a while",
      discussion: """
        It holds until the gateway is started again at the longest. Streams that are open go on; signs of life are \
        answered. What limits cannot hold back belongs in front of the gateway.
        """,
      examples: [.init("odi-gateway ban add 203.0.113.9 --for 2h --reason 'asks for everything'", "for two hours")],
      takes: [address, time, reason] + access.parameters
    ) { [access] call, output in
      let request = BanClient(
        address: call[address], seconds: Int(call[time] / .seconds(1)), reason: call[reason])
      try output.write(Self.report(try await access.ask(request, call, output)))
      return .done
    }
  }

  private var banList: Command {
    Command("list", "list the clients that are shut out", takes: access.parameters) { [access] call, output in
      try output.write(Self.report(try await access.ask(ListBans(), call, output)))
      return .done
    }
  }

  private var banLift: Command {
    let address = address
    return Command("rm", "let a client in again", takes: [address] + access.parameters) { [access] call, output in
      try output.write(Self.report(try await access.ask(LiftBan(address: call[address]), call, output)))
      output.note("\(call[address]) is let in again")
      return .done
    }
  }

  private static func report(_ bans: [ClientBan]) -> Report {
    let columns = [
      Report.Column("address"), Report.Column("until"), Report.Column("refused", alignment: .right),
      Report.Column("reason", shrinks: true),
    ]
    return Report(
      columns,
      rows: bans.map { ["\($0.address)", "\(Timestamp($0.until))", .number($0.refused), .text($0.reason)] })
  }

  var drainings: [Command] {
    [
      draining(
        "drain", "ask a service nothing more; kept answers stand in for it",
        "Until `upstreams resume`, or until the gateway is started again. Calls that are under way end as they would.",
        isDrained: true),
      draining("resume", "ask a service again", "", isDrained: false),
    ]
  }

  private func draining(
    _ name: String, _ summary: String, _ discussion: String, isDrained: Bool
  ) -> Command {
    let service = Parameter<String>.argument(
      "SERVICE", UpstreamDrain.services.joined(separator: ", "), completion: .choices(UpstreamDrain.services))
    return Command(name, summary, discussion: discussion, takes: [service] + access.parameters) {
      [access] call, output in
      let request = DrainUpstream(service: call[service], isDrained: isDrained)
      let drained = try await access.ask(request, call, output)
      try output.write(Report([Report.Column("service")], rows: drained.map { ["\($0)"] }))
      output.note(drained.isEmpty ? "every service is asked" : "\(drained.count) not asked")
      return .done
    }
  }
}
