import Calendars
import Clocks
import Contracts
import Festivals
import JSON
import RPC
import ServiceKit
import TextSearch

/// `show`, `sessions`, `conflicts`, `check`, `move`, `cancel`, `sold-out`.
extension TimetableCommands {
  var show: Command {
    let id = festivalID
    let day = Parameter<CivilDate?>.optionalOption("day", "which day; today or the next one, if not said")
    let room = Parameter<String?>.optionalOption("screen", "only this room, by its id or its name")
    let track = Parameter<TrackID?>.optionalOption("track", "only this track")
    return Command(
      "show", "show a day as a grid: rooms beside each other, time downwards",
      discussion: "Hours in which nothing takes place are folded. --json is the same grid as values.",
      takes: [id, day, room, track] + service.parameters
    ) { call, output in
      let screen = try await self.room(call[room], of: call[id], call, output)
      let request = FestivalGrid(festival: call[id], day: call[day], track: call[track], room: screen)
      let grid = try await service.ask(request, call, output)
      guard output.format == .table else {
        try output.write(Report(cells: grid, in: (try? zones.rules(for: grid.zone)) ?? .utc))
        return .done
      }
      let drawing = TerminalGrid(
        grid, zone: (try? zones.rules(for: grid.zone)) ?? .utc, now: time.wall,
        width: output.terminal.width)
      output.write(drawing.text(inColour: output.coloursResults))
      return .done
    }
  }

  var sessions: Command {
    let id = festivalID
    let text = Parameter<[String]>.arguments("TEXT", "a part of a title or of somebody's name; all, if not said")
    let day = Parameter<CivilDate?>.optionalOption("day", "only this day")
    let room = Parameter<String?>.optionalOption("screen", "only this room, by its id or its name")
    let track = Parameter<TrackID?>.optionalOption("track", "only this track")
    let tag = Parameter<String?>.optionalOption("tag", "only with this flag, kind, language or level")
    return Command(
      "sessions", "list the sessions of a festival", takes: [id, text, day, room, track, tag] + service.parameters
    ) { call, output in
      let words = call[text].joined(separator: " ")
      let screen = try await self.room(call[room], of: call[id], call, output)
      let (festival, sessions) = try await everySession(
        of: call[id], matching: words.isEmpty ? nil : words, day: call[day], room: screen, track: call[track],
        tag: call[tag], call, output)
      try output.write(Report(sessions, of: festival, in: rules(festival)))
      return .done
    }
  }

  // MARK: What is wrong

  var conflicts: Command {
    findings("conflicts", "list what cannot be: overlaps in a room, people in two places", only: .problem)
  }

  var check: Command {
    findings(
      "check", "list what is probably wrong: overlaps, turn-rounds under 10 minutes, films longer than their slot",
      only: nil)
  }

  private func findings(_ name: String, _ help: String, only severity: ProgrammeFinding.Severity?) -> Command {
    let id = festivalID
    return Command(
      name, help, discussion: "Exit code 9 if there is a problem; warnings are none.", takes: [id] + service.parameters
    ) { call, output in
      var all = try await service.ask(FindingsOf(festival: call[id]), call, output)
      all += try await tooLong(call[id], call, output)
      let shown = all.filter { severity == nil || $0.severity == severity }
      let columns = [
        Report.Column("severity"), Report.Column("rule"), Report.Column("sessions"),
        Report.Column("text", shrinks: true),
      ]
      let rows = shown.map { finding -> [Report.Cell] in
        [
          Report.Cell(finding.severity.rawValue, finding.severity == .problem ? .bad : .warning), "\(finding.rule)",
          Report.Cell(
            finding.sessions.map(\.text).joined(separator: " "), json: .array(finding.sessions.map { .string($0.text) })
          ),
          "\(finding.text)",
        ]
      }
      try output.write(Report(columns, rows: rows))
      let problems = all.count { $0.severity == .problem }
      output.note("\(problems) problems · \(all.count - problems) warnings")
      return problems == 0 ? .done : .degraded
    }
  }

