import Calendars
import Clocks
import Contracts
import RPC
import RPCTransport
import ServiceKit
import ServiceTestKit
import Testing

@testable import Timetable

/// What operators do to a festival, also two of them at once and in several pieces.
@Suite("Timetable, administration", .timeLimit(.minutes(5)))
@MainActor
struct AdministrationTests {
  private let mine = FestivalID("mine")!
  private let time = ManualTime(wall: Timestamp("2026-11-22T12:00:00+09:00")!.instant)

  private func running(
    in folder: TemporaryFolder? = nil, _ body: (ServiceRig, any RPCClient<TimetableAPI>) async throws -> Void
  ) async throws {
    try await ServiceRig.run(TimetableService.program, folder: folder, time: time) { rig in
      let address = try rig.environment.data.adminSocket(of: "timetable")
      try await body(rig, ServiceClient(of: TimetableAPI.self, at: [.address(address)]))
    }
  }

  private func festival(rooms: Int = 2) -> Festival {
    let day = CivilDate("2026-12-04")!
    return Festival(
      id: mine, name: "Mine", zone: ZoneName("Asia/Seoul")!, startsOn: day, endsOn: day + 1,
      days: [FestivalDay(date: day), FestivalDay(date: day + 1)],
      rooms: (1...rooms).map { FestivalRoom(id: RoomID("hall-\($0)")!, name: "\($0)관") })
  }

  /// Half an hour each, as many on the first day as on the second.
  private func sessions(_ numbers: Range<Int>, details: String? = nil) -> [FestivalSession] {
    numbers.map { number in
      let day = CivilDate("2026-12-04")! + number % 2
      let start = Timestamp("2026-12-04T10:00:00+09:00")!.instant.milliseconds + Int64(number % 2) * 86_400_000
      return FestivalSession(
        id: SessionID("s\(number)")!, title: "Session \(number)", day: day, startsAt: WallTime(milliseconds: start),
        endsAt: WallTime(milliseconds: start + 1_800_000), rooms: [RoomID("hall-1")!], details: details)
    }
  }

  private func put(
    _ sessions: [FestivalSession], upload: String? = nil, hasMore: Bool = false, before: Int? = nil
  ) -> PutFestival {
    PutFestival(
      festival: festival(), sessions: sessions, upload: upload, hasMore: hasMore, editor: "test", isDryRun: false,
      before: before)
  }

  private func ids(_ client: any RPCClient<TimetableAPI>) async throws -> [String] {
    try await client.call(FindSessions(festival: mine, limit: 500)).sessions.map(\.id.text).sorted()
  }

  @Test("of two changes to one session at once none is lost")
  func changesAtOnce() async throws {
    try await running { _, client in
      _ = try await client.call(put(sessions(0..<2)))
      let change = ChangeSession(
        festival: mine, session: SessionID("s0")!, startsAt: nil, rooms: nil, isCancelled: nil, isSoldOut: nil,
        editor: "test", isDryRun: false)
      for round in 0..<10 {
        let (isOdd, room) = (round % 2 == 0, [RoomID("hall-\(1 + (round + 1) % 2)")!])
        var requests = [change, change, change]
        (requests[0].isCancelled, requests[1].isSoldOut, requests[2].rooms) = (isOdd, isOdd, room)
        let calls = requests.map { request in Task { @MainActor in try await client.call(request) } }
        for call in calls { _ = try await call.value }
        let session = try await client.call(SessionsByID(festival: mine, ids: [SessionID("s0")!])).sessions[0]
        #expect(session.isCancelled == isOdd && session.isSoldOut == isOdd && session.rooms == room, "round \(round)")
      }
    }
  }

  @Test("a file in which no session is found takes none away")
  func empty() async throws {
    try await running { _, client in
      _ = try await client.call(put([]))
      _ = try await client.call(put(sessions(0..<2)))
      await #expect(throws: RPCError.self) { try await client.call(put([])) }
      #expect(try await ids(client) == ["s0", "s1"])
    }
  }

