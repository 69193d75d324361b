import Calendars
import Clocks
import Testing

@Suite("Time zone")
struct TimeZoneRulesTests {
  let zones = ZoneDirectory()

  func zone(_ name: String) throws -> TimeZoneRules { try zones.rules(for: ZoneName(name)!) }

  func local(_ text: String) -> CivilDateTime { CivilDateTime(text)! }

  func utc(_ text: String) -> WallTime { TimeZoneRules.utc.instant(of: local(text)) }

  @Test("sixteen zones agree with another reader of the database at their changes, 1895 to 2099")
  func grid() throws {
    var zone = TimeZoneRules.utc
    var checked = 0
    for word in ZoneGrid.text.split(whereSeparator: \.isWhitespace) {
      guard let colon = word.firstIndex(of: ":") else {
        zone = try self.zone(String(word))
        continue
      }
      let second = try #require(Int64(word[..<colon]))
      let offset = try #require(Int(word[word.index(after: colon)...]))
      let instant = WallTime(milliseconds: second * 1_000)
      #expect(zone.offset(at: instant).seconds == offset, "\(zone.name) at \(second)")
      // What the clock showed leads back, unless it showed it twice.
      switch zone.resolve(zone.local(at: instant)) {
      case .exact(let back): #expect(back == instant, "\(zone.name) at \(second)")
      case .overlap(let earlier, let later): #expect(instant == earlier || instant == later)
      case .gap: Issue.record("\(zone.name) at \(second) was shown, so it is in no gap")
      }
      checked += 1
    }
    #expect(checked > 500)
  }

  @Test(
    "a gap and an overlap of each zone",
    arguments: [
      // zone, a time in the gap, its earlier and later reading, a time in the overlap, its first and second
      ("Europe/London", "2026-03-29T01:30:00", "00:30", "01:30", "2026-10-25T01:30:00", "00:30", "01:30"),
      ("Europe/Amsterdam", "2026-03-29T02:30:00", "00:30", "01:30", "2026-10-25T02:30:00", "00:30", "01:30"),
      ("America/New_York", "2026-03-08T02:30:00", "06:30", "07:30", "2026-11-01T01:30:00", "05:30", "06:30"),
      ("America/St_Johns", "2026-03-08T02:30:00", "05:00", "06:00", "2026-11-01T01:30:00", "04:00", "05:00"),
      // Half an hour: 02:00 to 02:30.
      ("Australia/Lord_Howe", "2026-10-04T02:15:00", "15:15", "15:45", "2026-04-05T01:45:00", "14:45", "15:15"),
      ("Pacific/Chatham", "2026-09-27T03:00:00", "13:15", "14:15", "2026-04-05T03:00:00", "13:15", "14:15"),
      // At midnight: the day begins at 01:00.
      ("America/Sao_Paulo", "2018-11-04T00:30:00", "02:30", "03:30", "2018-02-17T23:30:00", "01:30", "02:30"),
      ("Asia/Seoul", "1988-05-08T02:30:00", "16:30", "17:30", "1988-10-09T02:30:00", "16:30", "17:30"),
      // Morocco turns back before Ramadan and forward after it.
      ("Africa/Casablanca", "2025-04-06T02:30:00", "01:30", "02:30", "2025-02-23T02:30:00", "01:30", "02:30"),
      ("Asia/Jerusalem", "2026-03-27T02:30:00", "23:30", "00:30", "2026-10-25T01:30:00", "22:30", "23:30"),
      // Beyond the table, by the rule.
      ("Europe/London", "2099-03-29T01:30:00", "00:30", "01:30", "2099-10-25T01:30:00", "00:30", "01:30"),
      ("America/New_York", "2099-03-08T02:30:00", "06:30", "07:30", "2099-11-01T01:30:00", "05:30", "06:30"),
    ])
  func gapsAndOverlaps(
    name: String, inGap: String, gapEarlier: String, gapLater: String, inOverlap: String, first: String, second: String
  ) throws {
    let zone = try zone(name)
    func clock(_ instant: WallTime) -> String { TimeZoneRules.utc.local(at: instant).time.description }

    guard case .gap(let earlier, let later) = zone.resolve(local(inGap)) else {
      Issue.record("\(inGap) does not exist in \(name)")
      return
    }
    #expect(clock(earlier) == gapEarlier)
    #expect(clock(later) == gapLater)
    #expect(zone.instant(of: local(inGap)) == later, "RFC 5545: the offset before the gap")
    #expect(zone.instant(of: local(inGap), policy: .init(gap: .earlier, overlap: .reject)) == earlier)
    #expect(zone.instant(of: local(inGap), policy: .strict) == nil)

    guard case .overlap(let one, let two) = zone.resolve(local(inOverlap)) else {
      Issue.record("\(inOverlap) is twice in \(name)")
      return
    }
    #expect(clock(one) == first)
    #expect(clock(two) == second)
    #expect(zone.instant(of: local(inOverlap)) == one, "RFC 5545: the first of the two")
    #expect(zone.instant(of: local(inOverlap), policy: .init(gap: .reject, overlap: .later)) == two)
    #expect(zone.instant(of: local(inOverlap), policy: .strict) == nil)
    #expect(zone.local(at: one) == zone.local(at: two))
  }

