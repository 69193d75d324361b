import Calendars
import Clocks
import Contracts
import XML

/// `schedule.xml`, as pentabarf began it and frab and pretalx go on with it.
///
/// What the format has no place for, such as an id that is no number, stands in an instruction `<?odi … ?>` that others
/// skip.
enum PentabarfXML {
  static func read(_ bytes: [UInt8], _ options: ReadingOptions) throws(ProgrammeError) -> FestivalProgramme {
    let words = String(decoding: bytes.prefix(64), as: UTF8.self).lowercased()
    let head = words.drop { $0.isWhitespace || $0 == "\u{feff}" }
    guard !head.hasPrefix("<!doctype html"), !head.hasPrefix("<html") else {
      throw ProgrammeError("this is a page of the web; give the schedule itself, which such a page often links to")
    }
    let root: XMLElement
    do {
      root = try XMLElement(parsing: bytes, entities: HTMLWords.names)
    } catch {
      throw ProgrammeError("\(error)")
    }
    guard root.name == "schedule", let conference = root.first("conference") else { throw refusal(of: root) }
    let days = root.all("day")
    let evidence = evidence(days)
    let zoneName = conference.text(of: "time_zone_name")
    let zone = try ProgrammeTimes.zone(
      named: zoneName, isContradicted: evidence.contradicts(zoneNamed: zoneName), offsets: evidence.offsets, options)
    var draft = try ProgrammeDraft(
      slug: conference.text(of: "acronym"), name: conference.text(of: "title"), zone: zone, options)
    draft.festival.subtitle = conference.text(of: "subtitle")
    draft.festival.venue = conference.text(of: "venue")
    draft.festival.city = conference.text(of: "city")
    draft.festival.website = (conference.text(of: "url") ?? conference.text(of: "base_url")).flatMap(webAddress)
    if let text = conference.text(of: "day_change") { draft.festival.dayEnds = ClockTime(text) }
    draft.festival.slotMinutes = conference.text(of: "timeslot_duration")
      .flatMap(ProgrammeTimes.seconds(ofLength:)).flatMap { (60...86_400).contains($0) ? Int($0 / 60) : nil }
    for track in conference.all("track") + (root.first("tracks")?.all("track") ?? []) {
      let name = track["name"] ?? track.text
      _ = draft.track(name, color: track["color"])
    }
    draft.takeLocalClocks(by: evidence)
    let shared = sharedNames(days)
    for day in days {
      let opensAt = instant(day["start"], draft.zone)
      let starts = day.all("room").flatMap { $0.all("event") }.compactMap { draft.instant($0.text(of: "date")) }
      let date = draft.date(
        said: day["date"].flatMap { CivilDate($0) }, opens: day["start"],
        isBound: day["start"] != nil || day["end"] != nil, starts: starts)
      if let date {
        draft.festival.days.append(
          FestivalDay(date: date, opensAt: opensAt, closesAt: instant(day["end"], draft.zone)))
      }
      for room in day.all("room") {
        let id = room["name"].flatMap {
          draft.room($0, id: shared.contains($0) ? room["guid"] : nil, slug: OwnNotes(of: room)["id"])
        }
        for event in room.all("event") { try add(event, date, id, to: &draft) }
      }
    }
    return try draft.finished()
  }

  private static func refusal(of root: XMLElement) -> ProgrammeError {
    guard root.name == "schedule" else {
      return ProgrammeError("<\(root.name)> is no schedule; frab's and pretalx's begin with <schedule><conference>")
    }
    let inDay = root.all("day").lazy.flatMap(\.elements).map(\.name).first { $0 != "room" && $0 != "event" }
    let entries = inDay.map { "; its days have <\($0)>, where <room> with <event> is read" } ?? ""
    return ProgrammeError(
      "there is no <conference> in <schedule>; write one with <title> and <time_zone_name>, as frab and pretalx do\(entries)"
    )
  }

