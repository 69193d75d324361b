import Bookmarks
import Calendars
import Clocks
import Contracts
import Festivals
import Films
import JSON
import RPC
import RPCTransport
import ServiceKit
import ServiceStorage
import ServiceTestKit
import Storage
import TestKit
import Testing
import Timetable

/// What changes in a festival while it is served: by hand, by imports, by two at once.
@Suite("Festivals that change", .timeLimit(.minutes(5)))
@MainActor
struct FestivalChangesTests: TimetableBench {
  let time = Self.noon

  @Test("a session moves and is cancelled; who follows hears which; it is kept")
  func changes() async throws {
    let folder = try TemporaryFolder()
    try await running(demo: false, folder: folder) { rig, client in
      let file = try rig.folder.write(table, to: "mine.csv")
      _ = await rig.command("festival", "import", file, "--id", "mine", "--name", "Mine", "--zone", "Asia/Seoul")
      let stream = try await client.stream(FestivalChanges(since: 0))
      var changes = stream.makeAsyncIterator()
      #expect(try await changes.next()?.festival == nil)
      #expect(try await changes.next()?.sessions.map(\.text) == ["a", "b"])
      let plan = await rig.command("move", "mine", "b", "--at", "10:30", "--dry-run")
      #expect(plan.errors.contains("overlaps in its room with First"))
      let moved = await rig.command("move", "mine", "b", "--at", "24:30", "--yes")
      #expect(moved.code == .done, "\(moved)")
      #expect(try await changes.next()?.sessions.map(\.text) == ["b"])
      #expect(await rig.command("cancel", "mine", "a", "--yes").code == .done)
      #expect(try await changes.next()?.sessions.map(\.text) == ["a"])
      #expect(await rig.command("move", "mine", "b", "--screen", "nowhere", "--yes").errors.contains("has no room"))
      #expect(await rig.command("move", "mine", "c", "--at", "10:00", "--yes").code == .notFound)
    }
    try await running(demo: false, folder: folder) { _, client in
      let set = try await client.call(
        SessionsByID(festival: FestivalID("mine")!, ids: [SessionID("b")!, SessionID("a")!]))
      #expect(set.sessions.map(\.isCancelled) == [true, false])
      #expect(set.sessions[1].startsAt == Timestamp("2026-12-05T00:30:00+09:00")!.instant)
      #expect("\(set.sessions[1].day)" == "2026-12-04")
    }
  }

  @Test("films that do not fit are found by the lengths that the catalogue knows")
  func lengths() async throws {
    let folder = try TemporaryFolder()
    try await running(demo: false, folder: folder) { rig, _ in
      let sessions = """
        id,title,start,end,rooms,film
        a,Silt,2026-12-04T10:00:00+09:00,2026-12-04T11:30:00+09:00,1관,film_silt-2019
        b,Marram,2026-12-04T12:00:00+09:00,2026-12-04T14:00:00+09:00,1관,film_marram-2020
        """
      let file = try rig.folder.write(sessions, to: "mine.csv")
      _ = await rig.command("festival", "import", file, "--id", "mine", "--name", "Mine", "--zone", "Asia/Seoul")
      let alone = await rig.command("check", "mine")
      #expect(alone.code == .done && alone.errors.contains("how long films last is not known: cannot reach odi-films"))
      let flags = ["starter": "false", "scraper": "127.0.0.1:9"]
      try await ServiceRig.run(FilmsService.program, flags: flags, folder: folder) { films in
        let catalogue = """
          id,title,year,country,directors,runtime
          film_silt-2019,Silt,2019,GB,Ana Berg,124
          film_marram-2020,Marram,2020,GB,Ana Berg,110
          """
        let imported = await films.command("import", try films.folder.write(catalogue, to: "films.csv"))
        #expect(imported.code == .done, "\(imported)")
        let found = await rig.command("check", "mine")
        #expect(found.output.contains("Silt has 90 minutes, and the film lasts 124"), "\(found)")
        #expect(!found.output.contains("Marram"), "\(found)")
      }
    }
  }

  @Test("whoever changes a session hears how many have it on their agenda")
  func affected() async throws {
    let folder = try TemporaryFolder()
    try await running(demo: false, folder: folder) { rig, _ in
      let file = try rig.folder.write(table, to: "mine.csv")
      _ = await rig.command("festival", "import", file, "--id", "mine", "--name", "Mine", "--zone", "Asia/Seoul")
      let alone = await rig.command("cancel", "mine", "a", "--dry-run")
      #expect(alone.code == .done && alone.errors.contains("is not known: cannot reach odi-bookmarks"), "\(alone)")
      try await ServiceRig.run(BookmarksService.program, folder: folder) { bookmarks in
        let address = try bookmarks.environment.data.adminSocket(of: "bookmarks")
        let client = ServiceClient(of: BookmarksAPI.self, at: [.address(address)])
        for number in 0..<5 {
          let user = try await client.call(OpenUser(), CallOptions(key: IdempotencyKey(bits: UInt128(number + 1)))).id
          _ = try await client.call(SaveItem(user: user, kind: .session, id: "mine.a"))
          if number < 4 { _ = try await client.call(SaveItem(user: user, kind: .session, id: "mine.b")) }
        }
        let many = await rig.command("cancel", "mine", "a", "--dry-run")
        #expect(many.errors.contains("5 people have it on their agenda"), "\(many)")
        let few = await rig.command("move", "mine", "b", "--at", "14:00", "--dry-run")
        #expect(few.errors.contains("fewer than five people have it on their agenda"), "\(few)")
      }
    }
  }

