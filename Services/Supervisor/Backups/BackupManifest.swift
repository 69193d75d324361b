package import JSON
package import ServiceKit

/// What a backup holds, written beside it, so that it can be checked years later by whoever finds it.
nonisolated package struct BackupManifest: Sendable, Equatable {
  package struct Database: Sendable, Equatable {
    package var service: String
    package var file: String
    package var bytes: Int
    package var sha256: String
    package var schemaVersion: Int
    /// Rows, by table.
    package var counts: [String: Int]

    package init(
      service: String, file: String, bytes: Int, sha256: String, schemaVersion: Int, counts: [String: Int]
    ) {
      self.service = service
      self.file = file
      self.bytes = bytes
      self.sha256 = sha256
      self.schemaVersion = schemaVersion
      self.counts = counts
    }
  }

  /// A key that the suite made for itself, or a file of a site.
  package struct PlainFile: Sendable, Equatable {
    package var file: String
    package var sha256: String

    package init(file: String, sha256: String) {
      self.file = file
      self.sha256 = sha256
    }
  }

  package static let fileName = "manifest.json"
  /// Raised when an older program could not read it rightly.
  static let format = 1
  /// A hundred tables and ten thousand sites need a quarter of it.
  static let bytesMax = 8 << 20

  /// Milliseconds since 1970.
  package var madeAt: Int64
  package var databases: [Database]
  package var keys: [PlainFile]
  /// Of the folder `sites` in it.
  package var sites: [PlainFile]
  /// Older backups do not say which sites there were.
  package var tellsSites = true

  package init(madeAt: Int64, databases: [Database], keys: [PlainFile], sites: [PlainFile] = []) {
    self.madeAt = madeAt
    self.databases = databases
    self.keys = keys
    self.sites = sites
  }
}

// MARK: - As JSON

nonisolated extension BackupManifest {
  package var json: JSONValue {
    [
      "format": .int(Int64(Self.format)), "made_at_ms": .int(madeAt),
      "databases": .array(
        databases.map { database in
          [
            "service": .string(database.service), "file": .string(database.file), "bytes": .int(Int64(database.bytes)),
            "sha256": .string(database.sha256), "schema_version": .int(Int64(database.schemaVersion)),
            "counts": .object(
              JSONObject(database.counts.sorted { $0.key < $1.key }.map { ($0.key, .int(Int64($0.value))) })),
          ]
        }),
      "keys": .array(keys.map(\.json)), "sites": .array(sites.map(\.json)),
    ]
  }

  package init(_ json: JSONValue) throws(CommandError) {
    guard let format = json["format"]?.int else { throw Self.unreadable("it has no format") }
    guard format == Self.format else {
      throw Self.unreadable("its format is \(format) and this program knows \(Self.format); use a newer odi")
    }
    guard let madeAt = json["made_at_ms"]?.int, let databases = json["databases"]?.array,
      let keys = json["keys"]?.array
    else { throw Self.unreadable("it has no made_at_ms, databases or keys") }
    self.madeAt = Int64(madeAt)
    self.databases = []
    for database in databases { self.databases.append(try Self.database(database)) }
    self.keys = try Self.files(keys, "a key")
    // Older backups have none.
    sites = try Self.files(json["sites"]?.array ?? [], "a site")
    tellsSites = json["sites"] != nil
  }

  private static func files(_ list: [JSONValue], _ kind: String) throws(CommandError) -> [PlainFile] {
    var files: [PlainFile] = []
    for entry in list {
      guard let file = entry["file"]?.string, isPlain(file), let sha256 = entry["sha256"]?.string else {
        throw unreadable("\(kind) has no file or sha256")
      }
      files.append(PlainFile(file: file, sha256: sha256))
    }
    return files
  }

  private static func database(_ json: JSONValue) throws(CommandError) -> Database {
    guard let service = json["service"]?.string, let file = json["file"]?.string, isPlain(file),
      let bytes = json["bytes"]?.int, let sha256 = json["sha256"]?.string,
      let schemaVersion = json["schema_version"]?.int, let counts = json["counts"]?.object
    else { throw unreadable("a database has no service, file, bytes, sha256, schema_version or counts") }
    return Database(
      service: service, file: file, bytes: bytes, sha256: sha256, schemaVersion: schemaVersion,
      counts: Dictionary(counts.compactMap { name, count in count.int.map { (name, $0) } }) { $1 })
  }

  /// A file of the backup's own folder, and of no other.
  private static func isPlain(_ name: String) -> Bool { !name.isEmpty && !name.contains("/") && !name.hasPrefix(".") }

  private static func unreadable(_ why: String) -> CommandError {
    CommandError(.failed, "cannot read the backup's \(fileName)", why: why)
  }
}

nonisolated extension BackupManifest.PlainFile {
  fileprivate var json: JSONValue { ["file": .string(file), "sha256": .string(sha256)] }
}
