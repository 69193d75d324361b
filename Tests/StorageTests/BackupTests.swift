import Foundation
import Storage
import Testing

@Suite("Backup, restore, maintenance", .timeLimit(.minutes(5)))
struct BackupTests {
  let folder: TemporaryFolder
  var path: String { folder.file("b.db") }

  init() throws { folder = try TemporaryFolder() }

  private func open(rows: Int, _ options: DatabaseOptions = .test) async throws -> Database {
    let database = try await Database.open(path, migrations: numbers, options: options)
    try await database.write { db in
      for id in 0..<rows { try db.execute("INSERT INTO number (id, name) VALUES (?, ?)", [id, "name \(id)"]) }
    }
    return database
  }

  private func contents(_ database: Database) async throws -> [String] {
    try await database.read { db in
      try db.rows("SELECT id || name FROM number ORDER BY id") { row in try row.read(0, as: String.self) }
    }
  }

  private var files: [String] {
    get throws { try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() }
  }

  @Test("a backup is one consistent state, though writers go on from its first page to its last")
  func underLoad() async throws {
    var options = DatabaseOptions.test
    options.limits.backupPages = 1
    let database = try await open(rows: 2_000, options)
    let copied = folder.file("copy.db")
    let (steps, written, isOver) = (Count(0), Count(2_000), Count(0))
    let report = try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask {
        while isOver.value == 0 {
          let id = written.value
          try await database.write { db in
            try db.execute("INSERT INTO number (id, name) VALUES (?, ?)", [id, "name \(id)"])
          }
          written.value = id + 1
        }
      }
      let report = try await database.backUp(to: copied) { progress in
        steps.value += 1
        // The copy stands still until somebody has written: so it is written between any two pages.
        let before = written.value
        while written.value == before {}
        #expect(progress.copiedPages <= progress.pages)
      }
      isOver.value = 1
      try await group.waitForAll()
      return report
    }
    let (pages, all) = (steps.value, written.value)
    #expect(pages > 10)
    #expect(all >= 2_000 + pages)
    let rows = try #require(report.rows["number"])
    #expect((2_000...all).contains(rows))
    #expect(report.migrations == ["create number"])

