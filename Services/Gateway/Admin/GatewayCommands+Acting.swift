import Clocks
import Contracts
import Crypto
import EventLoops
import JSON
import RPC
import ServiceKit

extension GatewayCommands {
  var cacheStatistics: Command {
    Command("stats", "how well keeping answers pays", takes: access.parameters) { [access] call, output in
      let report = try await access.ask(CacheStatistics(), call, output)
      let asked = report.hits + report.misses
      try output.write(
        Report(item: [
          (Report.Column("on"), .flag(report.isOn)), (Report.Column("entries"), .number(report.entries)),
          (Report.Column("bytes"), .bytes(report.bytes)), (Report.Column("hits"), .number(report.hits)),
          (Report.Column("misses"), .number(report.misses)),
          (Report.Column("hit_rate"), .number(asked == 0 ? nil : Double(report.hits) / Double(asked), digits: 3)),
          (Report.Column("stale"), .number(report.stale)), (Report.Column("voided"), .number(report.voided)),
        ]))
      return .done
    }
  }

  var cachePurge: Command {
    let prefix = Parameter<String?>.optionalArgument("PREFIX", "only of paths that begin so: /v1/cinemas")
    let all = Parameter<Bool>.flag("all", "all of them, as without PREFIX")
    return Command("purge", "drop kept answers", takes: [prefix, all] + access.parameters) { [access] call, output in
      guard !call[all] || call[prefix] == nil else { throw CommandError(.usage, "give PREFIX or --all, not both") }
      let purged = try await access.ask(PurgeCache(prefix: call[prefix]), call, output)
      output.note("\(purged.dropped) dropped")
      return .done
    }
  }

  var limitList: Command {
    Command("list", "show the limits that hold", takes: access.parameters) { [access] call, output in
      try output.write(Self.report(try await access.ask(RequestLimits(), call, output)))
      return .done
    }
  }

  var limitSet: Command {
    let userRate = Parameter<Double?>.optionalOption("user-rate", "requests a second of one user; 0 for no limit")
    let userBurst = Parameter<Double?>.optionalOption("user-burst", "requests of one user at once")
    let addressRate = Parameter<Double?>.optionalOption(
      "address-rate", "requests a second from one address; 0 for no limit")
    let addressBurst = Parameter<Double?>.optionalOption("address-burst", "requests from one address at once")
    return Command(
      "set", "change limits until the gateway is started again",
      takes: [userRate, userBurst, addressRate, addressBurst] + access.parameters
    ) { [access] call, output in
      let request = RequestLimits(
        userRate: call[userRate], userBurst: call[userBurst], addressRate: call[addressRate],
        addressBurst: call[addressBurst])
      guard request != RequestLimits() else { throw CommandError(.usage, "give at least one limit to set") }
      try output.write(Self.report(try await access.ask(request, call, output)))
      return .done
    }
  }

  private static func report(_ limits: RequestLimitsReport) -> Report {
    let columns = [
      Report.Column("of"), Report.Column("rate", alignment: .right), Report.Column("burst", alignment: .right),
      Report.Column("kept_for", alignment: .right),
    ]
    return Report(
      columns,
      rows: [
        ["user", .number(limits.userRate, digits: 1), .number(limits.userBurst, digits: 0), .number(limits.users)],
        [
          "address", .number(limits.addressRate, digits: 1), .number(limits.addressBurst, digits: 0),
          .number(limits.addresses),
        ],
      ])
  }

  var maintenanceOn: Command {
    let message = Parameter<String>.option(
      "message", "what people are told", default: "we are working on it and will be back soon")
    return Command(
      "on", "answer everything but signs of life with 503",
      takes: [message, Confirmation.yes] + access.parameters
    ) { [access] call, output in
      try Confirmation(call, output.terminal).require("close the gateway for everybody")
      _ = try await access.ask(SetMaintenance(message: call[message]), call, output)
      output.note("closed; odi-gateway maintenance off opens again")
      return .done
    }
  }

  var maintenanceOff: Command {
    Command("off", "open again", takes: access.parameters) { [access] call, output in
      _ = try await access.ask(SetMaintenance(), call, output)
      output.note("open")
      return .done
    }
  }

  var curl: Command {
    let path = Parameter<String>.argument("PATH", "what to ask for, with its query: /v1/sources")
    let verb = Parameter<String>.option("method", short: "X", "GET, PUT, POST, PATCH or DELETE", default: "GET")
    let fields = Parameter<[String]>.options("header", short: "H", "a field to send: 'Accept-Language: ko'")
    let body = Parameter<String?>.optionalOption("body", short: "d", "what to send, as JSON")
    let include = Parameter<Bool>.flag("include", short: "i", "also show the answer's header")
    return Command(
      "curl", "ask the gateway something, over the administrators' socket",
      examples: [.init("odi-gateway curl '/v1/cinemas/nearby?lat=37.57&lon=126.98'", "as a browser would get it")],
      takes: [path, verb, fields, body, include] + access.parameters
    ) { [access] call, output in
      var sent = call[fields]
      if call[body] != nil { sent.append("Content-Type: application/json") }
      let request = FetchThroughGateway(verb: call[verb], path: call[path], fields: sent, body: call[body])
      let client = try access.client(of: GatewayAPI.self, call, output)
      let answer: FetchedThroughGateway
      do throws(RPCError) {
        answer = try await client.call(
          request, CallOptions(timeout: .seconds(30), key: IdempotencyKey.fresh(), mayRetry: false))
      } catch {
        throw access.explain(error, try access.address(call, output))
      }
      output.note("\(answer.status) in \(Duration.microseconds(answer.microseconds).spoken)")
      if call[include] { for field in answer.fields { output.write(field + "\n") } }
      output.write(String(decoding: answer.body, as: UTF8.self) + (answer.body.last == 0x0A ? "" : "\n"))
      return answer.status < 400 ? .done : answer.status == 404 ? .notFound : .failed
    }
  }

