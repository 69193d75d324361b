import Clocks
package import Contracts
import Storage

extension SQLiteBookmarks {
  package func save(
    _ item: NewItem, insteadOf other: String? = nil, of user: UserID, _ call: StoreCall
  ) async throws -> ItemReceipt {
    try await write(call) { tables in
      var item = item
      let key = ItemKey(kind: item.kind, id: item.id)
      var (before, old) = try tables.find(user, key)
      if let receipt: ItemReceipt = try tables.replay(call, of: before) { return receipt }
      var user = before
      let former = other.map { ItemKey(kind: item.kind, id: $0) }
      if let former, former != key, let found = try tables.item(former, of: user.number), found.removedAt == nil {
        _ = try tables.bury(former, found, of: &user, at: call.at)
        // A tombstone of the new one may have gone with the older ones.
        old = try tables.item(key, of: user.number)
        let hasNote = old.map { $0.removedAt == nil && $0.item.note != nil } ?? false
        if item.note == nil, !hasNote { item.note = found.item.note }
      }
      let receipt = try tables.put(item, over: old, of: &user, at: call.at)
      try tables.keep(receipt, call, of: &user)
      try tables.store(user, was: before)
      return receipt
    }
  }

  package func remove(
    _ kind: ItemKind, _ id: String, otherwise other: String? = nil, of user: UserID, _ call: StoreCall
  ) async throws -> ItemReceipt {
    try await write(call) { tables in
      var item = ItemKey(kind: kind, id: id)
      var (before, old) = try tables.find(user, item)
      if let receipt: ItemReceipt = try tables.replay(call, of: before) { return receipt }
      var user = before
      if let other, old == nil || old?.removedAt != nil {
        item = ItemKey(kind: kind, id: other)
        old = try tables.item(item, of: user.number)
      }
      let receipt = try tables.bury(item, old, of: &user, at: call.at)
      try tables.keep(receipt, call, of: &user)
      try tables.store(user, was: before)
      return receipt
    }
  }

  package func importItems(
    _ items: [NewItem], of user: UserID, _ call: StoreCall
  ) async throws -> ItemsImported {
    try await write(call) { tables in
      let before = try tables.user(user)
      if let answer: ItemsImported = try tables.replay(call, of: before) { return answer }
      var user = before
      var added: [Int] = []
      for (place, item) in items.enumerated() {
        let old = try tables.item(ItemKey(kind: item.kind, id: item.id), of: user.number)
        if try tables.put(item, over: old, of: &user, at: call.at).didChange {
          added.append(item.place ?? place)
        }
      }
      let answer = ItemsImported(
        added: added.count, unchanged: items.count - added.count, revision: user.revision, isReplay: false,
        addedPlaces: added)
      try tables.keep(answer, call, of: &user)
      try tables.store(user, was: before)
      return answer
    }
  }

  package func items(
    of user: UserID, kind: ItemKind?, otherThan other: ItemKind?, after: ItemCursor?, limit: Int, _ call: StoreCall
  ) async throws -> ItemPage {
    try await read(call) { tables in
      let user = try tables.user(user)
      var items = try tables.db.rows(
        """
        SELECT \(BookmarkTables.recordColumns) FROM item
        WHERE user = ?1 AND removed_at IS NULL AND (?2 IS NULL OR kind = ?2) AND kind IS NOT ?7
          AND (?3 IS NULL OR (saved_at, kind, id) < (?3, ?4, ?5))
        ORDER BY saved_at DESC, kind DESC, id DESC LIMIT ?6
        """, [user.number, kind?.rawValue, after?.savedAt, after?.kind, after?.id, limit + 1, other?.rawValue]
      ) { row in try BookmarkTables.record(row).item }
      let hasMore = items.count > limit
      if hasMore { items.removeLast() }
      return ItemPage(
        items: items, next: hasMore ? items.last.map { ItemCursor($0).text } : nil, revision: user.revision)
    }
  }

  package func changes(
    of user: UserID, since: Int64, kind: ItemKind?, limit: Int, _ call: StoreCall
  ) async throws -> ItemChangePage {
    try await read(call) { tables in
      let user = try tables.user(user)
      let isReset = LogPosition(revision: user.revision, purgedTo: user.purgedTo).isReset(since: since)
      // A whole listing goes on under negative numbers: whatever is purged meanwhile, it is not begun again.
      let isWhole = since <= 0 || isReset
      var changes = try tables.db.rows(
        """
        SELECT \(BookmarkTables.recordColumns) FROM item
        WHERE user = ?1 AND revision > ?2 AND (?3 IS NULL OR kind = ?3)
        ORDER BY revision LIMIT ?4
        """, [user.number, isReset ? 0 : Int64(clamping: since.magnitude), kind?.rawValue, limit + 1]
      ) { row in try BookmarkTables.record(row).change }
      let hasMore = changes.count > limit
      if hasMore { changes.removeLast() }
      let last = hasMore ? changes.last?.revision ?? user.revision : user.revision
      return ItemChangePage(
        changes: changes, revision: hasMore && isWhole ? -last : last, hasMore: hasMore, isReset: isReset)
    }
  }

  package func position(of user: UserID, _ call: StoreCall) async throws -> LogPosition {
    try await read(call) { tables in
      let user = try tables.user(user)
      return LogPosition(revision: user.revision, purgedTo: user.purgedTo)
    }
  }

  package func exportItems(
    of user: UserID, after: ItemKey?, limit: Int, _ call: StoreCall
  ) async throws -> [ItemRecord] {
    try await read(call) { tables in
      try tables.db.rows(
        """
        SELECT \(BookmarkTables.recordColumns) FROM item
        WHERE user = ? AND (kind, id) > (?, ?) ORDER BY kind, id LIMIT ?
        """, [try tables.number(of: user), after?.kind.rawValue ?? "", after?.id ?? "", limit]
      ) { row in try BookmarkTables.record(row) }
    }
  }
}
