import Calendars
import Clocks
import Contracts
import JSON

/// `schedule.json`, as frab and pretalx write it; also its second form, whose events are a list beside the days.
enum ScheduleJSON {
  static func read(_ files: [[UInt8]], _ options: ReadingOptions) throws(ProgrammeError) -> FestivalProgramme {
    var roots: [JSONValue] = []
    for file in files { roots.append(try tree(file)) }
    let root = roots[0]
    // Only an API's pages belong together.
    let arePages = roots.allSatisfy { $0["results"]?.array != nil }
    if TalksJSON.isOne(root), roots.count == 1 || arePages { return try TalksJSON.read(roots, options) }
    guard roots.count == 1 else {
      throw ProgrammeError("there are \(roots.count) schedules; import them one at a time")
    }
    // Some programs leave the outermost object out.
    let schedule = root["schedule"] ?? root
    guard let conference = schedule["conference"] else {
      guard root["schedule"] != nil else { throw OctavJSON.unknown }
      throw ProgrammeError(
        "this is no schedule.json; frab's and pretalx's have schedule.conference.days; --mapping says what its members are"
      )
    }
    let days = conference["days"]?.array ?? []
    // The second form has the events in a list of their own, each with its room.
    let events = schedule["events"]?.array ?? []
    let evidence = evidence(days, events)
    let zoneName = conference["time_zone_name"]?.string
    let zone = try ProgrammeTimes.zone(
      named: zoneName, isContradicted: evidence.contradicts(zoneNamed: zoneName), offsets: evidence.offsets, options)
    // What the format has no place for: ids that are no numbers, what was cancelled.
    let own = conference["meta"]?["odi"]
    var draft = try ProgrammeDraft(
      slug: own?["id"]?.string ?? conference["acronym"]?.words, name: conference["title"]?.words, zone: zone, options)
    draft.festival.subtitle = conference["subtitle"]?.words
    draft.festival.summary = conference["description"]?.words
    draft.festival.venue = conference["venue"]?.words
    draft.festival.city = conference["city"]?.words
    draft.festival.website = (conference["url"]?.string ?? schedule["base_url"]?.string)
      .flatMap(PentabarfXML.webAddress)
    draft.festival.slotMinutes = conference["timeslot_duration"]?.string
      .flatMap(ProgrammeTimes.seconds(ofLength:)).flatMap { (60...86_400).contains($0) ? Int($0 / 60) : nil }
    for track in conference["tracks"]?.array ?? [] {
      let color = track["color"]?.string ?? track["colors"]?["light"]?.string
      // Events name it by its slug there.
      _ = draft.track(track["name"]?.words, slug: events.isEmpty ? nil : track["slug"]?.string, color: color)
    }
    for room in conference["rooms"]?.array ?? [] {
      guard let name = room["name"]?.words else { continue }
      _ = draft.room(name, slug: own?["rooms"]?[name]?.string, capacity: room["capacity"]?.int)
    }
    if let text = own?["day_change"]?.string { draft.festival.dayEnds = ClockTime(text) }
    draft.takeLocalClocks(by: evidence)
    for day in days {
      func instant(_ name: String) -> WallTime? {
        day[name]?.string.flatMap { ISO8601Time($0)?.instant(in: draft.zone) }
      }
      let opensAt = instant("day_start") ?? instant("start")
      let starts = lists(of: day).flatMap(\.events).compactMap { event in
        draft.instant((event["date"] ?? event["start"])?.string)
      }
      let opens = (day["day_start"] ?? day["start"])?.string
      let date = draft.date(
        said: day["date"]?.string.flatMap { CivilDate($0) }, opens: opens,
        isBound: opens != nil || (day["day_end"] ?? day["end"]) != nil, starts: starts)
      if let date {
        draft.festival.days.append(
          FestivalDay(date: date, opensAt: opensAt, closesAt: instant("day_end") ?? instant("end")))
      }
      for (name, events) in lists(of: day) {
        let room = draft.room(name)
        for event in events { try add(event, date, room, own, to: &draft) }
      }
    }
    let people = Dictionary(
      (schedule["persons"]?.array ?? []).compactMap { person in person["guid"]?.string.map { ($0, person) } }
    ) { first, _ in first }
    for event in events {
      let room = event["room"].flatMap { room in (room["name"]?.words ?? room.string).flatMap { draft.room($0) } }
      let start = event["start"]?.string.flatMap { ISO8601Time($0)?.instant(in: draft.zone) }
      let day = start.flatMap { start in
        draft.festival.days.first { $0.opensAt.map { $0 <= start } ?? false && $0.closesAt.map { start < $0 } ?? false }
      }
      try add(event, day?.date, room, own, people, to: &draft)
    }
    return try draft.finished()
  }

