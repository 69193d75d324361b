/// What a printed word means to the reader.
enum PrintedWord: Hashable, Sendable {
  case month(Int)
  /// A word of a weekday. A short one ("do", "So", "日") counts only beside a date.
  case weekday(WeekdaySet, isShort: Bool)
  /// "mar" is the third month and the second weekday, often in one language: the reader looks what stands beside it.
  case tuesdayOrMarch
  /// "so" is a Sunday in German and a Saturday in Czech: where the page is from decides.
  case sundayOrSaturday
  /// "do" is a Thursday in German and Dutch and a Sunday in Spanish: elsewhere the date beside it decides.
  case thursdayOrSunday
  /// "ma" is a Monday in Dutch and a Tuesday in French and Spanish: the date beside it decides.
  case mondayOrTuesday
  /// "leden 8" is what members pay, and "8. leden" the 8th of January: in its language the day stands first.
  case monthBehindDay(Int)
  /// "listopad" is the month in which leaves fall: in Croatian the 10th, in Polish and Czech the 11th.
  case leafFall
  /// "out" is a month in Portuguese alone, "marta" in a few languages, and a name elsewhere.
  case monthIn(Set<PrintedRegion.Language>, Int)
  /// "ti", "man", "sex" are weekdays and other words: only right before a day with its month they are meant.
  case weekdayBeforeDate(WeekdaySet)
  /// "sub", "ned" are such in South Slavic languages alone: right before a date they are meant.
  case weekdayIn(Set<PrintedRegion.Language>, WeekdaySet)
  /// "po", "ne" are weekdays in Czech and Slovak, and small words there and elsewhere.
  case weekdayInCzech(WeekdaySet)
  /// "Hoje", "imorgon" are days only beside a date or alone in a line; elsewhere they may be a film's. Days from today.
  case dayName(Int)
  /// "danes" is today in Slovene and a people in English: such words are days in their languages alone.
  case dayNameIn(Set<PrintedRegion.Language>, Int)
  /// "jutro" is tomorrow in Polish and often a film, 明天 is often a link to another page: alone in a line, a weekday or
  /// a colon makes a day of it. Such a word is one in these languages alone, or in all.
  case dayNameInDoubt(Set<PrintedRegion.Language>?, Int)
  /// 평일, 土日: some weekdays of no week in particular.
  case weekdays(WeekdaySet)
  /// 매주, every: the weekday behind it is of no week in particular.
  case every
  /// "3ª feira": a weekday by its number, Sunday being the first.
  case numberedWeekday
  /// 月 and 日, 월 and 일 are Monday and Sunday too, where a weekday can stand.
  case yearUnit, monthUnit, dayUnit, hourUnit, minuteUnit, half
  /// 点 counts pieces in Japanese: "特典3点".
  case hourInChinese
  /// Adds up with a year of its own to one of ours: Reiwa 8 is 2018 + 8.
  case era(Int)
  /// The first year of an era.
  case firstYear
  case ordinal
  case partOfDay(PartOfDay)
  case clock(ClockWord)
  /// Days from today.
  case relativeDay(Int)
  /// Between two of a kind: a range. Elsewhere it means nothing: "à", "to".
  case joint
  /// Between two of a kind: a range. Before one: until it.
  case until
  /// After one: until it.
  case untilSuffix
  /// Before or after one: from it on.
  case from
  case except
  /// "sf mardi": what else it is short for stands in programmes elsewhere.
  case exceptInFrench
  /// The same, where it stands in a bracket or behind a comma and a day stands behind it: "(not Wed)".
  case not
  /// ※: an exception follows, if it says so, or any other remark.
  case remark
  case closed
  /// Between two of a list.
  case and
  /// Between a weekday and its times: "So. auch 17.00".
  case also
  case endUndecided
  case role(PrintedRole)
  /// Says that a number nearby is a time: "um", "ore", "um 20.15".
  case timeHint
  /// Means nothing: "de", "the", "of".
  case filler
  /// Looks like a unit and is none: "時間" and "분간" are how long, not when.
  case opaque

  enum ClockWord: Hashable, Sendable { case noon, midnight }
}

/// What a printed time is the time of.
package enum PrintedRole: String, Hashable, Sendable, Codable {
  case doors, start, end, lastOrder
}