  /// Films that do not fit by the lengths that the catalogue knows, where the festival's file says which film it is and
  /// not how long that lasts.
  private func tooLong(
    _ id: FestivalID, _ call: Invocation, _ output: Output
  ) async throws(CommandError) -> [ProgrammeFinding] {
    let sessions = try await everySession(of: id, call, output).sessions.filter {
      $0.film != nil && $0.runtimeMinutes == nil && !$0.isCancelled
    }
    var left = Set(sessions.compactMap(\.film)).sorted()[...]
    do throws(CommandError) {
      var lengths: [FilmID: Int] = [:]
      while !left.isEmpty {
        let asked = Array(left.prefix(CatalogueFilms.idsMax))
        left = left.dropFirst(asked.count)
        for entry in try await service.ask(neighbour: CatalogueFilms(ids: asked), call, output) {
          lengths[entry.asked] = entry.film.film.runtimeMinutes
        }
      }
      return sessions.compactMap { session in
        session.film.flatMap { lengths[$0] }.flatMap { ProgrammeFinding(of: session, lasting: $0) }
      }
    } catch {
      output.note("how long films last is not known: \(error.what)")
      return []
    }
  }

  // MARK: Changes

  var move: Command {
    let (id, session) = (festivalID, sessionID)
    let rooms = Parameter<[String]>.options(
      "screen", "the room, by its id or its name; several times for several rooms")
    let at = Parameter<String?>.optionalOption("at", "when: 19:30 on its day, or 2026-05-02T19:30")
    return Command(
      "move", "move a session to another time or room; it keeps its length",
      discussion: """
        Tells what it then overlaps with and how many have it on their agenda, and asks. People who follow the festival \
        hear of it.
        """,
      takes: [id, session, rooms, at, Confirmation.dryRun, Confirmation.yes] + service.parameters
    ) { call, output in
      let current = try await one(call[session], of: call[id], call, output)
      var request = change(call[id], call[session], output)
      if let text = call[at] { request.startsAt = try instant(text, current.session, current.festival) }
      if !call[rooms].isEmpty {
        var screens: [RoomID] = []
        for text in call[rooms] { screens.append(try self.room(text, of: current.festival)) }
        request.rooms = screens
      }
      guard request.startsAt != nil || request.rooms != nil else {
        throw CommandError(.usage, "say where or when to: --screen ROOM, --at TIME")
      }
      return try await apply(request, "move", current.festival, call, output)
    }
  }

  var cancel: Command {
    let (id, session) = (festivalID, sessionID)
    let undo = Parameter<Bool>.flag("undo", "it takes place after all")
    return Command(
      "cancel", "cancel a session; it stays in the programme, marked",
      discussion: "Tells how many have it on their agenda, and asks. People who follow the festival hear of it.",
      takes: [id, session, undo, Confirmation.dryRun, Confirmation.yes] + service.parameters
    ) { call, output in
      let current = try await one(call[session], of: call[id], call, output)
      var request = change(call[id], call[session], output)
      request.isCancelled = !call[undo]
      return try await apply(request, call[undo] ? "restore" : "cancel", current.festival, call, output)
    }
  }

  var soldOut: Command {
    let (id, session) = (festivalID, sessionID)
    let undo = Parameter<Bool>.flag("undo", "there are tickets again")
    return Command(
      "sold-out", "mark a session as sold out", takes: [id, session, undo] + service.parameters
    ) { call, output in
      var request = change(call[id], call[session], output)
      request.isSoldOut = !call[undo]
      _ = try await service.ask(request, call, output, timeout: Self.patience)
      output.note("stored")
      return .done
    }
  }

  private func change(_ festival: FestivalID, _ session: SessionID, _ output: Output) -> ChangeSession {
    ChangeSession(
      festival: festival, session: session, startsAt: nil, rooms: nil, isCancelled: nil, isSoldOut: nil,
      editor: editor(output), isDryRun: false)
  }

