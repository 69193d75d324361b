import Calendars
import Clocks
import Contracts
import RPC
import ServiceStorage
import Storage
import Wire

/// The directory as it is kept: the stations, every change that was made to them, and how they were found last.
struct RadioStore {
  private let database: ServiceDatabase

  nonisolated static let declaration = DatabaseDeclaration(of: "radio", applicationID: "ODra", migrations: migrations)

  init(_ database: ServiceDatabase) { self.database = database }

  /// All of it, as a directory to be served from. It is made on the database's thread, so the loop goes on meanwhile.
  func load() async throws -> StationDirectory {
    try await database.opened.read { db in
      let records = try db.rows("SELECT \(columns) FROM station ORDER BY place") { try $0.record() }
      return StationDirectory(records, revision: try log.revision(db))
    }
  }

  /// Stores stations, whole, in place of those with their ids, and returns what that changed.
  ///
  /// - Parameter mustBeNew: nothing is stored if one of them is there already.
  func put(
    _ records: [StationRecord], by editor: String, at time: WallTime, mustBeNew: Bool = false
  ) async throws -> [StationEdit] {
    try await database.opened.write { db in
      var edits: [StationEdit] = []
      for record in records {
        let old = try db.record(record.id)
        if mustBeNew { try db.refuse(old) }
        guard var edit = StationEdit(of: old, to: record, by: editor, at: time) else { continue }
        if let old, old.address != record.address {
          try db.execute("DELETE FROM health WHERE station = ?", [record.id.text])
        }
        try db.store(record)
        edit.revision = try log.remember(edit, db)
        edits.append(edit)
      }
      return edits
    }
  }

  /// What ``put(_:by:at:)`` would change.
  func plan(
    _ records: [StationRecord], by editor: String, at time: WallTime, mustBeNew: Bool = false
  ) async throws -> [StationEdit] {
    try await database.opened.read { db in
      try records.compactMap { record in
        let old = try db.record(record.id)
        if mustBeNew { try db.refuse(old) }
        return StationEdit(of: old, to: record, by: editor, at: time)
      }
    }
  }

  /// - Returns: what was removed; nil if it was not there.
  func remove(_ id: StationID, by editor: String, at time: WallTime) async throws -> StationEdit? {
    try await database.opened.write { db in
      guard let record = try db.record(id), var edit = StationEdit(of: record, to: nil, by: editor, at: time) else {
        return nil
      }
      try db.execute("DELETE FROM station WHERE id = ?", [id.text])
      try db.execute("DELETE FROM health WHERE station = ?", [id.text])
      edit.revision = try log.remember(edit, db)
      return edit
    }
  }

  /// The newest edits of one station or of all, newest first.
  func history(of id: StationID?, before revision: Int64?, limit: Int) async throws -> [StationEdit] {
    try await database.opened.read { db in
      try log.history(of: id, before: revision, limit: limit, db)
    }
  }

  func health() async throws -> [StationID: StationHealth] {
    try await database.opened.read { db in
      var all: [StationID: StationHealth] = [:]
      try db.forEach("SELECT station, state, checked_at, codec, kilobits, problem, failures FROM health") { row in
        all[try row.id(0)] = StationHealth(
          state: .named(try row.read(1)), checkedAt: try row.read(2), codec: try row.read(3),
          kilobits: try row.read(4), problem: try row.read(5), failures: try row.read(6))
      }
      return all
    }
  }

  func remember(_ found: StationHealth, of record: StationRecord) async throws {
    try await database.opened.write { db in
      try db.execute(
        """
        INSERT OR REPLACE INTO health (station, state, checked_at, codec, kilobits, problem, failures)
        SELECT ?, ?, ?, ?, ?, ?, ? WHERE EXISTS (SELECT 1 FROM station WHERE id = ?1 AND address = ?8)
        """,
        [
          record.id.text, found.state.rawValue, found.checkedAt, found.codec, found.kilobits, found.problem,
          found.failures, record.address,
        ])
    }
  }
}

// MARK: - The schema

