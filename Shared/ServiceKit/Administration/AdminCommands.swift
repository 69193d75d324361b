import Clocks
import JSON
import RPC

/// The commands that ask a running service: thin, one request each.
struct AdminCommands {
  let access: ServiceAccess
  let time: any TimeSource

  private static let grep = Parameter<String?>.optionalOption("grep", "only what contains this")

  var all: [Command] {
    [
      ping, status, stats, top, describe, CallCommand(access: access).command,
      BenchCommand(access: access, time: time).command, logs, trace, metrics, logLevel,
      FaultCommands(access: access).command, JobCommands(access: access).command,
    ] + RecordingCommands(access: access).all + [reload, drain]
  }

  private var service: String { access.service }

  private func ask<Request: RPCRequest>(
    _ request: Request, _ call: Invocation, _ output: Output
  ) async throws(CommandError) -> Request.Response where Request.Service == AdminAPI {
    try await access.ask(request, call, output)
  }

  // MARK: How it is

  private var ping: Command {
    Command("ping", "ask whether the service answers; exit code 5 if not, 9 while it drains", takes: access.parameters)
    {
      call, output in
      let start = time.now
      let answer = try await ask(Ping(), call, output)
      let fields: [(Report.Column, Report.Cell)] = [
        (Report.Column("service"), "\(answer.service)"), (Report.Column("version"), "\(answer.build)"),
        (Report.Column("draining"), .flag(answer.isDraining, answer.isDraining ? .warning : .plain)),
        (Report.Column("took"), .duration(time.now - start)),
      ]
      if !output.isQuiet { try output.write(Report(item: fields)) }
      return answer.isDraining ? .degraded : .done
    }
  }

  private var status: Command {
    Command("status", "show what the service is doing, method by method", takes: access.parameters) { call, output in
      let status = try await ask(ServerStatus(), call, output)
      output.note(Self.line(status))
      try output.write(Self.report(status))
      return .done
    }
  }

  private var stats: Command {
    Command(
      "stats", "show the service's most asked for numbers: how long it runs, what it uses, what it answered",
      discussion: "All of its numbers: metrics. By method: status.", takes: access.parameters
    ) { call, output in
      let status = try await ask(ServerStatus(), call, output)
      let process = try await ask(ReadMetrics(containing: "process_"), call, output)
      func value(_ name: String) -> Double? { process.first { $0.name == name }?.value }
      let began = value("process_start_time_seconds")
      let failed = status.methods.reduce(0) { $0 + $1.failed }
      let fields: [(Report.Column, Report.Cell)] = [
        (Report.Column("service"), "odi-\(service)"),
        (
          Report.Column("up"),
          .duration(began.map { .milliseconds(max(time.wall.milliseconds - Int64($0 * 1_000), 0)) })
        ),
        (Report.Column("memory"), .bytes(value("process_resident_memory_bytes").map { Int($0) })),
        (Report.Column("processor"), .duration(value("process_cpu_seconds_total").map { .seconds($0) })),
        (Report.Column("files"), .number(value("process_open_fds").map { Int($0) })),
        (Report.Column("connections"), .number(status.connections)),
        (Report.Column("running"), .number(status.running)), (Report.Column("waiting"), .number(status.queued)),
        (Report.Column("succeeded"), .number(status.methods.reduce(0) { $0 + $1.succeeded })),
        (Report.Column("failed"), .number(failed, failed > 0 ? .warning : .plain)),
      ]
      try output.write(Report(item: fields))
      return .done
    }
  }

  private var top: Command {
    let count = Parameter<Int?>.optionalOption("count", short: "n", "so many times, then end")
    let every = Parameter<Duration>.option(
      "every", "how often", default: .seconds(1), in: .milliseconds(100) ... .seconds(3_600))
    return Command(
      "top", "show what the service is doing, again and again", takes: [count, every] + access.parameters
    ) { call, output in
      var left = call[count] ?? .max
      while left > 0 {
        let status = try await ask(ServerStatus(), call, output)
        if output.terminal.outputIsTerminal, output.format == .table { output.write("\u{1b}[H\u{1b}[2J") }
        output.note(Self.line(status))
        try output.write(Self.report(status))
        left -= 1
        if left > 0 { try await time.sleep(for: call[every]) }
      }
      return .done
    }
  }

  private static func line(_ status: ServerStatus.Response) -> String {
    "\(status.connections) connections · \(status.running) running · \(status.queued) waiting · limit \(status.limit)"
  }

  private static func report(_ status: ServerStatus.Response) -> Report {
    let columns = [
      Report.Column("method", shrinks: true), Report.Column("succeeded", alignment: .right),
      Report.Column("failed", alignment: .right), Report.Column("p50", alignment: .right),
      Report.Column("p95", alignment: .right),
    ]
    let rows = status.methods.map { method -> [Report.Cell] in
      [
        "\(method.name)", .number(method.succeeded), .number(method.failed, method.failed > 0 ? .warning : .plain),
        .duration(method.p50Microseconds.map { .microseconds($0) }),
        .duration(method.p95Microseconds.map { .microseconds($0) }),
      ]
    }
    return Report(columns, rows: rows)
  }

  private var describe: Command {
    let name = Parameter<String?>.optionalArgument("METHOD", "only this one")
    return Command("describe", "list the requests that the service answers", takes: [name] + access.parameters) {
      call, output in
      let methods = try await ask(DescribeService(), call, output)
      let wanted = call[name].map { name in methods.filter { $0.name == name } } ?? methods
      guard !wanted.isEmpty else {
        let near = call[name].flatMap { suggestion(for: $0, among: methods.map(\.name)) }
        throw CommandError(
          .notFound, "odi-\(service) does not answer \(call[name] ?? "anything")",
          why: near.map { "did you mean \($0)?" },
          try: "odi-\(service) describe")
      }
      let columns = [
        Report.Column("method"), Report.Column("id"), Report.Column("safety"), Report.Column("takes", shrinks: true),
        Report.Column("gives", shrinks: true),
      ]
      try output.write(Report(columns, rows: wanted.map(Self.row)))
      return .done
    }
  }

