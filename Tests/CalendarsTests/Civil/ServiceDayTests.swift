import Calendars
import Clocks
import Testing

@Suite("Service day")
struct ServiceDayTests {
  let seoul: TimeZoneRules
  let london: TimeZoneRules

  init() throws {
    let zones = ZoneDirectory()
    seoul = try zones.rules(for: ZoneName("Asia/Seoul")!)
    london = try zones.rules(for: ZoneName("Europe/London")!)
  }

  @Test("24:30 of a date is the next day's half past midnight, and comes back as 24:30")
  func roundTrip() throws {
    let show = ServiceTime(CivilDate("2026-11-23")!, DisplayTime("24:30")!)
    let instant = seoul.instant(of: show)
    #expect(seoul.local(at: instant).description == "2026-11-24T00:30:00")
    #expect(ServiceDay.standard.time(of: instant, in: seoul) == show)
    #expect(show.description == "2026-11-23 24:30")
  }

  @Test("the day ends at 05:00 unless told otherwise")
  func end() throws {
    let date = CivilDate("2026-11-24")!
    let before = seoul.instant(of: CivilDateTime("2026-11-24T04:59:00")!)
    let after = seoul.instant(of: CivilDateTime("2026-11-24T05:00:00")!)
    #expect(ServiceDay.standard.time(of: before, in: seoul) == ServiceTime(date - 1, DisplayTime("28:59")!))
    #expect(ServiceDay.standard.time(of: after, in: seoul) == ServiceTime(date, DisplayTime("05:00")!))
    #expect(ServiceDay.calendar.date(of: before, in: seoul) == date)
    let long = try #require(ServiceDay("06:00"))
    #expect(long.time(of: after, in: seoul) == ServiceTime(date - 1, DisplayTime("29:00")!))
    #expect(ServiceDay("06:01") == nil)
  }

  @Test("a bare 00:30 belongs to the date it stands under; 05:00 and 24:30 say so themselves")
  func placing() {
    #expect(ServiceDay.standard.placing(DisplayTime("00:30")!)?.description == "24:30")
    #expect(ServiceDay.standard.placing(DisplayTime("04:59")!)?.description == "28:59")
    #expect(ServiceDay.standard.placing(DisplayTime("05:00")!) == nil)
    #expect(ServiceDay.standard.placing(DisplayTime("24:30")!) == nil)
    #expect(ServiceDay.calendar.placing(DisplayTime("00:30")!) == nil)
  }

  @Test("a date's instants run from 05:00 to 05:00, an hour less or more when the clocks move")
  func instants() {
    func hours(_ date: String) -> Int64 {
      let range = ServiceDay.standard.instants(of: CivilDate(date)!, in: london)
      return (range.upperBound.milliseconds - range.lowerBound.milliseconds) / 3_600_000
    }
    #expect(hours("2026-03-27") == 24)
    #expect(hours("2026-03-28") == 23)
    #expect(hours("2026-10-24") == 25)
    let day = ServiceDay.standard.instants(of: CivilDate("2026-11-23")!, in: seoul)
    #expect(day.contains(seoul.instant(of: ServiceTime(CivilDate("2026-11-23")!, DisplayTime("24:30")!))))
  }

  @Test("every half hour of a year keeps its programme time, except the hour that is shown twice")
  func everyHalfHour() {
    let start = london.instant(of: CivilDateTime("2026-01-01T00:00:00")!).milliseconds
    var different: [String] = []
    for step in Int64(0)..<365 * 48 {
      let instant = WallTime(milliseconds: start + step * 1_800_000)
      let time = ServiceDay.standard.time(of: instant, in: london)
      if london.instant(of: time) != instant { different.append(time.description) }
    }
    #expect(different == ["2026-10-24 25:00", "2026-10-24 25:30"])
  }

  @Test("the first and the last instants there are do not trap")
  func extremes() {
    for milliseconds in [Int64.min, .min + 1, -1, 0, .max] {
      let time = ServiceDay.standard.time(of: WallTime(milliseconds: milliseconds), in: seoul)
      _ = seoul.instant(of: time)
      _ = ServiceDay.standard.instants(of: time.date, in: seoul)
    }
    _ = seoul.instant(of: ServiceTime(.last, DisplayTime("29:59")!))
  }
}
