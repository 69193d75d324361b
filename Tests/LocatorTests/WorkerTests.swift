import Contracts
import EventLoops
import Foundation
import JSON
import Locator
import RPC
import RPCTransport
import ServiceKit
import ServiceTestKit
import TestKit
import Testing

/// `odi-locator serve --workers 3` as it is run: one process that owns the directory and two beside it.
@Suite("Workers of odi-locator", .timeLimit(.minutes(5)))
@MainActor
struct WorkerTests {
  private static let here = try! Coordinate(latitude: 37.5663, longitude: 126.9779)

  @Test("processes share a port, each hears of every change, and one that is killed is stood in for and begun again")
  func shared() async throws {
    let suite = try Suite()
    try await suite.taking(3)
    #expect(suite.pids.count == 3 && suite.pids.contains(Int(suite.owner.id)))
    let clients = suite.clients(60)
    // A process gives its directory a number of its own.
    var names: [Int] = []
    for client in clients { names.append(try await Self.directory(of: client)) }
    #expect(Set(names).count == 3, "the kernel deals connections out to all")

    // A change is made at the owner, and told by each process once it serves it.
    let before = try #require(try await clients[0].call(CinemasByID(ids: [CinemaID("emu")!])).first)
    #expect(before.screens != 7)
    #expect(await suite.command("edit", "emu", "--screens", "7") == .done)
    for name in Set(names) {
      let client = clients[names.firstIndex(of: name)!]
      var changes = try await client.stream(DirectoryChanges(since: 53)).makeAsyncIterator()
      while let change = try await changes.next(), change.cinema?.screens != 7 {}
      #expect(try await client.call(CinemasByID(ids: [before.id])).first?.screens == 7)
    }

    // Whoever was with one that is killed is answered by another.
    let victim = try #require(suite.pids.first { $0 != Int(suite.owner.id) })
    kill(Int32(victim), SIGKILL)
    for client in clients { _ = try await Self.directory(of: client) }
    try await suite.taking(4)
    #expect(Set(suite.pids).count == 4)

    suite.owner.send(.terminate)
    #expect(await suite.owner.wait() == .code(0))
    await suite.over()
  }

  @Test("workers say who they are, read the settings again with their owner, and do not outlive it")
  func lives() async throws {
    let suite = try Suite()
    try await suite.taking(3)
    suite.owner.send(.hangup)
    try await suite.said(3, "settings read again")
    let numbers = suite.lines("settings read again").map { $0["worker"]?.int }
    #expect(Set(numbers) == [nil, 2, 3])

    suite.owner.send(.kill)
    #expect(await suite.owner.wait() == .signal(SIGKILL))
    await suite.over()
  }

  @Test("one that hangs while its owner lives is ended, stood in for and begun again")
  func hanging() async throws {
    let suite = try Suite()
    try await suite.taking(3)
    let stopped = try #require(suite.pids.first { $0 != Int(suite.owner.id) })
    kill(Int32(stopped), SIGSTOP)
    try await suite.said(1, "a worker does not answer and is ended")
    try await suite.taking(4)
    #expect(suite.lines("a worker does not answer and is ended").map { $0["pid"]?.int } == [stopped])
    for client in suite.clients(20) { _ = try await Self.directory(of: client) }
    suite.owner.send(.kill)
    await suite.over()
  }

