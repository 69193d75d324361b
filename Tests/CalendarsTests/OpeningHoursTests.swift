import Calendars
import Clocks
import Testing

@Suite("Printed opening hours")
struct OpeningHoursTests {
  private static let rests: [(String, [Closure])] = [
    ("月", [Closure(days: .monday)]), ("日曜日・祝日", [Closure(days: [.sunday, .holiday])]),
    ("第2・第4水曜日", [Closure(days: DayKinds(.wednesday), weeks: [2, 4])]),
    ("둘째, 넷째 일요일 휴무", [Closure(days: .sunday, weeks: [2, 4])]),
    ("12月31日、1月1日", [Closure(first: 1231, last: 1231), Closure(first: 101, last: 101)]),
    ("月曜（祝日の場合は翌日）", [Closure(days: .monday, movesAfterHoliday: true, isOpenOnHolidays: true)]),
    ("설날 당일", [Closure(isLunarFeast: true)]), ("closed Mondays", [Closure(days: .monday)]), ("年中無休", []), ("なし", []),
  ]
  private static let all = DayKinds.everyDay

  private static func days(_ weekdays: Weekday...) -> DayKinds {
    weekdays.reduce(into: DayKinds()) { $0.formUnion(DayKinds($1)) }
  }

  private func spans(_ text: String, _ close: String? = nil) -> [OpenSpan] {
    OpeningHoursReader.read(open: text, close: close).hours.spans
  }

