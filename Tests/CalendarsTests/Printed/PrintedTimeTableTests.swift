import Calendars
import Clocks
import Testing

/// A short form of what a text was read as, for tables of tests.
func summary(_ listing: PrintedListing) -> String {
  var parts: [String] = []
  for group in listing.groups {
    var words: [String] = []
    for days in group.days {
      if let day = days.day {
        words.append(day.description)
      } else {
        words.append("\(days.first?.description ?? "")…\(days.last?.description ?? "")")
      }
    }
    for days in group.exceptions { words.append("not \(days.day?.description ?? "\(days.first!)…\(days.last!)")") }
    if group.exceptedWeekdays != [] { words.append("not \(group.exceptedWeekdays.weekdays)") }
    if group.isClosed { words.append("closed") }
    if group.hasUnreadDate { words.append("unread") }
    for time in group.times {
      var word = time.start.description
      if let minutes = time.minutesLong { word += "-\(time.end?.description ?? "+\(minutes)")" }
      if time.isOpenEnded { word += "~" }
      if let doors = time.doors { word += " doors \(doors)" }
      if let order = time.lastOrder { word += " LO \(order)" }
      words.append(word)
    }
    parts.append(words.joined(separator: " "))
  }
  if listing.isEndUndecided { parts.append("end undecided") }
  if listing.isLastChance { parts.append("last chance") }
  for alarm in listing.alarms { parts.append("!\(alarm.kind)") }
  return parts.joined(separator: " | ")
}

func notes(_ listing: PrintedListing) -> Set<PrintedNote> {
  listing.groups.reduce(into: []) { all, group in
    for days in group.days { all.formUnion(days.notes) }
    for time in group.times { all.formUnion(time.notes) }
  }
}

/// Seoul, Friday 20 November 2026, 09:12.
let capture = Timestamp("2026-11-20T09:12:00+09:00")!.instant

/// What reads there and then.
func inSeoul() throws -> (TimeZoneRules, PrintedReader) {
  let zone = try ZoneDirectory().rules(for: ZoneName("Asia/Seoul")!)
  return (zone, PrintedReader(capturedAt: capture, zone: zone))
}

/// The rows of the specification's table, in its order.
@Suite("Printed time: the table")
struct PrintedTimeTableTests {
  let seoul: TimeZoneRules
  let reader: PrintedReader

  init() throws { (seoul, reader) = try inSeoul() }

  @Test(
    "24:30, 25:10 and 26:00 are after midnight of their date and stay as printed",
    arguments: ["24:30", "25:10", "26:00"])
  func lateHours(text: String) throws {
    let (showings, alarms) = reader.showings(on: CivilDate("2026-11-23")!, printed: text)
    let show = try #require(showings.first)
    #expect(alarms.isEmpty)
    #expect(show.time.time.description == text)
    #expect(show.confidence == .stated)
    let clock = ["24:30": "00:30", "25:10": "01:10", "26:00": "02:00"][text]!
    #expect(seoul.local(at: show.startsAt) == CivilDateTime(CivilDate("2026-11-24")!, ClockTime(clock)!))
  }

  @Test(
    "深夜, 翌, 심야 and 다음날 say the next day",
    arguments: [
      ("深夜0:30", "24:30"), ("翌0:30", "24:30"), ("심야 00:40", "24:40"), ("다음날 00:40", "24:40"), ("翌日1:15", "25:15"),
      ("익일 00:10", "24:10"), ("00:40(심야)", "24:40"), ("0:30(翌)", "24:30"), ("00:30 (+1)", "24:30"),
      ("深夜24:30", "24:30"),
      ("深夜25時", "25:00"), ("심야 23:50", "23:50"), ("밤 12시 30분", "24:30"), ("翌午前0時30分", "24:30"),
      ("00:30 (next day)", "24:30"),
    ])
  func nextDay(text: String, shown: String) {
    let listing = reader.times(text)
    #expect(summary(listing) == shown)
    #expect(listing.times.first?.confidence == .stated)
  }

  @Test("a bare 00:30 after 22:10 is after midnight, and that is noted as inferred")
  func backInTime() {
    let listing = reader.times("19:30 22:10 00:30")
    #expect(summary(listing) == "19:30 22:10 24:30")
    #expect(listing.times.map(\.confidence) == [.stated, .stated, .inferred])
    #expect(listing.times[2].notes == [.inferredServiceDay])
    // Past the end of the service day only the order can tell.
    let night = reader.times("22:10 / 05:20")
    #expect(summary(night) == "22:10 29:20")
    #expect(night.times[1].notes == [.inferredServiceDay])
  }

