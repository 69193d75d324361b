package import Clocks
import Glibc
package import Observability

/// How a database is opened.
package struct DatabaseOptions: Sendable {
  /// What an acknowledged write survives.
  package enum Durability: String, Sendable, CaseIterable {
    /// The loss of power: the WAL is synced before the acknowledgement. As good as the disk's flush.
    case full
    /// The death of the process. After a loss of power the database is consistent, but the last writes may be gone.
    case normal
    /// Nothing: for what can be made again, and as the control of the crash tests.
    case off
  }

  /// Four letters that say whose file it is. A file with other letters is refused.
  package var applicationID: ApplicationID
  package var durability = Durability.full
  /// Whether pages that were given up are overwritten too, which costs a write each: for what people want erased.
  /// Without it deleted bytes are only overwritten where that costs nothing.
  package var overwritesFreedPages = false
  package var limits = DatabaseLimits()
  /// The registered VFS to use, for tests that take the power away; `nil` for the file system.
  package var vfs: String?
  /// The monotonic clock that deadlines are on. It is read on the database's threads.
  package var now: @Sendable () -> Instant = DatabaseOptions.monotonicNow

  package var log = Log.silent
  /// The process's registry; each database is a label in it.
  package var metrics: Metrics?

  package init(applicationID: ApplicationID) { self.applicationID = applicationID }

  /// The clock that libuv's `uv_hrtime` reads, so that the loop's instants and these compare.
  package static let monotonicNow: @Sendable () -> Instant = {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Instant(nanoseconds: UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec))
  }
}

/// Four ASCII letters in the header of the file, shown by `file(1)` and by `db info`.
package struct ApplicationID: Hashable, Sendable, ExpressibleByStringLiteral, CustomStringConvertible {
  let number: Int32

  package init(stringLiteral letters: StaticString) {
    precondition(letters.utf8CodeUnitCount == 4, "an application id has four letters")
    number = letters.withUTF8Buffer { $0.reduce(0) { $0 << 8 | Int32($1) } }
  }

  init(number: Int32) { self.number = number }

  package var description: String {
    let bytes = withUnsafeBytes(of: number.bigEndian) { Array($0) }
    guard bytes.allSatisfy({ (0x21...0x7E).contains($0) }) else { return "\(number)" }
    return String(decoding: bytes, as: UTF8.self)
  }
}

/// What a database takes before it says no.
package struct DatabaseLimits: Sendable {
  /// At 5,000 acknowledged writes a second these are 200 ms of work; who waits longer is better told to retry.
  package var queuedWrites = 1_024
  package var queuedReads = 1_024
  /// Backups and checks: minutes each, so a second one waits and a fifth is a mistake.
  package var queuedErrands = 4
  /// Threads that read; as many as the machines we aim at have cores.
  package var readers = 2
  /// Writes in one commit. Beyond 64 the sync is a small part of the time of a group.
  package var groupWrites = 64
  /// Once a group has run for this long no more writes join it: those in it wait for their acknowledgement.
  package var groupDuration = Duration.milliseconds(2)
  /// Pages of the file that the writer keeps in memory while it has work. Of each page that it must first read again it
  /// writes one later, and 64 writes of 64 people touch as many pages.
  package var writerCacheBytes = 8 << 20
  /// Prepared statements kept by each connection. The largest store has some forty.
  package var statements = 64
  /// Rows that one `rows` call collects. A page has 100; what is longer goes through `forEach`.
  package var rows = 100_000
  /// One value, and one row. A QR image of 2 MiB is the largest thing stored.
  package var valueBytes = 16 << 20
  /// The file. Over it a write fails as on a full disk.
  package var databaseBytes: Int64 = 16 << 30
  /// Files up to this size are checked when they are opened; it takes some 0.3 s.
  package var quickCheckBytes: Int64 = 256 << 20
  /// How long to wait for a lock of another process: an operator's shell.
  package var busyTimeout = Duration.seconds(2)
  /// Pages in the WAL (16 MiB) from which they are copied into the database, after the acknowledgements. Of a page that
  /// many groups changed only the last state is copied: the longer the WAL, the less is written twice.
  package var walPages = 4_096
  /// Commits from which they are copied too. Small ones would take long to fill the WAL, and as long as it grows a sync
  /// costs more than one of a WAL that is overwritten.
  package var walCommits = 1_000
  /// Pages in the WAL (64 MiB) from which the writer waits for the readers, so that it can start the WAL again.
  package var walPagesMax = 16_384
  /// Without a write for this long, the WAL is emptied.
  package var idle = Duration.seconds(5)
  /// Pages (1 MiB) copied between two looks at whether the backup is still wanted.
  package var backupPages = 256
  /// Steps of SQLite's machine (about 50 us) between two looks at whether a read is still wanted.
  package var readSteps = 1_000

  package init() {}
}
