import Glibc
import JSON
import ServiceKit

/// A backup on disk: checked against its manifest, and put back by the services' own programs.
struct Backup {
  let path: String
  let programs: String
  let environment: [String: String]

  /// The manifest, after every file that it names has been found to be what it says.
  func checkedManifest() throws(CommandError) -> BackupManifest {
    let file = "\(path)/\(BackupManifest.fileName)"
    let bytes: [UInt8]
    do throws(FileError) {
      bytes = try contents(ofFile: file, bytesMax: BackupManifest.bytesMax)
    } catch {
      throw CommandError(.notFound, "\(path) is no backup", why: "\(error)")
    }
    guard let json = try? JSONValue(parsing: bytes) else {
      throw CommandError(.failed, "\(file) is not JSON")
    }
    let manifest = try BackupManifest(json)
    for (name, wanted) in manifest.databases.map({ ($0.file, $0.sha256) }) + manifest.keys.map({ ($0.file, $0.sha256) })
    {
      guard try BackupFiles.digest("\(path)/\(name)").sha256 == wanted else {
        throw CommandError(
          .failed, "\(path)/\(name) is not what the manifest says", why: "its SHA-256 differs: the file was changed",
          try: "an older backup")
      }
    }
    return manifest
  }

  /// Has the service's program open a database of the backup and count its rows.
  func verify(_ database: BackupManifest.Database) async throws(CommandError) {
    let member = try member(database)
    let told = try await tool(member, try SuiteFolder(path)).ask(["db", "verify", "\(path)/\(database.file)"])
    try compare(told, database, at: "\(path)/\(database.file)")
  }

  /// Puts every database and key into a folder whose suite does not run, and counts again what is there then.
  func restore(_ manifest: BackupManifest, into folder: SuiteFolder) async throws(CommandError) {
    for database in manifest.databases {
      let member = try member(database)
      let tool = tool(member, folder)
      _ = try await tool.ask(["db", "restore", "\(path)/\(database.file)", "--yes"])
      let told = try await tool.ask(["db", "verify", folder.database(of: member)])
      try compare(told, database, at: folder.database(of: member))
    }
    for key in manifest.keys where SuiteFolder.Key(rawValue: key.file) != nil {
      let target = "\(folder.secrets)/\(key.file)"
      // Under its name only when it is whole.
      unlink(target + ".new")
      try BackupFiles.copy("\(path)/\(key.file)", to: target + ".new", bytesMax: 4_096)
      guard rename(target + ".new", target) == 0 else { throw BackupFiles.failure("write \(target)") }
    }
    BackupFiles.sync(folder: folder.secrets)
  }

  private func compare(
    _ told: JSONValue, _ database: BackupManifest.Database, at place: String
  ) throws(CommandError) {
    var wrong: [String] = []
    if told["schema_version"]?.int != database.schemaVersion {
      wrong.append("schema version \(told["schema_version"]?.int ?? 0), not \(database.schemaVersion)")
    }
    for (table, count) in database.counts.sorted(by: { $0.key < $1.key }) where told["counts"]?[table]?.int != count {
      wrong.append("\(table) has \(told["counts"]?[table]?.int ?? 0) rows, not \(count)")
    }
    guard wrong.isEmpty else {
      throw CommandError(.failed, "\(place) is not what the manifest says", details: wrong)
    }
  }

  private func member(_ database: BackupManifest.Database) throws(CommandError) -> SuiteMember {
    guard let member = SuiteMember(rawValue: database.service), member.hasDatabase else {
      throw CommandError(.failed, "the backup is of a service '\(database.service)' that this odi does not know")
    }
    return member
  }

  private func tool(_ member: SuiteMember, _ folder: SuiteFolder) -> ServiceTool {
    ServiceTool(member, programs: programs, folder: folder, environment: environment)
  }
}
