import EventLoops
import Foundation
import JSON
import Observability
import ServiceKit
import ServiceTestKit
import TestKit
import Testing

private let greeting = Setting<String>.value("greeting", "what it says", default: "hello")

@MainActor
private final class Bell: ServicePart {
  nonisolated let name = "bell"
  private let rings: () -> Void

  init(_ rings: @escaping () -> Void) { self.rings = rings }

  func start() async throws { rings() }
}

@MainActor
private func program(
  checks: [Check] = [], commands: [Command] = [],
  parts: @escaping @MainActor (ServiceEnvironment) throws -> [any ServicePart] = { _ in [] }
) -> ServiceProgram {
  ServiceProgram(
    "chime", "rings \"twice\" - and .once", discussion: ".starts with a dot\n'and with a quote \\ backslash",
    examples: [.init("odi-chime serve --greeting 'good day'", "ring politely")],
    build: BuildInfo(version: "1.2.3", revision: "abc", libraries: [("libuv", "1.44.2")]), port: 7_199,
    settings: [greeting],
    checks: checks, commands: commands, parts: parts)
}

@Suite("Service program")
@MainActor
struct ServiceProgramTests {
  private let screen = Screen()

  private func run(_ words: String..., program: ServiceProgram = program(), isTerminal: Bool = false) async -> ExitCode
  {
    await CommandRunner(root: program.root, terminal: screen.terminal(isTerminal: isTerminal)).run(words)
  }

