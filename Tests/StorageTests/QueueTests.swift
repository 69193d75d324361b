import Clocks
import Storage
import Testing

@Suite("Waiting, cancelling, closing", .timeLimit(.minutes(5)))
struct QueueTests {
  private func open(_ options: DatabaseOptions = .test) async throws -> (Database, TemporaryFolder) {
    let folder = try TemporaryFolder()
    return (try await Database.open(folder.file("q.db"), migrations: numbers, options: options), folder)
  }

  /// Never ends by itself.
  private static let endless: SQL =
    "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT count(*) FROM n"

  @Test("a write that waits leaves the queue when its task is cancelled, and is not stored")
  func cancelWaiting() async throws {
    let (database, folder) = try await open()
    let gate = Gate()
    async let slow: Void = database.write { _ in gate.pass() }
    await gate.reached()
    let waiting = Task { try await database.write { db in try db.execute("INSERT INTO number (id) VALUES (1)") } }
    await database.writesWaiting(1)
    waiting.cancel()
    // Before the writer has moved.
    #expect(await kind { try await waiting.value } == .cancelled)
    #expect(database.waiting.writes == 0)
    gate.open()
    try await slow
    #expect(try await database.count("number") == 0)
    await database.close()
    withExtendedLifetime(folder) {}
  }

  @Test("whoever leaves the queue, at its head, its end or between, takes nobody with them", arguments: 0..<4)
  func leaving(place: Int) async throws {
    let (database, folder) = try await open()
    let gate = Gate()
    async let slow: Void = database.write { _ in gate.pass() }
    await gate.reached()
    var tasks: [Task<Void, any Error>] = []
    for id in 0..<4 {
      tasks.append(
        Task { try await database.write { db in try db.execute("INSERT INTO number (id) VALUES (?)", [id]) } })
      await database.writesWaiting(id + 1)
    }
    tasks[place].cancel()
    #expect(await kind { try await tasks[place].value } == .cancelled)
    let last = Task { try await database.write { db in try db.execute("INSERT INTO number (id) VALUES (4)") } }
    await database.writesWaiting(4)
    gate.open()
    try await slow
    for (id, task) in tasks.enumerated() where id != place { try await task.value }
    try await last.value
    let ids = try await database.read { db in
      try db.rows("SELECT id FROM number ORDER BY id") { row in try row.read(0, as: Int.self) }
    }
    #expect(ids == [0, 1, 2, 3, 4].filter { $0 != place })
    await database.close()
    withExtendedLifetime(folder) {}
  }

