import CSQLite

/// How far a backup is.
package struct BackupProgress: Hashable, Sendable {
  package let copiedPages: Int
  package let pages: Int
}

/// What a backup, or a file that was checked as one, holds.
package struct BackupReport: Hashable, Sendable {
  package let path: String
  package let bytes: Int64
  package let migrations: [String]
  /// Rows of each table, by name: what a restore must bring back.
  package let rows: [String: Int]
}

extension Database {
  /// Copies the database as it is now to `destination`, which must not exist. Reads and writes go on.
  ///
  /// The copy is checked before it gets its name, so a file of that name is a good one. `progress` is called on the
  /// database's thread. Cancelling the task, closing the database, or a full disk leaves no file.
  package func backUp(
    to destination: String, progress: (@Sendable (BackupProgress) -> Void)? = nil
  ) async throws -> BackupReport {
    let (application, history) = (options.applicationID, migrations)
    return try await runErrand { [self] db in
      guard !Files.exists(destination) else {
        throw StorageError(.cannotOpen, "\(destination) exists; choose another name")
      }
      let partial = destination + ".partial"
      do {
        try db.copy(to: partial, stopWhen: { self.isClosing }, progress: progress)
        let report = try Self.inspect(partial, application, history, named: destination)
        try Files.sync(partial)
        try Files.move(partial, to: destination)
        return report
      } catch {
        try? Files.removeIfThere(partial)
        throw error
      }
    }
  }

  /// Copies the database under this name, or under the same with `-2`, `-3` … where there are copies of other states
  /// already. A copy that is the same is not made again.
  ///
  /// - Returns: the name of the copy.
  package func backUp(toFirstFreeOf name: String) async throws -> String {
    let fresh = name + ".fresh"
    try Files.removeIfThere(fresh)
    _ = try await backUp(to: fresh)
    var (copy, number) = (name, 1)
    while Files.exists(copy) {
      let known = copy
      if try await DatabaseThread.run("db compare", { try Files.haveSamePages(fresh, known) }) {
        try Files.removeIfThere(fresh)
        return copy
      }
      number += 1
      copy = "\(name)-\(number)"
    }
    try Files.move(fresh, to: copy)
    return copy
  }

  /// Reads the whole of a backup and says what is in it. Throws if it is damaged or another service's.
  package static func verify(
    _ backup: String,
    migrations: [Migration], options: DatabaseOptions
  ) async throws -> BackupReport {
    let history = MigrationHistory(migrations)
    return try await DatabaseThread.run("db verify") {
      try inspect(backup, options.applicationID, history, named: backup)
    }
  }

  static func inspect(
    _ path: String, _ application: ApplicationID, _ history: MigrationHistory, named name: String
  ) throws -> BackupReport {
    let copy = try DatabaseConnection(opening: path, flags: SQLITE_OPEN_READONLY)
    try copy.verifyApplication(application)
    let findings = try copy.findings(.whole)
    guard findings.isEmpty else { throw StorageError(.corrupt, "\(name) is damaged: \(findings[0])") }
    return BackupReport(
      path: name,
      bytes: copy.fileBytes,
      migrations: try history.plan(on: copy).applied,
      rows: try copy.rowCounts())
  }
}

extension DatabaseConnection {
  /// Copies every page of the state that the open transaction sees.
  ///
  /// The transaction is what lets writers go on: without it each of their commits would make the copy start again.
  func copy(to path: String, stopWhen isOver: () -> Bool, progress: ((BackupProgress) -> Void)?) throws {
    // A transaction sees nothing before it has read something.
    _ = try value("SELECT count(*) FROM sqlite_schema", as: Int.self)
    try Files.removeIfThere(path)
    try Self.createPrivately(path)
    let target = try DatabaseConnection(opening: path, flags: SQLITE_OPEN_READWRITE)
    // It has no name yet: it is synced once, at the end.
    try target.script("PRAGMA synchronous = OFF")
    guard let backup = sqlite3_backup_init(target.handle, "main", handle, "main") else {
      throw StorageError(code: sqlite3_errcode(target.handle), on: target.handle)
    }
    var code = SQLITE_OK
    while code == SQLITE_OK {
      if let reason = reading?.reasonToStop(at: now())
        ?? (isOver() ? StorageError(.closed, "the database is closing") : nil)
      {
        sqlite3_backup_finish(backup)
        throw reason
      }
      code = sqlite3_backup_step(backup, Int32(clamping: limits.backupPages))
      let (pages, left) = (Int(sqlite3_backup_pagecount(backup)), Int(sqlite3_backup_remaining(backup)))
      progress?(BackupProgress(copiedPages: pages - left, pages: pages))
    }
    sqlite3_backup_finish(backup)
    guard code == SQLITE_DONE else { throw StorageError(code: code, on: target.handle) }
    // One file that can be read from a medium that cannot be written.
    try target.script("PRAGMA journal_mode = DELETE")
  }

  func rowCounts() throws -> [String: Int] {
    let tables = try rows(
      "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name"
    ) { row in try row.read(0, as: String.self) }
    var counts: [String: Int] = [:]
    for table in tables {
      // A name of the schema, quoted as an identifier.
      let quoted =
        "\"" + table.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"") + "\""
      counts[table] = try value(SQL(trusted: "SELECT count(*) FROM \(quoted)"))
    }
    return counts
  }
}
