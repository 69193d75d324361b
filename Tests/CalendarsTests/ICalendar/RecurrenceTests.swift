import Calendars
import Clocks
import Testing

@Suite("Recurrence")
struct RecurrenceTests {
  let zones = ZoneDirectory()
  let london: TimeZoneRules

  init() throws { london = try zones.rules(for: ZoneName("Europe/London")!) }

  func feed(_ lines: String) throws -> CalendarFeed {
    try CalendarReader(zones: zones, venueZone: london).read(event(lines))
  }

  /// The local starts of a year and a half.
  func starts(_ lines: String) throws -> [String] {
    let window = Timestamp("2026-01-01T00:00:00Z")!.instant..<Timestamp("2027-07-01T00:00:00Z")!.instant
    return try feed(lines).occurrences(in: window, zone: london).occurrences.map {
      let local = london.local(at: $0.startsAt)
      return "\(local.date) \(local.time)"
    }
  }

  @Test(
    "the rules programmes use",
    arguments: [
      ("FREQ=DAILY;COUNT=3", ["2026-11-20 19:30", "2026-11-21 19:30", "2026-11-22 19:30"]),
      ("FREQ=DAILY;INTERVAL=2;UNTIL=20261124", ["2026-11-20 19:30", "2026-11-22 19:30", "2026-11-24 19:30"]),
      ("FREQ=DAILY;UNTIL=20261121T193000Z", ["2026-11-20 19:30", "2026-11-21 19:30"]),
      ("FREQ=DAILY;UNTIL=20261121T192959Z", ["2026-11-20 19:30"]),
      ("FREQ=WEEKLY;COUNT=3", ["2026-11-20 19:30", "2026-11-27 19:30", "2026-12-04 19:30"]),
      (
        "FREQ=WEEKLY;BYDAY=FR,SA,WE;COUNT=4",
        ["2026-11-20 19:30", "2026-11-21 19:30", "2026-11-25 19:30", "2026-11-27 19:30"]
      ),
      // Whether Sunday ends the week or begins the next one decides which fortnight it is in.
      ("FREQ=WEEKLY;INTERVAL=2;BYDAY=FR,SU;COUNT=3", ["2026-11-20 19:30", "2026-11-22 19:30", "2026-12-04 19:30"]),
      (
        "FREQ=WEEKLY;INTERVAL=2;BYDAY=FR,SU;WKST=SU;COUNT=3",
        ["2026-11-20 19:30", "2026-11-29 19:30", "2026-12-04 19:30"]
      ),
      ("FREQ=MONTHLY;COUNT=3", ["2026-11-20 19:30", "2026-12-20 19:30", "2027-01-20 19:30"]),
      ("FREQ=MONTHLY;BYDAY=3FR;COUNT=3", ["2026-11-20 19:30", "2026-12-18 19:30", "2027-01-15 19:30"]),
      ("FREQ=MONTHLY;BYDAY=-1FR;COUNT=3", ["2026-11-20 19:30", "2026-11-27 19:30", "2026-12-25 19:30"]),
      ("FREQ=MONTHLY;BYMONTHDAY=-1,20;COUNT=3", ["2026-11-20 19:30", "2026-11-30 19:30", "2026-12-20 19:30"]),
      ("FREQ=MONTHLY;BYDAY=FR;BYMONTHDAY=13;COUNT=2", ["2026-11-20 19:30"]),
      ("FREQ=YEARLY;COUNT=2", ["2026-11-20 19:30"]),
      ("FREQ=YEARLY;BYMONTH=1,3;BYDAY=1SU;COUNT=3", ["2026-11-20 19:30", "2027-01-03 19:30", "2027-03-07 19:30"]),
    ])
  func rules(rule: String, expected: [String]) throws {
    #expect(try starts("DTSTART;TZID=Europe/London:20261120T193000\nRRULE:\(rule)") == expected)
  }

