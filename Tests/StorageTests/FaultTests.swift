import CFaultVFS
import Foundation
import Storage
import Testing

@Suite("A failing disk", .timeLimit(.minutes(5)))
struct FaultTests {
  /// What a run wrote and was told about.
  private actor Ledger {
    var acknowledged: Set<Int> = []

    func acknowledge(_ id: Int) { acknowledged.insert(id) }
  }

  /// What a disk's error may look like to a service. It is never taken for a damaged file or for a mistake of ours.
  private static func isExpected(_ error: any Error) -> Bool {
    switch (error as? StorageError)?.kind {
    case .inputOutput, .full, .cannotOpen, .rolledBack: true
    default: false
    }
  }

  private func options(_ disk: FaultDisk) -> DatabaseOptions {
    var options = disk.options
    options.limits.walPages = 4
    options.limits.busyTimeout = .milliseconds(20)
    options.limits.writerCacheBytes = 64 << 10
    return options
  }

  /// Opens, writes, reads, checkpoints. Every error must be an expected one; what was acknowledged is noted.
  private func run(_ disk: FaultDisk, _ ledger: Ledger, _ comment: Comment) async -> Database? {
    let database: Database
    do {
      database = try await Database.open(disk.path, migrations: numbers, options: options(disk))
    } catch {
      #expect(Self.isExpected(error), "\(comment): open: \(error)")
      return nil
    }
    for id in 1...4 {
      do {
        // Some of them are larger than a page, and one than what the writer keeps of a transaction.
        let name = "\(id)" + String(repeating: "n", count: id == 4 ? 300_000 : id % 2 * 9_000)
        try await database.write { db in try db.execute("INSERT INTO number (id, name) VALUES (?, ?)", [id, name]) }
        await ledger.acknowledge(id)
      } catch {
        #expect(Self.isExpected(error), "\(comment): write: \(error)")
      }
      do {
        _ = try await database.count("number")
      } catch {
        #expect(Self.isExpected(error), "\(comment): read: \(error)")
      }
    }
    _ = try? await database.checkpoint()
    return database
  }

  private func ids(_ database: Database) async throws -> Set<Int> {
    Set(try await database.read { db in try db.rows("SELECT id FROM number") { row in try row.read(0, as: Int.self) } })
  }

  @Test(
    "whichever call of the disk fails, the error is clean, nothing acknowledged is lost, and writes work again",
    arguments: [(fault_io_error, "EIO"), (fault_no_room, "ENOSPC"), (fault_short_write, "short write")], [false, true])
  func everyCall(fault: (kind: fault_kind, name: String), lasting: Bool) async throws {
    let healthy = try FaultDisk()
    let sound = Ledger()
    await run(healthy, sound, "without faults")?.close()
    #expect(await sound.acknowledged.count == 4)
    let calls = Int(healthy.counts.calls)
    #expect(calls > 50)

    var injected = 0
    for call in 1...calls {
      let disk = try FaultDisk()
      let ledger = Ledger()
      let comment: Comment = "\(fault.name) at call \(call)\(lasting ? " and on" : "")"
      disk.plan(fault.kind, at: call, lasting: lasting)
      let database = await run(disk, ledger, comment)
      if disk.counts.faults > 0 { injected += 1 }
      disk.heal()
      // Without a restart, if it was opened at all.
      if let database {
        try await database.write { db in try db.execute("INSERT INTO number (id) VALUES (100)") }
        await ledger.acknowledge(100)
        #expect(try await ids(database).isSuperset(of: ledger.acknowledged), comment)
        await database.close()
      }
      let reopened = try await Database.open(disk.path, migrations: numbers, options: options(disk))
      #expect(try await ids(reopened).isSuperset(of: ledger.acknowledged), comment)
      #expect(try await reopened.check() == [], comment)
      await reopened.close()
    }
    #expect(injected > calls / 4)
  }

