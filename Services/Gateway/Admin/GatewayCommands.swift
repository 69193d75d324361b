import Clocks
import Contracts
import Crypto
import EventLoops
import Glibc
import HTTP
import JSON
import Observability
import RPC
import ServiceKit

/// The commands that only the gateway has.
struct GatewayCommands {
  let access = ServiceAccess(to: "gateway")

  var all: [Command] {
    [
      routes, openAPI, top, clients, Command("events", "the events that go out", subcommands: [tail]),
      Command("cache", "the answers that are kept", subcommands: [cacheStatistics, cachePurge]),
      Command("limit", "how often users and addresses may ask", subcommands: [limitList, limitSet]), ban, upstreams,
      Command("maintenance", "close the door for a while", subcommands: [maintenanceOn, maintenanceOff]), curl,
      Command(
        "token", "users' tokens, with the key at hand", subcommands: [tokenCreate, tokenVerify, tokenList, tokenRevoke]),
    ]
  }

  // MARK: Without a running gateway

  /// Everything that is declared, over clients that reach nobody.
  private static func declared() -> GatewayFront {
    let nobody = RPCRouter(service: "nobody")
    func client<Service: RPCService>(_ service: Service.Type) -> InProcessClient<Service> {
      InProcessClient(of: service, nobody, time: EventLoop.time)
    }
    let upstreams = Upstreams(
      locator: client(LocatorAPI.self), scraper: client(ScraperAPI.self), bookmarks: client(BookmarksAPI.self),
      films: client(FilmsAPI.self), dining: client(DiningAPI.self), timetable: client(TimetableAPI.self),
      radio: client(RadioAPI.self))
    return GatewayFront(
      upstreams, key: TokenKey(.random()), options: .init(), time: EventLoop.time, traces: Traces(random: { 1 }))
  }

  private var routes: Command {
    Command("routes", "list every route") { _, output in
      let columns = [
        Report.Column("method"), Report.Column("path"), Report.Column("name", visible: false),
        Report.Column("session"), Report.Column("summary", shrinks: true),
      ]
      let rows = Self.declared().endpoints.map { endpoint -> [Report.Cell] in
        let session = endpoint.access == .user ? "needed" : endpoint.access == .maybeUser ? "heeded" : ""
        return [
          "\(endpoint.method.rawValue)", "\(endpoint.path)", "\(endpoint.name)", "\(session)", "\(endpoint.summary)",
        ]
      }
      try output.write(Report(columns, rows: rows))
      return .done
    }
  }

  private var openAPI: Command {
    let check = Parameter<Bool>.flag("check", "only tell whether it is whole; exit code 9 if not")
    return Command(
      "openapi", "write the API's description, OpenAPI 3.1",
      examples: [.init("odi-gateway openapi > openapi.json", "for a generator of clients")], takes: [check]
    ) { call, output in
      let front = Self.declared()
      let document = APIDescription(front.endpoints, version: GatewayService.version).document
      guard call[check] else {
        output.write(String(decoding: JSONValue.object(document).json, as: UTF8.self) + "\n")
        return .done
      }
      let problems = DescriptionCheck.problems(in: document, endpoints: front.endpoints)
      for problem in problems { output.note(problem) }
      output.note(
        problems.isEmpty ? "\(front.endpoints.count) operations, all described" : "\(problems.count) problems")
      return problems.isEmpty ? .done : .degraded
    }
  }

  // MARK: What goes on

  private var top: Command {
    let count = Parameter<Int?>.optionalOption("count", short: "n", "so many times, then end")
    let every = Parameter<Duration>.option(
      "every", "how often", default: .seconds(1), in: .milliseconds(100) ... .seconds(3_600))
    return Command(
      "top", "show what the gateway answers, route by route, again and again",
      takes: [count, every] + access.parameters
    ) { [access] call, output in
      var left = call[count] ?? .max
      while left > 0 {
        let traffic = try await access.ask(GatewayTraffic(), call, output)
        if output.terminal.outputIsTerminal, output.format == .table { output.write("\u{1b}[H\u{1b}[2J") }
        output.note(
          "\(traffic.connections) connections · \(traffic.streams) event streams · \(traffic.superseded) superseded"
            + (traffic.maintenance == nil ? "" : " · MAINTENANCE"))
        try output.write(Self.report(traffic))
        left -= 1
        if left > 0 { try await EventLoop.time.sleep(for: call[every]) }
      }
      return .done
    }
  }

  private static func report(_ traffic: TrafficReport) -> Report {
    let columns = [
      Report.Column("method"), Report.Column("route", shrinks: true), Report.Column("requests", alignment: .right),
      Report.Column("failed", alignment: .right), Report.Column("p50", alignment: .right),
      Report.Column("p99", alignment: .right),
    ]
    let rows = traffic.routes.map { route -> [Report.Cell] in
      [
        "\(route.method)", "\(route.route)", .number(route.requests),
        .number(route.failed, route.failed > 0 ? .warning : .plain),
        .duration(route.p50Microseconds.map { .microseconds($0) }),
        .duration(route.p99Microseconds.map { .microseconds($0) }),
      ]
    }
    return Report(columns, rows: rows)
  }