  @Test("every service has the same commands, and its own between them")
  func commands() {
    let own = Command("ring", "once") { _, _ in .done }
    let names = program(commands: [own]).root.subcommands.map(\.name)
    #expect(
      names.joined(separator: " ")
        == "serve ping status stats top describe call bench logs trace metrics log-level fault jobs record replay reload "
        + "drain config doctor ring version completion man")
  }

  @Test("version tells what it is made of")
  func version() async throws {
    #expect(await run("version", "--json") == .done)
    let version = try JSONValue(parsing: screen.output)
    #expect(version["program"] == "odi-chime" && version["version"] == "1.2.3" && version["libuv"] == "1.44.2")
    #expect(version["swift"]?.string?.hasPrefix("6.") == true)
  }

  @Test("--version is the command version, at the beginning only")
  func versionOption() async {
    #expect(await run("--version", "--fields", "program,version", "--tsv") == .done)
    #expect(screen.output == "program\tversion\nodi-chime\t1.2.3\n")
    #expect(await run("config", "--version") == .usage)
  }

  @Test("settings are options of serve and of config")
  func settings() async {
    #expect(await run("config", "show", "--greeting", "hi", "--fields", "setting,value,origin", "--tsv") == .done)
    #expect(screen.output.contains("greeting\thi\t--greeting\n"))
    #expect(await run("serve", "--log-level", "loud") == .usage)
    #expect(screen.errors.contains("  - --log-level takes one of debug, info, warning, error, not loud\n"))
  }

  @Test("what cannot be shared among workers is refused before anything is begun")
  func workers() async {
    let shared = ServiceProgram(
      "chime", "rings", build: BuildInfo(version: "1.2.3"), port: 7_199, offersWorkers: true
    ) { _ in
      Issue.record("it was put together")
      return []
    }
    #expect(await run("serve", "--workers", "33", program: shared) == .usage)
    #expect(screen.errors.contains("--workers takes"))
    #expect(await run("serve", "--workers", "2", "--listen", "unix:calls.sock", program: shared) == .usage)
    #expect(screen.errors.contains("workers share a port, and calls are taken at unix:calls.sock"))
    let high = "127.0.0.1:65400"
    #expect(await run("serve", "--workers", "3", "--operations-listen", high, program: shared) == .usage)
    #expect(screen.errors.contains("3 workers have no ports for operations from 65400 on"))
    #expect(await run("serve", "--workers", "3", "--admin-listen", "127.0.0.1:65500", program: shared) == .usage)
    #expect(screen.errors.contains("3 workers have no ports for administrators from 65500 on"))
    let folder = "/" + String(repeating: "f", count: SocketAddress.pathBytesMax - "//run/chime.sock".utf8.count)
    #expect(await run("serve", "--workers", "2", "--data", folder, program: shared) == .usage)
    #expect(screen.errors.contains("the path of a socket is too long"))
    for wrong in ["", "1 127.0.0.1:7101", "2", "2 nowhere at all"] {
      let terminal = screen.terminal(environment: ["ODI_WORKER": wrong])
      #expect(await CommandRunner(root: shared.root, terminal: terminal).run(["serve"]) == .usage)
      #expect(screen.errors.contains("ODI_WORKER is \(wrong), which no service says"))
    }
    // A worker that somebody begins by hand has as little room as those that its owner would have.
    let last = screen.terminal(environment: ["ODI_WORKER": "32 127.0.0.1:7101"])
    for option in ["--operations-listen", "--admin-listen"] {
      let words = ["serve", option, "127.0.0.1:65000"]
      #expect(await CommandRunner(root: shared.root, terminal: last).run(words) == .usage)
    }
    #expect(screen.errors.contains("32 workers have no ports for operations from 65000 on"))
    #expect(screen.errors.contains("32 workers have no ports for administrators from 65000 on"))
    // Who takes no part in it does not know the setting.
    #expect(await run("serve", "--workers", "2") == .usage)
    #expect(screen.errors.contains("--workers"))
  }

  @Test("the unit has room for as many workers as there can be, and leaves it to the first to end them")
  func unit() throws {
    let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../..").standardized
    let unit = try String(contentsOf: root.appending(path: "deploy/systemd/odi@.service"), encoding: .utf8)
    let lines = unit.split(separator: "\n")
    #expect(lines.contains("KillMode=mixed"))
    let most = lines.first { $0.hasPrefix("TasksMax=") }.flatMap { Int($0.dropFirst("TasksMax=".count)) }
    #expect(try #require(most) >= WorkerPlace.countMax * WorkerPlace.threadsMax)
  }

  @Test("as many workers as have no room for their threads are refused, with how many have")
  func room() throws {
    func check(_ count: Int, tasks: Int?) throws(CommandError) {
      let calls = SocketAddress.loopback(port: 7_101)
      try WorkerPlace.check(
        count, calls: calls, administrators: .unix(path: "a.sock"), operations: .loopback(port: 8_101), tasks: tasks)
    }
    let refused = #expect(throws: CommandError.self) { try check(11, tasks: 128) }
    #expect(refused?.what == "11 workers do not fit in the 128 threads that the system gives here")
    #expect(refused?.remedy?.hasPrefix("--workers 10, ") == true)
    try check(10, tasks: 128)
    try check(WorkerPlace.countMax, tasks: nil)
  }

  @Test("the least that a control group or one above it allows is what a service is given")
  func groups() throws {
    let root = try TemporaryFolder()
    let unit = "\(root.path)/system.slice/odi@locator.service"
    try FileManager.default.createDirectory(atPath: unit, withIntermediateDirectories: true)
    let membership = "4:memory:/other\n0::/system.slice/odi@locator.service\n"
    #expect(groupTaskLimit(membership, in: root.path) == nil)
    try Data("max\n".utf8).write(to: URL(filePath: "\(unit)/pids.max"))
    #expect(groupTaskLimit(membership, in: root.path) == nil)
    try Data("4915\n".utf8).write(to: URL(filePath: "\(root.path)/system.slice/pids.max"))
    #expect(groupTaskLimit(membership, in: root.path) == 4_915)
    try Data("128\n".utf8).write(to: URL(filePath: "\(unit)/pids.max"))
    #expect(groupTaskLimit(membership, in: root.path) == 128)
    #expect(groupTaskLimit("0::/\n", in: root.path) == nil)
    #expect(groupTaskLimit("4:memory:/system.slice\n", in: root.path) == nil)
    #expect(groupTaskLimit("", in: root.path) == nil)
  }

  @Test("what a check cannot look at is a problem, with what to do")
  func unseen() async {
    let hanging = Check("clock") { _ in
      throw CommandError(.failed, "it hangs", why: "no answer", try: "odi-chime status")
    }
    #expect(await run("doctor", "--fields", "check,finding,remedy", program: program(checks: [hanging])) == .degraded)
    #expect(screen.output.contains("it hangs: no answer") && screen.output.contains("odi-chime status"))
  }

  @Test("doctor shows what it finds, and a problem is its exit code")
  func doctor() async {
    let checks = [
      Check("bell") { .init(.ok, "rings") }, Check("rope") { .init(.warning, "frayed") },
      Check("tower") { .init(.problem, "leans", try: "odi-chime doctor --fix") },
    ]
    #expect(await run("doctor", "--fields", "mark,check,finding,remedy", program: program(checks: checks)) == .degraded)
    #expect(screen.output.contains("✔  bell"))
    #expect(screen.output.contains("!  rope"))
    #expect(screen.output.contains("✗  tower"))
    #expect(screen.output.contains("odi-chime doctor --fix"))
    #expect(screen.errors.contains("1 problems"))
  }

  @Test("doctor looks at the data folder that it is told of, and makes a missing one")
  func storage() async {
    let folder = NSTemporaryDirectory() + UUID().uuidString
    defer { rmdir(folder) }
    #expect(await run("doctor", "--data", folder, program: program(checks: [.storage])) == .degraded)
    #expect(screen.output.contains("cannot write to \(folder)"))
    #expect(await run("doctor", "--data", folder, "--fix", program: program(checks: [.storage])) == .done)
  }

  @Test("doctor repairs what can be repaired, and looks again")
  func repair() async {
    var isBroken = true
    let check = Check("rope") { isBroken ? .init(.problem, "cut") { isBroken = false } : .init(.ok, "whole") }
    #expect(await run("doctor", program: program(checks: [check])) == .degraded)
    #expect(await run("doctor", "--fix", program: program(checks: [check])) == .done)
    #expect(screen.errors.contains("repaired: rope"))
  }

  @Test("a service that cannot be put together says why")
  func broken() async {
    struct Broken: Error, CustomStringConvertible { var description: String { "the bell is missing" } }
    #expect(await run("serve", program: program { _ in throw Broken() }) == .failed)
    #expect(screen.errors == "error: the bell is missing\n")
  }

  @Test("who begins a second one on the same data is told of the first, and not of a port")
  func second() async throws {
    struct Begun: Error {}
    let folder = try TemporaryFolder()
    let socket = try DataFolder(folder.path).adminSocket(of: "chime")
    try FileManager.default.createDirectory(atPath: folder.file("run"), withIntermediateDirectories: false)
    let first = try Listener(on: socket) { _ in }
    let words = ["serve", "--data", folder.path]
    let runner = CommandRunner(
      root: program { _ in throw Begun() }.root, terminal: screen.terminal(), explain: CommandError.init(explaining:))
    #expect(await runner.run(words) == .conflict)
    #expect(screen.errors.contains("odi-chime runs on \(folder.path) already"), "\(screen.errors)")
    first.close()
    // What a dead process leaves behind is in nobody's way.
    #expect(await runner.run(words) == .failed)
  }

  @Test("the manual page is roff without a warning, and no text of ours is taken for a request")
  func manual() async throws {
    #expect(await run("man") == .done)
    #expect(screen.output.contains(".SH \"NAME\"\nodi\\-chime \\- rings \\(dqtwice\\(dq \\- and .once\n"))
    #expect(screen.output.contains("\n\\&.starts with a dot\n"))
    #expect(screen.output.contains("\n\\&'and with a quote \\e backslash\n"))
    #expect(screen.output.contains("\\-\\-greeting TEXT"))
    let groff = try tool("groff", package: "groff-base")
    let warnings = try shell("'\(groff)' -man -Tutf8 -Kutf8 -ww >/dev/null", input: screen.output)
    #expect(warnings == "")
  }

  @Test("it lives until SIGTERM, reads its settings again at SIGHUP, and ends in good order")
  func signals() async throws {
    if Alone.isAlone {
      let file = NSTemporaryDirectory() + UUID().uuidString
      defer { unlink(file) }
      try #"{"greeting": "first", "log_level": "error"}"#.write(toFile: file, atomically: true, encoding: .utf8)
      var heard: [String] = []
      let program = program { environment in
        environment.onReload { configuration in
          heard.append(configuration[greeting])
          kill(getpid(), SIGTERM)
        }
        return [
          Bell {
            heard.append(environment.configuration[greeting])
            try? #"{"greeting": "second"}"#.write(toFile: file, atomically: true, encoding: .utf8)
            kill(getpid(), SIGHUP)
          }
        ]
      }
      #expect(
        await run("serve", "--config", file, "--operations-listen", "127.0.0.1:0", program: program, isTerminal: true)
          == .done)
      #expect(heard == ["first", "second"])
    } else {
      #expect(try await Alone.run("ServiceProgramTests/signals") == .code(0))
    }
  }
}

