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
  package let path: String
  let options: DatabaseOptions
  let migrations: MigrationHistory
  private let owner: OwnerLock
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

  private init(_ path: String, _ migrations: MigrationHistory, _ options: DatabaseOptions) throws {
    self.path = path
    self.options = options
    self.migrations = migrations
    owner = try OwnerLock(of: path)
    let tally = Tally(options.metrics ?? Metrics(), database: path.split(separator: "/").last.map(String.init) ?? path)
    tallied = tally

    let writer = try DatabaseConnection(.write, path, options: options)
    try writer.claim(for: options.applicationID)
    try writer.checkIfSmall()
    try migrations.apply(to: writer)

    tally.bytes.set(Double(writer.fileBytes))
    options.log.debug(
      "database opened",
      ["path": .string(path), "bytes": .int(writer.fileBytes), "migrations": .int(migrations.known.count)])

    let limits = options.limits
    let readers = try (0..<limits.readers).map { _ in try DatabaseConnection(.read, path, options: options) }
    let runner = try DatabaseConnection(.read, path, options: options)
    writes = try Lane("writes", connections: [writer], queueLimit: limits.queuedWrites, tally, now: options.now) {
      [owner] connection, queue in
      var writer = Writer(connection, queue, tally, options.log)
      // A database that is dropped without `close` stays ours until its thread is done.
      withExtendedLifetime(owner) { writer.serve() }
    }
    do {
      reads = try Lane("reads", connections: readers, queueLimit: limits.queuedReads, tally, now: options.now) {
        connection, queue in
        Reader(connection, queue, tally).serve()
      }
    } catch {
      writes.queue.close()
      throw error
    }
    do {
      errands = try Lane("errands", connections: [runner], queueLimit: limits.queuedErrands, tally, now: options.now) {
        connection, queue in
        Reader(connection, queue, tally).serve()
      }
    } catch {
      writes.queue.close()
      reads.queue.close()
      throw error
    }
  }

  deinit {
    for lane in [writes, reads, errands] { lane.queue.close() }
  }

  /// Runs `body` in a transaction of its own that sees one state of the database and cannot change it.
  package func read<Result: Sendable>(
    deadline: Instant = .distantFuture, _ body: @escaping @Sendable (DatabaseConnection) throws -> Result
  ) async throws -> Result {
    try await reads.run(deadline: deadline, body)
  }

  /// Runs `body` alone; all of it is stored, or nothing. What it throws is thrown here.
  ///
  /// Returns when the commit is durable. Writes are run in the order of their calls, and may share a commit: one that
  /// fails is undone without the others, for which these may be run once more. So `body` does nothing but its statements.
  package func write<Result: Sendable>(
    deadline: Instant = .distantFuture, _ body: @escaping @Sendable (DatabaseConnection) throws -> Result
  ) async throws -> Result {
    try await writes.run(deadline: deadline, body)
  }

  /// Refuses what comes from now on with `closed`, answers what waits in order, and returns when the file is closed.
  package func close() async {
    for lane in [writes, reads, errands] { lane.queue.close() }
    await reads.ended()
    await errands.ended()
    await writes.ended()
    owner.release()
  }

  /// What was done since the database was opened, or since its registry of metrics was made.
  package var tally: DatabaseTally { tallied.current }

  /// Jobs that wait now.
  package var waiting: (writes: Int, reads: Int) { (writes.queue.depth, reads.queue.depth) }

  /// Runs on the writer's thread, outside any transaction.
  func runAlone<Result: Sendable>(
    _ body: @escaping @Sendable (DatabaseConnection) throws -> Result
  ) async throws
    -> Result
  {
    try await writes.run(deadline: .distantFuture, alone: true, body)
  }

  /// Runs on the errands' thread, in a transaction that reads.
  func runErrand<Result: Sendable>(
    _ body: @escaping @Sendable (DatabaseConnection) throws -> Result
  ) async throws
    -> Result
  {
    try await errands.run(deadline: .distantFuture, body)
  }

  /// True once `close` was called: an errand then gives up.
  var isClosing: Bool { errands.queue.isClosed }
}

/// A thread that reads: each job sees one state of the database.
struct Reader {
  private let connection: DatabaseConnection
  private let queue: JobQueue
  private let tally: Tally

  init(_ connection: DatabaseConnection, _ queue: JobQueue, _ tally: Tally) {
    self.connection = connection
    self.queue = queue
    self.tally = tally
  }

  func serve() {
    while case .job(let job) = queue.take() { run(job) }
  }

  private func run(_ job: Job) {
    let start = connection.now()
    tally.waits.reads.record(start - job.queuedAt)
    do {
      if let reason = job.reasonToStop(at: start) { throw reason }
      connection.reading = job
      defer { connection.reading = nil }
      try connection.transaction("BEGIN") { try job.run(on: connection) }
      tally.runs.reads.record(connection.now() - start)
      tally.reads.add()
      job.answer()
    } catch {
      tally.failed(error)
      job.fail(error)
    }
  }
}
