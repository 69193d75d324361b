import JSON
import Observability
import RPC
import ServiceKit
import ServiceStorage
import ServiceTestKit
import Storage
import TestKit
import Testing

private let first = Migration("rings", "CREATE TABLE ring (id INTEGER PRIMARY KEY, bell TEXT NOT NULL) STRICT")
private let second = Migration("loud", "ALTER TABLE ring ADD COLUMN loud INTEGER NOT NULL DEFAULT 0")

private enum ChimeAPI: RPCService { static let name = "chime" }

private struct Ring: RPCRequest {
  typealias Service = ChimeAPI
  typealias Response = Int
  static let method: MethodID = 0x7f01
  static let safety: Safety = .idempotent
  var bell: String
}

/// A service with a database, and `ring` as its only command of its own.
@MainActor
private func program(_ migrations: [Migration] = [first], limits: DatabaseLimits = .init()) -> ServiceProgram {
  let declaration = DatabaseDeclaration(of: "chime", applicationID: "ODch", migrations: migrations, limits: limits)
  let access = ServiceAccess(to: "chime")
  let bell = Parameter<String>.argument("BELL", "which")
  let ring = Command("ring", "ring a bell", takes: [bell] + access.parameters) { call, output in
    output.write("\(try await access.ask(Ring(bell: call[bell]), call, output))\n")
    return .done
  }
  return ServiceProgram(
    "chime", "rings", build: BuildInfo(version: "1"), port: 7_199,
    commands: [ring, DatabaseCommands(declaration).command]
  ) { environment in
    let database = ServiceDatabase(declaration, in: environment)
    let router = RPCRouter(service: "chime")
    router.on(Ring.self) { (request: Ring, _: CallContext) in
      try await database.opened.write { db in
        try db.execute("INSERT INTO ring (bell) VALUES (?)", [request.bell])
        return try db.value("SELECT count(*) FROM ring") ?? 0
      }
    }
    database.answerAdministrators(on: router)
    return [database, CallServer(router, in: environment)]
  }
}

@Suite("Service database")
@MainActor
struct ServiceDatabaseTests {
  @Test("is in the data folder, and keeps what was written when the service starts again")
  func restart() async throws {
    let folder = try TemporaryFolder()
    try await ServiceRig.run(program(), folder: folder) { rig in
      #expect(await rig.command("ring", "big").output == "1\n")
    }
    #expect(folder.has("chime.sqlite"))
    try await ServiceRig.run(program(), folder: folder) { rig in
      #expect(await rig.command("ring", "small").output == "2\n")
    }
  }

  @Test("tells when its file is too large to be checked at each start")
  func unchecked() async throws {
    let folder = try TemporaryFolder()
    try await ServiceRig.run(program(), folder: folder) { rig in
      _ = await rig.command("ring", "big")
      #expect(!rig.log.lines.contains { $0.contains("too large") })
    }
    var limits = DatabaseLimits()
    limits.quickCheckBytes = 4_096
    try await ServiceRig.run(program(limits: limits), folder: folder) { rig in
      #expect(rig.log.lines.contains { $0.contains("too large to be checked") && $0.contains("odi-chime db check") })
    }
  }

  @Test("is copied before a new build changes its schema, once")
  func beforeMigrating() async throws {
    let folder = try TemporaryFolder()
    try await ServiceRig.run(program(), folder: folder) { rig in _ = await rig.command("ring", "big") }
    let rig = try ServiceRig(program([first, second]), folder: folder)
    let plan = await rig.command("db", "migrate", "--plan")
    #expect(plan.output == "loud\n" && plan.errors == "1 to do\n")
    #expect(!folder.has("chime.sqlite.before-2"))
    try await rig.start()
    #expect(rig.log.lines.contains { $0.contains("backed up before migrating") })
    #expect(await rig.command("ring", "small").output == "2\n")
    await rig.stop()
    let old = try ServiceRig(program(), folder: folder)
    let copy = await old.command("db", "verify", folder.file("chime.sqlite.before-2"), "--json")
    #expect(try JSONValue(parsing: copy.output)["schema_version"] == 1)
    #expect(try JSONValue(parsing: copy.output)["counts"]?["ring"] == 1)
  }

