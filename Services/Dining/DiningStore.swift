import Calendars
import Clocks
import Contracts
import Drafts
import ServiceStorage
import Storage
import Wire

/// Restaurants as they are kept, what administrators did to them, and what the guide was asked.
struct DiningStore {
  private let database: ServiceDatabase

  nonisolated static let declaration = DatabaseDeclaration(
    of: "dining", applicationID: "ODdi", migrations: migrations)

  init(_ database: ServiceDatabase) { self.database = database }

  /// All of them, as an index to be served from. It is made on the database's thread, so the loop goes on meanwhile.
  func load(_ zones: ZoneDirectory) async throws -> RestaurantIndex {
    try await database.opened.read { db in
      let restaurants = try db.rows("SELECT record FROM restaurant") { row in
        try Wire.decode(Restaurant.self, from: try row.read(0, as: [UInt8].self))
      }
      let revision = try db.revision()
      var listed: [GuideList: [CodedName]] = [:]
      for list in GuideList.allCases { listed[list] = try db.codes(of: list) }
      db.releaseCache()
      return RestaurantIndex(restaurants, revision: revision, zones: zones, listed: listed)
    }
  }

  // MARK: Administrators

  /// Stores restaurants, whole, in place of those with their ids, and returns what that changed.
  func put(_ restaurants: [Restaurant], by editor: String, at time: WallTime) async throws -> [RestaurantEdit] {
    try await database.opened.write { db in
      var edits: [RestaurantEdit] = []
      for restaurant in restaurants {
        guard
          var edit = RestaurantEdit(
            of: try db.restaurant(restaurant.id), to: restaurant, by: editor, at: time)
        else { continue }
        try db.store(restaurant, expires: nil)
        edit.revision = try db.remember(edit)
        edits.append(edit)
      }
      return edits
    }
  }

  /// What ``put(_:by:at:)`` would change.
  func plan(_ restaurants: [Restaurant], by editor: String, at time: WallTime) async throws -> [RestaurantEdit] {
    try await database.opened.read { db in
      try restaurants.compactMap { RestaurantEdit(of: try db.restaurant($0.id), to: $0, by: editor, at: time) }
    }
  }

  /// - Returns: what was removed; nil if it was not there.
  func remove(_ id: RestaurantID, by editor: String, at time: WallTime) async throws -> RestaurantEdit? {
    try await database.opened.write { db in
      guard let old = try db.restaurant(id), var edit = RestaurantEdit(of: old, to: nil, by: editor, at: time) else {
        return nil
      }
      try db.execute("DELETE FROM restaurant WHERE id = ?", [id.text])
      edit.revision = try db.remember(edit)
      return edit
    }
  }

  /// The newest edits of one restaurant or of all, newest first.
  func history(of id: RestaurantID?, before revision: Int64?, limit: Int) async throws -> [RestaurantEdit] {
    try await database.opened.read { db in
      try db.rows(
        """
        SELECT revision, at, editor, restaurant, kind, fields FROM edit
        WHERE restaurant IS NOT NULL AND (?1 IS NULL OR restaurant = ?1) AND revision < ?2
        ORDER BY revision DESC LIMIT ?3
        """, [id?.text, revision ?? .max, limit]
      ) { row in try row.edit() }
    }
  }

  // MARK: The guide

  /// When the guide answered a question, and how many restaurants it knew. Nil if what it told is not kept any more.
  func answered(_ question: String, at now: WallTime) async throws -> GuideAnswer? {
    try await database.opened.read { db in
      try db.row(
        "SELECT at, available FROM question WHERE text = ? AND at > ?", [question, now - Self.keptFor]
      ) { row in
        GuideAnswer(at: try row.read(0), available: try row.read(1))
      }
    }
  }

  /// The restaurants that the guide named for a question.
  func named(for question: String, at now: WallTime) async throws -> Set<RestaurantID> {
    try await database.opened.read { db in
      let ids = try db.value(
        "SELECT restaurants FROM question WHERE text = ? AND at > ?", [question, now - Self.keptFor], as: String.self)
      return Set((ids ?? "").split(separator: " ").compactMap { RestaurantID(String($0)) })
    }
  }

