import Calendars
import Clocks
import Contracts
import Drafts
import RPC
import ServiceStorage
import Storage

/// The directory as it is kept: the cinemas, and every change that was made to them.
struct LocatorStore {
  private let database: ServiceDatabase

  nonisolated static let declaration = DatabaseDeclaration(
    of: "locator", applicationID: "ODlo", migrations: migrations)

  init(_ database: ServiceDatabase) { self.database = database }

  /// All of it, as a directory to be served from. It is made on the database's thread, so the loop goes on meanwhile.
  func load() async throws -> Directory {
    try await database.opened.read { db in
      var names: [CinemaID: [String]] = [:]
      try db.forEach("SELECT cinema, name FROM alias ORDER BY cinema, place") { row in
        names[try row.id(0), default: []].append(try row.read(1))
      }
      var cinemas: [Cinema] = []
      try db.forEach("SELECT \(columns) FROM cinema ORDER BY id") { row in
        var cinema = try row.cinema()
        cinema.aliases = names[cinema.id]
        cinemas.append(cinema)
      }
      let revision = try log.revision(db)
      db.releaseCache()
      return Directory(cinemas, revision: revision)
    }
  }

  /// Stores cinemas, whole, in place of those with their ids, and returns what that changed.
  ///
  /// - Parameter mustBeNew: nothing is stored if one of them is there already.
  func put(
    _ cinemas: [Cinema], by editor: String, at time: WallTime, mustBeNew: Bool = false
  ) async throws -> [CinemaEdit] {
    try await database.opened.write { db in
      var edits: [CinemaEdit] = []
      for cinema in cinemas {
        let old = try db.cinema(cinema.id)
        if mustBeNew { try db.refuse(old) }
        guard var edit = CinemaEdit(of: old, to: cinema, by: editor, at: time) else { continue }
        try db.store(cinema)
        edit.revision = try log.remember(edit, db)
        edits.append(edit)
      }
      return edits
    }
  }

  /// What ``put(_:by:at:)`` would change.
  func plan(
    _ cinemas: [Cinema], by editor: String, at time: WallTime, mustBeNew: Bool = false
  ) async throws -> [CinemaEdit] {
    try await database.opened.read { db in
      try cinemas.compactMap { cinema in
        let old = try db.cinema(cinema.id)
        if mustBeNew { try db.refuse(old) }
        return CinemaEdit(of: old, to: cinema, by: editor, at: time)
      }
    }
  }

  /// - Parameter replacement: the cinema to be looked at instead. The history tells it as one more field.
  /// - Returns: what was removed; nil if it was not there.
  func remove(
    _ id: CinemaID, replacedBy replacement: CinemaID? = nil, by editor: String, at time: WallTime
  ) async throws -> CinemaEdit? {
    try await database.opened.write { db in
      guard let cinema = try db.cinema(id), var edit = CinemaEdit(of: cinema, to: nil, by: editor, at: time) else {
        return nil
      }
      try db.execute("DELETE FROM cinema WHERE id = ?", [id.text])
      if let replacement {
        edit.fields.append(FieldEdit(name: CinemaEdit.replacementField, before: nil, after: replacement.text))
      }
      edit.revision = try log.remember(edit, db)
      return edit
    }
  }

  /// What became of cinemas that are not in the directory any more.
  func former(_ ids: [CinemaID]) async throws -> [FormerCinema] {
    try await database.opened.read { db in
      try ids.compactMap { id in
        guard let removal = try db.removal(of: id) else { return nil }
        return FormerCinema(id: id, removedAt: removal.at, replacedBy: try db.present(removal.replacement))
      }
    }
  }

  /// The newest edits of one cinema or of all, newest first.
  func history(of id: CinemaID?, before revision: Int64?, limit: Int) async throws -> [CinemaEdit] {
    try await database.opened.read { db in
      try log.history(of: id, before: revision, limit: limit, db)
    }
  }

  /// The cinemas that nobody has edited since, the longest left alone first.
  func untouched(since time: WallTime, limit: Int) async throws -> [StaleCinema] {
    try await database.opened.read { db in
      let found = try db.rows(
        """
        SELECT cinema.id, max(edit.at) FROM cinema JOIN edit ON edit.cinema = cinema.id
        GROUP BY cinema.id HAVING max(edit.at) < ? ORDER BY max(edit.at), cinema.id LIMIT ?
        """, [time, limit]
      ) { row in (id: try row.id(0), at: try row.read(1, as: WallTime.self)) }
      return try found.compactMap { stale in
        try db.cinema(stale.id).map { StaleCinema(cinema: $0, editedAt: stale.at) }
      }
    }
  }

  /// The cinemas that changed after a revision and up to another, as they are now, in the order of their last change.
  func changes(after revision: Int64, upTo last: Int64, limit: Int) async throws -> [DirectoryChange] {
    try await database.opened.read { db in
      let changed = try db.rows(
        """
        SELECT max(revision), cinema FROM edit WHERE revision > ? AND revision <= ?
        GROUP BY cinema ORDER BY max(revision) LIMIT ?
        """, [revision, last, limit]
      ) { row in (revision: try row.read(0, as: Int64.self), id: try row.id(1)) }
      return try changed.map { change in
        let cinema = try db.cinema(change.id)
        return DirectoryChange(revision: change.revision, cinema: cinema, removed: cinema == nil ? change.id : nil)
      }
    }
  }
}

// MARK: - The schema

