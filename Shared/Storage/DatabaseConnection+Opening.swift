import CGatheredWAL
import CSQLite
import Clocks
import Glibc

extension DatabaseConnection {
  enum Purpose {
    case write, read
  }

  /// Opens the file, makes it when it is to be written, and sets what `README.md` lists under "Settings".
  convenience init(_ purpose: Purpose, _ path: String, options: DatabaseOptions) throws {
    if purpose == .write, options.vfs == nil { try Self.createPrivately(path) }
    let access = purpose == .write ? SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE : SQLITE_OPEN_READONLY
    try self.init(opening: path, flags: access, limits: options.limits, vfs: options.vfs, now: options.now)
    try prepare(purpose, options)
    // From here on a closure's statements are held to what closures may do.
    sqlite3_set_authorizer(
      handle,
      { context, act, first, second, _, _ in
        DatabaseConnection.from(context)?.authorize(act, first, second) ?? SQLITE_DENY
      }, context)
  }

  /// Opens without setting anything.
  convenience init(
    opening path: String, flags: Int32, limits: DatabaseLimits = DatabaseLimits(), vfs: String? = nil,
    now: @escaping @Sendable () -> Instant = DatabaseOptions.monotonicNow
  ) throws {
    _ = Self.librarySetting
    var opened: OpaquePointer?
    // One thread at a time uses a connection, so SQLite's own locks around it would be in vain.
    let code = sqlite3_open_v2(path, &opened, flags | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE, vfs)
    guard code == SQLITE_OK, let opened else {
      var error = StorageError(code: code, on: opened)
      sqlite3_close_v2(opened)
      error.message = "cannot open \(path): \(error.message)"
      throw error
    }
    self.init(taking: opened, limits: limits, now: now)
    sqlite3_busy_timeout(opened, Int32(clamping: limits.busyTimeout.wholeMilliseconds))
  }

  /// Made once in a process, before its first database. Nobody reads the totals, and a write makes thirty allocations.
  private static let librarySetting = csqlite_count_no_memory()

  private func prepare(_ purpose: Purpose, _ options: DatabaseOptions) throws {
    // DQS: a misspelt column in double quotes would else be a string. DEFENSIVE: no SQL can damage the file.
    for (option, value) in [
      (SQLITE_DBCONFIG_DQS_DML, 0), (SQLITE_DBCONFIG_DQS_DDL, 0), (SQLITE_DBCONFIG_DEFENSIVE, 1),
      (SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0), (SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 0),
    ] as [(Int32, Int32)] { csqlite_configure(handle, option, value) }
    sqlite3_limit(handle, SQLITE_LIMIT_LENGTH, Int32(clamping: limits.valueBytes))

    try script("PRAGMA cell_size_check = ON; PRAGMA temp_store = MEMORY; PRAGMA foreign_keys = ON")
    switch purpose {
    case .read:
      sqlite3_progress_handler(
        handle, Int32(clamping: limits.readSteps),
        { context in DatabaseConnection.from(context)?.shouldStop() == true ? 1 : 0 }, context)
    case .write:
      let mode = try value("PRAGMA journal_mode = WAL", as: String.self)
      guard mode == "wal" else {
        throw StorageError(.cannotOpen, "the file system does not carry a WAL (journal mode \(mode ?? "unknown"))")
      }
      let pages = max(options.limits.databaseBytes / (try value("PRAGMA page_size") ?? 4_096), 1)
      try script(
        SQL(
          trusted: """
            PRAGMA synchronous = \(options.durability.rawValue);
            PRAGMA secure_delete = \(options.overwritesFreedPages ? "ON" : "FAST");
            PRAGMA cache_size = -\(options.limits.writerCacheBytes / 1_024);
            PRAGMA journal_size_limit = \(options.limits.walPagesMax * 4_096);
            PRAGMA max_page_count = \(pages)
            """))
      switch gathered_wal_begin(handle) {
      case SQLITE_OK: break
      case SQLITE_NOMEM: throw StorageError(.outOfMemory, "no memory for the pages of a transaction")
      case let code: throw StorageError(.cannotOpen, "the WAL is not open (\(code))")
      }
      // Instead of wal_autocheckpoint, which copies pages before the commit returns and so before it is acknowledged.
      sqlite3_wal_hook(
        handle,
        { context, _, _, pages in
          if let connection = DatabaseConnection.from(context) {
            connection.walPages = Int(pages)
            connection.walCommits += 1
          }
          return SQLITE_OK
        }, context)
    }
  }

  /// What people keep here is nobody else's to read. SQLite gives the WAL the rights of the file.
  static func createPrivately(_ path: String) throws {
    let file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard file >= 0 else {
      throw StorageError(.cannotOpen, "cannot open \(path): \(String(cString: strerror(errno)))")
    }
    Glibc.close(file)
  }

  /// What SQLite hands back to the functions that it calls: they are called within calls on this connection.
  private var context: UnsafeMutableRawPointer { Unmanaged.passUnretained(self).toOpaque() }

  private static func from(_ context: UnsafeMutableRawPointer?) -> DatabaseConnection? {
    context.map { Unmanaged<DatabaseConnection>.fromOpaque($0).takeUnretainedValue() }
  }

  private func shouldStop() -> Bool { reading?.reasonToStop(at: now()) != nil }

  /// Asked about every act of a statement that is prepared.
  private func authorize(_ act: Int32, _ first: UnsafePointer<CChar>?, _ second: UnsafePointer<CChar>?) -> Int32 {
    if isTrusted { return SQLITE_OK }
    switch act {
    // A closure shares its transaction with others, so it may not end it.
    case SQLITE_TRANSACTION, SQLITE_SAVEPOINT, SQLITE_ATTACH, SQLITE_DETACH: return SQLITE_DENY
    case SQLITE_PRAGMA:
      let name = first.map { String(cString: $0) } ?? ""
      let isAllowed = Self.questions.contains(name) || (second == nil && Self.readings.contains(name))
      return isAllowed ? SQLITE_OK : SQLITE_DENY
    default: return SQLITE_OK
    }
  }

  /// Pragmas that only ask, whatever is given to them.
  private static let questions: Set = [
    "table_info", "table_xinfo", "table_list", "index_list", "index_info", "index_xinfo", "foreign_key_list",
    "foreign_key_check", "compile_options", "function_list", "pragma_list", "module_list",
  ]

  /// Pragmas that ask if nothing is given. FTS5 and R*Tree ask for the first two.
  private static let readings: Set = [
    "data_version", "page_size", "page_count", "freelist_count", "user_version", "application_id", "journal_mode",
    "synchronous", "foreign_keys", "encoding",
  ]
}