  @Test("one that is begun again lives by its siblings' settings, whatever has become of their file")
  func settings() async throws {
    let suite = try Suite(settings: #"{"drain_time": "9s"}"#)
    try await suite.taking(3)
    try suite.write(settings: #"{"drain_time": "8s", "log_level": "debug"}"#)
    suite.owner.send(.hangup)
    try await suite.said(3, "a setting is read at the start only")
    try suite.write(settings: #"{"drain_time": "9s", "sea": "rough"}"#)
    let victim = try #require(suite.pids.first { $0 != Int(suite.owner.id) })
    kill(Int32(victim), SIGKILL)
    try await suite.taking(4)
    // The level is followed while they run, so it holds from the first line of the new one.
    #expect(Set(suite.lines("part started").map { $0["pid"]?.int }) == [suite.pids[3]])
    // Who reads it again reads what is there.
    suite.owner.send(.hangup)
    try await suite.said(1, "settings are wrong; the old ones hold")
    suite.owner.send(.kill)
    await suite.over()
  }

  @Test("one that cannot answer any more does not outlive its owner either")
  func stopped() async throws {
    let suite = try Suite()
    try await suite.taking(3)
    let stopped = try #require(suite.pids.first { $0 != Int(suite.owner.id) })
    kill(Int32(stopped), SIGSTOP)
    suite.owner.send(.kill)
    await suite.over()
  }

  @Test("none is begun again while its owner ends, also where all are told to end at once")
  func ending() async throws {
    // Nobody started it who needs no warning, so it tells for a while that it is going to end.
    let suite = try Suite(isSupervised: false)
    try await suite.taking(3)
    suite.owner.send(.terminate)
    try await suite.said(1, "stopping")
    for pid in suite.pids where pid != Int(suite.owner.id) { kill(Int32(pid), SIGTERM) }
    #expect(await suite.owner.wait() == .code(0))
    await suite.over()
    #expect(suite.lines("a worker ended and is begun again").isEmpty && suite.pids.count == 3)
  }

  @Test("how many there are is told without those that cannot begin")
  func missing() async throws {
    let suite = try Suite(inTheWayOf: 2)
    try await suite.taking(2)
    try await suite.said(1, "a worker ended and is begun again")
    // The pause before it is begun again grows, so nearly every answer is of a moment without it.
    while await suite.metric("odi_workers") != 2 {}
    suite.owner.send(.kill)
    await suite.over()
  }

  @Test("a command that changes something and asks a worker is told whom to ask")
  func readers() async throws {
    let suite = try Suite()
    try await suite.taking(3)
    let owner = "unix:\(suite.folder.path)/run/locator.sock"
    #expect(await suite.command("edit", "emu", "--screens", "7", "--host", "\(owner)-2") == .usage)
    #expect(suite.screen.errors.contains("this is worker 2, which only reads"))
    #expect(suite.screen.errors.contains("try: the same with --host \(owner)\n"))
    // An owner that does not know a request is older than who asks.
    #expect(await suite.command("edit", "emu", "--screens", "7", "--host", owner) == .done)
    suite.owner.send(.kill)
    await suite.over()
  }

  @Test("a port that others share among themselves is not taken part in, and they are named")
  func strangers() async throws {
    var options = ListenerOptions()
    options.reusePort = true
    let stranger = try Listener(on: .loopback(), options: options) { $0.close(.done) }
    defer { stranger.close() }
    let suite = try Suite(listen: "\(stranger.address)")
    #expect(await suite.owner.wait() == .code(1))
    await suite.over()
    #expect(suite.lines("part did not start").count == 1 && suite.pids.isEmpty)
    let error = try #require(suite.lines("part did not start").first?["error"]?.string)
    #expect(error.hasPrefix("cannot listen on \(stranger.address): ") && error.contains("process \(getpid()), listens"))
    #expect(error.hasSuffix("; end that process, or --listen with another port"))
  }

  private static func directory(of client: any RPCClient<LocatorAPI>) async throws -> Int {
    try await client.call(NearestPlaces(origin: here, limit: 1)).directory
  }

  /// What was started, and what it has said.
  @MainActor
  private final class Suite {
    let folder: TemporaryFolder
    let screen = Screen()
    private(set) var owner: ChildProcess!
    private let inTheWay: Listener?
    private var log = ""
    private var isOver = false
    private var waiting: UnsafeContinuation<Void, Never>?

    /// - Parameters:
    ///   - isSupervised: it ends with us, and needs nobody's warning that it does.
    ///   - worker: whose socket another has, so that it cannot begin.
    init(
      listen: String = "127.0.0.1:0", isSupervised: Bool = true, inTheWayOf worker: Int? = nil, settings: String = "{}"
    ) throws {
      folder = try TemporaryFolder()
      let sockets = "\(folder.path)/run"
      try FileManager.default.createDirectory(
        atPath: sockets, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
      inTheWay = try worker.map { try Listener(on: .unix(path: "\(sockets)/locator.sock-\($0)")) { $0.close(.done) } }
      try write(settings: settings)
      let program = URL(filePath: try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe"))
        .deletingLastPathComponent().appending(path: "odi-locator").path
      var variables = ["HOME": folder.path, "ODI_LOG_FORMAT": "json"]
      if isSupervised { variables["ODI_SUPERVISOR"] = "\(getpid())" }
      // What a sanitizer is told here holds in the program too, and where it finds names for its addresses.
      for name in ["TSAN_OPTIONS", "ASAN_OPTIONS", "PATH"] {
        variables[name] = ProcessInfo.processInfo.environment[name]
      }
      owner = try ChildProcess(
        program,
        [
          "serve", "--workers", "3", "--demo", "true", "--listen", listen, "--operations-listen", "127.0.0.1:0",
          "--data", folder.path, "--config", "\(folder.path)/locator.json",
        ],
        environment: variables, directory: folder.path, output: .discard,
        errors: .pipe { [weak self] in self?.hear(String(decoding: $0, as: UTF8.self)) })
    }

    func write(settings: String) throws {
      try Data(settings.utf8).write(to: URL(filePath: "\(folder.path)/locator.json"))
    }

    /// Nothing at the end of all who write there: the owner, and the workers to which it has handed it on.
    private func hear(_ text: String) {
      log += text
      isOver = text.isEmpty
      waiting?.resume()
      waiting = nil
    }

    func lines(_ message: String) -> [JSONValue] {
      log.split(separator: "\n").compactMap { try? JSONValue(parsing: Array($0.utf8)) }
        .filter { $0["msg"]?.string == message }
    }

    /// Of those that took calls, in the order in which they did.
    var pids: [Int] { lines("taking calls").compactMap { $0["pid"]?.int.map { Int($0) } } }

    /// Returns when so many processes have begun to take calls.
    func taking(_ count: Int) async throws { try await said(count, "taking calls") }

    /// Returns when `message` has been logged so many times.
    func said(_ count: Int, _ message: String) async throws {
      while lines(message).count < count {
        try #require(!isOver, "\(log)")
        await withUnsafeContinuation { waiting = $0 }
      }
    }

    /// Returns when no process of it lives any more.
    func over() async {
      while !isOver { await withUnsafeContinuation { waiting = $0 } }
    }

    func clients(_ count: Int) -> [any RPCClient<LocatorAPI>] {
      let told = lines("taking calls").first?["at"]?.string
      let address = (try? told.map { try SocketAddress(parsing: $0) }) ?? .loopback()
      return (0..<count).map { _ in ServiceClient(of: LocatorAPI.self, at: [.address(address)], as: "test") }
    }

    func command(_ words: String...) async -> ExitCode {
      let terminal = screen.terminal(environment: ["ODI_DATA": folder.path])
      return await CommandRunner(root: LocatorService.program.root, terminal: terminal).run(words)
    }

    /// What the owner reads now.
    func metric(_ name: String) async -> Double? {
      let screen = Screen()
      let terminal = screen.terminal(environment: ["ODI_DATA": folder.path])
      let words = ["metrics", "--grep", name, "--fields", "value", "--tsv"]
      guard await CommandRunner(root: LocatorService.program.root, terminal: terminal).run(words) == .done else {
        return nil
      }
      return screen.output.split(separator: "\n").last.flatMap { Double($0) }
    }
  }
}
