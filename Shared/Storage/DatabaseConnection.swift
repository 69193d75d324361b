import CSQLite
import Clocks

/// What a closure given to `read` or `write` works with: statements inside one transaction.
///
/// It belongs to the database's thread and is of no use outside the closure.
package final class DatabaseConnection {
  let handle: OpaquePointer
  let limits: DatabaseLimits
  let now: @Sendable () -> Instant
  private var statements: StatementCache
  private var isClosed = false

  /// Set while a statement of this module's own is prepared or run: what it may do, a closure's may not.
  private(set) var isTrusted = false
  /// Set while a closure runs that must be inside a transaction.
  var needsTransaction = false
  /// Whether a statement was begun that may have changed something, since this was last set.
  var hasWritten = false
  /// The read that runs, so that it can be stopped.
  var reading: Job?
  /// Frames in the WAL after the last commit here, and how many commits wrote any so far.
  var walPages = 0
  var walCommits = 0

  /// Takes over a handle that was just opened; `Opening` has the ways to get one.
  init(taking handle: OpaquePointer, limits: DatabaseLimits, now: @escaping @Sendable () -> Instant) {
    self.handle = handle
    self.limits = limits
    self.now = now
    statements = StatementCache(limit: limits.statements)
  }

  deinit { close() }

  /// Closes the file. The last connection to a database also empties and removes its WAL.
  func close() {
    guard !isClosed else { return }
    isClosed = true
    statements.removeAll()
    sqlite3_close_v2(handle)
  }

  /// Gives back the pages of the file that are kept for the next read; at the end of a read of everything, of which an
  /// index in memory is made, that is all of them.
  ///
  /// - Returns: how many bytes those were.
  @discardableResult
  package func releaseCache() -> Int {
    let before = cacheBytes
    sqlite3_db_release_memory(handle)
    return before - cacheBytes
  }

  private var cacheBytes: Int {
    var (bytes, highest): (Int32, Int32) = (0, 0)
    sqlite3_db_status(handle, SQLITE_DBSTATUS_CACHE_USED, &bytes, &highest, 0)
    return Int(bytes)
  }

  /// Each row of a query as `row` makes it, in order. More than `Limits.rows` of them is a `misuse`: add a `LIMIT`.
  package func rows<Value>(
    _ sql: SQL, _ values: [(any Storable)?] = [], _ row: (borrowing Row) throws -> Value
  ) throws -> [Value] {
    try withStatement(sql, values) { statement in
      var all: [Value] = []
      while try statement.step() {
        guard all.count < limits.rows else {
          throw StorageError(.misuse, "more than \(limits.rows) rows; add a LIMIT or use forEach: \(sql.text)")
        }
        all.append(try row(Row(of: statement.handle)))
      }
      return all
    }
  }

  /// The first row of a query as `row` makes it; `nil` if there is none.
  package func row<Value>(
    _ sql: SQL, _ values: [(any Storable)?] = [], _ row: (borrowing Row) throws -> Value
  ) throws -> Value? {
    try withStatement(sql, values) { statement in
      guard try statement.step() else { return nil }
      let value = try row(Row(of: statement.handle))
      // A statement that writes (RETURNING) has written once it is at its end, not before.
      while !statement.isReadOnly, try statement.step() {}
      return value
    }
  }

  /// The first column of the first row; `nil` if there is no row or it holds `NULL`.
  package func value<Value: Storable>(
    _ sql: SQL, _ values: [(any Storable)?] = [], as type: Value.Type = Value.self
  ) throws -> Value? {
    try row(sql, values) { row in try row.read(0, as: Value?.self) } ?? nil
  }

  /// Hands over row after row without collecting them.
  package func forEach(
    _ sql: SQL, _ values: [(any Storable)?] = [], _ row: (borrowing Row) throws -> Void
  ) throws {
    try withStatement(sql, values) { statement in
      while try statement.step() { try row(Row(of: statement.handle)) }
    }
  }

  /// Runs a statement to its end.
  package func execute(_ sql: SQL, _ values: [(any Storable)?] = []) throws {
    try withStatement(sql, values) { statement in
      while try statement.step() {}
    }
  }

  /// Rows that the last INSERT, UPDATE or DELETE changed, without those of triggers and foreign keys.
  package var changes: Int { Int(sqlite3_changes64(handle)) }

  /// Statements kept prepared, and how often one was prepared so far.
  package var preparedStatements: (kept: Int, preparations: Int) { (statements.count, statements.preparations) }

  private func withStatement<Result>(
    _ sql: SQL, _ values: [(any Storable)?], _ body: (Statement) throws -> Result
  ) throws -> Result {
    // A failing disk makes the engine roll back by itself. A closure that swallowed that error must not go on, or
    // each of its statements would be a transaction of its own.
    if needsTransaction, !isInTransaction {
      throw StorageError(.rolledBack, "the transaction is gone; an earlier error was not passed on")
    }
    let statement = try statements.lend(sql.text, on: handle)
    defer { statements.giveBack(statement) }
    if !statement.isReadOnly { hasWritten = true }
    do {
      try statement.bind(values)
      return try body(statement)
    } catch let error as StorageError where error.code == SQLITE_INTERRUPT {
      throw reading?.reasonToStop(at: now()) ?? error
    }
  }
}

// MARK: Transactions

extension DatabaseConnection {
  var isInTransaction: Bool { sqlite3_get_autocommit(handle) == 0 }

  /// Runs statements of this module's own, which a closure's may not be: BEGIN, COMMIT, PRAGMA.
  func withTrust<Result>(_ body: () throws -> Result) rethrows -> Result {
    let (trust, need) = (isTrusted, needsTransaction)
    (isTrusted, needsTransaction) = (true, false)
    defer { (isTrusted, needsTransaction) = (trust, need) }
    return try body()
  }

  func command(_ sql: SQL) throws { try withTrust { try execute(sql) } }

  /// Ends whatever transaction is open. An engine that already rolled back has none, and that is as good.
  func rollBack() {
    guard isInTransaction else { return }
    try? command("ROLLBACK")
  }

  /// Runs `body` with its statements held to the transaction that is open.
  func insideTransaction<Result>(_ body: () throws -> Result) rethrows -> Result {
    needsTransaction = true
    defer { needsTransaction = false }
    return try body()
  }

  /// All of `body` or nothing of it.
  func transaction<Result>(_ begin: SQL = "BEGIN IMMEDIATE", _ body: () throws -> Result) throws -> Result {
    try command(begin)
    do {
      let result = try insideTransaction(body)
      try command("COMMIT")
      return result
    } catch {
      rollBack()
      throw error
    }
  }

  /// Runs every statement of a script. Nothing can be bound.
  func script(_ sql: SQL) throws {
    var error: StorageError?
    sql.text.withCString { start in
      var rest: UnsafePointer<CChar>? = start
      while error == nil, let text = rest, text.pointee != 0 {
        var prepared: OpaquePointer?
        let code = sqlite3_prepare_v2(handle, text, -1, &prepared, &rest)
        guard code == SQLITE_OK else {
          error = StorageError(code: code, on: handle, sql: String(cString: text))
          return
        }
        var step = SQLITE_ROW
        while let prepared, step == SQLITE_ROW { step = sqlite3_step(prepared) }
        if let prepared, step != SQLITE_DONE {
          error = StorageError(code: step, on: handle, sql: sqlite3_sql(prepared).map { String(cString: $0) })
        }
        sqlite3_finalize(prepared)
      }
    }
    if let error { throw error }
  }
}
