import Clocks
import Contracts
package import ServiceStorage
package import Storage

/// Users and what they save, in one SQLite file.
///
/// All that is kept of a user lies together, by the user's number, so that a question about one user reads one place,
/// and the limits bound how large that place gets. A change reads and writes two rows, the user's and the item's.
@MainActor
package final class SQLiteBookmarks: BookmarkStore {
  package let database: Database
  let limits: BookmarkLimits

  package init(_ database: Database, limits: BookmarkLimits = BookmarkLimits()) {
    self.database = database
    self.limits = limits
  }

  package static func open(
    _ path: String, limits: BookmarkLimits = BookmarkLimits(),
    options: DatabaseOptions = SQLiteBookmarks.declaration.options()
  ) async throws -> SQLiteBookmarks {
    SQLiteBookmarks(try await Database.open(path, migrations: migrations, options: options), limits: limits)
  }

  /// What these files are: what is acknowledged is on the disk, and what is erased is overwritten.
  nonisolated package static let declaration = DatabaseDeclaration(
    of: "bookmarks", applicationID: "ODbo", migrations: migrations, overwritesFreedPages: true)

  nonisolated package static let migrations = [
    Migration(
      "create user, item, view, settings, feed, receipt, opening",
      """
      CREATE TABLE user (
        number INTEGER PRIMARY KEY,           -- what other tables call the user: shorter than the id
        id TEXT NOT NULL UNIQUE,
        created_at INTEGER NOT NULL,          -- all times are milliseconds since 1970
        seen_at INTEGER NOT NULL,             -- to the day
        locale TEXT,
        tokens_from INTEGER,                  -- tokens issued before are void
        revision INTEGER NOT NULL DEFAULT 0,  -- of the last change of an item
        purged_to INTEGER NOT NULL DEFAULT 0, -- tombstones up to this revision may be gone
        items INTEGER NOT NULL DEFAULT 0,     -- saved now
        tombstones INTEGER NOT NULL DEFAULT 0,
        receipts INTEGER NOT NULL DEFAULT 0
      ) STRICT;

      CREATE TABLE item (
        user INTEGER NOT NULL REFERENCES user ON DELETE CASCADE,
        kind TEXT NOT NULL,
        id TEXT NOT NULL,
        revision INTEGER NOT NULL,            -- of its last change
        saved_at INTEGER NOT NULL,
        removed_at INTEGER,                   -- it is a tombstone
        note TEXT,                            -- last: a long one lies outside the row's page and is read only when asked
        PRIMARY KEY (user, kind, id)
      ) STRICT, WITHOUT ROWID;
      CREATE INDEX item_removed ON item (removed_at) WHERE removed_at IS NOT NULL;

      CREATE TABLE view (
        user INTEGER NOT NULL REFERENCES user ON DELETE CASCADE,
        kind TEXT NOT NULL,
        id TEXT NOT NULL,
        at INTEGER NOT NULL,                  -- of the last look
        PRIMARY KEY (user, kind, id)
      ) STRICT, WITHOUT ROWID;
      CREATE INDEX view_age ON view (at);

      CREATE TABLE settings (
        user INTEGER PRIMARY KEY REFERENCES user ON DELETE CASCADE,
        revision INTEGER NOT NULL,
        language TEXT,
        theme TEXT,
        region TEXT,
        keeps_history INTEGER,
        walk_metres_per_minute INTEGER
      ) STRICT;

      CREATE TABLE feed (
        user INTEGER PRIMARY KEY REFERENCES user ON DELETE CASCADE,
        hash BLOB NOT NULL UNIQUE             -- SHA-256 of the secret
      ) STRICT;

      CREATE TABLE receipt (
        user INTEGER NOT NULL REFERENCES user ON DELETE CASCADE,
        key BLOB NOT NULL,                    -- the idempotency key
        at INTEGER NOT NULL,
        request BLOB NOT NULL,                -- fingerprint of what was asked
        answer BLOB NOT NULL,                 -- as Wire writes it
        PRIMARY KEY (user, key)
      ) STRICT, WITHOUT ROWID;
      CREATE INDEX receipt_age ON receipt (at);

      CREATE TABLE opening (
        key BLOB PRIMARY KEY,                 -- the idempotency key with which the user was made
        user INTEGER NOT NULL REFERENCES user ON DELETE CASCADE,
        at INTEGER NOT NULL,
        request BLOB NOT NULL
      ) STRICT, WITHOUT ROWID;
      """),
    Migration(
      "create plan",
      """
      CREATE TABLE plan (
        user INTEGER NOT NULL REFERENCES user ON DELETE CASCADE,
        id TEXT NOT NULL,
        share TEXT NOT NULL UNIQUE,           -- whoever has it can read the plan
        revision INTEGER NOT NULL,
        created_at INTEGER NOT NULL,
        changed_at INTEGER NOT NULL,
        content BLOB NOT NULL,                -- as Wire writes it
        PRIMARY KEY (user, id)
      ) STRICT, WITHOUT ROWID;
      """),
    Migration(
      "create ended_token",
      """
      CREATE TABLE ended_token (
        user INTEGER NOT NULL REFERENCES user ON DELETE CASCADE,
        issued_at INTEGER NOT NULL,           -- which token: the instant of its issue is in it
        PRIMARY KEY (user, issued_at)
      ) STRICT, WITHOUT ROWID;
      """),
  ]

  /// Runs a question about the tables on a thread that reads.
  func read<Answer: Sendable>(
    _ call: StoreCall, _ body: @escaping @Sendable (BookmarkTables) throws -> Answer
  ) async throws -> Answer {
    let limits = limits
    return try await database.read(deadline: call.deadline) { db in try body(BookmarkTables(db, limits)) }
  }

  /// Runs a change of the tables on the thread that writes; returns when it is durable.
  func write<Answer: Sendable>(
    _ call: StoreCall, _ body: @escaping @Sendable (BookmarkTables) throws -> Answer
  ) async throws -> Answer {
    let limits = limits
    return try await database.write(deadline: call.deadline) { db in try body(BookmarkTables(db, limits)) }
  }
}
