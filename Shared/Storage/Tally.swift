import Observability

/// What a database did, for `db info` and for tests. With a registry of the process's it is also among its metrics.
package struct DatabaseTally: Hashable, Sendable {
  /// Writes that were acknowledged, and the commits that they shared.
  package var writes = 0
  package var commits = 0
  package var reads = 0
  /// Reads and writes that ended in an error, whatever its kind.
  package var failures = 0
  package var checkpoints = 0
  /// Calls that found their queue full.
  package var refusals = 0
}

/// The tally as it is kept, and what is measured beside it.
final class Tally: Sendable {
  let writes: Counter
  let commits: Counter
  let reads: Counter
  let failures: Counter
  let checkpoints: Counter
  let refusals: Counter
  /// Somebody outside the process held a lock for the whole of the busy timeout.
  let busy: Counter

  /// From the call to its turn on a thread, and from there to its end: a write's commit is counted apart.
  let waits: (writes: Histogram, reads: Histogram)
  let runs: (writes: Histogram, reads: Histogram)
  let commitTimes: Histogram
  let bytes: Gauge
  let walBytes: Gauge

  init(_ metrics: Metrics, database name: String) {
    let of: Metrics.Labels = ["database": name]
    let ofWrites: Metrics.Labels = ["database": name, "kind": "write"]
    let ofReads: Metrics.Labels = ["database": name, "kind": "read"]
    writes = metrics.counter("odi_db_writes_total", "Writes that were acknowledged.", labels: of)
    commits = metrics.counter("odi_db_commits_total", "Commits, each shared by a group of writes.", labels: of)
    reads = metrics.counter("odi_db_reads_total", "Reads that ended well.", labels: of)
    failures = metrics.counter("odi_db_failures_total", "Reads and writes that ended in an error.", labels: of)
    checkpoints = metrics.counter("odi_db_checkpoints_total", "Copies of the WAL into the database.", labels: of)
    refusals = metrics.counter("odi_db_refusals_total", "Calls that found their queue full.", labels: of)
    busy = metrics.counter("odi_db_busy_total", "Waits in vain for a lock of another process.", labels: of)
    let wait = ("odi_db_wait_duration_seconds", "Time that reads and writes waited for a thread.")
    waits = (metrics.histogram(wait.0, wait.1, labels: ofWrites), metrics.histogram(wait.0, wait.1, labels: ofReads))
    let run = ("odi_db_query_duration_seconds", "Time that reads and writes ran, without the commit.")
    runs = (metrics.histogram(run.0, run.1, labels: ofWrites), metrics.histogram(run.0, run.1, labels: ofReads))
    commitTimes = metrics.histogram("odi_db_commit_duration_seconds", "Time of commits, most of it syncs.", labels: of)
    bytes = metrics.gauge("odi_db_size_bytes", "Size of the database, as of the last checkpoint.", labels: of)
    walBytes = metrics.gauge("odi_db_wal_bytes", "Size of the WAL, as of the last checkpoint.", labels: of)
  }

  var current: DatabaseTally {
    DatabaseTally(
      writes: writes.value, commits: commits.value, reads: reads.value, failures: failures.value,
      checkpoints: checkpoints.value, refusals: refusals.value)
  }

  func failed(_ error: any Error) {
    failures.add()
    if (error as? StorageError)?.kind == .busy { busy.add() }
  }
}