  @Test(
    "half past seven in the evening",
    arguments: [
      "오후 7시 30분", "오후 7시30분", "오후7:30", "午後7時半", "午後7時30分", "7:30pm", "7:30 PM", "7.30pm", "7:30 p.m.", "PM 7:30",
      "19시30분", "19시 반", "19h30", "19 h 30", "19.30", "1930", "19:30", "19：30", "19.30 Uhr", "19 Uhr 30", "19:30h",
      "19:30:00",
      "730pm", "7:30p", "저녁 7시 30분", "夜7:30", "밤 7시 반", "abends 7.30 Uhr", "7h30 du soir", "7:30 de la tarde",
      "ore 19.30",
      "om 19.30 uur", "'s avonds 7:30", "7.30 di sera", "בשעה 19:30", "7:30 בערב", "à 19h30", "um 19:30", "a las 19:30",
    ])
  func halfPastSeven(text: String) {
    let listing = reader.times(text)
    #expect(summary(listing) == "19:30", "\(text)")
    #expect(listing.times.first?.confidence == .stated, "\(text): \(notes(listing))")
  }

  @Test(
    "오전 12:10 and 午前0時10分 are ten past midnight", arguments: ["오전 12:10", "午前0時10分", "12:10am", "12:10 a.m.", "00:10"])
  func tenPastMidnight(text: String) throws {
    let time = try #require(reader.times(text).times.first)
    #expect(time.start.clock.description == "00:10")
    // Which midnight is not said: that of the evening it is printed under, and noted.
    #expect(time.start.description == "24:10")
    #expect(time.notes == [.inferredServiceDay])
    let plain = PrintedReader(capturedAt: capture, zone: seoul, serviceDay: .calendar)
    #expect(summary(plain.times(text)) == "00:10")
    #expect(notes(plain.times(text)) == [])
  }

  @Test(
    "12:00 without am or pm is noon, and so is 正午",
    arguments: [
      "12:00", "正午", "정오", "12시", "12h", "noon", "12 noon", "midi", "Mittag", "mediodía", "mezzogiorno", "낮 12시",
      "12pm", "오후 12:00",
    ])
  func noon(text: String) {
    #expect(summary(reader.times(text)) == "12:00")
    #expect(notes(reader.times(text)) == [])
  }

