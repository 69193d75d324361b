import Calendars
import Clocks
import Demo
import EventLoops
import Foundation
import JSON
import Observability
import RPC
import ServiceKit
import Synchronization
import TestKit
import Testing

extension OneAfterAnother {
  /// The commands as they are typed, against a world in this process.
  @Suite("Demo commands", .serialized)
  @MainActor
  struct DemoCommandTests {
    private struct Answer {
      var code: ExitCode
      var output: String
      var errors: String
    }

    private func serving(
      _ body: (_ world: DemoWorld, _ run: (String) async -> Answer) async throws -> Void
    ) async throws {
      let folder = NSTemporaryDirectory() + UUID().uuidString
      defer { try? FileManager.default.removeItem(atPath: folder) }
      let program = DemoService.program
      let environment = ServiceEnvironment(
        service: "demo", build: .ofSuite(),
        configuration: try Configuration(of: "demo", program.settings, from: .init(flags: ["data": folder])),
        data: DataFolder(folder), listen: .loopback(), adminListen: try DataFolder(folder).adminSocket(of: "demo"),
        time: EventLoop.time, log: .silent, metrics: Metrics(), traces: Traces(random: { 1 }), readiness: Readiness())
      let world = try DemoWorld(time: ManualTime(wall: try #require(Timestamp("2026-11-22T03:00:00Z")).instant))
      let router = RPCRouter(service: "demo")
      DemoAdmin(world: world).register(on: router)
      let server = CallServer(router, in: environment)
      try await server.start()
      do {
        try await body(world) { line in await Self.run(line + " --data \(folder)") }
      } catch {
        await server.drain()
        throw error
      }
      await server.drain()
    }

    private static func run(_ line: String) async -> Answer {
      let (output, errors) = (Written(), Written())
      let terminal = Terminal(
        inputIsTerminal: false, outputIsTerminal: false, errorIsTerminal: false, width: 80, environment: [:],
        writeOutput: output.write, writeError: errors.write, readLine: { nil })
      let words = line.split(separator: " ").map(String.init)
      let code = await CommandRunner(root: DemoService.program.root, terminal: terminal).run(words)
      return Answer(code: code, output: output.text, errors: errors.text)
    }

    @Test("misbehave, knobs and behave turn knobs of the running world")
    func knobs() async throws {
      try await serving { world, run in
        let one = await run("misbehave rio redesign --for 10m --tsv --fields cinema,misbehaviour,left")
        #expect(one.code == .done && one.output == "cinema\tmisbehaviour\tleft\nrio\tredesign\t600\n", "\(one.errors)")
        #expect(await run("misbehave all euc-kr").code == .done)
        #expect(world.knobs.active.map(\.misbehaviour) == [.redesign, .eucKR])
        #expect(world.knobs.active.map(\.cinema) == ["rio", nil])
        let knobs = await run("knobs --json --fields cinema,misbehaviour").output
        let data = try JSONValue(parsing: knobs)["data"]
        #expect(data?[1] == ["cinema": "all", "misbehaviour": "euc-kr"])
        #expect(await run("behave rio").code == .done)
        #expect(world.knobs.active.map(\.cinema) == [nil])
        #expect(await run("behave").code == .done)
        #expect(world.knobs.active.isEmpty)
      }
    }

    @Test("change tells what it changed")
    func change() async throws {
      try await serving { world, run in
        let cinecube = try #require(world.cinema("cinecube"))
        let moved = await run("change cinecube --move --json")
        #expect(moved.code == .done, "\(moved.errors)")
        let report = try JSONValue(parsing: moved.output)
        let was = try #require(report["was"]?.string.flatMap { DisplayTime($0) })
        let start = try #require(report["start"]?.string.flatMap { DisplayTime($0) })
        #expect(start.minutes == was.minutes + 30 && report["date"] == "2026-11-22")
        let day = try #require(CivilDate("2026-11-22").flatMap { world.day($0, at: cinecube) })
        #expect(day.shows.contains { $0.start == start && $0.state == .moved(from: was) })
        let later = await run("change cinecube --sell-out --date 2026-11-25 --tsv --fields date,kind")
        #expect(later.output == "date\tkind\n2026-11-25\tsell-out\n")
      }
    }

    @Test(
      "what makes no sense is told with what to type",
      arguments: [
        ("change cinecube", ExitCode.usage, "one of --cancel, --add, --move, --sell-out"),
        ("change cinecube --add --move", .usage, "one of --cancel, --add, --move, --sell-out"),
        ("change cinecube --add --date tomorrow", .usage, "write it like 2026-11-23"),
        ("change atlantis --add", .notFound, "odi-demo list"), ("misbehave atlantis 503", .notFound, "odi-demo list"),
        ("change heyri --cancel", .conflict, "no coming show"), ("misbehave rio badly", .usage, "redesign"),
      ])
    func mistakes(line: String, code: ExitCode, says: String) async throws {
      try await serving { _, run in
        let answer = await run(line)
        #expect(answer.code == code && answer.errors.contains(says), "\(answer.errors)")
        #expect(answer.output.isEmpty)
      }
    }

    @Test("list needs no running world")
    func list() async throws {
      let answer = await Self.run("list --tsv --fields id,format,active")
      #expect(answer.code == .done)
      let lines = answer.output.split(separator: "\n")
      #expect(lines.count == 54 && lines.contains("rio\ttable\ttrue") && lines.contains("orfeo-hannam\tdtryx\tfalse"))
    }
  }
}

private final class Written: Sendable {
  private let state = Mutex("")
  var text: String { state.withLock { $0 } }
  @Sendable func write(_ more: String) { state.withLock { $0 += more } }
}