  private static func evidence(_ days: [XMLElement]) -> ClockEvidence {
    let events = days.flatMap { day in day.all("room").flatMap { $0.all("event") } }
    return ClockEvidence(events.map { ($0.text(of: "date"), $0.text(of: "start")) })
  }

  /// Names that do not say which room it is: those of two with different guids.
  private static func sharedNames(_ days: [XMLElement]) -> Set<String> {
    var guids: [String: String] = [:]
    var shared: Set<String> = []
    for day in days {
      for room in day.all("room") {
        guard let name = room["name"], let guid = room["guid"] else { continue }
        if guids[name, default: guid] != guid { shared.insert(name) } else { guids[name] = guid }
      }
    }
    return shared
  }

  private static func instant(_ text: String?, _ zone: TimeZoneRules) -> WallTime? {
    text.flatMap { ISO8601Time($0)?.instant(in: zone) }
  }

  private static func add(
    _ event: XMLElement, _ day: CivilDate?, _ room: RoomID?, to draft: inout ProgrammeDraft
  ) throws(ProgrammeError) {
    let name = event["id"] ?? event["guid"] ?? event["code"] ?? event.text(of: "slug")
    guard let title = event.text(of: "title") else {
      draft.leaveOut(
        "the event \(name ?? "without an id")\(day.map { " of \($0)" } ?? "") has no title; it is left out")
      return
    }
    let clock = event.text(of: "start").flatMap(ProgrammeTimes.clock)
    guard let (start, day) = draft.start(dated: draft.instant(event.text(of: "date")), clock, on: day) else {
      draft.leaveOut("\(title) (\(name ?? "without an id")) has no start; it is left out")
      return
    }
    if let clock, clock.clock != draft.zone.local(at: start).time.toTheMinute {
      draft.note("\(title) (\(name ?? "without an id")) says <start> \(clock) and another <date>; the date is taken")
    }
    let length = event.text(of: "duration").flatMap(ProgrammeTimes.seconds(ofLength:))
    var session = FestivalSession(
      id: SessionID("x")!, guid: event["guid"], code: event["code"], title: title, subtitle: event.text(of: "subtitle"),
      day: day, startsAt: start, endsAt: length.map { start.adding(seconds: $0) }, rooms: room.map { [$0] } ?? [],
      track: draft.track(event.text(of: "track")), kind: event.text(of: "type"), language: event.text(of: "language"),
      abstract: event.text(of: "abstract"), details: event.text(of: "description"),
      url: event.text(of: "url").flatMap(webAddress))
    session.speakers = people(of: event, title, notes: &draft)
    let own = OwnNotes(of: event)
    try draft.add(
      session, named: own["id"] ?? name, isCancelled: own["state"].map { $0 == "cancelled" },
      isSoldOut: own["sold-out"].map { $0 == "yes" })
  }

  // MARK: Writing

  static func write(_ programme: FestivalProgramme, _ zone: TimeZoneRules) -> [UInt8] {
    let festival = programme.festival
    let tracks = Dictionary(festival.tracks.map { ($0.id, $0.name) }) { first, _ in first }
    var numbers = EventNumbers()
    var xml = XMLWriter()
    xml.element("schedule") { xml in
      xml.empty("generator", [("name", "odi-timetable")])
      xml.element("version", [], "\(festival.revision)")
      xml.element("conference") { xml in
        xml.element("acronym", [], festival.id.text)
        xml.element("title", [], festival.name)
        if let subtitle = festival.subtitle { xml.element("subtitle", [], subtitle) }
        if let venue = festival.venue { xml.element("venue", [], venue) }
        if let city = festival.city { xml.element("city", [], city) }
        xml.element("start", [], "\(festival.startsOn)")
        xml.element("end", [], "\(festival.endsOn)")
        xml.element("days", [], "\(festival.days.count)")
        if let dayEnds = festival.dayEnds { xml.element("day_change", [], dayEnds.withSeconds) }
        xml.element("timeslot_duration", [], length(Int64(festival.slotMinutes ?? 5) * 60))
        if let url = festival.website { xml.element("url", [], url) }
        xml.element("time_zone_name", [], festival.zone.text)
        for track in festival.tracks { xml.empty("track", [("name", track.name), ("color", track.color)]) }
      }
      for (index, day) in festival.days.enumerated() {
        let (start, end) = festival.bounds(of: day, zone)
        let attributes = [
          ("index", "\(index + 1)"), ("date", "\(day.date)"), ("start", "\(zone.timestamp(at: start))"),
          ("end", "\(zone.timestamp(at: end))"),
        ]
        xml.element("day", attributes) { xml in
          for (room, sessions) in programme.rooms(on: day.date) {
            xml.element("room", [("name", room?.name ?? "")]) { xml in
              if let id = room?.idApart { xml.instruction("odi", [("id", id)]) }
              for session in sessions {
                let track = session.track.flatMap { tracks[$0] } ?? ""
                write(session, in: room, track, festival, zone, &numbers, to: &xml)
              }
            }
          }
        }
      }
    }
    return xml.bytes
  }

