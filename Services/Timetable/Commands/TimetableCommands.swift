import Calendars
import Clocks
import Contracts
import Directories
import EventLoops
import Festivals
import JSON
import RPC
import ServiceKit

/// The timetable's own commands. They ask the running service; `qr` and `festival import --dry-run --offline` need none.
struct TimetableCommands {
  let service = ServiceAccess(to: "timetable")
  let zones = ZoneDirectory()
  let time: any TimeSource = EventLoop.time

  var all: [Command] {
    [
      festival, sponsor, room, show, sessions, conflicts, check, move, cancel, soldOut, floor, qr, ticket, staff,
      checkin,
    ]
  }

  /// An id that is completed by asking the running service.
  var festivalID: Parameter<FestivalID> {
    .argument(
      "FEST", "the festival's id",
      completion: service.completion(asking: ListFestivals(limit: 200)) { $0.map(\.id.text) })
  }

  var sessionID: Parameter<SessionID> { .argument("SESSION", "the session's id") }

  // MARK: Asking

  /// A change is answered when the festival has been made anew.
  static let patience: Duration = .seconds(60)

  func festival(_ id: FestivalID, _ call: Invocation, _ output: Output) async throws(CommandError) -> Festival {
    guard let festival = try await service.ask(ListFestivals(ids: [id], limit: 1), call, output).first else {
      throw CommandError(.notFound, "there is no festival \(id)", try: "odi-timetable festival list")
    }
    return festival
  }

  func rules(_ festival: Festival) -> TimeZoneRules { (try? zones.rules(for: festival.zone)) ?? .utc }

  /// All sessions, a page at a time.
  func everySession(
    of id: FestivalID, matching text: String? = nil, day: CivilDate? = nil, room: RoomID? = nil, track: TrackID? = nil,
    tag: String? = nil, _ call: Invocation, _ output: Output
  ) async throws(CommandError) -> (festival: Festival, sessions: [FestivalSession]) {
    var sessions: [FestivalSession] = []
    while true {
      let request = FindSessions(
        festival: id, text: text, day: day, track: track, room: room, tag: tag, offset: sessions.count, limit: 200)
      let page = try await service.ask(request, call, output)
      sessions += page.sessions
      if !page.hasMore { return (page.festival, sessions) }
    }
  }

  /// Who is at the keyboard, for the history.
  func editor(_ output: Output) -> String { output.terminal.environment["USER"] ?? "odi-timetable" }

  func bytes(of path: String, most: Int) throws(CommandError) -> [UInt8] {
    do throws(FileError) {
      return try contents(ofFile: path == "-" ? "/dev/stdin" : path, bytesMax: most)
    } catch {
      throw CommandError(error)
    }
  }
}

nonisolated extension CivilDate: ArgumentValue {
  package static var wanted: String { form }
  package static var valueName: String { "DATE" }
  package init?(argument: String) { self.init(argument) }
  package var argument: String { description }
}

nonisolated extension ZoneName: ArgumentValue {
  package static var wanted: String { form }
  package static var valueName: String { "ZONE" }
  package init?(argument: String) { self.init(argument) }
  package var argument: String { text }
}