  /// A day's rooms with their events, under their names or as a list of those that say theirs.
  private static func lists(of day: JSONValue) -> [(room: String, events: [JSONValue])] {
    if let named = day["rooms"]?.object { return named.map { ($0.name, $0.value.array ?? []) } }
    return (day["rooms"]?.array ?? []).map { ($0["name"]?.words ?? "", $0["events"]?.array ?? []) }
  }

  private static func evidence(_ days: [JSONValue], _ events: [JSONValue]) -> ClockEvidence {
    let events = days.flatMap { lists(of: $0).flatMap(\.events) } + events
    return ClockEvidence(events.map { (($0["date"] ?? $0["start"])?.string, $0["start"]?.string) })
  }

  static func tree(_ bytes: [UInt8]) throws(ProgrammeError) -> JSONValue {
    // Schedules of the largest conferences have 4 MB.
    var limits = JSONLimits(bytes: 16 << 20)
    limits.values = 1_000_000
    do {
      return try JSONValue(
        parsing: bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(bytes.dropFirst(3)) : bytes, limits: limits)
    } catch {
      throw ProgrammeError("this is no JSON: \(error)")
    }
  }

  private static func add(
    _ event: JSONValue, _ day: CivilDate?, _ room: RoomID?, _ own: JSONValue?, _ people: [String: JSONValue] = [:],
    to draft: inout ProgrammeDraft
  ) throws(ProgrammeError) {
    let guid = event["guid"]?.string
    let note = guid.flatMap { own?["events"]?[$0] }
    let name = event["id"]?.words ?? guid ?? event["code"]?.string ?? event["slug"]?.string
    guard let title = event["title"]?.words else {
      draft.leaveOut(
        "the event \(name ?? "without an id")\(day.map { " of \($0)" } ?? "") has no title; it is left out")
      return
    }
    let clock = event["start"]?.string.flatMap(ProgrammeTimes.clock)
    let dated = draft.instant((event["date"] ?? event["start"])?.string)
    guard let (start, day) = draft.start(dated: dated, clock, on: day) else {
      draft.leaveOut("\(title) (\(name ?? "without an id")) has no start; it is left out")
      return
    }
    if let clock, clock.clock != draft.zone.local(at: start).time.toTheMinute {
      draft.note("\(title) (\(name ?? "without an id")) says start \(clock) and another date; the date is taken")
    }
    let length = event["duration"]?.words.flatMap(ProgrammeTimes.seconds(ofLength:))
    let end = draft.instant(event["end"]?.string)
    let endOfLength = length.map { start.adding(seconds: $0) }
    // A length may have been cut to whole minutes.
    let isCut = endOfLength.map { short in end.map { (1..<60).contains(short.seconds(until: $0)) } ?? false } ?? true
    var session = FestivalSession(
      id: SessionID("x")!, guid: guid, code: event["code"]?.words ?? note?["code"]?.string, title: title,
      subtitle: event["subtitle"]?.words, day: day, startsAt: start, endsAt: isCut ? end : endOfLength,
      rooms: room.map { [$0] } ?? [], track: draft.track(event["track"]?["slug"]?.string ?? event["track"]?.words),
      kind: event["type"]?.words,
      language: event["language"]?.words, abstract: event["abstract"]?.words, details: event["description"]?.words,
      url: event["url"]?.string.flatMap(PentabarfXML.webAddress))
    session.speakers = ((event["persons"] ?? event["participants"])?.array ?? []).compactMap { person in
      let told = person["guid"]?.string.flatMap { people[$0] }
      let name = person["public_name"]?.words ?? person["name"]?.words ?? person["full_public_name"]?.words
      return (name ?? person.words).map {
        FestivalSpeaker(
          id: person["code"]?.words ?? person["id"]?.words ?? person["odi_id"]?.words, name: $0,
          about: person["biography"]?.words ?? told?["biography"]?.words,
          picture: (person["avatar"] ?? told?["avatar"])?.string.flatMap(PentabarfXML.webAddress))
      }
    }
    try draft.add(
      session, named: note?["id"]?.string ?? name, isCancelled: note?["state"]?.string.map { $0 == "cancelled" },
      isSoldOut: note?["sold_out"]?.bool)
  }

