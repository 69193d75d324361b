import Clocks
import EventLoops
import Glibc
import JSON
import ServiceKit
import Supervisor
import Testing

/// A suite of stub services in a folder of its own, run by the real `odi`.
@MainActor
private final class Suite {
  let data: String
  let programs: String
  let port: UInt16
  private let firstPort: UInt16
  private(set) var lines: [JSONValue] = []
  private var splitter = LineSplitter()
  private var isOver = false
  private var watchers: [UnsafeContinuation<Void, Never>] = []
  private(set) var process: ChildProcess!
  private static var serial: UInt16 = 0

  /// The programs that were built beside this test.
  private static let built: String = {
    var bytes = [UInt8](repeating: 0, count: 4_096)
    let count = bytes.withUnsafeMutableBytes { readlink("/proc/self/exe", $0.baseAddress!, $0.count) }
    let path = String(decoding: bytes.prefix(max(count, 0)), as: UTF8.self)
    return String(path[..<path.lastIndex(of: "/")!])
  }()

  init() {
    data = temporaryFolder()
    programs = data + "/programs"
    mkdir(programs, 0o700)
    for member in SuiteMember.allCases { symlink(Self.built + "/StubService", "\(programs)/\(member.executable)") }
    // Far below the ports that the kernel gives to those who do not care, and away from other tests' and other runs'.
    Self.serial += 1
    firstPort = 10_000 + UInt16(getpid() % 80) * 200 + Self.serial * 5
    port = firstPort + 150
  }

  private var options: [String] {
    ["--data", data, "--programs", programs, "--port", "\(port)", "--ports", "\(firstPort)"]
  }

  private var environment: [String: String] { ["PATH": "/usr/bin:/bin", "HOME": data] }

  /// The service itself in the place of its stub.
  func takeBuilt(_ member: SuiteMember) {
    unlink("\(programs)/\(member.executable)")
    symlink("\(Self.built)/\(member.executable)", "\(programs)/\(member.executable)")
  }

  /// `odi up`, whose log lines arrive in `lines`.
  func up(_ more: [String] = [], told variables: [String: String] = [:]) throws {
    isOver = false
    process = try ChildProcess(
      Self.built + "/odi", ["up"] + options + more, environment: environment.merging(variables) { $1 },
      output: .discard,
      errors: .pipe { [self] bytes in
        isOver = bytes.isEmpty
        splitter.take(bytes) { line in
          lines.append((try? JSONValue(parsing: line)) ?? .string(String(decoding: line, as: UTF8.self)))
        }
        let waiting = watchers
        watchers = []
        for watcher in waiting { watcher.resume() }
      }, ownSession: true)
  }

  /// The first line after `start` that is as wanted; nil when the process has ended without it.
  func line(after start: Int = 0, where isWanted: (JSONValue) -> Bool) async -> JSONValue? {
    while true {
      if let line = lines.dropFirst(start).first(where: isWanted) { return line }
      if isOver { return nil }
      await withUnsafeContinuation { watchers.append($0) }
    }
  }

  func ready() async -> Bool { await line { $0["msg"] == "ready" && $0["page"] != nil } != nil }

  /// Another `odi` command on the same folder.
  func run(_ words: String..., to file: Int32? = nil) async throws -> (code: Int32?, output: String, errors: String) {
    var texts: [[UInt8]] = [[], []]
    var open = file == nil ? 2 : 1
    let takesPrograms = ["up", "doctor", "seed", "backup", "restore"].contains(words[0])
    var suite = words[0] == "up" ? options : ["--data", data] + (takesPrograms ? ["--programs", programs] : [])
    if words[0] == "version" { suite = [] }
    let child = try ChildProcess(
      Self.built + "/odi", words + suite, environment: environment,
      output: file.map { .file($0) } ?? .pipe { if $0.isEmpty { open -= 1 } else { texts[0] += $0 } },
      errors: .pipe { if $0.isEmpty { open -= 1 } else { texts[1] += $0 } })
    let exit = await child.wait()
    while open > 0 { await withUnsafeContinuation { next in EventLoop.atEndOfTurn { next.resume() } } }
    let code: Int32? = if case .code(let code) = exit { code } else { nil }
    return (code, String(decoding: texts[0], as: UTF8.self), String(decoding: texts[1], as: UTF8.self))
  }

