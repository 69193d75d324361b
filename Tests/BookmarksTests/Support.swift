import Bookmarks
import CFaultVFS
import Clocks
import Contracts
import RPC
import ServiceStorage
import ServiceTestKit
import Storage
import Synchronization
import Testing

/// The stores that one suite holds to the same behaviour.
enum StoreKind: String, CaseIterable, Sendable {
  case memory, sqlite

  @MainActor
  func make(_ limits: BookmarkLimits = BookmarkLimits()) async throws -> OpenStore {
    switch self {
    case .memory: return OpenStore(MemoryBookmarks(limits: limits))
    case .sqlite:
      let folder = try TemporaryFolder()
      let store = try await SQLiteBookmarks.open(
        folder.file("bookmarks.sqlite"), limits: limits, options: .testing())
      return OpenStore(store, folder, store.database)
    }
  }
}

/// A store that a test closes.
@MainActor
final class OpenStore {
  let store: any BookmarkStore
  let folder: TemporaryFolder?
  let database: Database?

  init(_ store: any BookmarkStore, _ folder: TemporaryFolder? = nil, _ database: Database? = nil) {
    self.store = store
    self.folder = folder
    self.database = database
  }

  func close() async { await database?.close() }
}

extension DatabaseOptions {
  /// A clock that stands still, so that the tests' own deadlines hold and no time decides anything.
  static func testing(on disk: FaultDisk? = nil) -> DatabaseOptions {
    var options = SQLiteBookmarks.declaration.options()
    options.now = { Instant(nanoseconds: 1_000) }
    options.limits.idle = .seconds(3_600)
    options.vfs = disk?.name
    return options
  }
}

/// A disk in memory whose faults and losses of power a test decides.
final class FaultDisk: Sendable {
  let name: String
  // Safety: the disk has a mutex of its own.
  nonisolated(unsafe) private let disk: OpaquePointer
  /// The lock of the owner is a real file; the database is not.
  private let folder: TemporaryFolder

  private static let serial = Atomic(0)

  init(seed: UInt64) throws {
    name = "bookmarks-\(Self.serial.add(1, ordering: .relaxed).newValue)"
    disk = try #require(fault_disk_create(name, seed))
    folder = try TemporaryFolder()
  }

  deinit { fault_disk_destroy(disk) }

  var path: String { folder.file("bookmarks.sqlite") }
  var used: UInt64 { fault_disk_used(disk) }

  func plan(_ kind: fault_kind, at call: Int) { fault_disk_plan(disk, kind, UInt64(call), false) }
  func setCapacity(_ bytes: UInt64) { fault_disk_set_capacity(disk, bytes) }

  /// The power comes back; what was not synced survives as the seed has it.
  func restart(seed: UInt64) { #expect(fault_disk_restart(disk, seed) == 0, "files are still open") }
}

extension WallTime {
  static let start = WallTime(milliseconds: 1_790_000_000_000)

  func after(_ duration: Duration) -> WallTime {
    WallTime(milliseconds: milliseconds + duration.wholeMilliseconds)
  }
}

extension StoreCall {
  static func at(_ time: WallTime = .start, _ key: WriteKey? = nil) -> StoreCall { StoreCall(at: time, key: key) }
}

extension IdempotencyKey {
  static func number(_ number: Int) -> IdempotencyKey { IdempotencyKey(bits: UInt128(number) + 1)! }
}

extension Duration {
  static func days(_ count: Int) -> Duration { .seconds(count * 86_400) }
}

/// What `body` throws, if it is one of the service's own errors.
@MainActor
func bookmarkError<Result>(_ body: () async throws -> Result) async -> BookmarkError? {
  do {
    _ = try await body()
    return nil
  } catch {
    return error as? BookmarkError
  }
}

/// The code of what a call fails with.
@MainActor
func code<Result>(_ body: () async throws -> Result) async -> RPCError.Code? {
  do {
    _ = try await body()
    return nil
  } catch {
    return (error as? RPCError)?.code
  }
}