    let copy = try await Database.open(copied, migrations: numbers, options: .test)
    #expect(try await contents(copy) == (0..<rows).map { "\($0)name \($0)" })
    await copy.close()
    await database.close()
  }

  @Test("a restored database equals the one that was backed up, and the replaced one stays beside it")
  func restore() async throws {
    let database = try await open(rows: 500)
    let backup = folder.file("good.backup")
    let report = try await database.backUp(to: backup)
    let wanted = try await contents(database)
    try await database.write { db in try db.execute("DELETE FROM number WHERE id > 10") }
    await database.close()

    let restored = try await Database.restore(from: backup, to: path, migrations: numbers, options: .test)
    #expect(restored.rows == report.rows)
    let again = try await Database.open(path, migrations: numbers, options: .test)
    #expect(try await contents(again) == wanted)
    #expect(try await again.check() == [])
    await again.close()
    let replaced = try await Database.open(path + ".replaced", migrations: numbers, options: .test)
    #expect(try await replaced.count("number") == 11)
    await replaced.close()
    // Once more: what was set aside before is not lost.
    _ = try await Database.restore(from: backup, to: path, migrations: numbers, options: .test)
    let first = try await Database.open(path + ".replaced", migrations: numbers, options: .test)
    #expect(try await first.count("number") == 11)
    await first.close()
    let second = try await Database.open(path + ".replaced.2", migrations: numbers, options: .test)
    #expect(try await second.count("number") == 500)
    await second.close()
  }

  @Test("a restore works where nothing was, and over a file that is broken")
  func restoreOverNothing() async throws {
    let database = try await open(rows: 5)
    let backup = folder.file("good.backup")
    _ = try await database.backUp(to: backup)
    try await database.write { db in
      for id in 100..<200 { try db.execute("INSERT INTO number (id) VALUES (?)", [id]) }
    }
    // A WAL with commits in it, which SQLite would replay into whatever file it finds beside it.
    let stale = try Data(contentsOf: URL(filePath: path + "-wal"))
    await database.close()
    let fresh = folder.file("fresh.db")
    _ = try await Database.restore(from: backup, to: fresh, migrations: numbers, options: .test)
    try Data(repeating: 7, count: 9_000).write(to: URL(filePath: path))
    try stale.write(to: URL(filePath: path + "-wal"))
    _ = try await Database.restore(from: backup, to: path, migrations: numbers, options: .test)
    for name in [fresh, path] {
      let restored = try await Database.open(name, migrations: numbers, options: .test)
      #expect(try await restored.count("number") == 5)
      await restored.close()
    }
  }

  @Test("a restore is refused while the database is open, and changes nothing")
  func restoreWhileOpen() async throws {
    let database = try await open(rows: 5)
    let backup = folder.file("good.backup")
    _ = try await database.backUp(to: backup)
    #expect(
      await kind { try await Database.restore(from: backup, to: path, migrations: numbers, options: .test) } == .owned)
    #expect(try await database.count("number") == 5)
    await database.close()
  }

  @Test("a damaged, foreign or newer backup is refused before anything is replaced")
  func badBackups() async throws {
    let database = try await open(rows: 3_000)
    let backup = folder.file("bad.backup")
    _ = try await database.backUp(to: backup)
    let wanted = try await contents(database)
    await database.close()

    #expect(
      await kind {
        try await Database.restore(
          from: backup, to: path, migrations: numbers, options: DatabaseOptions(applicationID: "Film"))
      } == .incompatible)
    #expect(
      await kind { try await Database.restore(from: backup, to: path, migrations: [], options: .test) } == .incompatible
    )
    var bytes = try Data(contentsOf: URL(filePath: backup))
    bytes.replaceSubrange(5 * 4_096..<6 * 4_096, with: [UInt8](repeating: 0x5A, count: 4_096))
    try bytes.write(to: URL(filePath: backup))
    #expect(await kind { try await Database.verify(backup, migrations: numbers, options: .test) } == .corrupt)
    #expect(
      await kind { try await Database.restore(from: backup, to: path, migrations: numbers, options: .test) } == .corrupt
    )

    let same = try await Database.open(path, migrations: numbers, options: .test)
    #expect(try await contents(same) == wanted)
    await same.close()
  }

  @Test("a backup does not replace a file, and one that is cancelled leaves none")
  func notReplacing() async throws {
    var options = DatabaseOptions.test
    options.limits.backupPages = 1
    let database = try await open(rows: 2_000, options)
    let copied = folder.file("copy.db")
    try Data("precious".utf8).write(to: URL(filePath: copied))
    #expect(await kind { try await database.backUp(to: copied) } == .cannotOpen)
    #expect(try Data(contentsOf: URL(filePath: copied)) == Data("precious".utf8))

    let other = folder.file("other.db")
    let begun = Gate()
    let task = Task {
      try await database.backUp(to: other) { progress in if progress.copiedPages == 1 { begun.pass() } }
    }
    await begun.reached()
    task.cancel()
    begun.open()
    #expect(await kind { try await task.value } == .cancelled)
    #expect(try !files.contains { $0.hasPrefix("other") })
    await database.close()
  }

  @Test("a backup that runs gives up when the database is closed")
  func closing() async throws {
    var options = DatabaseOptions.test
    options.limits.backupPages = 1
    let database = try await open(rows: 2_000, options)
    let begun = Gate()
    let backup = Task { [path = folder.file("late.db")] in
      try await database.backUp(to: path) { progress in if progress.copiedPages == 1 { begun.pass() } }
    }
    await begun.reached()
    async let closed: Void = database.close()
    while await kindOfRead(database) != .closed { await Task.yield() }
    begun.open()
    #expect(await kind { try await backup.value } == .closed)
    await closed
    #expect(try !files.contains { $0.hasPrefix("late") })
  }

  private func kindOfRead(_ database: Database) async -> StorageError.Kind? {
    do {
      try await database.read { _ in }
      return nil
    } catch { return (error as? StorageError)?.kind }
  }

  @Test("vacuum gives the free pages back, and reads go on with the same rows")
  func vacuum() async throws {
    let database = try await open(rows: 5_000)
    try await database.write { db in try db.execute("DELETE FROM number WHERE id >= 50") }
    let before = try await database.info()
    #expect(before.freePages > 10)
    try await database.vacuum()
    let after = try await database.info()
    #expect(after.freePages == 0)
    #expect(after.pages < before.pages)
    #expect(after.bytes == after.pages * after.pageSize)
    #expect(try await contents(database) == (0..<50).map { "\($0)name \($0)" })
    try await database.write { db in try db.execute("INSERT INTO number (id) VALUES (50)") }
    await database.close()
  }

  @Test("info says what there is")
  func info() async throws {
    let database = try await open(rows: 10)
    let info = try await database.info()
    #expect(info.applicationID.description == "Test")
    #expect(info.pageSize == 4_096)
    #expect(info.journalMode == "wal")
    #expect(info.walBytes > 0)
    #expect(info.tally.writes == 1)
    let checkpoint = try await database.checkpoint()
    #expect(checkpoint.isComplete)
    #expect(try await database.info().walBytes == 0)
    #expect(try await database.info().bytes == info.pages * info.pageSize)
    await database.close()
  }

  @Test("check finds what the quick look at the start does not: an index that is not its table's")
  func check() async throws {
    let database = try await open(rows: 100)
    #expect(try await database.check() == [])
    await database.close()
    var bytes = try Data(contentsOf: URL(filePath: path))
    // It stands in the table and in the index: one of the two is changed.
    let place = try #require(bytes.range(of: Data("name 42".utf8)))
    bytes.replaceSubrange(place, with: Data("name 4X".utf8))
    try bytes.write(to: URL(filePath: path))
    let damaged = try await Database.open(path, migrations: numbers, options: .test)
    #expect(try await !damaged.check().isEmpty)
    await damaged.close()
  }
}
