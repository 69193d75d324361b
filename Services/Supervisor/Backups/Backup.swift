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
    let files =
      manifest.databases.map { ($0.file, $0.sha256) } + manifest.keys.map { ($0.file, $0.sha256) }
      + manifest.sites.map { ("sites/\($0.file)", $0.sha256) }
    for (name, wanted) in files {
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
    let told = try await tool(member, SuiteFolder(withoutSockets: path)).ask([
      "db", "verify", "\(path)/\(database.file)",
    ])
    try compare(told, database, at: "\(path)/\(database.file)")
  }

  /// Puts every database, key and file of a site into a folder whose suite does not run, and counts again what is there then. An error
  /// part way tells what was replaced until then.
  func restore(_ manifest: BackupManifest, into folder: SuiteFolder) async throws(CommandError) {
    let keys = manifest.keys.filter { SuiteFolder.Key(rawValue: $0.file) != nil }
    var left = manifest.databases.map(\.file) + keys.map(\.file) + manifest.sites.map { "sites/\($0.file)" }
    var replaced: [String] = []
    do throws(CommandError) {
      for database in manifest.databases {
        let member = try member(database)
        let tool = tool(member, folder)
        _ = try await tool.ask(["db", "restore", "\(path)/\(database.file)", "--yes"])
        replaced.append(left.removeFirst())
        let told = try await tool.ask(["db", "verify", folder.database(of: member)])
        try compare(told, database, at: folder.database(of: member))
      }
      for key in keys {
        try restore(key, from: path, to: folder.secrets, bytesMax: 4_096)
        replaced.append(left.removeFirst())
      }
      if !manifest.sites.isEmpty, access(folder.sites, F_OK) != 0 { try BackupFiles.makeFolder(folder.sites) }
      // A site that the backup does not have would be read all the same.
      let others = try BackupFiles.sites(in: folder.sites).filter { name in
        manifest.tellsSites && !manifest.sites.contains { $0.file == name }
      }
      for name in others {
        try BackupFiles.keepAside("\(folder.sites)/\(name)")
        guard unlink("\(folder.sites)/\(name)") == 0 else { throw BackupFiles.failure("take away \(name)") }
      }
      for site in manifest.sites {
        try restore(site, from: "\(path)/sites", to: folder.sites, bytesMax: BackupFiles.siteBytesMax)
        replaced.append(left.removeFirst())
      }
    } catch {
      var failure = error
      if !replaced.isEmpty {
        failure.details.append(
          "replaced: \(replaced.joined(separator: ", ")); what was there is beside it, as NAME.replaced")
      }
      failure.details.append("not replaced: \(left.joined(separator: ", "))")
      throw failure
    }
    BackupFiles.sync(folder: folder.secrets)
    BackupFiles.sync(folder: folder.sites)
  }

  /// Keeps what was there as `NAME.replaced`, or `NAME.replaced.2` and so on: a key opens what was made with it, and nothing else does.
  private func restore(
    _ file: BackupManifest.PlainFile, from source: String, to folder: String, bytesMax: Int
  ) throws(CommandError) {
    let target = "\(folder)/\(file.file)"
    let isThere = access(target, F_OK) == 0
    // The same once more would put itself in the place of the one that was really replaced.
    if isThere, try BackupFiles.digest(target).sha256 == file.sha256 { return }
    // Under its name only when it is whole.
    unlink(target + ".new")
    try BackupFiles.copy("\(source)/\(file.file)", to: target + ".new", bytesMax: bytesMax)
    if isThere {
      try BackupFiles.keepAside(target)
    }
    guard rename(target + ".new", target) == 0 else { throw BackupFiles.failure("write \(target)") }
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
