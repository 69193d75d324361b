import Bookmarks
import Clocks
import Contracts
import EventLoops
import Foundation
import JSON
import Observability
import RPC
import RPCTransport
import ServiceKit
import ServiceTestKit
import TestKit
import Testing

@Suite("Bookmarks over sockets")
@MainActor
struct SocketTests {
  /// The whole service in this process, with a client on its administrators' socket and one over TCP.
  private func serving(
    _ body: (ServiceRig, _ admin: ServiceClient<BookmarksAPI>, _ remote: ServiceClient<BookmarksAPI>) async throws
      -> Void
  ) async throws {
    try await ServiceRig.run(BookmarksService.program) { rig in
      let line = try #require(rig.log.lines.first { $0.contains("taking calls") })
      let address = try #require(try JSONValue(parsing: Array(line.utf8))["at"]?.string)
      let admin = ServiceClient(of: BookmarksAPI.self, at: [.address(rig.environment.adminListen)])
      let remote = ServiceClient(of: BookmarksAPI.self, at: [.address(try SocketAddress(parsing: address))])
      try await body(rig, admin, remote)
      admin.close()
      remote.close()
    }
  }

  private func open(_ client: ServiceClient<BookmarksAPI>, _ number: Int = 1) async throws -> UserID {
    try await client.call(OpenUser(), CallOptions(key: .number(number))).id
  }

  @Test("a change made over one connection reaches a watcher on another")
  func watching() async throws {
    try await serving { _, admin, remote in
      let user = try await open(remote)
      var stream = try await remote.stream(WatchItems(user: user)).makeAsyncIterator()
      #expect(try await stream.next() == ItemEvent(revision: 0))
      let receipt = try await admin.call(SaveItem(user: user, kind: .film, id: "film_1"))
      #expect(try await stream.next()?.change?.item == receipt.item)
    }
  }

  @Test("what only administrators may ask is refused over TCP")
  func administrators() async throws {
    try await serving { _, admin, remote in
      _ = try await open(remote)
      #expect(await code { try await remote.call(ListUsers(limit: 10)) } == .permissionDenied)
      #expect(await code { try await remote.call(BookmarkStatistics()) } == .permissionDenied)
      let prune = PruneUsers(notSeenSince: .start, isDryRun: false)
      #expect(await code { try await remote.call(prune) } == .permissionDenied)
      #expect(try await admin.call(ListUsers(limit: 10)).users.count == 1)
    }
  }

  @Test("many clients' writes share commits, and all are there")
  func groups() async throws {
    try await serving { rig, _, remote in
      let user = try await open(remote)
      let clients = (0..<16).map { client in
        Task {
          for number in 0..<20 {
            _ = try await remote.call(SaveItem(user: user, kind: .film, id: "film_\(client)_\(number)"))
          }
        }
      }
      for client in clients { try await client.value }
      #expect(try await remote.call(ListItems(user: user, limit: 500)).items.count == 320)
      let metrics = await rig.command("metrics", "--grep", "odi_db_commits_total", "--json")
      let commits = try JSONValue(parsing: Array(metrics.output.utf8))["data"]?[0]?["value"]?.double ?? .infinity
      #expect(commits < 320, "\(commits) commits for 320 writes")
    }
  }

  @Test("what scripts read of its answers is there, by its name and of its kind")
  func golden() async throws {
    try await serving { rig, admin, _ in
      let users = [try await open(admin, 1), try await open(admin, 2)].map(\.text)
      for words in [["add", users[0], "film_1", "--note", "w/ Mina"], ["add", users[0], "emu", "--kind", "cinema"]] {
        #expect(await rig.command(words).code == .done)
      }
      let file = try rig.folder.write("id\nfilm_2\n", to: "list.csv")
      let broken = try await rig.broken(
        "bookmarks",
        [
          ("status", ["status"]), ("stats", ["stats"]), ("list", ["list", users[0]]), ("export", ["export", users[0]]),
          ("sessions-list", ["sessions", "list"]), ("sessions-get", ["sessions", "get", users[0]]),
          ("import", ["import", users[1], file]), ("rm", ["rm", users[0], "emu", "--kind", "cinema"]),
          ("erase", ["erase", users[1], "--yes"]),
        ])
      #expect(broken == [])
    }
  }

