import Clocks
import Contracts
import RPC
import ServiceStorage
import Storage
import Wire

/// The catalogue as it is kept: films, every id that ever led to one, what was taught, and every change.
struct FilmStore {
  private let database: ServiceDatabase

  nonisolated static let declaration = DatabaseDeclaration(of: "films", applicationID: "ODfi", migrations: migrations)

  init(_ database: ServiceDatabase) { self.database = database }

  /// All of it, as a catalogue to be served from. It is made on the database's thread, so the loop goes on meanwhile.
  func load() async throws -> Catalogue {
    try await database.opened.read { db in
      var films: [CatalogueFilm] = []
      try db.forEach("SELECT body FROM film") { row in films.append(try row.film(0)) }
      var lessons: [String: FilmID] = [:]
      try db.forEach(
        "SELECT title, id FROM lesson JOIN film_id ON film_id.film = lesson.film AND is_current"
      ) { row in lessons[try row.read(0)] = FilmID(try row.read(1, as: String.self)) }
      return Catalogue(films, lessons: lessons, revision: try db.revision())
    }
  }

  /// Films that somebody imports or edits, each with the record that it is, if there is one.
  struct Arrival: Sendable {
    var film: CatalogueFilm
    var into: FilmID?
    /// The record becomes exactly this; otherwise what the film does not say stays.
    var isWhole = false
  }

  /// Stores films and returns what that changed.
  func put(_ arrivals: [Arrival], by editor: String, at time: WallTime) async throws -> [FilmEdit] {
    try await database.opened.write { db in
      try arrivals.compactMap { try db.put($0, by: editor, at: time) }
    }
  }

  /// What ``put(_:by:at:)`` would change.
  func plan(_ arrivals: [Arrival], by editor: String, at time: WallTime) async throws -> [FilmEdit] {
    try await database.opened.read { db in
      try arrivals.compactMap { try db.plan($0).flatMap { FilmEdit(of: $0.old, to: $0.new, by: editor, at: time) } }
    }
  }

  /// Takes up films of programmes under the ids that their showings carry, each with the record that it is.
  func adopt(_ films: [(film: Film, into: FilmID?)], by editor: String, at time: WallTime) async throws -> [FilmEdit] {
    try await database.opened.write { db in
      try films.compactMap { try db.adopt($0.film, into: $0.into, by: editor, at: time) }
    }
  }

  /// The ids that showings carry or carried.
  func programmeIDs() async throws -> [FilmID] {
    try await database.opened.read { db in
      try db.rows("SELECT id FROM film_id WHERE is_programme ORDER BY id") { row in
        FilmID(try row.read(0, as: String.self))
      }.compactMap(\.self)
    }
  }

  /// - Returns: what was removed; nil if it was not there.
  func remove(_ id: FilmID, by editor: String, at time: WallTime) async throws -> FilmEdit? {
    try await database.opened.write { db in
      guard let number = try db.number(of: id), let old = try db.film(number),
        var edit = FilmEdit(of: old, to: nil, by: editor, at: time)
      else { return nil }
      try db.execute("DELETE FROM film WHERE number = ?", [number])
      edit.revision = try db.remember(edit, before: old)
      return edit
    }
  }

  /// Makes one film of two: the first stays, every id of the second leads to it. Nil if one of them is not there.
  func merge(_ first: FilmID, _ second: FilmID, by editor: String, at time: WallTime) async throws -> FilmEdit? {
    try await database.opened.write { db in try db.merge(first, second, by: editor, at: time) }
  }

  /// Takes a change back. Nil if there is none of that revision, or it cannot be taken back any more.
  func undo(_ revision: Int64, by editor: String, at time: WallTime) async throws -> FilmEdit? {
    try await database.opened.write { db in try db.undo(revision, by: editor, at: time) }
  }

  /// The change that made an id lead to another film's record; nil if it was not merged.
  func mergeOf(_ id: FilmID) async throws -> Int64? {
    try await database.opened.read { db in
      let merges = try db.rows("SELECT revision, lost FROM edit WHERE kind = 'merged' ORDER BY revision DESC") { row in
        (revision: try row.read(0, as: Int64.self), lost: try row.film(1))
      }
      return merges.first { $0.lost.ids.contains(id) }?.revision
    }
  }

  /// Remembers that a printed title means a film; nil if there is no such film.
  func teach(_ title: String, means id: FilmID, by editor: String, at time: WallTime) async throws -> FilmEdit? {
    try await database.opened.write { db in
      guard let number = try db.number(of: id), let film = try db.film(number) else { return nil }
      try db.execute("INSERT OR REPLACE INTO lesson (title, film) VALUES (?, ?)", [title, number])
      var edit = FilmEdit(
        revision: 0, at: time, editor: editor, film: film.film.id, title: film.film.title, kind: .taught,
        fields: [FieldEdit(name: "printed", before: nil, after: title)])
      edit.revision = try db.remember(edit)
      return edit
    }
  }

  /// The newest edits of one film or of all, newest first.
  func history(of id: FilmID?, before revision: Int64?, limit: Int) async throws -> [FilmEdit] {
    try await database.opened.read { db in
      let ids = try id.flatMap { try db.number(of: $0).flatMap { try db.film($0)?.ids } } ?? [id].compactMap(\.self)
      let edits = try db.rows(
        "SELECT revision, body FROM edit WHERE revision < ? ORDER BY revision DESC LIMIT ?",
        [revision ?? .max, id == nil ? limit : 100_000]
      ) { row in
        var edit = try WireColumn.value(row.read(1), as: FilmEdit.self)
        edit.revision = try row.read(0)
        return edit
      }
      return Array(edits.filter { id == nil || ids.contains($0.film) }.prefix(limit))
    }
  }
}

// MARK: - The schema

nonisolated extension FilmStore {
  /// A list that only grows.
  static let migrations = [
    Migration(
      "the catalogue and its history",
      """
      CREATE TABLE film (number INTEGER PRIMARY KEY, body BLOB NOT NULL) STRICT;

      -- Every id that ever led to a film. One of each film's is shown; those of programmes are what showings carry.
      CREATE TABLE film_id (
        id TEXT PRIMARY KEY, film INTEGER NOT NULL REFERENCES film (number) ON DELETE CASCADE,
        is_current INTEGER NOT NULL, is_programme INTEGER NOT NULL
      ) STRICT, WITHOUT ROWID;
      CREATE INDEX film_id_film ON film_id (film);

      CREATE TABLE lesson (
        title TEXT PRIMARY KEY, film INTEGER NOT NULL REFERENCES film (number) ON DELETE CASCADE
      ) STRICT, WITHOUT ROWID;

      -- AUTOINCREMENT: a revision is never given twice, whatever is deleted. `before` and `lost` are what undoing needs.
      CREATE TABLE edit (
        revision INTEGER PRIMARY KEY AUTOINCREMENT, kind TEXT NOT NULL, film TEXT NOT NULL, body BLOB NOT NULL,
        before BLOB, lost BLOB, programme TEXT
      ) STRICT;
      CREATE INDEX edit_film ON edit (film, revision);
      """)
  ]
}

/// A value in one column, with the names of its fields: it is read by builds that know other fields.
nonisolated enum WireColumn {
  static func bytes(_ value: some Encodable) throws -> [UInt8] { try Wire.encode(value) }

  static func value<Value: Decodable>(_ bytes: [UInt8], as type: Value.Type = Value.self) throws -> Value {
    try Wire.decode(type, from: bytes)
  }
}

nonisolated extension Row {
  borrowing func film(_ column: Int) throws -> CatalogueFilm { try WireColumn.value(read(column)) }
}
