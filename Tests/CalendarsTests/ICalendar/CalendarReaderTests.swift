import Calendars
import Clocks
import Testing

/// A feed around some lines, with the line ends of the standard.
func calendar(_ lines: String) -> [UInt8] {
  let text = "BEGIN:VCALENDAR\nVERSION:2.0\nPRODID:-//Test//EN\n\(lines)\nEND:VCALENDAR\n"
  return Array(text.replacing("\n", with: "\r\n").utf8)
}

func event(_ lines: String) -> [UInt8] { calendar("BEGIN:VEVENT\nUID:1@test\n\(lines)\nEND:VEVENT") }

@Suite("Calendar reader")
struct CalendarReaderTests {
  let zones = ZoneDirectory()
  let seoul: TimeZoneRules
  let reader: CalendarReader

  init() throws {
    seoul = try zones.rules(for: ZoneName("Asia/Seoul")!)
    reader = CalendarReader(zones: zones, venueZone: seoul)
  }

  func instant(_ text: String) -> WallTime { Timestamp(text)!.instant }

  @Test("folded lines, escapes and parameters come out as they were meant")
  func folding() throws {
    let feed = try reader.read(
      event(
        """
        SUMMARY;LANGUAGE=ko:괴물\\, 그리고
          밤\\; 첫째\\n둘째 \\\\ 셋째
        DTSTART;X-NOTE="a;b:c^n^'d";TZID=Asia/Seoul:20261123T1930
         00
        DESC
        \tRIPTION:one
        LOCATION:에무
        CATEGORIES:GV,Q\\,A
        CATEGORIES:4K
        GEO:37.572129;126.969033
        STATUS:cancelled
        SEQUENCE:3
        URL:https://odi.example/a?b=c;d
        LAST-MODIFIED:20261120T001204Z
        """))
    let event = try #require(feed.events.first)
    #expect(feed.problems == [])
    #expect(event.summary == "괴물, 그리고 밤; 첫째\n둘째 \\ 셋째")
    #expect(event.start.instant(in: .utc) == instant("2026-11-23T19:30:00+09:00"))
    #expect(event.details == "one")
    #expect(event.location == "에무")
    #expect(event.categories == ["GV", "Q,A", "4K"])
    #expect(event.position?.latitude == 37.572129)
    #expect(event.status == .cancelled)
    #expect(event.sequence == 3)
    #expect(event.url == "https://odi.example/a?b=c;d")
    #expect(event.modified == instant("2026-11-20T00:12:04Z"))
  }

  @Test("a line folded at any byte arrives whole, inside a character too")
  func foldedAnywhere() throws {
    let line = Array("SUMMARY:괴물 🎟️ — 밤".utf8)
    for cut in 1..<line.count {
      for ending in ["\r\n ", "\n\t", "\r "] {
        let folded = line[..<cut] + Array(ending.utf8) + line[cut...]
        let bytes =
          Array("BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nDTSTART:20261123\r\n".utf8) + folded
          + Array("\r\nEND:VEVENT\r\nEND:VCALENDAR".utf8)
        #expect(try reader.read(bytes).events.first?.summary == "괴물 🎟️ — 밤", "cut at \(cut)")
      }
    }
  }

  @Test(
    "a zone is found by its name, by Windows' name for it, or through a vendor's path",
    arguments: [
      "America/New_York", "\"America/New_York\"", "Eastern Standard Time", "/mozilla.org/20070129_1/America/New_York",
    ])
  func zoneNames(name: String) throws {
    let feed = try reader.read(event("DTSTART;TZID=\(name):20261123T193000"))
    #expect(feed.problems == [])
    #expect(feed.events.first?.start.instant(in: .utc) == instant("2026-11-23T19:30:00-05:00"))
  }

  @Test("our rules win over a description in the feed that contradicts them")
  func brokenDescription() throws {
    let feed = try reader.read(
      calendar(
        """
        BEGIN:VTIMEZONE
        TZID:Europe/London
        BEGIN:STANDARD
        DTSTART:19700101T000000
        TZOFFSETFROM:+0000
        TZOFFSETTO:+0000
        END:STANDARD
        END:VTIMEZONE
        BEGIN:VEVENT
        UID:1
        DTSTART;TZID=Europe/London:20260701T193000
        END:VEVENT
        """))
    #expect(feed.events.first?.start.instant(in: .utc) == instant("2026-07-01T19:30:00+01:00"))
  }

