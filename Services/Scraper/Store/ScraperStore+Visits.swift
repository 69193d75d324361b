package import Clocks
import Storage

nonisolated extension ScraperStore {
  /// The visit's number.
  package func record(_ visit: VisitRecord) async throws -> Int64 {
    try await database.write { db in
      try db.execute(
        """
        INSERT INTO visit (site, scope, began, ended, outcome, problem, showtimes, added, removed, changed)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        """,
        [
          visit.site, visit.scope.rawValue, visit.began, visit.ended, visit.outcome, visit.problem, visit.showtimes,
          visit.added, visit.removed, visit.changed,
        ])
      let id = try db.value("SELECT last_insert_rowid()", as: Int64.self) ?? 0
      for (ordinal, page) in visit.pages.enumerated() {
        try db.execute(
          """
          INSERT INTO visit_page (visit, ordinal, role, url, content_type, fetched_at, outcome, problem, snapshot)
          VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
          """,
          [
            id, ordinal, page.role, page.url, page.contentType, page.fetchedAt, page.outcome, page.problem,
            page.snapshot?.bytes,
          ])
      }
      return id
    }
  }

  /// Codes of films whose own page was read since `date`.
  package func knownFilms(since date: WallTime) async throws -> Set<String> {
    try await database.read { db in
      Set(
        try db.rows(
          """
          SELECT key FROM film_key JOIN film ON film.id = film_key.film
          WHERE details_at >= ? AND key NOT LIKE 'title:%' AND key NOT LIKE 'taught:%'
          """, [date]
        ) { row in try row.read(0, as: String.self) })
    }
  }
}