  /// How long what a guide told may be kept, for when it is away.
  nonisolated static let keptFor: Duration = .seconds(7 * 24 * 3_600)

  /// Keeps what the guide answered, in one transaction with the note that it did. What administrators stored stays.
  func keep(_ restaurants: [Restaurant], for question: String, available: Int, at time: WallTime) async throws {
    let end = time.adding(Self.keptFor)
    try await database.opened.write { db in
      for restaurant in restaurants { try db.storeTold(restaurant, expires: end) }
      try db.execute(
        "INSERT OR REPLACE INTO question (text, at, available, restaurants) VALUES (?, ?, ?, ?)",
        [question, time, available, restaurants.map(\.id.text).joined(separator: " ")])
      try db.execute(
        "DELETE FROM question WHERE text IN (SELECT text FROM question ORDER BY at DESC LIMIT -1 OFFSET ?)",
        [Limits.questions])
      try db.execute("INSERT INTO edit (at, editor, kind) VALUES (?, 'hotpepper', 'fetched')", [time])
      try db.execute(
        "DELETE FROM edit WHERE restaurant IS NULL AND revision < (SELECT max(revision) FROM edit)", [])
    }
  }

  /// Keeps one of the guide's lists of codes in place of the one before, and returns how many of it are new or renamed.
  func keep(_ codes: [CodedName], of list: GuideList, at time: WallTime) async throws -> Int {
    try await database.opened.write { db in
      let known = Set(try db.codes(of: list))
      try db.execute("DELETE FROM code WHERE list = ?", [list.rawValue])
      for (place, code) in codes.enumerated() {
        try db.execute(
          "INSERT OR REPLACE INTO code (list, code, name, place, at) VALUES (?, ?, ?, ?, ?)",
          [list.rawValue, code.code, code.name, place, time])
      }
      return codes.count { !known.contains($0) }
    }
  }

  /// Forgets what the guide's terms or its age do not let us keep. Returns how many restaurants those were.
  func forget(olderThan time: WallTime) async throws -> Int {
    try await database.opened.write { db in
      try db.execute("DELETE FROM restaurant WHERE expires_at < ?", [time])
      let restaurants = db.changes
      try db.execute("DELETE FROM question WHERE at < ?", [time - Self.keptFor])
      try db.execute("DELETE FROM code WHERE at < ?", [time - Self.keptFor])
      return restaurants
    }
  }

  /// Counts a question to the guide, durably, before it is asked. False if the day's are used up.
  func takeQuota(on day: CivilDate, limit: Int) async throws -> Bool {
    try await database.opened.write { db in
      try db.execute("INSERT OR IGNORE INTO quota (day, used) VALUES (?, 0)", [day.description])
      try db.execute(
        "UPDATE quota SET used = used + 1 WHERE day = ? AND used < ?", [day.description, limit])
      let isTaken = db.changes == 1
      try db.execute("DELETE FROM quota WHERE day < ?", [(day - Limits.quotaDays).description])
      return isTaken
    }
  }

  /// How many questions were asked on a day.
  func quotaUsed(on day: CivilDate) async throws -> Int {
    try await database.opened.read { db in
      try db.value("SELECT used FROM quota WHERE day = ?", [day.description], as: Int.self) ?? 0
    }
  }

  nonisolated private enum Limits {
    /// Questions that are remembered: a city's worth.
    static let questions = 5_000
    /// Days whose counts an operator can look at.
    static let quotaDays = 31
  }
}

/// When the guide answered a question.
nonisolated struct GuideAnswer: Sendable {
  var at: WallTime
  var available: Int
}

// MARK: - The schema