  private static func write(
    _ session: FestivalSession, in room: FestivalRoom?, _ track: String, _ festival: Festival, _ zone: TimeZoneRules,
    _ numbers: inout EventNumbers, to xml: inout XMLWriter
  ) {
    let event = numbers.event(session, in: room?.id, of: festival)
    xml.element("event", [("guid", event.guid), ("id", "\(event.number)"), ("code", session.code)]) { xml in
      if event.needsNote || session.isCancelled || session.isSoldOut {
        xml.instruction(
          "odi",
          [
            ("id", session.id.text), ("state", session.isCancelled ? "cancelled" : nil),
            ("sold-out", session.isSoldOut ? "yes" : nil),
          ])
      }
      xml.element("date", [], "\(zone.timestamp(at: session.startsAt))")
      xml.element("start", [], zone.local(at: session.startsAt).time.hoursAndMinutes)
      if let end = session.endsAt { xml.element("duration", [], length(session.startsAt.seconds(until: end))) }
      xml.element("room", [], room?.name ?? "")
      xml.element("title", [], session.title)
      xml.element("subtitle", [], session.subtitle ?? "")
      xml.element("track", [], track)
      xml.element("type", [], session.kind ?? "")
      xml.element("language", [], session.language ?? "")
      xml.element("abstract", [], session.abstract ?? "")
      xml.element("description", [], session.details ?? "")
      if let url = session.url { xml.element("url", [], url) }
      xml.element("persons") { xml in
        for speaker in session.speakers { xml.element("person", [("id", speaker.id)], speaker.name) }
      }
    }
  }

  /// `00:50`, and with seconds where there are some.
  static func length(_ seconds: Int64) -> String {
    let (hours, minutes, rest) = (seconds / 3_600, seconds / 60 % 60, seconds % 60)
    func two(_ number: Int64) -> String { number < 10 ? "0\(number)" : "\(number)" }
    return "\(two(hours)):\(two(minutes))" + (rest == 0 ? "" : ":\(two(rest))")
  }

  /// Links that a page may have: nothing that runs.
  static func webAddress(_ text: String) -> String? {
    let folded = text.lowercased()
    return (folded.hasPrefix("https://") || folded.hasPrefix("http://")) && text.utf8.count <= 2_000 ? text : nil
  }
}

/// `<?odi id="…" state="…"?>`
private struct OwnNotes {
  private let attributes: XMLElement?

  init(of element: XMLElement) {
    let data = element.children.lazy.compactMap { node -> String? in
      guard case .instruction("odi", let data) = node else { return nil }
      return data
    }.first
    attributes = data.flatMap { try? XMLElement(parsing: Array("<odi \($0)/>".utf8)) }
  }

  subscript(_ name: String) -> String? { attributes?[name] }
}

extension ClockTime {
  var toTheMinute: ClockTime { ClockTime(hour: hour, minute: minute)! }
  var hoursAndMinutes: String { DisplayTime(self).description }
  var withSeconds: String { hoursAndMinutes + (second < 10 ? ":0\(second)" : ":\(second)") }
}
