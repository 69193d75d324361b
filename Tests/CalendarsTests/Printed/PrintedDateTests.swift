import Calendars
import Clocks
import Testing

@Suite("Printed dates")
struct PrintedDateTests {
  let seoul: TimeZoneRules
  let reader: PrintedReader

  init() throws { (seoul, reader) = try inSeoul() }

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

  @Test("the first weeks of a month's programme are over and still printed")
  func monthBehind() throws {
    #expect(try reader.date("1 Nov")?.day?.description == "2026-11-01")
    #expect(try reader.date("Sun 1 Nov")?.day?.description == "2026-11-01")
    #expect(throws: PrintedAlarm.self) { try reader.date("Mon 1 Nov") }
    // Where the other number may be the day, what is over is none.
    #expect(try reader.date("11/12")?.day?.description == "2026-12-11")
    // Without a month it is the next one.
    #expect(try reader.date("8")?.day?.description != "2026-11-08")
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
      ("1 Oct", "outsideWindow"),
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