nonisolated extension DiningStore {
  /// A list that only grows.
  static let migrations = [
    Migration(
      "restaurants, edits, questions to the guide",
      """
      CREATE TABLE restaurant (
        id TEXT PRIMARY KEY,
        source TEXT NOT NULL,
        as_of INTEGER,             -- when a guide told it
        expires_at INTEGER,        -- a guide's may be kept until then
        record BLOB NOT NULL       -- as Wire writes it: fields by name
      ) STRICT, WITHOUT ROWID;
      CREATE INDEX restaurant_expiry ON restaurant (expires_at) WHERE expires_at IS NOT NULL;

      -- AUTOINCREMENT: a revision is never given twice, whatever is deleted.
      CREATE TABLE edit (
        revision INTEGER PRIMARY KEY AUTOINCREMENT, at INTEGER NOT NULL, editor TEXT NOT NULL,
        restaurant TEXT,           -- NULL: the guide's, which are told nowhere one by one
        kind TEXT NOT NULL, fields TEXT
      ) STRICT;
      CREATE INDEX edit_of_restaurant ON edit (restaurant, revision);

      CREATE TABLE question (text TEXT PRIMARY KEY, at INTEGER NOT NULL, available INTEGER NOT NULL)
        STRICT, WITHOUT ROWID;
      CREATE INDEX question_age ON question (at);

      CREATE TABLE quota (day TEXT PRIMARY KEY, used INTEGER NOT NULL) STRICT, WITHOUT ROWID;
      """),
    Migration(
      "a guide's own lists of codes",
      """
      CREATE TABLE code (
        list TEXT NOT NULL, code TEXT NOT NULL, name TEXT NOT NULL,
        place INTEGER NOT NULL,    -- in the guide's order
        at INTEGER NOT NULL, PRIMARY KEY (list, code)
      ) STRICT, WITHOUT ROWID;
      """),
    Migration(
      "which restaurants a question's answer named",
      """
      ALTER TABLE question ADD COLUMN restaurants TEXT NOT NULL DEFAULT '';  -- ids, with blanks between them
      """),
  ]
}

// MARK: - Statements

nonisolated extension DatabaseConnection {
  fileprivate func revision() throws -> Int64 { try value("SELECT max(revision) FROM edit") ?? 0 }

  fileprivate func restaurant(_ id: RestaurantID) throws -> Restaurant? {
    try row("SELECT record FROM restaurant WHERE id = ?", [id.text]) { row in
      try Wire.decode(Restaurant.self, from: try row.read(0, as: [UInt8].self))
    }
  }

  fileprivate func codes(of list: GuideList) throws -> [CodedName] {
    try rows("SELECT code, name FROM code WHERE list = ? ORDER BY place", [list.rawValue]) { row in
      CodedName(code: try row.read(0), name: try row.read(1))
    }
  }

  fileprivate func store(_ place: Restaurant, expires: WallTime?) throws {
    try execute(
      "INSERT OR REPLACE INTO restaurant (id, source, as_of, expires_at, record) VALUES (?, ?, ?, ?, ?)",
      [place.id.text, place.source.rawValue, place.asOf, expires, try Wire.encode(place)])
  }

  /// Stores what a guide told, unless there is an administrator's restaurant with its id: theirs never expire.
  fileprivate func storeTold(_ place: Restaurant, expires: WallTime) throws {
    try execute(
      """
      INSERT INTO restaurant (id, source, as_of, expires_at, record) VALUES (?, ?, ?, ?, ?)
      ON CONFLICT (id) DO UPDATE
      SET source = excluded.source, as_of = excluded.as_of, expires_at = excluded.expires_at, record = excluded.record
      WHERE restaurant.expires_at IS NOT NULL
      """, [place.id.text, place.source.rawValue, place.asOf, expires, try Wire.encode(place)])
  }

  /// - Returns: the edit's revision.
  fileprivate func remember(_ edit: RestaurantEdit) throws -> Int64 {
    try execute(
      "INSERT INTO edit (at, editor, restaurant, kind, fields) VALUES (?, ?, ?, ?, ?)",
      [edit.at, edit.editor, edit.restaurant.text, edit.kind.rawValue, edit.fields.joined(separator: ",")])
    return try revision()
  }
}

nonisolated extension Row {
  fileprivate borrowing func edit() throws -> RestaurantEdit {
    let (id, kind, fields): (String, String, String?) = (try read(3), try read(4), try read(5))
    guard let restaurant = RestaurantID(id), let kind = EditKind(rawValue: kind) else {
      throw StorageError(.mismatch, "an edit is of \(id), \(kind), which this program does not know")
    }
    return RestaurantEdit(
      revision: try read(0), at: try read(1), editor: try read(2), restaurant: restaurant, kind: kind,
      fields: (fields ?? "").split(separator: ",").map(String.init))
  }
}
