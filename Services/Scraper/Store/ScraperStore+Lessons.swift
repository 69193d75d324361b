package import Clocks
package import Contracts
import JSON
package import RPC
import ServiceStorage
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

  /// Those still to come that have no film, or one of which nothing is known but its name.
  package func unmatched(at now: WallTime, limit: Int) async throws -> [UnmatchedTitle] {
    try await database.read { db in
      let films = FilmResolver(db, now: now, isDemo: false)
      var (titles, known) = ([String: UnmatchedTitle](), [Film]())
      var isNameOnly: [FilmID: Bool] = [:]
      for film in try db.filmsToCome(at: now) {
        let isKnownByName = try film.year == nil && films.isNameOnly(film.id)
        isNameOnly[film.id] = isKnownByName
        if !isKnownByName { known.append(film) }
      }
      try db.forEach("SELECT body FROM showtime WHERE state = 'scheduled' AND starts_at > ?", [now]) { row in
        let showtime = try WireColumn.value(row.read(0), as: Showtime.self)
        if let film = showtime.film, isNameOnly[film] != true { return }
        var entry =
          titles[showtime.title]
          ?? UnmatchedTitle(title: showtime.title, showtimes: 0, cinemas: [], film: showtime.film)
        entry.showtimes += 1
        if !entry.cinemas.contains(showtime.cinema) { entry.cinemas.append(showtime.cinema) }
        titles[showtime.title] = entry
      }
      let first = titles.values.sorted { ($1.showtimes, $0.title) < ($0.showtimes, $1.title) }.prefix(limit)
      let likely = LikelyFilms(known)
      return first.map { title in
        var title = title
        if let film = likely.film(called: title.title) { (title.likely, title.likelyTitle) = (film.id, film.title) }
        return title
      }
    }
  }
}

/// Films that a title may mean: one of their names is in it, or it in theirs, or they differ by a letter or two.
nonisolated private struct LikelyFilms {
  private let names: [(name: String, film: Film)]

  /// A film of fewer letters is in half of all titles.
  private static let containedMin = 6

  init(_ films: [Film]) {
    names = films.flatMap { film in
      ([film.title, film.originalTitle].compactMap(\.self) + (film.titles ?? []).map(\.text))
        .map { (PrintedName.folded($0), film) }
    }
  }

  func film(called title: String) -> Film? {
    let wanted = PrintedName.folded(PrintedName(title).filmTitle ?? title)
    let inside = names.filter { entry in
      min(entry.name.utf8.count, wanted.utf8.count) >= Self.containedMin
        && (entry.name.contains(wanted) || wanted.contains(entry.name))
    }
    if let nearest = inside.min(by: { distance($0.name, wanted) < distance($1.name, wanted) }) { return nearest.film }
    // Bytes tell letters apart only where a letter is one byte.
    guard wanted.utf8.allSatisfy({ $0 < 0x80 }),
      let near = suggestion(
        for: wanted,
        among: names.lazy.map(\.name).filter { distance($0, wanted) * 3 <= max(3, wanted.utf8.count) })
    else { return nil }
    return names.first { $0.name == near }?.film
  }

  private func distance(_ name: String, _ wanted: String) -> Int { abs(name.utf8.count - wanted.utf8.count) }
}

/// Two names of one film.
nonisolated package struct OneFilm: RPCErrorConvertible {
  package let film: FilmID

  package var rpcError: RPCError {
    RPCError(.failedPrecondition, "both are \(film) already; there is nothing to merge", executed: .no)
  }
}

nonisolated extension DatabaseConnection {
  /// Films of which something is still to come, as many as are looked through for likely ones.
  fileprivate func filmsToCome(at now: WallTime) throws -> [Film] {
    try rows(
      """
      SELECT body FROM film WHERE id IN
        (SELECT DISTINCT film FROM showtime WHERE film IS NOT NULL AND state = 'scheduled' AND starts_at > ?)
      ORDER BY id LIMIT ?
      """, [now, ScraperStore.Limits.likelyAmong]
    ) { row in try WireColumn.value(row.read(0), as: Film.self) }
  }

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
