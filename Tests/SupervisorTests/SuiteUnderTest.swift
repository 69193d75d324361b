import Clocks
import EventLoops
import Glibc
import JSON
import ServiceKit
import Supervisor
import Testing

/// A suite of stub services in a folder of its own, run by the real `odi`.
@MainActor
final class Suite {
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
func isAlive(_ process: Int32) -> Bool {
  guard let stat = try? contents(ofFile: "/proc/\(process)/stat", bytesMax: 4_096) else { return false }
  return !String(decoding: stat, as: UTF8.self).contains(") Z ")
}

@MainActor
func until(_ condition: () async throws -> Bool) async throws -> Bool {
  // As long as a test may take: what is waited for comes within milliseconds.
  for _ in 0..<3_000 {
    if try await condition() { return true }
    try await EventLoop.time.sleep(for: .milliseconds(10))
  }
  return false
}