  @Test("a festival that cannot be read holds up no other, neither at the start nor for those who follow")
  func unreadable() async throws {
    let folder = try TemporaryFolder()
    try await running(demo: false, folder: folder) { rig, _ in
      let file = try rig.folder.write(table, to: "mine.csv")
      for id in ["bad", "good"] {
        let words = ["--id", id, "--name", id, "--zone", "Asia/Seoul"]
        #expect(await rig.command(["festival", "import", file] + words).code == .done)
      }
    }
    let declaration = TimetableStore.declaration
    let database = try await Database.open(
      folder.file("timetable.sqlite"), migrations: declaration.migrations, options: declaration.options())
    try await database.write { db in
      try db.execute("UPDATE session SET record = x'ff' WHERE festival = 'bad' AND id = 'b'")
    }
    await database.close()
    try await running(demo: false, folder: folder) { rig, client in
      #expect(try await client.call(FindSessions(festival: FestivalID("good")!, limit: 10)).sessions.count == 2)
      var changes = try await client.stream(FestivalChanges(since: 0)).makeAsyncIterator()
      while let change = try await changes.next(), change.festival != FestivalID("good") {}
      // Stored, and not to be shown.
      let refused = await rig.command("cancel", "bad", "a", "--yes")
      #expect(refused.code != .done, "\(refused)")
      #expect(await rig.command("cancel", "good", "a", "--yes").code == .done)
      var next = try await changes.next()
      #expect(next?.festival == FestivalID("good") && next?.sessions.map(\.text) == ["a"], "\(next as Any)")
      #expect(await rig.command("festival", "rm", "bad", "--yes").code == .done)
      next = try await changes.next()
      #expect(next?.festival == FestivalID("bad"), "\(next as Any)")
    }
  }

  @Test("what was cancelled or sold out by hand stays so when a file without a place for it is imported again")
  func marks() async throws {
    try await running(demo: false) { rig, client in
      let words = ["--id", "mine", "--name", "Mine", "--zone", "Asia/Seoul", "--json"]
      let file = try rig.folder.write(table, to: "mine.csv")
      _ = await rig.command(["festival", "import", file] + words)
      #expect(await rig.command("cancel", "mine", "a", "--yes").code == .done)
      #expect(await rig.command("sold-out", "mine", "b").code == .done)
      func marks() async throws -> [String] {
        let page = try await client.call(FindSessions(festival: FestivalID("mine")!, limit: 10))
        return page.sessions.map { "\($0.id) \($0.isCancelled) \($0.isSoldOut)" }
      }
      let again = await rig.command(["festival", "import", file] + words)
      #expect(again.output.contains(#""added":0,"changed":0,"removed":0"#), "\(again)")
      let kept = try await marks()
      #expect(kept == ["a true false", "b false true"])
      let lines = table.split(separator: "\n").enumerated().map { $0 == 0 ? "\($1),cancelled,sold_out" : "\($1),," }
      let whole = try rig.folder.write(lines.joined(separator: "\n"), to: "whole.csv")
      let back = await rig.command(["festival", "import", whole] + words)
      #expect(back.errors.contains("not cancelled any more: a"), "\(back)")
      #expect(back.errors.contains("not sold out any more: b"), "\(back)")
      let taken = try await marks()
      #expect(taken == ["a false false", "b false false"])
    }
  }

  @Test("two festivals that change at once are both served as they were stored last, and a removed one stays away")
  func changesAtOnce() async throws {
    try await running(demo: false) { rig, client in
      let file = try rig.folder.write(table, to: "table.csv")
      let festivals = ["mine", "yours"]
      for id in festivals {
        let made = await rig.command("festival", "import", file, "--id", id, "--name", id, "--zone", "Asia/Seoul")
        #expect(made.code == .done, "\(made)")
      }
      for hour in 14..<18 {
        async let mine = rig.command("move", "mine", "b", "--at", "\(hour):30", "--yes")
        async let yours = rig.command("move", "yours", "b", "--at", "\(hour):30", "--yes")
        let codes = await [mine.code, yours.code]
        #expect(codes == [.done, .done])
        for id in festivals {
          let set = try await client.call(SessionsByID(festival: FestivalID(id)!, ids: [SessionID("b")!]))
          #expect(set.sessions.map(\.startsAt) == [Timestamp("2026-12-04T\(hour):30:00+09:00")!.instant], "\(id)")
        }
      }
      #expect(await rig.command("festival", "rm", "mine", "--yes").code == .done)
      #expect(await rig.command("move", "yours", "b", "--at", "19:30", "--yes").code == .done)
      #expect(try await client.call(ListFestivals(limit: 10)).map(\.id.text) == ["yours"])
    }
  }
}