  /// What a program of the suite says of itself, with a revision noted beside it as deploy/build does: now, or as long
  /// ago as that nobody noted this program.
  func version(of program: String, noted revision: String? = nil, longAgo: Bool = false) async throws -> JSONValue? {
    // A name of its own, beside which nobody else notes anything.
    let path = "\(Self.built)/.\(program)-\(getpid())"
    let note = path + ".revision"
    guard link("\(Self.built)/\(program)", path) == 0 else { return nil }
    defer {
      unlink(path)
      unlink(note)
    }
    if let revision {
      let file = open(note, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
      _ = Array("\(revision)\n".utf8).withUnsafeBytes { Glibc.write(file, $0.baseAddress, $0.count) }
      if longAgo { futimens(file, [timespec(tv_sec: 1, tv_nsec: 0), timespec(tv_sec: 1, tv_nsec: 0)]) }
      close(file)
    }
    var text: [UInt8] = []
    var isOpen = true
    let child = try ChildProcess(
      path, ["version", "--json"], environment: environment,
      output: .pipe { if $0.isEmpty { isOpen = false } else { text += $0 } }, errors: .inherit)
    _ = await child.wait()
    while isOpen { await withUnsafeContinuation { next in EventLoop.atEndOfTurn { next.resume() } } }
    return try JSONValue(parsing: text)
  }

  func services() async throws -> [String: JSONValue] {
    let rows = try JSONValue(parsing: await run("ps", "--json").output)["data"]?.array ?? []
    return Dictionary(rows.map { ($0["service"]?.string ?? "", $0) }) { $1 }
  }

  func write(_ text: String, to name: String) {
    let file = open("\(data)/\(name)", O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    defer { close(file) }
    _ = Array(text.utf8).withUnsafeBytes { Glibc.write(file, $0.baseAddress, $0.count) }
  }

  func read(_ name: String) -> String {
    (try? contents(ofFile: "\(data)/\(name)", bytesMax: 1 << 20)).map { String(decoding: $0, as: UTF8.self) } ?? ""
  }
}

/// Whether a process is there, alive or not yet buried.
private func isAlive(_ process: Int32) -> Bool {
  guard let stat = try? contents(ofFile: "/proc/\(process)/stat", bytesMax: 4_096) else { return false }
  return !String(decoding: stat, as: UTF8.self).contains(") Z ")
}

@MainActor
private func until(_ condition: () async throws -> Bool) async throws -> Bool {
  // As long as a test may take: what is waited for comes within milliseconds.
  for _ in 0..<3_000 {
    if try await condition() { return true }
    try await EventLoop.time.sleep(for: .milliseconds(10))
  }
  return false
}

@Suite("A running suite", .serialized)
@MainActor
struct SuiteTests {
  @Test("every program tells what it is made of, and its revision if that was noted once it was built")
  func versions() async throws {
    let suite = Suite()
    let fetching: Set<String> = ["odi-scraper", "odi-films", "odi-dining", "odi-radio"]
    let stateless: Set<String> = ["odi", "odi-gateway", "odi-demo"]
    for program in ["odi"] + SuiteMember.allCases.map(\.executable) {
      let version = try await suite.version(of: program)
      #expect(version?["version"]?.string?.isEmpty == false && version?["swift"]?.string?.isEmpty == false)
      #expect(version?["libuv"]?.string?.hasPrefix("1.") == true, "\(program)")
      #expect((version?["sqlite"]?.string?.hasPrefix("3.") == true) == !stateless.contains(program), "\(program)")
      #expect((version?["libcurl"]?.string?.isEmpty == false) == fetching.contains(program), "\(program)")
      #expect(version?["revision"]?.string == nil, "\(program)")
    }
    let noted = try await suite.version(of: "odi-locator", noted: "0123456789ab-dirty")
    #expect(noted?["revision"] == "0123456789ab-dirty")
    // A program built since then is not what was noted.
    let stale = try await suite.version(of: "odi-locator", noted: "0123456789ab", longAgo: true)
    #expect(stale?["version"] == noted?["version"] && stale?["revision"]?.string == nil)
  }

  @Test("starts, tells how it is, replaces what is killed, refuses a second start, and ends in reverse order")
  func life() async throws {
    let suite = Suite()
    try suite.up()
    #expect(await suite.ready())
    #expect(suite.lines.allSatisfy { $0["level"] == "info" }, "a plain start has nothing to complain of")
    let before = try await suite.services()
    #expect(
      before.count == SuiteMember.allCases.count
        && before.values.allSatisfy { $0["state"] == "ready" && $0["restarts"] == 0 })
    #expect(before.values.allSatisfy { ($0["rss"]?.int ?? 0) > 1_000_000 })

    let second = try await suite.run("up")
    #expect(second.code == 6 && second.errors.contains("as process \(suite.process.id)"))

    let victim = Int32(before["scraper"]?["pid"]?.int ?? 0)
    let seen = suite.lines.count
    kill(victim, SIGKILL)
    let again = await suite.line(after: seen) { $0["msg"] == "ready" && $0["of"] == "scraper" }
    #expect(again != nil)
    #expect(suite.lines.contains { $0["msg"] == "ended and is started again" && $0["how"] == "was ended by signal 9" })
    let after = try await suite.services()
    #expect(after["scraper"]?["restarts"] == 1 && after["scraper"]?["pid"]?.int.map(Int32.init) != victim)
    #expect(after["gateway"]?["pid"] == before["gateway"]?["pid"])

    let asked = suite.lines.count
    #expect(try await suite.run("restart", "locator").code == 0)
    #expect(await suite.line(after: asked) { $0["msg"] == "ready" && $0["of"] == "locator" } != nil)
    #expect(try await suite.services()["locator"]?["restarts"] == 1)

    #expect(try await suite.run("down").code == 0)
    #expect(await suite.process.wait() == .code(0))
    let stops = suite.lines.filter { $0["msg"] == "stopping" }.suffix(before.count).compactMap { $0["service"]?.string }
    #expect(stops == SuiteMember.allCases.reversed().map(\.rawValue))
    #expect(after.values.allSatisfy { !isAlive(Int32($0["pid"]?.int ?? 0)) })
    let none = try await suite.run("ps")
    #expect(none.code == 5 && none.errors.contains("try: odi up"))
    #expect(try await suite.run("down").code == 0)
    let logs = try await suite.run("logs", "scraper", "--grep", "ready", "--json")
    #expect(logs.output.split(separator: "\n").count >= 2)
  }

  @Test("its services end with it, even when it is killed, and the next start finds nothing in its way")
  func killed() async throws {
    let suite = Suite()
    try suite.up()
    #expect(await suite.ready())
    let processes = try await suite.services().values.map { Int32($0["pid"]?.int ?? 0) }
    #expect(processes.count == SuiteMember.allCases.count)
    suite.process.send(.kill)
    _ = await suite.process.wait()
    #expect(try await until { processes.allSatisfy { !isAlive($0) } })
    #expect(try await suite.run("ps").code == 5)
    // All that the first one said has arrived when its pipe has ended.
    _ = await suite.line { _ in false }
    let start = suite.lines.count
    try suite.up()
    #expect(await suite.line(after: start) { $0["msg"] == "ready" && $0["page"] != nil } != nil)
    suite.process.send(.terminate)
    #expect(await suite.process.wait() == .code(0))
  }

  @Test("the workers of a service end with the suite, and with their owner when that is started again")
  func workers() async throws {
    let suite = Suite()
    suite.takeBuilt(.locator)
    try suite.up(["--only", "locator"], told: ["ODI_WORKERS": "2"])
    let first = await suite.line { $0["msg"] == "taking calls" && $0["worker"] == 2 }
    #expect(await suite.ready())
    let asked = suite.lines.count
    #expect(try await suite.run("restart", "locator").code == 0)
    let second = await suite.line(after: asked) { $0["msg"] == "taking calls" && $0["worker"] == 2 }
    let pids = try [first, second].map { Int32(try #require($0?["pid"]?.int)) }
    #expect(!isAlive(pids[0]) && isAlive(pids[1]))
    #expect(try await suite.run("down").code == 0)
    #expect(await suite.process.wait() == .code(0))
    #expect(!isAlive(pids[1]))
    #expect(suite.lines.filter { $0["service"] == "locator" && $0["level"] == "warning" }.isEmpty)
  }

  @Test("no worker's operations port is one of the suite's")
  func workersPorts() throws {
    let plan = SuitePlan(.init(folder: try SuiteFolder(temporaryFolder()), programs: "/"))
    let taken = Set(plan.services.flatMap(\.ports).map(Int.init))
    for service in plan.services {
      guard case .ip(_, let port) = service.operations else { continue }
      let workers = (1..<WorkerPlace.countMax).map { Int(port) + $0 * WorkerPlace.portStep }
      #expect(taken.isDisjoint(with: workers))
    }
  }

  @Test("a second signal ends at once what does not end when told")
  func deaf() async throws {
    let suite = Suite()
    suite.write("deaf", to: "gateway.misbehaviour")
    try suite.up(["--only", "gateway"])
    #expect(await suite.ready())
    let gateway = Int32(try await suite.services()["gateway"]?["pid"]?.int ?? 0)
    suite.process.send(.interrupt)
    #expect(await suite.line { $0["msg"] == "stopping" && $0["service"] == "gateway" } != nil)
    #expect(isAlive(gateway))
    suite.process.send(.interrupt)
    #expect(await suite.process.wait() == .code(130))
    #expect(!isAlive(gateway))
  }

  @Test("a service that does not start ends the start, with its last words")
  func failing() async throws {
    let suite = Suite()
    suite.write("exit 3", to: "scraper.misbehaviour")
    try suite.up()
    #expect(await suite.process.wait() == .code(1))
    let said = suite.lines.compactMap(\.string).joined(separator: "\n")
    #expect(said.contains("error: scraper does not start") && said.contains("why: exited with 3 before it was ready"))
    #expect(said.contains("  - cannot go on  for=\"a reason\""))
    let detached = try await suite.run("up", "--detach")
    #expect(detached.code == 1 && detached.errors.contains("error: scraper does not start"))
  }

  @Test("a start in the background returns when all is ready, and leaves it running")
  func detached() async throws {
    let suite = Suite()
    let start = try await suite.run("up", "--detach", "--json")
    #expect(start.code == 0)
    #expect(start.errors.contains("curl 'http://127.0.0.1:\(suite.port)/v1/cinemas/nearby"))
    let told = try JSONValue(parsing: start.output)
    #expect(told["page"]?.string == "http://127.0.0.1:\(suite.port)/")
    #expect(try await suite.services().values.allSatisfy { $0["ready"] == true })
    #expect(try await suite.run("up", "--detach").code == 6)
    #expect(try await suite.run("down").code == 0)
    #expect(!isAlive(Int32(told["process"]?.int ?? 0)))
  }

  @Test("a port that is taken is told before anything starts, with who has it and a way out")
  func takenPort() async throws {
    let suite = Suite()
    let listener = try Listener(on: .loopback(port: suite.port)) { _ in }
    defer { listener.close() }
    try suite.up()
    #expect(await suite.process.wait() == .code(6))
    let said = suite.lines.compactMap(\.string).joined(separator: "\n")
    #expect(said.contains("port \(suite.port), which odi-gateway needs, is taken"))
    #expect(said.contains("process \(getpid()), listens there") && said.contains("try: odi up --port"))
  }

  @Test("what a backup holds comes back after everything is lost, and a damaged backup is refused")
  func backup() async throws {
    let suite = Suite()
    try suite.up()
    #expect(await suite.ready())
    #expect(try await suite.run("seed").code == 0)
    suite.write("a\nb\nc\n", to: "bookmarks.sqlite")
    let key = suite.read("secrets/token-key")
    let place = suite.data + "/backup"
    #expect(try await suite.run("backup", place).code == 0)
    #expect(try await suite.run("backup", place).code == 6)
    #expect(try await suite.run("restore", place, "--verify").code == 0)
    #expect(access(place + ".drill", F_OK) != 0)
    #expect(try await suite.run("restore", place, "--yes").code == 6)
    #expect(try await suite.run("down").code == 0)

    for name in ["bookmarks.sqlite", "secrets/token-key"] { unlink("\(suite.data)/\(name)") }
    #expect(try await suite.run("restore", place).code == 2, "there is something to lose")
    #expect(try await suite.run("restore", place, "--yes").code == 0)
    for member in SuiteMember.allCases { unlink("\(suite.data)/\(member.rawValue).sqlite") }
    unlink("\(suite.data)/secrets/token-key")
    let restored = try await suite.run("restore", place, "--json")
    #expect(restored.code == 0)
    #expect(suite.read("bookmarks.sqlite") == "a\nb\nc\n" && suite.read("locator.sqlite") == "first\n")
    #expect(suite.read("secrets/token-key") == key && key.utf8.count == 65)
    let manifest = try JSONValue(parsing: restored.output)
    #expect(manifest["databases"]?[2]?["counts"]?["row"] == 3)

    // What is replaced is kept, keys too; what is the same already is no replacement.
    let other = String(repeating: "0f", count: 32) + "\n"
    suite.write(other, to: "secrets/token-key")
    for _ in 1...2 { #expect(try await suite.run("restore", place, "--yes").code == 0) }
    #expect(suite.read("secrets/token-key") == key && suite.read("secrets/token-key.replaced") == other)
    var facts = stat()
    #expect(stat(suite.data + "/secrets/token-key.replaced", &facts) == 0 && facts.st_mode & 0o777 == 0o600)
    #expect(access(suite.data + "/secrets/shared-secret.replaced", F_OK) != 0)

    suite.write("a\nb\n", to: "backup/bookmarks.sqlite")
    for words in [["--verify"], ["--yes"]] {
      let damaged = try await suite.run("restore", place, words[0])
      #expect(damaged.code == 1 && damaged.errors.contains("is not what the manifest says"))
    }
    #expect(suite.read("bookmarks.sqlite") == "a\nb\nc\n")
  }

  @Test("a backup holds every database of the folder, also of services that do not run")
  func backupOfAll() async throws {
    let suite = Suite()
    suite.write("kept\n", to: "bookmarks.sqlite")
    try suite.up(["--only", "locator"])
    #expect(await suite.ready())
    #expect(try await suite.run("seed").code == 0)
    let told = try await suite.run("ps")
    #expect(told.errors.contains("demo world") && !told.errors.contains("live"))
    let backup = try await suite.run("backup", suite.data + "/backup", "--json")
    #expect(backup.code == 0, "\(backup.errors)")
    let databases = try JSONValue(parsing: backup.output)["databases"]?.array ?? []
    #expect(databases.map { $0["service"]?.string } == ["locator", "bookmarks"])
    #expect(suite.read("backup/bookmarks.sqlite") == "kept\n")
    #expect(try await suite.run("down").code == 0)
  }

  @Test("a backup holds the files of sites, and is made of a suite that does not run too")
  func backupOfSites() async throws {
    let suite = Suite()
    #expect(try await suite.run("backup", suite.data + "/none").code == 3, "nothing is kept yet")
    try suite.up(["--only", "locator"])
    #expect(await suite.ready())
    #expect(try await suite.run("seed").code == 0)
    mkdir(suite.data + "/sites", 0o700)
    suite.write("{ \"mine\": 1 }\n", to: "sites/mine.jsonc")
    suite.write("nothing of ours\n", to: "sites/mine.jsonc~")
    #expect(try await suite.run("down").code == 0)

    let place = suite.data + "/backup"
    let made = try await suite.run("backup", place, "--json")
    #expect(made.code == 0, "\(made.errors)")
    #expect(try JSONValue(parsing: made.output)["sites"]?.array?.map { $0["file"]?.string } == ["mine.jsonc"])
    #expect(suite.read("backup/locator.sqlite") == "first\n")
    #expect(try await suite.run("restore", place, "--verify").code == 0)
    #expect(access(place + ".drill", F_OK) != 0)

    suite.write("{}\n", to: "sites/mine.jsonc")
    #expect(try await suite.run("restore", place, "--yes").code == 0)
    #expect(suite.read("sites/mine.jsonc").contains("mine") && suite.read("sites/mine.jsonc.replaced") == "{}\n")
    unlink(suite.data + "/sites/mine.jsonc")
    #expect(try await suite.run("restore", place, "--yes").code == 0)
    #expect(suite.read("sites/mine.jsonc").contains("mine"))

    suite.write("{ }\n", to: "backup/sites/mine.jsonc")
    let damaged = try await suite.run("restore", place, "--yes")
    #expect(damaged.code == 1 && damaged.errors.contains("sites/mine.jsonc is not what the manifest says"))
  }

  @Test("folders of backups and of programs may have longer paths than folders of sockets")
  func longPaths() async throws {
    let suite = Suite()
    try suite.up(["--only", "locator"])
    #expect(await suite.ready())
    let deep = suite.data + "/" + String(repeating: "d", count: 120)
    mkdir(deep, 0o700)
    suite.write("kept\n", to: "bookmarks.sqlite")
    let backup = try await suite.run("backup", deep + "/backup")
    #expect(backup.code == 0, "\(backup.errors)")
    let drill = try await suite.run("restore", deep + "/backup", "--verify")
    #expect(drill.code == 0, "\(drill.errors)")
    #expect(try await suite.run("down").code == 0)
  }

  @Test("while a backup is put back nobody ends that half way, and everybody is told that it runs")
  func whileRestoring() async throws {
    let suite = Suite()
    try suite.up(["--only", "locator"])
    #expect(await suite.ready())
    #expect(try await suite.run("seed").code == 0)
    #expect(try await suite.run("backup", suite.data + "/backup").code == 0)
    #expect(try await suite.run("down").code == 0)
    let gate = suite.data + "/locator.gate"
    mkfifo(gate, 0o600)
    let restoring = Task { try await suite.run("restore", suite.data + "/backup", "--yes") }
    let folder = try SuiteFolder(suite.data)
    #expect(try await until { SuiteLock.holder(of: folder) != nil })
    let down = try await suite.run("down")
    #expect(down.code == 6 && down.errors.contains("a backup is being put back into \(suite.data), by process "))
    #expect(try await suite.run("up").errors.contains("a backup is being put back"))
    #expect(try await suite.run("restore", suite.data + "/backup", "--yes").errors.contains("a backup is being put"))
    let ps = try await suite.run("ps")
    #expect(ps.code == 5 && ps.errors.contains("a backup is being put back"))
    // A writer is what the one at the gate waits for.
    #expect(
      try await until {
        let writer = open(gate, O_WRONLY | O_NONBLOCK | O_CLOEXEC)
        return close(writer) == 0
      })
    #expect(try await restoring.value.code == 0)
    #expect(suite.read("locator.sqlite") == "first\n")
  }

  @Test("a restore that fails part way tells what it has replaced and what not")
  func halfRestored() async throws {
    let suite = Suite()
    try suite.up(["--only", "locator"])
    #expect(await suite.ready())
    #expect(try await suite.run("seed").code == 0)
    suite.write("kept\n", to: "bookmarks.sqlite")
    suite.write("kept\n", to: "films.sqlite")
    #expect(try await suite.run("backup", suite.data + "/backup").code == 0)
    #expect(try await suite.run("down").code == 0)
    suite.write("no restore", to: "bookmarks.misbehaviour")
    let half = try await suite.run("restore", suite.data + "/backup", "--yes")
    #expect(half.code == 1)
    #expect(half.errors.contains("replaced: locator.sqlite; what was there is beside it, as NAME.replaced"))
    #expect(half.errors.contains("not replaced: bookmarks.sqlite, films.sqlite, shared-secret, token-key"))
  }

  @Test("a result that could not be written is an error")
  func fullDisk() async throws {
    let full = open("/dev/full", O_WRONLY | O_CLOEXEC)
    defer { close(full) }
    let suite = Suite()
    let told = try await suite.run("version", to: full)
    #expect(told.code == 1)
    #expect(told.errors == "error: cannot write the result\n  why: No space left on device\n")
  }

  @Test("doctor tells what each service's doctor tells, and which service is missing")
  func doctor() async throws {
    let suite = Suite()
    unlink("\(suite.programs)/odi-gateway")
    let doctor = try await suite.run("doctor", "--json")
    #expect(doctor.code == 9)
    let rows = try JSONValue(parsing: doctor.output)["data"]?.array ?? []
    func verdict(_ check: String) -> String? { rows.first { $0["check"]?.string == check }?["verdict"]?.string }
    #expect(verdict("gateway") == "problem" && verdict("locator config") == "ok" && verdict("suite") == "ok")

    chmod(suite.data, 0o755)
    let repaired = try await suite.run("doctor", "--fix")
    #expect(repaired.errors.contains("repaired: folder"))
    var facts = stat()
    #expect(stat(suite.data, &facts) == 0 && facts.st_mode & 0o777 == 0o700)
  }
}
