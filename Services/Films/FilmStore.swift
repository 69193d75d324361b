import Clocks
import Contracts
import Drafts
import RPC
import ServiceStorage
import Storage

/// The catalogue as it is kept: films, every id that ever led to one, what was taught, and every change.
struct FilmStore {
  let database: ServiceDatabase

  nonisolated static let declaration = DatabaseDeclaration(of: "films", applicationID: "ODfi", migrations: migrations)

  init(_ database: ServiceDatabase) { self.database = database }

  /// All of it, as a catalogue to be served from. It is made on the database's thread, so the loop goes on meanwhile.
  func load() async throws -> Catalogue {
    try await database.opened.read { db in
      var films: [CatalogueFilm] = []
      try db.forEach("SELECT body FROM film") { row in films.append(try row.film(0)) }
      try db.namePosters(&films)
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
    /// Its id was made of title and year: that it is taken does not say that this is the film that has it.
    var isUnnamed = false
    /// Refused if it is there already.
    var mustBeNew = false
    /// Of a record that others know too it only says what is lacking.
    var onlyCompletes = false
  }

  /// Stores films and returns what that changed.
  ///
  /// - Parameter job: what they belong to; a new one if not said.
  func put(_ arrivals: [Arrival], of job: Int64? = nil, by editor: String, at time: WallTime) async throws -> [FilmEdit]
  {
    try await database.opened.write { db in try db.put(arrivals, of: job, by: editor, at: time) }
  }

  /// What ``put(_:of:by:at:)`` would change: it is done, for a film may come twice, and not kept.
  func plan(_ arrivals: [Arrival], by editor: String, at time: WallTime) async throws -> [FilmEdit] {
    do {
      return try await database.opened.write { db in
        throw Unkept(edits: try db.put(arrivals, of: nil, by: editor, at: time))
      }
    } catch let unkept as Unkept {
      return unkept.edits.map { edit in
        var edit = edit
        (edit.revision, edit.job) = (0, nil)
        return edit
      }
    }
  }

  private struct Unkept: Error {
    var edits: [FilmEdit]
  }

  /// A film as its programmes tell it.
  struct Programmed: Sendable {
    /// Its id is the one that showings carry.
    var film: Film
    /// Those that they carried before.
    var others: [FilmID]
    /// The record that it is, if it goes by another id.
    var into: FilmID?
  }

  /// Takes up films of programmes under the ids that their showings carry, as far as they were not told before.
  func adopt(_ films: [Programmed], by editor: String, at time: WallTime) async throws -> [FilmEdit] {
    try await database.opened.write { db in try films.flatMap { try db.adopt($0, by: editor, at: time) } }
  }

  /// Adds to records what is not told there, of fields in which nobody but this editor ever had a say.
  func complete(_ films: [Arrival], by editor: String, at time: WallTime) async throws -> [FilmEdit] {
    try await database.opened.write { db in try films.compactMap { try db.complete($0, by: editor, at: time) } }
  }

  /// The ids that showings carry or carried.
  func programmeIDs() async throws -> [FilmID] {
    try await database.opened.read { db in
      try db.rows("SELECT id FROM film_id WHERE is_programme ORDER BY id") { row in
        FilmID(try row.read(0, as: String.self))
      }.compactMap(\.self)
    }
  }

  func revision() async throws -> Int64 { try await database.opened.read { db in try db.revision() } }

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

  /// Takes back a part of what a job changed, the newest first.
  func undo(
    job: Int64, before revision: Int64?, limit: Int, by editor: String, at time: WallTime
  ) async throws -> UndoneJob {
    try await database.opened.write { db in
      try db.undo(job: job, before: revision, limit: limit, by: editor, at: time)
    }
  }

  /// The change that made an id lead to another film's record; nil if it was not merged.
  func mergeOf(_ id: FilmID) async throws -> Int64? {
    try await database.opened.read { db in
      // Of that record alone: whatever was merged into it is told under one of its ids.
      let merges = try db.rows(
        """
        SELECT revision, lost FROM edit WHERE kind = 'merged' AND film IN
          (SELECT id FROM film_id WHERE film = (SELECT film FROM film_id WHERE id = ?))
        ORDER BY revision DESC
        """, [id.text]
      ) { row in (revision: try row.read(0, as: Int64.self), lost: try row.film(1)) }
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

  /// Forgets what a printed title was taught to mean; nil if nothing was.
  func forget(_ title: String, by editor: String, at time: WallTime) async throws -> FilmEdit? {
    try await database.opened.write { db in
      let number = try db.value("SELECT film FROM lesson WHERE title = ?", [title], as: Int64.self)
      guard let number, let film = try db.film(number) else { return nil }
      try db.execute("DELETE FROM lesson WHERE title = ?", [title])
      var edit = FilmEdit(
        revision: 0, at: time, editor: editor, film: film.film.id, title: film.film.title, kind: .forgotten,
        fields: [FieldEdit(name: "printed", before: title, after: nil)])
      edit.revision = try db.remember(edit)
      return edit
    }
  }

  /// The newest edits of one film or of all, newest first.
  func history(of id: FilmID?, before revision: Int64?, limit: Int) async throws -> [FilmEdit] {
    try await database.opened.read { db in
      // A film goes by each of its ids; one that is gone by the id that is asked for.
      let those: SQL = """
        SELECT revision, body FROM edit
        WHERE (film = ?3 OR film IN (SELECT id FROM film_id WHERE film = (SELECT film FROM film_id WHERE id = ?3)))
          AND revision < ?1
        ORDER BY revision DESC LIMIT ?2
        """
      let all: SQL =
        "SELECT revision, body FROM edit WHERE revision < ?1 AND ?3 IS NULL ORDER BY revision DESC LIMIT ?2"
      return try db.rows(id == nil ? all : those, [revision ?? .max, limit, id?.text]) { row in
        var edit = try WireColumn.value(row.read(1), as: FilmEdit.self)
        edit.revision = try row.read(0)
        return edit
      }
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
      """),
    Migration(
      "what programmes told last",
      """
      -- Of a film's id the film; of an id that led to another film, that one's id.
      CREATE TABLE told (id TEXT PRIMARY KEY, body BLOB NOT NULL) STRICT, WITHOUT ROWID;
      """),
    Migration(
      "posters",
      """
      -- An operator's, by an id of the film: films are merged and taken apart, and their ids stay.
      CREATE TABLE own_poster (
        id TEXT PRIMARY KEY, form TEXT NOT NULL, tag TEXT NOT NULL, bytes BLOB NOT NULL
      ) STRICT;

      -- A cache: it may be emptied at any time. `since` is in milliseconds.
      CREATE TABLE fetched_poster (
        address TEXT PRIMARY KEY, form TEXT NOT NULL, tag TEXT NOT NULL, bytes BLOB NOT NULL, since INTEGER NOT NULL
      ) STRICT;
      CREATE INDEX fetched_poster_since ON fetched_poster (since, address);
      """),
    Migration(
      "jobs",
      """
      -- What was changed together: the first revision that it had. Of what took it back, less than zero.
      ALTER TABLE edit ADD COLUMN job INTEGER;
      CREATE INDEX edit_job ON edit (job, revision) WHERE job IS NOT NULL;
      """),
  ]
}

nonisolated extension Row {
  borrowing func film(_ column: Int) throws -> CatalogueFilm { try WireColumn.value(read(column)) }
}
