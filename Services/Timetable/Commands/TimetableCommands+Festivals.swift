import Calendars
import Clocks
import Contracts
import Directories
import Festivals
import JSON
import RPC
import ServiceKit
import Wire

/// `festival list|get|create|edit|import|export|rm`, `sponsor add|rm`, `room set`, `floor import`.
extension TimetableCommands {
  var festival: Command {
    Command(
      "festival", "festivals as a whole",
      subcommands: [list, get, create, edit, importing, exporting, remove])
  }

  private var list: Command {
    Command("list", "list the festivals, the newest first", takes: service.parameters) { call, output in
      let columns = [
        Report.Column("id"), Report.Column("name", shrinks: true), Report.Column("starts_on"), Report.Column("ends_on"),
        Report.Column("time_zone"), Report.Column("rooms", alignment: .right), Report.Column("city"),
        Report.Column("demo", visible: false),
      ]
      let rows = try await service.ask(ListFestivals(limit: 200), call, output).map { festival -> [Report.Cell] in
        [
          "\(festival.id.text)", "\(festival.name)", "\(festival.startsOn)", "\(festival.endsOn)",
          "\(festival.zone.text)", .number(festival.rooms.count), .text(festival.city), .flag(festival.isDemo),
        ]
      }
      try output.write(Report(columns, rows: rows))
      return .done
    }
  }

  private var get: Command {
    let id = festivalID
    return Command("get", "show one festival", takes: [id] + service.parameters) { call, output in
      let (festival, sessions) = try await everySession(of: call[id], call, output)
      try output.write(
        Report(item: [
          (Report.Column("id"), "\(festival.id.text)"), (Report.Column("name"), "\(festival.name)"),
          (Report.Column("time_zone"), "\(festival.zone.text)"), (Report.Column("starts_on"), "\(festival.startsOn)"),
          (Report.Column("ends_on"), "\(festival.endsOn)"),
          (Report.Column("day_ends"), "\(festival.dayEnds ?? Festival.dayEndsStandard)"),
          (Report.Column("venue"), .text(festival.venue)), (Report.Column("city"), .text(festival.city)),
          (Report.Column("website"), .text(festival.website)),
          (Report.Column("days"), cell(festival.days.map { "\($0.date)" })),
          (Report.Column("rooms"), cell(festival.rooms.map { "\($0.id): \($0.name)" })),
          (Report.Column("tracks"), cell(festival.tracks.map(\.name))),
          (Report.Column("sponsors"), cell(festival.sponsors.map(\.name))),
          (Report.Column("floors"), cell(festival.floors.map { "\($0.id): \($0.name)" })),
          (Report.Column("sessions"), .number(sessions.count)),
          (Report.Column("revision"), .number(Int(festival.revision))),
        ]))
      return .done
    }
  }

  func cell(_ texts: [String]) -> Report.Cell {
    Report.Cell(texts.joined(separator: ", "), json: .array(texts.map { .string($0) }))
  }

  private var create: Command {
    let id = festivalID
    let name = Parameter<String?>.optionalOption("name", "what it is called")
    let zone = Parameter<ZoneName?>.optionalOption("zone", "its time zone: Asia/Seoul")
    let starts = Parameter<CivilDate?>.optionalOption("starts", "its first day")
    let ends = Parameter<CivilDate?>.optionalOption("ends", "its last day; the first, if not said")
    let rooms = Parameter<[String]>.options("room", "a room's name; any number of times")
    return Command(
      "create", "begin a festival without sessions",
      examples: [
        .init(
          "odi-timetable festival create mine --name Mine --zone Asia/Seoul --starts 2026-12-04 --room 1관 --room 2관", ""
        )
      ], takes: [id, name, zone, starts, ends, rooms] + service.parameters
    ) { call, output in
      guard let zone = call[zone], let first = call[starts] else {
        throw CommandError(.usage, "a festival needs --zone and --starts")
      }
      guard try await service.ask(ListFestivals(ids: [call[id]], limit: 1), call, output).isEmpty else {
        throw CommandError(.failed, "\(call[id]) is there already", try: "odi-timetable festival get \(call[id])")
      }
      let last = call[ends] ?? first
      guard last >= first else { throw CommandError(.usage, "--ends \(last) is before --starts \(first)") }
      guard last - first < 400 else { throw CommandError(.usage, "a festival has at most 400 days") }
      var festival = Festival(
        id: call[id], name: call[name] ?? call[id].text, zone: zone, startsOn: first, endsOn: last,
        days: (0...(last - first)).map { FestivalDay(date: first + $0) })
      for name in call[rooms] {
        guard let room = RoomID(festivalRoom: name), !festival.rooms.contains(where: { $0.id == room }) else {
          continue
        }
        festival.rooms.append(FestivalRoom(id: room, name: name))
      }
      let programme = FestivalProgramme(festival: festival, sessions: [])
      _ = try await store(programme, isDryRun: false, call, output)
      output.note("created \(festival.id)")
      return .done
    }
  }

