import Clocks
import EventLoops
import Foundation
import JSON
import Observability
import RPC
import RPCTransport
import ServiceKit
import ServiceTestKit
import TestKit
import Testing

private enum ChimeAPI: RPCService {
  static let name = "chime"
}

private struct Ring: RPCRequest {
  typealias Service = ChimeAPI
  typealias Response = [String]
  static let method: MethodID = 0x7f01
  static let safety: Safety = .read
  var times: Int
}

private struct Peal: RPCStreamRequest {
  typealias Service = ChimeAPI
  typealias Element = Int
  static let method: MethodID = 0x7f02
  var from: Int
}

@Suite("Administration")
@MainActor
struct AdministrationTests {
  private let folder = NSTemporaryDirectory() + UUID().uuidString
  private var socket: String { "unix:\(folder)/run/chime.sock" }
  private let build = BuildInfo(version: "1.2.3")

  @Test("a check takes a service that listens and does not answer for no service that does not run")
  func hanging() async throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let data = DataFolder(folder)
    try FileManager.default.createDirectory(atPath: folder + "/run", withIntermediateDirectories: true)
    let access = ServiceAccess(to: "chime")
    #expect(try await access.ask(ifRunning: Ring(times: 1), in: data) == nil)
    let listener = try Listener(on: data.adminSocket(of: "chime")) { $0.close(.done) }
    defer { listener.close() }
    do {
      _ = try await access.ask(ifRunning: Ring(times: 1), in: data)
      Issue.record("it was answered")
    } catch {
      #expect(error.what == "odi-chime runs and does not answer", "\(error)")
    }
  }

  /// A whole service, as `serve` makes it, and its commands over its unix socket.
  private func serving(
    _ more: [String: String] = [:], time: any TimeSource = EventLoop.time,
    _ body: (_ environment: ServiceEnvironment, _ run: (String...) async -> Screen.Result) async throws -> Void
  ) async throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let program = ServiceProgram("chime", "rings", build: build, port: 7_199) { _ in [] }
    let flags = ["data": folder, "listen": "127.0.0.1:0"].merging(more) { $1 }
    let environment = ServiceEnvironment(
      service: "chime", build: build,
      configuration: try Configuration(of: "chime", program.settings, from: .init(flags: flags)),
      data: DataFolder(folder), listen: .loopback(), adminListen: try DataFolder(folder).adminSocket(of: "chime"),
      time: time,
      log: Log(to: RecordingSink(), as: .json, clock: { 0 }), metrics: Metrics(),
      traces: Traces(random: { UInt64.random(in: 1 ... .max) }), readiness: Readiness())
    let router = RPCRouter(service: "chime")
    router.on(Ring.self) { (request: Ring, _: borrowing CallContext) in Array(repeating: "dong", count: request.times) }
    router.on(Peal.self) { (request: Peal, _: CallContext, writer: StreamWriter<Int>) async throws in
      for bell in request.from... { try await writer.send(bell) }
    }
    let server = CallServer(router, in: environment)
    try await server.start()
    try await body(environment) { (words: String...) in
      let screen = Screen()
      let runner = CommandRunner(root: program.root, terminal: screen.terminal())
      return Screen.Result(
        code: await runner.run(words + ["--host", socket]), output: screen.output, errors: screen.errors)
    }
    await server.drain()
  }

  @Test("ping tells who answers, and with -q only the exit code")
  func ping() async throws {
    try await serving { _, run in
      let answer = await run("ping", "--fields", "service,version,draining", "--json")
      #expect(answer.code == .done, "\(answer.errors)")
      #expect(answer.output == #"{"service":"chime","version":"1.2.3","draining":false}"# + "\n")
      let quiet = await run("ping", "-q")
      #expect(quiet.code == .done && quiet.output.isEmpty && quiet.errors.isEmpty)
    }
  }

  @Test("reload reads the settings again; what is wrong is told, and the old ones hold")
  func reload() async throws {
    try await serving { environment, run in
      let without = await run("reload")
      #expect(without.code == .failed && without.errors.contains("no settings to read again"))

      var levels: [Log.Level] = []
      environment.onReload(of: [StandardSettings.logLevel]) { levels.append($0[StandardSettings.logLevel]) }
      let program = ServiceProgram("chime", "rings", build: build, port: 7_199) { _ in [] }
      var level = "debug"
      environment.readAgain = { () throws(ConfigurationError) in
        let flags = ["data": folder, "listen": "127.0.0.1:0", "log-level": level]
        return try Configuration(of: "chime", program.settings, from: .init(flags: flags))
      }
      let good = await run("reload")
      #expect(good.code == .done && good.errors.contains("has read its settings again"), "\(good.errors)")
      #expect(levels == [.debug])
      level = "loud"
      let bad = await run("reload")
      #expect(bad.code == .failed && bad.errors.contains("the old ones hold") && bad.errors.contains("log-level"))
      #expect(levels == [.debug] && environment.configuration[StandardSettings.logLevel] == .debug)
      level = "info"
      environment.onReload { _ in throw ReloadError(["emu.jsonc: line 3 ends too early"]) }
      let halves = await run("reload")
      #expect(halves.code == .failed && halves.errors.contains("emu.jsonc: line 3"), "\(halves.errors)")
      #expect(levels == [.debug, .info])
    }
  }

  @Test("a setting that nobody takes up again is told to be one of the start, a secret's other content too")
  func readOnce() async throws {
    let secrets = try TemporaryFolder()
    var flags = [
      "data": folder, "listen": "127.0.0.1:0",
      "shared-secret-file": try secrets.writeSecret("a first secret of thirty-two bytes!", to: "secret"),
    ]
    try await serving(flags) { environment, run in
      let program = ServiceProgram("chime", "rings", build: build, port: 7_199) { _ in [] }
      environment.readAgain = { () throws(ConfigurationError) in
        try Configuration(of: "chime", program.settings, from: .init(flags: flags))
      }
      let same = await run("reload")
      #expect(same.code == .done, "\(same.errors)")
      flags["listen"] = "127.0.0.1:7198"
      let moved = await run("reload")
      #expect(moved.code == .failed && moved.errors.contains("--listen was changed, which holds when odi-chime is"))
      flags["listen"] = "127.0.0.1:0"
      _ = try secrets.writeSecret("another secret of thirty-two bytes!!", to: "secret")
      let another = await run("reload")
      #expect(another.errors.contains("--shared-secret-file was changed") && !another.errors.contains("--listen"))
    }
  }

  @Test("health over RPC is what readiness says, and who watches hears when it changes")
  func health() async throws {
    try await serving { environment, _ in
      let client = ServiceClient(of: AdminAPI.self, at: [.address(try SocketAddress(parsing: socket))])
      #expect(try await client.call(CheckHealth()).state == .starting)
      var reports = try await client.stream(WatchHealth()).makeAsyncIterator()
      #expect(try await reports.next()?.state == .starting)
      environment.readiness.state = .ready
      #expect(try await reports.next()?.state == .ready)
      environment.readiness.add(.init("disk") { "full" })
      let report = try await client.call(CheckHealth())
      #expect(report == HealthReport(service: "chime", state: .notReady, problems: ["disk: full"]))
      environment.readiness.state = .draining
      var last = try await reports.next()
      // The disk may have been looked at in between.
      if last?.state == .notReady { last = try await reports.next() }
      #expect(last?.state == .draining)
      client.close()
    }
  }

  @Test("a service that does not run cannot be reached, and the error says what to type")
  func unreachable() async {
    let screen = Screen()
    let program = ServiceProgram("chime", "rings", build: build, port: 7_199) { _ in [] }
    let runner = CommandRunner(root: program.root, terminal: screen.terminal())
    #expect(await runner.run(["ping", "--host", "unix:/nowhere/chime.sock"]) == .unreachable)
    #expect(screen.errors.hasPrefix("error: cannot reach odi-chime at unix:/nowhere/chime.sock\n  why: "))
    #expect(screen.errors.hasSuffix("  try: odi-chime serve\n"))
  }

  @Test("call sends any request as JSON and prints the answer")
  func anyRequest() async throws {
    try await serving { _, run in
      let answer = await run("call", "Ring", #"{"times":2}"#)
      #expect(answer.output == #"["dong","dong"]"# + "\n", "\(answer.errors)")
      let ping = await run("call", "Ping")
      #expect(ping.output.hasPrefix(#"{"service":"chime""#))
      let stream = await run("call", "Peal", #"{"from":3}"#, "--limit", "2")
      #expect(stream.output == "3\n4\n", "\(stream.errors)")
    }
  }

  @Test("call says what is wrong with a request: its name, a field, a kind, no JSON, none at all")
  func wrongRequests() async throws {
    try await serving { _, run in
      let name = await run("call", "Rings", "{}")
      #expect(name.code == .notFound && name.errors.contains("did you mean Ring?"))
      let field = await run("call", "Ring", #"{"time":2}"#)
      #expect(field.code == .usage && field.errors.contains("did you mean times?"))
      let kind = await run("call", "Ring", #"{"times":"two"}"#)
      #expect(kind.code != .done && kind.errors.contains("this is no Ring"), "\(kind.errors)")
      let text = await run("call", "Ring", "times=2")
      #expect(text.code == .usage && text.errors.contains("no JSON"))
      let missing = await run("call", "Ring")
      #expect(missing.code != .done && missing.errors.contains("times"), "\(missing.errors)")
    }
  }

  @Test("the socket is found in the environment, by its own name or by that of the data folder")
  func environment() async throws {
    try await serving { _, _ in
      for environment in [["ODI_CHIME_ADMIN_LISTEN": socket], ["ODI_DATA": folder]] {
        let program = ServiceProgram("chime", "rings", build: build, port: 7_199) { _ in [] }
        let terminal = Screen().terminal(environment: environment)
        #expect(await CommandRunner(root: program.root, terminal: terminal).run(["ping", "-q"]) == .done)
      }
    }
  }

  @Test("the socket is found in the data folder that the command line names, whatever the environment says")
  func dataFolder() async throws {
    try await serving { _, _ in
      let program = ServiceProgram("chime", "rings", build: build, port: 7_199) { _ in [] }
      let terminal = Screen().terminal(environment: ["ODI_DATA": "/nowhere"])
      let runner = CommandRunner(root: program.root, terminal: terminal)
      #expect(await runner.run(["ping", "-q", "--data", folder + "/"]) == .done)
      #expect(await runner.run(["ping", "-q"]) == .unreachable)
    }
  }

  @Test("a data folder whose socket's path the kernel would cut is refused")
  func longPath() async {
    let screen = Screen()
    let program = ServiceProgram("chime", "rings", build: build, port: 7_199) { _ in [] }
    let long = "/tmp/" + String(repeating: "x", count: 100)
    for command in ["serve", "ping"] {
      let runner = CommandRunner(root: program.root, terminal: screen.terminal())
      #expect(await runner.run([command, "--data", long]) == .usage)
      #expect(screen.errors.contains("error: the path of a socket is too long: \(long)/run/"))
    }
  }

  @Test("a service's own commands reach it as the common ones do, and its errors are told the same way")
  func access() async throws {
    let access = ServiceAccess(to: "chime")
    let ring = Command("ring", "ring", takes: access.parameters) { call, output in
      output.write(try await access.ask(Ring(times: 2), call, output).joined(separator: " "))
      return .done
    }
    let screen = Screen()
    let runner = CommandRunner(root: Command("odi-chime", "", subcommands: [ring]), terminal: screen.terminal())
    try await serving { _, _ in
      #expect(await runner.run(["ring", "--data", folder]) == .done)
      #expect(screen.output == "dong dong")
    }
    #expect(await runner.run(["ring", "--host", "unix:/nowhere/chime.sock"]) == .unreachable)
    #expect(screen.errors.contains("error: cannot reach odi-chime at unix:/nowhere/chime.sock\n"))
  }

  @Test("a command that asks again and again leaves no connection behind")
  func connections() async throws {
    let router = RPCRouter(service: "chime")
    router.on(Ring.self) { (request: Ring, _: borrowing CallContext) in Array(repeating: "dong", count: request.times) }
    let server = RPCServer(router)
    server.trustsEveryPeer = true
    let address = try server.listen(on: .loopback())
    let access = ServiceAccess(to: "chime")
    var most = 0
    let peal = Command("peal", "peal", takes: access.parameters) { call, output in
      for _ in 0..<20 {
        _ = try await access.ask(Ring(times: 1), call, output)
        most = max(most, server.connectionCount)
      }
      return .done
    }
    let screen = Screen()
    let runner = CommandRunner(root: Command("odi-chime", "", subcommands: [peal]), terminal: screen.terminal())
    #expect(await runner.run(["peal", "--host", "\(address)"]) == .done, "\(screen.errors)")
    // One that was closed is known to be when the peer has been told.
    #expect((1...3).contains(most))
    await server.drain()
  }

  @Test("config show tells what the running service uses, and with --next what a start here would give")
  func settingsInForce() async throws {
    try await serving(["drain-time": "7s"]) { environment, run in
      let words = ["config", "show", "--tsv", "--fields", "setting,value,origin"]
      @MainActor func shown(_ more: String...) async -> Screen.Result {
        let screen = Screen()
        let root = ServiceProgram("chime", "rings", build: build, port: 7_199) { _ in [] }.root
        let code = await CommandRunner(root: root, terminal: screen.terminal()).run(words + ["--data", folder] + more)
        return Screen.Result(code: code, output: screen.output, errors: screen.errors)
      }
      let running = await shown()
      #expect(running.output.contains("drain-time\t7s\t--drain-time\n"), "\(running.output)")
      #expect(running.errors.contains("running odi-chime"))
      #expect(await shown("--next").output.contains("drain-time\t10s\tdefault\n"))
      #expect(await shown("--log-level", "debug").output.contains("drain-time\t10s\tdefault\n"))
    }
  }

  @Test("describe lists the service's requests and finds a name that is nearly right")
  func describe() async throws {
    try await serving { _, run in
      let all = await run("describe", "--fields", "method,id,safety,takes", "--tsv")
      #expect(all.output.contains("Ring\t0x7f01\tread\ttimes: Int\n"))
      #expect(all.output.contains("ReadLog\t0x0010\tread\t"))
      let wrong = await run("describe", "Rign")
      #expect(wrong.code == .notFound)
      #expect(wrong.errors.contains("did you mean Ring?"))
    }
  }

  @Test("stats tells in one answer how long it runs, what it uses and what it answered")
  func stats() async throws {
    try await serving { _, run in
      _ = await run("ping", "-q")
      let stats = try JSONValue(parsing: await run("stats", "--json").output)
      #expect(stats["service"] == "odi-chime" && stats["failed"] == 0 && stats["connections"] == 1)
      #expect(stats["succeeded"]?.int ?? 0 >= 1)
    }
  }

  @Test("status counts the calls")
  func status() async throws {
    try await serving { _, run in
      _ = await run("ping", "-q")
      let status = await run("status", "--fields", "method,succeeded,failed", "--tsv")
      #expect(status.output.contains("Ping\t1\t0\n"))
      #expect(status.errors.contains("running"))
      let top = await run("top", "--count", "2", "--every", "100ms", "--tsv", "--fields", "method")
      #expect(top.output.split(separator: "\n").count { $0 == "Ping" } == 2)
    }
  }

  @Test("logs shows what was said, from a level and with a word")
  func logs() async throws {
    try await serving { environment, run in
      environment.log.info("first")
      environment.log.warning("second", ["what": "rope\nfrayed"])
      #expect(await run("logs").output.contains("INFO  first\n"))
      let warnings = await run("logs", "--level", "warning")
      #expect(warnings.output == "1970-01-01T00:00:00.000Z WARN  second what=\"rope\\nfrayed\"\n")
      #expect(await run("logs", "--grep", "rope", "--jsonl").output.contains(#""msg":"second""#))
      let wrong = await run("logs", "--level", "loud")
      #expect(wrong.code == .usage)
      #expect(wrong.errors.contains("'loud' is no log level"))
    }
  }

  @Test("a log level can be changed for a while")
  func logLevel() async throws {
    try await serving { environment, run in
      let answer = await run("log-level", "debug", "--for", "5m")
      #expect(answer.code == .done && answer.errors == "was info\n")
      #expect(environment.log.level == .debug)
      #expect(await run("log-level", "debug", "--for", "2d").code == .usage)
    }
  }

  @Test("after a while that was asked for twice, the level is that of before the first")
  func logLevelTwice() async throws {
    let time = ManualTime()
    try await serving(time: time) { environment, run in
      for level in ["debug", "warning"] {
        #expect(await run("log-level", level, "--for", "5m").code == .done)
        time.advance(by: .seconds(60))
      }
      time.advance(by: .seconds(180))
      #expect(environment.log.level == .warning, "the second while is not over when the first is")
      time.advance(by: .seconds(60))
      #expect(environment.log.level == .info)

      #expect(await run("log-level", "debug", "--for", "5m").code == .done)
      #expect(await run("log-level", "error").code == .done)
      time.advance(by: .seconds(600))
      #expect(environment.log.level == .error, "what is asked for without an end has none")
    }
  }

  @Test("each code of an error is one exit code")
  func exitCodes() {
    let told: [RPCError.Code: Int32] = [
      .cancelled: 130, .unknown: 1, .invalidArgument: 2, .deadlineExceeded: 7, .notFound: 3, .alreadyExists: 6,
      .permissionDenied: 4, .resourceExhausted: 1, .failedPrecondition: 6, .aborted: 6, .outOfRange: 2,
      .unimplemented: 2, .internal: 1, .unavailable: 5, .dataLoss: 1, .unauthenticated: 4, .shed: 5, .superseded: 6,
    ]
    #expect(Set(told.keys) == Set(RPCError.Code.allCases))
    for (code, exit) in told { #expect(CommandError(RPCError(code, "")).code.rawValue == exit, "\(code)") }
  }

  @Test("an error tells its reason first, and then the program that told it")
  func errorNames() {
    var error = RPCError(.failedPrecondition, "it rests")
    error.origin = "odi"
    #expect(CommandError(error).lines == ["error: it rests", "  why: odi says so"])
    error.origin = "locator"
    error.message = ""
    #expect(CommandError(error).what == "odi-locator did not do it")
  }

  @Test("a trace is a waterfall of its spans")
  func trace() async throws {
    try await serving { environment, run in
      let start = EventLoop.time.now
      let root = environment.traces.begin("page", .server, at: start)
      let child = root.child("films", .client, at: start + .milliseconds(50))
      child.note(["tries": 2])
      child.end(at: start + .milliseconds(100), error: "unavailable")
      root.end(at: start + .milliseconds(100))
      let list = await run("trace", "--tsv", "--fields", "trace,name,failed")
      #expect(list.output.hasSuffix("\(root.context.traceID)\tpage\ttrue\n"))
      let one = await run("trace", "\(root.context.traceID)")
      #expect(one.output.contains("page     ████████████████████████████████   100 ms\n"))
      #expect(one.output.contains("  films  ················████████████████  50.0 ms  error: unavailable tries=2"))
      #expect(await run("trace", String(repeating: "1", count: 32)).code == .notFound)
      #expect(await run("trace", "short").code == .usage)
    }
  }

  @Test("metrics shows numbers and quantiles")
  func metrics() async throws {
    try await serving { environment, run in
      environment.metrics.counter("odi_rings_total", "Rings.", labels: ["bell": "big"]).add(3)
      environment.metrics.histogram("odi_ring_seconds", "Time.").record(.milliseconds(10))
      let all = await run("metrics", "--grep", "odi_ring", "--tsv")
      #expect(all.output.contains("odi_rings_total\tbell=big\t3\t\t\t\n"))
      #expect(all.output.contains("odi_ring_seconds\t\t\t1\t0.01\t0.01\n"))
      #expect(await run("metrics", "--grep", "bell=big", "--tsv").output.split(separator: "\n").count == 2)
    }
  }

  @Test("drain is asked for before it is done")
  func drain() async throws {
    try await serving { environment, run in
      #expect(await run("drain").code == .usage)
      #expect(await run("drain", "--yes").code == .done)
    }
  }
}
