package import Clocks
package import Contracts
import JSON
import Storage

/// Sites: what is configured, and how they are doing.
nonisolated extension ScraperStore {
  package enum Origin: String, Storable, CaseIterable {
    /// Comes with the program, disabled until an operator has read the site's terms.
    case shipped
    /// A file in the configuration folder; the file is the truth.
    case file
    /// Added by a command.
    case `operator`
    case demo
  }

  /// A site and all that is known of it.
  package struct SiteRecord: Sendable {
    package var site: Site
    package var origin: Origin
    package var status: SiteStatus
    package var position: Int
  }

  /// Without those whose document this build refuses: see ``unreadableSites()``.
  package func sites() async throws -> [SiteRecord] {
    try await database.read { db in
      let records: [SiteRecord?] = try db.rows(
        """
        SELECT state, problem, as_of, tried_at, whole_at, due_at, failures, approved, quarantined, document, enabled,
          origin, position
        FROM site JOIN site_status ON site_status.site = site.id ORDER BY position, id
        """
      ) { row in
        let text = try row.read(9, as: String.self)
        guard var site = try? Site(parsing: JSONValue(parsing: text)) else { return nil }
        site.isEnabled = try row.read(10)
        let origin = try row.read(11, as: Origin.self)
        site.isDemo = origin == .demo
        return SiteRecord(site: site, origin: origin, status: try SiteStatus(row, from: 0), position: try row.read(12))
      }
      return records.compactMap { $0 }
    }
  }

  /// Sites that an earlier build took and this one refuses: which, and why. They are not visited, and keep what they have.
  package func unreadableSites() async throws -> [String] {
    try await database.read { db in
      let problems: [String?] = try db.rows("SELECT id, document FROM site ORDER BY id") { row in
        let (id, text) = (try row.read(0, as: String.self), try row.read(1, as: String.self))
        do { _ = try Site(parsing: JSONValue(parsing: text)) } catch { return "\(id): \(error)" }
        return nil
      }
      return problems.compactMap { $0 }
    }
  }

  /// Makes the sites of one origin the given ones: new ones are added, changed ones updated, others go with all that was
  /// read from them. What an operator enabled stays enabled, unless the site's document says whether it is. A site in
  /// whose place a file stood is back when the file goes.
  ///
  /// - Parameter isWhole: false if some sites could not be read: then nothing goes.
  package func replace(
    _ origin: Origin, with sites: [Site], isWhole: Bool = true, dueAt: (Int) -> WallTime
  ) async throws {
    let rows = sites.enumerated().map { position, site in
      (
        site: site, position: position, due: dueAt(position),
        document: String(decoding: site.document.json, as: UTF8.self)
      )
    }
    try await database.write { db in
      let known = try db.rows("SELECT id FROM site WHERE origin = ?", [origin]) { row in
        try row.read(0, as: String.self)
      }
      let wanted = Set(rows.map(\.site.id))
      for id in known where isWhole && !wanted.contains(id) {
        if try !db.uncover(id) { try db.execute("DELETE FROM site WHERE id = ?", [id]) }
      }
      for row in rows {
        // A shipped site that an operator changed is the operator's.
        let owner = try db.value("SELECT origin FROM site WHERE id = ?", [row.site.id], as: Origin.self)
        let before = try db.value("SELECT document FROM site WHERE id = ?", [row.site.id], as: String.self)
        guard owner == nil || owner == origin || origin == .file else { continue }
        if let owner, owner != origin { try db.cover(row.site.id) }
        try db.execute(
          """
          INSERT INTO site (id, origin, document, enabled, position) VALUES (?1, ?2, ?3, ?4, ?5)
          ON CONFLICT DO UPDATE SET origin = ?2, document = ?3, position = ?5,
            enabled = CASE WHEN ?2 = 'demo' OR ?6 THEN ?4 ELSE enabled END
          """,
          [
            row.site.id, origin, row.document, row.site.isEnabled, row.position,
            origin == .file && row.site.saysWhetherEnabled,
          ])
        try db.execute(
          "INSERT OR IGNORE INTO site_status (site, state, due_at) VALUES (?, 'pending', ?)", [row.site.id, row.due])
        // What was changed is looked at soon, whenever the old document's visit was due.
        if let before, before != row.document {
          try db.execute(
            "UPDATE site_status SET due_at = min(due_at, ?2) WHERE site = ?1", [row.site.id, row.due])
        }
      }
    }
  }

  /// False if there is no such site.
  package func setEnabled(_ id: String, _ enabled: Bool, dueAt: WallTime) async throws -> Bool {
    try await database.write { db in
      try db.execute("UPDATE site SET enabled = ? WHERE id = ?", [enabled, id])
      let isKnown = db.changes > 0
      if enabled { try db.execute("UPDATE site_status SET due_at = min(due_at, ?) WHERE site = ?", [dueAt, id]) }
      return isKnown
    }
  }

  /// Records what sources are from now on, for whoever watches: what operators and files change is no visit's to tell.
  /// Each is told as it is when that is recorded, so that nothing older follows what a visit told meanwhile.
  package func tell(
    _ sites: [Site], gone: [ScheduleSource] = [], at now: WallTime
  ) async throws -> [ScheduleEvent] {
    guard !(sites.isEmpty && gone.isEmpty) else { return [] }
    return try await database.write { db in
      let there = try sites.compactMap { site in
        try db.status(of: site.id).map { ScheduleSource(site, $0, showtimes: nil) }
      }
      return try (there + gone).map { source in
        var event = ScheduleEvent(revision: 0, source: source)
        event.revision = try db.record(event, at: now)
        return event
      }
    }
  }

  /// Adds a site that an operator wrote, or changes it: whether it is visited stays as it was, unless the document says so.
  /// What comes from a file or the demo is changed there.
  package func put(_ site: Site, dueAt: WallTime) async throws -> Bool {
    let document = String(decoding: site.document.json, as: UTF8.self)
    return try await database.write { db in
      let owner = try db.value("SELECT origin FROM site WHERE id = ?", [site.id], as: Origin.self)
      guard owner == nil || owner == .operator || owner == .shipped else { return false }
      try db.execute(
        """
        INSERT INTO site (id, origin, document, enabled, position) VALUES (?1, ?2, ?3, ?4, 1000)
        ON CONFLICT DO UPDATE SET origin = ?2, document = ?3, enabled = CASE WHEN ?5 THEN ?4 ELSE enabled END
        """, [site.id, Origin.operator, document, site.isEnabled, site.saysWhetherEnabled])
      // Other pages or other rules: it is looked at soon, and not when the old ones would have been due.
      try db.execute(
        """
        INSERT INTO site_status (site, state, due_at) VALUES (?1, 'pending', ?2)
        ON CONFLICT DO UPDATE SET due_at = min(due_at, ?2)
        """, [site.id, dueAt])
      return true
    }
  }

  /// Forgets a site that an operator added, with all that was read from it.
  package func remove(_ id: String) async throws {
    try await database.write { db in
      try db.execute("DELETE FROM site WHERE id = ? AND origin = ?", [id, Origin.operator])
    }
  }

  /// What an operator thinks of a site's readings.
  package func judge(_ id: String, isApproved: Bool, isQuarantined: Bool, dueAt: WallTime) async throws -> SiteStatus? {
    try await database.write { db in
      guard var status = try db.status(of: id) else { return nil }
      status.isApproved = isApproved
      status.isQuarantined = isQuarantined
      if isQuarantined {
        (status.state, status.problem) = (.quarantined, "an operator holds it back")
      } else if status.state == .quarantined {
        (status.state, status.problem) = (.pending, nil)
      }
      try db.save(status, of: id)
      if isApproved { try db.execute("UPDATE site_status SET due_at = min(due_at, ?) WHERE site = ?", [dueAt, id]) }
      return try db.status(of: id)
    }
  }

  /// Keeps what came of a visit that had nothing to publish; what an operator said meanwhile stays. The event tells
  /// watchers if the state is another.
  package func settle(
    _ visit: Visit, as record: VisitRecord, isBroken: Bool, lease: Lease, at now: WallTime
  ) async throws -> (SiteStatus, ScheduleEvent?) {
    try await database.write { db in
      let site = visit.site
      try db.check(lease, at: now)
      guard let before = try db.status(of: site.id) else { throw LeaseLost(site: site.id) }
      var status = before
      status.triedAt = visit.at
      status.failures += 1
      if !status.isQuarantined {
        status.problem = record.problem
        status.state = isBroken ? .broken : status.asOf == nil ? .pending : .stale
      }
      try db.save(status, of: site.id)
      try db.record(record)
      return (status, try db.tell(site, status, since: before, at: now))
    }
  }
}

