package import Calendars
package import Clocks
package import Contracts
package import ServiceStorage
package import Storage

/// Everything that the scraper remembers, in one SQLite file.
nonisolated package struct ScraperStore: Sendable {
  package let database: Database

  package enum Limits {
    /// Steps of the schedule that a watcher can catch up with; some weeks of fifty cinemas.
    package static let changes = 50_000
    /// Days after which a showing is only of interest to statistics.
    package static let daysKept = 35
    /// Visits told apart for `diff` and `explain`, for each site; two weeks of one that is read hourly.
    package static let visitsKept = 500
    /// Of the visits before them, the newest that were broken: what they saw is wanted when a site's rules are mended.
    static let brokenKept = 20
    /// Days after which an address that was not read anew is forgotten, and what no visit refers to.
    static let pagesKept = 35
    /// Origins whose robots.txt is kept, the newest ones: as many as sites in the budget of requests. Such a file has
    /// 500 KiB at most, and hardly one has a hundredth of that.
    static let robotsKept = 10_000
    /// Days that a report is kept that was looked at.
    static let closedReportsKept = 90
    /// Reports in all; the oldest go first.
    static let reportsKept = 10_000
    /// Films to come, among which those are looked for that a title may mean.
    static let likelyAmong = 5_000
  }

  package static let declaration = DatabaseDeclaration(
    of: "scraper", applicationID: "ODsc", migrations: ScraperMigrations.all)

  package init(database: Database) { self.database = database }

  // MARK: The schedule

  /// Publishes what a visit found and keeps how it went, or throws ``LeaseLost`` and leaves no trace. Pages that are read
  /// again are no visit.
  package func publish(
    _ publication: Publication, of visit: VisitRecord? = nil, at now: WallTime
  ) async throws -> Publication.Outcome {
    do {
      return try await database.write { db in
        try db.check(publication.lease, at: now)
        var publisher = Publisher(publication, db)
        let outcome = try publisher.run()
        if publication.isTrial { throw Trial(outcome: outcome) }
        if var visit {
          visit.take(outcome)
          try db.record(visit)
        }
        return outcome
      }
    } catch let trial as Trial {
      return trial.outcome
    }
  }

  /// Undoes the transaction and carries what it would have done.
  private struct Trial: Error { let outcome: Publication.Outcome }

  /// What the index is made of at the start.
  package func schedule(of sites: [String], from date: CivilDate) async throws -> StoredSchedule {
    try await database.read { db in
      var stored = StoredSchedule()
      stored.revision = try db.value("SELECT seq FROM sqlite_sequence WHERE name = 'change'") ?? 0
      let known = Set(sites)
      try db.forEach("SELECT site, date, status, revision, as_of FROM day WHERE date >= ?", [date]) { row in
        let site = try row.read(0, as: String.self)
        guard known.contains(site) else { return }
        stored.days.append(
          StoredSchedule.Day(
            site: site, date: try row.read(1), status: try row.read(2, as: String.self).asDayStatus,
            revision: try row.read(3),
            asOf: try row.read(4)))
      }
      try db.forEach("SELECT site, body FROM showtime WHERE date >= ?", [date]) { row in
        let site = try row.read(0, as: String.self)
        guard known.contains(site) else { return }
        stored.showtimes[site, default: []].append(try WireColumn.value(row.read(1)))
      }
      try db.forEach("SELECT body, first_seen FROM film") { row in
        stored.films.append((try WireColumn.value(row.read(0)), try row.read(1)))
      }
      try db.forEach("SELECT id, film FROM film_alias") { row in stored.aliases[try row.read(0)] = try row.read(1) }
      return stored
    }
  }

  /// The steps after `revision`, oldest first, at most `limit`.
  package func events(after revision: Int64, limit: Int) async throws -> [ScheduleEvent] {
    try await database.read { db in
      try db.rows("SELECT revision, body FROM change WHERE revision > ? ORDER BY revision LIMIT ?", [revision, limit]) {
        row in
        var event = try WireColumn.value(row.read(1), as: ScheduleEvent.self)
        event.revision = try row.read(0)
        return event
      }
    }
  }

  /// The newest steps, oldest first.
  package func latestEvents(limit: Int) async throws -> [ScheduleEvent] {
    let events = try await database.read { db in
      try db.rows("SELECT revision, body FROM change ORDER BY revision DESC LIMIT ?", [limit]) { row in
        var event = try WireColumn.value(row.read(1), as: ScheduleEvent.self)
        event.revision = try row.read(0)
        return event
      }
    }
    return events.reversed()
  }

  /// Forgets what is too old to be asked for.
  package func prune(now: WallTime, today: CivilDate) async throws {
    try await database.write { db in
      try db.execute(
        "DELETE FROM change WHERE revision <= (SELECT max(revision) FROM change) - ?", [Limits.changes])
      try db.execute("DELETE FROM showtime WHERE date < ?", [today - Limits.daysKept])
      try db.execute("DELETE FROM day WHERE date < ?", [today - Limits.daysKept])
      try db.execute(
        "DELETE FROM showtime WHERE state = 'cancelled' AND vanished_at <= ?",
        [now - Publication.cancelledKept])
      try db.pruneVisits()
      try db.forgetPages(before: now - .seconds(Limits.pagesKept * 86_400))
      try db.execute("DELETE FROM pause WHERE paused_until <= ?", [now])
      try db.execute(
        "DELETE FROM robots WHERE origin NOT IN (SELECT origin FROM robots ORDER BY read_at DESC LIMIT ?)",
        [Limits.robotsKept])
      try db.execute(
        "DELETE FROM report WHERE done_at < ?", [now - .seconds(Limits.closedReportsKept * 86_400)])
      try db.execute(
        "DELETE FROM report WHERE id NOT IN (SELECT id FROM report ORDER BY at DESC, id LIMIT ?)",
        [Limits.reportsKept])
    }
  }
}

nonisolated extension DatabaseConnection {
  /// Of each site the newest visits stay, its last good one, and the newest broken ones before.
  fileprivate func pruneVisits() throws {
    typealias Limits = ScraperStore.Limits
    try execute(
      """
      DELETE FROM visit WHERE id IN (
        SELECT id FROM (
          SELECT id, broken, row_number() OVER (PARTITION BY site, broken ORDER BY id DESC) AS alike FROM (
            SELECT id, site, outcome = 'broken' AS broken, row_number() OVER (PARTITION BY site ORDER BY id DESC) AS place
            FROM visit
          ) WHERE place > ?1
        ) WHERE NOT (broken AND alike <= ?2)
      ) AND id NOT IN (SELECT max(id) FROM visit WHERE outcome IN ('published', 'same', 'partial') GROUP BY site)
      """, [Limits.visitsKept, Limits.brokenKept])
  }
}

/// What the schedule's index is made of.
nonisolated package struct StoredSchedule: Sendable {
  package struct Day: Sendable {
    package var site: String
    package var date: CivilDate
    package var status: DayStatus
    package var revision: Int64
    package var asOf: WallTime
  }

  package var revision: Int64 = 0
  package var days: [Day] = []
  package var showtimes: [String: [Showtime]] = [:]
  package var films: [(film: Film, since: WallTime)] = []
  package var aliases: [FilmID: FilmID] = [:]

  package init() {}
}