  @Test("is copied before each upgrade of what it is then, and once however often an upgrade is begun")
  func upgradedAgain() async throws {
    let folder = try TemporaryFolder()
    try await ServiceRig.run(program(), folder: folder) { rig in _ = await rig.command("ring", "big") }
    let broken = Migration("loud", "ALTER TABLE ring ADD COLUMN loud INTEGER NOT NULL DEFAULT 0; SELECT nothing")
    for _ in 1...2 {
      await #expect(throws: StorageError.self) { @MainActor in
        try await ServiceRig.run(program([first, broken]), folder: folder) { _ in }
      }
    }
    #expect(folder.has("chime.sqlite.before-2") && !folder.has("chime.sqlite.before-2-2"))
    // The build of before goes on, and much is written until the next upgrade.
    try await ServiceRig.run(program(), folder: folder) { rig in _ = await rig.command("ring", "small") }
    try await ServiceRig.run(program([first, second]), folder: folder) { _ in }
    let old = try ServiceRig(program(), folder: folder)
    for (name, rings) in [("chime.sqlite.before-2", 1), ("chime.sqlite.before-2-2", 2)] {
      let copy = await old.command("db", "verify", folder.file(name), "--json")
      #expect(try JSONValue(parsing: copy.output)["counts"]?["ring"]?.int == rings, "\(name): \(copy.errors)")
    }
  }

  @Test("a disk that is full while a commit is synced may have stored it, and the caller is told so")
  func fullAtCommit() async throws {
    let disk = try FaultDisk(seed: 1)
    var options = DatabaseOptions(applicationID: "ODch")
    options.vfs = disk.name
    let database = try await Database.open(disk.path, migrations: [first], options: options)
    var told: [RPCError] = []
    for call in 1...6 {
      disk.runFull(at: call)
      do {
        try await database.write { db in try db.execute("INSERT INTO ring (bell) VALUES ('big')") }
      } catch let error as StorageError {
        #expect((error.rpcError.executed == .maybe) == error.mayHaveBeenStored, "\(error)")
        told.append(error.rpcError)
      }
      disk.heal()
    }
    let unknown = told.filter { $0.executed == .maybe }
    #expect(!unknown.isEmpty && unknown.allSatisfy { !$0.message.contains("nothing was stored") }, "\(told)")
    await database.close()
  }

  @Test("a build that is older than the database is refused with what to do")
  func downgrade() async throws {
    let folder = try TemporaryFolder()
    try await ServiceRig.run(program([first, second]), folder: folder) { _ in }
    await #expect(throws: StorageError.self) { @MainActor in
      try await ServiceRig.run(program(), folder: folder) { _ in }
    }
  }
}

@Suite("Database commands")
@MainActor
struct DatabaseCommandTests {
  @Test("info tells what is in it, of the running service and of a file that nobody has open")
  func info() async throws {
    let folder = try TemporaryFolder()
    try await ServiceRig.run(program(), folder: folder) { rig in
      _ = await rig.command("ring", "big")
      let info = try JSONValue(parsing: await rig.command("db", "info", "--json").output)
      #expect(info["schema_version"] == 1 && info["schema"] == "rings" && info["durability"] == "full")
      #expect(info["counts"]?["ring"] == 1)
      #expect(await rig.command("db", "check").code == .done)
      #expect(await rig.command("db", "vacuum").code == .done)
    }
    let rig = try ServiceRig(program(), folder: folder)
    let offline = await rig.command("db", "info", "--json")
    #expect(try JSONValue(parsing: offline.output)["counts"]?["ring"] == 1)
    #expect(offline.errors.hasPrefix("odi-chime does not run"))
    #expect(await rig.command("db", "check").code == .done)
  }