  // MARK: Writing

  /// Valid by the schema that it names: https://c3voc.de/schedule/schema.json.
  static func write(_ programme: FestivalProgramme, _ zone: TimeZoneRules) -> [UInt8] {
    let festival = programme.festival
    let tracks = Dictionary(festival.tracks.map { ($0.id, $0.name) }) { first, _ in first }
    var numbers = EventNumbers()
    var notes = JSONObject()
    let days = festival.days.enumerated().map { index, day -> JSONValue in
      let (start, end) = festival.bounds(of: day, zone)
      var rooms = JSONObject()
      for (room, sessions) in programme.rooms(on: day.date) {
        let name = room?.name ?? ""
        // Two rooms of one name share a list.
        rooms[name] = .array(
          (rooms[name]?.array ?? [])
            + sessions.map { session in
              let event = numbers.event(session, in: room?.id, of: festival)
              if event.needsNote || session.isCancelled || session.isSoldOut || !isCode(session.code) {
                notes[event.guid] = note(session)
              }
              return json(session, event, room, session.track.flatMap { tracks[$0] }, festival, zone)
            })
      }
      return [
        "index": .int(Int64(index + 1)), "date": .string("\(day.date)"),
        "day_start": .string("\(zone.timestamp(at: start))"), "day_end": .string("\(zone.timestamp(at: end))"),
        "rooms": .object(rooms),
      ]
    }
    var own: [(String, JSONValue)] = [("events", .object(notes))]
    let rooms = festival.rooms.compactMap { room in room.idApart.map { (room.name, JSONValue.string($0)) } }
    if !rooms.isEmpty { own.append(("rooms", .object(JSONObject(rooms)))) }
    if let dayEnds = festival.dayEnds { own.append(("day_change", .string("\(dayEnds)"))) }
    let acronym = acronym(of: festival.id)
    if acronym != festival.id.text { own.append(("id", .string(festival.id.text))) }
    var conference: [(String, JSONValue)] = [
      ("acronym", .string(acronym)), ("title", .string(festival.name)),
      ("start", .string("\(festival.startsOn)")), ("end", .string("\(festival.endsOn)")),
      ("daysCount", .int(Int64(festival.days.count))),
      ("timeslot_duration", .string(PentabarfXML.length(Int64(festival.slotMinutes ?? 5) * 60))),
      ("time_zone_name", .string(festival.zone.text)),
      (
        "rooms",
        .array(
          festival.rooms.map { room in
            .object(
              JSONObject(
                [
                  ("name", .string(room.name)),
                  ("guid", .string(NameNumber.guid("room \(festival.id)/\(room.id)"))),
                ] + member("capacity", room.capacity.map { .int(Int64($0)) })))
          })
      ),
      (
        "tracks",
        .array(
          festival.tracks.map { track in
            .object(
              JSONObject(
                [("name", .string(track.name))]
                  + member("slug", track.id.text.utf8.count > 1 ? .string(track.id.text) : nil)
                  + member("color", track.color.map { .string($0) })))
          })
      ),
      ("days", .array(days)), ("meta", ["odi": .object(JSONObject(own))]),
    ]
    for (name, text) in [("description", festival.summary), ("url", festival.website)] {
      if let text { conference.append((name, .string(text))) }
    }
    let root: JSONValue = [
      "$schema": "https://c3voc.de/schedule/schema.json", "generator": ["name": "odi-timetable"],
      "schedule": ["version": .string("\(festival.revision)"), "conference": .object(JSONObject(conference))],
    ]
    return root.json
  }

