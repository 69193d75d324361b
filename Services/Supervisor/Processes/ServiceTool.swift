import EventLoops
package import JSON
package import ServiceKit

/// A service's own program, used as an administrator would: it reaches the running service by its unix socket.
package struct ServiceTool {
  package let member: SuiteMember
  private let path: String
  private let environment: [String: String]

  /// A table of a few thousand rows; more is no report.
  private static let outputBytesMax = 4 << 20
  private static let errorBytesMax = 16 << 10

  /// - Parameter environment: ours; the folder is added to it.
  package init(_ member: SuiteMember, programs: String, folder: SuiteFolder, environment: [String: String]) {
    self.member = member
    path = "\(programs)/\(member.executable)"
    self.environment = environment.merging(["ODI_DATA": folder.path]) { $1 }
  }

  package struct Outcome {
    package let code: Int32?
    /// What it printed, if that was JSON.
    package let document: JSONValue?
    package let said: String
  }

  /// Runs it with `--json` and returns when it has ended and all it said has arrived.
  package func run(_ arguments: [String]) async throws(CommandError) -> Outcome {
    let output = Collector(bytesMax: Self.outputBytesMax)
    let errors = Collector(bytesMax: Self.errorBytesMax)
    let child: ChildProcess
    do throws(SocketError) {
      child = try ChildProcess(
        path, arguments + ["--json"], environment: environment, output: .pipe { output.take($0) },
        errors: .pipe { errors.take($0) })
    } catch {
      throw CommandError(.failed, "cannot run \(member.executable)", why: error.message, try: "deploy/up")
    }
    let exit = await child.wait()
    await output.end()
    await errors.end()
    let code: Int32? = if case .code(let code) = exit { code } else { nil }
    return Outcome(
      code: code, document: try? JSONValue(parsing: output.bytes), said: String(decoding: errors.bytes, as: UTF8.self))
  }

  /// Runs it and expects it to succeed with a document.
  package func ask(_ arguments: [String]) async throws(CommandError) -> JSONValue {
    let outcome = try await run(arguments)
    guard outcome.code == 0, let document = outcome.document else {
      let lines = outcome.said.split(separator: "\n").map { printable(String($0)) }
      let code = outcome.code.flatMap(ExitCode.init) ?? .failed
      throw CommandError(
        code == .done ? .failed : code, "\(member.executable) \(arguments.joined(separator: " ")) failed",
        details: lines.suffix(4), try: "odi-\(member.rawValue) \(arguments.first ?? "") --help")
    }
    return document
  }
}

/// What comes through a pipe, up to a bound.
private final class Collector {
  private(set) var bytes: [UInt8] = []
  private let bytesMax: Int
  private var isOver = false
  private var waiter: UnsafeContinuation<Void, Never>?

  init(bytesMax: Int) { self.bytesMax = bytesMax }

  func take(_ piece: UnsafeRawBufferPointer) {
    bytes += piece.prefix(max(0, bytesMax - bytes.count))
    guard piece.isEmpty else { return }
    isOver = true
    waiter?.resume()
    waiter = nil
  }

  func end() async {
    if !isOver { await withUnsafeContinuation { waiter = $0 } }
  }
}
