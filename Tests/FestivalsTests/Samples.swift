import Calendars
import Clocks
import Contracts
import Festivals
import JSON

/// Small invented programmes in each format.
enum Sample {
  static let zones = ZoneDirectory()
  static var options: ReadingOptions { ReadingOptions(zones: zones) }
  static let brussels = try! zones.rules(for: ZoneName("Europe/Brussels")!)

  static let xml = """
    <?xml version="1.0" encoding="UTF-8"?>
    <!-- invented -->
    <schedule>
      <version>3</version>
      <conference>
        <acronym>paper-boat</acronym><title>Paper Boat &amp; Friends</title>
        <day_change>09:00:00</day_change><timeslot_duration>00:05:00</timeslot_duration>
        <time_zone_name>Europe/Brussels</time_zone_name>
        <track name="Shorts" color="#AA3311"/>
      </conference>
      <tracks><track>Talks</track></tracks>
      <day index="1" date="2026-02-07" start="2026-02-07T09:00:00+01:00" end="2026-02-08T08:59:00+01:00">
        <room name="Hall A">
          <event guid="5bb0aa4e-0c0e-5ccd-9523-0ed1ca679039" id="30">
            <date>2026-02-07T09:30:00+01:00</date><start>09:30</start><duration>00:25</duration>
            <title><![CDATA[Welcome <all>]]></title><track>Talks</track><type>talk</type>
            <persons><person id="2">Ada "A" Quill</person><person id="3">Tom &amp; Jo</person></persons>
          </event>
          <event guid="5bb0aa4e-0c0e-5ccd-9523-0ed1ca679040" id="31">
            <start>00:45</start><duration>01:30</duration><title>Late Film</title><track>Shorts</track>
          </event>
        </room>
        <room name="Hall B">
          <event guid="5bb0aa4e-0c0e-5ccd-9523-0ed1ca679039" id="30">
            <date>2026-02-07T09:30:00+01:00</date><start>09:30</start><duration>00:25</duration>
            <title>Welcome &lt;all&gt;</title><track>Talks</track><type>talk</type>
          </event>
          <event guid="5bb0aa4e-0c0e-5ccd-9523-0ed1ca679041" id="30">
            <date>2026-02-07T14:00:00+01:00</date><start>14:00</start><duration>00:30</duration>
            <title>Another with the same number</title><track>Talks</track>
          </event>
          <event id="32"><date>2026-02-07T15:00:00+01:00</date><duration>00:30</duration></event>
        </room>
      </day>
      <day index="2" date="2026-02-08" start="2026-02-08T09:00:00+01:00" end="2026-02-09T08:59:00+01:00">
        <room name="Hall A"/>
      </day>
    </schedule>
    """

  static let octavConference = """
    {"id": "c-1", "title": "小舟祭", "slug": "kobune/2026", "timezone": "Asia/Tokyo",
     "dates": [{"id": "d", "open": "2026-08-03T08:00:00Z", "close": "2026-08-03T12:00:00Z"}],
     "venues": [{"name": "会館", "latitude": 35.5, "longitude": 139.6,
       "rooms": [{"id": "r-1", "name": "ホール", "capacity": 150}, {"id": "r-2", "name": "小部屋"}]}],
     "tracks": [{"id": "t", "room_id": "r-1", "sort_order": 0, "name": "トラックA"}],
     "sponsors": [{"name": "二番", "group_name": "tier-2"}, {"name": "一番", "group_name": "tier-1", "url": "javascript:x"}]}
    """

  static let octavSessions = """
    [{"id": "9fd0b658-4f50-11e7-aa42-42010af00d0a", "title": "始まり", "starts_on": "2026-08-03T18:30:00Z", "duration": 1800,
      "room": {"id": "r-1", "name": "ホール"}, "speaker": {"id": "s", "nickname": "fune"}, "status": "accepted"},
     {"id": "9fd0b658-4f50-11e7-aa42-42010af00d0b", "title": "次", "starts_on": "2026-08-04T01:00:00Z", "duration": 600,
      "room_id": "r-2", "speaker": {"nickname": "x", "first_name": "花", "last_name": "船"}, "status": "accepted"},
     {"id": "9fd0b658-4f50-11e7-aa42-42010af00d0c", "title": "没", "starts_on": "2026-08-04T02:00:00Z", "duration": 600,
      "room_id": "r-2", "status": "rejected"}]
    """