  @Test("a guide's text: days in groups, last orders of food and drink, the night after midnight")
  func guide() {
    let (hours, unread) = OpeningHoursReader.read(
      open: "月～木: 17:00～23:00 （料理L.O. 22:30 ドリンクL.O. 22:45）金、土、祝前日: 17:00～翌2:00 （料理L.O. 翌1:00）日、祝日: 11:30～22:00",
      close: "年中無休")
    #expect(
      hours.spans == [
        OpenSpan(
          days: DayKinds(rawValue: 0b1111), opens: 1_020, closes: 1_380, lastOrder: 1_350, lastDrink: 1_365),
        OpenSpan(
          days: [Self.days(.friday, .saturday), .holidayEve], opens: 1_020, closes: 1_560, lastOrder: 1_500),
        OpenSpan(days: [.sunday, .holiday], opens: 690, closes: 1_320),
      ])
    #expect(hours.confidence == .parsed && unread.isEmpty && hours.closures.isEmpty)
  }

  @Test(
    "an end without its half of the day is after its beginning, on the same day if it can be",
    arguments: [
      ("夜5時～10時", 1_020, 1_320), ("夜10時～3時", 1_320, 1_620), ("noon–6:00", 720, 1_080),
      ("午前10時～2時", 600, 840), ("17:00-10:00", 1_020, 2_040),
    ])
  func halfOfEnd(text: String, opens: Int, closes: Int) {
    #expect(spans(text) == [OpenSpan(days: Self.all, opens: opens, closes: closes)])
  }

  @Test(
    "weekdays as French, Spanish and Italian shorten them",
    arguments: [
      "Lu-Ve 12h-14h, Sa 19h-23h", "Lun-Ven 12:00–14:00; Sáb 19:00–23:00", "lun-ven 12:00-14:00, sab 19:00-23:00",
      "Mo-Fr 12-14 Uhr, Sa 19-23 Uhr", "Lun-Vie 12:00-14:00, Sáb 19:00-23:00", "lun - ven 12h-14h ; sam 19h-23h",
    ])
  func shortRomance(text: String) {
    #expect(
      spans(text) == [
        OpenSpan(days: .workdays, opens: 720, closes: 840),
        OpenSpan(days: Self.days(.saturday), opens: 1_140, closes: 1_380),
      ])
  }

  @Test("two sittings a day belong to the same days, and full-width letters are letters")
  func sittings() {
    #expect(
      spans("月～金：１１：３０～１４：３０（料理Ｌ．Ｏ．１４：００）１７：００～２３：００")
        == [
          OpenSpan(days: .workdays, opens: 690, closes: 870, lastOrder: 840),
          OpenSpan(days: .workdays, opens: 1_020, closes: 1_380),
        ])
  }

  @Test(
    "a pause may be called so behind its times, and each part of a day has the last order that lies in it",
    arguments: [
      "매일10:00 - 21:30 15:00 - 17:00 브레이크타임 14:50 라스트오더", "10:00〜21:30(15:00〜17:00は休憩、L.O.14:50)",
      "10:00-21:30 (15:00-17:00 closed) last order 14:50",
    ])
  func pauseBehind(text: String) {
    #expect(
      spans(text)
        == [
          OpenSpan(days: Self.all, opens: 600, closes: 900, lastOrder: 890),
          OpenSpan(days: Self.all, opens: 1_020, closes: 1_290),
        ], "\(text)")
  }

  @Test("days off beside workdays are the weekend and holidays, and beside a weekend's day holidays")
  func daysOff() {
    for text in ["平日11:00～22:00、休日10:00～22:00", "평일 11:00-22:00, 휴일 10:00-22:00"] {
      #expect(
        spans(text)
          == [
            OpenSpan(days: .workdays, opens: 660, closes: 1_320),
            OpenSpan(days: DayKinds.weekend.union(.holiday), opens: 600, closes: 1_320),
          ], "\(text)")
    }
    #expect(spans("土日 10:00～22:00、休日 9:00～20:00").last?.days == .holiday)
  }

  @Test("Korean: half-days, a pause in the afternoon, the day of rest behind it")
  func korean() {
    let (hours, unread) = OpeningHoursReader.read(
      open: "매일 11:30 ~ 22:00 (라스트오더 21:20) 브레이크타임 15:00~17:00, 매주 월요일 휴무")
    #expect(
      hours.spans == [
        OpenSpan(days: Self.all, opens: 690, closes: 900),
        OpenSpan(days: Self.all, opens: 1_020, closes: 1_320, lastOrder: 1_280),
      ])
    #expect(hours.closures == [Closure(days: .monday)] && unread.isEmpty && hours.confidence == .parsed)
    #expect(spans("오전 11시 30분 ~ 오후 10시") == [OpenSpan(days: Self.all, opens: 690, closes: 1_320)])
    #expect(
      spans("월~토 17:00~익일 02:00") == [OpenSpan(days: DayKinds(rawValue: 0b11_1111), opens: 1_020, closes: 1_560)])
  }

  @Test(
    "English: am and pm, also where only one of the two is printed",
    arguments: [
      ("Mon-Fri 11am-10pm", 660, 1_320), ("5-11pm", 1_020, 1_380), ("11-2pm", 660, 840), ("12-11pm", 720, 1_380),
      ("9-5pm", 540, 1_020), ("5:30pm - 2am", 1_050, 1_560), ("noon to midnight", 720, 1_440),
      ("10.30pm-1.15am", 1_350, 1_515),
    ])
  func english(text: String, opens: Int, closes: Int) {
    #expect(spans(text).map(\.opens) == [opens] && spans(text).map(\.closes) == [closes])
  }

  @Test("until late has no closing time, and says so by its confidence")
  func openEnd() {
    let hours = OpeningHoursReader.read(open: "Tue-Sun 5:30pm-late").hours
    #expect(hours.spans.map(\.closes) == [nil] && hours.confidence == .inferred)
    #expect(OpeningHoursReader.read(open: "18:00～ラスト").hours.spans.map(\.closes) == [nil])
  }

  @Test(
    "days of rest: each week, some weeks of a month, of the year, with their exceptions",
    arguments: Self.rests)
  func closures(text: String, closures: [Closure]) {
    #expect(OpeningHoursReader.read(open: "11:00-20:00", close: text).hours.closures == closures)
  }

  @Test("what says nothing of hours has none, and what is left unread is told and lowers the confidence")
  func unread() {
    let nothing = OpeningHoursReader.read(open: "料金は別途ご相談ください")
    #expect(nothing.hours.confidence == .unknown && !nothing.unread.isEmpty)
    #expect(OpeningHoursReader.read(open: nil).hours == OpeningHours())
    let partly = OpeningHoursReader.read(open: "11:00～20:00 変更になる場合がございます")
    #expect(partly.hours.confidence == .inferred && partly.hours.spans.count == 1 && !partly.unread.isEmpty)
    #expect(OpeningHoursReader.read(open: "11:00～20:00", close: "不定休").hours.confidence == .inferred)
  }

  @Test("whatever the text is, reading ends and nothing traps")
  func hostile() {
    var random = SeededRandom(seed: 5)
    let pieces = [
      "月", "～", "17:00", "翌", "（", "）", "L.O.", "第2", "祝", "pm", "-", "5", "99:99", "定休日", "12/31", "12月31日", "24時間",
      "브레이크타임",
      "일", "、", "\n", "9999999999", "まで", "🍜", "\u{0}", "は",
    ]
    let zone = TimeZoneRules.utc
    for _ in 0..<3_000 {
      let text = (0..<Int.random(in: 0...12, using: &random)).map { _ in pieces.randomElement(using: &random)! }
        .joined()
      let hours = OpeningHoursReader.read(open: text, close: text).hours
      for interval in hours.intervals(on: CivilDate("2026-11-22")!, in: zone, PublicHolidays(of: "JP")) {
        #expect(interval.closes ?? interval.opens >= interval.opens, "\(text)")
      }
    }
  }
}