  @Test("on a full disk writes say so, reads go on, and with room writes work again without a restart")
  func fullDisk() async throws {
    let disk = try FaultDisk()
    let database = try await Database.open(disk.path, migrations: numbers, options: options(disk))
    disk.setCapacity(1 << 20)
    var stored: Set<Int> = []
    for id in 1...600 {
      do {
        try await database.write { db in
          try db.execute(
            "INSERT INTO number (id, name) VALUES (?, ?)", [id, "\(id)" + String(repeating: "n", count: 1_000)])
        }
        stored.insert(id)
      } catch let error as StorageError {
        #expect(error.kind == .full, "\(error)")
      }
    }
    #expect(stored.count > 50)
    #expect(stored.count < 600)
    #expect(try await ids(database) == stored)
    #expect(disk.used <= 1 << 20)
    disk.setCapacity(.max)
    try await database.write { db in try db.execute("INSERT INTO number (id) VALUES (1000)") }
    stored.insert(1_000)
    #expect(try await ids(database) == stored)
    #expect(try await database.check() == [])
    await database.close()
  }

  @Test("a full disk fails one write of a group or all of it, and those that were acknowledged are there")
  func fullDiskInGroups() async throws {
    let disk = try FaultDisk()
    let database = try await Database.open(disk.path, migrations: numbers, options: options(disk))
    disk.setCapacity(1 << 20)
    let stored = await withTaskGroup(of: Int?.self) { group in
      for id in 1...600 {
        group.addTask {
          do {
            try await database.write { db in
              try db.execute(
                "INSERT INTO number (id, name) VALUES (?, ?)", [id, "\(id)" + String(repeating: "n", count: 1_000)])
            }
            return id
          } catch {
            #expect([.full, .rolledBack].contains((error as? StorageError)?.kind), "\(error)")
            return nil
          }
        }
      }
      return await group.reduce(into: Set<Int>()) { if let id = $1 { $0.insert(id) } }
    }
    #expect(!stored.isEmpty)
    #expect(stored.count < 600)
    #expect(try await ids(database) == stored)
    disk.setCapacity(.max)
    try await database.write { db in try db.execute("INSERT INTO number (id) VALUES (1000)") }
    #expect(try await database.check() == [])
    await database.close()
  }

  @Test("an error of the device at the commit says that the write may be there")
  func unknownOutcome() async throws {
    let disk = try FaultDisk()
    let database = try await Database.open(disk.path, migrations: numbers, options: options(disk))
    try await database.write { db in try db.execute("INSERT INTO number (id) VALUES (1)") }
    var unknown = 0
    for call in 1...6 {
      disk.plan(fault_io_error, at: call)
      do {
        try await database.write { db in try db.execute("INSERT INTO number (id) VALUES (?)", [call + 1]) }
      } catch let error as StorageError {
        #expect(error.kind == .inputOutput)
        if error.mayHaveBeenStored { unknown += 1 }
      }
      disk.heal()
    }
    #expect(unknown > 0)
    await database.close()
  }

  @Test("a bad sector under a running service is told as corrupt to those who read it")
  func badSector() async throws {
    let disk = try FaultDisk()
    let database = try await Database.open(disk.path, migrations: numbers, options: disk.options)
    try await database.write { db in
      for id in 1...5_000 { try db.execute("INSERT INTO number (id, name) VALUES (?, ?)", [id, "name \(id)"]) }
    }
    await database.close()
    let again = try await Database.open(disk.path, migrations: numbers, options: disk.options)
    let pages = Int(try await again.info().pages)
    for page in 4..<pages { #expect(disk.damage(at: page * 4_096, count: 64, seed: UInt64(page))) }
    #expect(await kind { try await again.read { db in try db.rows("SELECT name FROM number") { _ in } } } == .corrupt)
    await again.close()
    #expect(await kind { try await Database.open(disk.path, migrations: numbers, options: disk.options) } == .corrupt)
  }
}
