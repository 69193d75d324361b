import Clocks
import EventLoops
import Glibc
import JSON
import ServiceKit
import ServiceTestKit
import Supervisor
import Testing

/// Backups of a suite, and what is put back from them; one after another with its other tests.
extension SuiteTests {
  @Test("what a backup holds comes back after everything is lost, and a damaged backup is refused")
  func backup() async throws {
    let suite = Suite()
    try suite.up()
    #expect(await suite.ready())
    #expect(try await suite.run("seed").code == 0)
    for member in ["locator", "films", "radio"] { #expect(suite.read("\(member).sqlite") == "first\n", "\(member)") }
    suite.write("a\nb\nc\n", to: "bookmarks.sqlite")
    let key = suite.read("secrets/token-key")
    let place = suite.data + "/backup"
    #expect(try await suite.run("backup", place).code == 0)
    #expect(try await suite.run("backup", place).code == 6)
    #expect(try await suite.run("restore", place, "--verify").code == 0)
    #expect(access(place + ".drill", F_OK) != 0)
    #expect(try await suite.run("restore", place, "--yes").code == 6)
    #expect(try await suite.run("down").code == 0)

    for name in ["bookmarks.sqlite", "secrets/token-key"] { unlink("\(suite.data)/\(name)") }
    #expect(try await suite.run("restore", place).code == 2, "there is something to lose")
    #expect(try await suite.run("restore", place, "--yes").code == 0)
    for member in SuiteMember.allCases { unlink("\(suite.data)/\(member.rawValue).sqlite") }
    unlink("\(suite.data)/secrets/token-key")
    let restored = try await suite.run("restore", place, "--json")
    #expect(restored.code == 0)
    #expect(try GoldenShape(restored.output).missing(from: "odi-restore") == [])
    #expect(suite.read("bookmarks.sqlite") == "a\nb\nc\n" && suite.read("locator.sqlite") == "first\n")
    #expect(suite.read("secrets/token-key") == key && key.utf8.count == 65)
    let manifest = try JSONValue(parsing: restored.output)
    #expect(manifest["databases"]?[2]?["counts"]?["row"] == 3)

    // What is replaced is kept, keys too; what is the same already is no replacement.
    let other = String(repeating: "0f", count: 32) + "\n"
    suite.write(other, to: "secrets/token-key")
    for _ in 1...2 { #expect(try await suite.run("restore", place, "--yes").code == 0) }
    #expect(suite.read("secrets/token-key") == key && suite.read("secrets/token-key.replaced") == other)
    var facts = stat()
    #expect(stat(suite.data + "/secrets/token-key.replaced", &facts) == 0 && facts.st_mode & 0o777 == 0o600)
    #expect(access(suite.data + "/secrets/shared-secret.replaced", F_OK) != 0)

    suite.write("a\nb\n", to: "backup/bookmarks.sqlite")
    for words in [["--verify"], ["--yes"]] {
      let damaged = try await suite.run("restore", place, words[0])
      #expect(damaged.code == 1 && damaged.errors.contains("is not what the manifest says"))
    }
    #expect(suite.read("bookmarks.sqlite") == "a\nb\nc\n")
  }

  @Test("a backup holds every database of the folder, also of services that do not run")
  func backupOfAll() async throws {
    let suite = Suite()
    suite.write("kept\n", to: "bookmarks.sqlite")
    try suite.up(["--only", "locator"])
    #expect(await suite.ready())
    #expect(try await suite.run("seed").code == 0)
    let told = try await suite.run("ps")
    #expect(told.errors.contains("demo world") && !told.errors.contains("live"))
    let backup = try await suite.run("backup", suite.data + "/backup", "--json")
    #expect(backup.code == 0, "\(backup.errors)")
    #expect(try GoldenShape(backup.output).missing(from: "odi-backup") == [])
    let databases = try JSONValue(parsing: backup.output)["databases"]?.array ?? []
    #expect(databases.map { $0["service"]?.string } == ["locator", "bookmarks"])
    #expect(suite.read("backup/bookmarks.sqlite") == "kept\n")
    #expect(try await suite.run("down").code == 0)
  }

  @Test("a backup holds the files of sites, and is made of a suite that does not run too")
  func backupOfSites() async throws {
    let suite = Suite()
    #expect(try await suite.run("backup", suite.data + "/none").code == 3, "nothing is kept yet")
    try suite.up(["--only", "locator"])
    #expect(await suite.ready())
    #expect(try await suite.run("seed").code == 0)
    mkdir(suite.data + "/sites", 0o700)
    suite.write("{ \"mine\": 1 }\n", to: "sites/mine.jsonc")
    suite.write("nothing of ours\n", to: "sites/mine.jsonc~")
    #expect(try await suite.run("down").code == 0)

    let place = suite.data + "/backup"
    let made = try await suite.run("backup", place, "--json")
    #expect(made.code == 0, "\(made.errors)")
    #expect(try JSONValue(parsing: made.output)["sites"]?.array?.map { $0["file"]?.string } == ["mine.jsonc"])
    #expect(suite.read("backup/locator.sqlite") == "first\n")
    #expect(try await suite.run("restore", place, "--verify").code == 0)
    #expect(access(place + ".drill", F_OK) != 0)

    suite.write("{}\n", to: "sites/mine.jsonc")
    #expect(try await suite.run("restore", place, "--yes").code == 0)
    #expect(suite.read("sites/mine.jsonc").contains("mine") && suite.read("sites/mine.jsonc.replaced") == "{}\n")
    // What was set aside once stays, and so does a site that the backup does not have; but nobody reads it.
    suite.write("{ \"second\": 2 }\n", to: "sites/mine.jsonc")
    suite.write("{ \"extra\": 3 }\n", to: "sites/extra.json")
    #expect(try await suite.run("restore", place, "--yes").code == 0)
    #expect(
      suite.read("sites/mine.jsonc.replaced") == "{}\n" && suite.read("sites/mine.jsonc.replaced.2").contains("second"))
    #expect(
      access(suite.data + "/sites/extra.json", F_OK) != 0 && suite.read("sites/extra.json.replaced").contains("extra"))
    unlink(suite.data + "/sites/mine.jsonc")
    #expect(try await suite.run("restore", place, "--yes").code == 0)
    #expect(suite.read("sites/mine.jsonc").contains("mine"))

    suite.write("{ }\n", to: "backup/sites/mine.jsonc")
    let damaged = try await suite.run("restore", place, "--yes")
    #expect(damaged.code == 1 && damaged.errors.contains("sites/mine.jsonc is not what the manifest says"))
  }