  @Test("a zone that only the feed knows is taken from its description")
  func describedZone() throws {
    let outlook = """
      BEGIN:VTIMEZONE
      TZID:Customized Time Zone
      BEGIN:STANDARD
      DTSTART:16010101T030000
      TZOFFSETFROM:+0200
      TZOFFSETTO:+0100
      RRULE:FREQ=YEARLY;INTERVAL=1;BYDAY=-1SU;BYMONTH=10
      END:STANDARD
      BEGIN:DAYLIGHT
      DTSTART:16010101T020000
      TZOFFSETFROM:+0100
      TZOFFSETTO:+0200
      RRULE:FREQ=YEARLY;INTERVAL=1;BYDAY=-1SU;BYMONTH=3
      END:DAYLIGHT
      END:VTIMEZONE
      """
    let berlin = try zones.rules(for: ZoneName("Europe/Berlin")!)
    for local in ["20260701T193000", "20261123T193000", "20260329T030000", "20261025T015959", "20900701T120000"] {
      // Described after the event, which is allowed.
      let feed = try reader.read(
        calendar("BEGIN:VEVENT\nUID:1\nDTSTART;TZID=Customized Time Zone:\(local)\nEND:VEVENT\n\(outlook)"))
      #expect(feed.problems.map(\.kind) == [.zoneFromFeed])
      let event = try #require(feed.events.first)
      guard case .zoned(let civil, let zone) = event.start else {
        Issue.record("\(event.start) has no zone")
        continue
      }
      #expect(zone.instant(of: civil) == berlin.instant(of: civil), "\(local)")
    }
  }

  @Test(
    "a zone nobody knows is the venue's, and that is said",
    arguments: [
      "", "BEGIN:VTIMEZONE\nTZID:Nowhere\nEND:VTIMEZONE",
      "BEGIN:VTIMEZONE\nTZID:Nowhere\nBEGIN:STANDARD\nDTSTART:19700101T000000\nTZOFFSETTO:+9\nEND:STANDARD\nEND:VTIMEZONE",
      "BEGIN:VTIMEZONE\nTZID:Nowhere\nBEGIN:STANDARD\nDTSTART:garbage\nTZOFFSETFROM:+0900\nTZOFFSETTO:+0900\nEND:STANDARD\nEND:VTIMEZONE",
    ])
  func unknownZone(description: String) throws {
    let feed = try reader.read(
      calendar("\(description)\nBEGIN:VEVENT\nUID:1\nDTSTART;TZID=Nowhere:20261123T193000\nEND:VEVENT"))
    #expect(feed.problems.map(\.kind) == [.zoneAssumed])
    #expect(feed.events.first?.start.instant(in: .utc) == instant("2026-11-23T19:30:00+09:00"))
  }

  @Test("before the venue's zone comes the one the feed names for itself, and an offset is said to be one")
  func otherFallbacks() throws {
    let own = try reader.read(
      calendar("X-WR-TIMEZONE:Europe/London\nBEGIN:VEVENT\nUID:1\nDTSTART;TZID=Nowhere:20260701T193000\nEND:VEVENT"))
    #expect(own.events.first?.start.instant(in: .utc) == instant("2026-07-01T19:30:00+01:00"))
    #expect(own.problems.map(\.kind) == [.zoneAssumed])
    let offset = try reader.read(event("DTSTART;TZID=\"(UTC-05:00) Eastern Time\":20260701T193000"))
    #expect(offset.events.first?.start.instant(in: .utc) == instant("2026-07-01T19:30:00-05:00"))
    #expect(offset.problems.map(\.kind) == [.zoneIsOffset])
  }

