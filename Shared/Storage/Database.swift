import CSQLite
package import Clocks
import Observability

/// One SQLite file with one thread that writes and a few that read.
///
/// ```swift
/// let database = try await Database.open(path, migrations: LocatorStore.migrations, options: options)
/// try await database.write { db in try db.execute("INSERT INTO cinema (id, name) VALUES (?, ?)", [id, name]) }
/// let name = try await database.read { db in try db.value("SELECT name FROM cinema WHERE id = ?", [id], as: String.self) }
/// ```
///
/// The closures are synchronous and run on the database's threads. A write is acknowledged when its commit is durable;
/// who reads afterwards sees it. Cancelling the task takes a waiting job out of its queue and stops a running read; a
/// running write goes on to its end.
package final class Database: Sendable {
  /// What SQLite says that it is.
  package static var library: (name: String, version: String) { ("sqlite", String(cString: sqlite3_libversion())) }

  package let path: String
  /// Whether it was looked through for damage when it was opened, which a large file is not.
  package let wasChecked: Bool
  let options: DatabaseOptions
  let migrations: MigrationHistory
  /// None of a database that another process owns.
  private let owner: OwnerLock?
  private let tallied: Tally
  private let writes: Lane
  private let reads: Lane
  /// Long reads that must not hold a reader: backups, checks.
  private let errands: Lane

  /// Opens the file or makes it, checks it, and brings its schema up to date.
  ///
  /// Throws `owned` if it is open elsewhere, `corrupt` if it is damaged, `incompatible` if it is another service's or a
  /// newer build's, or if its history was edited.
  package static func open(_ path: String, migrations: [Migration], options: DatabaseOptions) async throws -> Database {
    try await DatabaseThread.run("db open") { try Database(path, MigrationHistory(migrations), options) }
  }

  /// Opens a file that another process has open and owns, to read it beside that one. Writes are refused with `closed`.
  ///
  /// Throws `incompatible` if it is another service's.
  package static func follow(
    _ path: String, migrations: [Migration], options: DatabaseOptions
  ) async throws -> Database {
    try await DatabaseThread.run("db open") { try Database(following: path, MigrationHistory(migrations), options) }
  }

  private init(following path: String, _ migrations: MigrationHistory, _ options: DatabaseOptions) throws {
    self.path = path
    self.options = options
    self.migrations = migrations
    owner = nil
    wasChecked = false
    let tally = Self.tally(path, options)
    tallied = tally
    try DatabaseConnection(.read, path, options: options).verifyApplication(options.applicationID)
    let readers = try ReadingConnections(path, options)
    writes = try Lane("writes", connections: [], queueLimit: 0, tally, now: options.now) { _, _ in }
    writes.queue.close()
    (reads, errands) = try readers.lanes(tally, options)
  }

  private init(_ path: String, _ migrations: MigrationHistory, _ options: DatabaseOptions) throws {
    self.path = path
    self.options = options
    self.migrations = migrations
    let owner = try OwnerLock(of: path)
    self.owner = owner
    let tally = Self.tally(path, options)
    tallied = tally

    let writer = try DatabaseConnection(.write, path, options: options)
    try writer.claim(for: options.applicationID)
    wasChecked = try writer.checkIfSmall()
    try migrations.apply(to: writer)

    tally.bytes.set(Double(writer.fileBytes))
    options.log.debug(
      "database opened",
      ["path": .string(path), "bytes": .int(writer.fileBytes), "migrations": .int(migrations.known.count)])

    // All files are opened before the first thread has one: who cannot be opened leaves nothing behind.
    let readers = try ReadingConnections(path, options)
    let queued = options.limits.queuedWrites
    writes = try Lane("writes", connections: [writer], queueLimit: queued, tally, now: options.now) {
      connection, queue in
      var writer = Writer(connection, queue, tally, options.log)
      // A database that is dropped without `close` stays ours until its thread is done.
      withExtendedLifetime(owner) { writer.serve() }
    }
    do {
      (reads, errands) = try readers.lanes(tally, options)
    } catch {
      writes.queue.close()
      throw error
    }
  }

  private static func tally(_ path: String, _ options: DatabaseOptions) -> Tally {
    Tally(options.metrics ?? Metrics(), database: path.split(separator: "/").last.map(String.init) ?? path)
  }

  /// Those that only read, open and without threads yet.
  private struct ReadingConnections {
    let readers: [DatabaseConnection]
    let runner: DatabaseConnection

    init(_ path: String, _ options: DatabaseOptions) throws {
      readers = try (0..<options.limits.readers).map { _ in try DatabaseConnection(.read, path, options: options) }
      runner = try DatabaseConnection(.read, path, options: options)
    }

    func lanes(_ tally: Tally, _ options: DatabaseOptions) throws -> (reads: Lane, errands: Lane) {
      func lane(_ name: String, _ connections: [DatabaseConnection], _ queueLimit: Int) throws -> Lane {
        try Lane(name, connections: connections, queueLimit: queueLimit, tally, now: options.now) { connection, queue in
          Reader(connection, queue, tally).serve()
        }
      }
      let reads = try lane("reads", readers, options.limits.queuedReads)
      do {
        return (reads, try lane("errands", [runner], options.limits.queuedErrands))
      } catch {
        reads.queue.close()
        throw error
      }
    }
  }

  deinit {
    for lane in [writes, reads, errands] { lane.queue.close() }
  }

  /// Runs `body` in a transaction of its own that sees one state of the database and cannot change it.
  package func read<Result: Sendable>(
    deadline: Instant = .distantFuture, _ body: @escaping DatabaseWork<Result>
  ) async throws -> Result {
    try await reads.run(deadline: deadline, body)
  }

  /// Runs `body` alone; all of it is stored, or nothing. What it throws is thrown here.
  ///
  /// Returns when the commit is durable. Writes are run in the order of their calls, and may share a commit: one that
  /// fails is undone without the others, for which these may be run once more. So `body` does nothing but its statements.
  package func write<Result: Sendable>(
    deadline: Instant = .distantFuture, _ body: @escaping DatabaseWork<Result>
  ) async throws -> Result {
    try await writes.run(deadline: deadline, body)
  }

  /// Refuses what comes from now on with `closed`, answers what waits in order, and returns when the file is closed.
  package func close() async {
    for lane in [writes, reads, errands] { lane.queue.close() }
    await reads.ended()
    await errands.ended()
    await writes.ended()
    owner?.release()
  }

  /// What was done since the database was opened, or since its registry of metrics was made.
  package var tally: DatabaseTally { tallied.current }

  /// Jobs that wait now.
  package var waiting: (writes: Int, reads: Int) { (writes.queue.depth, reads.queue.depth) }

  /// Runs on the writer's thread, outside any transaction.
  func runAlone<Result: Sendable>(
    _ body: @escaping DatabaseWork<Result>
  ) async throws -> Result {
    try await writes.run(deadline: .distantFuture, alone: true, body)
  }

  /// Runs on the errands' thread, in a transaction that reads.
  func runErrand<Result: Sendable>(
    _ body: @escaping DatabaseWork<Result>
  ) async throws -> Result {
    try await errands.run(deadline: .distantFuture, body)
  }

  /// True once `close` was called: an errand then gives up.
  var isClosing: Bool { errands.queue.isClosed }
}