  private var clients: Command {
    let limit = Parameter<Int>.option("limit", short: "n", "how many at most", default: 100, in: 1...1_000)
    return Command("clients", "list the open streams of events", takes: [limit] + access.parameters) {
      [access] call, output in
      let streams = try await access.ask(EventStreams(limit: call[limit]), call, output)
      let columns = [
        Report.Column("kind"), Report.Column("open", alignment: .right), Report.Column("delivered", alignment: .right),
        Report.Column("queued", alignment: .right), Report.Column("behind"), Report.Column("topics", shrinks: true),
      ]
      let rows = streams.map { stream -> [Report.Cell] in
        [
          "\(stream.kind)", .duration(.seconds(stream.seconds)), .number(stream.delivered), .bytes(stream.queued),
          .flag(stream.isBehind, stream.isBehind ? .warning : .plain), "\(stream.topics.joined(separator: ","))",
        ]
      }
      try output.write(Report(columns, rows: rows))
      return .done
    }
  }

  private var tail: Command {
    let topic = Parameter<String?>.optionalOption("topic", "only these: cinema:ID, film:ID, sources")
    let count = Parameter<Int?>.optionalOption("count", short: "n", "so many, then end")
    return Command("tail", "show public events as they happen", takes: [topic, count] + access.parameters) {
      [access] call, output in
      let client = try access.client(of: GatewayAPI.self, call, output)
      var left = call[count] ?? .max
      do {
        for try await event in try await client.stream(TailEvents(topic: call[topic])) {
          output.write("\(event.revision) \(event.name) \(event.data)\n")
          left -= 1
          if left <= 0 { break }
        }
      } catch let error as RPCError {
        throw access.explain(error, try access.address(call, output))
      }
      return .done
    }
  }

  private var upstreams: Command {
    Command(
      "upstreams", "ask whether the services behind answer; exit code 9 if one does not", takes: access.parameters,
      subcommands: drainings
    ) {
      [access] call, output in
      let states = try await access.ask(UpstreamStates(), call, output)
      let columns = [
        Report.Column("service"), Report.Column("answers"), Report.Column("took", alignment: .right),
        Report.Column("followed"), Report.Column("revision", alignment: .right),
        Report.Column("problem", shrinks: true),
      ]
      let rows = states.map { state -> [Report.Cell] in
        [
          "\(state.service)", .flag(state.answers, state.answers ? .good : .bad),
          .duration(state.microseconds.map { .microseconds($0) }), state.isFollowed.map { .flag($0) } ?? .none,
          .number(state.revision.map { Int($0) }), .text(state.problem),
        ]
      }
      try output.write(Report(columns, rows: rows))
      return states.allSatisfy(\.answers) ? .done : .degraded
    }
  }
}

/// Whether a description is whole: what it refers to is there, and it says all that the routes do.
enum DescriptionCheck {
  static func problems(in document: JSONObject, endpoints: [Endpoint]) -> [String] {
    var problems: [String] = []
    let schemas = document["components"]?["schemas"]?.object ?? JSONObject()
    for name in references(in: .object(document)) where schemas[name] == nil {
      problems.append("#/components/schemas/\(name) is referred to and not there")
    }
    var names: Set<String> = []
    for endpoint in endpoints {
      let operation = document["paths"]?[endpoint.path]?[endpoint.method.rawValue.lowercased()]
      if operation == nil { problems.append("\(endpoint.method.rawValue) \(endpoint.path) is not described") }
      if !names.insert(endpoint.name).inserted { problems.append("\(endpoint.name) names two operations") }
      let inPath = PathNames.of(endpoint.path)
      if inPath != endpoint.parameters.map(\.name) { problems.append("\(endpoint.path) and its parameters differ") }
    }
    return problems
  }

  private static func references(in value: JSONValue) -> Set<String> {
    switch value {
    case .object(let object):
      object.reduce(into: []) { names, member in
        if member.name == "$ref", let text = member.value.string {
          names.insert(String(text.split(separator: "/").last ?? ""))
        }
        names.formUnion(references(in: member.value))
      }
    case .array(let values): values.reduce(into: []) { $0.formUnion(references(in: $1)) }
    case .null, .bool, .int, .double, .string: []
    }
  }
}

/// The parameters that a path names, in their order.
enum PathNames {
  static func of(_ path: String) -> [String] {
    path.split(separator: "/").compactMap { part in
      guard part.hasPrefix("{"), let end = part.firstIndex(of: "}") else { return nil }
      return String(part[part.index(after: part.startIndex)..<end])
    }
  }
}
