import CFaultVFS
import Foundation
import Storage
import Testing

@Suite("Group commit", .timeLimit(.minutes(5)))
struct GroupCommitTests {
  struct Refused: Error {}

  /// Runs the writes so that they wait for the writer together, in order; returns how each of them ended.
  private func together(
    _ database: Database, _ bodies: [@Sendable (DatabaseConnection) throws -> Void]
  ) async -> [Result<Void, any Error>] {
    let gate = Gate()
    return await withTaskGroup(of: (Int, Result<Void, any Error>).self) { group in
      for (index, body) in bodies.enumerated() {
        group.addTask {
          do {
            try await database.write { db in
              if index == 0 { gate.pass() }
              try body(db)
            }
            return (index, .success(()))
          } catch {
            return (index, .failure(error))
          }
        }
        if index == 0 { await gate.reached() } else { await database.writesWaiting(index) }
      }
      gate.open()
      return await group.reduce(into: [(Int, Result<Void, any Error>)]()) { $0.append($1) }
        .sorted { $0.0 < $1.0 }.map(\.1)
    }
  }

  private func insert(_ id: Int, _ name: String? = nil) -> @Sendable (DatabaseConnection) throws -> Void {
    { db in try db.execute("INSERT INTO number (id, name) VALUES (?, ?)", [id, name]) }
  }

  private func open(_ disk: FaultDisk, groupWrites: Int = 64) async throws -> Database {
    var options = disk.options
    options.limits.groupWrites = groupWrites
    let database = try await Database.open(disk.path, migrations: numbers, options: options)
    // The first commit also syncs the header of the WAL.
    try await database.write { db in try db.execute("INSERT INTO number (id) VALUES (0)") }
    return database
  }

  @Test("sixty-four writes that wait together share one commit and one sync")
  func oneCommit() async throws {
    let disk = try FaultDisk()
    let database = try await open(disk)
    let (before, syncs) = (database.tally, disk.counts.syncs)
    let results = await together(database, (1...64).map { insert($0) })
    #expect(results.allSatisfy { (try? $0.get()) != nil })
    #expect(database.tally.writes - before.writes == 64)
    #expect(database.tally.commits - before.commits == 1)
    #expect(disk.counts.syncs - syncs == 1)
    #expect(try await database.count("number") == 65)
    await database.close()
  }

  @Test("the pages of a group reach the WAL in a few large writes, which a reader finds whole")
  func fewWrites() async throws {
    let disk = try FaultDisk()
    let database = try await open(disk)
    let before = disk.counts
    let name = String(repeating: "n", count: 3_000)
    _ = await together(database, (1...64).map { insert($0, "\(name) \($0)") })
    let (writes, bytes) = (disk.counts.writes - before.writes, disk.counts.written_bytes - before.written_bytes)
    // A row for each page. By itself SQLite writes each page and its header apart.
    #expect(bytes > 64 * 4_096)
    #expect(writes <= bytes / 123_000 + 1, "\(writes) writes of \(bytes) bytes")
    let found = try await database.read { db in
      try db.rows("SELECT name FROM number WHERE id > 0 ORDER BY id") { row in try row.read(0, as: String.self) }
    }
    #expect(found == (1...64).map { "\(name) \($0)" })
    await database.close()
  }

  @Test("a transaction that is larger than what the writer keeps of it is read while it is written, and stored whole")
  func largeTransaction() async throws {
    let disk = try FaultDisk()
    var options = disk.options
    // So little that pages are given up in the middle, and read again from the WAL.
    options.limits.writerCacheBytes = 64 << 10
    let database = try await Database.open(disk.path, migrations: numbers, options: options)
    let name = String(repeating: "n", count: 3_000)
    for round in 1...3 {
      try await database.write { db in
        for id in 1...200 {
          try db.execute("INSERT OR REPLACE INTO number (id, name) VALUES (?, ?)", [id, "\(name) \(round) \(id)"])
          let earlier = try db.value("SELECT name FROM number WHERE id = ?", [id / 2 + 1], as: String.self)
          guard earlier == "\(name) \(round) \(id / 2 + 1)" else { throw Refused() }
        }
      }
      let found = try await database.read { db in
        try db.rows("SELECT name FROM number ORDER BY id") { row in try row.read(0, as: String.self) }
      }
      #expect(found == (1...200).map { "\(name) \(round) \($0)" })
    }
    #expect(try await database.check().isEmpty)
    await database.close()
  }

