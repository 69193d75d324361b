import Calendars
import Clocks
import Testing

@Suite("Printed dates")
struct PrintedDateTests {
  let seoul: TimeZoneRules
  let reader: PrintedReader

  init() throws {
    seoul = try ZoneDirectory().rules(for: ZoneName("Asia/Seoul")!)
    reader = PrintedReader(capturedAt: capture, zone: seoul)
  }

  @Test(
    "21 November in every language",
    arguments: [
      "11월 21일 (토)", "11월21일", "11월 21일 토요일", "2026년 11월 21일", "2026. 11. 21. (토)", "2026.11.21(토)", "26.11.21(토)",
      "11.21(토)",
      "11/21(土)", "11月21日（土・祝）", "11月21日土曜日", "2026年11月21日(土)", "11/21㈯", "【土】11/21".replacing("【土】", with: ""),
      "Sat 21 Nov", "Saturday, November 21st, 2026", "Nov 21", "21 November", "Sat, Nov. 21", "the 21st of November",
      "21 Nov 2026",
      "samedi 21 novembre", "sam. 21 nov.", "le 21 novembre 2026", "Samstag, 21. November", "Sa., 21.11.",
      "Sa 21.11.2026", "21.11.26",
      "am 21. November", "Sonnabend 21.11.", "sábado 21 de noviembre", "sáb. 21 nov.", "21 de noviembre de 2026",
      "sabato 21 novembre",
      "sab 21 nov", "dissabte 21 de novembre", "dissabte 21/11/2026", "zaterdag 21 november", "za 21 nov",
      "za. 21 november 2026", "שבת 21 בנובמבר",
      "יום שבת, 21 בנובמבר", "21.11 (שבת)",
      "2026-11-21", "2026/11/21", "20261121", "１１／２１（土）", "21/11", "11/21", "21/11/2026", "Sat 21/11",
    ])
  func languages(text: String) throws {
    #expect(try reader.date(text)?.day?.description == "2026-11-21", "\(text)")
  }

  @Test(
    "every month and weekday of every language",
    arguments: [
      "january february march april may june july august september october november december",
      "jan feb mar apr may jun jul aug sept oct nov dec",
      "janvier février mars avril mai juin juillet août septembre octobre novembre décembre",
      "janv. févr. mars avr. mai juin juil. août sept. oct. nov. déc.",
      "Januar Februar März April Mai Juni Juli August September Oktober November Dezember",
      "Jänner Feb. Mrz Apr. Mai Jun. Jul. Aug. Sept. Okt. Nov. Dez.",
      "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre",
      "ene feb mar abr may jun jul ago set oct nov dic",
      "gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre",
      "gen feb mar apr mag giu lug ago set ott nov dic",
      "januari februari maart april mei juni juli augustus september oktober november december",
      "jan feb mrt apr mei jun jul aug sep okt nov dec",
      "ינואר פברואר מרץ אפריל מאי יוני יולי אוגוסט ספטמבר אוקטובר נובמבר דצמבר",
    ])
  func months(names: String) throws {
    for (index, name) in names.split(separator: " ").enumerated() {
      let days = try reader.date("14 \(name) 2026")
      #expect(days?.day == CivilDate(year: 2026, month: index + 1, day: 14), "\(name)")
    }
  }