/// What stands beside a time of a 12-hour clock.
enum PartOfDay: Hashable, Sendable {
  /// Before and after noon, exactly.
  case am, pm
  /// Around noon: 11, 12, and 1 to 5 of the afternoon.
  case noonish
  /// From the late afternoon on: 4 to 11.
  case evening
  /// 6 to 11 of the evening, then 12 and the small hours after midnight.
  case night
  /// The small hours, of a day that is not said.
  case dawn
  /// 심야, 深夜: after midnight of the day it is printed under, unless the hour is still of the evening.
  case lateNight
  /// 翌, 다음날: after midnight.
  case nextDay
}

/// The words, by script.
struct PrintedVocabulary<Meaning: Sendable>: Sendable {
  /// Whole words of Latin, Greek and Hebrew; phrases have single spaces.
  private var spaced: [String: Meaning] = [:]
  /// First words of phrases.
  private var phraseStarts: Set<String> = []
  /// Words of Han, kana and Hangul by their first scalar, longest first.
  private var unspaced: [UInt32: [(scalars: [UInt32], meaning: Meaning)]] = [:]

  /// Each line is words that mean the same, separated by spaces; `_` is a space inside a phrase.
  init(_ lines: [(Meaning, String)]) {
    for (meaning, words) in lines {
      for word in words.split(separator: " ") { add(String(word).replacing("_", with: " "), meaning) }
    }
    for key in unspaced.keys { unspaced[key]?.sort { $0.scalars.count > $1.scalars.count } }
  }

  private mutating func add(_ word: String, _ meaning: Meaning) {
    let scalars = word.unicodeScalars.map(\.value)
    guard let first = scalars.first else { return }
    if isSpacedLetter(first) {
      precondition(spaced.updateValue(meaning, forKey: word) == nil, "\(word) is in the vocabulary twice")
      if let space = word.firstIndex(of: " ") { phraseStarts.insert(String(word[..<space])) }
    } else {
      unspaced[first, default: []].append((scalars, meaning))
    }
  }

  static var phraseWordsMax: Int { 4 }
  private static var wordLettersMax: Int { 24 }

  /// The longest word or phrase that begins at `index`, and how many scalars it has.
  func match(in text: FoldedText, at index: Int) -> (meaning: Meaning?, length: Int)? {
    let first = text[index]
    if isSpacedLetter(first) { return spacedMatch(in: text, at: index) }
    for (scalars, meaning) in unspaced[first] ?? []
    where scalars.indices.allSatisfy({ scalars[$0] == text[index + $0] }) {
      return (meaning, scalars.count)
    }
    return nil
  }

  private func spacedMatch(in text: FoldedText, at index: Int) -> (meaning: Meaning?, length: Int) {
    var end = index
    while isSpacedLetter(text[end]) { end += 1 }
    let length = end - index
    guard length <= Self.wordLettersMax else { return (nil, length) }
    let word = Self.string(text, index..<end)
    if phraseStarts.contains(word), let phrase = phrase(in: text, word, end: end, start: index) { return phrase }
    if let meaning = spaced[word] { return (meaning, length) }
    // Hebrew writes "in", "to", "from" and "the" into the word.
    if length > 3, "בלמהו".unicodeScalars.contains(where: { $0.value == text[index] }),
      let meaning = spaced[String(word.unicodeScalars.dropFirst())]
    {
      return (meaning, length)
    }
    return (nil, length)
  }

  private func phrase(
    in text: FoldedText, _ firstWord: String, end firstEnd: Int, start: Int
  ) -> (meaning: Meaning?, length: Int)? {
    var words = firstWord
    var end = firstEnd
    var best: (meaning: Meaning?, length: Int)?
    for _ in 1..<Self.phraseWordsMax {
      // One mark between the words, or two: "p. m.".
      var next = end
      while next < end + 2, Self.isJoint(text[next]) { next += 1 }
      guard next > end, isSpacedLetter(text[next]) else { break }
      var wordEnd = next
      while isSpacedLetter(text[wordEnd]), wordEnd - next <= Self.wordLettersMax { wordEnd += 1 }
      guard !isSpacedLetter(text[wordEnd]) else { break }
      words += " " + Self.string(text, next..<wordEnd)
      end = wordEnd
      if let meaning = spaced[words] { best = (meaning, end - start) }
    }
    return best
  }