  @Test("a task that is cancelled already never gets to the queue")
  func cancelledBefore() async throws {
    let (database, folder) = try await open()
    let ran = Count(0)
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      try await database.write { _ in ran.value = 1 }
    }
    #expect(await kind { try await task.value } == .cancelled)
    #expect(ran.value == 0)
    await database.close()
    withExtendedLifetime(folder) {}
  }

  @Test("a write that runs goes on to its end though its task is cancelled")
  func cancelRunning() async throws {
    let (database, folder) = try await open()
    let gate = Gate()
    let task = Task {
      try await database.write { db in
        gate.pass()
        try db.execute("INSERT INTO number (id) VALUES (1)")
      }
    }
    await gate.reached()
    task.cancel()
    gate.open()
    try await task.value
    #expect(try await database.count("number") == 1)
    await database.close()
    withExtendedLifetime(folder) {}
  }

  @Test("a read that runs stops when its task is cancelled, and its thread reads on for others")
  func cancelRunningRead() async throws {
    let (database, folder) = try await open()
    let begun = Count(0)
    let task = Task {
      try await database.read { db in
        begun.value = 1
        try db.execute(Self.endless)
      }
    }
    while begun.value == 0 { await Task.yield() }
    task.cancel()
    #expect(await kind { try await task.value } == .cancelled)
    #expect(try await database.count("number") == 0)
    await database.close()
    withExtendedLifetime(folder) {}
  }

  @Test("what is past its deadline is not begun, and a read that passes it on the way is stopped")
  func deadlines() async throws {
    var options = DatabaseOptions.test
    let clock = Count(1_000)
    options.now = { Instant(nanoseconds: UInt64(clock.value)) }
    let (database, folder) = try await open(options)
    let late = Instant(nanoseconds: 2_000)

    let gate = Gate()
    async let slow: Void = database.write { _ in gate.pass() }
    await gate.reached()
    async let queued = kind {
      try await database.write(deadline: late) { db in try db.execute("INSERT INTO number (id) VALUES (1)") }
    }
    await database.writesWaiting(1)
    clock.value = 2_001
    gate.open()
    try await slow
    #expect(await queued == .deadlineExceeded)
    #expect(await kind { try await database.read(deadline: late) { _ in } } == .deadlineExceeded)

    let running = await kind {
      try await database.read(deadline: Instant(nanoseconds: 3_000)) { db in
        clock.value = 3_001
        try db.execute(Self.endless)
      }
    }
    #expect(running == .deadlineExceeded)
    #expect(try await database.count("number") == 0)
    await database.close()
    withExtendedLifetime(folder) {}
  }

  @Test("a full queue refuses at once, and takes again when there is room")
  func bound() async throws {
    var options = DatabaseOptions.test
    options.limits.queuedWrites = 3
    let (database, folder) = try await open(options)
    let gate = Gate()
    async let slow: Void = database.write { _ in gate.pass() }
    await gate.reached()
    let waiting = (1...3).map { id in
      Task { try await database.write { db in try db.execute("INSERT INTO number (id) VALUES (?)", [id]) } }
    }
    await database.writesWaiting(3)
    #expect(await kind { try await database.write { _ in } } == .overloaded)
    #expect(database.tally.refusals == 1)
    gate.open()
    try await slow
    for task in waiting { try await task.value }
    try await database.write { db in try db.execute("INSERT INTO number (id) VALUES (4)") }
    #expect(try await database.count("number") == 4)
    await database.close()
    withExtendedLifetime(folder) {}
  }

  @Test("jobs that are cancelled in a queue make room in it")
  func cancelledRoom() async throws {
    var options = DatabaseOptions.test
    options.limits.queuedWrites = 2
    let (database, folder) = try await open(options)
    let gate = Gate()
    async let slow: Void = database.write { _ in gate.pass() }
    await gate.reached()
    for _ in 0..<100 {
      let tasks = (0..<2).map { _ in Task { try await database.write { _ in } } }
      await database.writesWaiting(2)
      for task in tasks { task.cancel() }
      for task in tasks { #expect(await kind { try await task.value } == .cancelled) }
    }
    gate.open()
    try await slow
    await database.close()
    withExtendedLifetime(folder) {}
  }

  @Test("reads go on while a long write runs, and do not see it before its commit")
  func readsDuringWrite() async throws {
    let (database, folder) = try await open()
    let gate = Gate()
    async let slow: Void = database.write { db in
      try db.execute("INSERT INTO number (id) VALUES (1)")
      gate.pass()
    }
    await gate.reached()
    for _ in 0..<20 { #expect(try await database.count("number") == 0) }
    gate.open()
    try await slow
    #expect(try await database.count("number") == 1)
    await database.close()
    withExtendedLifetime(folder) {}
  }

  @Test("a read sees one state from its first statement to its last, and holds up no other reader")
  func snapshot() async throws {
    var options = DatabaseOptions.test
    options.limits.readers = 2
    let (database, folder) = try await open(options)
    let gate = Gate()
    async let long = database.read { db in
      let before: Int = try db.value("SELECT count(*) FROM number") ?? -1
      gate.pass()
      return [before, try db.value("SELECT count(*) FROM number") ?? -1]
    }
    await gate.reached()
    for id in 1...5 {
      try await database.write { db in try db.execute("INSERT INTO number (id) VALUES (?)", [id]) }
      #expect(try await database.count("number") == id)
    }
    gate.open()
    #expect(try await long == [0, 0])
    await database.close()
    withExtendedLifetime(folder) {}
  }

  @Test("a read cannot write")
  func readOnly() async throws {
    let (database, folder) = try await open()
    #expect(
      await kind { try await database.read { db in try db.execute("INSERT INTO number (id) VALUES (1)") } } == .readOnly
    )
    #expect(try await database.count("number") == 0)
    await database.close()
    withExtendedLifetime(folder) {}
  }

  @Test("closing answers what waits, in order, and refuses what comes")
  func close() async throws {
    let (database, folder) = try await open()
    let path = database.path
    let gate = Gate()
    async let slow: Void = database.write { _ in gate.pass() }
    await gate.reached()
    let waiting = (1...20).map { id in
      Task { try await database.write { db in try db.execute("INSERT INTO number (id) VALUES (?)", [id]) } }
    }
    await database.writesWaiting(20)
    async let closed: Void = database.close()
    while await kindIfThrown({ try await database.read { _ in } }) != .closed { await Task.yield() }
    #expect(await kind { try await database.write { _ in } } == .closed)
    gate.open()
    try await slow
    for task in waiting { try await task.value }
    await closed
    // Closing again is as good.
    await database.close()

    let reopened = try await Database.open(path, migrations: numbers, options: .test)
    #expect(try await reopened.count("number") == 20)
    await reopened.close()
    withExtendedLifetime(folder) {}
  }

  private func kindIfThrown(_ body: () async throws -> Void) async -> StorageError.Kind? {
    do {
      try await body()
      return nil
    } catch { return (error as? StorageError)?.kind }
  }

  @Test("what a closure throws is what the caller catches, for reads and writes")
  func ownErrors() async throws {
    struct NoSuchFilm: Error, Equatable { let id: Int }
    let (database, folder) = try await open()
    await #expect(throws: NoSuchFilm(id: 7)) { try await database.read { _ in throw NoSuchFilm(id: 7) } }
    await #expect(throws: NoSuchFilm(id: 8)) { try await database.write { _ in throw NoSuchFilm(id: 8) } }
    await database.close()
    withExtendedLifetime(folder) {}
  }

  @Test("a database that is dropped without being closed lets its file go")
  func dropped() async throws {
    let folder = try TemporaryFolder()
    let path = folder.file("q.db")
    try await writeAndDrop(path)
    // Not closed: the threads end by themselves, and the lock goes with the last of them.
    while true {
      do {
        let reopened = try await Database.open(path, migrations: numbers, options: .test)
        #expect(try await reopened.count("number") == 1)
        await reopened.close()
        break
      } catch let error as StorageError where error.kind == .owned {
        await Task.yield()
      }
    }
    withExtendedLifetime(folder) {}
  }

  private func writeAndDrop(_ path: String) async throws {
    let database = try await Database.open(path, migrations: numbers, options: .test)
    try await database.write { db in try db.execute("INSERT INTO number (id) VALUES (1)") }
  }

  @Test("the WAL is emptied once nothing was written for a while")
  func idle() async throws {
    var options = DatabaseOptions.test
    options.limits.idle = .milliseconds(1)
    let (database, folder) = try await open(options)
    try await database.write { db in try db.execute("INSERT INTO number (id) VALUES (1)") }
    while try await database.info().walBytes > 0 { await Task.yield() }
    #expect(try await database.count("number") == 1)
    await database.close()
    withExtendedLifetime(folder) {}
  }

  @Test("under load the WAL is used again and keeps a bounded length")
  func checkpoints() async throws {
    var options = DatabaseOptions.test
    options.limits.walPages = 16
    let (database, folder) = try await open(options)
    for id in 1...300 {
      try await database.write { db in
        try db.execute("INSERT INTO number (id, name) VALUES (?, ?)", [id, "name \(id)"])
      }
    }
    #expect(database.tally.checkpoints > 5)
    #expect(try await database.info().walBytes < 64 * 4_120)
    await database.close()
    withExtendedLifetime(folder) {}
  }

  @Test("small commits are copied out of the WAL before they have filled it")
  func smallCommits() async throws {
    var options = DatabaseOptions.test
    options.limits.walCommits = 16
    let (database, folder) = try await open(options)
    for id in 1...300 { try await database.write { db in try db.execute("INSERT INTO number (id) VALUES (?)", [id]) } }
    #expect(database.tally.checkpoints > 5)
    #expect(try await database.info().walBytes < 64 * 4_120)
    await database.close()
    withExtendedLifetime(folder) {}
  }

  @Test("a reader that stays keeps the WAL growing only while it stays")
  func heldCheckpoint() async throws {
    var options = DatabaseOptions.test
    options.limits.walPages = 8
    options.limits.walPagesMax = 64
    options.limits.busyTimeout = .milliseconds(1)
    let (database, folder) = try await open(options)
    let gate = Gate()
    async let stays = database.read { db in
      _ = try db.value("SELECT count(*) FROM number", as: Int.self)
      gate.pass()
    }
    await gate.reached()
    for id in 1...100 { try await database.write { db in try db.execute("INSERT INTO number (id) VALUES (?)", [id]) } }
    gate.open()
    try await stays
    let long = try await database.info().walBytes
    #expect(long > 100 * 4_096)
    for id in 101...300 {
      try await database.write { db in try db.execute("INSERT INTO number (id) VALUES (?)", [id]) }
    }
    #expect(try await database.info().walBytes <= long + 64 * 4_120)
    await database.close()
    withExtendedLifetime(folder) {}
  }
}
