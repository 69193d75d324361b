import CSQLite

/// What `db info` shows.
package struct DatabaseInfo: Hashable, Sendable {
  package var path: String
  package var applicationID: ApplicationID
  package var bytes: Int64
  package var walBytes: Int64
  package var pageSize: Int64
  package var pages: Int64
  /// Pages that hold nothing; `vacuum` gives them back.
  package var freePages: Int64
  package var journalMode: String
  package var durability: DatabaseOptions.Durability
  package var migrations: [String]
  package var sqliteVersion: String
  package var tally: DatabaseTally
}

extension Database {
  package func info() async throws -> DatabaseInfo {
    let (path, options, migrations, tally) = (path, options, migrations, tally)
    return try await read { db in
      DatabaseInfo(
        path: path,
        applicationID: ApplicationID(number: try db.value("PRAGMA application_id") ?? 0),
        bytes: db.fileBytes,
        walBytes: db.walFileBytes,
        pageSize: try db.value("PRAGMA page_size") ?? 0,
        pages: try db.value("PRAGMA page_count") ?? 0,
        freePages: try db.value("PRAGMA freelist_count") ?? 0,
        journalMode: try db.value("PRAGMA journal_mode") ?? "",
        durability: options.durability,
        migrations: try migrations.plan(on: db).applied,
        sqliteVersion: String(cString: sqlite3_libversion()),
        tally: tally)
    }
  }

  /// How many rows each table has, by name.
  package func rowCounts() async throws -> [String: Int] {
    try await runErrand { db in try db.rowCounts() }
  }

  /// Reads the whole file and returns what is wrong with it, at most 100 findings. Reads and writes go on.
  package func check() async throws -> [String] {
    try await runErrand { db in try db.findings(.whole) }
  }

  /// Copies the WAL into the database and empties it, unless a reader is in the way.
  package func checkpoint() async throws -> Checkpoint {
    try await runAlone { db in db.checkpoint(.empty, waiting: true) }
  }

  /// Writes the database anew without its free pages. Writes wait meanwhile, reads go on.
  package func vacuum() async throws {
    try await runAlone { db in
      // The new copy is as large as the database: not in memory.
      try db.script("PRAGMA temp_store = FILE; VACUUM; PRAGMA temp_store = MEMORY")
      _ = db.checkpoint(.empty, waiting: true)
    }
  }

  /// What opening `path` with these migrations would do to it. The database may be open elsewhere.
  package static func plan(
    _ path: String,
    migrations: [Migration], options: DatabaseOptions
  ) async throws -> MigrationPlan {
    let history = MigrationHistory(migrations)
    return try await DatabaseThread.run("db plan") {
      if options.vfs == nil, !Files.exists(path) {
        return MigrationPlan(applied: [], pending: history.known.map(\.name))
      }
      let connection = try DatabaseConnection(.read, path, options: options)
      try connection.verifyApplication(options.applicationID)
      return try history.plan(on: connection)
    }
  }
}

extension DatabaseConnection {
  enum CheckDepth {
    /// Every page, without comparing indexes with tables.
    case quick
    case whole
  }

  /// What is wrong with the file. The words are SQLite's and name pages, tables and indexes.
  func findings(_ depth: CheckDepth) throws -> [String] {
    try withTrust {
      switch depth {
      case .quick: return try damage("PRAGMA quick_check(100)")
      case .whole:
        let dangling = try rows("SELECT DISTINCT \"table\" FROM pragma_foreign_key_check LIMIT 100") { row in
          "a row of \(try row.read(0, as: String.self)) refers to nothing"
        }
        return try damage("PRAGMA integrity_check(100)") + dangling
      }
    }
  }

  private func damage(_ check: SQL) throws -> [String] {
    try rows(check) { row in try row.read(0, as: String.self) }.filter { $0 != "ok" }
  }

  /// Looks for damage before anybody is served from it, if the file is small enough to be read at every start; tells
  /// whether it was.
  func checkIfSmall() throws -> Bool {
    guard fileBytes <= limits.quickCheckBytes else { return false }
    let findings = try findings(.quick)
    guard findings.isEmpty else {
      throw StorageError(.corrupt, "the database is damaged (\(findings[0])); restore a backup")
    }
    return true
  }

  /// The id of the file; 0 if it has none, as a new one.
  private func application() throws -> ApplicationID {
    ApplicationID(number: try withTrust { try value("PRAGMA application_id") } ?? 0)
  }

  /// Throws `incompatible` if the file is another service's.
  func verifyApplication(_ wanted: ApplicationID) throws {
    let found = try application()
    guard found == wanted else {
      throw StorageError(.incompatible, "this is a database of “\(found)” and “\(wanted)” was expected; check the path")
    }
  }

  /// Marks a new file as the service's and refuses another's.
  func claim(for wanted: ApplicationID) throws {
    let tables = try value("SELECT count(*) FROM sqlite_schema", as: Int.self)
    if try application().number == 0, tables == 0 {
      try command(SQL(trusted: "PRAGMA application_id = \(wanted.number)"))
    }
    try verifyApplication(wanted)
  }
}
