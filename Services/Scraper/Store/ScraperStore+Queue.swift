package import Clocks
import Storage

/// The queue of visits: rows that several scrapers may share.
nonisolated extension ScraperStore {
  /// Takes the site that has been due for longest and is nobody's, among `sites`; nil if there is none.
  ///
  /// A lease that has run out is anybody's: the fence then grows, and what its former holder finds is not published.
  package func lease(
    among sites: Set<String>, to holder: String, at now: WallTime, for period: Duration, ignoringDue: Bool = false
  ) async throws -> Lease? {
    try await database.write { db in
      let due = try db.rows(
        """
        SELECT site_status.site FROM site_status JOIN site ON site.id = site_status.site
        WHERE (due_at <= ?1 OR ?2) AND (holder IS NULL OR lease_until <= ?1) ORDER BY due_at, position, site.id
        """, [now, ignoringDue]
      ) { row in try row.read(0, as: String.self) }
      guard let site = due.first(where: sites.contains) else { return nil }
      let fence = try db.row(
        "UPDATE site_status SET holder = ?, lease_until = ?, fence = fence + 1 WHERE site = ? RETURNING fence",
        [holder, now.adding(period), site]
      ) { row in try row.read(0, as: Int64.self) }
      return fence.map { Lease(site: site, holder: holder, fence: $0) }
    }
  }

  /// Says that the holder is still at work; false if the site is another's by now.
  package func renew(_ lease: Lease, at now: WallTime, for period: Duration) async throws -> Bool {
    try await database.write { db in
      try db.execute(
        "UPDATE site_status SET lease_until = ? WHERE site = ? AND holder = ? AND fence = ?",
        [now.adding(period), lease.site, lease.holder, lease.fence])
      return db.changes > 0
    }
  }

  /// Gives the site back and says when it is due again. Nothing happens if it is another's by now.
  package func release(_ lease: Lease, dueAt: WallTime) async throws {
    try await database.write { db in
      try db.execute(
        """
        UPDATE site_status SET holder = NULL, lease_until = 0, due_at = ? WHERE site = ? AND holder = ? AND fence = ?
        """, [dueAt, lease.site, lease.holder, lease.fence])
    }
  }

  /// When the next site among `sites` is due or its lease runs out; nil if there is none.
  package func nextDue(among sites: Set<String>) async throws -> WallTime? {
    try await database.read { db in
      try db.rows(
        "SELECT site, CASE WHEN holder IS NULL THEN due_at ELSE max(due_at, lease_until) END FROM site_status"
      ) {
        row in (try row.read(0, as: String.self), try row.read(1, as: WallTime.self))
      }
      .filter { sites.contains($0.0) }.map(\.1).min()
    }
  }

  /// Sites that somebody visits now: this scraper, or another.
  package func visited(at now: WallTime) async throws -> [String] {
    try await database.read { db in
      try db.rows("SELECT site FROM site_status WHERE holder IS NOT NULL AND lease_until > ? ORDER BY site", [now]) {
        row in try row.read(0, as: String.self)
      }
    }
  }

  /// Leases that this holder has from before its process began again.
  package func dropLeases(of holder: String) async throws {
    try await database.write { db in
      try db.execute("UPDATE site_status SET holder = NULL, lease_until = 0 WHERE holder = ?", [holder])
    }
  }
}

nonisolated extension DatabaseConnection {
  /// Refuses who has slept until its lease ran out, or another took the site over.
  func check(_ lease: Lease, at now: WallTime) throws {
    let holds = try value(
      "SELECT holder = ? AND fence = ? AND lease_until > ? FROM site_status WHERE site = ?",
      [lease.holder, lease.fence, now, lease.site], as: Bool.self)
    guard holds == true else { throw LeaseLost(site: lease.site) }
  }
}