  @Test("a question in SQL is answered beside the running service, and nothing but questions")
  func shell() async throws {
    try await ServiceRig.run(program()) { rig in
      for bell in ["big", "small"] { _ = await rig.command("ring", bell) }
      let answer = await rig.command("db", "shell", "SELECT bell, length(bell) AS n FROM ring ORDER BY bell", "--tsv")
      #expect(answer.output == "bell\tn\nbig\t3\nsmall\t5\n", "\(answer.errors)")
      let cut = await rig.command("db", "shell", "SELECT bell FROM ring", "--limit", "1", "--json")
      let rows = try JSONValue(parsing: cut.output)["data"]?.array
      #expect(rows?.count == 1 && cut.errors.contains("more rows"))
      let other = rig.folder.file("other.sqlite")
      for text in [
        "DELETE FROM ring", "DROP TABLE ring", "INSERT INTO ring (bell) VALUES ('x')", "ATTACH '\(other)' AS other",
        "PRAGMA user_version = 7", "PRAGMA journal_mode = DELETE", "SELECT load_extension('x')",
        "VACUUM INTO '\(other)'",
        "SELECT 1; SELECT 2", "nonsense",
      ] {
        let refused = await rig.command("db", "shell", text)
        #expect(refused.code != .done && refused.output.isEmpty, "\(text): \(refused.output)")
      }
      #expect(!rig.folder.has("other.sqlite"))
      let endless = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n"
      let ended = await rig.command("db", "shell", endless, "--within", "50ms")
      #expect(ended.code == .timedOut && ended.errors.contains("with a longer --within"), "\(ended.errors)")
      let wrong = await rig.command("db", "shell", "SELECT colour FROM ring")
      #expect(wrong.errors.hasPrefix("error: no such column: colour"), "\(wrong.errors)")
      #expect(await rig.command("ring", "third").output == "3\n")
    }
  }

  @Test("without a database there is nothing to tell")
  func missing() async throws {
    let rig = try ServiceRig(program())
    let info = await rig.command("db", "info")
    #expect(info.code == .notFound && info.errors.contains("try: odi-chime serve"))
  }

  @Test("a backup of the running service comes back whole, and what it replaced is kept")
  func backupAndRestore() async throws {
    let folder = try TemporaryFolder()
    let copy = folder.file("copy.sqlite")
    try await ServiceRig.run(program(), folder: folder) { rig in
      _ = await rig.command("ring", "big")
      let backup = await rig.command("db", "backup", copy, "--json")
      #expect(backup.code == .done, "\(backup.errors)")
      let report = try JSONValue(parsing: backup.output)
      #expect(report["counts"]?["ring"] == 1)
      #expect(await rig.command("db", "backup", copy).errors.contains("choose another name"))
      _ = await rig.command("ring", "small")
      let early = await rig.command("db", "restore", copy, "--yes")
      #expect(early.code == .conflict && early.errors.contains("odi-chime is running"))
    }
    let rig = try ServiceRig(program(), folder: folder)
    #expect(await rig.command("db", "restore", copy).code == .usage)
    let restored = await rig.command("db", "restore", copy, "--yes", "--json")
    #expect(restored.code == .done, "\(restored.errors)")
    #expect(folder.has("chime.sqlite.replaced"))
    try await rig.start()
    #expect(await rig.command("ring", "next").output == "2\n")
    await rig.stop()
  }

  @Test("a file of another service or of none is refused")
  func wrongFiles() async throws {
    let rig = try ServiceRig(program())
    let text = try rig.folder.write("no database at all, but long enough to look into", to: "text")
    #expect(await rig.command("db", "verify", text).code == .degraded)
    #expect(await rig.command("db", "restore", text, "--yes").code == .degraded)
    #expect(await rig.command("db", "verify", rig.folder.file("nothing")).code == .notFound)
  }

  @Test("migrate does what a start would do")
  func migrate() async throws {
    let rig = try ServiceRig(program([first, second]))
    let done = await rig.command("db", "migrate")
    #expect(done.code == .done && done.output == "rings\nloud\n" && done.errors == "2 done\n")
    #expect(await rig.command("db", "migrate").errors == "nothing to do\n")
  }
}

@Suite("Storage errors")
struct StorageErrorTests {
  @Test("a caller is told what to do, and nothing of how the database is built")
  func convertible() {
    var error = StorageError(.constraint(.foreignKey), "FOREIGN KEY constraint failed")
    error.sql = "INSERT INTO secret_table VALUES (?)"
    #expect(RPCError(handler: error).code == .internal)
    #expect(!RPCError(handler: error).message.contains("secret_table"))
    #expect(RPCError(handler: StorageError(.overloaded, "")).code == .resourceExhausted)
    for kind in [StorageError.Kind.overloaded, .full] {
      #expect(RPCError(handler: StorageError(kind, "")).retryAfter != nil, "a quota is what names no time")
    }
    var torn = StorageError(.inputOutput, "disk I/O error")
    #expect(RPCError(handler: torn).executed == .no)
    torn.mayHaveBeenStored = true
    #expect(RPCError(handler: torn).executed == .maybe)
  }
}