@Suite("Open at an hour")
struct OpenAtTests {
  private let tokyo: TimeZoneRules
  private let japan = PublicHolidays(of: "JP")

  init() throws { tokyo = try ZoneDirectory().rules(for: ZoneName("Asia/Tokyo")!) }

  private func state(_ open: String, _ local: String) throws -> OpenState { try state(open, nil, local) }

  private func state(_ open: String, _ close: String?, _ local: String) throws -> OpenState {
    let time = try #require(CivilDateTime(local))
    return OpeningHoursReader.read(open: open, close: close).hours
      .state(at: tokyo.instant(of: time), in: tokyo, holidays: japan)
  }

  @Test("what began yesterday goes on after midnight, and the closing minute is closed")
  func afterMidnight() throws {
    // 2026-11-20 is a Friday.
    let bar = "月～土 18:00～翌3:00"
    #expect(try state(bar, "2026-11-21T02:59:00") == .open)
    #expect(try state(bar, "2026-11-21T03:00:00") == .closed)
    #expect(try state(bar, "2026-11-22T02:00:00") == .open)
    #expect(try state(bar, "2026-11-23T02:00:00") == .closed)
  }

  @Test("a holiday has hours of its own, and so has the evening before one")
  func holidays() throws {
    // Monday 2026-11-23 is Labour Thanksgiving Day.
    let text = "月～金 17:00～23:00 日、祝日 11:00～20:00 祝前日 17:00～翌2:00"
    #expect(try state(text, "2026-11-23T12:00:00") == .open)
    #expect(try state(text, "2026-11-23T21:00:00") == .closed)
    #expect(try state(text, "2026-11-24T21:00:00") == .open)
    #expect(try state(text, "2026-11-23T01:00:00") == .open)
  }

  @Test("a day of rest that falls on a holiday moves to the day after it")
  func movedRest() throws {
    let (open, close) = ("11:00～20:00", "月曜（祝日の場合は翌日）")
    #expect(try state(open, close, "2026-11-23T12:00:00") == .open)
    #expect(try state(open, close, "2026-11-24T12:00:00") == .closed)
    #expect(try state(open, close, "2026-11-30T12:00:00") == .closed)
  }

  @Test("only the second and fourth Wednesday are free, and the turn of the year")
  func someWeeks() throws {
    #expect(try state("11:00～20:00", "第2・第4水曜日", "2026-11-11T12:00:00") == .closed)
    #expect(try state("11:00～20:00", "第2・第4水曜日", "2026-11-18T12:00:00") == .open)
    #expect(try state("11:00～20:00", "年末年始", "2027-01-02T12:00:00") == .closed)
    #expect(try state("11:00～20:00", "年末年始", "2027-01-05T12:00:00") == .open)
  }

  @Test("the last Monday of a month is free, and no other")
  func lastOfMonth() throws {
    #expect(try state("11:00～20:00", "最終月曜日", "2026-11-30T12:00:00") == .closed)
    #expect(try state("11:00～20:00", "最終月曜日", "2026-11-23T12:00:00") == .open)
    #expect(try state("11:00～20:00", "最終月曜日", "2026-12-28T12:00:00") == .closed)
  }

  @Test("hours that cannot be read are unknown, and not closed")
  func unknown() throws { #expect(try state("お問い合わせください", "2026-11-20T12:00:00") == .unknown) }

  @Test(
    "holidays of Japan by its law: fixed, of a Monday, equinoxes, instead of a Sunday, between two",
    arguments: [
      ("2026-01-01", true), ("2026-01-12", true), ("2026-03-20", true), ("2026-05-06", true), ("2026-09-22", true),
      ("2026-09-23", true), ("2026-11-23", true), ("2026-11-24", false), ("2026-06-15", false), ("2027-03-22", true),
    ])
  func japanese(date: String, isHoliday: Bool) { #expect(japan.contains(CivilDate(date)!) == isHoliday) }

  @Test("holidays of Korea: lunar ones from the table, days in place of others, and nobody else's")
  func korean() {
    let korea = PublicHolidays(of: "KR")
    #expect(korea.contains(CivilDate("2026-09-25")!) && korea.isLunarFeast(CivilDate("2026-02-17")!))
    // A Saturday, made up for on Monday; the feast that ends on a Saturday is not.
    #expect(korea.contains(CivilDate("2026-10-05")!) && !korea.contains(CivilDate("2026-10-06")!))
    #expect(!korea.contains(CivilDate("2026-09-28")!))
    #expect(!PublicHolidays(of: "GB").contains(CivilDate("2026-12-25")!))
    // The day after the first of all days, which is a holiday: before it there is none.
    #expect(!korea.contains(.first + 1) && korea.contains(.first) && !japan.contains(.first + 1))
  }
}
