import Clocks
import Storage
import Testing

@Suite("Values and statements")
struct ValueTests {
  enum Mood: String, Storable { case calm, wild }
  enum Rank: Int, Storable { case first = 1, second }

  /// A database with one table of one column of each kind.
  private func withDatabase(
    _ options: DatabaseOptions = .test, _ body: @Sendable (Database) async throws -> Void
  ) async throws {
    let folder = try TemporaryFolder()
    let migrations = [
      Migration(
        "create thing", "CREATE TABLE thing (id INTEGER PRIMARY KEY, i INTEGER, r REAL, t TEXT, b BLOB, a ANY) STRICT")
    ]
    let database = try await Database.open(folder.file("v.db"), migrations: migrations, options: options)
    do {
      try await body(database)
    } catch {
      await database.close()
      throw error
    }
    await database.close()
  }

  @Test("who has read everything gives back what was kept for reading it again")
  func cache() async throws {
    try await withDatabase { database in
      try await database.write { db in
        for _ in 0..<500 { try db.execute("INSERT INTO thing (b) VALUES (?)", [[UInt8](repeating: 7, count: 1_000)]) }
      }
      let (first, second, count) = try await database.read { db in
        let blobs = try db.rows("SELECT b FROM thing") { row in try row.read(0, as: [UInt8].self) }
        return (db.releaseCache(), db.releaseCache(), blobs.count)
      }
      #expect(count == 500 && first > 400_000 && second == 0, "\(first) \(second)")
    }
  }

  @Test("integers come back at both ends of Int64", arguments: [Int64.min, -1, 0, 1, 1 << 53, .max])
  func integers(value: Int64) async throws {
    try await withDatabase { database in
      try await database.write { db in try db.execute("INSERT INTO thing (i) VALUES (?)", [value]) }
      #expect(try await database.read { db in try db.value("SELECT i FROM thing") } == value)
    }
  }

  @Test(
    "reals come back bit by bit",
    arguments: [
      0.0, -1.5, .pi, .leastNonzeroMagnitude, .greatestFiniteMagnitude, -.greatestFiniteMagnitude, .infinity,
      -.infinity,
    ])
  func reals(value: Double) async throws {
    try await withDatabase { database in
      try await database.write { db in try db.execute("INSERT INTO thing (r) VALUES (?)", [value]) }
      let read: Double? = try await database.read { db in try db.value("SELECT r FROM thing") }
      #expect(read?.bitPattern == value.bitPattern)
    }
  }

  @Test("what is not a number is refused, for SQLite would keep NULL")
  func notANumber() async throws {
    try await withDatabase { database throws in
      let refused = await kind {
        try await database.write { db in try db.execute("INSERT INTO thing (r) VALUES (?)", [Double.nan]) }
      }
      #expect(refused == .misuse)
      #expect(try await database.count("thing") == 0)
    }
  }

  @Test(
    "text comes back whole",
    arguments: [
      "", "a", "\0", "a\0b", "괴물", "𝄞e\u{301}", "'; DROP TABLE thing; --", String(repeating: "x", count: 70_000),
    ])
  func texts(value: String) async throws {
    try await withDatabase { database in
      try await database.write { db in try db.execute("INSERT INTO thing (t) VALUES (?)", [value]) }
      let read: String? = try await database.read { db in try db.value("SELECT t FROM thing WHERE t = ?", [value]) }
      #expect(read.map { Array($0.utf8) } == Array(value.utf8))
    }
  }

  @Test(
    "blobs come back whole, and an empty one is not NULL",
    arguments: [[], [0], [0, 255, 0], Array(0...255)] as [[UInt8]])
  func blobs(value: [UInt8]) async throws {
    try await withDatabase { database in
      try await database.write { db in try db.execute("INSERT INTO thing (b) VALUES (?)", [value]) }
      let read = try await database.read { db in
        try db.row("SELECT b, b IS NULL FROM thing") { row in
          (try row.read(0, as: [UInt8].self), try row.read(1, as: Bool.self))
        }
      }
      #expect(read?.0 == value)
      #expect(read?.1 == false)
    }
  }

  @Test("nil is NULL, written as a literal or held in an optional")
  func absence() async throws {
    try await withDatabase { database in
      let name: String? = nil
      try await database.write { db in
        try db.execute("INSERT INTO thing (i, t, b) VALUES (?, ?, ?)", [nil, name, [] as [UInt8]])
      }
      let read = try await database.read { db in
        try db.row("SELECT i, t, b FROM thing") { row in
          (try row.read(0) as Int?, try row.read(1) as String?, try row.read(2) as [UInt8]?)
        }
      }
      #expect(read?.0 == nil)
      #expect(read?.1 == nil)
      #expect(read?.2 == [])
    }
  }

