import Calendars
import Clocks
import Testing

/// Months and weekdays as programmes print them, in languages beside those of `PrintedDateTests`.
@Suite("Printed dates in further languages")
struct PrintedLanguageTests {
  @Test(
    "every month, behind its day",
    arguments: [
      ("Europe/Kyiv", "січня лютого березня квітня травня червня липня серпня вересня жовтня листопада грудня"),
      ("Europe/Kyiv", "січ лют бер кві тра чер лип сер вер жов лис гру"),
      ("Europe/Riga", "января февраля марта апреля мая июня июля августа сентября октября ноября декабря"),
      ("Europe/Riga", "янв фев мар апр май июн июл авг сен окт ноя дек"),
      ("Europe/Sofia", "януари февруари март април май юни юли август септември октомври ноември декември"),
      ("Europe/Belgrade", "јануар фебруар март април мај јун јул август септембар октобар новембар децембар"),
      ("Europe/Skopje", "јануари февруари март април мај јуни јули август септември октомври ноември декември"),
      (
        "Europe/Zagreb",
        "siječnja veljače ožujka travnja svibnja lipnja srpnja kolovoza rujna listopada studenoga prosinca"
      ),
      ("Europe/Ljubljana", "januar februar marec april maj junij julij avgust september oktober november december"),
      (
        "Europe/Warsaw",
        "stycznia lutego marca kwietnia maja czerwca lipca sierpnia września października listopada grudnia"
      ),
      ("Europe/Warsaw", "sty lut mar kwi maj cze lip sie wrz paź lis gru"),
      ("Europe/Prague", "ledna února března dubna května června července srpna září října listopadu prosince"),
      ("Europe/Bratislava", "januára februára marca apríla mája júna júla augusta septembra októbra novembra decembra"),
      ("Europe/Tallinn", "jaanuar veebruar märts aprill mai juuni juuli august september oktoober november detsember"),
      (
        "Europe/Riga",
        "janvāris februāris marts aprīlis maijs jūnijs jūlijs augusts septembris oktobris novembris decembris"
      ),
      (
        "Europe/Bucharest",
        "ianuarie februarie martie aprilie mai iunie iulie august septembrie octombrie noiembrie decembrie"
      ),
      ("Europe/Istanbul", "Ocak Şubat Mart Nisan Mayıs Haziran Temmuz Ağustos Eylül Ekim Kasım Aralık"),
      ("Europe/Oslo", "jan. feb. mars apr. mai juni juli aug. sep. okt. nov. des."),
      ("Europe/Oslo", "januar februar mars april mai juni juli august september oktober november desember"),
      ("Europe/Copenhagen", "januar februar marts april maj juni juli august september oktober november december"),
      ("Europe/Stockholm", "januari februari mars april maj juni juli augusti september oktober november december"),
      (
        "Europe/Helsinki",
        "tammikuuta helmikuuta maaliskuuta huhtikuuta toukokuuta kesäkuuta heinäkuuta elokuuta syyskuuta lokakuuta marraskuuta joulukuuta"
      ),
      ("Europe/Lisbon", "janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro dezembro"),
      ("Europe/Sarajevo", "januar februar mart april maj juni juli august septembar oktobar novembar decembar"),
      ("Atlantic/Reykjavik", "janúar febrúar mars apríl maí júní júlí ágúst september október nóvember desember"),
      ("Asia/Jakarta", "Januari Februari Maret April Mei Juni Juli Agustus September Oktober November Desember"),
      (
        "Europe/Minsk",
        "студзеня лютага сакавіка красавіка мая чэрвеня ліпеня жніўня верасня кастрычніка лістапада снежня"
      ),
      ("Europe/Lisbon", "jan fev mar abr mai jun jul ago set out nov dez"),
      ("Europe/Madrid", "xaneiro febreiro marzo abril maio xuño xullo agosto setembro outubro novembro decembro"),
      ("Europe/Madrid", "gener febrer març abril maig juny juliol agost setembre octubre novembre desembre"),
      (
        "Europe/Athens",
        "Ιανουαρίου Φεβρουαρίου Μαρτίου Απριλίου Μαΐου Ιουνίου Ιουλίου Αυγούστου Σεπτεμβρίου Οκτωβρίου Νοεμβρίου Δεκεμβρίου"
      ),
      ("Africa/Cairo", "يناير فبراير مارس أبريل مايو يونيو يوليو أغسطس سبتمبر أكتوبر نوفمبر ديسمبر"),
      ("Asia/Bangkok", "มกราคม กุมภาพันธ์ มีนาคม เมษายน พฤษภาคม มิถุนายน กรกฎาคม สิงหาคม กันยายน ตุลาคม พฤศจิกายน ธันวาคม"),
      ("Asia/Bangkok", "ม.ค. ก.พ. มี.ค. เม.ย. พ.ค. มิ.ย. ก.ค. ส.ค. ก.ย. ต.ค. พ.ย. ธ.ค."),
    ])
  func months(zone: String, names: String) throws {
    let reader = try reader(in: zone)
    for (index, name) in names.split(separator: " ").enumerated() {
      let days = try reader.date("14 \(name) 2026")
      #expect(days?.day == CivilDate(year: 2026, month: index + 1, day: 14), "\(name)")
    }
  }