  @Test("an import in parts is there once it is whole, also when a part is sent twice")
  func parts() async throws {
    try await running { _, client in
      _ = try await client.call(put(sessions(0..<2), upload: "a", hasMore: true))
      _ = try await client.call(put(sessions(2..<4), upload: "a", hasMore: true, before: 2))
      _ = try await client.call(put(sessions(2..<4), upload: "a", hasMore: true, before: 2))
      #expect(try await client.call(ListFestivals(limit: 1)).isEmpty)
      let last = put(sessions(4..<5), upload: "a", before: 4)
      let edit = try await client.call(last)
      #expect(edit.added.count == 5)
      // As a client does whose link dropped before the answer came.
      #expect(try await client.call(last) == edit)
      #expect(try await ids(client) == ["s0", "s1", "s2", "s3", "s4"])
      // Another import begins under the name of the one before.
      _ = try await client.call(put(sessions(0..<2), upload: "a", hasMore: true, before: 0))
      await #expect(throws: RPCError.self) { try await client.call(last) }
      let other = put(sessions(2..<3), upload: "a", before: 2)
      #expect(try await client.call(other).removed.count == 2)
      #expect(try await client.call(other).removed.count == 2)
      time.advance(by: .seconds(601))
      await #expect(throws: RPCError.self) { try await client.call(other) }
      #expect(try await ids(client) == ["s0", "s1", "s2"])
    }
  }

  @Test("the rest of an import whose beginning is gone is refused, and the festival stays as it was")
  func lostParts() async throws {
    let folder = try TemporaryFolder()
    func refused(_ client: any RPCClient<TimetableAPI>) async throws {
      do throws(RPCError) {
        _ = try await client.call(put(sessions(7..<8), upload: "a", before: 2))
        Issue.record("stored")
      } catch {
        #expect(error.code == .failedPrecondition && error.message.contains("import the file again"), "\(error)")
      }
      #expect(try await ids(client) == ["s0", "s1"])
    }
    try await running(in: folder) { _, client in
      _ = try await client.call(put(sessions(0..<2)))
      _ = try await client.call(put(sessions(5..<7), upload: "a", hasMore: true))
    }
    // The service was started again between two parts.
    try await running(in: folder) { _, client in
      try await refused(client)
      // Whoever sends nothing for ten minutes has given up.
      _ = try await client.call(put(sessions(5..<7), upload: "a", hasMore: true))
      time.advance(by: .seconds(601))
      try await refused(client)
      _ = try await client.call(put(sessions(5..<7), upload: "a", hasMore: true))
      time.advance(by: .seconds(599))
      #expect(try await client.call(put(sessions(7..<8), upload: "a", before: 2)).added.count == 3)
    }
  }

  @Test("a file that no message holds is refused with what to do, and its days are files")
  func largeFiles() async throws {
    try await running { rig, client in
      let timetable = try #require(rig.parts.compactMap { $0 as? LiveTimetable }.first)
      let details = String(repeating: "x", count: 200)
      for start in stride(from: 0, to: 240, by: 60) {
        _ = try await client.call(
          put(sessions(start..<start + 60, details: details), upload: "a", hasMore: start < 180, before: start))
      }
      let day = CivilDate("2026-12-05")!
      let file = try await client.call(ExportFestival(festival: mine, format: .xml, day: day))
      timetable.fileBytesMax = file.bytes.count
      for _ in 0..<2 {
        do throws(RPCError) {
          _ = try await client.call(ExportFestival(festival: mine, format: .xml))
          Issue.record("exported")
        } catch {
          #expect(error.code == .outOfRange && error.message.contains("day=DATE"), "\(error)")
        }
      }
      let text = String(decoding: file.bytes, as: UTF8.self)
      #expect(text.contains("date=\"2026-12-05\"") && !text.contains("date=\"2026-12-04\""))
      #expect(text.contains("Session 239") && !text.contains("Session 238<"))
      let elsewhere = ExportFestival(festival: mine, format: .xml, day: day + 9)
      await #expect(throws: RPCError.self) { try await client.call(elsewhere) }
      let exported = await rig.command("festival", "export", "mine", "--format", "csv", "--day", "2026-12-04")
      #expect(exported.code == .done && exported.output.split(separator: "\n").count == 121)
    }
  }