  @Test("raw values, booleans and times are columns")
  func richerTypes() async throws {
    try await withDatabase { database in
      let read = try await database.read { db throws in
        try db.row(
          "SELECT ?, ?, ?, ?, ?", [Mood.wild, Rank.second, true, WallTime(milliseconds: 1_790_000_000_000), UInt8(255)]
        ) { row throws in
          #expect(try row.read(0, as: Mood.self) == .wild)
          #expect(try row.read(1, as: Rank.self) == .second)
          #expect(try row.read(2, as: Bool.self))
          #expect(try row.read(3, as: WallTime.self) == WallTime(milliseconds: 1_790_000_000_000))
          #expect(try row.read(4, as: UInt8.self) == 255)
          return row.count
        }
      }
      #expect(read == 5)
    }
  }

  @Test("a column that holds something else is named, and its value is not")
  func mismatch() async throws {
    try await withDatabase { database in
      try await database.read { db in
        _ = try db.row("SELECT 'secret' AS title, NULL AS gone, 300 AS big, 2 AS flag, 'grim' AS mood, x'ff' AS raw") {
          row in
          #expect(throws: StorageError(.mismatch, "column 0 (title) holds text; Int was asked of it")) {
            try row.read(0, as: Int.self)
          }
          #expect(throws: StorageError(.mismatch, "column 1 (gone) holds NULL; String was asked of it")) {
            try row.read(1, as: String.self)
          }
          #expect(throws: StorageError.self) { try row.read(2, as: UInt8.self) }
          #expect(throws: StorageError.self) { try row.read(3, as: Bool.self) }
          #expect(throws: StorageError.self) { try row.read(4, as: Mood.self) }
          #expect(throws: StorageError.self) { try row.read(5, as: String.self) }
          #expect(throws: StorageError.self) { try row.read(6, as: Int.self) }
          #expect(throws: StorageError.self) { try row.read(-1, as: Int.self) }
        }
      }
    }
  }

  @Test("text that is not UTF-8 is not passed off as a string")
  func brokenText() async throws {
    try await withDatabase { database in
      let read = await kind {
        try await database.read { db in try db.value("SELECT CAST(x'c328' AS TEXT)", as: String.self) }
      }
      #expect(read == .mismatch)
    }
  }

  @Test("a value never becomes SQL")
  func injection() async throws {
    try await withDatabase { database in
      let hostile = [
        "'); DELETE FROM thing; --", "\" OR 1=1 --", "?1", ":name", "x' UNION SELECT sql FROM sqlite_schema --", "%",
        "\\",
      ]
      for text in hostile {
        try await database.write { db in try db.execute("INSERT INTO thing (t) VALUES (?)", [text]) }
      }
      for text in hostile {
        #expect(try await database.read { db in try db.value("SELECT count(*) FROM thing WHERE t = ?", [text]) } == 1)
      }
      #expect(try await database.count("thing") == hostile.count)
    }
  }

  @Test("SQL is put together from SQL only")
  func fragments() {
    let columns: SQL = "id, name"
    let query: SQL = "SELECT \(columns) FROM number WHERE id = ?"
    #expect(query.text == "SELECT id, name FROM number WHERE id = ?")
  }

  @Test("mistakes in the use of SQL are told as such")
  func misuse() async throws {
    try await withDatabase { database in
      let mistakes: [(SQL, [(any Storable)?])] = [
        ("SELECT ?", []), ("SELECT ?", [1, 2]), ("SELECT 1; SELECT 2", []), ("", []), ("-- nothing", []), ("SELEC", []),
        ("SELECT * FROM nowhere", []), ("SELECT \"misspelt\" FROM thing", []),
      ]
      for (sql, values) in mistakes {
        #expect(await kind { try await database.read { db in try db.execute(sql, values) } } == .misuse, "\(sql.text)")
      }
    }
  }

  @Test("a trailing semicolon and white space are one statement")
  func trailing() async throws {
    try await withDatabase { database throws in
      #expect(try await database.read { db in try db.value("SELECT 7 ; \n ;") } == 7)
    }
  }

  @Test("constraints are told apart")
  func constraints() async throws {
    let folder = try TemporaryFolder()
    let migrations = [
      Migration(
        "create",
        """
        CREATE TABLE parent (id INTEGER PRIMARY KEY) STRICT;
        CREATE TABLE child (
          name TEXT PRIMARY KEY NOT NULL, parent INTEGER REFERENCES parent, code INTEGER UNIQUE CHECK (code < 10)
        ) STRICT, WITHOUT ROWID;
        """)
    ]
    let database = try await Database.open(folder.file("c.db"), migrations: migrations, options: .test)
    try await database.write { db in try db.execute("INSERT INTO child VALUES ('a', NULL, 1)") }
    let cases: [(SQL, StorageError.Constraint)] = [
      ("INSERT INTO child VALUES ('a', NULL, 2)", .primaryKey), ("INSERT INTO child VALUES ('b', NULL, 1)", .unique),
      ("INSERT INTO child VALUES ('b', 9, 2)", .foreignKey), ("INSERT INTO child VALUES (NULL, NULL, 2)", .notNull),
      ("INSERT INTO child VALUES ('b', NULL, 10)", .check), ("INSERT INTO child VALUES ('b', 'x', 2)", .other),
    ]
    for (sql, constraint) in cases {
      #expect(
        await kind { try await database.write { db in try db.execute(sql) } } == .constraint(constraint), "\(sql.text)")
    }
    #expect(try await database.count("child") == 1)
    await database.close()
  }

  @Test("changes counts, RETURNING returns")
  func changes() async throws {
    try await withDatabase { database in
      try await database.write { db throws in
        let ids = try db.rows("INSERT INTO thing (i) VALUES (1), (2), (3) RETURNING id") { row throws in
          try row.read(0, as: Int.self)
        }
        #expect(ids == [1, 2, 3])
        #expect(db.changes == 3)
        try db.execute("UPDATE thing SET i = i + 1 WHERE i > ?", [1])
        #expect(db.changes == 2)
        #expect(try db.value("INSERT INTO thing (i) VALUES (9) RETURNING i") == 9)
      }
      #expect(try await database.count("thing") == 4)
    }
  }

  @Test("a value and a list of rows over their limits are refused")
  func limits() async throws {
    var options = DatabaseOptions.test
    options.limits.valueBytes = 1_000
    options.limits.rows = 10
    try await withDatabase(options) { database in
      let tooBig = await kind {
        try await database.write { db in
          try db.execute("INSERT INTO thing (b) VALUES (?)", [[UInt8](repeating: 1, count: 1_001)])
        }
      }
      #expect(tooBig == .tooBig)
      let series: SQL = "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n WHERE x < ?) SELECT x FROM n"
      #expect(
        try await database.read { db in try db.rows(series, [10]) { row in try row.read(0, as: Int.self) } }.count == 10
      )
      #expect(await kind { try await database.read { db in try db.rows(series, [11]) { _ in } } } == .misuse)
      let sum = try await database.read { db in
        var sum = 0
        try db.forEach(series, [1_000]) { row in sum += try row.read(0, as: Int.self) }
        return sum
      }
      #expect(sum == 500_500)
    }
  }

  @Test("statements are prepared once, and only the latest are kept")
  func statementCache() async throws {
    var options = DatabaseOptions.test
    options.limits.statements = 8
    try await withDatabase(options) { database in
      try await database.read { db in
        let before = db.preparedStatements.preparations
        for _ in 0..<100 { try db.execute("SELECT 1") }
        #expect(db.preparedStatements.preparations == before + 1)
        for number in 0..<100 {
          try db.execute(SQL(trusted: "SELECT \(number), 'generated'"))
          #expect(db.preparedStatements.kept <= 8)
        }
        // The oldest went, the latest stayed.
        let settled = db.preparedStatements.preparations
        try db.execute("SELECT 99, 'generated'")
        #expect(db.preparedStatements.preparations == settled)
        try db.execute("SELECT 1")
        #expect(db.preparedStatements.preparations == settled + 1)
      }
    }
  }

  @Test("a statement may be run again for one of its own rows")
  func reentrance() async throws {
    var options = DatabaseOptions.test
    options.limits.statements = 1
    try await withDatabase(options) { database in
      try await database.write { db in try db.execute("INSERT INTO thing (i) VALUES (1), (2), (3)") }
      let all: SQL = "SELECT i FROM thing ORDER BY i"
      let pairs = try await database.read { db in
        try db.rows(all) { outer in
          let first = try outer.read(0, as: Int.self)
          return try db.rows(all) { inner in [first, try inner.read(0, as: Int.self)] }
        }
      }
      #expect(
        pairs.flatMap { $0 } == [[1, 1], [1, 2], [1, 3], [2, 1], [2, 2], [2, 3], [3, 1], [3, 2], [3, 3]])
    }
  }
}
