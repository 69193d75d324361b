package import Clocks
package import Contracts
import Storage
import Wire

extension SQLiteBookmarks {
  package func mostSaved(
    _ kind: ItemKind, since: WallTime?, usersMin: Int, limit: Int, _ call: StoreCall
  ) async throws -> [SavedCount] {
    try await read(call) { tables in
      // It reads every item: whoever asks keeps the answer for a while.
      try tables.db.rows(
        """
        SELECT id, count(*) AS users FROM item
        WHERE kind = ?1 AND removed_at IS NULL AND (?2 IS NULL OR saved_at >= ?2)
        GROUP BY id HAVING users >= ?3 ORDER BY users DESC, id LIMIT ?4
        """, [kind.rawValue, since, usersMin, limit]
      ) { row in SavedCount(id: try row.read(0), users: try row.read(1)) }
    }
  }

  package func touch(_ users: [UserID], _ call: StoreCall) async throws {
    try await write(call) { tables in
      for user in users {
        try tables.db.execute(
          "UPDATE user SET seen_at = ?1 WHERE id = ?2 AND seen_at < ?1", [call.at, user.text])
      }
    }
  }

  package func users(
    after: UserID?, notSeenSince: WallTime?, limit: Int, _ call: StoreCall
  ) async throws -> UserList {
    try await read(call) { tables in
      var users = try tables.db.rows(
        """
        SELECT id, created_at, seen_at, revision, items FROM user
        WHERE id > ?1 AND (?2 IS NULL OR seen_at < ?2) ORDER BY id LIMIT ?3
        """, [after?.text ?? "", notSeenSince, limit + 1]
      ) { row -> UserSummary? in
        guard let id = UserID(try row.read(0)) else { return nil }
        return UserSummary(
          id: id, createdAt: try row.read(1), seenAt: try row.read(2), revision: try row.read(3),
          items: try row.read(4))
      }.compactMap { $0 }
      let hasMore = users.count > limit
      if hasMore { users.removeLast() }
      return UserList(users: users, hasMore: hasMore)
    }
  }

  package func prune(
    notSeenSince: WallTime, isDryRun: Bool, limit: Int, _ call: StoreCall
  ) async throws -> [UserID] {
    let find: @Sendable (BookmarkTables) throws -> [UserID] = { tables in
      try tables.db.rows(
        """
        SELECT id FROM user WHERE items = 0 AND seen_at < ?
          AND NOT EXISTS (SELECT 1 FROM plan WHERE plan.user = number)
          AND NOT EXISTS (SELECT 1 FROM feed WHERE feed.user = number)
          AND NOT EXISTS (
            SELECT 1 FROM settings WHERE settings.user = number
              AND coalesce(language, theme, region, keeps_history, walk_metres_per_minute) IS NOT NULL)
        ORDER BY id LIMIT ?
        """, [notSeenSince, limit]
      ) { row in UserID(try row.read(0)) }.compactMap { $0 }
    }
    if isDryRun { return try await read(call, find) }
    return try await write(call) { tables in
      let users = try find(tables)
      for user in users { _ = try tables.erase(user) }
      return users
    }
  }

  package func purge(_ horizon: PurgeHorizon, limit: Int, _ call: StoreCall) async throws -> Int {
    try await write(call) { tables in
      var rows = try tables.purgeTombstones(before: horizon.tombstones, limit: limit)
      rows += try tables.purgeReceipts(before: horizon.receipts, limit: limit - rows)
      let rest: [(SQL, WallTime)] = [
        (
          """
          DELETE FROM view WHERE (user, kind, id) IN (
            SELECT user, kind, id FROM view WHERE at < ? ORDER BY at LIMIT ?)
          """, horizon.views
        ),
        ("DELETE FROM opening WHERE key IN (SELECT key FROM opening WHERE at < ? LIMIT ?)", horizon.openings),
      ]
      for (deletion, time) in rest where rows < limit {
        try tables.db.execute(deletion, [time, limit - rows])
        rows += tables.db.changes
      }
      return rows
    }
  }

  package func totals(_ call: StoreCall) async throws -> BookmarkTotals {
    try await read(call) { tables in
      let db = tables.db
      return BookmarkTotals(
        users: try db.value("SELECT count(*) FROM user") ?? 0,
        items: try db.rows(
          "SELECT kind, count(*) FROM item WHERE removed_at IS NULL GROUP BY kind ORDER BY kind"
        ) { row in ItemCount(kind: ItemKind.named(try row.read(0)), count: try row.read(1)) },
        tombstones: try db.value("SELECT count(*) FROM item WHERE removed_at IS NOT NULL") ?? 0,
        views: try db.value("SELECT count(*) FROM view") ?? 0,
        receipts: try db.value("SELECT count(*) FROM receipt") ?? 0,
        feeds: try db.value("SELECT count(*) FROM feed") ?? 0, watchers: 0, pairings: 0)
    }
  }
}

nonisolated extension BookmarkTables {
  func purgeTombstones(before time: WallTime, limit: Int) throws -> Int {
    let old = try db.rows(
      "SELECT user, kind, id, revision FROM item WHERE removed_at < ? ORDER BY removed_at LIMIT ?", [time, limit]
    ) { row in
      (
        user: try row.read(0, as: Int64.self), kind: try row.read(1, as: String.self),
        id: try row.read(2, as: String.self), revision: try row.read(3, as: Int64.self)
      )
    }
    for tombstone in old {
      try db.execute(
        "DELETE FROM item WHERE user = ? AND kind = ? AND id = ?", [tombstone.user, tombstone.kind, tombstone.id])
      try db.execute(
        "UPDATE user SET tombstones = tombstones - 1, purged_to = max(purged_to, ?) WHERE number = ?",
        [tombstone.revision, tombstone.user])
    }
    return old.count
  }

  func purgeReceipts(before time: WallTime, limit: Int) throws -> Int {
    guard limit > 0 else { return 0 }
    let old = try db.rows("SELECT user, key FROM receipt WHERE at < ? ORDER BY at LIMIT ?", [time, limit]) { row in
      (user: try row.read(0, as: Int64.self), key: try row.read(1, as: [UInt8].self))
    }
    for receipt in old {
      try db.execute("DELETE FROM receipt WHERE user = ? AND key = ?", [receipt.user, receipt.key])
      try db.execute("UPDATE user SET receipts = receipts - 1 WHERE number = ?", [receipt.user])
    }
    return old.count
  }
}
