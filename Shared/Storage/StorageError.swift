import CSQLite
import Glibc

/// What went wrong in the store: a kind to act on, a sentence to read, SQLite's codes and the SQL to log.
///
/// The SQL is text of ours and the message names tables and columns, so neither holds a user's value.
public struct StorageError: Error, Hashable, Sendable {
  package enum Kind: Hashable, Sendable {
    /// Somebody outside this process held the database's lock for the whole of the busy timeout. Worth a retry.
    case busy
    /// No room: the disk, or the limit on the database's size. Reads go on; writes succeed again once there is room.
    case full
    /// The device failed. The database is as it was before the write, unless `mayHaveBeenStored`.
    case inputOutput
    /// The file is damaged or is no database. Stop, and restore a backup.
    case corrupt
    case constraint(Constraint)
    /// A read tried to write, or the file system does not allow it.
    case readOnly
    /// A value or a row is over the limit.
    case tooBig
    case outOfMemory
    /// The file cannot be opened or created.
    case cannotOpen
    /// Another process, or this one, has the database open.
    case owned
    /// The file belongs to another service, to a newer build, or to an edited history.
    case incompatible
    /// The caller's task was cancelled; a write that threw this was not stored.
    case cancelled
    /// The caller's deadline passed; a write that threw this was not stored.
    case deadlineExceeded
    /// The queue is full. Nothing was begun; shed load or retry later.
    case overloaded
    /// The database is closing or closed. Nothing was begun.
    case closed
    /// The engine rolled back the transaction that this write was part of. Not stored; worth a retry.
    case rolledBack
    /// A column does not hold what was asked of it.
    case mismatch
    /// A mistake in our SQL or in the use of this module.
    case misuse
  }

  package enum Constraint: Hashable, Sendable {
    case unique, primaryKey, foreignKey, notNull, check, other
  }

  package var kind: Kind
  package var message: String
  /// SQLite's result code, 0 if the error is not from SQLite.
  package var code: Int32 = 0
  package var extendedCode: Int32 = 0
  /// The statement, without its values.
  package var sql: String?
  /// True if the device failed while the commit was on its way: after a crash the write may turn out to be there.
  /// Retry it with its idempotency key.
  package var mayHaveBeenStored = false

  package init(_ kind: Kind, _ message: String) {
    self.kind = kind
    self.message = message
  }

  /// What the connection says about its last call.
  init(code: Int32, on handle: OpaquePointer?, sql: String? = nil) {
    let extended = handle.map { sqlite3_extended_errcode($0) } ?? code
    let text = handle.map { sqlite3_errmsg($0) } ?? sqlite3_errstr(code)
    self.code = code & 0xFF
    extendedCode = extended & 0xFF == self.code ? extended : code
    self.sql = sql
    kind = Self.kind(code: self.code, extended: extendedCode, systemError: handle.map { sqlite3_system_errno($0) } ?? 0)
    message =
      self.code == SQLITE_AUTH
      ? "not allowed here: transactions, settings and attached files are the database's own business"
      : text.map { String(cString: $0) } ?? "SQLite error \(code)"
  }

  private static func kind(code: Int32, extended: Int32, systemError: Int32) -> Kind {
    switch code {
    case SQLITE_BUSY, SQLITE_LOCKED, SQLITE_PROTOCOL: .busy
    case SQLITE_FULL: .full
    // A full disk also shows when the shared-memory file cannot grow and when a delayed allocation fails in fsync.
    case SQLITE_IOERR, SQLITE_CANTOPEN:
      systemError == ENOSPC || systemError == EDQUOT ? .full : code == SQLITE_IOERR ? .inputOutput : .cannotOpen
    case SQLITE_CORRUPT, SQLITE_NOTADB: .corrupt
    case SQLITE_CONSTRAINT: .constraint(constraint(extended))
    case SQLITE_READONLY: .readOnly
    case SQLITE_PERM: .cannotOpen
    case SQLITE_TOOBIG: .tooBig
    case SQLITE_NOMEM: .outOfMemory
    case SQLITE_INTERRUPT: .cancelled
    default: .misuse
    }
  }

  /// The extended codes are macros of an expression, which Swift does not import: 19 | n << 8.
  private static func constraint(_ extended: Int32) -> Constraint {
    switch extended >> 8 {
    case 1: .check
    case 3: .foreignKey
    case 5: .notNull
    case 6: .primaryKey
    case 8: .unique
    default: .other
    }
  }
}

extension StorageError: CustomStringConvertible {
  public var description: String {
    let codes = code == 0 ? "" : " (SQLite \(extendedCode))"
    return sql.map { "\(message)\(codes) in: \($0)" } ?? "\(message)\(codes)"
  }
}