  /// Space, hyphen, apostrophe, full stop, slash, quotation mark, ampersand.
  private static func isJoint(_ value: UInt32) -> Bool {
    switch value {
    case 0x20, 0x2D, 0x27, 0x2E, 0x2F, 0x22, 0x26: true
    default: false
    }
  }

  private static func string(_ text: FoldedText, _ range: Range<Int>) -> String {
    var string = String.UnicodeScalarView()
    for index in range { string.append(Unicode.Scalar(text[index]) ?? " ") }
    return String(string)
  }
}

extension WeekdaySet {
  init(_ weekdays: Weekday...) { self = weekdays.reduce(into: []) { $0.formUnion(WeekdaySet($1)) } }
}

extension PrintedVocabulary<PrintedWord> {
  /// Korean, Japanese, English, French, German, Spanish, Italian, Dutch, Hebrew; names of months and weekdays of the
  /// languages of `PrintedVocabulary+Names`; folded as `FoldedText` folds.
  static let times = PrintedVocabulary(
    months + monthsOfOthers + monthsOfOtherScripts + weekdays + weekdaysOfOthers + weekdaysOfOtherScripts + days
      + clocks
      + ranges + rangesOfOtherScripts + programme)

  private static let months: [(PrintedWord, String)] = [
    (
      .month(1),
      "january jan gener janvier janv januar jaenner janner enero ene gennaio gen januari stycznia ledna janeiro ינואר ינו"
    ),
    (
      .month(2),
      "february feb febrer fevrier fevr fev februar febrero febbraio febr februari lutego unora fevereiro פברואר פבר"
    ),
    (.month(3), "march marc mars marz maerz mrz marzo maart mrt marts marca brezna מרץ מרס מארס"),
    (.month(4), "april apr avril avr abril abr aprile kwietnia dubna אפריל אפר"),
    (.month(5), "may mai maig mayo maggio mag mei maj maja kvetna maio מאי"),
    (.month(6), "june jun juny juin juni junio giugno giu czerwca cervna junho יוני יונ"),
    (.month(7), "july jul juliol juillet juil juli julio luglio lug lipca cervence julho יולי יול"),
    (.month(8), "august aug agost aout agosto ago augustus augusti sierpnia srpna אוגוסט אוג"),
    (
      .month(9),
      "september sep sept setembre septembre septiembre setiembre set settembre sett wrzesnia zari setembro ספטמבר ספט"
    ),
    (.month(10), "october oct octobre oktober okt octubre ottobre ott pazdziernika rijna outubro אוקטובר אוק"),
    (.month(11), "november nov novembre noviembre listopadu novembro נובמבר נוב"),
    (
      .month(12),
      "december dec desembre decembre dezember dez diciembre dic dicembre grudnia prosince dezembro דצמבר דצמ"
    ),
  ]

