import Contracts
import RPC

extension RPCClient<BookmarksAPI> {
  /// All that a user saved of a kind, or of every kind, newest first: for what has to be known whole before it can be
  /// sorted or looked through.
  func everything(
    savedBy user: UserID, of kind: ItemKind? = nil, _ options: CallOptions = CallOptions()
  ) async throws(RPCError) -> [SavedItem] {
    var items: [SavedItem] = []
    var after: String?
    repeat {
      let page = try await call(
        ListItems(user: user, kind: kind, after: after, limit: ListItems.limitMax), options)
      items += page.items
      after = page.next
    } while after != nil && items.count < SavedItems.max
    return items
  }
}

/// How much there may be of what a user saved.
private nonisolated enum SavedItems {
  /// What a user may keep.
  static let max = 5_000
}