  // MARK: Import

  private var importing: Command {
    let files = Parameter<[String]>.arguments(
      "FILE", "a file, or - for standard input; octav has two, an API's answer one a page", completion: .files)
    let format = Parameter<FestivalFileKind?>.optionalOption("format", "found from the content if not said")
    let id = Parameter<FestivalID?>.optionalOption("id", "the festival's id, in place of the file's")
    let name = Parameter<String?>.optionalOption("name", "its name, in place of the file's")
    let zone = Parameter<ZoneName?>.optionalOption("zone", "its time zone, in place of the file's")
    let mapping = Parameter<String?>.optionalOption(
      "mapping", "a file that says which column or member is what", completion: .files)
    let isOffline = Parameter<Bool>.flag("offline", "only read the file and tell what it says; needs no service")
    return Command(
      "import", "make a festival what a file says",
      discussion: """
        schedule.xml and schedule.json of pentabarf, frab and pretalx; the pages of pretalx's API and the tables that its \
        organisers export; octav's conference and sessions; Sessionize's views, with --zone; iCalendar; CSV with our columns; CSV or JSON of any form with \
        --mapping. Sessions that the file no longer has are taken out. What cannot be \
        read is listed and left out; the exit code is then 8. Maps, tickets and sponsors stay where a file has none, as \
        do the marks cancelled and sold out where it has no place for them; those that it takes back are told.
        """,
      examples: [
        .init("odi-timetable festival import schedule.xml --dry-run", "what it would change"),
        .init("odi-timetable festival import conference.json sessions.json", "octav's two answers"),
        .init("odi-timetable festival import films.json --mapping films.map.json", "JSON in a form of its own"),
      ], takes: [files, format, id, name, zone, mapping, isOffline, Confirmation.dryRun] + service.parameters
    ) { call, output in
      guard !call[files].isEmpty else { throw CommandError(.usage, "name a file, or - for standard input") }
      var options = ReadingOptions(zones: zones)
      (options.id, options.name, options.zone) = (call[id], call[name], call[zone])
      if let path = call[mapping] { options.mapping = try columnMapping(path) }
      var contents: [[UInt8]] = []
      for path in call[files] { contents.append(try bytes(of: path, most: 16 << 20)) }
      // What the file leaves open, the festival that is kept may say.
      if let id = call[id], !call[isOffline] {
        options.known = try await service.ask(ListFestivals(ids: [id], limit: 1), call, output).first
      }
      var programme = try read(contents, call[format], options)
      if !call[isOffline] {
        let kept = try await service.ask(ListFestivals(ids: [programme.festival.id], limit: 1), call, output).first
        if let kept {
          options.known = kept
          programme = try read(contents, call[format], options)
          let marked = try await everySession(of: kept.id, call, output).sessions
          programme.keepMarks(of: marked)
        }
      }
      for note in programme.notes { output.note(note) }
      let sessions = programme.sessions
      if call[isOffline] {
        try output.write(Report(sessions, of: programme.festival, in: rules(programme.festival)))
        output.note(
          [
            (sessions.count, "session"), (programme.festival.days.count, "day"),
            (programme.festival.rooms.count, "room"),
          ]
          .map { "\($0) \($1)\($0 == 1 ? "" : "s")" }.joined(separator: " · ")
        )
        return programme.omitted == 0 ? .done : .partial
      }
      let edit = try await store(programme, isDryRun: call[Confirmation.dryRun], call, output)
      try output.write(
        Report(item: [
          (Report.Column("festival"), "\(programme.festival.id.text)"),
          (Report.Column("sessions"), .number(sessions.count)),
          (Report.Column("days"), .number(programme.festival.days.count)),
          (Report.Column("rooms"), .number(programme.festival.rooms.count)),
          (Report.Column("added"), .number(edit.added.count)), (Report.Column("changed"), .number(edit.altered.count)),
          (Report.Column("removed"), .number(edit.removed.count)),
        ]))
      if call[Confirmation.dryRun] { output.note("nothing was stored (--dry-run)") }
      return programme.omitted == 0 ? .done : .partial
    }
  }