  @Test("folders of backups and of programs may have longer paths than folders of sockets")
  func longPaths() async throws {
    let suite = Suite()
    try suite.up(["--only", "locator"])
    #expect(await suite.ready())
    let deep = suite.data + "/" + String(repeating: "d", count: 120)
    mkdir(deep, 0o700)
    suite.write("kept\n", to: "bookmarks.sqlite")
    let backup = try await suite.run("backup", deep + "/backup")
    #expect(backup.code == 0, "\(backup.errors)")
    let drill = try await suite.run("restore", deep + "/backup", "--verify")
    #expect(drill.code == 0, "\(drill.errors)")
    #expect(try await suite.run("down").code == 0)
  }

  @Test("while a backup is put back nobody ends that half way, and everybody is told that it runs")
  func whileRestoring() async throws {
    let suite = Suite()
    try suite.up(["--only", "locator"])
    #expect(await suite.ready())
    #expect(try await suite.run("seed").code == 0)
    #expect(try await suite.run("backup", suite.data + "/backup").code == 0)
    #expect(try await suite.run("down").code == 0)
    let gate = suite.data + "/locator.gate"
    mkfifo(gate, 0o600)
    let restoring = Task { try await suite.run("restore", suite.data + "/backup", "--yes") }
    let folder = try SuiteFolder(suite.data)
    #expect(try await until { SuiteLock.holder(of: folder) != nil })
    let down = try await suite.run("down")
    #expect(down.code == 6 && down.errors.contains("a backup is being put back into \(suite.data), by process "))
    #expect(try await suite.run("up").errors.contains("a backup is being put back"))
    #expect(try await suite.run("restore", suite.data + "/backup", "--yes").errors.contains("a backup is being put"))
    let ps = try await suite.run("ps")
    #expect(ps.code == 5 && ps.errors.contains("a backup is being put back"))
    // A writer is what the one at the gate waits for.
    #expect(
      try await until {
        let writer = open(gate, O_WRONLY | O_NONBLOCK | O_CLOEXEC)
        return close(writer) == 0
      })
    #expect(try await restoring.value.code == 0)
    #expect(suite.read("locator.sqlite") == "first\n")
  }

  @Test("a restore that fails part way tells what it has replaced and what not")
  func halfRestored() async throws {
    let suite = Suite()
    try suite.up(["--only", "locator"])
    #expect(await suite.ready())
    #expect(try await suite.run("seed").code == 0)
    suite.write("kept\n", to: "bookmarks.sqlite")
    suite.write("kept\n", to: "films.sqlite")
    #expect(try await suite.run("backup", suite.data + "/backup").code == 0)
    #expect(try await suite.run("down").code == 0)
    suite.write("no restore", to: "bookmarks.misbehaviour")
    let half = try await suite.run("restore", suite.data + "/backup", "--yes")
    #expect(half.code == 1)
    #expect(half.errors.contains("replaced: locator.sqlite; what was there is beside it, as NAME.replaced"))
    #expect(half.errors.contains("not replaced: bookmarks.sqlite, films.sqlite, shared-secret, token-key"))
  }
}