  private static let weekdays: [(PrintedWord, String)] = [
    (
      .weekday(.init(.monday), isShort: false),
      "monday dilluns lundi montag lunes lunedi maandag mandag poniedzialek pondeli segunda_feira 月曜日 月曜 월요일 星期一 週一 周一 יום_שני יום_ב"
    ),
    (
      .weekday(.init(.tuesday), isShort: false),
      "tuesday dimarts mardi dienstag martes martedi dinsdag tisdag tirsdag wtorek utery terca_feira 火曜日 火曜 화요일 星期二 週二 周二 יום_שלישי יום_ג"
    ),
    (
      .weekday(.init(.wednesday), isShort: false),
      "wednesday dimecres mercredi mittwoch miercoles mercoledi woensdag onsdag sroda streda quarta_feira 水曜日 水曜 수요일 星期三 週三 周三 יום_רביעי יום_ד"
    ),
    (
      .weekday(.init(.thursday), isShort: false),
      "thursday dijous jeudi donnerstag jueves giovedi donderdag torsdag czwartek ctvrtek quinta_feira 木曜日 木曜 목요일 星期四 週四 周四 יום_חמישי יום_ה"
    ),
    (
      .weekday(.init(.friday), isShort: false),
      "friday divendres vendredi freitag viernes venerdi vrijdag fredag piatek patek sexta_feira 金曜日 金曜 금요일 星期五 週五 周五 יום_שישי יום_ו"
    ),
    (
      .weekday(.init(.saturday), isShort: false),
      "saturday dissabte samedi samstag sonnabend sabado sabato zaterdag lordag sobota 土曜日 土曜 토요일 星期六 週六 周六 יום_שבת שבת מוצאי_שבת מוצ_ש"
    ),
    (
      .weekday(.init(.sunday), isShort: false),
      "sunday diumenge dimanche sonntag domingo domenica zondag sondag niedziela nedele 日曜日 日曜 일요일 星期日 週日 周日 יום_ראשון יום_א"
    ),
    (.weekday(.init(.monday), isShort: true), "mon lun mo lu pon segunda seg שני"),
    (.weekday(.init(.tuesday), isShort: true), "tue tues din wt ut tis terca 火 화 שלישי"),
    (.tuesdayOrMarch, "mar"),
    (
      .weekdays(.init(.monday, .tuesday, .wednesday, .thursday, .friday)),
      "평일 平日 weekdays wochentags werktags laborables feriali en_semaine doordeweeks"
    ),
    (.weekdays(.init(.saturday, .sunday)), "주말 土日祝 土日 週末 weekends"),
    (.numberedWeekday, "a_feira"),
    (.every, "매주 毎週 every jeden chaque cada ogni elke"),
    (.weekday(.init(.wednesday), isShort: true), "wed weds mer mie mit mi wo me sr ons quarta qua 水 수 רביעי"),
    (.weekday(.init(.thursday), isShort: true), "thu thur thurs jeu jue gio je czw ct tors quinta 木 목 חמישי"),
    (.weekday(.init(.friday), isShort: true), "fri ven vie vri vr ve fr pt pa fre sexta 金 금 שישי"),
    (.weekday(.init(.saturday), isShort: true), "sat sam sab zat za sa sob lor 土 토"),
    (.weekday(.init(.sunday), isShort: true), "sun dim dom zon zo niedz ראשון"),
    // German and Dutch, but French; German and Dutch, but Spanish and Italian; Dutch, but French and Spanish.
    (.weekday(.init(.tuesday, .sunday), isShort: true), "di"),
    (.thursdayOrSunday, "do"),
    (.sundayOrSaturday, "so"),
    (.mondayOrTuesday, "ma"),
  ]

  private static let days: [(PrintedWord, String)] = [
    (.yearUnit, "年 년"), (.monthUnit, "月 월"), (.dayUnit, "日 일"),
    (
      .opaque,
      "日間 일간 時間 시간 分間 분간 年間 년간 ヶ月 か月 カ月 개월 週間 주간 日本 日劇 日比谷 日活 月間 월간"
        + " eur euro euros chf usd gbp krw jpy won yen dollars minutes minuten minuti minutos mins"
    ),
    (.era(2018), "令和 레이와"), (.era(1988), "平成"), (.era(1925), "昭和"), (.firstYear, "元"),
    (.ordinal, "st nd rd th er ere e"),
    (.relativeDay(-1), "어제 昨日 yesterday gestern ayer ieri gisteren אתמול"),
    (
      .relativeDay(0),
      "오늘 금일 今日 本日 きょう today todays tonight aujourd_hui ce_soir heute heute_morgen heute_abend hoy oggi stasera vandaag"
        + " vanavond היום הערב"
    ),
    (
      .relativeDay(1),
      "내일 명일 明日 あした あす tomorrow demain morgen manana domani מחר"
    ),
    (
      .relativeDay(2),
      "모레 明後日 あさって day_after_tomorrow apres_demain ubermorgen uebermorgen pasado_manana dopodomani overmorgen מחרתיים"
    ),
    (.filler, "the of de d del della le la il el los las der den dem das on el_dia op von vom van du ה"),
  ]

