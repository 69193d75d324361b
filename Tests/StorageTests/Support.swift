import CFaultVFS
import Clocks
import Dispatch
import Foundation
import Storage
import Synchronization
import Testing

/// A folder that is gone when the test lets go of it.
final class TemporaryFolder: Sendable {
  let path: String

  init() throws {
    let url = FileManager.default.temporaryDirectory.appending(path: "odi-storage-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    path = url.path
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  func file(_ name: String) -> String { path + "/" + name }
}

/// A disk in memory whose faults and losses of power a test decides.
final class FaultDisk: Sendable {
  let name: String
  // Safety: the disk has a mutex of its own.
  nonisolated(unsafe) private let disk: OpaquePointer
  /// The lock of the owner is a real file; the database is not.
  private let folder: TemporaryFolder

  private static let serial = Atomic(0)

  init(seed: UInt64 = 1) throws {
    name = "fault-\(Self.serial.add(1, ordering: .relaxed).newValue)"
    disk = try #require(fault_disk_create(name, seed))
    folder = try TemporaryFolder()
  }

  /// A test that failed may have left a database open: then the disk is left as well.
  deinit { fault_disk_destroy(disk) }

  var path: String { folder.file("test.db") }

  var counts: fault_counts { fault_disk_counts(disk) }

  var used: UInt64 { fault_disk_used(disk) }

  var hasPower: Bool { fault_disk_has_power(disk) }

  func plan(_ kind: fault_kind, at call: Int, lasting: Bool = false) {
    fault_disk_plan(disk, kind, UInt64(call), lasting)
  }

  func heal() { fault_disk_plan(disk, fault_none, 0, false) }

  func setCapacity(_ bytes: UInt64) { fault_disk_set_capacity(disk, bytes) }

  func damage(at offset: Int, count: Int, seed: UInt64) -> Bool {
    fault_disk_damage(disk, path, UInt64(offset), UInt64(count), seed)
  }

  /// The power comes back; what was not synced survives as the seed has it.
  func restart(seed: UInt64) { #expect(fault_disk_restart(disk, seed) == 0, "files are still open") }

  var options: DatabaseOptions {
    var options = DatabaseOptions.test
    options.vfs = name
    return options
  }
}

extension DatabaseOptions {
  /// A clock that stands still, so that no time decides how large a group is or when the WAL is emptied.
  static var test: DatabaseOptions {
    var options = DatabaseOptions(applicationID: "Test")
    options.now = { Instant(nanoseconds: 1_000) }
    options.limits.idle = .seconds(3_600)
    options.limits.readers = 1
    return options
  }
}

/// A number that two threads look at.
final class Count: Sendable {
  private let number: Atomic<Int>

  init(_ value: Int) { number = Atomic(value) }

  var value: Int {
    get { number.load(ordering: .acquiring) }
    set { number.store(newValue, ordering: .releasing) }
  }
}

/// Holds a thread of the database until the test lets it go on.
final class Gate: Sendable {
  private let opened = DispatchSemaphore(value: 0)
  private let isEntered = Atomic(false)

  /// For the database's thread.
  func pass() {
    isEntered.store(true, ordering: .releasing)
    opened.wait()
    // Once open it stays so: a write may come by again.
    opened.signal()
  }

  func open() { opened.signal() }

  /// Returns when the database's thread is at the gate.
  func reached() async { while !isEntered.load(ordering: .acquiring) { await Task.yield() } }
}

extension Database {
  /// Returns when as many writes wait.
  func writesWaiting(_ count: Int) async { while waiting.writes != count { await Task.yield() } }

  func readsWaiting(_ count: Int) async { while waiting.reads != count { await Task.yield() } }

  func count(_ table: SQL) async throws -> Int {
    try await read { db in try db.value("SELECT count(*) FROM \(table)") ?? 0 }
  }
}

/// A table of numbers with a name each, for tests that only need something to store.
let numbers = [
  Migration("create number", "CREATE TABLE number (id INTEGER PRIMARY KEY, name TEXT UNIQUE) STRICT")
]

/// The kind of the storage error that `body` throws; anything else is a failure of the test.
func kind<Result>(_ body: () async throws -> Result) async -> StorageError.Kind? {
  do {
    _ = try await body()
    Issue.record("nothing was thrown")
  } catch let error as StorageError {
    return error.kind
  } catch {
    Issue.record("\(error) was thrown")
  }
  return nil
}