  private func read(
    _ files: [[UInt8]], _ kind: FestivalFileKind?, _ options: ReadingOptions
  ) throws(CommandError) -> FestivalProgramme {
    do {
      return try FestivalProgramme.read(files, as: kind?.format, options: options)
    } catch {
      throw CommandError(.failed, "the file cannot be imported", why: "\(error)")
    }
  }

  private func columnMapping(_ path: String) throws(CommandError) -> ColumnMapping {
    do {
      return try ColumnMapping(JSONValue(parsing: try bytes(of: path, most: 1 << 20)))
    } catch let error as CommandError {
      throw error
    } catch {
      throw CommandError(.failed, "\(path) is no mapping", why: "\(error)")
    }
  }

  /// In parts, so that a message stays small.
  private func store(
    _ programme: FestivalProgramme, isDryRun: Bool, _ call: Invocation, _ output: Output
  ) async throws(CommandError) -> ProgrammeEdit {
    let upload = "\(programme.festival.id)-\(time.wall.milliseconds)"
    var rest = programme.sessions[...]
    while true {
      let batch = Array(rest.prefix(Self.batch))
      rest = rest.dropFirst(batch.count)
      let request = PutFestival(
        festival: programme.festival, sessions: batch, upload: upload, hasMore: !rest.isEmpty, editor: editor(output),
        isDryRun: isDryRun, before: programme.sessions.count - batch.count - rest.count)
      let edit = try await service.ask(request, call, output, timeout: Self.patience)
      if rest.isEmpty { return edit }
    }
  }

  private static let batch = 200

  // MARK: Export

  private var exporting: Command {
    let id = festivalID
    let format = Parameter<FestivalFileKind>.option("format", "in which form", default: .xml)
    let day = Parameter<CivilDate?>.optionalOption(
      "day", "only this day: for a festival that is too large for one file")
    let mapping = Parameter<String?>.optionalOption(
      "mapping", "with csv or json: write in the form that this file declares, as import reads it", completion: .files)
    return Command(
      "export", "write a festival to standard output as a file that other programs read",
      discussion: """
        xml and json are frab's and pretalx's schedule, ics a calendar, csv a table with all our columns. Rooms without \
        sessions have a place in xml, json and octav only.
        """,
      examples: [
        .init("odi-timetable festival export jiff-26 --format ics > jiff.ics", "for calendars"),
        .init(
          "odi-timetable festival export jiff-26 --format csv --mapping ours.map.json", "a table of a form of its own"),
      ],
      takes: [id, format, day, mapping] + service.parameters
    ) { call, output in
      let format = output.format == .json ? .json : call[format]
      if let path = call[mapping] {
        let mapping = try columnMapping(path)
        output.write(try await mapped(call[id], format, mapping, only: call[day], call, output))
        return .done
      }
      let request = ExportFestival(festival: call[id], format: format.format, day: call[day])
      output.write(String(decoding: try await service.ask(request, call, output).bytes, as: UTF8.self))
      guard format.isSessionsAlone, call[day] == nil else { return .done }
      let (festival, sessions) = try await everySession(of: call[id], call, output)
      let used = Set(sessions.flatMap(\.rooms))
      let unused = festival.rooms.filter { !used.contains($0.id) }.map(\.name)
      if !unused.isEmpty {
        output.note("rooms without sessions are not in it: \(unused.joined(separator: ", ")); xml and json have them")
      }
      return .done
    }
  }

