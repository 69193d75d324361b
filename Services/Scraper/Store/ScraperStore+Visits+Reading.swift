package import Clocks
import Compression
package import Contracts
import Storage

/// Looking back at visits.
nonisolated extension ScraperStore {
  package func visits(of site: String, limit: Int, believedOnly: Bool = false) async throws -> [VisitReport] {
    try await database.read { db in
      let visits = try db.rows(
        """
        SELECT id, scope, began, ended, outcome, problem, showtimes, added, removed, changed FROM visit
        WHERE site = ? AND (NOT ? OR outcome IN ('published', 'same', 'partial')) ORDER BY id DESC LIMIT ?
        """, [site, believedOnly, limit]
      ) { row in
        VisitReport(
          number: try row.read(0), scope: try row.read(1), began: try row.read(2), ended: try row.read(3),
          outcome: try row.read(4), problem: try row.read(5), showtimes: try row.read(6), added: try row.read(7),
          removed: try row.read(8), changed: try row.read(9), pages: [])
      }
      return try visits.map { visit in
        var visit = visit
        visit.pages = try db.rows(
          """
          SELECT role, url, content_type, fetched_at, outcome, problem, snapshot, bytes
          FROM visit_page LEFT JOIN snapshot ON snapshot.hash = visit_page.snapshot WHERE visit = ? ORDER BY ordinal
          """, [visit.number]
        ) { row in
          VisitedPage(
            role: try row.read(0), url: try row.read(1), contentType: try row.read(2), fetchedAt: try row.read(3),
            outcome: try row.read(4), problem: try row.read(5),
            snapshot: try row.read(6, as: [UInt8]?.self).map { "\(SnapshotID(bytes: $0))" }, bytes: try row.read(7))
        }
        return visit
      }
    }
  }

  /// A visit's pages as they came, those whose bytes are still there.
  package func pages(of visit: VisitReport) async throws -> [Page] {
    var pages: [Page] = []
    for page in visit.pages {
      guard let id = page.snapshot.flatMap({ SnapshotID($0) }), let body = try await snapshot(id) else { continue }
      pages.append(
        Page(role: page.role, url: page.url, contentType: page.contentType, fetchedAt: page.fetchedAt, body: body))
    }
    return pages
  }

  /// The snapshot whose name begins so, if there is exactly one.
  package func snapshot(named prefix: String) async throws -> SnapshotID? {
    try await database.read { db in
      let found = try db.rows(
        "SELECT hash FROM snapshot WHERE lower(hex(hash)) LIKE ? || '%' LIMIT 2", [prefix.lowercased()]
      ) { row in SnapshotID(bytes: try row.read(0)) }
      return found.count == 1 ? found[0] : nil
    }
  }

  /// Removes what no visit since `date` saw, but for each site's last good visit and the broken ones.
  package func pruneSnapshots(before date: WallTime, isTrial: Bool) async throws -> PrunedSnapshots {
    struct Trial: Error { let result: PrunedSnapshots }
    do {
      return try await database.write { db in
        try db.execute(
          """
          DELETE FROM visit WHERE began < ?1 AND outcome NOT IN ('broken')
            AND id NOT IN (SELECT max(id) FROM visit WHERE outcome IN ('published', 'same', 'partial') GROUP BY site)
          """, [date])
        let (removed, bytes) = try db.forgetPages(before: date)
        let left = try db.value("SELECT count(*) FROM snapshot", as: Int.self) ?? 0
        let result = PrunedSnapshots(removed: removed, bytes: bytes, left: left)
        if isTrial { throw Trial(result: result) }
        return result
      }
    } catch let trial as Trial {
      return trial.result
    }
  }
}

nonisolated extension DatabaseConnection {
  /// Forgets addresses that were not read since `date`, and the bytes that no visit and no address refers to.
  ///
  /// - Returns: how many pages' bytes went, and how many bytes these were.
  @discardableResult
  func forgetPages(before date: WallTime) throws -> (pages: Int, bytes: Int) {
    let unused: SQL = """
      hash NOT IN (SELECT snapshot FROM visit_page WHERE snapshot IS NOT NULL)
        AND hash NOT IN (SELECT snapshot FROM page) AND created_at < ?
      """
    // An address that is no longer asked for needs no memory of its last answer.
    try execute("DELETE FROM page WHERE fetched_at < ?", [date])
    let gone = try row("SELECT count(*), coalesce(sum(length(body)), 0) FROM snapshot WHERE \(unused)", [date]) { row in
      (try row.read(0, as: Int.self), try row.read(1, as: Int.self))
    }
    try execute("DELETE FROM snapshot WHERE \(unused)", [date])
    return gone ?? (0, 0)
  }
}