  @Test("an operator sees, changes, moves and erases a user with commands alone")
  func commands() async throws {
    try await serving { rig, admin, _ in
      let (user, other) = (try await open(admin, 1), try await open(admin, 2))
      #expect(await rig.command("add", user.text, "film_1", "--note", "w/ Mina").code == .done)
      #expect(await rig.command("add", user.text, "emu", "--kind", "cinema").code == .done)
      let list = await rig.command("list", user.text, "--tsv", "--fields", "kind,id,revision,note")
      #expect(list.output.contains("film\tfilm_1\t1\tw/ Mina\n") && list.output.contains("cinema\temu\t2\t"))
      #expect(await rig.command("rm", user.text, "emu", "--kind", "cinema").code == .done)
      #expect(await rig.command("list", user.text, "--kind", "cinema", "--json").output == "{\"data\":[]}\n")

      let export = await rig.command("export", user.text)
      let document = try JSONValue(parsing: Array(export.output.utf8))
      #expect(document["items"]?.array?.count == 2, "with the tombstone")
      let file = try rig.folder.write(export.output, to: "export.json")
      let imported = await rig.command("import", other.text, file, "--json")
      #expect(imported.output == #"{"added":1,"unchanged":0}"# + "\n", "\(imported.errors)")
      let csv = try rig.folder.write("id,note\nfilm_2,\"a, b\"\nfilm_1,\n", to: "list.csv")
      #expect(await rig.command("import", other.text, csv, "--json").output == #"{"added":1,"unchanged":1}"# + "\n")
      let wrong = try rig.folder.write("film,note\nfilm_2,x\n", to: "wrong.csv")
      #expect(await rig.command("import", other.text, wrong).code == .usage)

      let sessions = await rig.command("sessions", "list", "--tsv", "--fields", "id,items")
      #expect(sessions.output.contains("\(user)\t1\n") && sessions.output.contains("\(other)\t2\n"))
      #expect(await rig.command("sessions", "get", user.text, "--json").output.contains(#""films":1"#))
      #expect(await rig.command("stats", "--json").output.contains(#""users":2,"films":3"#))
      let missing = await rig.command("import", other.text, rig.folder.file("none"))
      #expect(missing.code == .notFound && missing.errors.contains("cannot read"), "\(missing.errors)")
      #expect(await rig.command("top-films", "--json").output == "{\"data\":[]}\n", "nothing that five saved")

      let refused = await rig.command("erase", user.text)
      #expect(refused.code == .usage && refused.errors.contains("with 1 saved things"))
      let erased = await rig.command("erase", user.text, "--yes", "--json")
      #expect(erased.code == .done, "\(erased.errors)")
      let gone: [[String]] = [
        ["sessions", "get", user.text], ["sessions", "revoke", user.text, "--yes"], ["list", user.text],
        ["add", user.text, "film_1"], ["rm", user.text, "film_1"], ["export", user.text], ["import", user.text, csv],
        ["erase", user.text, "--yes"], ["feed", "rotate", user.text, "--yes"],
      ]
      for words in gone {
        let refused = await rig.command(words)
        #expect(refused.code == .notFound && refused.output.isEmpty, "\(words): \(refused)")
      }
      #expect(await rig.command("sessions", "prune", "--dry-run").errors.contains("0 users"))
      #expect(await rig.command("sessions", "revoke", other.text).code == .usage)
      #expect(await rig.command("sessions", "revoke", other.text, "--yes").code == .done)
    }
  }

  @Test("no command shows a secret; the new one of a feed goes into a private file")
  func secrets() async throws {
    try await serving { rig, admin, _ in
      let user = try await open(admin)
      let old = try await admin.call(RotateFeedKey(user: user)).key
      let path = rig.folder.file("feed.key")
      let rotated = await rig.command("feed", "rotate", user.text, "--to", path, "--yes")
      #expect(rotated.code == .done, "\(rotated.errors)")
      let key = try rig.folder.read("feed.key").trimmingCharacters(in: .newlines)
      let rights = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
      #expect(rights == 0o600)
      #expect(!(rotated.output + rotated.errors).contains(key))
      #expect(!rig.log.lines.contains { $0.contains(key) || $0.contains(old) })
      #expect(try await admin.call(UserOfFeedKey(key: key)).id == user)
      #expect(await code { try await admin.call(UserOfFeedKey(key: old)) } == .notFound)
      #expect(await rig.command("feed", "rotate", user.text, "--to", path, "--yes").code == .failed)
      #expect(try await admin.call(UserOfFeedKey(key: key)).id == user, "no new file, no new secret")
      let told = try JSONValue(parsing: await rig.command("feed", "rotate", user.text, "--yes", "--json").output)
      #expect(told["id"]?.string == user.text && told["rotated"]?.bool == true)
    }
  }

  @Test("everything is there again after a restart, and a backup has it too")
  func restart() async throws {
    let folder = try TemporaryFolder()
    let first = try ServiceRig(BookmarksService.program, folder: folder)
    try await first.start()
    let client = ServiceClient(of: BookmarksAPI.self, at: [.address(first.environment.adminListen)])
    let user = try await open(client)
    _ = try await client.call(SaveItem(user: user, kind: .film, id: "film_1"))
    let backup = await first.command("db", "backup", folder.file("copy.sqlite"), "--json")
    #expect(backup.code == .done && backup.output.contains(#""item":1"#), "\(backup)")
    client.close()
    await first.stop()
    let verified = await first.command("db", "verify", folder.file("copy.sqlite"), "--json")
    #expect(verified.output.contains(#""user":1"#), "\(verified)")
    try await ServiceRig.run(BookmarksService.program, folder: folder) { rig in
      let client = ServiceClient(of: BookmarksAPI.self, at: [.address(rig.environment.adminListen)])
      let page = try await client.call(ListItems(user: user, limit: 5))
      #expect(page.items.map(\.id) == ["film_1"])
      client.close()
    }
  }
}
