package import Clocks
import Storage

nonisolated extension DatabaseConnection {
  /// Keeps how a visit went, in the transaction that changes what it came to.
  package func record(_ visit: VisitRecord) throws {
    try execute(
      """
      INSERT INTO visit (site, scope, began, ended, outcome, problem, showtimes, added, removed, changed)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      """,
      [
        visit.site, visit.scope.rawValue, visit.began, visit.ended, visit.outcome, visit.problem, visit.showtimes,
        visit.added, visit.removed, visit.changed,
      ])
    let id = try value("SELECT last_insert_rowid()", as: Int64.self) ?? 0
    for (ordinal, page) in visit.pages.enumerated() {
      try execute(
        """
        INSERT INTO visit_page (visit, ordinal, role, url, content_type, fetched_at, outcome, problem, snapshot)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
        """,
        [
          id, ordinal, page.role, page.url, page.contentType, page.fetchedAt, page.outcome, page.problem,
          page.snapshot?.bytes,
        ])
    }
  }
}

nonisolated extension ScraperStore {
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
