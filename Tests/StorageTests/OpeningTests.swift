import Foundation
import Testing

@testable import Storage

@Suite("Opening and migrating", .timeLimit(.minutes(5)))
struct OpeningTests {
  let folder: TemporaryFolder
  var path: String { folder.file("o.db") }

  init() throws { folder = try TemporaryFolder() }

  private func open(_ migrations: [Migration] = numbers, _ options: DatabaseOptions = .test) async throws -> Database {
    try await Database.open(path, migrations: migrations, options: options)
  }

  private func message(_ body: () async throws -> Database) async -> String {
    do {
      await (try await body()).close()
      return "nothing was thrown"
    } catch let error as StorageError {
      return "\(error.kind): \(error.message)"
    } catch {
      return "\(error)"
    }
  }

  @Test("a second owner is refused, and told who the first is")
  func owner() async throws {
    let database = try await open()
    let refusal = await message { try await open() }
    #expect(refusal.hasPrefix("owned: \(path) is in use by process \(getpid()) on "))
    await database.close()
    await (try await open()).close()
  }

  @Test("another may read beside the owner, sees what that one commits, and cannot write")
  func following() async throws {
    let database = try await open()
    let follower = try await Database.follow(path, migrations: numbers, options: .test)
    try await database.write { db throws in try db.execute("INSERT INTO number (name) VALUES ('seven')") }
    #expect(try await follower.read { db throws in try db.value("SELECT count(*) FROM number") } == 1)
    let refusal = await #expect(throws: StorageError.self) {
      try await follower.write { db throws in try db.execute("INSERT INTO number (name) VALUES ('eight')") }
    }
    #expect(refusal?.kind == .closed)
    await follower.close()
    try await database.write { db throws in try db.execute("INSERT INTO number (name) VALUES ('nine')") }
    await database.close()
    var other = DatabaseOptions.test
    other.applicationID = "Else"
    let stranger = await message { [other] in try await Database.follow(path, migrations: numbers, options: other) }
    #expect(stranger.hasPrefix("incompatible: "))
  }

  @Test("the settings are those of the README")
  func settings() async throws {
    let database = try await open()
    try await database.read { db throws in
      #expect(try db.value("PRAGMA journal_mode") == "wal")
      #expect(try db.value("PRAGMA application_id") == 0x5465_7374)
      #expect(try db.value("PRAGMA user_version") == 1)
      try expectSettingsOfBoth(db)
    }
    try await database.write { db throws in
      #expect(try db.value("PRAGMA synchronous") == 2)
      #expect(try setting("secure_delete", db) == 2)
      #expect(try setting("journal_size_limit", db) == 64 << 20)
      #expect(try setting("max_page_count", db) == (16 << 30) / 4_096)
      #expect(try setting("wal_autocheckpoint", db) == 0)
      try expectSettingsOfBoth(db)
    }
    await database.close()
  }

  @Test("what people want erased is overwritten when a database is opened for that")
  func overwriting() async throws {
    var options = DatabaseOptions.test
    options.overwritesFreedPages = true
    let database = try await open(numbers, options)
    try await database.write { db throws in #expect(try setting("secure_delete", db) == 1) }
    await database.close()
  }

  private func expectSettingsOfBoth(_ db: DatabaseConnection) throws {
    #expect(try db.value("PRAGMA foreign_keys") == 1)
    #expect(try setting("busy_timeout", db) == 2_000)
    #expect(try setting("trusted_schema", db) == 0)
    #expect(try setting("cell_size_check", db) == 1)
    #expect(try setting("temp_store", db) == 2)
    // DEFENSIVE: the schema cannot be made writable, not even by statements of ours.
    _ = try setting("writable_schema = ON", db)
    #expect(throws: StorageError.self) {
      try db.withTrust { try db.execute("UPDATE sqlite_schema SET sql = sql") }
    }
    // DQS: a misspelt column is no string.
    #expect(throws: StorageError.self) { try db.value("SELECT \"misspelt\"", as: String.self) }
  }

  /// What a closure may not ask for itself.
  private func setting(_ name: String, _ db: DatabaseConnection) throws -> Int? {
    try db.withTrust { try db.value(SQL(trusted: "PRAGMA \(name)")) }
  }

  @Test("the file is its owner's alone")
  func rights() async throws {
    let database = try await open()
    try await database.write { db in try db.execute("INSERT INTO number (id) VALUES (1)") }
    for tail in ["", "-wal", "-shm", "-owner"] {
      let rights = try FileManager.default.attributesOfItem(atPath: path + tail)[.posixPermissions] as? Int
      #expect(rights == 0o600, "\(tail)")
    }
    await database.close()
  }

  @Test("closing leaves one file and the name of the owner")
  func tidy() async throws {
    let database = try await open()
    try await database.write { db in try db.execute("INSERT INTO number (id) VALUES (1)") }
    await database.close()
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() == ["o.db", "o.db-owner"])
  }

  @Test("a folder that is not there, and a file that is none, are named")
  func cannotOpen() async throws {
    let missing = folder.file("no/such/folder.db")
    let refusal = await message { try await Database.open(missing, migrations: numbers, options: .test) }
    #expect(refusal == "cannotOpen: cannot open \(missing)-owner: No such file or directory")
    #expect(await kind { try await Database.open(folder.path, migrations: numbers, options: .test) } == .cannotOpen)
  }

  @Test("a file of something else is corrupt, and is not touched", arguments: [100, 5_000])
  func notADatabase(bytes: Int) async throws {
    let garbage = Data((0..<bytes).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ 7) })
    try garbage.write(to: URL(filePath: path))
    #expect(await kind { try await open() } == .corrupt)
    #expect(try Data(contentsOf: URL(filePath: path)) == garbage)
  }

  @Test("damage is found before anybody is served from it")
  func damaged() async throws {
    let database = try await open()
    try await database.write { db in
      for id in 1...2_000 { try db.execute("INSERT INTO number (id, name) VALUES (?, ?)", [id, "name \(id)"]) }
    }
    await database.close()
    var bytes = try Data(contentsOf: URL(filePath: path))
    // Any page but the first, whose header says that it is a database at all.
    for page in 3..<6 {
      bytes.replaceSubrange(page * 4_096..<(page * 4_096 + 200), with: [UInt8](repeating: 0x5A, count: 200))
    }
    try bytes.write(to: URL(filePath: path))
    let refusal = await message { try await open() }
    #expect(refusal.hasPrefix("corrupt: the database is damaged ("))
    #expect(refusal.hasSuffix("restore a backup"))
  }

  @Test("another service's database is refused by its id")
  func otherService() async throws {
    await (try await open()).close()
    var options = DatabaseOptions.test
    options = DatabaseOptions(applicationID: "Film")
    #expect(
      await message { try await open(numbers, options) }
        == "incompatible: this is a database of “Test” and “Film” was expected; check the path")
  }

  @Test("what cannot be opened is refused, as often as it is tried")
  func missing() async {
    var options = DatabaseOptions.test
    options.vfs = "unix"
    for _ in 0..<20 {
      #expect(await kind { try await Database.plan(path, migrations: numbers, options: options) } == .cannotOpen)
    }
  }

  private static let two = numbers + [Migration("add film", "CREATE TABLE film (id TEXT PRIMARY KEY) STRICT")]
  private static let three =
    two + [
      Migration(
        "add view", "CREATE TABLE view (film TEXT NOT NULL REFERENCES film); INSERT INTO film VALUES ('first')")
    ]

  @Test("pending migrations are listed, then run once, in order")
  func growing() async throws {
    #expect(
      try await Database.plan(path, migrations: numbers, options: .test)
        == MigrationPlan(applied: [], pending: ["create number"]))
    await (try await open()).close()
    let plan = try await Database.plan(path, migrations: Self.three, options: .test)
    #expect(plan == MigrationPlan(applied: ["create number"], pending: ["add film", "add view"]))
    for _ in 0..<2 {
      let database = try await open(Self.three)
      #expect(try await database.count("film") == 1)
      #expect(try await database.info().migrations == ["create number", "add film", "add view"])
      await database.close()
    }
    #expect(try await Database.plan(path, migrations: Self.three, options: .test).pending == [])
  }

  @Test("a plan can be made while the database is open")
  func planWhileOpen() async throws {
    let database = try await open()
    #expect(try await Database.plan(path, migrations: Self.two, options: .test).pending == ["add film"])
    await database.close()
  }

  @Test("an edited migration is refused with what to do")
  func edited() async throws {
    await (try await open(Self.two)).close()
    let edited = [Migration("create number", "CREATE TABLE number (id INTEGER PRIMARY KEY) STRICT"), Self.two[1]]
    #expect(
      await message { try await open(edited) }
        == "incompatible: migration 1 “create number” was edited after it ran here; restore its text and append a new one"
    )
  }

  @Test("a reordered or renamed list is refused")
  func reordered() async throws {
    await (try await open(Self.two)).close()
    #expect(
      await message { try await open(Self.two.reversed()) }
        == "incompatible: migration 1 of this database is “create number” and of this build “add film”; put the list back in its old order and append"
    )
  }

  @Test("a newer database is refused by an older build, and is left as it was")
  func newer() async throws {
    await (try await open(Self.three)).close()
    #expect(
      await message { try await open(Self.two) }
        == "incompatible: the database has had migration 3 “add view” and this build knows 2; run the newer build, or restore a backup of before"
    )
    await (try await open(Self.three)).close()
  }

  @Test("a migration that fails leaves no trace, and those before it stay")
  func failing() async throws {
    let broken = Self.two + [Migration("break", "CREATE TABLE half (id INTEGER); INSERT INTO nowhere VALUES (1)")]
    let refusal = await message { try await open(broken) }
    #expect(refusal == "misuse: migration 3 “break” failed and left no trace: no such table: nowhere")
    let database = try await open(Self.two)
    #expect(
      try await database.read { db in try db.value("SELECT count(*) FROM sqlite_schema WHERE name = 'half'") } == 0)
    await database.close()
  }

  @Test("a migration may rebuild a table that others refer to, and may not leave dangling rows")
  func rebuilding() async throws {
    let database = try await open(Self.three)
    try await database.write { db in try db.execute("INSERT INTO view VALUES ('first')") }
    await database.close()
    let rebuilt =
      Self.three + [
        Migration(
          "rebuild film",
          """
          CREATE TABLE film_new (id TEXT PRIMARY KEY, title TEXT) STRICT;
          INSERT INTO film_new (id) SELECT id FROM film;
          DROP TABLE film;
          ALTER TABLE film_new RENAME TO film;
          """)
      ]
    let again = try await open(rebuilt)
    #expect(try await again.count("view") == 1)
    #expect(
      await kind { try await again.write { db in try db.execute("INSERT INTO view VALUES ('none')") } }
        == .constraint(.foreignKey))
    await again.close()
    #expect(
      await kind { try await open(rebuilt + [Migration("empty film", "DELETE FROM film")]) } == .constraint(.foreignKey)
    )
  }

  @Test("a migration cannot end its own transaction")
  func escaping() async throws {
    #expect(
      await kind { try await open([Migration("escape", "CREATE TABLE a (x); COMMIT; CREATE TABLE b (x)")]) } == .misuse)
    let plan = try await Database.plan(path, migrations: numbers, options: .test)
    #expect(plan.applied == [])
  }

  @Test("a limit on the size of the file is a full disk: reads go on, and room makes writes work again")
  func sizeLimit() async throws {
    var options = DatabaseOptions.test
    options.limits.databaseBytes = 40 * 4_096
    let database = try await open(numbers, options)
    let name = String(repeating: "x", count: 1_000)
    var stored = 0
    let refusal = await kind {
      while stored < 10_000 {
        let id = stored
        try await database.write { db throws in
          try db.execute("INSERT INTO number (id, name) VALUES (?, ?)", [id, "\(id)\(name)"])
        }
        stored += 1
      }
    }
    #expect(refusal == .full)
    #expect(stored > 10)
    #expect(try await database.count("number") == stored)
    try await database.write { db in try db.execute("DELETE FROM number WHERE id < 10") }
    try await database.write { db in try db.execute("INSERT INTO number (id, name) VALUES (1, ?)", [name]) }
    #expect(try await database.check() == [])
    await database.close()
  }
}