nonisolated extension DatabaseConnection {
  /// Keeps what a site is, before a file takes its place.
  fileprivate func cover(_ id: String) throws {
    try execute(
      """
      INSERT OR REPLACE INTO site_behind (site, origin, document, enabled, position)
      SELECT id, origin, document, enabled, position FROM site WHERE id = ?
      """, [id])
  }

  /// Makes a site what it was before a file took its place; false if there was none.
  fileprivate func uncover(_ id: String) throws -> Bool {
    try execute(
      """
      UPDATE site SET (origin, document, enabled, position) =
        (SELECT origin, document, enabled, position FROM site_behind WHERE site_behind.site = site.id)
      WHERE id = ?1 AND id IN (SELECT site FROM site_behind)
      """, [id])
    guard changes > 0 else { return false }
    try execute("DELETE FROM site_behind WHERE site = ?", [id])
    return true
  }

  /// Records how a source is from now on, unless that is how it was.
  func tell(
    _ site: Site, _ status: SiteStatus, since before: SiteStatus?, at now: WallTime
  ) throws -> ScheduleEvent? {
    guard before?.state != status.state || before?.problem != status.problem else { return nil }
    var event = ScheduleEvent(revision: 0, source: ScheduleSource(site, status, showtimes: nil))
    event.revision = try record(event, at: now)
    return event
  }
}
