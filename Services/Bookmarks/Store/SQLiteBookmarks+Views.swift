import Clocks
package import Contracts
import Storage
import Wire

extension SQLiteBookmarks {
  package func record(_ views: [View], of user: UserID, _ call: StoreCall) async throws -> ViewsRecorded {
    try await write(call) { tables in
      let before = try tables.user(user)
      if let answer: ViewsRecorded = try tables.replay(call, of: before) { return answer }
      var user = before
      let keepsHistory = try tables.db.value(
        "SELECT keeps_history FROM settings WHERE user = ?", [user.number], as: Bool.self)
      let kept = keepsHistory == false ? 0 : try tables.record(views, of: user.number, at: call.at)
      let answer = ViewsRecorded(kept: kept, isReplay: false)
      try tables.keep(answer, call, of: &user)
      try tables.store(user, was: before)
      return answer
    }
  }

  package func views(of user: UserID, kind: ItemKind?, limit: Int, _ call: StoreCall) async throws -> [View] {
    try await read(call) { tables in
      try tables.db.rows(
        """
        SELECT kind, id, at FROM view WHERE user = ?1 AND (?2 IS NULL OR kind = ?2)
        ORDER BY at DESC, kind, id LIMIT ?3
        """, [try tables.number(of: user), kind?.rawValue, limit]
      ) { row in try BookmarkTables.view(row) }
    }
  }

  package func forgetViews(
    of user: UserID, kind: ItemKind?, id: String?, _ call: StoreCall
  ) async throws -> Int {
    try await write(call) { tables in
      try tables.db.execute(
        "DELETE FROM view WHERE user = ?1 AND (?2 IS NULL OR kind = ?2) AND (?3 IS NULL OR id = ?3)",
        [try tables.number(of: user), kind?.rawValue, id])
      return tables.db.changes
    }
  }

  package func exportViews(
    of user: UserID, after: ItemKey?, limit: Int, _ call: StoreCall
  ) async throws -> [View] {
    try await read(call) { tables in
      try tables.db.rows(
        "SELECT kind, id, at FROM view WHERE user = ? AND (kind, id) > (?, ?) ORDER BY kind, id LIMIT ?",
        [try tables.number(of: user), after?.kind.rawValue ?? "", after?.id ?? "", limit]
      ) { row in try BookmarkTables.view(row) }
    }
  }
}

nonisolated extension BookmarkTables {
  /// Columns: kind, id, at.
  static func view(_ row: borrowing Row) throws -> View {
    View(kind: ItemKind.named(try row.read(0)), id: try row.read(1), at: try row.read(2, as: WallTime.self))
  }

  /// Keeps the last look at each thing; returns how many of `views` were taken.
  func record(_ views: [View], of user: Int64, at now: WallTime) throws -> Int {
    let oldest = now.milliseconds - limits.viewLife.wholeMilliseconds
    var kept = 0
    for view in views {
      // A device whose clock is ahead looked now.
      let at = min(view.at ?? now, now)
      guard at.milliseconds >= oldest else { continue }
      try db.execute(
        """
        INSERT INTO view (user, kind, id, at) VALUES (?, ?, ?, ?)
        ON CONFLICT (user, kind, id) DO UPDATE SET at = max(at, excluded.at)
        """, [user, view.kind.rawValue, view.id, at])
      kept += 1
    }
    try trimViews(of: user)
    return kept
  }

  /// Forgets the oldest views beyond the limit.
  func trimViews(of user: Int64) throws {
    try db.execute(
      """
      DELETE FROM view WHERE user = ?1 AND (kind, id) IN (
        SELECT kind, id FROM view WHERE user = ?1 ORDER BY at DESC, kind, id LIMIT -1 OFFSET ?2)
      """, [user, limits.views])
  }
}
