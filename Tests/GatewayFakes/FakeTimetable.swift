import Calendars
package import Clocks
package import Contracts
package import Festivals
package import RPC

/// One invented festival of two days, at the lantern.
@MainActor
package final class FakeTimetable {
  package let manners = FakeManners()
  package let router = RPCRouter(service: "timetable")
  package var programme: FestivalProgramme
  /// Listed behind it.
  package var others: [Festival] = []
  /// Tickets that were shown.
  package var admitted: [String: WallTime] = [:]
  private let time: any TimeSource

  package var client: any RPCClient<TimetableAPI> { InProcessClient(of: TimetableAPI.self, router, time: time) }

  package init(time: any TimeSource) {
    self.time = time
    programme = Self.invented
    router.on(ListFestivals.self, manners) { [self] request in
      let isAsked = request.ids.map { $0.contains(programme.festival.id) } ?? true
      let isActive = request.activeOn.map { date in programme.festival.days.contains { $0.date == date } } ?? true
      let all = [programme.festival] + others
      let found = isAsked && isActive ? all : []
      return Array(found.dropFirst(request.offset ?? 0).prefix(request.limit))
    }
    router.on(FestivalGrid.self, manners) { [self] request in
      try known(request.festival)
      let day = request.day ?? programme.festival.startsOn
      guard programme.festival.days.contains(where: { $0.date == day }) else {
        throw RPCError(.notFound, "\(day) is no day of it")
      }
      return GridLayout.grid(of: programme, on: day, track: request.track, room: request.room)
    }
    router.on(FindSessions.self, manners) { [self] request in
      try known(request.festival)
      let found = programme.sessions.filter { session in
        (request.text.map { session.title.lowercased().contains($0.lowercased()) } ?? true)
          && (request.day.map { session.day == $0 } ?? true) && (request.track.map { session.track == $0 } ?? true)
          && (request.room.map { session.rooms.contains($0) } ?? true)
          && (request.tag.map { session.kind == $0 } ?? true)
      }
      let page = found.dropFirst(request.offset).prefix(request.limit)
      return SessionPage(
        festival: programme.festival, sessions: Array(page), hasMore: request.offset + page.count < found.count)
    }
    router.on(SessionsByID.self, manners) { [self] request in
      try known(request.festival)
      let found = programme.sessions.filter { request.ids.contains($0.id) }
      return SessionSet(festival: programme.festival, sessions: found, conflicts: SessionConflict.all(among: found))
    }
    router.on(FloorPlan.self, manners) { [self] request in
      try known(request.festival)
      guard request.floor.text == "ground" else { throw RPCError(.notFound, "there is no map of \(request.floor)") }
      return FloorDrawing(svg: "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 1 1\"/>", revision: 1)
    }
    router.on(ExportFestival.self, manners) { [self] request in
      try known(request.festival)
      let part = request.day.map { programme.only($0) } ?? programme
      guard let part else { throw RPCError(.notFound, "it has no such day") }
      return FestivalFile(
        bytes: try part.written(as: request.format, zone: .utc, now: WallTime(milliseconds: 0)), revision: 1)
    }
    router.on(CheckInTicket.self, manners) { [self] request in
      guard request.staff == "staff_door" else { throw RPCError(.permissionDenied, "this is no token of the staff") }
      guard request.code.hasPrefix("ticket-") else { throw RPCError(.notFound, "there is no such ticket") }
      let before = admitted[request.code]
      admitted[request.code] = before ?? time.wall
      return CheckInReceipt(
        isFirst: before == nil, checkedInAt: before ?? time.wall, staff: "door", holder: "Somebody", isReplay: false)
    }
    router.on(ReadCodes.self, manners) { request in
      guard request.picture.starts(with: [0x89]) else {
        throw RPCError(.invalidArgument, "this is neither PNG nor JPEG; send one of these")
      }
      return [CodeInPicture(text: "ticket-1", points: [1, 2, 3, 4])]
    }
    router.on(FestivalChanges.self) {
      [self] (request: FestivalChanges, context: CallContext, writer: StreamWriter<FestivalChange>) in
      try await manners.pass("FestivalChanges", context)
      try await writer.send(FestivalChange(revision: 1))
      try await time.sleep(for: .seconds(86_400))
    }
  }

  private func known(_ id: FestivalID) throws(RPCError) {
    guard id == programme.festival.id else { throw RPCError(.notFound, "there is no festival \(id)") }
  }

  private static let invented: FestivalProgramme = {
    let day = CivilDate("2026-11-22")!
    let zone = ZoneName("Asia/Seoul")!
    let rooms = [
      FestivalRoom(id: RoomID("hall")!, name: "1관", floor: "2F", capacity: 180),
      FestivalRoom(id: RoomID("garden")!, name: "야외"),
    ]
    let track = FestivalTrack(id: TrackID("comp")!, name: "경쟁", color: "#b3261e")
    let festival = Festival(
      id: FestivalID("lantern")!, name: "등불 영화제", subtitle: "Lantern Festival", summary: "지어낸 영화제",
      venue: "등불극장", city: "서울", position: try? Coordinate(latitude: 37.5663, longitude: 126.9779), zone: zone,
      startsOn: day, endsOn: day + 1, days: [FestivalDay(date: day), FestivalDay(date: day + 1)], rooms: rooms,
      tracks: [track], sponsors: [FestivalSponsor(name: "Paper", tier: "tier-1")],
      floors: [FestivalFloor(id: FloorID("ground")!, name: "1F", rooms: [rooms[1].id])], isDemo: true, revision: 1)
    // 19:30 in Seoul.
    let evening: Int64 = 1_795_343_400_000
    func session(
      _ id: String, _ title: String, after minutes: Int64, _ length: Int64, _ places: [Int]
    ) -> FestivalSession {
      let start = WallTime(milliseconds: evening + minutes * 60_000)
      return FestivalSession(
        id: SessionID(id)!, code: "101", title: title, day: day, startsAt: start,
        endsAt: WallTime(milliseconds: start.milliseconds + length * 60_000), rooms: places.map { rooms[$0].id },
        track: track.id, speakers: [FestivalSpeaker(name: "윤서리")], kind: "screening", abstract: "짧은 글")
    }
    return FestivalProgramme(
      festival: festival,
      sessions: [
        session("ses_tea", "차 한 잔", after: 0, 90, [0, 1]), session("ses_moon", "달의 뒤편", after: 60, 60, [1]),
        session("ses_late", "심야", after: 300, 80, [0]),
      ])
  }()
}