  @Test("files are kept up to a sum of bytes, and what was asked for longest ago gives way")
  func keptExports() {
    var kept = KeptExports()
    func request(_ day: Int) -> ExportFestival {
      ExportFestival(festival: mine, format: .xml, day: CivilDate("2026-12-01")! + day)
    }
    func isKept(_ day: Int) -> Bool { kept[request(day)] != nil }
    let file = FestivalFile(bytes: [UInt8](repeating: 0, count: 3_000_000), revision: 1)
    kept.keep(.file(file), for: request(0))
    kept.keep(.file(file), for: request(1))
    #expect(isKept(0))
    kept.keep(.file(file), for: request(2))
    #expect(isKept(0) && !isKept(1) && isKept(2))
    for day in 3..<100 { kept.keep(.tooLarge(bytes: 5_000_000), for: request(day)) }
    #expect(!isKept(0) && isKept(99))
    kept.forget(mine)
    #expect(!isKept(99))
  }

  @Test("a session's code says where its page is, for a door or in the terminal")
  func sessionCodes() async throws {
    try await running { rig, client in
      _ = try await client.call(put(sessions(0..<1)))
      let door = await rig.command("qr", "mine", "s0", "--svg", "--public-url", "https://odi.example/")
      #expect(door.code == .done && door.output.hasPrefix("<svg"), "\(door)")
      #expect(door.output.contains("<title>https://odi.example/festivals/mine/sessions/s0</title>"))
      let here = await rig.command("qr", "mine", "s0")
      #expect(here.code == .done && here.output.contains("▀") && here.errors.contains("--public-url"), "\(here)")
      #expect(await rig.command("qr", "mine", "s9").code == .notFound)
      #expect(await rig.command("qr", "mine", "s0", "--public-url", "odi.example").code == .usage)
      #expect(await rig.command("qr", "draw", "ticket-1", "--svg").output.contains("<title>ticket-1</title>"))
    }
  }

  @Test("issued codes are told a batch at a time, and all of them let in")
  func tickets() async throws {
    try await running { rig, client in
      _ = try await client.call(put(sessions(0..<1)))
      let issued = await rig.command("ticket", "issue", "mine", "--count", "2100", "--kind", "pass")
      let codes = issued.output.split(separator: "\n").compactMap { $0.split(separator: " ").first }
      #expect(Set(codes).count == 2_100 && issued.errors.contains("2100 issued"))
      let document = await rig.command("ticket", "issue", "mine", "--count", "1001", "--json")
      #expect(document.output.split(separator: "\n").count == 1 && document.output.contains("\"data\""))
      #expect(await rig.command("checkin", "stats", "mine", "--json").output.contains("\"tickets\":3101"))
    }
  }

  @Test("what goes wrong while tickets are issued leaves nobody without the codes that were stored")
  func ticketsHalfWay() async throws {
    try await running { rig, client in
      _ = try await client.call(put(sessions(0..<1)))
      async let issuing = rig.command("ticket", "issue", "mine", "--count", "90000")
      while try await client.call(DoorStatisticsOf(festival: mine)).tickets == 0 { await Task.yield() }
      _ = try await client.call(RemoveFestival(festival: mine, editor: "test"))
      let issued = await issuing
      let count = issued.output.split(separator: "\n").count
      #expect(issued.code != .done && count >= 1_000 && count % 1_000 == 0 && count < 90_000, "\(count)")
      #expect(issued.errors.contains("\(count) of 90000 were issued and are listed"), "\(issued.errors)")
    }
  }

  @Test("festivals are listed a page at a time, by their end or from a point the nearest first")
  func listing() async throws {
    try await running { _, client in
      for (number, latitude) in [37.5, 35.1, nil, 37.4].enumerated() {
        var other = put([])
        other.festival.id = FestivalID("f\(number)")!
        other.festival.position = latitude.flatMap { try? Coordinate(latitude: $0, longitude: 127) }
        other.festival.endsOn = other.festival.endsOn + number
        _ = try await client.call(other)
      }
      func page(_ offset: Int, near: Coordinate? = nil) async throws -> [String] {
        try await client.call(ListFestivals(limit: 3, offset: offset, near: near)).map(\.id.text)
      }
      #expect(try await page(0) == ["f3", "f2", "f1"])
      #expect(try await page(3) == ["f0"])
      let seoul = try Coordinate(latitude: 37.56, longitude: 127)
      #expect(try await page(0, near: seoul) == ["f0", "f3", "f1"])
      #expect(try await page(3, near: seoul) == ["f2"])
    }
  }
}
