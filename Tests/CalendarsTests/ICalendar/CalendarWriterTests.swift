import Calendars
import Clocks
import Testing

@Suite("Calendar writer")
struct CalendarWriterTests {
  let zones = ZoneDirectory()
  let now = Timestamp("2026-11-20T00:12:04Z")!.instant

  func zone(_ name: String) throws -> TimeZoneRules { try zones.rules(for: ZoneName(name)!) }

  func show(_ summary: String = "괴물") throws -> CalendarEvent {
    let seoul = try zone("Asia/Seoul")
    var event = CalendarEvent(
      uid: "show_9xk1@odi.example", start: .zoned(CivilDateTime("2026-11-24T00:30:00")!, seoul),
      end: .zoned(CivilDateTime("2026-11-24T02:36:00")!, seoul), summary: summary)
    event.location = "에무시네마, 서울"
    event.position = .init(latitude: 37.572129, longitude: 126.969033)
    event.url = "https://odi.example/films/film_8k2q"
    event.categories = ["GV", "자막"]
    event.status = .confirmed
    event.sequence = 1
    event.modified = now
    return event
  }

  func feed(_ events: CalendarEvent...) -> CalendarFeed {
    CalendarFeed(
      productID: "-//Odi//Programme//EN", name: "에무시네마", color: "rebeccapurple", refreshEvery: .seconds(3_600),
      events: events)
  }

  func lines(_ feed: CalendarFeed) -> [String] {
    String(decoding: feed.written(now: now), as: UTF8.self).split(separator: "\r\n").map(String.init)
  }