  static let calendar = """
    BEGIN:VCALENDAR\r
    VERSION:2.0\r
    X-WR-CALNAME:Lake Nights\r
    BEGIN:VEVENT\r
    UID:68c4@lake.example\r
    SUMMARY:A Quiet\\, Long Film\r
    DTSTART;TZID=America/New_York:20261014T191500\r
    DTEND;TZID=America/New_York:20261014T211500\r
    LOCATION:Barn + Lobby\r
    CATEGORIES:Features\r
    ATTENDEE;CN="Quill, Ada":invalid:nomail\r
    END:VEVENT\r
    BEGIN:VEVENT\r
    UID:68c5@lake.example\r
    SUMMARY:Midnight Short\r
    DTSTART;TZID=America/New_York:20261015T003000\r
    DTEND;TZID=America/New_York:20261015T010000\r
    LOCATION:Barn\r
    END:VEVENT\r
    END:VCALENDAR\r

    """

  static let rows = """
    {"items": [
      {"weekday": "Dijous", "date": 9, "time": "22:30", "event": "Marea", "venue": "Sala Gran", "duration": "105'", "sections": ["Nit", "Altres"]},
      {"weekday": "Dijous", "date": 9, "time": "00:45", "event": "Ombres", "venue": "Sala Gran", "duration": "88'", "sections": []},
      {"weekday": "Divendres", "date": 40, "time": "10:00", "event": "Cap dia", "venue": "Sala Gran", "duration": "10'"}]}
    """

  static func mapping(_ more: String = "") throws -> ColumnMapping {
    try ColumnMapping(
      JSONValue(
        parsing: """
          {"festival": {"id": "mar-2026", "name": "Mar 2026", "time_zone": "Europe/Madrid"}, "rows": "items",
           "columns": {"title": "event", "day": "date", "start": "time", "duration": "duration", "rooms": "venue",
                       "track": "sections"}, "date": {"year": 2026, "month": 10}\(more)}
          """))
  }

  static func read(_ text: String..., mapping: ColumnMapping? = nil, zone: String? = nil) throws -> FestivalProgramme {
    var options = options
    options.mapping = mapping
    options.zone = zone.flatMap { ZoneName($0) }
    return try FestivalProgramme.read(text.map { Array($0.utf8) }, options: options)
  }

  static func instant(_ text: String) -> WallTime { Timestamp(text)!.instant }

  /// `10-12 19:30 21:00 Hall: A / Track / Ada`, one for each session: its day, and clocks of the festival's zone.
  static func lines(_ programme: FestivalProgramme) throws -> [String] {
    let zone = try zones.rules(for: programme.festival.zone)
    func clock(_ instant: WallTime) -> Substring { "\(zone.timestamp(at: instant))".dropFirst(5).prefix(11) }
    return Essence.all(of: programme).sorted { ($0.start, $0.title) < ($1.start, $1.title) }.map { event in
      let end = event.end.map { "\(clock($0).suffix(5))" } ?? "none"
      let more = ([event.track].compactMap(\.self) + event.speakers).map { " / \($0)" }.joined()
      let day = "\(event.day)".dropFirst(5)
      return "\(day) \(clock(event.start)) \(end) \(event.rooms.joined(separator: "+")): \(event.title)\(more)"
    }
  }

  /// A table under a mapping of `t`, `d`, `s`, as their names say.
  static func table(_ rows: String, zone: String = "Europe/Berlin", more: String = "") throws -> FestivalProgramme {
    let mapping = """
      {"festival": {"id": "moss", "name": "Moss", "time_zone": "\(zone)"},
       "columns": {"title": "t", "day": "d", "start": "s"}\(more)}
      """
    return try read("t,d,s\n" + rows, mapping: try ColumnMapping(JSONValue(parsing: mapping)))
  }
}

/// What has to be the same after a journey.
struct Essence: Hashable {
  let id: String
  let title: String
  let day: CivilDate
  let rooms: [String]
  let start: WallTime
  let end: WallTime?
  let speakers: [String]
  let track: String?

  static func all(of programme: FestivalProgramme) -> [Essence] {
    let rooms = Dictionary(uniqueKeysWithValues: programme.festival.rooms.map { ($0.id, $0.name) })
    let tracks = Dictionary(uniqueKeysWithValues: programme.festival.tracks.map { ($0.id, $0.name) })
    return programme.sessions.map { session in
      Essence(
        id: session.id.text, title: session.title, day: session.day, rooms: session.rooms.map { rooms[$0]! },
        start: session.startsAt, end: session.endsAt, speakers: session.speakers.map(\.name),
        track: session.track.map { tracks[$0]! })
    }.sorted { $0.id < $1.id }
  }
}
