import Storage

extension Database {
  /// Rows by table, and the newest revision: what is the same if nothing was written.
  var verifiedCounts: [String: Int64] {
    get async throws {
      try await read { db in
        [
          "day": try db.value("SELECT count(*) FROM day") ?? 0,
          "showtime": try db.value("SELECT count(*) FROM showtime") ?? 0,
          "film": try db.value("SELECT count(*) FROM film") ?? 0,
          "film_key": try db.value("SELECT count(*) FROM film_key") ?? 0,
          "change": try db.value("SELECT count(*) FROM change") ?? 0,
          "revision": try db.value("SELECT coalesce(max(revision), 0) FROM change") ?? 0,
        ]
      }
    }
  }
}