nonisolated extension LocatorStore {
  /// A list that only grows.
  static let migrations = [
    Migration(
      "the directory and its history",
      """
      CREATE TABLE cinema (
        id TEXT PRIMARY KEY, name TEXT NOT NULL, name_en TEXT, country TEXT NOT NULL, region TEXT NOT NULL, city TEXT,
        address TEXT, lat REAL NOT NULL, lon REAL NOT NULL, time_zone TEXT NOT NULL, day_ends TEXT, screens INTEGER,
        website TEXT, instagram TEXT, map_url TEXT, is_active INTEGER NOT NULL
      ) STRICT, WITHOUT ROWID;

      CREATE TABLE alias (
        cinema TEXT NOT NULL REFERENCES cinema (id) ON DELETE CASCADE, place INTEGER NOT NULL, name TEXT NOT NULL,
        PRIMARY KEY (cinema, place)
      ) STRICT, WITHOUT ROWID;

      -- AUTOINCREMENT: a revision is never given twice, whatever is deleted.
      CREATE TABLE edit (
        revision INTEGER PRIMARY KEY AUTOINCREMENT, at INTEGER NOT NULL, editor TEXT NOT NULL, cinema TEXT NOT NULL,
        kind TEXT NOT NULL CHECK (kind IN ('added', 'changed', 'removed'))
      ) STRICT;
      CREATE INDEX edit_of_cinema ON edit (cinema, revision);

      CREATE TABLE edited_field (
        revision INTEGER NOT NULL REFERENCES edit (revision) ON DELETE CASCADE, place INTEGER NOT NULL,
        name TEXT NOT NULL, before TEXT, after TEXT, PRIMARY KEY (revision, place)
      ) STRICT, WITHOUT ROWID;
      """)
  ]
}

// MARK: - Statements

nonisolated private let log = EditLog<CinemaEdit>(of: "cinema")

/// Cinemas that were replaced one after another: of more, or of a circle, the end is not looked for.
nonisolated private let replacementsMax = 8

/// The columns of a cinema, in the order in which ``Row/cinema()`` reads them.
nonisolated private let columns: SQL = """
  id, name, name_en, country, region, city, address, lat, lon, time_zone, day_ends, screens, website, instagram,
  map_url, is_active
  """

nonisolated extension DatabaseConnection {
  /// For what must be new.
  fileprivate func refuse(_ old: Cinema?) throws {
    guard let old else { return }
    throw RPCError(.alreadyExists, "\(old.id) is there already; edit it, or choose another id", executed: .no)
  }

  fileprivate func cinema(_ id: CinemaID) throws -> Cinema? {
    guard var cinema = try row("SELECT \(columns) FROM cinema WHERE id = ?", [id.text], { try $0.cinema() }) else {
      return nil
    }
    let aliases = try rows("SELECT name FROM alias WHERE cinema = ? ORDER BY place", [id.text]) { row in
      try row.read(0, as: String.self)
    }
    if !aliases.isEmpty { cinema.aliases = aliases }
    return cinema
  }

  /// How a cinema was removed that has not come back; nil if it was not.
  fileprivate func removal(of id: CinemaID) throws -> (at: WallTime, replacement: CinemaID?)? {
    let last = try row(
      """
      SELECT kind, at, (SELECT after FROM edited_field WHERE revision = edit.revision AND name = ?2)
      FROM edit WHERE cinema = ?1 ORDER BY revision DESC LIMIT 1
      """, [id.text, CinemaEdit.replacementField]
    ) { row in
      (
        kind: try row.read(0, as: String.self), at: try row.read(1, as: WallTime.self),
        replacement: try row.read(2, as: String?.self)
      )
    }
    guard let last, last.kind == EditKind.removed.rawValue else { return nil }
    return (last.at, last.replacement.flatMap { CinemaID($0) })
  }

  /// The cinema, or the one that stands for it by now; nil if that has gone too.
  fileprivate func present(_ id: CinemaID?) throws -> CinemaID? {
    var id = id
    for _ in 0..<replacementsMax {
      guard let candidate = id, let removal = try removal(of: candidate) else { return id }
      id = removal.replacement
    }
    return nil
  }

  fileprivate func store(_ cinema: Cinema) throws {
    try execute("DELETE FROM cinema WHERE id = ?", [cinema.id.text])
    try execute(
      "INSERT INTO cinema (\(columns)) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
      [
        cinema.id.text, cinema.name, cinema.nameEnglish, cinema.country, cinema.region, cinema.city, cinema.address,
        cinema.position.latitude, cinema.position.longitude, cinema.zone.text, cinema.dayEnds?.description,
        cinema.screens, cinema.website, cinema.instagram, cinema.mapPlace, cinema.isActive,
      ])
    for (place, name) in (cinema.aliases ?? []).enumerated() {
      try execute("INSERT INTO alias (cinema, place, name) VALUES (?, ?, ?)", [cinema.id.text, place, name])
    }
  }
}

nonisolated extension Row {
  fileprivate borrowing func id(_ column: Int) throws -> CinemaID { try parsed(column) }

  fileprivate borrowing func cinema() throws -> Cinema {
    Cinema(
      id: try id(0), name: try read(1), nameEnglish: try read(2), country: try read(3), region: try read(4),
      city: try read(5), address: try read(6), position: try Coordinate(latitude: read(7), longitude: read(8)),
      zone: try parsed(9), dayEnds: try (read(10) as String?).flatMap(ClockTime.init), screens: try read(11),
      website: try read(12), instagram: try read(13), mapPlace: try read(14), isActive: try read(15))
  }
}
