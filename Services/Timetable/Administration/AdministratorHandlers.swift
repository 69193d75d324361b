import Calendars
import Clocks
import Contracts
import Crypto
import Drafts
import Festivals
import RPC

/// Answers the timetable's administrators: what changes it, and what tells about it.
@MainActor
final class AdministratorHandlers {
  private let timetable: LiveTimetable
  private let store: TimetableStore
  private let time: any TimeSource
  private let uploads: SessionUploads

  private enum Limits {
    /// With long texts they still fit in a message.
    static let sessionsAtOnce = 500
    static let sessions = 20_000
    static let tickets = 1_000
    static let nameBytes = 100
  }

  init(timetable: LiveTimetable, store: TimetableStore, time: any TimeSource) {
    self.timetable = timetable
    self.store = store
    self.time = time
    uploads = SessionUploads(time: time)
  }

  func register(on router: RPCRouter) {
    router.on(PutFestival.self) { [self] (request: PutFestival, _: CallContext) in try await put(request) }
    router.on(RemoveFestival.self) { [self] (request: RemoveFestival, _: CallContext) in
      let isThere = try await store.remove(request.festival, by: short(request.editor), at: time.wall)
      guard isThere else { throw RPCError(.notFound, "there is no festival \(request.festival)") }
      try await timetable.reload(request.festival)
      return true
    }
    router.on(ChangeSession.self) { [self] (request: ChangeSession, _: CallContext) in try await change(request) }
    router.on(ChangeFestival.self) { [self] (request: ChangeFestival, _: CallContext) in
      let (festival, isChanged) = try await store.change(request, by: short(request.editor), at: time.wall)
      if isChanged { try await timetable.reload(festival.id) }
      return festival
    }
    router.on(FindingsOf.self) { [self] (request: FindingsOf, _: CallContext) in
      try timetable[request.festival].programme.findings
    }
    router.on(PutFloor.self) { [self] (request: PutFloor, _: CallContext) in
      let festival = try timetable[request.festival].festival
      let clean: (svg: String, rooms: [RoomID])
      do {
        clean = try FloorMap.clean(request.drawing, of: festival)
      } catch {
        throw RPCError(.invalidArgument, "\(error)", executed: .no)
      }
      try await store.put(clean.svg, as: request.floor, of: festival.id, by: short(request.editor), at: time.wall)
      try await timetable.reload(festival.id)
      return clean.rooms
    }
    router.on(AddTickets.self) { [self] (request: AddTickets, _: CallContext) in
      guard request.tickets.count <= Limits.tickets else {
        throw RPCError(.invalidArgument, "\(request.tickets.count) tickets; send at most \(Limits.tickets) at once")
      }
      return try await store.add(request.tickets, to: request.festival)
    }
    router.on(ChangeStaff.self) { [self] (request: ChangeStaff, _: CallContext) in
      let name = short(request.name)
      if request.isDismissed {
        guard try await store.dismiss(name, at: request.festival) else {
          throw RPCError(.notFound, "\(request.festival) has nobody called \(name) at the door")
        }
        return ""
      }
      let token = "staff_" + Base64URL.encode(SecureRandom.bytes(24))
      try await store.allow(name, token: SHA256.digest(of: token), at: request.festival, now: time.wall)
      return token
    }
    router.on(DoorStatisticsOf.self) { [self] (request: DoorStatisticsOf, _: CallContext) in
      _ = try timetable[request.festival]
      return try await store.doorStatistics(of: request.festival)
    }
  }

  private func put(_ request: PutFestival) async throws -> ProgrammeEdit {
    guard request.sessions.count <= Limits.sessionsAtOnce else {
      throw RPCError(
        .invalidArgument, "\(request.sessions.count) sessions; send at most \(Limits.sessionsAtOnce) at once")
    }
    guard request.festival.id.isFestivalSlug else {
      throw RPCError(.invalidArgument, "\(request.festival.id) is no id of a festival: at most 36 characters, no dot")
    }
    if let edit = uploads.answer(to: request) {
      // What was stored the first time may not have been loaded then.
      try await show(edit, of: request)
      return edit
    }
    var sessions = request.sessions
    if let name = request.upload {
      sessions = try uploads.whole(name, request.sessions, after: request.before ?? 0)
      guard sessions.count <= Limits.sessions else {
        uploads.forget(name)
        throw RPCError(.invalidArgument, "more than \(Limits.sessions) sessions; import the festival in parts")
      }
      guard !request.hasMore else {
        uploads.keep(sessions, as: name)
        return ProgrammeEdit(isNew: false, added: [], altered: [], removed: [])
      }
    }
    let rooms = Set(request.festival.rooms.map(\.id))
    if let lost = sessions.first(where: { !$0.rooms.allSatisfy(rooms.contains) }) {
      throw RPCError(.invalidArgument, "\(lost.id) is in a room that the festival does not list")
    }
    guard Set(sessions.map(\.id)).count == sessions.count else {
      throw RPCError(.invalidArgument, "two sessions have the same id")
    }
    let programme = FestivalProgramme(festival: request.festival, sessions: sessions)
    // A file in a form that is not known may well have days and rooms, and nothing that we find in them.
    if sessions.isEmpty, case let kept = try await store.plan(programme).removed.count, kept > 0 {
      throw RPCError(
        .failedPrecondition,
        "no session was found, and \(request.festival.id) has \(kept): nothing was changed; take the festival out first if"
          + " it has none any more")
    }
    let edit: ProgrammeEdit
    if request.isDryRun {
      edit = try await store.plan(programme)
    } else {
      edit = try await store.put(programme, by: short(request.editor), at: time.wall)
    }
    // Not before: where storing failed, the last part may be sent again.
    let answer = uploads.finish(request, with: edit)
    try await show(answer, of: request)
    return answer
  }

  private func show(_ edit: ProgrammeEdit, of request: PutFestival) async throws {
    if edit.isChange, !request.isDryRun { try await timetable.reload(request.festival.id) }
  }

  private func change(_ request: ChangeSession) async throws -> FestivalSession {
    guard !request.isDryRun else { return try await store.plan(request, zones: timetable.zones) }
    let (session, isChanged) = try await store.change(
      request, zones: timetable.zones, by: short(request.editor), at: time.wall)
    if isChanged { try await timetable.reload(request.festival) }
    return session
  }

  private func short(_ text: String) -> String {
    text.prefix(bytes: Limits.nameBytes)
  }
}
