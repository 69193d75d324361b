import Calendars
import Clocks
import Testing

@Suite("Timestamp")
struct TimestampTests {
  @Test(
    "RFC 3339 is read as the instant and the offset it says",
    arguments: [
      ("1970-01-01T00:00:00Z", 0, 0), ("2026-11-24T00:30:00+09:00", 1_795_447_800_000, 32_400),
      ("2026-11-23t15:30:00z", 1_795_447_800_000, 0), ("2026-11-23T15:30:00.25Z", 1_795_447_800_250, 0),
      ("2026-11-23T15:30:00.123456789-00:00", 1_795_447_800_123, 0), ("1969-12-31T23:59:59.999Z", -1, 0),
      ("2026-11-23T12:00:00-03:30", 1_795_447_800_000, -12_600),
      // Leap seconds: 31 December 2016, and the same one as Tokyo's clocks showed it.
      ("2016-12-31T23:59:60Z", 1_483_228_800_000, 0), ("2017-01-01T08:59:60+09:00", 1_483_228_800_000, 32_400),
    ])
  func reading(text: String, milliseconds: Int64, offset: Int) throws {
    let stamp = try #require(Timestamp(text))
    #expect(stamp.instant.milliseconds == milliseconds)
    #expect(stamp.offset.seconds == offset)
  }

  @Test(
    "what is not RFC 3339 is not read",
    arguments: [
      "", "2026-11-24", "2026-11-24T00:30:00", "2026-11-24T00:30+09:00", "2026-11-24 00:30:00Z",
      "2026-11-24T00:30:00+0900",
      "2026-11-24T00:30:00+24:00", "2026-11-24T00:30:00.Z", "2026-11-24T00:30:00,5Z", "2026-11-24T24:00:00Z",
      "2026-11-24T00:60:00Z", "2026-11-24T00:30:61Z", "2026-02-30T00:30:00Z", "2026-11-24T00:30:60Z",
      "2026-11-23T23:59:60Z", "0000-01-01T00:00:00Z", "0001-01-01T00:00:00+00:01", "9999-12-31T23:59:59-00:01",
      "2026-11-24T00:30:00Z ", "26-11-24T00:30:00Z", "2026-11-24T00:30:00.1234567890123456789Z",
      "2026-11-24T00:30:00+09:0",
    ])
  func refusals(text: String) { #expect(Timestamp(text) == nil) }

  @Test("it is written with its offset, Z for none, milliseconds where there are some")
  func writing() {
    let instant = WallTime(milliseconds: 1_795_447_800_000)
    #expect(Timestamp(instant).description == "2026-11-23T15:30:00Z")
    #expect(Timestamp(instant, offset: UTCOffset("+09:00")!).description == "2026-11-24T00:30:00+09:00")
    #expect(Timestamp(WallTime(milliseconds: -1)).description == "1969-12-31T23:59:59.999Z")
    #expect(Timestamp(WallTime(milliseconds: .max)).description == "9999-12-31T23:59:59.999Z")
    #expect(Timestamp(WallTime(milliseconds: .min)).description == "0001-01-01T00:00:00Z")
    #expect(Timestamp(instant, offset: UTCOffset("+08:27:52")!).description == "2026-11-23T23:57:00+08:27")
  }

  @Test("every timestamp that is written is read again")
  func roundTrip() {
    var generator = SeededRandom(seed: 7)
    for _ in 0..<20_000 {
      let milliseconds = Int64.random(in: -62_135_596_800_000...253_402_300_799_999, using: &generator)
      let offset = UTCOffset(seconds: Int.random(in: -93_599...93_599, using: &generator))!
      let stamp = Timestamp(WallTime(milliseconds: milliseconds), offset: offset)
      #expect(Timestamp(stamp.description) == stamp, "\(stamp)")
    }
  }

  @Test("a UTC feed is shown in the venue's zone on both sides of a change of the clocks")
  func venueZone() throws {
    let london = try ZoneDirectory().rules(for: ZoneName("Europe/London")!)
    let shows = ["2025-03-29T19:15:00Z", "2025-03-30T18:15:00Z", "2025-10-26T00:30:00Z", "2025-10-26T01:30:00Z"]
    #expect(
      shows.map { london.timestamp(at: Timestamp($0)!.instant).description } == [
        "2025-03-29T19:15:00Z", "2025-03-30T19:15:00+01:00", "2025-10-26T01:30:00+01:00", "2025-10-26T01:30:00Z",
      ])
  }
}