  private func room(
    _ text: String?, of id: FestivalID, _ call: Invocation, _ output: Output
  ) async throws(CommandError) -> RoomID? {
    guard let text else { return nil }
    return try room(text, of: try await festival(id, call, output))
  }

  /// By its id, or by its name however that is written.
  func room(_ text: String, of festival: Festival) throws(CommandError) -> RoomID {
    if let room = festival.rooms.first(where: { $0.id.text == text }) { return room.id }
    let key = FoldedText(text).text
    let named = festival.rooms.filter { FoldedText($0.name).text == key }
    guard let room = named.first, named.count == 1 else {
      let rooms = festival.rooms.map { "\($0.id) (\($0.name))" }.joined(separator: ", ")
      throw CommandError(.notFound, "\(festival.id) has no room \(text)", why: "it has \(rooms)")
    }
    return room.id
  }

  func one(
    _ id: SessionID, of festival: FestivalID, _ call: Invocation, _ output: Output
  ) async throws(CommandError) -> (festival: Festival, session: FestivalSession) {
    let set = try await service.ask(SessionsByID(festival: festival, ids: [id]), call, output)
    guard let session = set.sessions.first else {
      throw CommandError(.notFound, "\(festival) has no session \(id)", try: "odi-timetable sessions \(festival)")
    }
    return (set.festival, session)
  }

  private func instant(
    _ text: String, _ session: FestivalSession, _ festival: Festival
  ) throws(CommandError) -> WallTime {
    let zone = rules(festival)
    if let instant = ISO8601Time(text)?.instant(in: zone) { return instant }
    guard let clock = DisplayTime(text) else {
      throw CommandError(.usage, "\(text) is no time; write 19:30, 24:30 or 2026-05-02T19:30")
    }
    let isNight =
      !clock.isAfterMidnight && clock.minutes * 60 < (festival.dayEnds ?? Festival.dayEndsStandard).secondOfDay
    return zone.instant(of: ServiceTime(isNight ? session.day + 1 : session.day, clock))
  }

  /// Shows what would be, asks, and does it.
  private func apply(
    _ request: ChangeSession, _ verb: String, _ festival: Festival, _ call: Invocation, _ output: Output
  ) async throws -> ExitCode {
    var plan = request
    plan.isDryRun = true
    let after = try await service.ask(plan, call, output)
    let others = try await everySession(of: festival.id, day: after.day, call, output).sessions
    let clashes = others.filter { other in
      other.id != after.id && !Set(other.rooms).isDisjoint(with: after.rooms)
        && !SessionConflict.all(among: [other, after]).isEmpty
    }
    try output.write(Report([after], of: festival, in: rules(festival)))
    for clash in clashes { output.note("overlaps in its room with \(clash.title) (\(clash.id))") }
    output.note(await affected(after.id, of: festival.id, call, output))
    if call[Confirmation.dryRun] {
      output.note("nothing was stored (--dry-run)")
      return .done
    }
    try Confirmation(call, output.terminal).require("\(verb) \(after.title)")
    _ = try await service.ask(request, call, output, timeout: Self.patience)
    output.note("stored")
    return .done
  }

  /// Who has a session on their agenda, as far as the bookmarks tell: the most saved ones of all festivals, and of each
  /// only that enough people saved it to be nobody in particular.
  private func affected(
    _ session: SessionID, of festival: FestivalID, _ call: Invocation, _ output: Output
  ) async -> String {
    let request = MostSaved(kind: .session, limit: Self.mostSaved)
    do throws(CommandError) {
      let saved = try await service.ask(neighbour: request, call, output)
      if let count = saved.first(where: { $0.id == session.saved(at: festival) }) {
        return "\(count.users) people have it on their agenda"
      }
      return saved.count < Self.mostSaved
        ? "fewer than five people have it on their agenda"
        : "it is not among the \(Self.mostSaved) sessions that most people have on their agenda"
    } catch {
      return "how many have it on their agenda is not known: \(error.what)"
    }
  }

  /// As many as the bookmarks tell at once.
  private static let mostSaved = 100
}
