import Clocks
import EventLoops
import Glibc
import JSON
import ServiceKit

/// `odi backup`: all databases of a running suite's folder, consistent each, with a manifest.
enum BackupCommand {
  private static let to = Parameter<String>.argument(
    "FOLDER", "the new folder of the backup", completion: .directories)
  private static let keyBytesMax = 4_096

  static var command: Command {
    Command(
      "backup", "copy everything that is kept, while the suite goes on or when it does not run",
      discussion: """
        Makes a folder with a file for each database, the suite's keys, the files of sites, and manifest.json, which \
        has the digest of each, and of databases the schema's version and the rows. It holds what users saved and the key of their tokens: keep it like a \
        password. odi restore checks it and puts it back.
        """,
      examples: [.init("odi backup /var/backups/odi-$(date +%F)", "for today")],
      takes: [to, SuiteOptions.data, SuiteOptions.programs]
    ) { call, output in
      let folder = try SuiteOptions.folder(call, output)
      // A suite that runs is asked; of one that does not nobody else may make another meanwhile.
      let lock =
        SuiteLock.holder(of: folder)?.purpose != .suite && access(folder.run, F_OK) == 0
        ? try SuiteLock(of: folder, for: .backup) : nil
      defer { withExtendedLifetime(lock) {} }
      let running = lock == nil ? try await running(folder) : []
      let target = absolutePath(call[to])
      guard access(target, F_OK) != 0 else {
        throw CommandError(.conflict, "\(target) exists already", why: "a backup never overwrites", try: "another name")
      }
      // Under this name until it is whole.
      let unfinished = target + ".unfinished"
      remove(unfinished)
      try BackupFiles.makeFolder(unfinished)
      do {
        let manifest = try await fill(
          unfinished, folder, running: running, call, output)
        guard rename(unfinished, target) == 0 else { throw BackupFiles.failure("name the backup \(target)") }
        try output.write(report(manifest))
        if !manifest.sites.isEmpty { output.note("\(manifest.sites.count) files of sites") }
        output.note("\(target) holds the key of the users' tokens: keep it like a password")
      } catch {
        remove(unfinished)
        throw error
      }
      return .done
    }
  }

  private static func remove(_ backup: String) {
    BackupFiles.remove(folder: SuiteFolder(withoutSockets: backup).sites)
    BackupFiles.remove(folder: backup)
  }

  /// Which services have their databases open; none where no suite runs.
  private static func running(_ folder: SuiteFolder) async throws -> Set<SuiteMember> {
    guard SuiteLock.holder(of: folder) != nil else { return [] }
    let services = try await SupervisorClient(folder: folder).ask(ListServices()).services
    return Set(services.filter { $0.pid != nil }.compactMap { SuiteMember(rawValue: $0.name) })
  }

  private static func fill(
    _ target: String, _ folder: SuiteFolder, running: Set<SuiteMember>, _ call: Invocation, _ output: Output
  ) async throws -> BackupManifest {
    // Also of services that this suite was started without, or that rest: what they kept is somebody's.
    let members = SuiteMember.allCases.filter { member in
      member.hasDatabase && (running.contains(member) || access(folder.database(of: member), F_OK) == 0)
    }
    guard !members.isEmpty else {
      throw CommandError(.notFound, "nothing is kept in \(folder.path)", try: "odi backup FOLDER --data DIR")
    }
    var manifest = BackupManifest(madeAt: EventLoop.time.wall.milliseconds, databases: [], keys: [])
    let progress = Progress("databases", total: members.count, to: output, time: EventLoop.time)
    for member in members {
      let file = "\(member.rawValue).sqlite"
      func tool(_ folder: SuiteFolder) -> ServiceTool {
        ServiceTool(
          member, programs: SuiteOptions.programs(call), folder: folder, environment: output.terminal.environment)
      }
      let told: JSONValue
      if running.contains(member) {
        told = try await tool(folder).ask(["db", "backup", "\(target)/\(file)"])
      } else {
        // Nobody has it open who could be asked for a copy: it is read as a backup is, and put into the new folder.
        let place = SuiteFolder(withoutSockets: target)
        told = try await tool(place).ask(["db", "restore", folder.database(of: member), "--yes"])
        unlink("\(target)/\(file)-owner")
      }
      manifest.databases.append(try database(member, file, told, try BackupFiles.digest("\(target)/\(file)")))
      progress.advance()
    }
    progress.finish()
    for key in SuiteFolder.Key.allCases {
      manifest.keys.append(try copy(key.rawValue, from: folder.secrets, to: target, bytesMax: keyBytesMax))
    }
    let sites = try BackupFiles.sites(in: folder.sites)
    let place = SuiteFolder(withoutSockets: target).sites
    if !sites.isEmpty { try BackupFiles.makeFolder(place) }
    for site in sites {
      // The scraper goes on without a file that it cannot read, and so does this.
      do throws(CommandError) {
        manifest.sites.append(try copy(site, from: folder.sites, to: place, bytesMax: BackupFiles.siteBytesMax))
      } catch {
        unlink("\(place)/\(site)")
        output.note("warning: \(folder.sites)/\(site) is not in the backup: \(error.what)")
      }
    }
    BackupFiles.sync(folder: place)
    try BackupFiles.write(manifest.json.json + [UInt8(ascii: "\n")], to: "\(target)/\(BackupManifest.fileName)")
    BackupFiles.sync(folder: target)
    return manifest
  }

  private static func copy(
    _ name: String, from folder: String, to target: String, bytesMax: Int
  ) throws(CommandError) -> BackupManifest.PlainFile {
    try BackupFiles.copy("\(folder)/\(name)", to: "\(target)/\(name)", bytesMax: bytesMax)
    return .init(file: name, sha256: try BackupFiles.digest("\(target)/\(name)").sha256)
  }

  private static func database(
    _ member: SuiteMember, _ file: String, _ told: JSONValue, _ digest: (sha256: String, bytes: Int)
  ) throws(CommandError) -> BackupManifest.Database {
    guard let version = told["schema_version"]?.int, let counts = told["counts"]?.object else {
      throw CommandError(.failed, "\(member.executable) db backup does not tell its schema_version and counts")
    }
    return .init(
      service: member.rawValue, file: file, bytes: digest.bytes, sha256: digest.sha256, schemaVersion: version,
      counts: Dictionary(counts.compactMap { name, count in count.int.map { (name, $0) } }) { $1 })
  }

  static func report(_ manifest: BackupManifest) -> Report {
    let columns = [
      Report.Column("service"), Report.Column("file"), Report.Column("size", alignment: .right),
      Report.Column("schema", alignment: .right), Report.Column("rows", alignment: .right),
      Report.Column("sha256", visible: false),
    ]
    return Report(
      columns,
      rows: manifest.databases.map { database in
        [
          "\(database.service)", "\(database.file)", .bytes(database.bytes), .number(database.schemaVersion),
          .number(database.counts.values.reduce(0, +)), "\(database.sha256)",
        ]
      }, document: manifest.json)
  }
}
