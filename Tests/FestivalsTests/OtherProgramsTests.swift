import Calendars
import Clocks
import Contracts
import Festivals
import JSON
import Testing

/// Schedules as other programs write them, or people by hand.
@Suite("Schedules of other programs")
struct OtherProgramsTests {
  private func lines(_ programme: FestivalProgramme) throws -> [String] {
    let zone = try Sample.zones.rules(for: programme.festival.zone)
    return Essence.all(of: programme).sorted { $0.start < $1.start }.map { event in
      let end = event.end.map { "\(zone.timestamp(at: $0))" } ?? "none"
      let place = event.rooms.joined(separator: "+")
      let more = ([event.track].compactMap(\.self) + event.speakers).map { " / \($0)" }.joined()
      return "\(event.day) \(zone.timestamp(at: event.start)) \(end) \(place): \(event.title)\(more)"
    }
  }

  private func read(_ bytes: [UInt8], name: String? = nil, zone: String? = nil) throws -> FestivalProgramme {
    var options = Sample.options
    options.name = name
    options.zone = zone.flatMap { ZoneName($0) }
    return try FestivalProgramme.read([bytes], options: options)
  }

  private func xml(_ days: String, zone: String = "Europe/Berlin", more: String = "") -> String {
    "<schedule><conference><title>T</title><acronym>t</acronym>\(more)<time_zone_name>\(zone)</time_zone_name>"
      + "</conference>\(days)</schedule>"
  }

  private func calendar(_ events: String..., zone: String = "") -> [UInt8] {
    let all = events.enumerated().map { "BEGIN:VEVENT\r\nUID:\($0)@x\r\n\($1)\r\nEND:VEVENT\r\n" }.joined()
    return Array(
      "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nX-WR-CALNAME:Moss\r\n\(zone)\(all)END:VCALENDAR\r\n".utf8)
  }

  @Test("what goes on for ever goes on as long as the rest does, and takes nothing else out")
  func endless() throws {
    let programme = try read(
      calendar(
        "SUMMARY:Box office open\r\nDTSTART:20260501T080000Z\r\nRRULE:FREQ=DAILY",
        "SUMMARY:Closing film\r\nDTSTART:20260503T190000Z",
        "SUMMARY:Talk\r\nDTSTART:20260501T100000Z\r\nRRULE:FREQ=DAILY;COUNT=3"), zone: "UTC")
    let titles = Dictionary(programme.sessions.map { ($0.title, 1) }, uniquingKeysWith: +)
    #expect(titles == ["Box office open": 4, "Closing film": 1, "Talk": 3], "\(titles)")
  }

  @Test("one time in another zone does not move a festival there")
  func guestZone() throws {
    let programme = try read(
      calendar(
        "SUMMARY:Silt\r\nDTSTART:20260501T100000Z", "SUMMARY:Bolt\r\nDTSTART:20260504T100000",
        "SUMMARY:Lamp\r\nDTSTART;TZID=America/New_York:20260503T190000", zone: "X-WR-TIMEZONE:Asia/Seoul\r\n"))
    #expect(programme.festival.zone.description == "Asia/Seoul")
  }

  @Test("a calendar that is not in UTF-8 is refused, and what to do is said")
  func charset() {
    let bytes = calendar("SUMMARY:Silt\r\nDTSTART:20260501T100000Z").map { $0 == UInt8(ascii: "S") ? 0xC0 : $0 }
    #expect { try read(bytes) } throws: { "\($0)".contains("iconv") }
  }

  private func refusal(_ text: String) -> String {
    do {
      _ = try Sample.read(text)
      return ""
    } catch {
      return "\(error)"
    }
  }