  @Test("the clock stays over a change of the clocks, the instant does not")
  func overTheChange() throws {
    let feed = try feed("DTSTART;TZID=Europe/London:20260327T193000\nDURATION:PT2H\nRRULE:FREQ=DAILY;COUNT=4")
    let window = Timestamp("2026-01-01T00:00:00Z")!.instant..<Timestamp("2027-01-01T00:00:00Z")!.instant
    let occurrences = feed.occurrences(in: window, zone: .utc).occurrences
    #expect(
      occurrences.map { Timestamp($0.startsAt).description } == [
        "2026-03-27T19:30:00Z", "2026-03-28T19:30:00Z", "2026-03-29T18:30:00Z", "2026-03-30T18:30:00Z",
      ])
    #expect(occurrences.allSatisfy { $0.endsAt!.milliseconds - $0.startsAt.milliseconds == 7_200_000 })
  }

  @Test("a series on the 31st, or the 29th of February, skips what does not exist")
  func missingDays() throws {
    #expect(
      try starts("DTSTART:20260131T120000\nRRULE:FREQ=MONTHLY;COUNT=4") == [
        "2026-01-31 12:00", "2026-03-31 12:00", "2026-05-31 12:00", "2026-07-31 12:00",
      ])
    #expect(try starts("DTSTART:20240229T120000\nRRULE:FREQ=YEARLY") == [])
    #expect(try starts("DTSTART:20260130T120000\nRRULE:FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30") == ["2026-01-30 12:00"])
  }

  @Test("more starts and exceptions, by time and by day")
  func changes() throws {
    #expect(
      try starts(
        """
        DTSTART;TZID=Europe/London:20261120T193000
        RRULE:FREQ=DAILY;COUNT=5
        EXDATE;TZID=Europe/London:20261121T193000
        EXDATE:20261122T193000Z
        EXDATE;VALUE=DATE:20261123
        RDATE;TZID=Europe/London:20261130T140000,20261120T193000
        """) == ["2026-11-20 19:30", "2026-11-24 19:30", "2026-11-30 14:00"])
  }

  @Test("an event with a recurrence id replaces that occurrence")
  func replaced() throws {
    let bytes = calendar(
      """
      BEGIN:VEVENT
      UID:series
      DTSTART;TZID=Europe/London:20261120T193000
      RRULE:FREQ=DAILY;COUNT=3
      SUMMARY:Series
      END:VEVENT
      BEGIN:VEVENT
      UID:series
      RECURRENCE-ID;TZID=Europe/London:20261121T193000
      DTSTART;TZID=Europe/London:20261121T210000
      SUMMARY:Later
      END:VEVENT
      """)
    let feed = try CalendarReader(zones: zones, venueZone: london).read(bytes)
    let window = Timestamp("2026-11-01T00:00:00Z")!.instant..<Timestamp("2026-12-01T00:00:00Z")!.instant
    let all = feed.occurrences(in: window, zone: london).occurrences
    #expect(
      all.map { "\($0.event.summary) \(Timestamp($0.startsAt))" } == [
        "Series 2026-11-20T19:30:00Z", "Later 2026-11-21T21:00:00Z", "Series 2026-11-22T19:30:00Z",
      ])
  }

  @Test("days recur as days and keep their length")
  func days() throws {
    let feed = try feed("DTSTART;VALUE=DATE:20261120\nDTEND;VALUE=DATE:20261122\nRRULE:FREQ=WEEKLY;COUNT=2")
    let window = Timestamp("2026-11-01T00:00:00Z")!.instant..<Timestamp("2026-12-01T00:00:00Z")!.instant
    let all = feed.occurrences(in: window, zone: london).occurrences
    #expect(all.map(\.start) == [.day(CivilDate("2026-11-20")!), .day(CivilDate("2026-11-27")!)])
    #expect(all.map(\.end) == [.day(CivilDate("2026-11-22")!), .day(CivilDate("2026-11-29")!)])
  }

  @Test(
    "what is beyond us is said, and the first occurrence stays",
    arguments: [
      "FREQ=HOURLY", "FREQ=MONTHLY;BYDAY=MO,TU;BYSETPOS=-1", "FREQ=YEARLY;BYWEEKNO=20", "FREQ=YEARLY;BYYEARDAY=100",
      "FREQ=DAILY;BYHOUR=9,10", "FREQ=DAILY;COUNT=100001", "FREQ=DAILY;COUNT=0", "FREQ=DAILY;INTERVAL=0", "INTERVAL=2",
      "FREQ=WEEKLY;BYDAY=XX", "FREQ=WEEKLY;BYDAY=2MO", "FREQ=YEARLY;BYDAY=2MO", "FREQ=MONTHLY;BYMONTHDAY=32", "garbage",
      "",
      "FREQ=DAILY;UNTIL=tomorrow", "FREQ=MONTHLY;BYDAY=0MO", "FREQ=DAILY;RSCALE=HEBREW",
    ])
  func unsupported(rule: String) throws {
    let lines = "DTSTART:20261120T193000\nRRULE:\(rule)"
    #expect(try feed(lines).problems.map(\.kind) == [.recurrenceUnsupported])
    #expect(try starts(lines) == ["2026-11-20 19:30"])
  }

  @Test("a series without end is followed only so far, and that is said")
  func endless() throws {
    let feed = try feed("DTSTART:00010101T120000\nRRULE:FREQ=DAILY")
    let window = Timestamp("2026-11-01T00:00:00Z")!.instant..<Timestamp("2026-12-01T00:00:00Z")!.instant
    #expect(!feed.occurrences(in: window, zone: .utc).isComplete)
    let short = try self.feed("DTSTART:20261101T120000\nRRULE:FREQ=DAILY").occurrences(in: window, zone: .utc)
    #expect(short.isComplete)
    #expect(short.occurrences.count == 30)
  }
}
