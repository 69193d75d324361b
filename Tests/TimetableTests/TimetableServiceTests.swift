import Calendars
import Clocks
import Compression
import Contracts
import EventLoops
import Festivals
import Foundation
import JSON
import QR
import RPC
import RPCTransport
import ServiceKit
import ServiceStorage
import ServiceTestKit
import Storage
import TestKit
import Testing
import Timetable

/// The whole service, with its database, asked over its unix socket.
@Suite("Timetable", .timeLimit(.minutes(5)))
@MainActor
struct TimetableServiceTests: TimetableBench {
  let time = Self.noon

  @Test(
    "an end in the night is told under its evening, and one on a later day with its date",
    arguments: [
      ("2026-02-07T23:30:00Z", "23:30"), ("2026-02-08T01:30:00Z", "25:30"),
      ("2026-02-08T17:00:00Z", "2026-02-08 17:00"),
      ("2026-02-09T01:00:00Z", "2026-02-09 01:00"),
    ])
  func clocks(stamp: String, shown: String) throws {
    let start = try #require(Timestamp("2026-02-07T10:00:00Z")).instant
    let session = FestivalSession(id: SessionID("a")!, title: "A", day: CivilDate("2026-02-07")!, startsAt: start)
    #expect(session.clock(of: try #require(Timestamp(stamp)).instant, in: .utc) == shown)
  }

  @Test("what scripts read of its answers is there, by its name and of its kind")
  func golden() async throws {
    try await running { rig, _ in
      let broken = try await rig.broken(
        "timetable",
        [
          ("status", ["status"]), ("list", ["festival", "list"]), ("get", ["festival", "get", demo.text]),
          ("show", ["show", demo.text]), ("sessions", ["sessions", demo.text]), ("check", ["check", demo.text]),
          ("staff", ["staff", "add", demo.text, "door"]), ("ticket", ["ticket", "issue", demo.text, "-n", "2"]),
          ("checkin", ["checkin", "stats", demo.text]),
        ])
      #expect(broken == [])
    }
  }

  @Test("the demo festival is around today, and answers as a grid with a night, two rooms and an overlap")
  func demoFestival() async throws {
    try await running { rig, client in
      let festivals = try await client.call(ListFestivals(limit: 10))
      #expect(festivals.map(\.id) == [demo] && festivals[0].isDemo)
      #expect(festivals[0].days.map(\.date.description) == ["2026-11-21", "2026-11-22", "2026-11-23"])
      let today = try await client.call(FestivalGrid(festival: demo))
      #expect("\(today.day)" == "2026-11-22" && today.cells.count == 12 && today.rooms.count == 4)
      let night = try #require(today.cells.last)
      #expect(night.session.startsAt == Timestamp("2026-11-23T00:30:00+09:00")!.instant)
      let last = try await client.call(FestivalGrid(festival: demo, day: CivilDate("2026-11-23")))
      #expect(last.cells.contains { $0.lanes == 2 } && last.cells.count { $0.session.rooms.count == 2 } == 2)
      let grid = await rig.command("show", demo.text)
      #expect(grid.output.contains("1관 Hall 1 (2F)"))
      #expect(grid.output.contains("24:30   ┌ 심야") && grid.output.contains("min"))
      let found = try await client.call(FindSessions(festival: demo, text: "종이 고래", limit: 5))
      #expect(found.sessions.first?.title == "개막작: 종이 고래")
      // Who reads no Korean finds the room and the guest, too.
      let all = try await client.call(FindSessions(festival: demo, limit: 50)).sessions
      let names = today.rooms.map(\.name) + all.flatMap { $0.speakers.map(\.name) }
      #expect(names.count > 10 && names.allSatisfy { $0.contains { $0.isASCII && $0.isLetter } }, "\(names)")
      let floors = try await client.call(FloorPlan(festival: demo, floor: FloorID("2f")!))
      #expect(floors.svg.contains("/festivals/odi-demo-fest?screen=hall-1"))
      let linked = festivals[0].floors.map { $0.rooms?.map(\.text) }
      #expect(linked == [["garden"], ["hall-1", "hall-2"], ["hall-3"]], "a floor names the rooms of its map")
      #expect(await rig.command("check", demo.text).code == .degraded)
    }
  }