  @Test(
    "every month, before its day",
    arguments: [
      (
        "Europe/Budapest",
        "január február március április május június július augusztus szeptember október november december"
      ),
      ("Europe/Budapest", "jan. febr. márc. ápr. máj. jún. júl. aug. szept. okt. nov. dec."),
      (
        "Europe/Vilnius",
        "sausio vasario kovo balandžio gegužės birželio liepos rugpjūčio rugsėjo spalio lapkričio gruodžio"
      ),
      (
        "Europe/Madrid",
        "urtarrilak otsailak martxoak apirilak maiatzak ekainak uztailak abuztuak irailak urriak azaroak abenduak"
      ),
    ])
  func monthsFirst(zone: String, names: String) throws {
    for (index, name) in names.split(separator: " ").enumerated() {
      let date = CivilDate(year: 2026, month: index + 1, day: 14)!
      // No month without a year is far from the capture.
      let captured = Timestamp("\(date)T09:00:00Z")!.instant
      let days = try reader(in: zone, at: captured).date("\(name) 14")
      #expect(days?.day == date, "\(name)")
    }
  }

  @Test(
    "every weekday, before its date",
    arguments: [
      ("Europe/Kyiv", "понеділок вівторок середа четвер п'ятниця субота неділя"),
      ("Europe/Kyiv", "пн вт ср чт пт сб нд"),
      ("Europe/Riga", "понедельник вторник среда четверг пятница суббота воскресенье"),
      ("Europe/Riga", "пн вт ср чт пт сб вс"),
      ("Europe/Sofia", "понеделник вторник сряда четвъртък петък събота неделя"),
      ("Europe/Belgrade", "понедељак уторак среда четвртак петак субота недеља"),
      ("Europe/Belgrade", "ponedeljak utorak sreda četvrtak petak subota nedelja"),
      ("Europe/Zagreb", "ponedjeljak utorak srijeda četvrtak petak subota nedjelja"),
      ("Europe/Zagreb", "pon uto sri čet pet sub ned"),
      ("Europe/Ljubljana", "ponedeljek torek sreda četrtek petek sobota nedelja"),
      ("Europe/Bratislava", "pondelok utorok streda štvrtok piatok sobota nedeľa"),
      ("Europe/Tallinn", "esmaspäev teisipäev kolmapäev neljapäev reede laupäev pühapäev"),
      ("Europe/Riga", "pirmdiena otrdiena trešdiena ceturtdiena piektdiena sestdiena svētdiena"),
      ("Europe/Vilnius", "pirmadienis antradienis trečiadienis ketvirtadienis penktadienis šeštadienis sekmadienis"),
      ("Europe/Athens", "Δευτέρας Τρίτης Τετάρτης Πέμπτης Παρασκευής Σαββάτου Κυριακής"),
      ("Europe/Warsaw", "poniedziałku wtorku środy czwartku piątku soboty niedzieli"),
      ("Europe/Kyiv", "понеділка вівторка середи четверга п'ятниці суботи неділі"),
      ("Atlantic/Reykjavik", "mánudagur þriðjudagur miðvikudagur fimmtudagur föstudagur laugardagur sunnudagur"),
      ("Asia/Jakarta", "Senin Selasa Rabu Kamis Jum'at Sabtu Minggu"),
      ("Asia/Kuala_Lumpur", "Isnin Selasa Rabu Khamis Jumaat Sabtu Ahad"),
      ("Europe/Bucharest", "luni marți miercuri joi vineri sâmbătă duminică"),
      ("Europe/Istanbul", "Pazartesi Salı Çarşamba Perşembe Cuma Cumartesi Pazar"),
      ("Europe/Madrid", "astelehena asteartea asteazkena osteguna ostirala larunbata igandea"),
      ("Europe/Madrid", "luns martes mércores xoves venres sábado domingo"),
      ("Africa/Cairo", "الاثنين الثلاثاء الأربعاء الخميس الجمعة السبت الأحد"),
      ("Asia/Bangkok", "วันจันทร์ที่ วันอังคารที่ วันพุธที่ วันพฤหัสบดีที่ วันศุกร์ที่ วันเสาร์ที่ วันอาทิตย์ที่"),
    ])
  func weekdays(zone: String, names: String) throws {
    let reader = try reader(in: zone)
    for (index, name) in names.split(separator: " ").enumerated() {
      // Monday is 23 November 2026.
      let date = CivilDate(year: 2026, month: 11, day: 23 + index)!
      #expect(try reader.date("\(name) \(date.day).11.2026")?.day == date, "\(name)")
      let wrong = try? reader.date("\(name) \(date.day).11.2025")
      #expect(wrong == nil, "\(name) in another year")
    }
  }