  @Test("a feed is written to the letter")
  func golden() throws {
    #expect(
      lines(feed(try show())) == [
        "BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//Odi//Programme//EN", "CALSCALE:GREGORIAN", "METHOD:PUBLISH",
        "NAME:에무시네마", "X-WR-CALNAME:에무시네마", "COLOR:rebeccapurple", "REFRESH-INTERVAL;VALUE=DURATION:PT1H",
        "X-PUBLISHED-TTL:PT1H", "BEGIN:VTIMEZONE", "TZID:Asia/Seoul", "BEGIN:STANDARD", "DTSTART:19700101T000000",
        "TZOFFSETFROM:+0900", "TZOFFSETTO:+0900", "TZNAME:KST", "END:STANDARD", "END:VTIMEZONE", "BEGIN:VEVENT",
        "UID:show_9xk1@odi.example", "DTSTAMP:20261120T001204Z", "DTSTART;TZID=Asia/Seoul:20261124T003000",
        "DTEND;TZID=Asia/Seoul:20261124T023600", "SUMMARY:괴물", "LOCATION:에무시네마\\, 서울", "GEO:37.572129;126.969033",
        "URL:https://odi.example/films/film_8k2q", "CATEGORIES:GV,자막", "STATUS:CONFIRMED", "SEQUENCE:1",
        "LAST-MODIFIED:20261120T001204Z", "END:VEVENT", "END:VCALENDAR",
      ])
  }

  @Test("no line is longer than 75 octets, none is cut inside a character, every one ends in CRLF")
  func folding() throws {
    for length in 0..<200 {
      let summary =
        String(repeating: "괴", count: length / 3) + String(repeating: "🎟", count: length / 7) + String(length)
      let bytes = feed(try show(summary)).written(now: now)
      #expect(bytes.suffix(2) == [0x0D, 0x0A])
      var start = 0
      while let end = bytes[start...].firstIndex(of: 0x0A) {
        #expect(bytes[end - 1] == 0x0D)
        #expect(end - 1 - start <= 75, "\(length)")
        #expect(String(validating: bytes[start..<end], as: UTF8.self) != nil, "\(length)")
        start = end + 1
      }
    }
  }

  @Test("what is written is read again, the same")
  func roundTrip() throws {
    let london = try zone("Europe/London")
    var series = CalendarEvent(
      uid: "series@odi.example", start: .zoned(CivilDateTime("2026-03-27T19:30:00")!, london), summary: "a; b, c\\d\ne")
    series.recurrence = .weekly(on: [WeekdaySet(.friday), WeekdaySet(.saturday)])
    series.exceptions = [.zoned(CivilDateTime("2026-04-03T19:30:00")!, london)]
    series.extraStarts = [.zoned(CivilDateTime("2026-04-07T19:30:00")!, london)]
    series.stamp = now
    series.details = "Line one\nline two — \(String(repeating: "long ", count: 60))"
    var day = CalendarEvent(
      uid: "day@odi.example", start: .day(CivilDate("2026-05-01")!), end: .day(CivilDate("2026-05-03")!),
      summary: "Festival")
    day.stamp = now
    var moment = CalendarEvent(uid: "utc@odi.example", start: .utc(now), summary: "")
    moment.stamp = now
    var local = CalendarEvent(
      uid: "f@odi.example", start: .floating(CivilDateTime("2026-05-01T10:00:00")!), summary: "x")
    local.stamp = now
    var moved = try show()
    moved.stamp = now
    moved.replaces = .zoned(CivilDateTime("2026-11-23T19:30:00")!, try zone("Asia/Seoul"))
    let feed = feed(series, day, moment, local, moved)
    let read = try CalendarReader(zones: zones, venueZone: .utc).read(feed.written(now: now))
    #expect(read == feed)
  }

  @Test("a rule's end is told the way its start is")
  func until() throws {
    func rule(_ start: CalendarTime) -> String? {
      var event = CalendarEvent(uid: "1", start: start, summary: "x")
      event.recurrence = .weekly(on: WeekdaySet(.friday), until: CivilDate("2026-04-30")!)
      return lines(feed(event)).first { $0.hasPrefix("RRULE") }
    }
    let local = CivilDateTime("2026-03-27T19:30:00")!
    #expect(rule(.day(local.date)) == "RRULE:FREQ=WEEKLY;UNTIL=20260430;BYDAY=FR")
    #expect(rule(.floating(local)) == "RRULE:FREQ=WEEKLY;UNTIL=20260430T235959;BYDAY=FR")
    #expect(rule(.utc(now)) == "RRULE:FREQ=WEEKLY;UNTIL=20260430T235959Z;BYDAY=FR")
    #expect(try rule(.zoned(local, zone("Europe/London"))) == "RRULE:FREQ=WEEKLY;UNTIL=20260430T225959Z;BYDAY=FR")
  }

  @Test("the zone that is written says the same as ours, read by a reader that does not know it")
  func writtenZone() throws {
    for name in ["Europe/London", "America/New_York", "Australia/Lord_Howe", "Africa/Casablanca", "Asia/Kathmandu"] {
      let rules = try zone(name)
      let first = CivilDateTime("2025-01-10T12:00:00")!
      let events = (0..<30).map { step in
        CalendarEvent(
          uid: "\(step)", start: .zoned(first.adding(seconds: Int64(step) * 30 * 86_400), rules), summary: "\(step)")
      }
      let text = String(decoding: CalendarFeed(productID: "x", events: events).written(now: now), as: UTF8.self)
      // Renamed, so that only the description is left to go by.
      let renamed = text.replacing(name, with: "Private Zone")
      let read = try CalendarReader(zones: zones, venueZone: .utc).read(Array(renamed.utf8))
      #expect(read.problems.map(\.kind) == [.zoneFromFeed])
      #expect(read.events.count == 30)
      for (ours, theirs) in zip(events, read.events) {
        #expect(ours.start.instant(in: .utc) == theirs.start.instant(in: .utc), "\(name) \(ours.uid)")
      }
    }
  }

  @Test("a line break in a value cannot begin a property")
  func injection() throws {
    var event = try show("title\r\nSTATUS:CANCELLED")
    event.uid = "1\r\nX-EVIL:1"
    event.url = "https://odi.example/\nX-EVIL:2\u{0}"
    let lines = lines(feed(event))
    #expect(!lines.contains { $0.hasPrefix("X-EVIL") || $0.hasPrefix("STATUS:CANCELLED") })
    #expect(lines.contains("SUMMARY:title\\nSTATUS:CANCELLED"))
  }

  @Test("times in a fixed offset are written in UTC")
  func fixedOffset() throws {
    let fixed = TimeZoneRules.fixed(UTCOffset("+09:00")!)
    let event = CalendarEvent(uid: "1", start: .zoned(CivilDateTime("2026-11-24T00:30:00")!, fixed), summary: "x")
    let lines = lines(feed(event))
    #expect(lines.contains("DTSTART:20261123T153000Z"))
    #expect(!lines.contains("BEGIN:VTIMEZONE"))
  }
}