  private static func row(_ method: MethodDescription) -> [Report.Cell] {
    func text(_ fields: [FieldDescription]) -> Report.Cell {
      "\(fields.map { "\($0.name): \($0.type)\($0.isOptional ? "?" : "")" }.joined(separator: ", "))"
    }
    return [
      "\(method.name)", .text(method.id.spoken), .text(method.safety ?? "stream"), text(method.request),
      text(method.response),
    ]
  }

  // MARK: What it says

  private var logs: Command {
    let follow = Parameter<Bool>.flag("follow", short: "f", "go on with what comes")
    let level = Parameter<String?>.optionalOption(
      "level", "at least this: debug, info, warning, error",
      completion: .choices(["debug", "info", "warning", "error"]))
    let count = Parameter<Int>.option("lines", short: "n", "how many of the last", default: 100, in: 1...500)
    return Command(
      "logs", "show the lines that the service remembers",
      examples: [.init("odi-\(service) logs -f --level warning", "only trouble, as it comes")],
      takes: [follow, level, count, Self.grep] + access.parameters
    ) { call, output in
      var last: UInt64 = 0
      repeat {
        let answer = try await ask(ReadLog(after: last, level: call[level], limit: call[count]), call, output)
        for line in answer.lines where call[Self.grep].map(line.json.contains) ?? true {
          output.write((output.format == .table ? line.text : line.json) + "\n")
        }
        last = answer.lines.last?.serial ?? last
        if call[follow] { try await time.sleep(for: .seconds(1)) }
      } while call[follow]
      return .done
    }
  }

  private var trace: Command {
    let id = Parameter<String?>.optionalArgument("ID", "this one, as a waterfall")
    return Command(
      "trace", "show the traces that were slow or failed",
      examples: [.init("odi-\(service) trace", "the newest twenty")],
      takes: [id] + access.parameters
    ) { call, output in
      let traces = try await ask(ReadTraces(id: call[id], limit: 20), call, output)
      if call[id] != nil {
        guard !traces.isEmpty else {
          throw CommandError(.notFound, "there is no such trace", why: "only slow and failed ones are kept")
        }
        for trace in traces { try output.write(Waterfall(trace).report) }
        return .done
      }
      let columns = [
        Report.Column("trace"), Report.Column("name", shrinks: true), Report.Column("took", alignment: .right),
        Report.Column("failed"),
      ]
      let rows = traces.map { trace -> [Report.Cell] in
        [
          "\(trace.id)", "\(trace.name)", .duration(.microseconds(trace.microseconds)),
          .flag(trace.failed, trace.failed ? .bad : .plain),
        ]
      }
      try output.write(Report(columns, rows: rows))
      return .done
    }
  }

  private var metrics: Command {
    Command("metrics", "show the service's numbers", takes: [Self.grep] + access.parameters) { call, output in
      let readings = try await ask(ReadMetrics(containing: call[Self.grep]), call, output)
      let columns = [
        Report.Column("name"), Report.Column("labels", shrinks: true), Report.Column("value", alignment: .right),
        Report.Column("count", alignment: .right), Report.Column("p50", alignment: .right),
        Report.Column("p99", alignment: .right),
      ]
      let rows = readings.map { reading -> [Report.Cell] in
        [
          "\(reading.name)", "\(reading.labels)", .number(reading.value, digits: 3),
          .number(reading.count.map { Int(clamping: $0) }),
          .duration(reading.p50Microseconds.map { .microseconds($0) }),
          .duration(reading.p99Microseconds.map { .microseconds($0) }),
        ]
      }
      try output.write(Report(columns, rows: rows))
      return .done
    }
  }

  // MARK: What it should do

  private var logLevel: Command {
    let level = Parameter<String>.argument(
      "LEVEL", "debug, info, warning or error", completion: .choices(["debug", "info", "warning", "error"]))
    let period = Parameter<Duration?>.optionalOption("for", "then as before")
    return Command(
      "log-level", "change what the running service logs",
      examples: [.init("odi-\(service) log-level debug --for 5m", "for the next five minutes")],
      takes: [level, period] + access.parameters
    ) { call, output in
      let seconds = call[period].map { Int($0 / .seconds(1)) }
      let answer = try await ask(SetLogLevel(level: call[level], seconds: seconds), call, output)
      output.note("was \(answer.before)")
      return .done
    }
  }

  private var reload: Command {
    Command(
      "reload", "read the settings and the files that they name again, as SIGHUP does",
      discussion:
        "What is wrong is told, and there what was read before holds; so is what can only be set at the start.",
      takes: access.parameters
    ) { call, output in
      let answer = try await ask(ReloadSettings(), call, output)
      guard answer.problems.isEmpty else {
        throw CommandError(
          .failed, "not all of it was taken; there the old ones hold", details: answer.problems,
          try: "odi-\(service) config check")
      }
      output.note("odi-\(service) has read its settings again")
      return .done
    }
  }

  private var drain: Command {
    Command(
      "drain", "let the service finish what it does and end", takes: [Confirmation.yes] + access.parameters
    ) { call, output in
      try Confirmation(call, output.terminal).require("end odi-\(service)")
      _ = try await ask(DrainService(), call, output)
      output.note("odi-\(service) is draining")
      return .done
    }
  }
}