  @Test(
    "21 November as it stands over a programme",
    arguments: [
      ("Europe/Kyiv", "Сьогодні, 21 листопада"), ("Europe/Kyiv", "субота, 21 листопада 2026 р."),
      ("Europe/Kyiv", "сб 21.11"),
      ("Europe/Riga", "Суббота, 21 ноября 2026 года"), ("Europe/Vilnius", "Lapkričio 21 d., šeštadienis"),
      ("Europe/Vilnius", "2026 m. lapkričio 21 d., šeštadienis"), ("Europe/Riga", "2026. gada 21. novembrī, sestdien"),
      ("Europe/Madrid", "Larunbata, azaroaren 21a"), ("Asia/Bangkok", "วันเสาร์ที่ 21 พฤศจิกายน 2569"),
      ("Africa/Cairo", "السبت ٢١ نوفمبر ٢٠٢٦"), ("Europe/Zagreb", "subota, 21. studenog"),
      ("America/Sao_Paulo", "Sáb, 21 nov"), ("Asia/Ho_Chi_Minh", "Thứ Bảy, 21/11/2026"),
      ("Asia/Ho_Chi_Minh", "Thứ 7, 21/11/2026"), ("Europe/Istanbul", "21 Kasım 2026 Cumartesi"),
    ])
  func headings(zone: String, text: String) throws {
    #expect(try reader(in: zone).date(text)?.day?.description == "2026-11-21", "\(text)")
  }

  @Test("a weekday by its number, Sunday being the first")
  func numbered() throws {
    let reader = try reader(in: "America/Sao_Paulo")
    for text in ["3ª feira, 24/11", "3.ª-feira, 24 de novembro", "3ª-feira 24/11"] {
      #expect(try reader.date(text)?.day?.description == "2026-11-24", "\(text)")
    }
    #expect(throws: PrintedAlarm.self) { try reader.date("4ª feira, 24/11") }
  }

  @Test("a Slovak Thursday without its accent is a Wednesday's name")
  func slovak() throws {
    let reader = try reader(in: "Europe/Bratislava")
    for (index, name) in ["po", "ut", "st", "št", "pi", "so", "ne"].enumerated() {
      #expect(try reader.date("\(name) \(23 + index).11.")?.day == CivilDate(year: 2026, month: 11, day: 23 + index))
    }
    #expect(throws: PrintedAlarm.self) { try reader.date("st 27.11.2026") }
  }

