import CSQLite
import Clocks
import Observability

/// The one thread that writes: it commits together what waits together, then answers, then tends the WAL.
///
/// A write that comes alone is committed at once. What arrives while a commit syncs has to wait for it anyway, and
/// shares the next one: the busier the database, the larger the groups and the fewer syncs for each write.
struct Writer {
  private let connection: DatabaseConnection
  private let queue: JobQueue
  private let tally: Tally
  private let log: Log
  private let limits: DatabaseLimits
  private let now: @Sendable () -> Instant
  /// Pages in the WAL after the last commit, and those and the commits at which the next checkpoint is due.
  private var walPages = 0
  private var checkpointDue: (pages: Int, commits: Int)
  private var forcedCheckpointDue: Int
  private var walIsEmpty = false

  init(_ connection: DatabaseConnection, _ queue: JobQueue, _ tally: Tally, _ log: Log) {
    self.connection = connection
    self.queue = queue
    self.tally = tally
    self.log = log
    limits = connection.limits
    now = connection.now
    checkpointDue = (limits.walPages, limits.walCommits)
    forcedCheckpointDue = limits.walPagesMax
  }

  /// Returns when the queue is closed and everything that waited in it was answered.
  mutating func serve() {
    while true {
      switch queue.take(atMost: walIsEmpty ? nil : limits.idle) {
      case .job(let job):
        if job.isAlone { runAlone(job) } else { runGroup(from: job) }
        walIsEmpty = false
        checkpointIfDue()
      case .quiet:
        walIsEmpty = checkpoint(.empty, waiting: false).isComplete
        connection.releaseCache()
      case .closed:
        finish()
        return
      }
    }
  }

  // MARK: A group

  /// Writes of one transaction.
  private struct Group {
    var written: [Job] = []
    /// Whether each has a savepoint to be undone to. That is a third of the work of a small write, and nearly all
    /// succeed: so nobody has one until somebody had to be undone.
    var hasSavepoints = false
  }

  private enum Outcome {
    /// Done, and waiting for the commit.
    case written
    /// Without a trace: undone alone, or never begun.
    case failed(any Error)
    /// It left something behind, and has no savepoint.
    case failedHalfway(any Error)
    /// The engine undid the whole transaction.
    case lostAll(any Error)
  }

  private func runGroup(from first: Job) {
    let start = now()
    var group = Group()
    var next: Job? = first
    while let job = next {
      tally.waits.writes.record(now() - job.queuedAt)
      run(job, in: &group)
      let isOpenToMore = group.written.count < limits.groupWrites && now() - start <= limits.groupDuration
      next = isOpenToMore ? queue.takeCompanion() : nil
    }
    commit(group.written)
  }

  private func run(_ job: Job, in group: inout Group) {
    switch attempt(job, in: group) {
    case .written: group.written.append(job)
    case .failed(let error): fail(job, error)
    case .failedHalfway(let error):
      connection.rollBack()
      fail(job, error)
      // The others once more, in their order. From here on a failure is undone alone, so it is once.
      let others = group.written
      group = Group(hasSavepoints: true)
      for other in others { run(other, in: &group) }
    case .lostAll(let error):
      fail(job, error)
      for other in group.written { fail(other, Self.lost(to: error)) }
      group.written = []
    }
  }

  private func attempt(_ job: Job, in group: Group) -> Outcome {
    let start = now()
    if let reason = job.reasonToStop(at: start) { return .failed(reason) }
    defer { tally.runs.writes.record(now() - start) }
    do {
      if !connection.isInTransaction { try connection.command("BEGIN IMMEDIATE") }
    } catch {
      return .failed(error)
    }
    return group.hasSavepoints ? attemptInSavepoint(job) : attemptWithoutSavepoint(job)
  }

  private func attemptWithoutSavepoint(_ job: Job) -> Outcome {
    connection.hasWritten = false
    do {
      try connection.insideTransaction { try job.run(on: connection) }
      return connection.isInTransaction ? .written : .lostAll(Self.lost(to: nil))
    } catch {
      guard connection.isInTransaction else { return .lostAll(error) }
      return connection.hasWritten ? .failedHalfway(error) : .failed(error)
    }
  }

  private func attemptInSavepoint(_ job: Job) -> Outcome {
    do {
      try connection.command("SAVEPOINT one")
    } catch {
      connection.rollBack()
      return .lostAll(error)
    }
    do {
      try connection.insideTransaction { try job.run(on: connection) }
      guard connection.isInTransaction else { return .lostAll(Self.lost(to: nil)) }
      try connection.command("RELEASE one")
      return .written
    } catch {
      guard connection.isInTransaction else { return .lostAll(error) }
      do {
        try connection.command("ROLLBACK TO one")
        try connection.command("RELEASE one")
        return .failed(error)
      } catch {
        connection.rollBack()
        return .lostAll(error)
      }
    }
  }

