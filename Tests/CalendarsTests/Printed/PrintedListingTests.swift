import Calendars
import Clocks
import Testing

@Suite("Printed listing")
struct PrintedListingTests {
  let seoul: TimeZoneRules
  let reader: PrintedReader

  init() throws { (seoul, reader) = try inSeoul() }

  @Test(
    "lines as cinemas write them",
    arguments: [
      ("11월 21일 (토) 오후 7시 30분", "2026-11-21 19:30"), ("11/21(土) 10:00／13:20／24:30", "2026-11-21 10:00 13:20 24:30"),
      ("Sat 21 Nov: 7:30pm, 9:45pm", "2026-11-21 19:30 21:45"), ("Sat 21 Nov 7:30 & 9:45pm", "2026-11-21 19:30 21:45"),
      ("samedi 21 novembre à 19h30", "2026-11-21 19:30"), ("Sa., 21.11., 20.15 Uhr", "2026-11-21 20:15"),
      ("Sa 21.11. 20.15", "2026-11-21 20:15"),
      ("am 21.11. um 20.15 Uhr", "2026-11-21 20:15"), ("sabato 21 novembre ore 21.15", "2026-11-21 21:15"),
      ("zaterdag 21 november om 20.15 uur", "2026-11-21 20:15"),
      ("sábado 21 de noviembre a las 19:30", "2026-11-21 19:30"), ("שבת 21.11 בשעה 20:30", "2026-11-21 20:30"),
      ("Sat 21 Nov 19:30, Sun 22 Nov 14:00", "2026-11-21 19:30 | 2026-11-22 14:00"),
      ("11/21(土) 19:30\n11/22(日) 14:00", "2026-11-21 19:30 | 2026-11-22 14:00"),
      ("오후 1:30, 4:00, 7:20", "13:30 16:00 19:20"), ("오전 10:30, 1:20, 4:00", "10:30 13:20 16:00"),
      ("오후 10:00, 00:30", "22:00 24:30"),
      ("11/21(土) 休館", "2026-11-21 closed"), ("11월 24일 휴관", "2026-11-24 closed"),
      ("21–27 Nov except 24 Nov 19:30", "2026-11-21…2026-11-27 not 2026-11-24 19:30"),
      ("du 21 au 27 novembre sauf lundi à 20h30", "2026-11-21…2026-11-27 not [Calendars.Weekday.monday] 20:30"),
      ("11/21(土)〜11/27(金)（11/24休映） 10:00", "2026-11-21…2026-11-27 not 2026-11-24 10:00"),
      ("11/21(土)〜11/27(金) 10:00 ※11/24、25日は休映", "2026-11-21…2026-11-27 not 2026-11-24 not 2026-11-25 10:00"),
      ("17:00〜23:00(L.O.22:30)", "17:00-23:00 LO 22:30"), ("Last order 22:30", ""),
      ("2026-11-21 19:30", "2026-11-21 19:30"),
      // In France alone "sf" is "sauf".
      ("SF Sat 21 Nov 19:30", "2026-11-21 19:30"),
      ("11/21(土)19:30～21:36 [字幕]", "2026-11-21 19:30-21:36"), ("오늘 19:30", "2026-11-20 19:30"),
      ("Midnight Express 22:00", "22:00"),
      ("괴물 (126분) 19:30", "19:30"), ("Monster 2h06 – 19h30".replacing("2h06 – ", with: ""), "19:30"),
      ("19:30 €7.50", "19:30"), ("19:30 12.50 EUR", "19:30"),
      ("11/20、21、22 10:00", "2026-11-20 2026-11-21 2026-11-22 10:00"),
      ("Nov 21-23, 7pm", "2026-11-21…2026-11-23 19:00"),
      ("Nov 21, 7 & 9pm", "2026-11-21 19:00 21:00"), ("Nov 21, 22 & 9pm", "2026-11-21 2026-11-22 21:00"),
      ("Dec 5, 7 & 9pm", "2026-12-05 19:00 21:00"),
      ("11/20, 2관 10:00", "2026-11-20 10:00"),
      ("11.20 - 11.26 / 18:30", "18:30 | !ambiguousDateOrTime | !ambiguousDateOrTime"),
      ("開演19:00 終演予定21:00", "19:00-21:00"), ("dal 20 al 22 novembre ore 21", "2026-11-20…2026-11-22 21:00"),
      ("月～金: 17:00～23:00", "unread 17:00-23:00 | !weekdaysWithoutDates"),
      ("평일 19:30", "unread 19:30 | !weekdaysWithoutDates"),
      ("毎週土曜 21:00", "unread 21:00 | !weekdaysWithoutDates"),
      ("11.21(토)~11.30(월) / 매주 월요일 휴관", "2026-11-21…2026-11-30 not [Calendars.Weekday.monday]"),
      ("Fri & Sat 19:30", "unread 19:30 | !weekdaysWithoutDates"),
      ("Mon-Fri 19:30", "unread 19:30 | !weekdaysWithoutDates"),
      ("19:30; Sat-Sun 14:00", "19:30 | unread 14:00 | !weekdaysWithoutDates"),
      (
        "21–27 Nov except Mon & Tue 19:30",
        "2026-11-21…2026-11-27 not [Calendars.Weekday.monday, Calendars.Weekday.tuesday] 19:30"
      ),
      ("11/21(土)・22(日)・23(月祝) 10:00", "2026-11-21 2026-11-22 2026-11-23 10:00"),
      ("Sat 21 & Sun 22 Nov, 2pm", "2026-11-21 2026-11-22 14:00"),
      ("Sáb 21 - 18:00h y 20:30h", "2026-11-21 18:00 20:30"), ("Sat 10.30", "2026-11-21 10:30"),
      ("Sat 7-9pm", "2026-11-21 19:00-21:00"),
      ("Sat 7 pm", "2026-11-21 19:00"), ("토 19:30", "2026-11-21 19:30"), ("24:00 자정 상영", "24:00"),
      ("12:00 noon", "12:00"), ("12:00 midnight", "24:00"),
      ("[2관] 14:00~16:06 괴물 (자막) 잔여 23석", "14:00-16:06"),
      ("11/21(土)～11/27(金) ①10:00 ②13:20", "2026-11-21…2026-11-27 10:00 13:20"),
      ("11/21.土～11/27.金 10:00", "2026-11-21…2026-11-27 10:00"),
      ("12/2.水･3.木･4.金 10:00", "2026-12-02 2026-12-03 2026-12-04 10:00"),
      ("20:50～（終22:40）", "20:50-22:40"), ("19:10～(20:55)", "19:10-20:55"), ("19:10 (20:55)", "19:10 20:55"),
      ("11월 20일(금) 14:00 / 16:30 / 19:00 (GV) / 21:40", "2026-11-20 14:00 16:30 19:00 21:40"),
      ("Tel. 02-738-2468, 11:00-20:00", "11:00-20:00"),
      ("Mer 25/11 à 14h, 16h15, 18h30 et 20h45", "2026-11-25 14:00 16:15 18:30 20:45"),
      ("11/23(일) 19:30", "unread 19:30 | !weekdayDisagrees"),
      ("翌10:00", "!beyondServiceDay"), ("오전 19:30", "!contradictoryMeridiem"),
      ("11.23", "!ambiguousDateOrTime"), ("~21:36", "!endWithoutStart"), ("※11/24はGV付き", "!remarkWithDate"),
      ("Doors 7pm", "!doorsWithoutStart"),
    ])
  func lines(text: String, expected: String) { #expect(summary(reader.read(text)) == expected, "\(text)") }

  @Test(
    "a unit or a word beside one of a list of hours is of all of them",
    arguments: [
      ("12. Dezember 2026, 19 und 21 Uhr", "2026-12-12 19:00 21:00"),
      ("samedi 12 décembre, 18 et 20h30", "2026-12-12 18:00 20:30"),
      ("12. Dezember 2026, 17, 19 und 21 Uhr", "2026-12-12 17:00 19:00 21:00"),
      ("12. Dezember 2026, 17, 19, 21 Uhr", "2026-12-12 17:00 19:00 21:00"),
      ("12. Dezember 2026, 17, 19.30 und 21 Uhr", "2026-12-12 17:00 19:30 21:00"),
      ("Sa 12.12., 19 und 21 Uhr", "2026-12-12 19:00 21:00"), ("12.12.2026 (19 und 21 Uhr)", "2026-12-12 19:00 21:00"),
      ("12. Dezember 2026, 19–21 Uhr", "2026-12-12 19:00-21:00"),
      ("12. Dezember, 19 bis 21 Uhr", "2026-12-12 19:00-21:00"),
      ("12.12., 19/21 Uhr", "2026-12-12 19:00 21:00"), ("12 december, 18 & 21 uur", "2026-12-12 18:00 21:00"),
      ("12.12.2026\n19/21 Uhr", "2026-12-12 19:00 21:00"), ("Beginn: 19 und 21 Uhr", "19:00 21:00"),
      ("18 & 21 uur", "18:00 21:00"), ("19/21 Uhr", "19:00 21:00"), ("kl. 17 og 20", "17:00 20:00"),
      ("12. desember kl. 17 og 20", "2026-12-12 17:00 20:00"), ("kl 17.30 och 20", "17:30 20:00"),
      ("12 dicembre ore 18 e 21", "2026-12-12 18:00 21:00"), ("kl. 20.00", "20:00"),
      ("godz. 17, 19 i 21", "17:00 19:00 21:00"),
      ("Fr 19 und 21 Uhr", "2026-11-20 19:00 21:00"),
      // Days stay days.
      ("12., 19. und 21. Dezember, 20 Uhr", "2026-12-12 2026-12-19 2026-12-21 20:00"),
      ("12, 19 und 21 Dezember um 20 Uhr", "2026-12-12 2026-12-19 2026-12-21 20:00"),
      ("Do 3, 20 Uhr", "2026-12-03 20:00"), ("Do 3, 10 und 17, 20 Uhr", "2026-12-03 2026-12-10 2026-12-17 20:00"),
      ("Sa 5 - 20 Uhr", "2026-12-05 20:00"), ("Dec 5, 7 & 9, 20h", "2026-12-05 2026-12-07 2026-12-09 20:00"),
      ("Mi 2, Do 3, 20 Uhr", "2026-12-02 2026-12-03 20:00"),
      // And numbers of other things.
      ("Apollo 13 und 21 Uhr", "21:00"), ("kl 10 sal 12", ""), ("ore 21, 8 euro", "21:00"),
      ("at 7 and 9 Lives", "07:00"),
      ("1 und 2 h", "26:00"),
    ])
  func listedHours(text: String, expected: String) { #expect(summary(reader.read(text)) == expected, "\(text)") }

  @Test(
    "two digits behind a month are a year near the capture, where they are no hour",
    arguments: [
      ("13. Dez. 26, 19 Uhr", "2026-12-13 19:00"), ("5 Feb 27 7.30pm", "2027-02-05 19:30"),
      ("5 Feb '27, 7.30pm", "2027-02-05 19:30"), ("13 Dec 26 – 3 Jan 27, 8pm", "2026-12-13…2027-01-03 20:00"),
      ("am 13. Dez. 26 um 19 Uhr", "2026-12-13 19:00"), ("So 13. Dez. 26 | 19 Uhr", "2026-12-13 19:00"),
      ("13. Dez. 26 (So) 19 Uhr", "2026-12-13 19:00"), ("13. Dez. 20 Uhr", "2026-12-13 20:00"),
      ("13. Dez. 20.30 Uhr", "2026-12-13 20:30"), ("5 Feb 28 Years Later 19:30", "2027-02-05 19:30"),
      ("13. Dez. 26:30", "2026-12-13 26:30"), ("13. Dez. 45, 19 Uhr", "2026-12-13 19:00"),
    ])
  func shortYears(text: String, expected: String) { #expect(summary(reader.read(text)) == expected, "\(text)") }

  @Test("two digits behind a month are an hour or a year of a page that is older")
  func olderYears() {
    let reader = PrintedReader(capturedAt: Timestamp("2018-12-05T10:00:00Z")!.instant, zone: seoul)
    #expect(summary(reader.read("My Escape am 13. Dez. 18 um 19 Uhr")) == "2018-12-13 19:00")
    #expect(summary(reader.read("13. Dez. 18 Uhr")) == "2018-12-13 18:00")
    #expect(summary(reader.read("13. Dez. 18 und 20 Uhr")) == "2018-12-13 18:00 20:00")
  }

  @Test(
    "a sign before a date is part of its line, as the text that comes back says",
    arguments: ["◆11/24（火）", "■ 11/24", "▼11/24", "◇ 11月24日(火)", "☆明日 11/24"])
  func ornaments(text: String) {
    let listing = reader.read(text)
    #expect(summary(listing) == "2026-11-24", "\(text)")
    #expect(listing.groups.flatMap(\.days).map(\.text) == [text], "\(text)")
    #expect(summary(reader.read("●11/24(火)")) == "2026-11-24")
    #expect(summary(reader.read("◆19:30")) == "19:30")
  }

  @Test("times under a date that raised an alarm are no showings")
  func unread() {
    let (showings, alarms) = reader.showings(in: reader.read("11/23(일) 19:30\n11/24(화) 20:00"))
    #expect(showings.map(\.time.description) == ["2026-11-24 20:00"])
    #expect(alarms.map(\.kind) == [.weekdayDisagrees])
  }

  @Test(
    "a single showing that a remark cancels leaves the others of its day",
    arguments: [
      ("※11/22は16:40の回休映", "2026-11-22", ["16:40"]), ("11/22は16:40の回休映", "2026-11-22", ["16:40"]),
      ("※11/24(火)10:20・16:40の回は休映", "2026-11-24", ["10:20", "16:40"]),
      ("※11월 24일 19:30 회차 휴영", "2026-11-24", ["19:30"]),
    ])
  func cancelled(text: String, day: String, times: [String]) throws {
    let listing = reader.read(text)
    #expect(listing.groups.isEmpty && listing.alarms.isEmpty)
    let cancelled = try #require(listing.cancelled.first)
    #expect(listing.cancelled.count == 1)
    #expect(cancelled.days.day?.description == day)
    #expect(cancelled.times.map(\.description) == times)
  }

  @Test(
    "what is closed beside a showing does not cancel it",
    arguments: [
      "11/22 18:30 (bar closed)", "27.11. – 3.12. 20:15, Mo. Ruhetag", "Sat 28 Nov 19:00 – box office closed",
    ])
  func closedBeside(text: String) {
    #expect(reader.read(text).cancelled.isEmpty)
  }

  @Test(
    "a weekday that a line leaves out is no day of its own",
    arguments: [
      ("18:00, 20:30 (not Wed)", [Weekday.wednesday]), ("18:00 (except Mon)", [.monday]),
      ("20.15 Uhr (nicht Mi)", [.wednesday]), ("18:00, not Sat & Sun", [.saturday, .sunday]),
    ])
  func leftOut(text: String, weekdays: [Weekday]) throws {
    let group = try #require(reader.read(text).groups.first)
    #expect(group.exceptedWeekdays.weekdays == weekdays)
    #expect(group.days.isEmpty && !group.times.isEmpty)
    // In a title it says nothing.
    #expect(reader.read("Sat 21 Nov 19:30 I Am Not Monday").groups.first?.exceptedWeekdays == [])
  }

  @Test("Flemish hours have a u, and a certificate is none")
  func flemishHours() {
    let read = { (text: String) in reader.read(text).times.map(\.start.description) }
    #expect(read("wo 25/11: 20u15 – do 26/11: 14u30 & 20u15 – za 28/11: 17u") == ["20:15", "14:30", "20:15", "17:00"])
    #expect(read("Part 2 U") == [])
  }

  @Test("doors open in a bracket behind the start, whatever else opens then")
  func doorsInBracket() throws {
    let times = reader.read("Saturday 28th November at 7.30pm (doors and bar 7pm)").times
    #expect(times.map(\.start.description) == ["19:30"])
    #expect(times.first?.doors?.description == "19:00")
  }

  @Test(
    "weekdays behind a run and its times are days of that run",
    arguments: [
      "Do. 19.11. – Mi. 25.11. je 20.15 Uhr, So. auch 17.00 Uhr", "19.11. – 25.11. 20.15, Sonntag auch 17.00",
      "Thu 19 – Wed 25 Nov 20:15, Sun 17:00",
    ])
  func weekdaysOfRun(text: String) {
    let showings = reader.showings(in: reader.read(text)).showings.map(\.time.description).sorted()
    let evenings = (19...25).map { "2026-11-\($0) 20:15" }
    #expect(showings == (evenings + ["2026-11-22 17:00"]).sorted())
  }

  @Test("weekdays before a list of dates must be theirs")
  func statedWeekdays() {
    let right = reader.read("Friday & Saturday, November 27 & 28")
    #expect(right.alarms.isEmpty)
    #expect(right.groups.flatMap(\.days).compactMap(\.day?.description) == ["2026-11-27", "2026-11-28"])
    #expect(reader.read("Friday & Saturday, November 26 & 27").alarms.first?.kind == .weekdayDisagrees)
  }

  @Test("a run without a start is shown from the capture on, a day that is closed not at all")
  func expansion() {
    let run = reader.showings(in: reader.read("~11/22(일)까지 19:30")).showings
    #expect(run.map(\.time.description) == ["2026-11-20 19:30", "2026-11-21 19:30", "2026-11-22 19:30"])
    #expect(run.allSatisfy { $0.notes.contains(.inferredStart) })
    #expect(reader.showings(in: reader.read("11/24 휴관 19:30")).showings == [])
    let monday = reader.showings(in: reader.read("11/21(土)〜11/27(金) 月曜休映 19:30"))
    #expect(monday.showings.count == 6)
    #expect(monday.alarms == [])
  }

  @Test(
    "how sure a time is depends on what is printed",
    arguments: [
      ("19:30", []), ("09:30", []), ("7:30pm", []), ("7:30", [.hourWithoutMeridiem]), ("9:30 13:20 19:00", []),
      ("0:30", [.inferredServiceDay]),
      ("새벽 1시", [.inferredServiceDay]), ("00:30 10:00 14:00", [.inferredServiceDay, .earlyTimeListedFirst]),
      ("14:00 10:30", [.outOfOrder]),
      ("7:30 & 9:45pm", [.inferredMeridiem]), ("23:00-01:10", [.endIsNextDay]),
      ("1h46", [.mayBeDuration, .inferredServiceDay]),
    ] as [(String, Set<PrintedNote>)])
  func confidence(text: String, expected: Set<PrintedNote>) { #expect(notes(reader.times(text)) == expected) }

  @Test(
    "what is no time is none",
    arguments: [
      "", "괴물", "16:9", "2.39:1", "25%", "60분", "2時間", "90 min", "1/2", "30:00", "19:75", "12345", "1:2", "No. 7",
    ])
  func nothing(text: String) { #expect(summary(reader.read(text)).contains(":") == false, "\(text)") }

  @Test("what was printed comes back with the value")
  func text() throws {
    let listing = reader.read("특별상영：１１／２１（土）　１９：３０")
    #expect(listing.groups.first?.days.first?.text == "１１／２１（土）")
    #expect(listing.groups.first?.times.first?.text == "１９：３０")
  }

  @Test("a text over the limit is refused whole, and no listing has endless showings")
  func limits() {
    let long = String(repeating: "19:30 ", count: 2_000)
    #expect(reader.read(long).alarms.map(\.kind) == [.textTooLong])
    #expect(reader.read(long).groups == [])
    let many = "11/21〜2/28 " + String(repeating: "19:30 ", count: 100)
    let (showings, alarms) = reader.showings(in: reader.read(many))
    #expect(showings.count == 1_000)
    #expect(alarms.map(\.kind) == [.tooManyShowings])
  }

  @Test("random words, marks and bytes never trap")
  func fuzz() throws {
    let zones = ZoneDirectory()
    let seed: UInt64 = 1_126
    var generator = SeededRandom(seed: seed)
    let pieces = [
      "11/21", "(土)", "〜", "~", "-", "–", "까지", "まで", "19:30", "24:30", "99:99", "翌", "深夜", "오후", "pm", "am", "Sat",
      "21", "Nov", "2026", "年",
      "月", "日", "월", "일", "시", "분", "h", "30", "19", ".", "/", ":", ",", "(", ")", "※", "休映", "開場", "開演", "終", "L.O.",
      "until", "bis", "du", "au",
      "오늘", "令和", "元", "\n", " ", "　", "１９：３０", "noon", "12", "0", "999999999999", "Uhr", "半", "から", "부터", "mar", "di",
      "except", "&", "\u{301}",
      "\u{1161}", "\u{3099}", "é", "שבת", "יום", "ב'", "°", "×", "p.m.", "aujourd'hui", "+1",
    ]
    for round in 0..<3_000 {
      var text = ""
      for _ in 0..<Int.random(in: 1...14, using: &generator) { text += pieces.randomElement(using: &generator)! }
      if round % 7 == 0 { text = String(decoding: generator.bytes(upTo: 60), as: UTF8.self) }
      for expectation in [PrintedExpectation.listing, .dates, .times] {
        let listing = reader.read(text, expecting: expectation)
        for group in listing.groups {
          for days in group.days {
            if let first = days.first, let last = days.last {
              #expect(first <= last, "seed \(seed), round \(round): \(text)")
            }
          }
        }
        _ = reader.showings(in: listing)
      }
      _ = PrintedMarks(text)
      CalendarsFuzzing.run(generator.bytes(upTo: 80), zones: zones)
    }
  }

  @Test("what makes the reader look ahead may be repeated ten thousand times")
  func repetition() {
    // Were each of them looked at again for every one before it, this would take minutes.
    var limits = PrintedReader.Limits()
    limits.bytesMax = 1 << 20
    let patient = PrintedReader(capturedAt: capture, zone: seoul, limits: limits)
    for piece in [
      "21,", "(月", "aujourd'", "11/", "de la ", "7-", "1.", "※11/24", "21 & ", "開場", "a", "괴", "mar ", "19:30~",
      "24 Nov 19:30 ",
    ] {
      _ = patient.read(String(repeating: piece, count: 10_000))
    }
  }
}
