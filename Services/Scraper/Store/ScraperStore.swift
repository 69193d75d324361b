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
    /// Visits told apart for `diff` and `explain`, for each site.
    package static let visitsKept = 500
  }

  package static let declaration = DatabaseDeclaration(
    of: "scraper", applicationID: "ODsc", migrations: ScraperMigrations.all)

  package init(database: Database) { self.database = database }

  // MARK: The schedule

  /// Publishes what a visit found, or throws ``LeaseLost`` and leaves no trace.
  package func publish(_ publication: Publication) async throws -> Publication.Outcome {
    do {
      return try await database.write { db in
        var publisher = Publisher(publication, db)
        let outcome = try publisher.run()
        if publication.isTrial { throw Trial(outcome: outcome) }
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
        [now.adding(.zero - Publication.cancelledKept)])
    }
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