  @Test("UTC, floating and all-day times are told apart")
  func kinds() throws {
    #expect(try reader.read(event("DTSTART:20261123T103000Z")).events[0].start == .utc(instant("2026-11-23T10:30:00Z")))
    let floating = try reader.read(event("DTSTART:20261123T193000")).events[0].start
    #expect(floating == .floating(CivilDateTime("2026-11-23T19:30:00")!))
    #expect(floating.instant(in: seoul) == instant("2026-11-23T19:30:00+09:00"))
    let day = try reader.read(event("DTSTART;VALUE=DATE:20261123")).events[0]
    #expect(day.start == .day(CivilDate("2026-11-23")!))
    #expect(day.end == .day(CivilDate("2026-11-24")!), "a day without an end is one day")
    // Z wins over a zone beside it.
    #expect(
      try reader.read(event("DTSTART;TZID=Asia/Seoul:20261123T103000Z")).events[0].start
        == .utc(instant("2026-11-23T10:30:00Z")))
  }

  @Test(
    "a duration is days of the calendar and exact hours",
    arguments: [
      // The night the clocks go forward: a day later is the same clock, 24 hours later is not.
      ("P1D", "2026-03-29T12:00:00+01:00"), ("PT24H", "2026-03-29T13:00:00+01:00"),
      ("P1W", "2026-04-04T12:00:00+01:00"),
      ("PT1H46M", "2026-03-28T13:46:00Z"), ("P1DT2H30M15S", "2026-03-29T14:30:15+01:00"),
      ("+PT90M", "2026-03-28T13:30:00Z"),
    ])
  func durations(duration: String, end: String) throws {
    let feed = try reader.read(event("DTSTART;TZID=Europe/London:20260328T120000\nDURATION:\(duration)"))
    #expect(feed.events.first?.end?.instant(in: .utc) == instant(end))
    #expect(feed.problems == [])
  }

  @Test(
    "an end that is none is left out, and the event stays",
    arguments: [
      "DTEND:20261123T193000", "DTEND:20261123T100000", "DURATION:-PT1H", "DURATION:P", "DURATION:PT", "DURATION:1H",
      "DURATION:PT99999999S", "DTEND:tomorrow",
    ])
  func badEnds(line: String) throws {
    let feed = try reader.read(event("DTSTART:20261123T193000\n\(line)"))
    #expect(feed.events.count == 1)
    #expect(feed.events.first?.end == nil, "\(line)")
  }

  @Test("what is no event is left out with the reason, and the others stay")
  func badEvents() throws {
    let feed = try reader.read(
      calendar(
        """
        BEGIN:VEVENT
        UID:no-start
        END:VEVENT
        BEGIN:VEVENT
        UID:bad-start
        DTSTART:20261131T193000
        END:VEVENT
        this is no line
        BEGIN:VTODO
        UID:todo
        DTSTART:20261123T193000
        END:VTODO
        BEGIN:VEVENT
        DTSTART:20261123T193000Z
        SUMMARY:no uid
        BEGIN:VALARM
        TRIGGER:-PT10M
        SUMMARY:alarm
        END:VALARM
        END:VEVENT
        BEGIN:VEVENT
        UID:unfinished
        DTSTART:20261123T193000Z
        """))
    #expect(feed.events.map(\.summary) == ["no uid"])
    #expect(feed.problems.map(\.kind) == [.lineIgnored, .cutShort, .eventIgnored, .eventIgnored, .uidMade])
    // The same event has the same made-up name next time.
    let again = try reader.read(calendar("BEGIN:VEVENT\nDTSTART:20261123T193000Z\nSUMMARY:no uid\nEND:VEVENT"))
    #expect(again.events.first?.uid == feed.events.first?.uid)
  }

  @Test(
    "what is no calendar is refused",
    arguments: [
      "", "<!DOCTYPE html><html></html>", "HTTP/1.1 404", "BEGIN:VEVENT\r\nEND:VEVENT", "hello:world", "\0\0\0",
    ])
  func noCalendar(text: String) {
    #expect(throws: CalendarFeedError.notACalendar) { try reader.read(Array(text.utf8)) }
  }

  @Test("a byte order mark, lower case and missing ends are forgiven")
  func forgiven() throws {
    let text = "\u{FEFF}begin:vcalendar\nbegin:vevent\nuid:1\ndtstart;tzid=Asia/Seoul:20261123T1930\nend:vevent"
    let feed = try reader.read(Array(text.utf8))
    #expect(feed.events.first?.start.instant(in: .utc) == instant("2026-11-23T19:30:00+09:00"))
  }

  @Test("every limit holds")
  func limits() throws {
    var limits = CalendarReader.Limits()
    limits.bytesMax = 4_000
    limits.lineBytesMax = 100
    limits.eventsMax = 2
    limits.propertiesPerEventMax = 4
    limits.problemsMax = 3
    let small = CalendarReader(zones: zones, venueZone: seoul, limits: limits)
    #expect(throws: CalendarFeedError.tooLarge(limit: "4000 bytes")) {
      try small.read([UInt8](repeating: 0x0A, count: 4_001))
    }
    let one = "BEGIN:VEVENT\nUID:1\nDTSTART:20261123\nEND:VEVENT\n"
    #expect(throws: CalendarFeedError.tooLarge(limit: "2 events")) {
      try small.read(calendar(String(repeating: one, count: 3)))
    }
    let long = try small.read(event("DTSTART:20261123\nSUMMARY:\(String(repeating: "x", count: 200))\nLOCATION:here"))
    #expect(long.events.first?.summary == "")
    #expect(long.events.first?.location == "here")
    let folded = try small.read(event("DTSTART:20261123\nSUMMARY:x\(String(repeating: "\n yyyyyyyyyy", count: 20))"))
    #expect(folded.events.first?.summary == "")
    let noisy = try small.read(event("DTSTART:20261123\n\(String(repeating: "no line\n", count: 50))"))
    #expect(noisy.problems.count == 3)
  }

  @Test("a feed of ten thousand names for zones keeps 64 of them")
  func manyZones() throws {
    let events = (0..<10_000).map { "BEGIN:VEVENT\nUID:\($0)\nDTSTART;TZID=Zone \($0):20261123T193000\nEND:VEVENT" }
    let feed = try reader.read(calendar(events.joined(separator: "\n")))
    #expect(feed.events.count == 10_000)
    #expect(feed.problems.count == 100)
  }

  @Test("damaged feeds and random bytes never trap")
  func fuzz() {
    let seed: UInt64 = 424_242
    var generator = SeededRandom(seed: seed)
    let whole = calendar(
      """
      BEGIN:VTIMEZONE
      TZID:Custom
      BEGIN:STANDARD
      DTSTART:16010101T030000
      TZOFFSETFROM:+0200
      TZOFFSETTO:+0100
      RRULE:FREQ=YEARLY;BYDAY=-1SU;BYMONTH=10
      END:STANDARD
      END:VTIMEZONE
      BEGIN:VEVENT
      UID:1
      DTSTART;TZID=Custom:20261123T193000
      DURATION:P1DT2H
      RRULE:FREQ=MONTHLY;BYDAY=2SA;COUNT=12;WKST=SU;UNTIL=20271231T000000Z
      EXDATE;TZID=Custom:20261212T193000,20270109T193000
      RDATE;VALUE=PERIOD:20261224T190000Z/PT2H
      GEO:37.5;127
      END:VEVENT
      """)
    let window = Timestamp("2026-01-01T00:00:00Z")!.instant..<Timestamp("2028-01-01T00:00:00Z")!.instant
    for round in 0..<400 {
      var bytes = whole
      for _ in 0..<Int.random(in: 1...6, using: &generator) {
        let index = Int.random(in: 0..<bytes.count, using: &generator)
        switch Int.random(in: 0...3, using: &generator) {
        case 0: bytes[index] = UInt8.random(in: 0...255, using: &generator)
        case 1: bytes[index] = UInt8.random(in: 0x30...0x39, using: &generator)
        case 2: bytes.remove(at: index)
        default: bytes.insert(contentsOf: bytes.suffix(Int.random(in: 0...40, using: &generator)), at: index)
        }
      }
      if round % 10 == 0 { bytes = Array("BEGIN:VCALENDAR\n".utf8) + generator.bytes(upTo: 400) }
      guard let feed = try? reader.read(bytes) else { continue }
      _ = feed.occurrences(in: window, zone: seoul)
      _ = feed.written(now: window.lowerBound)
    }
  }
}
