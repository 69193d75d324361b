import Bookmarks
import Clocks
import Contracts
import RPC
import Storage

/// The service's handlers over a store, on a clock that the test moves, and a client in the same process.
@MainActor
final class Rig {
  let time = ManualTime(wall: .start)
  let opened: OpenStore
  let handlers: BookmarksHandlers
  let presence: Presence
  let housekeeping: Housekeeping
  let client: any RPCClient<BookmarksAPI>

  convenience init(_ kind: StoreKind = .sqlite, limits: BookmarkLimits = BookmarkLimits()) async throws {
    self.init(try await kind.make(limits), limits: limits)
  }

  init(_ opened: OpenStore, limits: BookmarkLimits = BookmarkLimits()) {
    self.opened = opened
    let store: () throws -> any BookmarkStore = { opened.store }
    presence = Presence(time: time, store: store)
    handlers = BookmarksHandlers(
      store: store, limits: limits, time: time, presence: presence, random: SeededRandom(seed: 1))
    housekeeping = Housekeeping(
      store: store, emptyLog: { _ = try await opened.database?.checkpoint() }, presence, limits: limits, time: time)
    let router = RPCRouter(service: BookmarksAPI.name)
    handlers.register(on: router)
    client = InProcessClient(of: BookmarksAPI.self, router, time: time)
  }

  func close() async { await opened.close() }

  private var keys = 1_000

  /// A key that was not used before.
  func newKey() -> IdempotencyKey {
    keys += 1
    return .number(keys)
  }

  func open() async throws -> UserID { try await client.call(OpenUser(), CallOptions(key: newKey())).id }

  func save(_ id: String, _ user: UserID, kind: ItemKind = .film, note: String? = nil) async throws -> ItemReceipt {
    try await client.call(SaveItem(user: user, kind: kind, id: id, note: note))
  }

  func remove(_ id: String, _ user: UserID) async throws -> ItemReceipt {
    try await client.call(RemoveItem(user: user, kind: .film, id: id))
  }

  func saved(_ user: UserID) async throws -> [String] {
    try await client.call(ListItems(user: user, limit: 500)).items.map(\.id)
  }
}
