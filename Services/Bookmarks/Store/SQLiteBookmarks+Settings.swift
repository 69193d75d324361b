package import Contracts
import Storage

extension SQLiteBookmarks {
  package func settings(of user: UserID, _ call: StoreCall) async throws -> UserSettings {
    try await read(call) { tables in try tables.settings(of: try tables.number(of: user)) }
  }

  package func change(
    _ settings: UserSettings, of user: UserID, ifRevision: Int64?, _ call: StoreCall
  ) async throws -> (settings: UserSettings, didChange: Bool) {
    try await write(call) { tables in
      let user = try tables.number(of: user)
      let old = try tables.settings(of: user)
      var new = settings
      new.revision = old.revision
      // Also whoever sends the same again because the answer was lost: by then the revision is one further.
      guard new != old else { return (old, false) }
      guard ifRevision == nil || ifRevision == old.revision else {
        throw BookmarkError.settingsMoved(revision: old.revision)
      }
      new.revision += 1
      try tables.db.execute(
        """
        INSERT OR REPLACE INTO settings
          (user, revision, language, theme, region, keeps_history, walk_metres_per_minute)
        VALUES (?, ?, ?, ?, ?, ?, ?)
        """,
        [user, new.revision, new.language, new.theme, new.region, new.keepsHistory, new.walkMetresPerMinute])
      return (new, true)
    }
  }

  package func setFeed(_ hash: [UInt8], of user: UserID, _ call: StoreCall) async throws {
    try await write(call) { tables in
      try tables.db.execute(
        "INSERT INTO feed (user, hash) VALUES (?, ?) ON CONFLICT (user) DO UPDATE SET hash = excluded.hash",
        [try tables.number(of: user), hash])
    }
  }

  package func user(ofFeed hash: [UInt8], _ call: StoreCall) async throws -> UserProfile {
    try await read(call) { tables in
      let id = try tables.db.value(
        "SELECT u.id FROM feed f JOIN user u ON u.number = f.user WHERE f.hash = ?", [hash], as: String.self)
      guard let user = id.flatMap({ UserID($0) }) else { throw BookmarkError.unknownFeed }
      return try tables.profile(of: user, withCounts: false)
    }
  }
}

nonisolated extension BookmarkTables {
  /// Revision 0 of somebody who never chose anything.
  func settings(of user: Int64) throws -> UserSettings {
    let settings = try db.row(
      """
      SELECT revision, language, theme, region, keeps_history, walk_metres_per_minute FROM settings WHERE user = ?
      """, [user]
    ) { row in
      UserSettings(
        revision: try row.read(0), language: try row.read(1), theme: try row.read(2), region: try row.read(3),
        keepsHistory: try row.read(4), walkMetresPerMinute: try row.read(5))
    }
    return settings ?? UserSettings()
  }
}
