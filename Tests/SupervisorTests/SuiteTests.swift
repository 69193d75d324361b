import Clocks
import EventLoops
import Glibc
import JSON
import ServiceKit
import ServiceTestKit
import Supervisor
import Testing

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
    #expect(try GoldenShape(try await suite.run("ps", "--json").output).missing(from: "odi-ps") == [])

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
    #expect(try await suite.services()["locator"]?["restarts"] == 0, "somebody asked for it")

    #expect(try await suite.run("down").code == 0)
    #expect(await suite.process.wait() == .code(0))
    let stops = suite.lines.filter { $0["msg"] == "stopping" }.suffix(before.count).compactMap { $0["service"]?.string }
    #expect(stops == SuiteMember.allCases.reversed().map(\.rawValue))
    #expect(after.values.allSatisfy { !isAlive(Int32($0["pid"]?.int ?? 0)) })
    let none = try await suite.run("ps")
    #expect(none.code == 5 && none.errors.contains("try: odi up"))
    #expect(try await suite.run("down").code == 0)
    let logs = try await suite.run("logs", "scraper", "--grep", "ready", "--json")
    let lines = logs.output.split(separator: "\n")
    #expect(lines.count >= 2)
    #expect(try GoldenShape(String(lines.first ?? "")).missing(from: "odi-logs") == [])
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
    #expect(try GoldenShape(doctor.output).missing(from: "odi-doctor") == [])
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