  @Test("what has no room yet is in the terminal's grid too, in a column behind the rooms")
  func roomless() async throws {
    try await running(demo: false) { rig, _ in
      let more = "\nc,Third,2026-12-04T12:30:00+09:00,2026-12-04T13:00:00+09:00,,Main,"
      let file = try rig.folder.write(table + more, to: "mine.csv")
      let imported = await rig.command(
        "festival", "import", file, "--id", "mine", "--name", "Mine", "--zone", "Asia/Seoul")
      #expect(imported.code == .done, "\(imported)")
      let lines = await rig.command("show", "mine", "--day", "2026-12-04").output.split(separator: "\n")
      let heads = try #require(lines.first { $0.contains("no room yet") })
      let third = try #require(lines.first { $0.contains("Third") })
      func column(_ text: String, of line: Substring) -> Int? {
        line.range(of: text).map { range in
          line[..<range.lowerBound].reduce(0) { $0 + (("가"..."힣").contains($1) ? 2 : 1) }
        }
      }
      #expect(third.hasPrefix("12:30") && column("┌ Third", of: third) == column("no room yet", of: heads))
    }
  }

  @Test("what no schedule says is told by hand, stays through imports, and is refused where it is wrong")
  func facts() async throws {
    try await running(demo: false) { rig, client in
      let file = try rig.folder.write(table, to: "mine.csv")
      let words = ["festival", "import", file, "--id", "mine", "--name", "Mine", "--zone", "Asia/Seoul"]
      #expect(await rig.command(words).code == .done)
      let edits = [
        ["festival", "edit", "mine", "--venue", "Lantern", "--city", "Seoul", "--at", "37.57,126.99"],
        ["sponsor", "add", "mine", "Lamp", "--url", "https://lamp.example/", "--tier", "tier-1"],
        ["sponsor", "add", "mine", "Boat"], ["sponsor", "add", "mine", "Oar"], ["sponsor", "rm", "mine", "Oar"],
        ["room", "set", "mine", "1관", "--floor", "2F", "--capacity", "90"],
      ]
      for edit in edits { #expect(await rig.command(edit).code == .done, "\(edit)") }
      #expect(await rig.command(words).code == .done)
      let mine = try #require(try await client.call(ListFestivals(limit: 1)).first)
      #expect(mine.venue == "Lantern" && mine.city == "Seoul" && mine.position?.latitude == 37.57)
      #expect(mine.sponsors.map(\.name) == ["Lamp", "Boat"] && mine.sponsors[0].tier == "tier-1")
      let room = try #require(mine.rooms.first { $0.name == "1관" })
      #expect(room.floor == "2F" && room.capacity == 90 && mine.rooms.count == 2)
      // What is not said of a sponsor stays, and what is emptied is gone.
      #expect(await rig.command("sponsor", "add", "mine", "Lamp", "--tier", "tier-2").code == .done)
      #expect(await rig.command("sponsor", "add", "mine", "Boat", "--url", "").code == .done)
      let sponsors = try #require(try await client.call(ListFestivals(limit: 1)).first).sponsors
      #expect(sponsors.map(\.tier) == ["tier-2", nil] && sponsors.map(\.url) == ["https://lamp.example/", nil])
      #expect(await rig.command("festival", "edit", "mine", "--venue", "").code == .done)
      #expect(try await client.call(ListFestivals(limit: 1)).first?.venue == nil)
      let revision = try await client.call(ListFestivals(limit: 1)).first?.revision
      #expect(await rig.command("festival", "edit", "mine", "--city", "Seoul").code == .done)
      #expect(try await client.call(ListFestivals(limit: 1)).first?.revision == revision, "nothing changed")
      for wrong in [
        ["festival", "edit", "mine"], ["festival", "edit", "mine", "--name", ""],
        ["room", "set", "mine", "1관", "--name", ""], ["festival", "edit", "none", "--city", "X"],
        ["sponsor", "rm", "mine", "Nobody"],
        ["sponsor", "add", "mine", "Evil", "--url", "javascript:x"], ["room", "set", "mine", "9관", "--floor", "1F"],
      ] { #expect(await rig.command(wrong).code != .done, "\(wrong)") }
    }
  }

  @Test("an import is a festival, the same again changes nothing, and an export of each kind is the same festival")
  func imports() async throws {
    try await running(demo: false) { rig, client in
      let file = try rig.folder.write(table, to: "mine.csv")
      let words = ["festival", "import", file, "--id", "mine", "--name", "Mine", "--zone", "Asia/Seoul", "--json"]
      let dry = await rig.command(words + ["--dry-run"])
      #expect(dry.output.contains(#""added":2"#) && dry.errors.contains("nothing was stored"))
      #expect(try await client.call(ListFestivals(limit: 1)).isEmpty)
      #expect(await rig.command(words).output.contains(#""added":2"#))
      let again = await rig.command(words)
      #expect(again.code == .done && again.output.contains(#""added":0,"changed":0,"removed":0"#), "\(again)")
      let mine = try #require(try await client.call(ListFestivals(limit: 1)).first)
      for format in ["xml", "json", "octav", "ics", "csv"] {
        let exported = await rig.command("festival", "export", "mine", "--format", format)
        let path = try rig.folder.write(exported.output, to: "mine.\(format)")
        let back = await rig.command("festival", "import", path, "--id", "mine", "--json")
        #expect(
          back.code == .done && back.output.contains(#""added":0"#) && back.output.contains(#""removed":0"#),
          "\(format)")
        let page = try await client.call(FindSessions(festival: mine.id, limit: 10))
        #expect(page.sessions.map(\.id.text) == ["a", "b"] && page.sessions[0].rooms.count == 2, "\(format)")
        #expect(page.sessions[0].speakers.map(\.name) == ["Ada", "Bo"], "\(format)")
      }
      #expect(await rig.command("festival", "import", rig.folder.file("none")).code == .notFound)
      let refused = await rig.command("festival", "import", try rig.folder.write("<a/>", to: "a.xml"))
      #expect(refused.code == .failed && refused.errors.contains("no schedule"))
    }
  }

  @Test("a room is meant by its id and by its name, and one that is not there is told with those that are")
  func roomsByName() async throws {
    try await running(demo: false) { rig, _ in
      let file = try rig.folder.write(table, to: "mine.csv")
      _ = await rig.command("festival", "import", file, "--id", "mine", "--name", "Mine", "--zone", "Asia/Seoul")
      let byName = await rig.command("sessions", "mine", "--screen", "2관", "--json")
      #expect(byName.code == .done && byName.output.contains("First") && !byName.output.contains("Second"))
      #expect(await rig.command("show", "mine", "--day", "2026-12-04", "--screen", "２관").code == .done)
      let none = await rig.command("show", "mine", "--screen", "9관")
      #expect(none.code == .notFound && none.errors.contains("(1관), "), "\(none)")
      #expect(await rig.command("move", "mine", "b", "--screen", "2관", "--yes").code == .done)
    }
  }

  @Test("in a calendar a session is stamped with its last change, and numbered by those that are to be shown again")
  func numbered() async throws {
    try await running(demo: false) { rig, client in
      let words = ["--id", "mine", "--name", "Mine", "--zone", "Asia/Seoul"]
      let file = try rig.folder.write(table, to: "mine.csv")
      _ = await rig.command(["festival", "import", file] + words)
      /// Of each session: its own id, the number and the stamp.
      func events() async throws -> [String] {
        let bytes = try await client.call(ExportFestival(festival: FestivalID("mine")!, format: .ics)).bytes
        let feed = try CalendarReader(zones: ZoneDirectory(), venueZone: .utc).read(bytes)
        return feed.events.sorted { $0.uid < $1.uid }.map { event in
          "\(event.uid.prefix(1)) \(event.sequence) \(event.stamp.map { "\(Timestamp($0))" } ?? "")"
        }
      }
      let first = try await events()
      #expect(first == ["a 0 2026-11-22T03:00:00Z", "b 0 2026-11-22T03:00:00Z"])
      time.advance(by: .seconds(60))
      _ = await rig.command("sold-out", "mine", "a")
      let soldOut = try await events()
      #expect(soldOut == ["a 0 2026-11-22T03:01:00Z", "b 0 2026-11-22T03:00:00Z"])
      time.advance(by: .seconds(60))
      _ = await rig.command("move", "mine", "b", "--at", "24:30", "--yes")
      _ = await rig.command("cancel", "mine", "b", "--yes")
      let moved = try await events()
      #expect(moved == ["a 0 2026-11-22T03:01:00Z", "b 2 2026-11-22T03:02:00Z"])
      // The organiser's file has the session at its old time: one more change.
      time.advance(by: .seconds(60))
      _ = await rig.command(["festival", "import", file] + words)
      let again = try await events()
      #expect(again == ["a 0 2026-11-22T03:01:00Z", "b 3 2026-11-22T03:03:00Z"])
      // And a calendar of ours does not count its own numbers as changes.
      let ours = try await client.call(ExportFestival(festival: FestivalID("mine")!, format: .ics)).bytes
      let copy = try rig.folder.write(String(decoding: ours, as: UTF8.self), to: "mine.ics")
      time.advance(by: .seconds(60))
      let back = await rig.command(["festival", "import", copy, "--json"] + words)
      #expect(back.code == .done, "\(back)")
      let kept = try await events()
      #expect(kept.map { $0.prefix(3) } == ["a 0", "b 3"])
    }
  }

  @Test(
    "a ticket lets in once: a second showing hears of the first, a repeated sending hears the same, a restart forgets nothing"
  )
  func checkIns() async throws {
    let folder = try TemporaryFolder()
    var token = ""
    let key = IdempotencyKey("00000000-0000-0000-0000-0000000000a1")
    try await running(folder: folder) { rig, client in
      let file = try rig.folder.write("code,holder\nT-1,Ada\nT-2,Bo\n", to: "tickets.csv")
      #expect(await rig.command("ticket", "import", demo.text, file).errors.contains("2 added"))
      #expect(await rig.command("ticket", "import", demo.text, file).errors.contains("0 added · 2 were there"))
      token = await rig.command("staff", "add", demo.text, "door").output.trimmingCharacters(
        in: .whitespacesAndNewlines)
      #expect(token.hasPrefix("staff_"))
      let request = CheckInTicket(festival: demo, code: "T-1", staff: token)
      let first = try await client.call(request, CallOptions(key: key))
      #expect(first.isFirst && first.holder == "Ada" && first.staff == "door" && !first.isReplay)
      let replay = try await client.call(request, CallOptions(key: key))
      #expect(replay.isFirst && replay.isReplay && replay.checkedInAt == first.checkedInAt)
      #expect(try await client.call(request).isFirst == false)
      // Another door that happens to use the same key did not let anybody in.
      let gate = await rig.command("staff", "add", demo.text, "gate").output.trimmingCharacters(
        in: .whitespacesAndNewlines)
      let other = try await client.call(CheckInTicket(festival: demo, code: "T-1", staff: gate), CallOptions(key: key))
      #expect(!other.isFirst && !other.isReplay && other.staff == "door")
      // Many at once: one of them is the first.
      let (festival, staff) = (demo, token)
      let showings = (0..<20).map { _ in
        Task { @MainActor in
          (try? await client.call(CheckInTicket(festival: festival, code: "T-2", staff: staff)).isFirst) == true
        }
      }
      var results = 0
      for showing in showings where await showing.value { results += 1 }
      #expect(results == 1)
      for (code, staff) in [("T-1", "staff_wrong"), ("T-9", token)] {
        await #expect(throws: RPCError.self) {
          try await client.call(CheckInTicket(festival: demo, code: code, staff: staff))
        }
      }
      #expect(await rig.command("checkin", "stats", demo.text, "--json").output.contains(#""admitted":2"#))
    }
    try await running(folder: folder) { rig, client in
      let request = CheckInTicket(festival: demo, code: "T-1", staff: token)
      let (later, replay) = (try await client.call(request), try await client.call(request, CallOptions(key: key)))
      #expect(!later.isFirst && replay.isFirst && replay.isReplay)
      _ = await rig.command("staff", "rm", demo.text, "door")
      await #expect(throws: RPCError.self) { try await client.call(request) }
    }
  }

  /// A picture as a browser sends it.
  private func png(of code: QRCode) -> [UInt8] {
    let side = (code.size + 8) * 4
    var raw: [UInt8] = []
    for row in 0..<side {
      raw.append(0)
      for column in 0..<side { raw.append(code[column / 4 - 4, row / 4 - 4] ? 0 : 255) }
    }
    func word(_ value: Int) -> [UInt8] { [24, 16, 8, 0].map { UInt8(value >> $0 & 0xFF) } }
    func chunk(_ name: String, _ content: [UInt8]) -> [UInt8] {
      word(content.count) + Array(name.utf8) + content + [0, 0, 0, 0]
    }
    return [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
      + chunk("IHDR", word(side) + word(side) + [8, 0, 0, 0, 0])
      + chunk("IDAT", CompressionFormat.zlib.compress(raw)) + chunk("IEND", [])
  }

  @Test("a picture is read by a process of its own, and what is none is refused with a sentence")
  func pictures() async throws {
    try await running(demo: false) { _, client in
      let picture = png(of: try QRCode("https://odi.example/T-1"))
      let codes = try await client.call(ReadCodes(picture: picture))
      #expect(codes.map(\.text) == ["https://odi.example/T-1"] && codes[0].points.count == 8)
      for (bytes, word) in [
        ([UInt8](), "neither"), (Array("hello".utf8), "neither"), (Array(picture.prefix(200)), "again"),
      ] {
        do throws(RPCError) {
          _ = try await client.call(ReadCodes(picture: bytes))
          Issue.record("read")
        } catch {
          #expect(error.code == .invalidArgument && error.message.contains(word), "\(error)")
        }
      }
    }
  }

  @Test("what makes no sense is refused with a sentence")
  func refused() async throws {
    try await running { _, client in
      func refusal<Request: RPCRequest>(_ request: Request) async -> String where Request.Service == TimetableAPI {
        do {
          _ = try await client.call(request)
          return "answered"
        } catch {
          return "\(error.code): \(error.message)"
        }
      }
      #expect(await refusal(ListFestivals(limit: 0)).contains("ask for 1...200"))
      #expect(await refusal(FestivalGrid(festival: FestivalID("x")!)).contains("no festival x"))
      #expect(await refusal(FestivalGrid(festival: demo, day: CivilDate("2020-01-01"))).contains("no day of"))
      #expect(await refusal(FestivalGrid(festival: demo, room: RoomID("x"))).contains("it has hall-1"))
      #expect(await refusal(FindSessions(festival: demo, limit: 501)).contains("ask for 1...500"))
      #expect(await refusal(ExportFestival(festival: demo, format: .unknown("pdf"))).contains("ask for xml"))
      #expect(await refusal(CheckInTicket(festival: demo, code: "", staff: "")).contains("1 to 512"))
    }
  }
}