  private static let clocks: [(PrintedWord, String)] = [
    (.hourUnit, "時 시 h u hs hrs uhr uur heures heure horas hora sati sata casova часова часов"),
    (.hourInChinese, "点 點"),
    (.minuteUnit, "分 분 min"), (.half, "半 반"),
    (
      .partOfDay(.am),
      "오전 午前 上午 早上 아침 朝 am a_m morning in_the_morning du_matin matin vormittags morgens de_la_manana di_mattina del_mattino"
    ),
    (.partOfDay(.am), "s_ochtends s_morgens בבוקר לפנה_צ"),
    (
      .partOfDay(.pm),
      "오후 午後 下午 pm p_m afternoon in_the_afternoon apres_midi de_l_apres_midi nachmittags de_la_tarde del_pomeriggio"
    ),
    (.partOfDay(.pm), "s_middags אחר_הצהריים אחה_צ"),
    (.partOfDay(.noonish), "낮 昼 お昼 中午 mittags בצהריים"),
    (.partOfDay(.evening), "저녁 夕方 夕 晚上 傍晚 evening in_the_evening du_soir soir abends di_sera s_avonds בערב"),
    (.partOfDay(.night), "밤 夜 at_night nachts de_la_noche di_notte de_la_nuit s_nachts בלילה"),
    (.partOfDay(.dawn), "새벽 未明 早朝 凌晨 de_la_madrugada"),
    (.partOfDay(.lateNight), "심야 深夜 late_night"),
    (.partOfDay(.nextDay), "翌日 翌朝 翌 다음날 다음_날 익일 next_day lendemain folgetag"),
    (.clock(.noon), "正午 정오 noon midi mediodia mezzogiorno mittag"),
    (.clock(.midnight), "자정 零時 midnight minuit mitternacht medianoche mezzanotte middernacht חצות"),
    (.timeHint, "um ore alle kl om a_las a_la בשעה at o_clock klo kello godz saat"),
  ]

  private static let ranges: [(PrintedWord, String)] = [
    (.joint, "to a au al"),
    (
      .until,
      "till til until thru through bis jusqu_au jusqu_a hasta hasta_el fino_al fino_a t_m tot tot_en_met עד εωσ μεχρι"
    ),
    (.untilSuffix, "까지 まで 迄 限り"),
    (.from, "부터 から より od from since starting des_le des a_partir_du ab desde desde_el dal dalle vanaf החל"),
    (.remark, "※ 但し ただし"),
    (
      .also,
      "auch also aussi anche tambien tambem ook zusatzlich takze rowniez taky takoder tudi aven ogsa myos szinten"
    ),
    (.and, "and et und y en & 및 ו και"),
    (
      .except,
      "except excluding sauf ausser salvo excepto tranne eccetto behalve למעט oprocz z_wyjatkiem krome mimo okrem kiveve osim razen εκτοσ πλην utom undtagen unntatt paitsi exceto excepte tret_de кроме крім осим освен"
        + " nao_havera_exibicao nao_havera_exibicoes nao_ha_exibicao nao_ha_exibicoes"
    ),
    (.exceptInFrench, "sf"),
    (.opaque, "closed_caption closed_captions closed_captioned closed_captioning"),
    (.not, "not nicht pas_le pas niet non kein"),
    (
      .closed,
      "휴관 휴무 휴영 휴업 상영_없음 상영없음 休映 休館 休業 休み 休止 上映なし 上映無し 上映はありません closed no_screenings no_screening"
        + " ferme relache geschlossen ruhetag cerrado chiuso riposo gesloten סגור"
        + " nao_ha_sessoes nao_havera_sessoes nao_havera_sessao sem_sessoes no_hay_funciones no_hay_funcion no_hay_sesiones"
        + " sin_funciones pas_de_seance pas_de_seances keine_vorstellung keine_vorstellungen nessuna_proiezione no_shows"
        + " geen_voorstelling geen_voorstellingen"
        + " fechado encerrado stangt lukket stengt nieczynne zavreno suljettu zarva kapali κλειστα κλειστο"
    ),
    (.endUndecided, "上映終了未定 終了未定 終了日未定 종영_미정 종영미정 종료_미정 종료미정 open_end open_ended"),
  ]

  private static let programme: [(PrintedWord, String)] = [
    (
      .role(.doors),
      "開場 입장 doors door doors_open doors_opens doors_open_at doors_open_from doors_at doors_from door_time doors_time door_times gates_open gates_open_at einlass ouverture ouverture_des_portes puertas apertura apertura_porte deuren פתיחת_דלתות דלתות"
    ),
    (
      .role(.start),
      "開演 開映 上映開始 開始 上映 상영 시작 상영시작 start starts start_time begin beginn film seance inicio inizio aanvang תחילה"
    ),
    (.role(.end), "終了予定 終演予定 終映予定 上映終了予定 終了 終映 終演 終 종료 종영 끝 ends end ende fin fine einde סיום"),
    (.role(.lastOrder), "l_o ラストオーダー 라스트오더 마지막_주문 last_order last_orders"),
  ]
}
