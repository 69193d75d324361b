import EventLoops
import Glibc
import RPC
import RPCTransport
import ServiceKit

/// What every command of `odi` takes, and how it reaches the suite.
nonisolated enum SuiteOptions {
  static let data = Parameter<String?>.optionalOption(
    "data", "the folder of the suite; else ODI_DATA, else ~/.odi", completion: .directories)
  static let programs = Parameter<String?>.optionalOption(
    "programs", "the folder of the services' programs; else that of odi itself", completion: .directories)
  static let service = Parameter<String?>.optionalArgument(
    "SERVICE", "only this one", completion: .choices(SuiteMember.allCases.map(\.rawValue)))

  static func folder(_ call: Invocation, _ output: Output) throws(CommandError) -> SuiteFolder {
    try SuiteFolder.choose(call[data], output.terminal.environment)
  }

  static func programs(_ call: Invocation) -> String {
    call[programs].map(absolutePath) ?? ownFolder
  }

  /// The folder of this program: as it was typed, if the services are there too, because that is what a person knows;
  /// else where its links lead.
  static var ownFolder: String {
    if let typed = CommandLine.arguments.first, typed.contains("/"),
      access("\(absolutePath(parent(of: typed)))/\(SuiteMember.gateway.executable)", X_OK) == 0
    {
      return absolutePath(parent(of: typed))
    }
    return parent(of: ownPath())
  }

  private static func parent(of path: String) -> String {
    String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)])
  }

  /// The path of this program, through links.
  static func ownPath() -> String {
    var bytes = [UInt8](repeating: 0, count: Int(PATH_MAX))
    let count = bytes.withUnsafeMutableBytes { readlink("/proc/self/exe", $0.baseAddress!, $0.count) }
    return String(decoding: bytes.prefix(max(count, 0)), as: UTF8.self)
  }

  /// The member of that name, or an error that names those there are.
  static func member(_ name: String) throws(CommandError) -> SuiteMember {
    guard let member = SuiteMember(rawValue: name) else {
      throw CommandError(
        .usage, "there is no service '\(name)'",
        why: "there are \(SuiteMember.allCases.map(\.rawValue).joined(separator: ", "))")
    }
    return member
  }
}

/// Asks a supervisor that runs.
struct SupervisorClient {
  let folder: SuiteFolder

  /// It answers at once or not at all.
  private static let patience: Duration = .seconds(2)

  func ask<Request: RPCRequest>(
    _ request: Request
  ) async throws(CommandError) -> Request.Response where Request.Service == AdminAPI {
    guard let holder = SuiteLock.holder(of: folder) else {
      throw CommandError(.unreachable, "no suite runs on \(folder.path)", try: "odi up --data \(folder.path)")
    }
    guard holder.purpose == .suite else {
      throw CommandError(
        .unreachable, "no suite runs on \(folder.path)", why: SuiteLock.occupation(of: folder, by: holder))
    }
    let client = ServiceClient(of: AdminAPI.self, at: [.address(.unix(path: folder.supervisorSocket))], as: "odi")
    defer { client.close() }
    do throws(RPCError) {
      return try await client.call(request, CallOptions(timeout: Self.patience, mayRetry: false))
    } catch {
      var failure = CommandError(error)
      if error.code == .unavailable { failure.what = "odi runs on \(folder.path) and does not answer" }
      throw failure
    }
  }

  /// Nil while it has not begun to answer.
  func askIfRunning() async -> ListServices.Response? { try? await ask(ListServices()) }
}