  @Test(
    "midnight ends the day it is printed under",
    arguments: ["자정", "midnight", "12 midnight", "minuit", "Mitternacht", "24:00", "24시", "חצות"])
  func midnight(text: String) { #expect(summary(reader.times(text)) == "24:00") }

  @Test(
    "a weekday decides the year near the capture",
    arguments: [
      ("11/23(월)", "2026-11-23"), ("11.23 월", "2026-11-23"), ("11月23日(月)", "2026-11-23"), ("23日(月)", "2026-11-23"),
      ("Mon 23 Nov", "2026-11-23"), ("1/3(일)", "2027-01-03"), ("11월 21일 (토)", "2026-11-21"), ("11/21(土)", "2026-11-21"),
      ("Sat 21 Nov", "2026-11-21"), ("samedi 21 novembre", "2026-11-21"), ("21.11.", "2026-11-21"),
      ("Nov 21st", "2026-11-21"),
    ])
  func weekdays(text: String, date: String) throws {
    let days = try #require(try reader.date(text))
    #expect(days.day?.description == date)
    #expect(days.confidence == .inferred)
    #expect(days.notes == [text.hasPrefix("23日") ? .inferredMonth : .inferredYear])
  }

  @Test(
    "a weekday that is not the date's is an alarm, not a guess",
    arguments: [
      "11/23(일)", "11.23 일", "11月23日(日)", "Sun 23 Nov", "Sunday, November 23", "2026-11-23 (日)", "23日(日)",
      "So., 23.11.",
    ])
  func disagreement(text: String) throws {
    let alarm = #expect(throws: PrintedAlarm.self) { try reader.date(text) }
    #expect(alarm?.kind == .weekdayDisagrees)
    #expect(alarm?.text == text)
    if text != "23日(日)" { #expect(alarm?.candidates == [CivilDate("2026-11-23")!]) }
    // In 2025 the 23rd was a Sunday, and a page of then is read then.
    let lastYear = PrintedReader(capturedAt: Timestamp("2025-11-20T09:12:00+09:00")!.instant, zone: seoul)
    if !text.hasPrefix("2026") { #expect(try lastYear.date(text)?.day == CivilDate("2025-11-23")) }
  }

  @Test("a list over New Year goes on in the next year")
  func newYear() {
    let late = PrintedReader(capturedAt: Timestamp("2026-12-28T09:00:00+09:00")!.instant, zone: seoul)
    #expect(
      summary(late.read("12/30 19:30\n12/31 19:30\n1/1 14:00\n1/3 14:00"))
        == "2026-12-30 19:30 | 2026-12-31 19:30 | 2027-01-01 14:00 | 2027-01-03 14:00")
    #expect(summary(late.read("12/30(水)〜1/3(日)", expecting: .dates)) == "2026-12-30…2027-01-03")
    #expect(summary(late.read("2027年12月30日, 12月31日, 1月3日", expecting: .dates)) == "2027-12-30 2027-12-31 2028-01-03")
    #expect(summary(late.read("12월 30일, 31일, 1월 3일", expecting: .dates)) == "2026-12-30 2026-12-31 2027-01-03")
  }

  @Test("\"7pm for 7.30pm\": from when people come, and when it begins")
  func comingFor() {
    #expect(summary(reader.read("Sat 21 Nov, 7pm for 7.30pm")) == "2026-11-21 19:30 doors 19:00")
    #expect(summary(reader.read("Saturday 21 November 18:45 for 19:15 start")) == "2026-11-21 19:15 doors 18:45")
  }

  @Test("a run of days with times is all of its days, less the exceptions")
  func run() {
    let listing = reader.read("11/21(土)〜11/27(金) 10:00/13:20/24:30 ※11/24休映")
    #expect(summary(listing) == "2026-11-21…2026-11-27 not 2026-11-24 10:00 13:20 24:30")
    let (showings, alarms) = reader.showings(in: listing)
    #expect(alarms == [])
    #expect(showings.count == 18)
    #expect(showings.allSatisfy { $0.time.date != CivilDate("2026-11-24") })
    #expect(showings[2].startsAt == Timestamp("2026-11-22T00:30:00+09:00")!.instant)
  }

  @Test(
    "runs printed in 2025 are read in 2025; a year later their weekdays disagree",
    arguments: [
      ("11/21(金)〜11/27(木)", "2025-11-21…2025-11-27"),
      ("11/21(金)〜11/27(木) 10:00/13:20 ※11/24休映", "2025-11-21…2025-11-27 not 2025-11-24 10:00 13:20"),
      ("12/4(木)まで", "…2025-12-04 | last chance"),
    ])
  func lastYear(text: String, expected: String) {
    let lastYear = PrintedReader(capturedAt: Timestamp("2025-11-20T09:12:00+09:00")!.instant, zone: seoul)
    #expect(summary(lastYear.read(text)) == expected)
    #expect(reader.read(text).alarms.contains { $0.kind == .weekdayDisagrees })
  }

  @Test(
    "a run that ends is a last chance; one whose end is open says so",
    arguments: [
      ("~12/4까지", "…2026-12-04 | last chance"), ("12/4(金)まで", "…2026-12-04 | last chance"),
      ("～12/4(金)", "…2026-12-04 | last chance"), ("until 4 Dec", "…2026-12-04 | last chance"),
      ("jusqu'au 4 décembre", "…2026-12-04 | last chance"), ("bis 4.12.", "…2026-12-04 | last chance"),
      ("上映終了未定", "end undecided"), ("11/21(土)〜 上映終了未定", "2026-11-21… | end undecided"),
    ])
  func lastChance(text: String, expected: String) { #expect(summary(reader.read(text)) == expected) }

  @Test(
    "years of the Japanese eras",
    arguments: [
      ("令和8年11月23日", "2026-11-23"), ("令和８年１１月２３日（月）", "2026-11-23"), ("令和元年5月1日", "2019-05-01"),
      ("平成31年4月30日", "2019-04-30"), ("昭和64年1月7日", "1989-01-07"), ("令和8.11.23", "2026-11-23"),
    ])
  func eras(text: String, date: String) throws {
    #expect(try reader.date(text)?.day?.description == date)
    #expect(try reader.date(text)?.confidence == .stated)
  }

  @Test(
    "a start with its end",
    arguments: [
      ("19:30-21:36", "19:30-21:36"), ("19:30~", "19:30~"), ("19:30(～21:36終)", "19:30-21:36"),
      ("19:30 – 21:36", "19:30-21:36"),
      ("19:30〜21:36", "19:30-21:36"), ("19:30 ~ 21:36", "19:30-21:36"), ("19:30 21:36終", "19:30-21:36"),
      ("von 19:30 bis 21:36 Uhr", "19:30-21:36"), ("de 19h30 à 21h36", "19:30-21:36"),
      ("19:30부터 21:36까지", "19:30-21:36"),
      ("7:30-9:36pm", "19:30-21:36"), ("11-1pm", "11:00-13:00"), ("from 7:30 to 9:36 pm", "19:30-21:36"),
      ("23:00-01:10", "23:00-25:10"), ("22:30〜翌6:00", "22:30-+450"), ("オールナイト 22:30〜5:30", "22:30-29:30"),
      ("19:30 / 21:36", "19:30 21:36"),
    ])
  func ends(text: String, expected: String) { #expect(summary(reader.times(text)) == expected) }

  @Test(
    "full-width and other forms are folded first",
    arguments: [
      ("１９：３０", "19:30"), ("ＡＭ　１０：３０", "10:30"), ("10:30　／　13:20", "10:30 13:20"), ("19：30～21：36", "19:30-21:36"),
      ("19：30〜21：36", "19:30-21:36"), ("19\u{200B}:30", "19:30"), ("19:30ー21:36", "19:30-21:36"),
      // Hangul taken apart, as some file systems do.
      ("\u{110B}\u{1169}\u{1112}\u{116E} 7:30", "19:30"), ("㏘7:30", "19:30"),
    ])
  func folding(text: String, expected: String) { #expect(summary(reader.times(text)) == expected) }

  @Test(
    "doors are not the start",
    arguments: [
      "開場19:00／開演19:30", "19:00開場 19:30開演", "19:00開場19:30開演", "開場 19:00 開演 19:30", "Doors 7pm / Film 7:30pm",
      "Einlass 19:00, Beginn 19:30", "19:30 (開場19:00)", "19:30開演（19:00開場）", "입장 19:00 상영 19:30", "doors 19:00, 19:30",
      "Doors: Open 19:00, Film 19:30", "Door time: 7pm, start time: 7:30pm",
    ])
  func doors(text: String) { #expect(summary(reader.times(text)) == "19:30 doors 19:00") }

  @Test(
    "closing ends an evening where the line says what its times are, and is a film's name elsewhere",
    arguments: [
      ("Film 19:30, Close 21:36", "19:30-21:36"), ("Film 19:30, finishes 21:36", "19:30-21:36"),
      ("Close 19:30", "19:30"), ("Silt 17:00, Close 19:30", "17:00 19:30"),
    ])
  func closing(text: String, expected: String) { #expect(summary(reader.times(text)) == expected) }

  @Test(
    "two times with a dash and one more behind \u{201C}and\u{201D} are three",
    arguments: [
      ("18.30 - 20.30 e 22.30", "18:30 20:30 22:30"), ("18:30 - 20:30 and 22:30", "18:30 20:30 22:30"),
      ("18:30 - 20:30 und 21:00 - 23:00", "18:30-20:30 21:00-23:00"), ("18:30 - 20:30", "18:30-20:30"),
    ])
  func oneMore(text: String, expected: String) { #expect(summary(reader.times(text)) == expected) }

  @Test(
    "what stands beside a time is its attributes and its seats",
    arguments: [
      ("GV 있음", [.guestVisit], nil), ("GV 없음", [], nil), ("舞台挨拶", [.stageGreeting], nil),
      ("자막/더빙", [.subtitled, .dubbed], nil),
      ("字/吹", [.subtitled, .dubbed], nil), ("4K", [.fourK], nil), ("35mm", [.film35mm], nil), ("매진", [], .soldOut),
      ("満席", [], .soldOut), ("残りわずか", [], .few), ("△", [], .few), ("×", [], .soldOut), ("完売", [], .soldOut),
      ("19:30 △ 字幕", [.subtitled], .few), ("매진임박", [], .few), ("【字幕】4Kリマスター", [.subtitled, .fourK], nil),
      ("4K リマスター", [.fourK], nil),
      ("on 35mm + Q&A", [.film35mm, .guestVisit], nil), ("SOLD OUT", [], .soldOut),
      ("OmU, ausverkauft", [.subtitled], .soldOut),
      ("VOSTFR complet", [.subtitled], .soldOut), ("文字のない本", [], nil), ("3×3 Eyes", [], nil), ("◎", [], .available),
      ("", [], nil),
    ] as [(String, Set<PrintedMarks.Attribute>, PrintedMarks.Seats?)])
  func marks(text: String, attributes: Set<PrintedMarks.Attribute>, seats: PrintedMarks.Seats?) {
    let marks = PrintedMarks(text)
    #expect(marks.attributes == attributes)
    #expect(marks.seats == seats)
  }

  @Test("a time the clocks jump over or show twice follows RFC 5545, and that is noted")
  func changesOfTheClocks() throws {
    let london = try ZoneDirectory().rules(for: ZoneName("Europe/London")!)
    let reader = PrintedReader(capturedAt: Timestamp("2026-03-20T12:00:00Z")!.instant, zone: london)
    let gap = reader.showings(on: CivilDate("2026-03-28")!, printed: "25:30").showings
    #expect(gap.first?.startsAt == Timestamp("2026-03-29T01:30:00Z")!.instant)
    #expect(gap.first?.notes == [.skippedLocalTime])
    let overlap = reader.showings(on: CivilDate("2026-10-24")!, printed: "25:30").showings
    #expect(overlap.first?.startsAt == Timestamp("2026-10-25T00:30:00Z")!.instant)
    #expect(overlap.first?.notes == [.repeatedLocalTime])
    #expect(overlap.first?.confidence == .inferred)
  }
}