  @Test("the month in which leaves fall is the tenth in Croatian and the eleventh in Polish")
  func leafFall() throws {
    let october = Timestamp("2026-10-10T09:00:00Z")!.instant
    #expect(try reader(in: "Europe/Zagreb", at: october).date("14. listopada")?.day?.description == "2026-10-14")
    #expect(try reader(in: "Europe/Warsaw", at: october).date("14 listopada")?.day?.description == "2026-11-14")
  }

  @Test(
    "words that are months in one language alone",
    arguments: ["7 out of 10", "vendredi 24 dès 20h", "16 sie"])
  func others(text: String) throws {
    let days = try reader(in: "Europe/Paris").read(text).groups.flatMap(\.days)
    #expect(days.allSatisfy { [8, 10, 12].contains($0.day?.month) == false }, "\(text)")
  }

  @Test(
    "the halves of a day in Chinese",
    arguments: [
      ("上午10:30", "10:30"), ("下午2:15", "14:15"), ("晚上7:40", "19:40"), ("中午12:10", "12:10"), ("晚上7点30分", "19:30"),
    ])
  func chinese(text: String, time: String) throws {
    let times = try reader(in: "Asia/Taipei").times(text)
    #expect(times.times.map(\.start.description) == [time], "\(text)")
  }

  @Test("what counts pieces in Japanese is an hour in Chinese alone", arguments: ["19:30 入場者特典3点付き", "14:00 グッズ5点セット"])
  func pieces(text: String) throws {
    #expect(try reader(in: "Asia/Tokyo").times(text).times.count == 1, "\(text)")
  }

  @Test(
    "short weekdays of South Slavic languages are words elsewhere",
    arguments: [
      ("Europe/Rome", "V.O. sub 27/11 ore 21:00"), ("Europe/London", "English, sub 27.11. 19:30"),
      ("Europe/Madrid", "VOSE. sub 27/11 21:00"), ("Europe/London", "Ned, 27 Nov 19:30"),
    ])
  func wordsLikeWeekdays(zone: String, text: String) throws {
    let listing = try reader(in: zone).read(text)
    #expect(listing.alarms.isEmpty, "\(text): \(listing.alarms)")
    #expect(listing.groups.flatMap(\.days).map { $0.day?.description } == ["2026-11-27"], "\(text)")
  }

  @Test("a name that is a month in some languages is one where they are spoken")
  func namesLikeMonths() throws {
    for text in ["Sala 3 Marta, 28/11 21:00", "3 Maija", "3 Juna", "3 Tem"] {
      let days = try reader(in: "Europe/Madrid").read(text).groups.flatMap(\.days)
      #expect(days.allSatisfy { $0.day?.month == 11 }, "\(text): \(days)")
    }
    let march = Timestamp("2026-03-01T09:00:00Z")!.instant
    for zone in ["Europe/Riga", "Europe/Belgrade", "Europe/Sarajevo"] {
      #expect(try reader(in: zone, at: march).date("14. marta")?.day?.description == "2026-03-14", "\(zone)")
    }
    let may = Timestamp("2026-05-01T09:00:00Z")!.instant
    #expect(try reader(in: "Europe/Riga", at: may).date("14. maija")?.day?.description == "2026-05-14")
    #expect(try reader(in: "Europe/Belgrade", at: may).date("14. juna")?.day?.description == "2026-06-14")
    #expect(try reader(in: "Europe/Istanbul", at: may).date("14 Tem")?.day?.description == "2026-07-14")
  }

  @Test("a sign at the end of a name is no part of the day")
  func nameWithNight() throws {
    let listing = try reader(in: "Asia/Taipei").read("長夜 下午2:15")
    #expect(listing.times.map(\.start.description) == ["14:15"])
    #expect(listing.times.map(\.text) == ["下午2:15"])
  }

