/// One step of a schema's history. A store's list of them only grows.
package struct Migration: Hashable, Sendable {
  package let name: String
  package let sql: SQL

  /// - Parameter sql: one or more statements, run in one transaction with foreign keys checked at its end.
  package init(_ name: String, _ sql: SQL) {
    self.name = name
    self.sql = sql
  }

  /// 64-bit FNV-1a of the name and the text: it must see an edit, and it has no adversary.
  var hash: Int64 {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in [name, "\0", sql.text].joined().utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
    return Int64(bitPattern: hash)
  }
}

/// Where a database stands in the history that the binary knows.
package struct MigrationPlan: Hashable, Sendable {
  package let applied: [String]
  package let pending: [String]

  package init(applied: [String], pending: [String]) {
    self.applied = applied
    self.pending = pending
  }
}

/// The migrations that a database has had, compared with those that the binary knows.
struct MigrationHistory {
  let known: [Migration]

  init(_ known: [Migration]) {
    precondition(Set(known.map(\.name)).count == known.count, "two migrations have one name")
    self.known = known
  }

  /// Throws `incompatible` if the database has a history that is not the beginning of the known one.
  func plan(on connection: DatabaseConnection) throws -> MigrationPlan {
    let hasTable = try connection.value(
      "SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND name = 'odi_migration'", as: Bool.self)
    guard hasTable == true else { return MigrationPlan(applied: [], pending: known.map(\.name)) }

    let applied = try connection.rows("SELECT name, hash FROM odi_migration ORDER BY ordinal") { row in
      (name: try row.read(0, as: String.self), hash: try row.read(1, as: Int64.self))
    }
    for (ordinal, (past, known)) in zip(applied, known).enumerated() {
      guard past.name == known.name else {
        throw StorageError(
          .incompatible,
          "migration \(ordinal + 1) of this database is “\(past.name)” and of this build “\(known.name)”; put the list"
            + " back in its old order and append")
      }
      guard past.hash == known.hash else {
        throw StorageError(
          .incompatible,
          "migration \(ordinal + 1) “\(past.name)” was edited after it ran here; restore its text and append a new one")
      }
    }
    guard applied.count <= known.count else {
      throw StorageError(
        .incompatible,
        "the database has had migration \(applied.count) “\(applied[applied.count - 1].name)” and this build knows"
          + " \(known.count); run the newer build, or restore a backup of before")
    }
    return MigrationPlan(applied: applied.map(\.name), pending: known.dropFirst(applied.count).map(\.name))
  }

  /// Runs what is pending, each in a transaction of its own.
  func apply(to connection: DatabaseConnection) throws {
    let plan = try plan(on: connection)
    guard !plan.pending.isEmpty else { return }
    // A table is rebuilt by dropping the old one, which with foreign keys on would delete what refers to it. The
    // setting only changes outside a transaction.
    try connection.command("PRAGMA foreign_keys = OFF")
    defer { try? connection.command("PRAGMA foreign_keys = ON") }
    for ordinal in plan.applied.count..<known.count {
      try apply(known[ordinal], ordinal: ordinal + 1, to: connection)
    }
  }

  private func apply(_ migration: Migration, ordinal: Int, to connection: DatabaseConnection) throws {
    do {
      try connection.transaction {
        try connection.execute(
          """
          CREATE TABLE IF NOT EXISTS odi_migration (
            ordinal INTEGER PRIMARY KEY, name TEXT NOT NULL, hash INTEGER NOT NULL,
            applied_at INTEGER NOT NULL  -- milliseconds since 1970
          ) STRICT
          """)
        try connection.script(migration.sql)
        if let table = try connection.value("SELECT \"table\" FROM pragma_foreign_key_check", as: String.self) {
          throw StorageError(.constraint(.foreignKey), "a row of \(table) refers to nothing")
        }
        try connection.execute(
          "INSERT INTO odi_migration (ordinal, name, hash, applied_at) VALUES (?, ?, ?, unixepoch() * 1000)",
          [ordinal, migration.name, migration.hash])
        // For people with other tools; what counts is the table.
        try connection.command(SQL(trusted: "PRAGMA user_version = \(ordinal)"))
      }
    } catch var error as StorageError {
      error.message = "migration \(ordinal) “\(migration.name)” failed and left no trace: \(error.message)"
      throw error
    }
  }
}