/// Where a tool is that a test needs; where it is missing the test fails and says what to install.
private func tool(_ name: String, package: String? = nil) throws -> String {
  let paths = ["/bin/\(name)", "/usr/bin/\(name)"]
  let found = paths.first { FileManager.default.isExecutableFile(atPath: $0) }
  return try #require(found, "\(name) is missing: apt-get install \(package ?? name)")
}

/// What a command writes to standard output and error, for the few tools that judge our text.
func shell(_ command: String, input: String = "", shell: String = "/bin/bash") throws -> String {
  let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
  try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  defer { try? FileManager.default.removeItem(at: folder) }
  try Data(input.utf8).write(to: folder.appending(path: "input"))
  try Data().write(to: folder.appending(path: "output"))
  let process = Process()
  process.executableURL = URL(filePath: shell)
  process.arguments = ["-c", command]
  process.currentDirectoryURL = folder
  process.standardInput = try FileHandle(forReadingFrom: folder.appending(path: "input"))
  let output = try FileHandle(forWritingTo: folder.appending(path: "output"))
  process.standardOutput = output
  process.standardError = output
  try process.run()
  process.waitUntilExit()
  return String(decoding: try Data(contentsOf: folder.appending(path: "output")), as: UTF8.self)
}

@Suite("Completion scripts")
struct CompletionScriptTests {
  /// Completes a line as bash does, with a program that writes down how it was asked and offers these lines.
  private func bash(_ line: String, words: [String], offers: String) throws -> [String] {
    let quoted = words.map { "'\($0)'" }.joined(separator: " ")
    let script = """
      odi-chime() { { printf '<%s>' "$@"; echo; } >&3; printf -- '\(offers)'; }
      exec 3>asked
      source input
      COMP_WORDS=(\(quoted)) COMP_CWORD=\(words.count - 1) COMP_LINE='\(line)' COMP_POINT=\(line.utf8.count)
      _odi_chime
      cat asked
      printf '%s\\n' "${COMPREPLY[@]}"
      """
    return try shell(script, input: CompletionScript.bash.text(for: "odi-chime")).split(
      separator: "\n", omittingEmptySubsequences: false
    ).dropLast().map(String.init)
  }