nonisolated extension RadioStore {
  /// A list that only grows.
  static let migrations = [
    Migration(
      "the directory, its history, and how stations were found",
      """
      -- place: the order in which they were added, which is the order in which they are listed.
      CREATE TABLE station (
        id TEXT NOT NULL UNIQUE, place INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL, name_en TEXT,
        section TEXT NOT NULL, tags TEXT, language TEXT, website TEXT, address TEXT NOT NULL, rights_owner TEXT,
        rights_licence TEXT, rights_proof TEXT, rights_use TEXT, rights_until INTEGER, is_demo INTEGER NOT NULL,
        is_active INTEGER NOT NULL
      ) STRICT;

      -- AUTOINCREMENT: a revision is never given twice, whatever is deleted.
      CREATE TABLE edit (
        revision INTEGER PRIMARY KEY AUTOINCREMENT, at INTEGER NOT NULL, editor TEXT NOT NULL, station TEXT NOT NULL,
        kind TEXT NOT NULL CHECK (kind IN ('added', 'changed', 'removed'))
      ) STRICT;
      CREATE INDEX edit_of_station ON edit (station, revision);

      CREATE TABLE edited_field (
        revision INTEGER NOT NULL REFERENCES edit (revision) ON DELETE CASCADE, place INTEGER NOT NULL,
        name TEXT NOT NULL, before TEXT, after TEXT, PRIMARY KEY (revision, place)
      ) STRICT, WITHOUT ROWID;

      CREATE TABLE health (
        station TEXT PRIMARY KEY, state TEXT NOT NULL, checked_at INTEGER NOT NULL, codec TEXT, kilobits INTEGER,
        problem TEXT, failures INTEGER
      ) STRICT, WITHOUT ROWID;
      """),
    Migration("where stations' programmes are", "ALTER TABLE station ADD COLUMN schedule TEXT;"),
  ]
}

// MARK: - Statements

nonisolated private let log = EditLog<StationEdit>(of: "station")

/// The columns of a station, in the order in which ``Row/record()`` reads them.
nonisolated private let columns: SQL = """
  id, name, name_en, section, tags, language, website, address, rights_owner, rights_licence, rights_proof, rights_use,
  rights_until, is_demo, is_active, schedule
  """

nonisolated extension DatabaseConnection {
  fileprivate func record(_ id: StationID) throws -> StationRecord? {
    try row("SELECT \(columns) FROM station WHERE id = ?", [id.text]) { try $0.record() }
  }

  /// For what must be new.
  fileprivate func refuse(_ old: StationRecord?) throws {
    guard let old else { return }
    throw RPCError(.alreadyExists, "\(old.id) is there already; edit it, or choose another id", executed: .no)
  }

  /// One that is there already keeps its place.
  fileprivate func store(_ record: StationRecord) throws {
    let (station, rights) = (record.station, record.station.rights)
    try execute(
      """
      INSERT INTO station (\(columns)) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      ON CONFLICT (id) DO UPDATE SET name = excluded.name, name_en = excluded.name_en, section = excluded.section,
        tags = excluded.tags, language = excluded.language, website = excluded.website, address = excluded.address,
        rights_owner = excluded.rights_owner, rights_licence = excluded.rights_licence,
        rights_proof = excluded.rights_proof, rights_use = excluded.rights_use, rights_until = excluded.rights_until,
        is_demo = excluded.is_demo, is_active = excluded.is_active, schedule = excluded.schedule
      """,
      [
        station.id.text, station.name, station.nameEnglish, station.section, StationField.tags.text(of: record),
        station.language, station.website, record.address, rights?.owner, rights?.licence, rights?.proof,
        rights?.use.rawValue, rights?.until, station.isDemo == true, record.isActive,
        record.schedule,
      ])
  }
}

nonisolated extension Row {
  fileprivate borrowing func id(_ column: Int) throws -> StationID { try parsed(column) }

  fileprivate borrowing func record() throws -> StationRecord {
    let tags: String? = try read(4)
    let isDemo: Bool = try read(13)
    let station = Station(
      id: try id(0), name: try read(1), nameEnglish: try read(2), section: try read(3),
      tags: (tags ?? "").split(separator: StationField.tagSeparator).map(String.init), language: try read(5),
      website: try read(6), rights: try rights(), isDemo: isDemo ? true : nil)
    return StationRecord(station: station, address: try read(7), schedule: try read(15), isActive: try read(14))
  }

  private borrowing func rights() throws -> StationRights? {
    guard let owner: String = try read(8) else { return nil }
    return StationRights(
      owner: owner, licence: try read(9), proof: try read(10), use: .named(try read(11)), until: try read(12))
  }
}
