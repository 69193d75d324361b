import Glibc
import JSON
import Observability
import RPC
import ServiceKit

/// A service that does nothing but live: the supervisor's tests start it under the names of the real ones.
///
/// Its database is a text file with a row a line. What is in `DIR/NAME.misbehaviour` makes it fail: `exit 3`, `deaf`
/// (ignores SIGTERM), `unready`.
@main struct StubService {
  nonisolated static func main() { ServiceProgram.main { program } }

  static var name: String {
    let file = CommandLine.arguments[0].split(separator: "/").last.map(String.init) ?? ""
    return file.hasPrefix("odi-") ? String(file.dropFirst(4)) : "stub"
  }

  static var folder: String { processEnvironment()["ODI_DATA"] ?? "." }

  static var program: ServiceProgram {
    ServiceProgram(
      name, "does nothing, for tests", build: .ofSuite(), port: 7_199,
      settings: [httpListen, sitesListen], commands: [database, seed]
    ) { environment in
      let misbehaviour = text(of: "\(folder)/\(name).misbehaviour").split(separator: " ").map(String.init)
      switch misbehaviour.first {
      case "exit":
        environment.log.error("cannot go on", ["for": "a reason"])
        exit(Int32(misbehaviour[1])!)
      case "deaf": return [Deaf(), CallServer(RPCRouter(service: name), in: environment)]
      case "unready":
        environment.readiness.add(.init("mood") { "is bad" })
        fallthrough
      default: return [CallServer(RPCRouter(service: name), in: environment)]
      }
    }
  }

  private static let httpListen = Setting<String>.value("http-listen", "as the gateway has it", default: "")
  private static let sitesListen = Setting<String>.value("sites-listen", "as the demo world has it", default: "")

  // MARK: Its database

  private static let path = Parameter<String>.argument("FILE", "where")

  private static var database: Command {
    Command(
      "db", "a text file with a row a line",
      subcommands: [
        Command("backup", "copy it", takes: [path]) { call, output in
          write(text(of: own), to: call[path])
          return try tell(call[path], output)
        },
        Command("verify", "count it", takes: [path]) { call, output in try tell(call[path], output) },
        Command("restore", "put it back", takes: [path, Confirmation.yes]) { call, output in
          try Confirmation(call, output.terminal).require("replace it")
          // Where there is a gate, it waits until somebody opens it.
          close(open("\(folder)/\(name).gate", O_RDONLY | O_CLOEXEC))
          if text(of: "\(folder)/\(name).misbehaviour") == "no restore" {
            throw CommandError(.failed, "cannot put it back", why: "the disk is full")
          }
          write(text(of: call[path]), to: own)
          return try tell(own, output)
        },
      ])
  }

  private static var seed: Command {
    Command("seed", "a first row") { _, output in
      if text(of: own).isEmpty { write("first\n", to: own) }
      return try tell(own, output)
    }
  }

  private static var own: String { "\(folder)/\(name).sqlite" }

  private static func tell(_ path: String, _ output: Output) throws -> ExitCode {
    let rows = text(of: path).split(separator: "\n").count
    try output.write(
      Report([], document: ["path": .string(path), "schema_version": 7, "counts": ["row": .int(Int64(rows))]]))
    return .done
  }

  private static func text(of path: String) -> String {
    (try? contents(ofFile: path, bytesMax: 1 << 20)).map { String(decoding: $0, as: UTF8.self) } ?? ""
  }

  private static func write(_ text: String, to path: String) {
    let file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    defer { close(file) }
    var text = text
    _ = text.withUTF8 { Glibc.write(file, $0.baseAddress, $0.count) }
  }
}

/// A part that cannot be stopped.
private final class Deaf: ServicePart {
  nonisolated let name = "deaf"
  func start() async throws {}
  func drain() async { await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in } }
}