  // MARK: Tokens

  private static let key = Parameter<String?>.optionalOption(
    "key", "the file with the token key; otherwise ODI_TOKEN_KEY_FILE, or the one that odi keeps in the data folder",
    completion: .files)

  private func tokenKey(_ call: Invocation, _ output: Output) throws -> TokenKey {
    let environment = output.terminal.environment
    let path =
      try call[Self.key] ?? environment["ODI_GATEWAY_TOKEN_KEY_FILE"] ?? environment["ODI_TOKEN_KEY_FILE"]
      ?? access.dataFolder(call, output).file("secrets/token-key")
    do throws(SecretError) {
      return TokenKey(try Secret(contentsOfFile: path))
    } catch {
      throw CommandError(
        .unauthorised, "the key cannot be used", why: "\(error)", try: "odi-gateway token … --key FILE")
    }
  }

  var tokenCreate: Command {
    let user = Parameter<String>.argument("USER", "the user's id, as odi-bookmarks sessions list shows it")
    return Command(
      "create", "make a token for a user, shown once", takes: [user, Self.key, access.dataParameter]
    ) { call, output in
      guard let id = UserID(call[user]) else { throw CommandError(.usage, "'\(call[user])' is no user's id") }
      let token = UserToken(of: id, issuedAt: EventLoop.time.wall)
      output.write(try tokenKey(call, output).text(of: token) + "\n")
      output.note("good until \(token.expiresAt.stamp); whoever has it is this user")
      return .done
    }
  }

  var tokenVerify: Command {
    Command(
      "verify", "tell whose token it is; it is read from standard input, not from the command line",
      examples: [.init("odi-gateway token verify --key FILE < token", "exit code 4 if it is not good")],
      takes: [Self.key, access.dataParameter]
    ) { call, output in
      try output.write(readToken(call, output))
      return .done
    }
  }

  /// The token on the standard input, if it is good.
  private func readToken(_ call: Invocation, _ output: Output) throws -> UserToken {
    let key = try tokenKey(call, output)
    let text = (output.terminal.readLine() ?? "").split(separator: " ").first.map(String.init) ?? ""
    do throws(TokenKey.Refusal) {
      return try key.read(text, now: EventLoop.time.wall)
    } catch {
      let why =
        switch error {
        case .malformed: "it is no token"
        case .otherKey: "it was made with another key"
        case .forged: "its code is wrong"
        case .expired: "it has expired"
        }
      throw CommandError(.unauthorised, "this token is not good", why: why)
    }
  }
}

extension GatewayCommands {
  var tokenList: Command {
    let limit = Parameter<Int>.option("limit", short: "n", "how many at most", default: 50, in: 1...500)
    return Command(
      "list", "list the users who may have tokens",
      discussion: "Tokens themselves are kept nowhere: who shows one that was signed with the key has it.",
      takes: [limit, access.dataParameter]
    ) { [access] call, output in
      let list = try await access.ask(neighbour: ListUsers(limit: call[limit]), call, output)
      let columns = [Report.Column("user"), Report.Column("created_at"), Report.Column("seen_at")]
      try output.write(
        Report(
          columns, rows: list.users.map { ["\($0.id)", "\($0.createdAt.stamp)", "\($0.seenAt.stamp)"] }))
      if list.hasMore { output.note("there are more: odi-bookmarks sessions list --after \(list.users.last!.id)") }
      return .done
    }
  }

  var tokenRevoke: Command {
    let user = Parameter<String?>.optionalArgument("USER", "all tokens of this user")
    return Command(
      "revoke", "make a token void, read from standard input; or all of a user",
      examples: [.init("odi-gateway token revoke < token", "one that was lost; the user's others stay good")],
      takes: [user, Self.key, Confirmation.yes, access.dataParameter]
    ) { [access] call, output in
      let request: RevokeTokens
      if let text = call[user] {
        guard let id = UserID(text) else { throw CommandError(.usage, "'\(text)' is no user's id") }
        try Confirmation(call, output.terminal).require("end every session of \(id)")
        request = RevokeTokens(user: id)
      } else {
        let token = try readToken(call, output)
        request = RevokeTokens(user: token.user, issuedAt: token.issuedAt)
      }
      _ = try await access.ask(neighbour: request, call, output)
      output.note("void now; a gateway that has just looked takes it for half a minute more")
      return .done
    }
  }
}

extension Output {
  fileprivate nonisolated func write(_ token: UserToken) throws {
    try write(
      Report(item: [
        (Report.Column("user"), "\(token.user)"), (Report.Column("issued_at"), "\(token.issuedAt.stamp)"),
        (Report.Column("expires_at"), "\(token.expiresAt.stamp)"),
      ]))
  }
}
