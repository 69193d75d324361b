import Calendars
import Clocks
import Contracts
import Crypto
import RPC

/// Answers the timetable's contracts from memory. Only the check-in, pictures and the stream of changes wait.
struct TimetableHandlers {
  let timetable: LiveTimetable
  let store: TimetableStore
  let pictures: PictureDesk
  let time: any TimeSource

  private enum Limits {
    static let festivals = 1...200
    static let sessions = 1...500
    static let ids = 500
    static let textBytes = 400
    static let codeBytes = 512
  }

  func register(on router: RPCRouter) {
    router.on(ListFestivals.self) { (request: ListFestivals, _: borrowing CallContext) in
      try Self.check(request.limit, Limits.festivals)
      let all = request.ids.map { $0.compactMap { timetable.all[$0] } } ?? Array(timetable.all.values)
      let active = all.map(\.festival).filter { festival in
        request.activeOn.map { date in festival.days.contains { $0.date == date } } ?? true
      }
      return Array(
        Self.sorted(active, around: request.near).dropFirst(max(request.offset ?? 0, 0)).prefix(request.limit))
    }
    router.on(FestivalGrid.self) { (request: FestivalGrid, _: borrowing CallContext) in
      try timetable[request.festival].grid(request, now: time.wall)
    }
    router.on(FindSessions.self) { (request: FindSessions, _: borrowing CallContext) in
      try Self.check(request.limit, Limits.sessions)
      guard request.text?.utf8.count ?? 0 <= Limits.textBytes else {
        throw RPCError(.invalidArgument, "the text is longer than \(Limits.textBytes) bytes; ask for a part of a title")
      }
      return try timetable[request.festival].sessions(request)
    }
    router.on(SessionsByID.self) { (request: SessionsByID, _: borrowing CallContext) in
      guard request.ids.count <= Limits.ids else {
        throw RPCError(.invalidArgument, "\(request.ids.count) ids; ask for at most \(Limits.ids) at once")
      }
      return try timetable[request.festival].sessions(request.ids)
    }
    router.on(FloorPlan.self) { (request: FloorPlan, _: borrowing CallContext) in
      let festival = try timetable[request.festival]
      guard let svg = festival.floors[request.floor] else {
        throw RPCError(.notFound, "\(request.festival) has no map of a floor \(request.floor)")
      }
      return FloorDrawing(svg: svg, revision: festival.festival.revision)
    }
    router.on(ExportFestival.self) { (request: ExportFestival, _: borrowing CallContext) in
      try timetable.file(request)
    }
    router.on(CheckInTicket.self) { (request: CheckInTicket, context: CallContext) in
      try await checkIn(request, context.key)
    }
    router.on(ReadCodes.self) { (request: ReadCodes, _: CallContext) in try await pictures.codes(in: request.picture) }
    router.on(FestivalChanges.self) {
      (request: FestivalChanges, _: CallContext, writer: StreamWriter<FestivalChange>) in
      try await follow(request, writer)
    }
  }

  private static func sorted(_ festivals: [Festival], around near: Coordinate?) -> [Festival] {
    guard let near else { return festivals.sorted { ($1.endsOn, $0.id) < ($0.endsOn, $1.id) } }
    return festivals.map { (metres: $0.position.map(near.metres(to:)) ?? .infinity, festival: $0) }
      .sorted { ($0.metres, $0.festival.id) < ($1.metres, $1.festival.id) }.map(\.festival)
  }

  private func checkIn(_ request: CheckInTicket, _ key: IdempotencyKey?) async throws -> CheckInReceipt {
    guard !request.code.isEmpty, request.code.utf8.count <= Limits.codeBytes else {
      throw RPCError(.invalidArgument, "a ticket's code has 1 to \(Limits.codeBytes) bytes")
    }
    _ = try timetable[request.festival]
    return try await store.checkIn(
      request.code, at: request.festival, token: SHA256.digest(of: request.staff), key: key, now: time.wall)
  }

  /// Sends what has changed, then waits for more. The database is asked each time, so nothing falls between the two; what
  /// is not served yet is not told, as who hears of it reads it again.
  private func follow(_ request: FestivalChanges, _ writer: StreamWriter<FestivalChange>) async throws {
    // A reader whose revision is from another life of the database learns it from this one.
    var seen = 0 as Int64
    if let since = request.since { seen = min(since, timetable.revision) } else { seen = try await timetable.settled() }
    try await writer.send(FestivalChange(revision: seen))
    // Changes of festivals that cannot be read: told when they can be.
    var late: [FestivalID: FestivalChange] = [:]
    while !writer.isShuttingDown {
      let revision = timetable.revision
      let stored = try await store.changes(after: seen, limit: LiveTimetable.changesAtOnce)
      let changes = stored.prefix { timetable.serves($0) || timetable.isUnread($0) }
      for change in changes {
        seen = change.revision
        if !timetable.serves(change), let festival = change.festival {
          late[festival] = change
        } else {
          try await writer.send(change)
        }
      }
      for (festival, change) in late where timetable.serves(change) {
        late[festival] = nil
        // Of all its sessions: several changes may have come to this one.
        try await writer.send(FestivalChange(revision: seen, festival: festival))
      }
      // What was read again while the database was asked may have been what the first of them waited for.
      guard changes.isEmpty, revision == timetable.revision else { continue }
      // Whoever changed a festival may have gone away before it was read again.
      if let waiting = stored.first { await timetable.repair(waiting) } else { try await timetable.changed() }
    }
  }

  private static func check(_ limit: Int, _ allowed: ClosedRange<Int>) throws(RPCError) {
    guard allowed.contains(limit) else {
      throw RPCError(
        .invalidArgument, "limit is \(limit); ask for \(allowed.lowerBound)...\(allowed.upperBound)", executed: .no)
    }
  }
}