  @Test(
    "every weekday of every language, before and behind its date",
    arguments: [
      "Monday Tuesday Wednesday Thursday Friday Saturday Sunday", "Mon Tue Wed Thu Fri Sat Sun",
      "lundi mardi mercredi jeudi vendredi samedi dimanche", "lun mar mer jeu ven sam dim",
      "Montag Dienstag Mittwoch Donnerstag Freitag Samstag Sonntag", "Mo Di Mi Do Fr Sa So",
      "lunes martes miércoles jueves viernes sábado domingo", "lun mar mié jue vie sáb dom",
      "lunedì martedì mercoledì giovedì venerdì sabato domenica", "lun mar mer gio ven sab dom",
      "maandag dinsdag woensdag donderdag vrijdag zaterdag zondag", "ma di wo do vr za zo", "월 화 수 목 금 토 일",
      "월요일 화요일 수요일 목요일 금요일 토요일 일요일", "月 火 水 木 金 土 日", "月曜日 火曜日 水曜日 木曜日 金曜日 土曜日 日曜日",
      "poniedziałek wtorek środa czwartek piątek sobota niedziela", "pon wt śr czw pt sob niedz",
      "pondělí úterý středa čtvrtek pátek sobota neděle",
      "segunda-feira terça-feira quarta-feira quinta-feira sexta-feira sábado domingo",
      "星期一 星期二 星期三 星期四 星期五 星期六 星期日", "週一 週二 週三 週四 週五 週六 週日",
    ])
  func weekdays(names: String) throws {
    for (index, name) in names.split(separator: " ").enumerated() {
      // Monday is 23 November 2026.
      let date = CivilDate(year: 2026, month: 11, day: 23 + index)!
      let texts = ["23/11 (\(name))".replacing("23/", with: "\(date.day)/"), "\(date.day) Nov 2026 (\(name))"]
      for text in texts { #expect(try reader.date(text)?.day == date, "\(text)") }
      if name.utf8.first! < 0x80 {
        #expect(try reader.date("\(name) \(date.day) Nov")?.day == date, "\(name)")
        #expect(try reader.date("\(name)., \(date.day).11.")?.day == date, "\(name)")
      }
      let wrong = try? reader.date("\(date.day) Nov 2025 (\(name))")
      #expect(wrong == nil, "\(name) in another year")
    }
  }

  @Test("so is a Sunday in German and a Saturday in Czech")
  func saturday() throws {
    let prague = try ZoneDirectory().rules(for: ZoneName("Europe/Prague")!)
    let czech = PrintedReader(capturedAt: capture, zone: prague)
    #expect(try czech.date("so 21. 11.")?.day?.description == "2026-11-21")
    #expect(try reader.date("So 22. 11.")?.day?.description == "2026-11-22")
  }

  @Test("a day and its month with a full stop behind each are a date, apart too")
  func apart() {
    #expect(reader.read("20. 11. 17:30").groups.first?.days.first?.day?.description == "2026-11-20")
    let numbered = reader.read("1. 2. 3. 4.").groups.flatMap(\.days)
    #expect(numbered.isEmpty)
  }

  @Test("Hebrew weekdays")
  func hebrewWeekdays() throws {
    let names = ["יום ראשון", "יום שני", "יום שלישי", "יום רביעי", "יום חמישי", "יום שישי", "יום שבת"]
    let letters = ["יום א'", "יום ב'", "יום ג'", "יום ד'", "יום ה'", "יום ו'", "שבת"]
    for index in 0..<7 {
      let date = CivilDate("2026-11-22")! + index
      #expect(try reader.date("\(names[index]) \(date.day).11")?.day == date, "\(names[index])")
      #expect(try reader.date("\(letters[index]) \(date.day).11")?.day == date, "\(letters[index])")
    }
  }

  @Test(
    "words for days near the capture",
    arguments: [
      ("오늘", 0), ("今日", 0), ("本日", 0), ("today", 0), ("tonight", 0), ("aujourd'hui", 0), ("heute", 0),
      ("heute Abend", 0), ("hoy", 0),
      ("oggi", 0), ("vandaag", 0), ("היום", 0), ("내일", 1), ("明日", 1), ("tomorrow", 1), ("demain", 1), ("morgen", 1),
      ("mañana", 1),
      ("domani", 1), ("מחר", 1), ("모레", 2), ("明後日", 2), ("après-demain", 2), ("übermorgen", 2), ("dopodomani", 2),
      ("overmorgen", 2),
      ("오늘 (금)", 0), ("내일(토)", 1), ("Today, Friday", 0),
    ])
  func relative(text: String, days: Int) throws {
    let found = try reader.date(text)
    #expect(found?.day == CivilDate("2026-11-20")! + days)
    #expect(found?.notes == [.relativeDay])
  }

  @Test("today, captured after midnight, may be yesterday's evening")
  func afterMidnight() throws {
    let night = PrintedReader(capturedAt: Timestamp("2026-11-21T00:30:00+09:00")!.instant, zone: seoul)
    let today = try #require(try night.date("오늘"))
    #expect(today.day == CivilDate("2026-11-21"))
    #expect(today.confidence == .doubtful)
  }

  @Test("a weekday alone is the next one")
  func weekdayAlone() throws {
    for (text, date) in [
      ("Saturday", "2026-11-21"), ("금요일", "2026-11-20"), ("木曜日", "2026-11-26"), ("jeudi", "2026-11-26"),
      ("일", "2026-11-22"), ("土", "2026-11-21"), ("Sat", "2026-11-21"),
    ] {
      let days = try #require(try reader.date(text))
      #expect(days.day?.description == date)
      #expect(days.notes == [.inferredFromWeekday])
    }
  }

  @Test("the day and the month are not guessed: the order, the weekday or the list decides, or nobody does")
  func dayMonthOrder() throws {
    let british = PrintedReader(capturedAt: capture, zone: seoul, dateOrder: .dayFirst)
    let american = PrintedReader(capturedAt: capture, zone: seoul, dateOrder: .monthFirst)
    #expect(try british.date("1/12")?.day?.description == "2026-12-01")
    #expect(try american.date("1/12")?.day?.description == "2027-01-12")
    let alarm = #expect(throws: PrintedAlarm.self) { try reader.date("1/12") }
    #expect(alarm?.kind == .ambiguousDayMonth)
    #expect(alarm?.candidates.map(\.description).sorted() == ["2026-12-01", "2027-01-12"])
    // 1 December is a Tuesday, so is 12 January; 2 December is a Wednesday, 12 February a Friday.
    #expect(throws: PrintedAlarm.self) { try reader.date("Tue 1/12") }
    #expect(try reader.date("Wed 2/12")?.day?.description == "2026-12-02")
    #expect(try reader.date("Fri 2/12")?.day?.description == "2027-02-12")
    #expect(try reader.date("12/12")?.day?.description == "2026-12-12")
    #expect(try american.date("21/12")?.day?.description == "2026-12-21")
    // An order that is stated is not given up for a weekday.
    #expect(throws: PrintedAlarm.self) { try british.date("Fri 2/12") }
    #expect(summary(reader.read("31/12, 1/1", expecting: .dates)) == "2026-12-31 2027-01-01")
  }

  @Test(
    "what is no day, or out of reach, is an alarm",
    arguments: [
      ("2/30", "noSuchDay"), ("2026-02-30", "noSuchDay"), ("2027-02-29", "noSuchDay"), ("10月1日", "outsideWindow"),
      ("1 Nov", "outsideWindow"),
      ("Sat 22 Nov", "weekdayDisagrees"), ("내일(일)", "weekdayDisagrees"), ("11/21 11/22", "moreThanOneDate"),
      ("11/27〜11/21", "outsideWindow"), ("2026-11-27 – 2026-11-21", "backwards"),
      ("2026-11-21 – 2027-11-21", "tooLong"),
    ])
  func alarms(text: String, kind: String) {
    let alarm = #expect(throws: PrintedAlarm.self) { try reader.date(text) }
    #expect(alarm.map { "\($0.kind)" } == kind)
  }

  @Test(
    "what is no date is none",
    arguments: [
      "", "상영 시간표", "괴물", "2h05", "126분", "2日間", "3시간", "35mm", "4K", "Room 12", "May", "13/13", "0/5",
      "32.11.", "1.2.3.4",
      "10/11/12/13", "①", "12,000원", "₩12,000",
    ])
  func nothing(text: String) throws {
    #expect(summary(reader.read(text, expecting: .dates)) == "", "\(text)")
  }

  @Test(
    "runs of days",
    arguments: [
      ("11/21(土)〜11/27(金)", "2026-11-21…2026-11-27"), ("11월 21일(토)부터 11월 27일(금)까지", "2026-11-21…2026-11-27"),
      ("11/21(土)から11/27(金)まで", "2026-11-21…2026-11-27"), ("11월 21일 ~ 27일", "2026-11-21…2026-11-27"),
      ("11/30〜12/4", "2026-11-30…2026-12-04"),
      ("Nov 21 – Nov 27", "2026-11-21…2026-11-27"), ("21–27 Nov", "2026-11-21…2026-11-27"),
      ("21 to 27 November", "2026-11-21…2026-11-27"),
      ("du 21 au 27 novembre", "2026-11-21…2026-11-27"), ("vom 21. bis 27. November", "2026-11-21…2026-11-27"),
      ("21.11. - 27.11.", "2026-11-21…2026-11-27"),
      ("del 21 al 27 de noviembre", "2026-11-21…2026-11-27"), ("dal 21 al 27 novembre", "2026-11-21…2026-11-27"),
      ("van 21 t/m 27 november", "2026-11-21…2026-11-27"), ("28 Nov – 3 Dec 2026", "2026-11-28…2026-12-03"),
      ("10/30(金)〜11/27(金)", "2026-10-30…2026-11-27"),
      ("2026.11.21 ~ 2026.12.04", "2026-11-21…2026-12-04"), ("12/30〜1/3", "2026-12-30…2027-01-03"),
      ("ab 21.11.", "2026-11-21…"),
      ("from 21 Nov", "2026-11-21…"), ("11/21〜", "2026-11-21…"), ("11월 21일부터", "2026-11-21…"),
      ("מ-21.11 עד 27.11", "2026-11-21…2026-11-27"),
      ("21, 22 & 23 Nov", "2026-11-21 2026-11-22 2026-11-23"), ("21. und 22. November", "2026-11-21 2026-11-22"),
      ("11/21・22".replacing("・22", with: ", 11/22"), "2026-11-21 2026-11-22"),
    ])
  func runs(text: String, expected: String) {
    #expect(summary(reader.read(text, expecting: .dates)) == expected, "\(text)")
  }
}

@Suite("Printed listing")
struct PrintedListingTests {
  let seoul: TimeZoneRules
  let reader: PrintedReader

  init() throws {
    seoul = try ZoneDirectory().rules(for: ZoneName("Asia/Seoul")!)
    reader = PrintedReader(capturedAt: capture, zone: seoul)
  }

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