  @Test(
    "today and tomorrow, alone in a line",
    arguments: [
      ("Europe/Prague", "Dnes", 0), ("Europe/Prague", "Zítra", 1), ("Europe/Bratislava", "dnes", 0),
      ("Europe/Bratislava", "Zajtra", 1), ("Europe/Warsaw", "Dziś", 0), ("Europe/Warsaw", "Dzisiaj:", 0),
      ("Europe/Warsaw", "Jutro, sobota", 1), ("Europe/Warsaw", "Jutro:", 1), ("Europe/Budapest", "Ma", 0),
      ("Europe/Budapest", "Holnap", 1),
      ("Europe/Istanbul", "Bugün", 0), ("Europe/Istanbul", "Yarın", 1), ("Europe/Moscow", "Сегодня", 0),
      ("Europe/Moscow", "Завтра", 1), ("Europe/Kyiv", "Сьогодні", 0), ("Europe/Kyiv", "завтра", 1),
      ("Europe/Zagreb", "Danas", 0), ("Europe/Zagreb", "Sutra", 1), ("Europe/Belgrade", "Данас", 0),
      ("Europe/Belgrade", "Сутра", 1), ("Europe/Ljubljana", "Danes", 0), ("Europe/Ljubljana", "Jutri", 1),
      ("Europe/Lisbon", "Hoje", 0), ("Europe/Lisbon", "Amanhã", 1), ("Europe/Bucharest", "Astăzi", 0),
      ("Europe/Bucharest", "Azi", 0), ("Europe/Bucharest", "Mâine", 1), ("Europe/Sofia", "Днес", 0),
      ("Europe/Sofia", "Утре", 1), ("Europe/Athens", "Σήμερα", 0), ("Europe/Athens", "ΑΥΡΙΟ", 1),
      ("Europe/Tallinn", "Täna", 0), ("Europe/Tallinn", "Homme", 1), ("Europe/Riga", "Šodien", 0),
      ("Europe/Riga", "Rīt", 1), ("Europe/Vilnius", "Šiandien", 0), ("Europe/Vilnius", "Rytoj", 1),
      ("Asia/Taipei", "今天", 0), ("Asia/Taipei", "今日", 0), ("Asia/Shanghai", "明天（星期六）", 1),
      ("Europe/Lisbon", "Hoje, sexta-feira", 0), ("Asia/Taipei", "今天 (星期五)", 0),
    ])
  func dayNames(zone: String, text: String, days: Int) throws {
    let noon = Timestamp("2026-11-20T12:00:00Z")!.instant
    let found = try reader(in: zone, at: noon).read(text).groups.flatMap(\.days)
    #expect(found.map(\.day) == [CivilDate("2026-11-20")! + days], "\(text)")
    #expect(found.first?.notes == [.relativeDay], "\(text)")
  }

  @Test(
    "a word for a day is none in another language, nor among other words",
    arguments: [
      ("Europe/Zagreb", "Jutro"), ("Europe/Zagreb", "Jutro:"), ("Europe/Warsaw", "Jutro"), ("Europe/Paris", "Homme"),
      ("Europe/London", "Danes"), ("America/New_York", "Maine"),
      ("Europe/Rome", "Ma"), ("Europe/Madrid", "Sutra"), ("Europe/London", "Rit"), ("Europe/Lisbon", "Hoje não"),
      ("Europe/Prague", "Film Dnes"), ("Asia/Taipei", "明天"), ("Europe/Warsaw", "20:45 Jutro"),
    ])
  func wordsLikeDays(zone: String, text: String) throws {
    let found = try reader(in: zone).read(text).groups.flatMap(\.days)
    #expect(found.isEmpty, "\(text)")
  }

