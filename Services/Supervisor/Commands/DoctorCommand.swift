import Crypto
import EventLoops
import Glibc
import JSON
import ServiceKit

/// `odi doctor`: what is wrong with this machine, this folder and each service.
enum DoctorCommand {
  static var command: Command {
    // The folder is known only once the command line is read, so the suite's own checks stand among the others.
    Doctor([.openFiles, .timeZones, .certificates], of: ServiceAccess(to: "odi")) { call, output in
      let folder = try SuiteOptions.folder(call, output)
      let programs = SuiteOptions.programs(call)
      var checks = [Check("suite") { await suite(folder) }, Check("folder") { storage(folder) }]
      for key in SuiteFolder.Key.allCases { checks.append(Check("key \(key.rawValue)") { check(key, folder) }) }
      for member in SuiteMember.allCases {
        checks += await service(member, programs, folder, output.terminal.environment)
      }
      return checks
    }.command(program: "odi", takes: [SuiteOptions.programs])
  }

  private static func suite(_ folder: SuiteFolder) async -> Check.Finding {
    guard let holder = SuiteLock.holder(of: folder) else {
      return .init(.ok, "does not run on \(folder.path)", try: "odi up --data \(folder.path)")
    }
    guard holder.purpose == .suite else { return .init(.ok, SuiteLock.occupation(of: folder, by: holder)) }
    guard let suite = await SupervisorClient(folder: folder).askIfRunning() else {
      return .init(
        .problem, "process \(holder.process) runs and does not answer", try: "odi logs odi --data \(folder.path)")
    }
    let troubled = suite.services.filter { $0.state != .ready }.map { "\($0.name) is \($0.state.rawValue)" }
    return troubled.isEmpty
      ? .init(.ok, "process \(holder.process), \(suite.services.count) services ready")
      : .init(.problem, troubled.joined(separator: ", "), try: "odi ps --data \(folder.path)")
  }

  private static func storage(_ folder: SuiteFolder) -> Check.Finding {
    var facts = stat()
    guard stat(folder.path, &facts) == 0 else {
      return .init(.ok, "\(folder.path) will be made by odi up")
    }
    guard facts.st_mode & 0o077 == 0 else {
      return .init(.warning, "others can look into \(folder.path)", try: "chmod 700 \(folder.path)") {
        chmod(folder.path, 0o700)
      }
    }
    return .init(.ok, folder.path)
  }

  private static func check(_ key: SuiteFolder.Key, _ folder: SuiteFolder) -> Check.Finding {
    let path = folder.file(of: key)
    guard access(path, F_OK) == 0 else { return .init(.ok, "will be made by odi up") }
    do throws(SecretError) {
      _ = try Secret(contentsOfFile: path)
      return .init(.ok, path)
    } catch {
      return .init(.problem, "\(error)")
    }
  }

  /// What the service's own doctor found, and what keeps it from being asked.
  private static func service(
    _ member: SuiteMember, _ programs: String, _ folder: SuiteFolder, _ environment: [String: String]
  ) async -> [Check] {
    let tool = ServiceTool(member, programs: programs, folder: folder, environment: environment)
    guard access("\(programs)/\(member.executable)", X_OK) == 0 else {
      return [told(member.rawValue, .init(.problem, "\(programs)/\(member.executable) is missing", try: "deploy/up"))]
    }
    guard let outcome = try? await tool.run(["doctor"]), let rows = outcome.document?["data"]?.array else {
      return [told(member.rawValue, .init(.problem, "its doctor does not answer", try: "\(member.executable) doctor"))]
    }
    // What is the machine's is told once, above.
    return rows.filter { !machineChecks.contains($0["check"]?.string ?? "") }.map { row in
      let verdict = row["verdict"]?.string.flatMap(Check.Verdict.init) ?? .problem
      return told(
        "\(member.rawValue) \(row["check"]?.string ?? "")",
        .init(verdict, row["finding"]?.string ?? "", try: row["remedy"]?.string)
      )
    }
  }

  /// What was found already.
  private static func told(_ name: String, _ finding: Check.Finding) -> Check { Check(name) { finding } }

  private static let machineChecks: Set = ["open files", "time zones", "certificates"]
}
