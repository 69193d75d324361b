import Bookmarks
import Clocks
import Contracts
import RPC
import ServiceStorage
import ServiceTestKit
import Storage
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