  /// Without an index, so that a small write is one page.
  private let texts = [Migration("create text", "CREATE TABLE text (id INTEGER PRIMARY KEY, body TEXT) STRICT")]

  /// Gives up pages in its middle, some of what is gathered or more than all of it, before it is undone.
  private func fail(_ database: Database, rows: Int) async {
    let body = String(repeating: "n", count: 3_000)
    await #expect(throws: Refused.self) {
      try await database.write { db in
        for id in 1...rows { try db.execute("INSERT OR REPLACE INTO text VALUES (?, ?)", [id, body]) }
        throw Refused()
      }
    }
  }

  @Test("what stands where an undone transaction stood is read whole, also where a commit does not sync")
  func afterUndone() async throws {
    for durability in [DatabaseOptions.Durability.full, .normal, .off] {
      let disk = try FaultDisk()
      var options = disk.options
      options.durability = durability
      options.limits.writerCacheBytes = 64 << 10
      let database = try await Database.open(disk.path, migrations: texts, options: options)
      for (round, rows) in [0, 35, 200, 35].enumerated() {
        if rows > 0 { await fail(database, rows: rows) }
        try await database.write { db in try db.execute("INSERT OR REPLACE INTO text VALUES (1, ?)", ["\(round)"]) }
        let found = try await database.read { db in
          try db.rows("SELECT body FROM text ORDER BY id") { row in try row.read(0, as: String.self) }
        }
        #expect(found == ["\(round)"], "\(durability)")
        #expect(try await database.check() == [], "\(durability)")
      }
      await database.close()
    }
  }

  @Test("pages of a transaction that was undone are written over nothing that another process wrote since")
  func anotherWriter() async throws {
    let folder = try TemporaryFolder()
    var options = DatabaseOptions.test
    options.limits.writerCacheBytes = 64 << 10
    let ours = try await Database.open(folder.file("test.db"), migrations: texts, options: options)
    // Under another name, so that no lock of ours keeps it out, as none keeps out an operator's shell.
    try FileManager.default.createSymbolicLink(
      atPath: folder.file("other.db"), withDestinationPath: folder.file("test.db"))
    let theirs = try await Database.open(folder.file("other.db"), migrations: texts, options: options)
    for (round, rows) in [35, 200, 35].enumerated() {
      await fail(ours, rows: rows)
      try await theirs.write { db in
        for id in 1...50 { try db.execute("INSERT OR REPLACE INTO text VALUES (?, ?)", [id, "theirs \(round)"]) }
      }
      try await ours.write { db in try db.execute("INSERT INTO text VALUES (?, NULL)", [1_000 + round]) }
      #expect(try await ours.count("text") == 51 + round)
      #expect(try await theirs.count("text") == 51 + round)
      #expect(try await ours.check() == [])
    }
    await theirs.close()
    await ours.close()
    let again = try await Database.open(folder.file("test.db"), migrations: texts, options: options)
    #expect(try await again.count("text") == 53)
    await again.close()
  }

  @Test("a group has a bound: a hundred writes are two commits")
  func bound() async throws {
    let disk = try FaultDisk()
    let database = try await open(disk)
    let before = database.tally
    _ = await together(database, (1...100).map { insert($0) })
    #expect(database.tally.commits - before.commits == 2)
    #expect(try await database.count("number") == 101)
    await database.close()
  }

  @Test("control: with groups of one, every write has a commit and a sync")
  func withoutGroups() async throws {
    let disk = try FaultDisk()
    let database = try await open(disk, groupWrites: 1)
    let (before, syncs) = (database.tally, disk.counts.syncs)
    _ = await together(database, (1...64).map { insert($0) })
    #expect(database.tally.commits - before.commits == 64)
    #expect(disk.counts.syncs - syncs == 64)
    await database.close()
  }

  @Test("a lone write is committed without waiting for company")
  func lone() async throws {
    let disk = try FaultDisk()
    let database = try await open(disk)
    for id in 1...10 {
      let before = database.tally
      try await database.write(insert(id))
      #expect(database.tally.commits - before.commits == 1)
    }
    await database.close()
  }

  @Test("an acknowledged write is on the disk before the acknowledgement")
  func durableFirst() async throws {
    let disk = try FaultDisk()
    let database = try await open(disk)
    for id in 1...10 {
      try await database.write(insert(id))
      let synced = disk.counts.syncs
      #expect(synced >= UInt64(id))
    }
    await database.close()
  }

  @Test("a write that fails is undone alone, wherever it is in the group", arguments: 0..<6)
  func isolation(failing: Int) async throws {
    let disk = try FaultDisk()
    let database = try await open(disk)
    let commits = database.tally.commits
    let bodies = (0..<6).map { index -> @Sendable (DatabaseConnection) throws -> Void in
      let (first, second) = (insert(10 + index * 2), insert(11 + index * 2))
      return { db in
        try first(db)
        if index == failing { throw Refused() }
        try second(db)
      }
    }
    let results = await together(database, bodies)
    for (index, result) in results.enumerated() {
      if index == failing {
        #expect(throws: Refused.self) { try result.get() }
      } else {
        #expect(throws: Never.self) { try result.get() }
      }
    }
    #expect(try await database.count("number") == 11)
    #expect(database.tally.commits - commits == 1)
    let half = try await database.read { db in
      try db.value("SELECT count(*) FROM number WHERE id = ?", [10 + failing * 2], as: Int.self)
    }
    #expect(half == 0)
    await database.close()
  }

  @Test("a write runs once; again only if one behind it left something behind, and that once for all who do")
  func runs() async throws {
    let disk = try FaultDisk()
    let database = try await open(disk)
    let runs = (0..<8).map { _ in Count(0) }
    let bodies = (0..<8).map { index -> @Sendable (DatabaseConnection) throws -> Void in
      let (store, count) = (insert(10 + index), runs[index])
      return { db in
        count.value += 1
        // The first of them has changed nothing yet, the others have.
        if index == 1 { throw Refused() }
        try store(db)
        if index == 4 || index == 6 { throw Refused() }
      }
    }
    let results = await together(database, bodies)
    #expect(runs.map(\.value) == [2, 1, 2, 2, 1, 1, 1, 1])
    #expect(results.map { (try? $0.get()) != nil } == [true, false, true, true, false, true, false, true])
    let ids = try await database.read { db in
      try db.rows("SELECT id FROM number WHERE id > 0 ORDER BY id") { row in try row.read(0, as: Int.self) }
    }
    #expect(ids == [10, 12, 13, 15, 17])
    await database.close()
  }

  @Test("a table that a failing write made is undone with it")
  func schema() async throws {
    let disk = try FaultDisk()
    let database = try await open(disk)
    let results = await together(
      database,
      [
        insert(1),
        { db in
          try db.execute("CREATE TABLE half (id INTEGER PRIMARY KEY) STRICT")
          throw Refused()
        }, insert(2),
      ])
    #expect(results.map { (try? $0.get()) != nil } == [true, false, true])
    let tables = try await database.read { db in
      try db.value("SELECT count(*) FROM sqlite_schema WHERE name = 'half'", as: Int.self)
    }
    #expect(tables == 0)
    #expect(try await database.count("number") == 3)
    await database.close()
  }

  @Test("a constraint broken in a group breaks for its write only")
  func constraint() async throws {
    let disk = try FaultDisk()
    let database = try await open(disk)
    let results = await together(
      database, [insert(1, "a"), insert(2, "a"), insert(3, "b"), insert(1, "c"), insert(4, "d")])
    let kinds = results.map { result in
      do {
        try result.get()
        return StorageError.Kind?.none
      } catch { return (error as? StorageError)?.kind }
    }
    #expect(kinds == [nil, .constraint(.unique), nil, .constraint(.primaryKey), nil])
    let ids = try await database.read { db in
      try db.rows("SELECT id FROM number ORDER BY id") { row in try row.read(0, as: Int.self) }
    }
    #expect(ids == [0, 1, 3, 4])
    await database.close()
  }

  @Test("a group in which all fail commits nothing")
  func allFail() async throws {
    let disk = try FaultDisk()
    let database = try await open(disk)
    let (commits, syncs) = (database.tally.commits, disk.counts.syncs)
    let results = await together(database, (1...5).map { _ in insert(0) })
    #expect(results.allSatisfy { (try? $0.get()) == nil })
    #expect(database.tally.commits == commits)
    #expect(disk.counts.syncs == syncs)
    try await database.write(insert(1))
    await database.close()
  }

  @Test("writes are run in the order of their calls")
  func order() async throws {
    let disk = try FaultDisk()
    let database = try await open(disk)
    _ = await together(
      database,
      (1...90).map { index in
        { db in try db.execute("INSERT INTO number (name) VALUES (?)", ["\(index)"]) }
      })
    let names = try await database.read { db in
      try db.rows("SELECT name FROM number WHERE id > 0 ORDER BY id") { row in try row.read(0, as: String.self) }
    }
    #expect(names == (1...90).map { "\($0)" })
    await database.close()
  }

  @Test("a statement that rolls back everything fails the group, and nobody is told a lie")
  func rollback() async throws {
    let disk = try FaultDisk()
    let database = try await open(disk)
    let results = await together(
      database,
      [
        insert(1), insert(2), { db in try db.execute("INSERT OR ROLLBACK INTO number (id) VALUES (0)") }, insert(3),
      ])
    let kinds = results.map { result in
      do {
        try result.get()
        return StorageError.Kind?.none
      } catch { return (error as? StorageError)?.kind }
    }
    #expect(kinds == [.rolledBack, .rolledBack, .constraint(.primaryKey), nil])
    let ids = try await database.read { db in
      try db.rows("SELECT id FROM number ORDER BY id") { row in try row.read(0, as: Int.self) }
    }
    #expect(ids == [0, 3])
    await database.close()
  }

  @Test("a closure that swallows the loss of its transaction cannot write outside of one", arguments: [0, 1])
  func swallowed(place: Int) async throws {
    let disk = try FaultDisk()
    let database = try await open(disk)
    let careless: @Sendable (DatabaseConnection) throws -> Void = { db in
      try? db.execute("INSERT OR ROLLBACK INTO number (id) VALUES (0)")
      try? db.execute("INSERT INTO number (id) VALUES (77)")
    }
    let results = await together(database, place == 0 ? [careless, insert(1)] : [insert(1), careless])
    #expect(throws: StorageError.self) { try results[place].get() }
    #expect(
      try await database.read { db in try db.value("SELECT count(*) FROM number WHERE id = 77", as: Int.self) } == 0)
    try await database.write(insert(2))
    await database.close()
  }

  @Test(
    "a closure cannot touch the transaction, the settings or other files",
    arguments: [
      "BEGIN", "COMMIT", "END", "ROLLBACK", "SAVEPOINT mine", "RELEASE one", "ROLLBACK TO one",
      "ATTACH ':memory:' AS other",
      "DETACH main", "VACUUM", "PRAGMA synchronous = OFF", "PRAGMA journal_mode = DELETE",
      "PRAGMA writable_schema = ON",
      "PRAGMA user_version = 9", "PRAGMA wal_checkpoint",
    ])
  func forbidden(sql: String) async throws {
    let disk = try FaultDisk()
    let database = try await open(disk)
    let results = await together(database, [insert(1), { db in try db.execute(SQL(trusted: sql)) }, insert(2)])
    #expect(throws: StorageError.self) { try results[1].get() }
    #expect(try await database.count("number") == 3)
    await database.close()
  }

  @Test("a closure may ask about the schema")
  func questions() async throws {
    let disk = try FaultDisk()
    let database = try await open(disk)
    let columns = try await database.read { db in
      try db.rows("SELECT name FROM pragma_table_info('number')") { row in try row.read(0, as: String.self) }
    }
    #expect(columns == ["id", "name"])
    await database.close()
  }

  @Test("full text search and R*Tree work under these settings")
  func virtualTables() async throws {
    let disk = try FaultDisk()
    let migrations = [
      Migration(
        "create",
        """
        CREATE VIRTUAL TABLE title USING fts5(text);
        CREATE VIRTUAL TABLE place USING rtree(id, west, east, south, north);
        """)
    ]
    let database = try await Database.open(disk.path, migrations: migrations, options: disk.options)
    try await database.write { db throws in
      try db.execute("INSERT INTO title (text) VALUES (?)", ["the host"])
      try db.execute("INSERT INTO place VALUES (1, 0, 1, 0, 1)")
    }
    try await database.read { db throws in
      #expect(try db.value("SELECT text FROM title WHERE title MATCH ?", ["host"]) == "the host")
      #expect(try db.value("SELECT id FROM place WHERE west < 0.5 AND east > 0.5") == 1)
    }
    await database.close()
  }
}
