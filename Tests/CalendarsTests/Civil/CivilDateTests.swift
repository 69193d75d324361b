import Calendars
import Foundation
import Testing

@Suite("Civil date")
struct CivilDateTests {
  @Test("a day that exists is built, one that does not is refused")
  func existence() {
    #expect(CivilDate(year: 2024, month: 2, day: 29) != nil)
    #expect(CivilDate(year: 2000, month: 2, day: 29) != nil)
    for (year, month, day) in [
      (2026, 2, 29), (1900, 2, 29), (2026, 13, 1), (2026, 0, 1), (2026, 4, 31), (2026, 1, 0), (0, 1, 1), (10_000, 1, 1),
    ] {
      #expect(CivilDate(year: year, month: month, day: day) == nil, "\(year)-\(month)-\(day)")
    }
  }

  @Test("every day of four centuries follows the one before, in parts, text and weekday")
  func everyDay() throws {
    var date = try #require(CivilDate(year: 1799, month: 12, day: 31))
    var (year, month, day) = date.parts
    var weekday = Weekday.tuesday
    for _ in 0..<146_200 {
      date = date + 1
      day += 1
      if day > CivilDate.days(inMonth: month, of: year) { (month, day) = (month + 1, 1) }
      if month > 12 { (year, month) = (year + 1, 1) }
      weekday = weekday.adding(days: 1)
      guard date.parts == (year, month, day), date.weekday == weekday,
        CivilDate(year: year, month: month, day: day) == date
      else {
        Issue.record("\(date) should be \(year)-\(month)-\(day), \(weekday)")
        return
      }
    }
  }

  @Test("known days have known numbers and weekdays")
  func anchors() throws {
    #expect(CivilDate(year: 1970, month: 1, day: 1)?.daysSince1970 == 0)
    #expect(CivilDate("2026-11-23")?.weekday == .monday)
    #expect(CivilDate("2025-11-23")?.weekday == .sunday)
    #expect(CivilDate("2000-01-01")?.daysSince1970 == 10_957)
    #expect(CivilDate.first.description == "0001-01-01")
    #expect(CivilDate.last.description == "9999-12-31")
  }

  @Test("arithmetic stops at the ends of the range instead of trapping")
  func saturation() throws {
    #expect(CivilDate.last + 1 == .last)
    #expect(CivilDate.first - 1 == .first)
    #expect(CivilDate.first + .max == .last)
    #expect(CivilDate.last + .min == .first)
    #expect(CivilDate.first - .min == .last)
    let date = try #require(CivilDate("2026-12-30"))
    #expect((date + 4).description == "2027-01-03")
    #expect((date + 4) - date == 4)
    #expect((date...date + 3).map(\.description) == ["2026-12-30", "2026-12-31", "2027-01-01", "2027-01-02"])
  }

  @Test(
    "only the written form is read",
    arguments: [
      "", "2026-11-2", "2026-11-233", "2026/11/23", "20261123", "2026-11-23 ", " 2026-11-23", "2026-1１-23",
      "-026-11-23", "2026-02-30", "２０２６-11-23", "0000-01-01",
    ])
  func refusals(text: String) { #expect(CivilDate(text) == nil) }

  @Test("it is encoded as it is written, and decoding checks")
  func coding() throws {
    let date = try #require(CivilDate("2026-11-23"))
    #expect(String(decoding: try JSONEncoder().encode([date]), as: UTF8.self) == #"["2026-11-23"]"#)
    #expect(try JSONDecoder().decode([CivilDate].self, from: Data(#"["2026-11-23"]"#.utf8)) == [date])
    #expect(throws: DecodingError.self) {
      try JSONDecoder().decode([CivilDate].self, from: Data(#"["2026-11-31"]"#.utf8))
    }
    let table = [date: 3]
    let text = String(decoding: try JSONEncoder().encode(table), as: UTF8.self)
    #expect(text == #"{"2026-11-23":3}"#)
    #expect(try JSONDecoder().decode([CivilDate: Int].self, from: Data(text.utf8)) == table)
  }
}

@Suite("Times of day")
struct TimeOfDayTests {
  @Test("a clock goes to 23:59:59, a display to 29:59")
  func ranges() {
    #expect(ClockTime(hour: 23, minute: 59, second: 59) != nil)
    #expect(ClockTime(hour: 24, minute: 0) == nil)
    #expect(ClockTime(hour: 0, minute: 60) == nil)
    #expect(DisplayTime(hour: 29, minute: 59) != nil)
    #expect(DisplayTime(hour: 30, minute: 0) == nil)
    #expect(DisplayTime(minutes: -1) == nil)
    #expect(DisplayTime(minutes: 1_800) == nil)
    #expect(DisplayTime(hour: .max, minute: .max) == nil)
  }

  @Test("24:30 is half past midnight, and is still written 24:30")
  func late() throws {
    let late = try #require(DisplayTime("24:30"))
    #expect(late.isAfterMidnight)
    #expect(late.clock.description == "00:30")
    #expect(late.description == "24:30")
    #expect(DisplayTime("00:30")?.nextDay == late)
    #expect(DisplayTime("06:00")?.nextDay == nil)
    let evening = try #require(DisplayTime("23:50"))
    #expect(evening < late)
  }

  @Test("only the written forms are read", arguments: ["9:30", "19:3", "30:00", "19:60", "1930", "24:30 ", "-1:00"])
  func refusals(text: String) {
    #expect(DisplayTime(text) == nil)
    #expect(ClockTime(text) == nil)
  }

  @Test("seconds are written when there are some")
  func seconds() {
    #expect(ClockTime("19:30:05")?.description == "19:30:05")
    #expect(ClockTime("19:30:00")?.description == "19:30")
    #expect(CivilDateTime("2026-11-24T00:30:00")?.description == "2026-11-24T00:30:00")
    #expect(CivilDateTime("2026-11-24 00:30:00") == nil)
  }
}