  @Test("Hungarian has the month first, with a weekday behind its day")
  func hungarian() throws {
    let september = Timestamp("2026-09-28T09:00:00Z")!.instant
    let custom = try PrintedReader(
      capturedAt: september, zone: ZoneDirectory().rules(for: #require(ZoneName("Europe/Budapest"))),
      dateOrder: .dayFirst)
    for reader in [try reader(in: "Europe/Budapest", at: september), custom] {
      #expect(try reader.date("10.06. kedd")?.day?.description == "2026-10-06")
      #expect(try reader.date("10.06., kedd")?.day?.description == "2026-10-06")
      #expect(try reader.date("10.26. (hétfő)")?.day?.description == "2026-10-26")
      #expect(try reader.date("06.10. Tuesday")?.day?.description == "2026-10-06")
    }
    #expect(try reader(in: "Europe/Berlin", at: september).date("06.10. Dienstag")?.day?.description == "2026-10-06")
  }

  @Test(
    "small words that are weekdays elsewhere join others here",
    arguments: [
      ("Europe/Prague", "21.11.-23.11. ve 20:30", "2026-11-21…2026-11-23 20:30"),
      ("Europe/Prague", "21.11.+22.11. ve 14:30", "2026-11-21 2026-11-22 14:30"),
      (
        "Europe/Prague", "18.11.-24.11. ve 20:30 a 22.11. též v 15:45", "2026-11-18…2026-11-24 20:30 | 2026-11-22 15:45"
      ),
      ("Europe/Prague", "18.11.-22.11 v 18:30", "2026-11-18…2026-11-22 18:30"),
      ("Europe/Prague", "St 25. 11. ve 20:30", "2026-11-25 20:30"),
      ("Europe/Zagreb", "sri 25.11. do 20:30", "2026-11-25 20:30"),
    ])
  func joints(zone: String, text: String, expected: String) throws {
    #expect(try summary(reader(in: zone).read(text)) == expected, "\(text)")
  }

  @Test(
    "a bracket behind a time may say its days, or those without it",
    arguments: [
      ("Europe/Berlin", "20:15 (21.11. und 22.11.)", "2026-11-21 2026-11-22 20:15"),
      (
        "Europe/Berlin", "20:15 (am 21. und 22. November), 18:00 (23.11.)",
        "2026-11-21 2026-11-22 20:15 | 2026-11-23 18:00"
      ),
      ("Europe/Paris", "18h (les 21 et 22 novembre)", "2026-11-21 2026-11-22 18:00"),
      ("Europe/London", "18:00 (first shown 21 Nov 1946)", "18:00 | 1946-11-21"),
      (
        "America/Sao_Paulo", "Sessões: 16h45min (exibições nos dias 23 e 24 – segunda e terça)",
        "2026-11-23 2026-11-24 16:45"
      ),
      (
        "America/Sao_Paulo", "19h (exibições nos dias 23, 24, 26 e 27 – de segunda a sexta-feira)",
        "2026-11-23 2026-11-24 2026-11-26 2026-11-27 19:00"
      ),
      ("America/Sao_Paulo", "16h45min (não haverá exibições nos dias 23 e 24)", "not 2026-11-23 not 2026-11-24 16:45"),
      ("America/Sao_Paulo", "19h (não haverá sessões nos dias 23 e 24)", "not 2026-11-23 not 2026-11-24 19:00"),
      ("America/Sao_Paulo", "nos dias 23, 24, 26 e 27, 19h", "2026-11-23 2026-11-24 2026-11-26 2026-11-27 19:00"),
      ("Europe/Rome", "23 e 24 novembre ore 19", "2026-11-23 2026-11-24 19:00"),
    ])
  func brackets(zone: String, text: String, expected: String) throws {
    #expect(try summary(reader(in: zone).read(text)) == expected)
  }

  @Test("\"me\" is a weekday only where it is one, and in other countries before a month")
  func pronouns() throws {
    #expect(try summary(reader(in: "Europe/Vienna").read("Despicable Me 3", expecting: .dates)) == "")
    #expect(try summary(reader(in: "Europe/Paris").read("Me 25", expecting: .dates)) == "2026-11-25")
    #expect(try summary(reader(in: "Europe/Zurich").read("Me 25 nov", expecting: .dates)) == "2026-11-25")
  }

  private func reader(in zone: String, at captured: WallTime? = nil) throws -> PrintedReader {
    try PrintedReader(
      capturedAt: captured ?? capture, zone: ZoneDirectory().rules(for: #require(ZoneName(zone))))
  }
}