  @Test("Samoa had no 30 December 2011: the whole day is a gap")
  func skippedDay() throws {
    let apia = try zone("Pacific/Apia")
    #expect(apia.local(at: utc("2011-12-30T09:59:59")).description == "2011-12-29T23:59:59")
    #expect(apia.local(at: utc("2011-12-30T10:00:00")).description == "2011-12-31T00:00:00")
    for time in ["2011-12-30T00:00:00", "2011-12-30T12:00:00", "2011-12-30T23:59:59"] {
      guard case .gap(let earlier, let later) = apia.resolve(local(time)) else {
        Issue.record("\(time) did not exist")
        continue
      }
      #expect(later.milliseconds - earlier.milliseconds == 86_400_000)
    }
    #expect(apia.resolve(local("2011-12-31T00:00:00")).isExact)
    #expect(apia.resolve(local("2011-12-29T23:59:59")).isExact)
  }

  @Test("the edges of a gap and of an overlap")
  func edges() throws {
    let london = try zone("Europe/London")
    #expect(london.resolve(local("2026-03-29T00:59:59")).isExact)
    #expect(!london.resolve(local("2026-03-29T01:00:00")).isExact)
    #expect(!london.resolve(local("2026-03-29T01:59:59")).isExact)
    #expect(london.resolve(local("2026-03-29T02:00:00")).isExact)
    #expect(london.resolve(local("2026-10-25T00:59:59")).isExact)
    #expect(!london.resolve(local("2026-10-25T01:00:00")).isExact)
    #expect(!london.resolve(local("2026-10-25T01:59:59")).isExact)
    #expect(london.resolve(local("2026-10-25T02:00:00")).isExact)
  }

  @Test("an hourly programme over both changes has no hour twice and none missing")
  func hourlyProgramme() throws {
    for name in ["Europe/London", "America/New_York", "Australia/Lord_Howe", "Asia/Seoul", "Pacific/Chatham"] {
      let zone = try zone(name)
      let start = utc("2026-01-01T00:00:00").milliseconds
      let instants = (Int64(0)..<365 * 24).map { WallTime(milliseconds: start + $0 * 3_600_000) }
      for instant in instants {
        let meaning = zone.resolve(zone.local(at: instant))
        let answers: [WallTime] =
          switch meaning {
          case .exact(let one): [one]
          case .overlap(let one, let two): [one, two]
          case .gap: []
          }
        #expect(answers.contains(instant), "\(name) \(zone.local(at: instant))")
      }
    }
  }

  @Test("the next change of the clocks, in the table and beyond it")
  func nextChange() throws {
    let london = try zone("Europe/London")
    #expect(london.nextChange(after: utc("2026-11-23T00:00:00")) == utc("2027-03-28T01:00:00"))
    #expect(london.nextChange(after: utc("2061-05-01T00:00:00")) == utc("2061-10-30T01:00:00"))
    #expect(try zone("Asia/Tokyo").nextChange(after: utc("2026-11-23T00:00:00")) == nil)
    #expect(london.abbreviation(at: utc("2026-07-01T00:00:00")) == "BST")
    #expect(london.isDaylight(at: utc("2026-07-01T00:00:00")))
    #expect(!london.isDaylight(at: utc("2026-12-01T00:00:00")))
  }

  @Test("before the first change a place keeps its local mean time")
  func localMeanTime() throws {
    #expect(try zone("Europe/Amsterdam").offset(at: utc("1800-01-01T00:00:00")).seconds > 0)
    #expect(try zone("Asia/Seoul").offset(at: utc("1900-01-01T00:00:00")).description == "+08:27:52")
    #expect(try zone("Europe/Dublin").isDaylight(at: utc("2026-01-01T00:00:00")), "Irish winter is the exception")
  }

  @Test("instants beyond all years are shown as the last moment of the range")
  func extremes() throws {
    let london = try zone("Europe/London")
    #expect(london.local(at: WallTime(milliseconds: .max)) == .last)
    #expect(london.local(at: WallTime(milliseconds: .min)) == .first)
    _ = london.nextChange(after: WallTime(milliseconds: .max))
    _ = london.nextChange(after: WallTime(milliseconds: .min))
    _ = london.instant(of: .first)
    _ = london.instant(of: .last)
  }
}

@Suite("Offset from UTC")
struct UTCOffsetTests {
  @Test(
    "the written forms are read",
    arguments: [
      ("Z", 0), ("z", 0), ("+09:00", 32_400), ("+0900", 32_400), ("+09", 32_400), ("-03:30", -12_600),
      ("-00:00", 0), ("+08:27:52", 30_472), ("-000115", -75),
    ])
  func reading(text: String, seconds: Int) { #expect(UTCOffset(text)?.seconds == seconds) }

  @Test(
    "others are not", arguments: ["", "09:00", "+9", "+09:", "+09:60", "+26:00", "+09:00:", "+09:0", "Z0", "+-900"])
  func refusals(text: String) { #expect(UTCOffset(text) == nil) }

  @Test("a fixed zone keeps one offset for ever")
  func fixed() {
    let zone = TimeZoneRules.fixed(UTCOffset("+09:00")!)
    #expect(zone.name == "+09:00")
    #expect(zone.local(at: WallTime(milliseconds: 0)).description == "1970-01-01T09:00:00")
    #expect(zone.instant(of: CivilDateTime("1970-01-01T09:00:00")!) == WallTime(milliseconds: 0))
    #expect(TimeZoneRules.utc.name == "UTC")
  }
}