  private func mapped(
    _ id: FestivalID, _ format: FestivalFileKind, _ mapping: ColumnMapping, only day: CivilDate?, _ call: Invocation,
    _ output: Output
  ) async throws(CommandError) -> String {
    let (festival, sessions) = try await everySession(of: id, day: day, call, output)
    let programme = FestivalProgramme(festival: festival, sessions: sessions)
    do {
      let bytes = try programme.written(as: format.format, by: mapping, zone: rules(festival))
      return String(decoding: bytes, as: UTF8.self)
    } catch {
      throw CommandError(.usage, "the festival cannot be written so", why: "\(error)")
    }
  }

  private var remove: Command {
    let id = festivalID
    return Command(
      "rm", "take a festival out, with its maps and tickets", takes: [id, Confirmation.yes] + service.parameters
    ) { call, output in
      // One that cannot be read is served to nobody, and is to be removed all the same.
      let served = try await service.ask(ListFestivals(ids: [call[id]], limit: 1), call, output).first
      let name = served.map { "\($0.name) (\($0.id))" } ?? "\(call[id])"
      try Confirmation(call, output.terminal).require("remove \(name) and all its tickets")
      _ = try await service.ask(
        RemoveFestival(festival: call[id], editor: editor(output)), call, output, timeout: Self.patience)
      output.note("removed")
      return .done
    }
  }

  var floor: Command {
    let id = festivalID
    let file = Parameter<String>.argument("SVG", "the drawing", completion: .files)
    let floor = Parameter<FloorID?>.optionalOption("floor", "the floor's id; of the file's name, if not said")
    let name = Parameter<String?>.optionalOption("name", "what signs call it: 2F")
    return Command(
      "floor", "maps of floors",
      subcommands: [
        Command(
          "import", "take the map of a floor from an SVG",
          discussion: """
            What acts or is fetched from elsewhere is dropped; colours, lines and letters stay, also those of styles with simple \
            rules. An element whose data-room, id or label in Inkscape is a room's id, or room- and the id, or its name, becomes \
            a link to what plays there.
            """,
          takes: [id, file, floor, name] + service.parameters
        ) { call, output in
          let drawing = try bytes(of: call[file], most: FloorMap.bytesMax)
          let stem = call[file].split(separator: "/").last?.split(separator: ".").first.map(String.init) ?? "floor"
          guard let floorID = call[floor] ?? FloorID(stem) else {
            throw CommandError(.usage, "\(stem) is no id of a floor; give --floor")
          }
          let request = PutFloor(
            festival: call[id], floor: FestivalFloor(id: floorID, name: call[name] ?? floorID.text), drawing: drawing,
            editor: editor(output))
          let rooms = try await service.ask(request, call, output, timeout: Self.patience)
          try output.write(
            Report(item: [
              (Report.Column("floor"), "\(floorID.text)"), (Report.Column("rooms"), cell(rooms.map(\.text))),
            ]))
          if rooms.isEmpty { output.note("no room is linked: give elements data-room=\"ROOM\"") }
          return .done
        }
      ])
  }
}

/// The formats by the names that commands take.
nonisolated enum FestivalFileKind: String, CaseIterable, ArgumentValue {
  case xml, json, octav, ics, csv

  var format: FestivalFormat { .named(rawValue) }

  /// It has no list of the rooms.
  var isSessionsAlone: Bool { self == .ics || self == .csv }
}
