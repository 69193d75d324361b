package import Clocks
package import Contracts
import Storage
import Wire

extension SQLiteBookmarks {
  package func open(_ user: UserID, locale: String?, _ call: StoreCall) async throws -> UserProfile {
    try await write(call) { tables in
      if let key = call.key {
        let fresh = WallTime(milliseconds: call.at.milliseconds - tables.limits.openingLife.wholeMilliseconds)
        let kept = try tables.db.row(
          "SELECT u.id, o.request FROM opening o JOIN user u ON u.number = o.user WHERE o.key = ? AND o.at > ?",
          [key.keyBytes, fresh]
        ) { row in (id: try row.read(0, as: String.self), request: try row.read(1, as: [UInt8].self)) }
        if let kept, let user = UserID(kept.id) {
          guard kept.request == key.fingerprint else { throw BookmarkError.keyReused }
          return try tables.profile(of: user, withCounts: true)
        }
      }
      try tables.db.execute(
        "INSERT INTO user (id, created_at, seen_at, locale) VALUES (?, ?, ?, ?)",
        [user.text, call.at, call.at, locale])
      if let key = call.key {
        try tables.db.execute(
          "INSERT OR REPLACE INTO opening (key, user, at, request) SELECT ?, number, ?, ? FROM user WHERE id = ?",
          [key.keyBytes, call.at, key.fingerprint, user.text])
      }
      return UserProfile(id: user, createdAt: call.at, locale: locale, revision: 0, counts: [])
    }
  }

  package func profile(of user: UserID, withCounts: Bool, _ call: StoreCall) async throws -> UserProfile {
    try await read(call) { tables in try tables.profile(of: user, withCounts: withCounts) }
  }

  package func revokeTokens(of user: UserID, issuedAt: WallTime?, _ call: StoreCall) async throws -> UserProfile {
    try await write(call) { tables in
      let number = try tables.number(of: user)
      if let issuedAt {
        try tables.endToken(issuedAt, of: number)
        return try tables.profile(of: user, withCounts: true)
      }
      try tables.db.execute("DELETE FROM ended_token WHERE user = ?", [number])
      // Never backwards, whatever an operator does to the clock: a token that was void stays void.
      try tables.db.execute(
        "UPDATE user SET tokens_from = max(coalesce(tokens_from, 0), ?) WHERE id = ?", [call.at, user.text])
      return try tables.profile(of: user, withCounts: true)
    }
  }

  package func erase(_ user: UserID, _ call: StoreCall) async throws -> Int {
    try await write(call) { tables in try tables.erase(user) }
  }

  package func merge(_ user: UserID, into heir: UserID, _ call: StoreCall) async throws -> Int64 {
    try await write(call) { tables in
      let leaving = try tables.number(of: user)
      let before = try tables.user(heir)
      var heir = before
      let items = try tables.db.rows(
        "SELECT \(BookmarkTables.recordColumns) FROM item WHERE user = ? AND removed_at IS NULL ORDER BY revision",
        [leaving]
      ) { row in try BookmarkTables.record(row).item }
      for item in items {
        let old = try tables.item(ItemKey(kind: item.kind, id: item.id), of: heir.number)
        // What the heir wrote about something stays; of the other's there is no loss but a second note.
        let isNoted = old.map { $0.removedAt == nil && $0.item.note != nil } ?? false
        let new = NewItem(kind: item.kind, id: item.id, note: isNoted ? nil : item.note)
        _ = try tables.put(new, over: old, of: &heir, at: item.savedAt)
      }
      try tables.db.execute(
        """
        INSERT INTO view (user, kind, id, at) SELECT ?, kind, id, at FROM view WHERE user = ?
        ON CONFLICT (user, kind, id) DO UPDATE SET at = max(at, excluded.at)
        """, [heir.number, leaving])
      try tables.trimViews(of: heir.number)
      let plans =
        try tables.db.value("SELECT count(*) FROM plan WHERE user IN (?, ?)", [heir.number, leaving], as: Int.self) ?? 0
      guard plans <= tables.limits.plans else { throw BookmarkError.tooManyPlans(limit: tables.limits.plans) }
      try tables.db.execute("UPDATE plan SET user = ? WHERE user = ?", [heir.number, leaving])
      try tables.store(heir, was: before)
      _ = try tables.erase(user)
      return heir.revision
    }
  }
}

nonisolated extension BookmarkTables {
  /// Remembers one token as void. If there are too many, those before the oldest of them are void as well.
  fileprivate func endToken(_ issuedAt: WallTime, of number: Int64) throws {
    try db.execute("INSERT OR IGNORE INTO ended_token (user, issued_at) VALUES (?, ?)", [number, issuedAt])
    let oldest = try db.value(
      "SELECT issued_at FROM ended_token WHERE user = ? ORDER BY issued_at DESC LIMIT 1 OFFSET ?",
      [number, limits.endedTokens], as: WallTime.self)
    guard let oldest else { return }
    try db.execute("DELETE FROM ended_token WHERE user = ? AND issued_at <= ?", [number, oldest])
    try db.execute(
      "UPDATE user SET tokens_from = max(coalesce(tokens_from, 0), ?) WHERE number = ?",
      [WallTime(milliseconds: oldest.milliseconds + 1), number])
  }

  func profile(of id: UserID, withCounts: Bool) throws -> UserProfile {
    let found = try db.row(
      """
      SELECT number, created_at, locale, revision, tokens_from,
        (SELECT group_concat(issued_at) FROM ended_token WHERE ended_token.user = number) FROM user WHERE id = ?
      """, [id.text]
    ) { row in
      let ended = try row.read(5, as: String?.self)?.split(separator: ",").compactMap { Int64($0) }.sorted()
      return (
        try row.read(0, as: Int64.self),
        UserProfile(
          id: id, createdAt: try row.read(1), locale: try row.read(2), revision: try row.read(3), counts: [],
          tokensValidFrom: try row.read(4), endedTokens: ended?.map { WallTime(milliseconds: $0) })
      )
    }
    guard let (number, found) = found else { throw BookmarkError.unknownUser }
    guard withCounts else { return found }
    var profile = found
    profile.counts = try db.rows(
      "SELECT kind, count(*) FROM item WHERE user = ? AND removed_at IS NULL GROUP BY kind ORDER BY kind", [number]
    ) { row in ItemCount(kind: ItemKind.named(try row.read(0)), count: try row.read(1)) }
    return profile
  }

  /// Deletes every row of a user, table by table, so that they can be counted.
  func erase(_ id: UserID) throws -> Int {
    guard let number = try db.value("SELECT number FROM user WHERE id = ?", [id.text], as: Int64.self) else { return 0 }
    let deletions: [SQL] = [
      "DELETE FROM item WHERE user = ?", "DELETE FROM view WHERE user = ?", "DELETE FROM settings WHERE user = ?",
      "DELETE FROM feed WHERE user = ?", "DELETE FROM plan WHERE user = ?", "DELETE FROM receipt WHERE user = ?",
      "DELETE FROM opening WHERE user = ?", "DELETE FROM ended_token WHERE user = ?",
      "DELETE FROM user WHERE number = ?",
    ]
    var rows = 0
    for deletion in deletions {
      try db.execute(deletion, [number])
      rows += db.changes
    }
    return rows
  }
}
