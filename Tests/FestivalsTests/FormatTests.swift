import Calendars
import Clocks
import Contracts
import Festivals
import JSON
import TestKit
import Testing

@Suite("Programmes of festivals")
struct FormatTests {
  @Test("schedule.xml: every event on its day, in its rooms, and nothing else")
  func xml() throws {
    let programme = try Sample.read(Sample.xml)
    #expect(programme.festival.id.text == "paper-boat" && programme.festival.name == "Paper Boat & Friends")
    #expect(programme.festival.days.map(\.date.description) == ["2026-02-07", "2026-02-08"])
    #expect(programme.festival.rooms.map(\.name) == ["Hall A", "Hall B"])
    #expect(
      programme.festival.tracks.map(\.name) == ["Shorts", "Talks"] && programme.festival.tracks[0].color == "#aa3311")
    let events = Essence.all(of: programme)
    #expect(events.count == 3)
    let welcome = try #require(events.first { $0.id == "30" })
    #expect(welcome.title == "Welcome <all>" && welcome.rooms == ["Hall A", "Hall B"])
    #expect(welcome.speakers == ["Ada \"A\" Quill", "Tom & Jo"] && welcome.track == "Talks")
    #expect(welcome.start == Sample.instant("2026-02-07T09:30:00+01:00"))
    #expect(welcome.end == Sample.instant("2026-02-07T09:55:00+01:00"))
    let late = try #require(events.first { $0.id == "31" })
    #expect(late.start == Sample.instant("2026-02-08T00:45:00+01:00") && "\(late.day)" == "2026-02-07")
    // The same number at another time is another session; without a title it is none.
    #expect(events.contains { $0.id.hasPrefix("30-") && $0.title == "Another with the same number" })
    #expect(programme.notes.count == 2 && programme.notes.contains { $0.contains("32") && $0.contains("left out") })
  }

  @Test("octav: days of its own zone, tracks by room, names of people, what was rejected left out")
  func octav() throws {
    let programme = try Sample.read(Sample.octavConference, Sample.octavSessions)
    #expect(programme.festival.zone.text == "Asia/Tokyo" && programme.festival.name == "小舟祭")
    #expect(programme.festival.sponsors.map(\.name) == ["一番", "二番"] && programme.festival.sponsors[0].url == nil)
    let sessions = Essence.all(of: programme)
    #expect(sessions.map(\.title) == ["始まり", "次"])
    // 03:30 of the fourth, which is still the third's night.
    #expect("\(sessions[0].day)" == "2026-08-03" && "\(sessions[1].day)" == "2026-08-04")
    #expect(sessions[0].track == "トラックA" && sessions[1].track == nil)
    #expect(sessions[0].speakers == ["fune"] && sessions[1].speakers == ["花 船"])
    #expect(sessions.map(\.rooms) == [["ホール"], ["小部屋"]])
    #expect(programme.festival.rooms.first?.capacity == 150)
  }

  @Test("octav: rooms stand in the order of their tracks, those without one behind them")
  func octavOrder() throws {
    let tracks = #""tracks": [{"id": "u", "room_id": "r-2", "sort_order": 0, "name": "B"}, "#
    let conference = Sample.octavConference.replacing(#""tracks": ["#, with: tracks).replacing(
      #""id": "r-2", "#, with: #""id": "r-0", "name": "廊下"}, {"id": "r-2", "#)
    let programme = try Sample.read(conference, Sample.octavSessions)
    #expect(programme.festival.rooms.map(\.name) == ["小部屋", "ホール", "廊下"])
  }

  @Test("iCalendar: a location is one room, an evening goes on after midnight")
  func calendar() throws {
    let programme = try Sample.read(Sample.calendar)
    #expect(programme.festival.name == "Lake Nights" && programme.festival.zone.text == "America/New_York")
    let events = Essence.all(of: programme)
    #expect(events.count == 2 && Set(events.map { "\($0.day)" }) == ["2026-10-14"])
    let film = try #require(events.first { $0.title == "A Quiet, Long Film" })
    #expect(film.rooms == ["Barn + Lobby"] && film.track == "Features" && film.speakers == ["Quill, Ada"])
    #expect(film.start == Sample.instant("2026-10-14T19:15:00-04:00"))
  }

  @Test("rows in a form of their own, by a mapping")
  func mapped() throws {
    let programme = try Sample.read(Sample.rows, mapping: try Sample.mapping())
    #expect(programme.festival.id.text == "mar-2026" && programme.festival.zone.text == "Europe/Madrid")
    let rows = Essence.all(of: programme).sorted { $0.start < $1.start }
    #expect(rows.map(\.title) == ["Marea", "Ombres"] && rows.map(\.track) == ["Nit", nil])
    #expect(rows.allSatisfy { "\($0.day)" == "2026-10-09" && $0.rooms == ["Sala Gran"] })
    #expect(rows[1].start == Sample.instant("2026-10-10T00:45:00+02:00"))
    #expect(rows[1].end == Sample.instant("2026-10-10T02:13:00+02:00"))
    #expect(
      programme.notes.contains { $0.contains("40 is no day") }
        && programme.notes.contains { $0.contains("after midnight") })
    let same = try Sample.read(Sample.rows, mapping: try Sample.mapping(#", "after_midnight": "same_day""#))
    #expect(same.sessions.first?.startsAt == Sample.instant("2026-10-09T00:45:00+02:00"))
    // The same file has the same ids, whenever it is read.
    #expect(
      try Sample.read(Sample.rows, mapping: try Sample.mapping()).sessions.map(\.id) == programme.sessions.map(\.id))
  }

  @Test("days that end with their year are read in the order that the mapping says, or the only one that fits them all")
  func dayOrders() throws {
    func starts(_ rows: String, order: String = "") throws -> [String] {
      var options = Sample.options
      let mapping = #"""
        {"festival": {"id": "f", "name": "F", "time_zone": "Europe/Paris"}, "date": {\#(order)},
         "columns": {"title": "Title", "day": "Date", "start": "Start Time", "end": "End Time"}}
        """#
      options.mapping = try ColumnMapping(JSONValue(parsing: Array(mapping.utf8)))
      let text = "Title;Date;Start Time;End Time\r\n" + rows
      let zone = try Sample.zones.rules(for: ZoneName("Europe/Paris")!)
      return try FestivalProgramme.read([Array(text.utf8)], as: .csv, options: options).sessions
        .map { "\(zone.timestamp(at: $0.startsAt))" }
    }
    let european = "Owl;25/10/2025;23:30;01:30\r\nElk;1/11/2025;14h30;16h05\r\n"
    #expect(try starts(european) == ["2025-10-25T23:30:00+02:00", "2025-11-01T14:30:00+01:00"])
    let american = "Owl;10/31/2025;11:45 PM;1:30 AM\r\nElk;11/1/2025;9:00 AM;10:00 AM\r\n"
    #expect(try starts(american) == ["2025-10-31T23:45:00+01:00", "2025-11-01T09:00:00+01:00"])
    let either = "Owl;1/11/2025;20:00;22:00\r\n"
    #expect(try starts(either, order: #""order": "month_first""#) == ["2025-01-11T20:00:00+01:00"])
    #expect(try starts(either, order: #""order": "day_first""#) == ["2025-11-01T20:00:00+01:00"])
    #expect(throws: ProgrammeError.self) { try starts(either) }
    do {
      _ = try starts(either)
    } catch {
      #expect("\(error)".contains("day_first or month_first"))
    }
    // With the day in the column of the start.
    var options = Sample.options
    (options.zone, options.name) = (ZoneName("Europe/Paris"), "F")
    let rows = "title,start\nOwl,25/10/2025 20:15\n"
    let programme = try FestivalProgramme.read([Array(rows.utf8)], as: .csv, options: options)
    #expect(programme.sessions.map(\.startsAt) == [WallTime(milliseconds: 1_761_416_100_000)])
  }

  @Test("a start after midnight is of the evening before, whether a T or a blank stands in it")
  func lateStarts() throws {
    var options = Sample.options
    (options.zone, options.name) = (ZoneName("Asia/Seoul"), "F")
    for mark in ["T", " "] {
      let rows = "title,start\nLate,2026-05-02\(mark)01:30\nNoon,2026-05-02\(mark)12:00:00+09:00\n"
      let programme = try FestivalProgramme.read([Array(rows.utf8)], as: .csv, options: options)
      #expect(programme.sessions.map { "\($0.day)" } == ["2026-05-01", "2026-05-02"], "\(mark)")
      #expect(programme.sessions.first?.startsAt == Sample.instant("2026-05-02T01:30:00+09:00"), "\(mark)")
    }
  }

  @Test("an end counts on from the evening of its start, and one that is more than half a day later is told")
  func lateEnds() throws {
    var options = Sample.options
    (options.zone, options.name) = (ZoneName("Asia/Seoul"), "F")
    let rows = """
      title,day,start,end
      Late,2026-05-01,24:30,26:00
      Night,2026-05-01,00:30,02:00
      Over,2026-05-01,23:30,01:30
      Evening,2026-05-02,19:00,21:00
      Long,2026-05-02,10:00,09:00
      """
    let programme = try FestivalProgramme.read([Array(rows.utf8)], as: .csv, options: options)
    let minutes = programme.sessions.map { session in
      "\(session.title) \(((session.endsAt?.milliseconds ?? 0) - session.startsAt.milliseconds) / 60_000)"
    }
    #expect(minutes.sorted() == ["Evening 120", "Late 90", "Long 1380", "Night 90", "Over 120"])
    let told = programme.notes.filter { $0.contains("hours") }
    #expect(told.count == 1 && told[0].hasPrefix("line 6: Long lasts 23 hours, until 2026-05-03T09:00"), "\(told)")
  }

  @Test(
    "cancelled and sold out stay where a file has no place for it, and are named where it says otherwise",
    arguments: FestivalFormat.known)
  func marks(format: FestivalFormat) throws {
    let programme = try Sample.read(Sample.xml)
    let bytes = try programme.written(as: format, zone: Sample.brussels, now: WallTime(milliseconds: 0))
    var options = Sample.options
    options.known = programme.festival
    var again = try FestivalProgramme.read([bytes], options: options)
    var kept = programme.sessions
    kept[0].isCancelled = true
    kept[0].isSoldOut = true
    again.keepMarks(of: kept)
    let (saysCancelled, saysSoldOut) = ([.octav, .ics, .csv].contains(format), [.octav, .csv].contains(format))
    let id = kept[0].id
    #expect(again.sessions.filter(\.isCancelled).map(\.id) == (saysCancelled ? [] : [id]), "\(format.rawValue)")
    #expect(again.sessions.filter(\.isSoldOut).map(\.id) == (saysSoldOut ? [] : [id]), "\(format.rawValue)")
    #expect(again.notes.contains { $0.hasSuffix("not cancelled any more: \(id)") } == saysCancelled)
    #expect(again.notes.contains { $0.hasSuffix("not sold out any more: \(id)") } == saysSoldOut)
  }

  @Test("a day that is none leaves out its own row, and the order of the others is read all the same")
  func oddDays() throws {
    var options = Sample.options
    (options.zone, options.name) = (ZoneName("Europe/Paris"), "F")
    let rows = "title,day,start\nOwl,25/10/2025,20:15\nElk,1/11/2025,20:15\nEel,TBA,20:15\nAnt,32/10/2025,20:15\n"
    let programme = try FestivalProgramme.read([Array(rows.utf8)], as: .csv, options: options)
    #expect(programme.sessions.map { "\($0.day) \($0.title)" } == ["2025-10-25 Owl", "2025-11-01 Elk"])
    #expect(programme.omitted == 2 && programme.notes.contains { $0.contains("TBA is no day") })
    // Where no order fits all that are days in one, none is taken.
    let both = "title,day,start\nOwl,25/10/2025,20:15\nElk,10/25/2025,20:15\nBee,2025-10-25,20:15\n"
    let read = try FestivalProgramme.read([Array(both.utf8)], as: .csv, options: options)
    #expect(read.sessions.map(\.title) == ["Bee"] && read.omitted == 2)
  }

  private func journey(_ mapping: String, as format: FestivalFormat) throws -> (FestivalProgramme, FestivalProgramme) {
    let first = try Sample.read(Sample.xml)
    let mapping = try ColumnMapping(JSONValue(parsing: mapping))
    let bytes = try first.written(as: format, by: mapping, zone: Sample.brussels)
    var options = Sample.options
    (options.mapping, options.zone, options.name) = (mapping, first.festival.zone, first.festival.name)
    return (first, try FestivalProgramme.read([bytes], options: options))
  }

  @Test(
    "what is written in the form of a mapping is the same festival when the mapping reads it",
    arguments: [
      (
        FestivalFormat.csv,
        #"{"columns": {"id": "Nr", "title": "Titel", "day": "Tag", "start": "Beginn", "end": "Ende", "rooms": "Saal", "speakers": "Wer", "track": "Reihe"}, "separator": "; "}"#
      ),
      (
        .csv,
        #"{"columns": {"id": "Nr", "title": "Titel", "day": "Tag", "start": "Beginn", "duration": "Dauer", "rooms": "Saal", "speakers": "Wer", "track": "Reihe"}, "separator": "/"}"#
      ),
      (
        .json,
        #"{"rows": "data.shows", "columns": {"id": "id", "title": "film.title", "day": "day", "start": "begins", "end": "ends", "rooms": "halls", "speakers": "who.name", "guid": "film.guid", "track": "row"}}"#
      ),
    ])
  func mappedJourney(format: FestivalFormat, mapping: String) throws {
    let (first, again) = try journey(mapping, as: format)
    #expect(Essence.all(of: first) == Essence.all(of: again) && !first.sessions.isEmpty, "\(again.notes)")
  }

  @Test(
    "a mapping that can only be read is told so",
    arguments: [
      (#"{"rows": "days.*.shows", "columns": {"title": "t", "start": "s"}}"#, "days.*.shows"),
      (#"{"columns": {"title": "t", "start": "s", "speakers": "who.0.name"}}"#, "who.0.name"),
      (#"{"columns": {"title": "t", "start": "s", "track": "t.name"}}"#, "another field"),
    ])
  func unwritable(mapping: String, said: String) throws {
    do {
      _ = try journey(mapping, as: .json)
      Issue.record("written")
    } catch let error as ProgrammeError {
      #expect(error.description.contains(said), "\(error)")
    }
    #expect(throws: ProgrammeError.self) {
      try journey(#"{"columns": {"title": "t", "start": "s", "rooms": "r"}, "separator": "a"}"#, as: .csv)
    }
    #expect(throws: ProgrammeError.self) { try journey(#"{"columns": {"title": "t", "start": "s"}}"#, as: .xml) }
  }

  @Test("a mapping that is wrong says what was meant")
  func mappings() throws {
    func refusal(_ text: String) throws -> String {
      do {
        _ = try ColumnMapping(JSONValue(parsing: text))
        return ""
      } catch let error as ProgrammeError {
        return error.description
      }
    }
    #expect(try refusal(#"{"columns": {"titel": "a", "title": "a", "start": "b"}}"#).contains("did you mean title"))
    #expect(try refusal(#"{"columns": {"title": "a"}}"#).contains("start is missing"))
    #expect(try refusal(#"{"columns": {"title": "a", "start": "b"}, "rowss": "x"}"#).contains("rows"))
    #expect(try refusal(#"{}"#).contains("columns"))
  }

  @Test("a mapping that names what a file does not have is told, or refused where it names titles or starts")
  func absentColumns() throws {
    let table = "Titel,Start  Time,Saal\nSilt,2026-10-09T19:00:00+02:00,1\n"
    func read(_ columns: String) throws -> FestivalProgramme {
      let text = #"{"festival": {"id": "a", "name": "A", "time_zone": "Europe/Berlin"}, "columns": \#(columns)}"#
      return try Sample.read(table, mapping: try ColumnMapping(JSONValue(parsing: text)))
    }
    let told = try read(#"{"title": "titel", "start": "start-time", "rooms": "Raum"}"#)
    #expect(told.sessions.count == 1 && told.notes == ["the mapping takes rooms from Raum, and nothing is called so"])
    #expect(try read(#"{"title": "titel", "start": "start-time", "rooms": "saal"}"#).notes.isEmpty)
    #expect {
      try read(#"{"title": "Title", "start": "start-time"}"#)
    } throws: { "\($0)".contains("takes title from Title") && "\($0)".contains("titel, start_time, saal") }
    let rows = #"[{"t": "Silt", "s": "2026-10-09T19:00:00+02:00"}]"#
    let text = #"{"festival": {"name": "A"}, "columns": {"title": "t", "start": "s", "speakers": "who"}}"#
    let json = try Sample.read(rows, mapping: try ColumnMapping(JSONValue(parsing: text)))
    #expect(json.notes.contains("the mapping takes speakers from who, and nothing is called so"))
  }

  @Test("import, export and import again is the same programme, in every format", arguments: FestivalFormat.known)
  func journeys(format: FestivalFormat) throws {
    var first = try Sample.read(Sample.xml)
    first.sessions[0].isCancelled = true
    let programmes = [
      first, try Sample.read(Sample.octavConference, Sample.octavSessions), try Sample.read(Sample.calendar),
      try Sample.read(Sample.rows, mapping: try Sample.mapping()),
    ]
    for programme in programmes {
      let zone = try Sample.zones.rules(for: programme.festival.zone)
      let bytes = try programme.written(as: format, zone: zone, now: WallTime(milliseconds: 0))
      var options = Sample.options
      options.known = programme.festival
      let again = try FestivalProgramme.read([bytes], options: options)
      #expect(Essence.all(of: again) == Essence.all(of: programme), "\(programme.festival.id) as \(format.rawValue)")
      #expect(again.sessions.map(\.isCancelled) == programme.sessions.map(\.isCancelled))
      #expect(
        again.festival.days.map(\.date).filter { day in again.sessions.contains { $0.day == day } }
          == programme.festival.days.map(\.date).filter { day in programme.sessions.contains { $0.day == day } })
      #expect(try again.written(as: format, zone: zone, now: WallTime(milliseconds: 0)) == bytes)
    }
  }

  @Test("what we export is valid by the schema of schedule.json, whatever a programme lacks, and reads back as it was")
  func schema() throws {
    let zone = try Sample.zones.rules(for: ZoneName("Europe/Brussels")!)
    var first = try Sample.read(Sample.xml)
    first.festival.id = FestivalID("k-1")!
    first.sessions[0].endsAt = nil
    first.sessions[0].code = "no-capitals"
    first.sessions[0].speakers.append(FestivalSpeaker(id: "ada", name: "Ada"))
    first.sessions[1].endsAt = WallTime(milliseconds: first.sessions[1].startsAt.milliseconds + 754_000)
    first.sessions[1].code = "ABC234"
    first.sessions[1].url = "https://boat.example/late"
    let later = try Sample.read(Sample.octavConference, Sample.octavSessions)
    for programme in [first, later] {
      let bytes = try programme.written(as: .json, zone: zone, now: WallTime(milliseconds: 0))
      let root = try JSONValue(parsing: bytes)
      #expect(ScheduleSchema.faults(of: root).isEmpty)
      let again = try FestivalProgramme.read([bytes], options: Sample.options)
      #expect(again.festival.id == programme.festival.id)
      #expect(again.sessions.map(\.code) == programme.sessions.map(\.code))
      #expect(again.sessions.map(\.url) == programme.sessions.map(\.url))
      #expect(again.sessions.map(\.endsAt) == programme.sessions.map(\.endsAt))
      #expect(again.sessions.map { $0.speakers.map(\.id) } == programme.sessions.map { $0.speakers.map(\.id) })
    }
  }

  @Test("a zone that nobody says is the one offset that all times have, or an error that asks for it")
  func zones() throws {
    let silent = Sample.xml.replacing("<time_zone_name>Europe/Brussels</time_zone_name>", with: "")
    let programme = try Sample.read(silent)
    #expect(programme.festival.zone.text == "Etc/GMT-1" && programme.notes.contains { $0.contains("Etc/GMT-1") })
    #expect(try Sample.read(silent, zone: "Europe/Paris").festival.zone.text == "Europe/Paris")
    let mixed = silent.replacing("14:00:00+01:00", with: "14:00:00+05:30")
    #expect { try Sample.read(mixed) } throws: { "\($0)".contains("give --zone") }
  }

  @Test("what is no programme is refused with a sentence")
  func refused() {
    func refusal(_ text: String) -> String {
      do {
        _ = try Sample.read(text, zone: "UTC")
        return ""
      } catch {
        return "\(error)"
      }
    }
    #expect(refusal("").contains("empty"))
    #expect(refusal("<a/>").contains("no schedule"))
    #expect(refusal("<schedule><conference></schedule>").contains("</conference> is due"))
    #expect(refusal("{\"schedule\": {}}").contains("schedule.conference.days"))
    #expect(refusal("{\"a\": 1}").contains("octav"))
    #expect(refusal("titel,start\nx,y\n").contains("title"))
    #expect(refusal("<!DOCTYPE a [<!ENTITY b \"c\">]><schedule/>").contains("entities"))
    let deep = String(repeating: "<a>", count: 10_000)
    #expect(refusal(deep).contains("in each other"))
  }
}

/// What https://c3voc.de/schedule/schema.json requires of an event, a room and a person, and how it wants ids written.
private enum ScheduleSchema {
  private static let conference = ["title", "acronym", "days", "daysCount", "start", "end", "timeslot_duration"]
  private static let event = [
    "abstract", "date", "duration", "guid", "id", "language", "links", "persons", "room", "slug", "start", "subtitle",
    "title", "track", "type", "url",
  ]

  static func faults(of root: JSONValue) -> [String] {
    guard let schedule = root["schedule"]?["conference"] else { return ["no conference"] }
    var faults = lacking(conference, in: schedule, "conference")
    if schedule["acronym"]?.string?.wholeMatch(of: /[a-z0-9_-][a-z0-9_]{3,}(-2[0-9]{3}-[a-z]+)?/) == nil {
      faults.append("acronym")
    }
    for room in schedule["rooms"]?.array ?? [] {
      if !isUUID(room["guid"]) { faults.append("room \(room["name"]?.string ?? "?"): guid") }
    }
    for track in schedule["tracks"]?.array ?? [] {
      if let slug = track["slug"]?.string, slug.wholeMatch(of: /[a-z0-9_-]+[a-z0-9]/) == nil { faults.append(slug) }
    }
    for day in schedule["days"]?.array ?? [] {
      faults += lacking(["date", "day_end", "day_start", "index", "rooms"], in: day, "day")
      for event in (day["rooms"]?.object ?? JSONObject()).flatMap({ $0.value.array ?? [] }) {
        faults += Self.faults(ofEvent: event)
      }
    }
    return faults
  }

  private static func faults(ofEvent event: JSONValue) -> [String] {
    let name = event["title"]?.string ?? "?"
    var faults = lacking(Self.event, in: event, name)
    if !isUUID(event["guid"]) { faults.append("\(name): guid") }
    if event["url"]?.string?.wholeMatch(of: /[a-z]+:[\x21-\x7E]+/) == nil { faults.append("\(name): url") }
    if event["duration"]?.string?.wholeMatch(of: /[0-9]+:[0-9]{2}/) == nil { faults.append("\(name): duration") }
    if let code = event["code"], code.string?.wholeMatch(of: /[A-Z0-9]+/) == nil { faults.append("\(name): code") }
    for person in event["persons"]?.array ?? [] {
      let isFrabs = person["public_name"]?.string != nil && person["id"]?.int != nil
      let isCode = person["code"].map { $0.string?.wholeMatch(of: /[A-Z0-9]+/) != nil } ?? true
      let isPretalxs = person["name"]?.string != nil && isCode
      if isFrabs == isPretalxs { faults.append("\(name): person") }
    }
    return faults
  }

  private static func lacking(_ members: [String], in value: JSONValue, _ name: String) -> [String] {
    members.filter { value[$0] == nil }.map { "\(name): \($0)" }
  }

  private static func isUUID(_ value: JSONValue?) -> Bool {
    value?.string?.lowercased().wholeMatch(of: /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/) != nil
  }
}
