package import Clocks
package import Contracts
package import RPC
import Storage

/// What an operator teaches: which title is which film, and which films are one.
nonisolated extension ScraperStore {
  /// What a lesson changed in what is published.
  package struct Lesson: Sendable {
    package var film: Film
    package var showtimes: [(site: String, showtime: Showtime)] = []
    package var touched: [Film] = []
    package var merged: [FilmID: FilmID] = [:]
    package var events: [ScheduleEvent] = []
  }

  /// Nil if there is no such film.
  package func teach(_ title: String, means id: FilmID, at now: WallTime) async throws -> Lesson? {
    try await database.write { db in
      let films = FilmResolver(db, now: now, isDemo: false)
      guard let film = try films.resolve(id) else { return nil }
      try films.forget(FilmKey.taught(title))
      try films.teach(FilmKey.taught(title), film)
      let rows = try db.showtimes("SELECT site, vanished_at, body FROM showtime WHERE title = ?", [title])
      return try db.retell(rows, film: film, films, at: now)
    }
  }

  /// Nil if one of them does not exist. Throws ``OneFilm`` if both are one already.
  package func merge(_ first: FilmID, _ second: FilmID, at now: WallTime) async throws -> Lesson? {
    try await database.write { db in
      var films = FilmResolver(db, now: now, isDemo: false)
      guard let one = try films.resolve(first), let other = try films.resolve(second) else { return nil }
      guard one != other else { throw OneFilm(film: one) }
      try films.merge(one, other)
      guard let film = try films.resolve(one) else { return nil }
      let lost = films.merged.keys.sorted().first ?? one
      let rows = try db.showtimes("SELECT site, vanished_at, body FROM showtime WHERE film = ?", [lost])
      return try db.retell(rows, film: film, films, at: now)
    }
  }

  /// Those still to come that have no film.
  package func unmatched(at now: WallTime, limit: Int) async throws -> [UnmatchedTitle] {
    try await database.read { db in
      var titles: [String: UnmatchedTitle] = [:]
      try db.forEach(
        "SELECT body FROM showtime WHERE film IS NULL AND state = 'scheduled' AND starts_at > ?", [now]
      ) { row in
        let showtime = try WireColumn.value(row.read(0), as: Showtime.self)
        var entry = titles[showtime.title] ?? UnmatchedTitle(title: showtime.title, showtimes: 0, cinemas: [])
        entry.showtimes += 1
        if !entry.cinemas.contains(showtime.cinema) { entry.cinemas.append(showtime.cinema) }
        titles[showtime.title] = entry
      }
      return Array(titles.values.sorted { ($1.showtimes, $0.title) < ($0.showtimes, $1.title) }.prefix(limit))
    }
  }
}

/// Two names of one film.
nonisolated package struct OneFilm: RPCErrorConvertible {
  package let film: FilmID

  package var rpcError: RPCError {
    RPCError(.failedPrecondition, "both are \(film) already; there is nothing to merge", executed: .no)
  }
}

nonisolated extension DatabaseConnection {
  fileprivate typealias ShowtimeRow = (site: String, vanishedAt: WallTime?, showtime: Showtime)

  fileprivate func showtimes(_ sql: SQL, _ values: [(any Storable)?]) throws -> [ShowtimeRow] {
    try rows(sql, values) { row in
      (try row.read(0), try row.read(1), try WireColumn.value(row.read(2), as: Showtime.self))
    }
  }

  /// Writes showings with their new film, and tells the days that they are on.
  fileprivate func retell(
    _ rows: [ShowtimeRow], film id: FilmID, _ films: FilmResolver, at now: WallTime
  ) throws -> ScraperStore.Lesson {
    guard
      let film = try row(
        "SELECT body FROM film WHERE id = ?", [id], { try WireColumn.value($0.read(0), as: Film.self) })
    else { throw StorageError(.mismatch, "the film \(id) has no row") }
    var lesson = ScraperStore.Lesson(film: film, touched: Array(films.touched.values), merged: films.merged)
    let days = Dictionary(grouping: rows) { "\($0.site) \($0.showtime.serviceDate)" }
    for (_, those) in days.sorted(by: { $0.key < $1.key }) {
      let first = those[0].showtime
      let changes = those.map { ShowtimeChange(id: $0.showtime.id, kind: .details, film: id) }
      let change = ScheduleChange(
        cinema: first.cinema, date: first.serviceDate, added: [], removed: [], changed: changes, listed: [], asOf: now)
      let revision = try record(ScheduleEvent(revision: 0, change: change), at: now)
      lesson.events.append(ScheduleEvent(revision: revision, change: change))
      for var row in those {
        row.showtime.film = id
        row.showtime.revision = revision
        try write(row.showtime, site: row.site, vanishedAt: row.vanishedAt)
        lesson.showtimes.append((row.site, row.showtime))
      }
    }
    return lesson
  }
}