  /// Makes the group durable, and only then says so.
  private func commit(_ written: [Job]) {
    guard !written.isEmpty else {
      connection.rollBack()
      return
    }
    let start = now()
    do {
      try connection.command("COMMIT")
      tally.commitTimes.record(now() - start)
    } catch {
      connection.rollBack()
      var error = error
      if var known = error as? StorageError, known.kind == .inputOutput || known.kind == .full {
        // The frames may have reached the disk with their commit mark, and the failed sync only said that nobody knows.
        known.mayHaveBeenStored = true
        error = known
      }
      for job in written { fail(job, error) }
      return
    }
    tally.writes.add(written.count)
    tally.commits.add()
    for job in written { job.answer() }
  }

  private func runAlone(_ job: Job) {
    if let reason = job.reasonToStop(at: now()) { return fail(job, reason) }
    do {
      try connection.withTrust { try job.run(on: connection) }
      job.answer()
    } catch {
      fail(job, error)
    }
  }

  private func fail(_ job: Job, _ error: any Error) {
    tally.failed(error)
    job.fail(error)
  }

  private static func lost(to error: (any Error)?) -> StorageError {
    StorageError(.rolledBack, "the engine rolled back the group of this write\(error.map { ": \($0)" } ?? "")")
  }

  // MARK: The WAL

  /// Copies the WAL into the database once it is long. Under load it is then written again from its start and keeps its
  /// length: to overwrite a file is much cheaper to sync than to let it grow.
  private mutating func checkpointIfDue() {
    let (pages, commits) = (connection.walPages, connection.walCommits)
    if pages < walPages {
      // It was started again.
      checkpointDue = (limits.walPages, commits + limits.walCommits)
      forcedCheckpointDue = limits.walPagesMax
    }
    walPages = pages
    guard pages >= checkpointDue.pages || commits >= checkpointDue.commits else { return }
    let isForced = pages >= forcedCheckpointDue
    let checkpoint = checkpoint(isForced ? .restart : .copy, waiting: isForced)
    if isForced, !checkpoint.isComplete {
      log.debug(
        "a reader keeps the WAL from starting again", ["pages": .int(pages), "copied": .int(checkpoint.copiedPages)])
    }
    // While a reader holds it, it cannot start again: to try at each commit would be a sync for nothing.
    checkpointDue = (pages + limits.walPages, commits + limits.walCommits)
    if isForced { forcedCheckpointDue = pages + limits.walPagesMax }
  }

  private func finish() {
    // Statistics for the query planner, of those tables that changed much; bounded, as somebody waits for the end.
    try? connection.withTrust { try connection.script("PRAGMA analysis_limit = 400; PRAGMA optimize") }
    _ = checkpoint(.empty, waiting: false)
  }

  private func checkpoint(_ kind: DatabaseConnection.CheckpointKind, waiting: Bool) -> Checkpoint {
    let checkpoint = connection.checkpoint(kind, waiting: waiting)
    tally.checkpoints.add()
    tally.bytes.set(Double(connection.fileBytes))
    tally.walBytes.set(Double(connection.walFileBytes))
    return checkpoint
  }
}

/// How far a checkpoint came.
package struct Checkpoint: Hashable, Sendable {
  /// Pages in the WAL, and those of them that are in the database now.
  package let walPages: Int
  package let copiedPages: Int
  /// Everything wished for was done; else a reader or another process was in the way.
  package let isComplete: Bool
}

extension DatabaseConnection {
  var fileBytes: Int64 { csqlite_file_bytes(handle, SQLITE_FCNTL_FILE_POINTER) }

  var walFileBytes: Int64 { csqlite_file_bytes(handle, SQLITE_FCNTL_JOURNAL_POINTER) }

  enum CheckpointKind {
    /// What no reader is in the way of.
    case copy
    /// Everything, and the next write starts the WAL again.
    case restart
    /// Everything, and the WAL has no bytes afterwards.
    case empty

    var mode: Int32 {
      switch self {
      case .copy: SQLITE_CHECKPOINT_PASSIVE
      case .restart: SQLITE_CHECKPOINT_RESTART
      case .empty: SQLITE_CHECKPOINT_TRUNCATE
      }
    }
  }

  /// Copies the WAL's pages into the database. Nothing acknowledged hangs on it, so a failure is only not complete.
  func checkpoint(_ kind: CheckpointKind, waiting: Bool) -> Checkpoint {
    if !waiting { sqlite3_busy_timeout(handle, 0) }
    defer { sqlite3_busy_timeout(handle, Int32(clamping: limits.busyTimeout.wholeMilliseconds)) }
    var wal: Int32 = 0
    var copied: Int32 = 0
    let code = sqlite3_wal_checkpoint_v2(handle, nil, kind.mode, &wal, &copied)
    if code == SQLITE_OK, kind == .empty { walPages = 0 }
    return Checkpoint(
      walPages: Int(max(wal, 0)), copiedPages: Int(max(copied, 0)), isComplete: code == SQLITE_OK && wal == copied)
  }
}