  /// The schema knows no null: what is not known is not there.
  private static func member(_ name: String, _ value: JSONValue?) -> [(String, JSONValue)] {
    value.map { [(name, $0)] } ?? []
  }

  /// As an acronym may be written: four or more letters and digits, with lines below between them.
  private static func acronym(of id: FestivalID) -> String {
    let name = id.text.utf8.map { $0 == UInt8(ascii: "-") ? UInt8(ascii: "_") : $0 }
    return String(decoding: name + Array(repeating: UInt8(ascii: "_"), count: max(0, 4 - name.count)), as: UTF8.self)
  }

  /// Whether it may be told as one, or there is none to tell: pretalx's are capitals and digits.
  private static func isCode(_ text: String?) -> Bool {
    guard let bytes = text?.utf8 else { return true }
    return !bytes.isEmpty && bytes.allSatisfy { (0x41...0x5A).contains($0) || (0x30...0x39).contains($0) }
  }

  private static func note(_ session: FestivalSession) -> JSONValue {
    var note: [(String, JSONValue)] = [("id", .string(session.id.text))]
    if session.isCancelled { note.append(("state", "cancelled")) }
    if session.isSoldOut { note.append(("sold_out", true)) }
    if let code = session.code, !isCode(code) { note.append(("code", .string(code))) }
    return .object(JSONObject(note))
  }

  private static func json(
    _ session: FestivalSession, _ event: EventNumbers.Event, _ room: FestivalRoom?, _ track: String?,
    _ festival: Festival, _ zone: TimeZoneRules
  ) -> JSONValue {
    func text(_ text: String?) -> JSONValue { text.map { .string($0) } ?? .null }
    var members: [(String, JSONValue)] = [
      ("id", .int(Int64(event.number))), ("guid", .string(event.guid)),
      ("date", .string("\(zone.timestamp(at: session.startsAt))")),
      ("start", .string(zone.local(at: session.startsAt).time.hoursAndMinutes)),
      ("room", .string(room?.name ?? "")), ("slug", .string("\(festival.id)-\(event.number)")),
      ("title", .string(session.title)), ("subtitle", text(session.subtitle)), ("track", text(track)),
      ("type", .string(session.kind ?? "")), ("language", text(session.language)),
      ("abstract", text(session.abstract)), ("description", text(session.details)),
      ("persons", .array(session.speakers.map(person))), ("links", []), ("attachments", []),
    ]
    if let end = session.endsAt { members.append(("end", .string("\(zone.timestamp(at: end))"))) }
    // An end that nobody knows is a length of nothing; seconds are in the end alone.
    let seconds = session.endsAt.map { session.startsAt.seconds(until: $0) } ?? 0
    members.append(("duration", .string(PentabarfXML.length(seconds / 60 * 60))))
    if let code = session.code, isCode(code) { members.append(("code", .string(code))) }
    // What has no page of its own has a name all the same, which no reader takes for one.
    members.append(("url", .string(session.url ?? "urn:uuid:\(event.guid)")))
    return .object(JSONObject(members))
  }

  private static func person(_ speaker: FestivalSpeaker) -> JSONValue {
    // A person is frab's, with a number, or pretalx's, and never both.
    var members: [(String, JSONValue)] =
      if let number = speaker.id.flatMap({ Int64($0) }), "\(number)" == speaker.id {
        [("public_name", .string(speaker.name)), ("id", .int(number))]
      } else {
        [("public_name", .string(speaker.name)), ("name", .string(speaker.name))]
          + member(isCode(speaker.id) ? "code" : "odi_id", speaker.id.map { .string($0) })
      }
    if let about = speaker.about { members.append(("biography", .string(about))) }
    if let picture = speaker.picture { members.append(("avatar", .string(picture))) }
    return .object(JSONObject(members))
  }
}