  @Test("bash hands over the words and offers what comes back, without its meaning")
  func plain() throws {
    let reply = try bash("odi-chime se", words: ["odi-chime", "se"], offers: "serve\\trun it\\nsettle\\n:none\\n")
    #expect(reply == ["<__complete><--><se>", "serve", "settle"])
  }

  @Test("bash asks for an empty word after a blank")
  func empty() throws {
    let reply = try bash("odi-chime config ", words: ["odi-chime", "config", ""], offers: "show\\n:none\\n")
    #expect(reply == ["<__complete><--><config><>", "show"])
  }

  @Test("bash's pieces around = and : become one word, and the reply is the piece that bash replaces")
  func pieces() throws {
    let value = try bash(
      "odi-chime --color=al", words: ["odi-chime", "--color", "=", "al"], offers: "--color=always\\n:none\\n")
    #expect(value == ["<__complete><--><--color=al>", "always"])
    let start = try bash(
      "odi-chime --color=", words: ["odi-chime", "--color", "="], offers: "--color=always\\n--color=auto\\n:none\\n")
    #expect(start == ["<__complete><--><--color=>", "always", "auto"])
    let colon = try bash(
      "odi-chime get film:a", words: ["odi-chime", "get", "film", ":", "a"], offers: "film:abc\\n:none\\n")
    #expect(colon == ["<__complete><--><get><film:a>", "abc"])
    let apart = try bash("odi-chime a = b", words: ["odi-chime", "a", "=", "b"], offers: ":none\\n")
    #expect(apart.first == "<__complete><--><a><=><b>")
  }

  @Test("bash quotes what a shell would read otherwise")
  func quoting() throws {
    let reply = try bash("odi-chime g", words: ["odi-chime", "g"], offers: "go now\\n$(reboot)\\n:none\\n")
    #expect(reply.dropFirst() == ["go\\ now", "\\$\\(reboot\\)"])
  }

  @Test("bash completes files by itself")
  func files() throws {
    let reply = try bash("odi-chime import in", words: ["odi-chime", "import", "in"], offers: ":files\\n")
    #expect(reply == ["<__complete><--><import><in>", "input"])
  }

  @Test("every script is well-formed for its shell", arguments: CompletionScript.allCases)
  func syntax(script: CompletionScript) throws {
    let path = try tool("\(script)")
    #expect(try shell("'\(path)' -n input", input: script.text(for: "odi-chime")) == "")
  }
}