  @Test("letters as HTML names them, Latin letters where a document says so, UTF-16 by its mark")
  func letters() throws {
    let event = "<event id=\"1\"><start>10:00</start><title>L&rsquo;&eacute;t&#xe9;</title></event>"
    let named = try Sample.read(xml("<day date=\"2026-06-01\"><room name=\"Salle&nbsp;1\">\(event)</room></day>"))
    #expect(try lines(named) == ["2026-06-01 2026-06-01T10:00:00+02:00 none Salle\u{A0}1: L’été"])
    let day =
      "<day date=\"2026-06-01\"><room name=\"Süd\"><event><start>10:00</start><title>B</title></event></room></day>"
    let latin = "<?xml version='1.0' encoding='ISO-8859-1'?>" + xml(day)
    let latinBytes = latin.unicodeScalars.map { UInt8($0.value) }
    #expect(try lines(read(latinBytes)) == ["2026-06-01 2026-06-01T10:00:00+02:00 none Süd: B"])
    let wide = "\u{FEFF}<?xml version=\"1.0\" encoding=\"UTF-16\"?>" + xml(day)
    let big = wide.utf16.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }
    #expect(try lines(read(big)) == lines(read(latinBytes)))
    let table = "\u{FEFF}title,day,start,rooms\r\nÉté,2026-06-01,22:30,A\r\n"
    let little = table.utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
    #expect(
      try lines(read(little, name: "T", zone: "Europe/Paris")) == ["2026-06-01 2026-06-01T22:30:00+02:00 none A: Été"])
  }

  @Test("a day without a date is that of its start, and an event's own date needs none")
  func undated() throws {
    let text = xml(
      """
      <day start="2026-05-02T10:00:00+09:00"><room name="1관">
      <event id="7"><start>10:30</start><duration>1:45</duration><title>괴물</title></event>
      <event id="8"><start>24:30</start><duration>90</duration><title>심야</title></event></room></day>
      <day><room name="1관"><event id="9"><date>2026-05-03T11:00:00+09:00</date><title>둘째</title></event>
      <event id="10"><start>12:00</start><title>언제</title></event></room></day>
      """, zone: "Asia/Seoul")
    let programme = try Sample.read(text)
    #expect(
      try lines(programme) == [
        "2026-05-02 2026-05-02T10:30:00+09:00 2026-05-02T12:15:00+09:00 1관: 괴물",
        "2026-05-02 2026-05-03T00:30:00+09:00 2026-05-03T02:00:00+09:00 1관: 심야",
        "2026-05-03 2026-05-03T11:00:00+09:00 none 1관: 둘째",
      ])
    #expect(programme.omitted == 1)
  }

  @Test("lengths: longer than a day, with days, nothing, less than nothing")
  func lengths() throws {
    let events = [("32:00", "a"), ("1:06:00:00", "b"), ("00:00", "c"), ("-00:30", "d")].map { length, title in
      "<event id=\"\(title)\"><start>10:00</start><duration>\(length)</duration><title>\(title)</title></event>"
    }
    let text = xml("<day date=\"2026-02-07\"><room name=\"E\">\(events.joined())</room></day>")
    let ends = Essence.all(of: try Sample.read(text)).map { $0.end.map { $0.milliseconds / 3_600_000 } }
    let start = Sample.instant("2026-02-07T10:00:00+01:00").milliseconds / 3_600_000
    #expect(ends == [start + 32, start + 30, nil, nil])
  }

  @Test("the hour that comes twice: both are told apart, and so are they in a calendar of ours, on their day")
  func twice() throws {
    let text = xml(
      """
      <day date="2026-10-24"><room name="Kino">
      <event id="1"><date>2026-10-25T02:30:00+02:00</date><duration>00:30</duration><title>First</title></event>
      <event id="2"><date>2026-10-25T02:30:00+01:00</date><duration>01:30</duration><title>Second</title></event>
      <event id="3"><start>05:30</start><duration>00:10</duration><title>Dawn</title></event></room></day>
      """, more: "<day_change>06:00:00</day_change>")
    let programme = try Sample.read(text)
    let expected = [
      "2026-10-24 2026-10-25T02:30:00+02:00 2026-10-25T02:00:00+01:00 Kino: First",
      "2026-10-24 2026-10-25T02:30:00+01:00 2026-10-25T04:00:00+01:00 Kino: Second",
      "2026-10-24 2026-10-25T05:30:00+01:00 2026-10-25T05:40:00+01:00 Kino: Dawn",
    ]
    #expect(try lines(programme) == expected)
    let zone = try Sample.zones.rules(for: programme.festival.zone)
    for format in FestivalFormat.known {
      let bytes = try programme.written(as: format, zone: zone, now: Sample.instant("2026-01-01T00:00:00Z"))
      #expect(try lines(read(bytes, name: "T", zone: "Europe/Berlin")) == expected, "\(format.rawValue)")
    }
  }

  @Test("two rooms of one name on one day are two, and what has no room has none")
  func rooms() throws {
    func room(_ guid: Int, _ title: String) -> String {
      "<room name=\"Saal 1\" guid=\"g-\(guid)\"><event id=\"\(guid)\"><start>10:00</start><title>\(title)</title></event></room>"
    }
    let unnamed = "<room name=\"\"><event id=\"3\"><start>12:00</start><title>Somewhere</title></event></room>"
    let days = "<day date=\"2026-02-07\">\(room(1, "Low"))\(room(2, "High"))\(unnamed)</day>"
    let events = Essence.all(of: try Sample.read(xml(days)))
    #expect(events.map(\.rooms) == [["Saal 1"], ["Saal 1 (2)"], []])
  }

  @Test("two rooms of one name stay two over the days, also where a day has only the second")
  func roomsOverDays() throws {
    func room(_ guid: String, _ id: Int) -> String {
      "<room name=\"Main\" guid=\"\(guid)\"><event id=\"\(id)\"><start>10:00</start><title>T\(id)</title></event></room>"
    }
    let days =
      "<day date=\"2026-02-07\">\(room("a", 1))\(room("b", 2))</day><day date=\"2026-02-08\">\(room("b", 3))</day>"
    #expect(Essence.all(of: try Sample.read(xml(days))).map(\.rooms) == [["Main"], ["Main (2)"], ["Main (2)"]])
  }

  @Test(
    "names that are as long as they may be, and floors with line breaks, make the journey", arguments: [1_990, 2_000])
  func longNames(length: Int) throws {
    let long = String(repeating: "a", count: length - 10) + "\nb\n" + String(repeating: "c", count: 40)
    func room(_ id: String) -> JSONValue { ["id": .string(id), "name": .string(long), "floor": "1\n"] }
    let sessions = ["a", "b", "c"].map { id -> JSONValue in
      ["id": .string(id), "title": .string(long), "starts_on": "2026-02-07T10:00:00Z", "room": room(id)]
    }
    let root: JSONValue = [
      "conference": [
        "title": "T", "timezone": "UTC", "dates": [],
        "venues": [["name": "V", "rooms": [room("a"), room("b"), room("c")]]],
      ], "sessions": .array(sessions),
    ]
    let programme = try read(root.json)
    #expect(programme.festival.rooms.count == 3 && Set(programme.festival.rooms.map(\.name)).count == 3)
    for format in FestivalFormat.known {
      let bytes = try programme.written(as: format, zone: .utc, now: Sample.instant("2026-01-01T00:00:00Z"))
      #expect(try read(bytes, name: "T", zone: "UTC").essence == programme.essence, "\(format.rawValue)")
    }
  }

  @Test("thousands of sessions of one id are read in a moment, each under an id of its own")
  func oneID() throws {
    let events = (0..<5_000).map { "<event id=\"7\"><start>10:00</start><title>T\($0)</title></event>" }
    let text = xml("<day date=\"2026-02-07\"><room name=\"A\">\(events.joined())</room></day>")
    let programme = try Sample.read(text)
    #expect(Set(programme.sessions.map(\.id)).count == 5_000)
    let rooms = (0..<5_000).map { "<room name=\"\($0)\"/>" }
    #expect(try Sample.read(xml("<day date=\"2026-02-07\">\(rooms.joined())</day>")).festival.rooms.count == 1_000)
  }

  @Test("pretalx's talks, with rooms, tracks and speakers by number, and as its API tells them")
  func talks() throws {
    let widget = """
      {"talks": [
        {"code": "ABCDEF", "id": 4711, "title": {"en": "Small Talk"}, "speakers": ["XYZ12", "QQQ"], "track": 3, "room": 21,
         "start": "2026-07-10T10:00:00+09:00", "end": "2026-07-10T10:45:00+09:00", "duration": 45},
        {"id": 4712, "title": {"en": "Lunch", "ja": "昼食"}, "start": "2026-07-10T12:00:00+09:00", "room": 21},
        {"code": "NOTIME", "title": "Not placed", "start": null, "room": null}],
       "timezone": "Asia/Tokyo", "tracks": [{"id": 3, "name": {"en": "Swift"}, "color": "#00ff00"}],
       "rooms": [{"id": 21, "name": {"en": "Big Room"}}],
       "speakers": [{"code": "XYZ12", "name": "Mika"}, {"code": "QQQ", "name": "Rin"}]}
      """
    let programme = try read(Array(widget.utf8), name: "T")
    #expect(
      try lines(programme) == [
        "2026-07-10 2026-07-10T10:00:00+09:00 2026-07-10T10:45:00+09:00 Big Room: Small Talk / Swift / Mika / Rin",
        "2026-07-10 2026-07-10T12:00:00+09:00 none Big Room: Lunch",
      ])
    #expect(programme.omitted == 1 && programme.sessions[0].id.text == "ABCDEF")
    let api = """
      {"count": 1, "results": [{"code": "GHI", "title": "Later", "speakers": [{"code": "A", "name": "Ada"}],
        "track": {"en": "Web"}, "state": "confirmed",
        "slot": {"room": {"en": "Hall"}, "start": "2026-07-10T10:00:00+09:00", "end": "2026-07-10T11:00:00+09:00"}}]}
      """
    #expect(
      try lines(read(Array(api.utf8), name: "T", zone: "Asia/Tokyo")) == [
        "2026-07-10 2026-07-10T10:00:00+09:00 2026-07-10T11:00:00+09:00 Hall: Later / Web / Ada"
      ])
  }

  @Test("a talk that pretalx has not taken is no session, one that was taken out again is told as cancelled")
  func states() throws {
    let states = ["accepted", "confirmed", "canceled", "rejected", "withdrawn", "submitted", "draft"]
    let talks = states.map { state in
      """
      {"code": "\(state)", "title": "\(state)", "state": "\(state)",
       "slot": {"room": {"en": "Hall"}, "start": "2026-07-10T10:00:00+09:00"}}
      """
    }
    let programme = try read(["{\"results\": [\(talks.joined(separator: ","))]}"])
    #expect(programme.sessions.map(\.title) == ["accepted", "confirmed", "canceled"])
    #expect(programme.sessions.map(\.isCancelled) == [false, false, true])
    #expect(programme.omitted == 4)
    for state in states.dropFirst(3) {
      #expect(programme.notes.contains("\(state) (\(state)) is \(state); it is left out"))
    }
  }

  private func read(_ pages: [String]) throws -> FestivalProgramme {
    var options = Sample.options
    options.name = "T"
    options.zone = ZoneName("Europe/Berlin")
    return try FestivalProgramme.read(pages.map { Array($0.utf8) }, options: options)
  }

  @Test("a talk that is given twice is there twice; pages of an answer are read together, and one alone is refused")
  func pages() throws {
    func page(_ talks: String) -> String { "{\"count\": 2, \"next\": null, \"results\": [\(talks)]}" }
    let twice = """
      {"code": "ABCDEF", "title": "Twice", "speakers": ["QRSTUV"], "state": "confirmed", "slots": [
        {"room": {"en": "Hall"}, "start": "2026-07-02T10:00:00+02:00", "end": "2026-07-02T10:45:00+02:00"},
        {"room": {"en": "Attic"}, "start": "2026-07-03T10:00:00+02:00", "end": "2026-07-03T10:45:00+02:00"}],
       "slot": {"room": {"en": "Hall"}, "start": "2026-07-02T10:00:00+02:00", "end": "2026-07-02T10:45:00+02:00"}}
      """
    let once = """
      {"code": "GHIJKL", "title": "Once", "track": 7,
       "slot": {"room": {"en": "Hall"}, "start": "2026-07-03T12:00:00+02:00", "end": "2026-07-03T13:00:00+02:00"}}
      """
    let programme = try read([page(twice), page(once)])
    #expect(
      try lines(programme) == [
        "2026-07-02 2026-07-02T10:00:00+02:00 2026-07-02T10:45:00+02:00 Hall: Twice",
        "2026-07-03 2026-07-03T10:00:00+02:00 2026-07-03T10:45:00+02:00 Attic: Twice",
        "2026-07-03 2026-07-03T12:00:00+02:00 2026-07-03T13:00:00+02:00 Hall: Once",
      ])
    #expect(programme.notes.contains { $0.contains("by their numbers alone") }, "a code is nobody's name")
    for pages in [[page(twice)], [page(twice), page(twice)]] {
      #expect { try self.read(pages) } throws: { "\($0)".contains("1 of 2 talks; give the files of all pages") }
    }
  }

  @Test("programmes that are no pages of one answer are not made one; a name of six capitals is a name")
  func noPages() throws {
    let talk = """
      {"code": "ABCDEF", "title": "A Talk", "room": 1, "start": "2026-07-02T10:00:00+02:00", "speakers": ["QRSTUV"]}
      """
    let widget = """
      {"talks": [\(talk)], "rooms": [{"id": 1, "name": "Hall"}], "speakers": [{"code": "QRSTUV", "name": "ANOHNI"}]}
      """
    #expect(try read([widget]).sessions[0].speakers.map(\.name) == ["ANOHNI"])
    for files in [[widget, widget], [widget, "{\"schedule\": {}}"]] {
      #expect { try self.read(files) } throws: { "\($0)".contains("import them one at a time") }
    }
  }

  @Test("pretalx's slots with their talks in them, as a list and as a schedule; a pause has the name of its slot")
  func slots() throws {
    let slots = """
      [{"id": 101, "room": {"id": 12, "name": {"en": "Hall"}}, "start": "2026-07-02T10:00:00+02:00",
        "end": "2026-07-02T10:45:00+02:00", "duration": 45, "submission": {"code": "ABCDEF", "title": "A Talk",
        "speakers": [{"code": "QRSTUV", "name": "Ada Quill"}], "track": {"id": 7, "name": {"en": "Film"}},
        "submission_type": {"name": {"en": "Talk"}}, "state": "confirmed"}},
       {"id": 102, "room": {"id": 12, "name": {"en": "Hall"}}, "start": "2026-07-02T12:00:00+02:00", "duration": 60,
        "submission": null, "description": {"en": "Lunch"}},
       {"id": 103, "room": 12, "start": "2026-07-02T14:00:00+02:00", "submission": "GHIJKL"}]
      """
    for text in ["{\"count\": 3, \"results\": \(slots)}", "{\"id\": 3, \"version\": \"1.0\", \"slots\": \(slots)}"] {
      let programme = try read([text])
      #expect(
        try lines(programme) == [
          "2026-07-02 2026-07-02T10:00:00+02:00 2026-07-02T10:45:00+02:00 Hall: A Talk / Film / Ada Quill",
          "2026-07-02 2026-07-02T12:00:00+02:00 2026-07-02T13:00:00+02:00 Hall: Lunch",
        ])
      #expect(programme.omitted == 1 && programme.notes.contains { $0.contains("?expand=submission") })
    }
  }

  @Test("the tables that pretalx's organisers export")
  func exported() throws {
    let expected = [
      "2026-07-02 2026-07-02T10:00:00+02:00 2026-07-02T10:45:00+02:00 Hall, left: A Talk / Film / Ada Quill / Tom",
      "2026-07-02 2026-07-02T23:30:00+02:00 2026-07-03T00:15:00+02:00 Hall, left: Night",
    ]
    let json = """
      [{"ID": "ABCDEF", "Proposal title": "A Talk", "Proposal state": "confirmed", "Session type": "Talk", "Track": "Film",
        "Speaker IDs": ["QRSTUV"], "Speaker names": ["Ada Quill", "Tom"], "Room": "Hall, left",
        "Start": "2026-07-02T10:00:00+02:00", "End": "2026-07-02T10:45:00+02:00"},
       {"ID": "GHIJKL", "Proposal title": "Night", "Track": null, "Speaker names": [], "Room": "Hall, left",
        "Start": "2026-07-02T23:30:00+02:00", "Duration": 45}]
      """
    #expect(try lines(read([json])) == expected)
    let table = """
      ID,Title,Session type,Track,Duration,Speaker names,Room,Start,Tags
      ABCDEF,A Talk,Talk,Film,45,"Ada Quill, Tom","Hall, left",2026-07-02T10:00:00+02:00,x
      GHIJKL,Night,Talk,,45,,"Hall, left",2026-07-02T23:30:00+02:00,

      """
    #expect(try lines(read([table])) == expected)
    #expect(refusal("[{\"a\": 1}]").contains("--mapping says what its members are"))
  }

  @Test("a calendar that is cut short and a page of the web are refused with what to do, however they are cut")
  func cutShort() throws {
    let lines = Sample.calendar.split(separator: "\r\n")
    let whole = try Sample.read(Sample.calendar).sessions.count
    for count in 1..<lines.count {
      #expect(refusal(lines.prefix(count).joined(separator: "\r\n")).contains("END:VCALENDAR"), "\(count) lines")
    }
    #expect(try Sample.read(lines.joined(separator: "\n") + "\n\n").sessions.count == whole)
    #expect(refusal("<!DOCTYPE html>\n<html><body><p>Sign in<br></body></html>").contains("a page of the web"))
    #expect(refusal("\u{FEFF}<HTML></HTML>").contains("a page of the web"))
  }

  @Test("who was invited to a meeting by mail is no speaker, and nobody's address is told")
  func guests() throws {
    let calendar = """
      BEGIN:VCALENDAR\r
      X-WR-CALNAME:A\r
      BEGIN:VEVENT\r
      UID:1\r
      DTSTART;TZID=Europe/Berlin:20260702T100000\r
      SUMMARY:Meeting\r
      ATTENDEE;CUTYPE=INDIVIDUAL;PARTSTAT=ACCEPTED;CN=me@example.com:mailto:me@example.com\r
      ATTENDEE;CN=you@example.com:mailto:you@example.com\r
      ATTENDEE;ROLE=REQ-PARTICIPANT;CUTYPE=INDIVIDUAL;CN="Ada Quill":invalid:nomail\r
      END:VEVENT\r
      END:VCALENDAR\r

      """
    #expect(try Sample.read(calendar).sessions[0].speakers.map(\.name) == ["Ada Quill"])
  }

  @Test(
    "the second form of schedule.json: events beside the days, tracks by their slugs, people with what is told of them")
  func secondForm() throws {
    let text = """
      {"schedule": {"conference": {"acronym": "two", "title": "Two", "time_zone_name": "Europe/Berlin",
        "tracks": [{"name": "Making & Hardware", "slug": "making", "colors": {"light": "#685B9D"}}],
        "rooms": [{"name": "Saal 1", "slug": "saal-1", "guid": "r1"}],
        "days": [{"index": 1, "date": "2026-12-27", "start": "2026-12-27T09:30:00+01:00", "end": "2026-12-28T06:00:00+01:00"},
          {"index": 2, "date": "2026-12-28", "start": "2026-12-28T06:00:00+01:00", "end": "2026-12-29T06:00:00+01:00"}]},
       "events": [
        {"guid": "e1", "slug": "two-opening", "title": "Opening", "start": "2026-12-27T10:30:00+01:00",
         "end": "2026-12-27T11:00:00+01:00", "room": {"name": "Saal 1", "guid": "r1"}, "track": {"slug": "making"},
         "participants": [{"guid": "p1", "name": "Ada Quill", "role": "speaker"}]},
        {"guid": "e2", "slug": "two-night", "title": "Night", "start": "2026-12-28T00:15:00+01:00",
         "end": "2026-12-28T00:55:00+01:00", "room": {"name": "Saal 1", "guid": "r1"}, "track": null, "participants": []}],
       "persons": [{"guid": "p1", "name": "Ada Quill", "biography": "Builds."}]}}
      """
    let programme = try Sample.read(text)
    #expect(
      try lines(programme) == [
        "2026-12-27 2026-12-27T10:30:00+01:00 2026-12-27T11:00:00+01:00 Saal 1: Opening / Making & Hardware / Ada Quill",
        "2026-12-27 2026-12-28T00:15:00+01:00 2026-12-28T00:55:00+01:00 Saal 1: Night",
      ])
    #expect(programme.sessions.map(\.guid) == ["e1", "e2"] && programme.festival.days.count == 2)
    #expect(
      programme.sessions[0].speakers[0].about == "Builds." && programme.festival.tracks.map(\.color) == ["#685b9d"])
  }

  @Test(
    "a schedule.json without its outermost object, with rooms as a list; several in one file are refused",
    arguments: [#"{"HS 1": EVENTS}"#, #"[{"name": "HS 1", "events": EVENTS}]"#])
  func bare(rooms: String) throws {
    let events = #"[{"id": 1, "date": "2026-03-28T20:00:00+0100", "duration": "05:00", "title": "Whole night"}]"#
    let bare = """
      {"conference": {"title": "Bare", "time_zone_name": "Europe/Vienna", "days": [{"date": "2026-03-28", "rooms":
        \(rooms.split(separator: "EVENTS").joined(separator: events))}]}}
      """
    #expect(
      try lines(Sample.read(bare)) == [
        "2026-03-28 2026-03-28T20:00:00+01:00 2026-03-29T01:00:00+01:00 HS 1: Whole night"
      ])
    #expect(refusal("[{\"schedule\": {}}, {\"schedule\": {}}]").contains("several schedules"))
  }

  @Test("a calendar's words of web pages, its whole days on their own date, several calendars in one file")
  func calendars() throws {
    func calendar(_ name: String, _ event: String) -> String {
      "BEGIN:VCALENDAR\r\nX-WR-CALNAME:\(name)\r\nX-WR-TIMEZONE:Europe/London\r\nBEGIN:VEVENT\r\nUID:\(name)\r\n"
        + "\(event)\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n"
    }
    let words = calendar(
      "A", "DTSTART:20260601T180000Z\r\nSUMMARY:Tom &amp; Jo &#8211; Q&#38;A & more\r\nLOCATION:B&amp;B")
    #expect(try lines(Sample.read(words)) == ["2026-06-01 2026-06-01T19:00:00+01:00 none B&B: Tom & Jo – Q&A & more"])
    let whole = calendar("B", "DTSTART;VALUE=DATE:20260502\r\nDTEND;VALUE=DATE:20260504\r\nSUMMARY:Fair")
    #expect(try lines(Sample.read(whole)) == ["2026-05-02 2026-05-02T00:00:00+01:00 2026-05-04T00:00:00+01:00 : Fair"])
    #expect(refusal(words + whole).contains("several calendars (A, B)"))
    #expect(try read(Array((words + whole).utf8), name: "Both").sessions.count == 2)
  }

  @Test("tables of people: half-days, other ways to write a date; one that may be two days is left out")
  func tables() throws {
    let table = """
      title,day,start,end,rooms
      Matinee,2026-05-01,9:30 AM,11:00 AM,A
      Late,2026/05/01,11:30 PM,1:00 AM,A
      Noon,01.05.2026,12:00 PM,1:15 p.m.,B
      심야,2026년 5월 1일,12:15 am,,B
      Unclear,1/5/2026,10:00,,B

      """
    let programme = try read(Array(table.utf8), name: "T", zone: "America/New_York")
    #expect(
      try lines(programme) == [
        "2026-05-01 2026-05-01T09:30:00-04:00 2026-05-01T11:00:00-04:00 A: Matinee",
        "2026-05-01 2026-05-01T12:00:00-04:00 2026-05-01T13:15:00-04:00 B: Noon",
        "2026-05-01 2026-05-01T23:30:00-04:00 2026-05-02T01:00:00-04:00 A: Late",
        "2026-05-01 2026-05-02T00:15:00-04:00 none B: 심야",
      ])
    #expect(programme.omitted == 1 && programme.notes.contains { $0.contains("1/5/2026 is no day") })
  }
}