@Suite("ISO 8601 time")
struct ISO8601TimeTests {
  @Test(
    "the profile of structured data is read",
    arguments: [
      ("2026-11-23", "date 2026-11-23"), ("20261123", "date 2026-11-23"),
      ("2025-01-23T10:45:00", "local 2025-01-23T10:45:00"), ("2025-01-23 10:45", "local 2025-01-23T10:45:00"),
      ("20250123T1045", "local 2025-01-23T10:45:00"), ("20250123T104559", "local 2025-01-23T10:45:59"),
      ("2025-12-31T24:00", "local 2026-01-01T00:00:00"),
      ("2017-06-10T19:30:00-0400", "instant 2017-06-10T19:30:00-04:00"),
      ("2025-01-23T10:45+00:00", "instant 2025-01-23T10:45:00Z"),
      ("2025-01-23T10:45+01", "instant 2025-01-23T10:45:00+01:00"),
      ("2025-01-23 10:45:00 +0100", "instant 2025-01-23T10:45:00+01:00"),
      ("2025-01-23T10:45:00,5Z", "instant 2025-01-23T10:45:00.500Z"),
      ("20250123T104500Z", "instant 2025-01-23T10:45:00Z"),
    ])
  func reading(text: String, meaning: String) {
    let shown: String? = ISO8601Time(text).map {
      switch $0 {
      case .date(let date): "date \(date)"
      case .local(let local): "local \(local)"
      case .instant(let stamp): "instant \(stamp)"
      }
    }
    #expect(shown == meaning)
  }

  @Test(
    "other texts are not",
    arguments: [
      "", "2026", "2026-11", "2026-1123", "202611-23", "2026-W48-1", "2026-327", "2026-11-23T", "2026-11-23T19",
      "2026-11-23T19:3", "2026-11-23T25:00", "2026-11-23T24:01", "2026-11-23T19:30:60", "2026-11-23T19:30+26:00",
      "2026-11-23T19:30  Z", "2026-11-23  19:30", "9999-12-31T24:00", "2026-11-23T19:30Zulu",
    ])
  func refusals(text: String) { #expect(ISO8601Time(text) == nil) }

  @Test("a local time becomes an instant in the venue's zone")
  func inZone() throws {
    let london = try ZoneDirectory().rules(for: ZoneName("Europe/London")!)
    #expect(ISO8601Time("2025-07-23T10:45:00")?.instant(in: london) == Timestamp("2025-07-23T09:45:00Z")?.instant)
    #expect(ISO8601Time("2025-07-23T10:45:00Z")?.instant(in: london) == Timestamp("2025-07-23T10:45:00Z")?.instant)
    #expect(ISO8601Time("2025-07-23")?.instant(in: london) == nil)
  }
}

@Suite("HTTP date")
struct HTTPDateTests {
  let now = Timestamp("2026-11-23T00:00:00Z")!.instant

  @Test(
    "all three forms are the same instant",
    arguments: ["Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994"])
  func forms(text: String) {
    let instant = WallTime(httpDate: text, now: now)
    #expect(instant?.milliseconds == 784_111_777_000)
    #expect(instant?.httpDate == "Sun, 06 Nov 1994 08:49:37 GMT")
  }

  @Test("two digits of a year are never more than fifty years ahead")
  func shortYears() {
    #expect(WallTime(httpDate: "Monday, 06-Jan-76 00:00:00 GMT", now: now)?.httpDate == "Mon, 06 Jan 2076 00:00:00 GMT")
    #expect(
      WallTime(httpDate: "Thursday, 06-Jan-77 00:00:00 GMT", now: now)?.httpDate == "Thu, 06 Jan 1977 00:00:00 GMT")
  }

  @Test(
    "other texts are not read, nor are dates that contradict themselves",
    arguments: [
      "", "Sun", "Sun, 06 Nov 1994 08:49:37", "Sun, 06 Nov 1994 08:49:37 UTC", "Mon, 06 Nov 1994 08:49:37 GMT",
      "Sun, 6 Nov 1994 08:49:37 GMT", "sun, 06 nov 1994 08:49:37 gmt", "Sun, 06 Nov 1994 24:00:00 GMT",
      "Sun, 31 Feb 1994 08:49:37 GMT", "Sun, 06 Nov 1994 08:49:37 GMT ", "Sunday, 06 Nov 1994 08:49:37 GMT",
      "Sun, 06-Nov-94 08:49:37 GMT", "Sun Nov 06 08:49:37 94", "Sunday Nov  6 08:49:37 1994", "784111777", "0", "-1",
      "Sun, 06 Nov 1994 08:49:37 +0000", "Su, 06 Nov 1994 08:49:37 GMT",
    ])
  func refusals(text: String) { #expect(WallTime(httpDate: text, now: now) == nil) }

  @Test("every date that is written is read again")
  func roundTrip() {
    var generator = SeededRandom(seed: 11)
    for _ in 0..<5_000 {
      let instant = WallTime(
        milliseconds: Int64.random(in: -62_135_596_800...253_402_300_799, using: &generator) * 1_000)
      let text = instant.httpDate
      #expect(text.utf8.count == 29)
      #expect(WallTime(httpDate: text, now: now) == instant, "\(text)")
    }
  }
}
