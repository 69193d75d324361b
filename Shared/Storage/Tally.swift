import Synchronization

/// What a database did since it was opened.
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

/// The tally as it is kept: one addition for each group of writes and for each read.
final class Tally: Sendable {
  private let sum = Mutex(DatabaseTally())

  var current: DatabaseTally { sum.withLock { $0 } }

  func add(writes: Int = 0, commits: Int = 0, reads: Int = 0, failures: Int = 0, checkpoints: Int = 0) {
    sum.withLock { sum in
      sum.writes += writes
      sum.commits += commits
      sum.reads += reads
      sum.failures += failures
      sum.checkpoints += checkpoints
    }
  }
}
