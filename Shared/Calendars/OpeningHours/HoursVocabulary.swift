/// The words of printed opening hours, in Japanese, Korean, English and five more languages of Europe, with OpenStreetMap's
/// abbreviations: one table.
enum HoursVocabulary {
  /// The longest word that stands at a place, and what it means.
  static func word(in text: FoldedText, at place: Int) -> (length: Int, token: HoursToken)? {
    guard let candidates = table[text[place]] else { return nil }
    for entry in candidates where entry.stands(in: text, at: place) {
      return (entry.scalars.count, entry.token)
    }
    return nil
  }

  /// Where a word means what it does.
  private enum Standing {
    case anywhere
    /// A single character that is a weekday only where no other word goes on: the 金 of 料金 is none.
    case short
    /// Two letters that are a word of another meaning, too: "We are open", and "We 10:00".
    case abbreviation
    /// "Mo off", and "50% off".
    case behindDay
  }

  private struct Entry {
    let scalars: [UInt32]
    let token: HoursToken
    let standing: Standing

    func stands(in text: FoldedText, at place: Int) -> Bool {
      guard isPrinted(in: text, at: place) else { return false }
      let (before, after, end) = (text[place - 1], text[place + scalars.count], place + scalars.count)
      switch standing {
      case .anywhere: return true
      case .abbreviation: return !isDigit(before) && leadsOn(text, from: place, end)
      case .behindDay: return Self.endsDay(text, at: place)
      case .short:
        return isFree(before, isBefore: true) && (isFree(after, isBefore: false) || isWord(text, end))
      }
    }

    /// Whether it is there, and no part of a longer word.
    private func isPrinted(in text: FoldedText, at place: Int) -> Bool {
      guard place >= 0, place + scalars.count <= text.count else { return false }
      for (offset, scalar) in scalars.enumerated() where text[place + offset] != scalar { return false }
      if isSpacedLetter(scalars[0]), isSpacedLetter(text[place - 1]) { return false }
      guard let last = scalars.last else { return false }
      return !isSpacedLetter(last) || !isSpacedLetter(text[place + scalars.count])
    }

    /// A time, another day or "closed" stands behind it, or nothing where a day or "closed" stands before: "Mo. 10-18",
    /// "Mo, Di", "Ruhetag: Mo". So "25th" is no day, nor "Fr. 25.-", "0.5 mi, uphill" and "if you do."
    private func leadsOn(_ text: FoldedText, from place: Int, _ end: Int) -> Bool {
      var next = Self.behindBlanks(text, end)
      var mark: UInt32 = 0
      while text[next] == 0x2E || text[next] == 0x3A {
        mark = text[next]
        next = Self.behindBlanks(text, next + 1)
      }
      if next >= text.count || text[next] == 0x0A {
        return mark == 0x3A || Self.isLineStart(text, place) || Self.endsDay(text, at: place)
      }
      if Self.isTold(text, next, isMarked: false) { return true }
      guard ",;&-~".unicodeScalars.contains(where: { $0.value == text[next] }) else { return false }
      let isLoose = text[next] == 0x2C || text[next] == 0x3B || Self.isBehindNumber(text, place)
      next = Self.behindBlanks(text, next + 1)
      return Self.isTold(text, next, isMarked: true) || !isLoose && isSpacedLetter(text[next])
    }

    private static let leading = ["bis ", "von ", "ab ", "à ", "au ", "de "].map { FoldedText($0).scalars }

    private static func behindBlanks(_ text: FoldedText, _ place: Int) -> Int {
      var place = place
      while text[place] == 0x20 { place += 1 }
      return place
    }

    private static func isLineStart(_ text: FoldedText, _ place: Int) -> Bool {
      var before = place - 1
      while before >= 0, text[before] == 0x20 { before -= 1 }
      return before < 0 || text[before] == 0x0A
    }

    private static func isBehindNumber(_ text: FoldedText, _ place: Int) -> Bool {
      var before = place - 1
      while before >= 0, text[before] == 0x20 { before -= 1 }
      return before >= 0 && isDigit(text[before])
    }

    /// A day, "closed" or a time begins here; an abbreviation only behind a mark: "so we are". Words may lead to them:
    /// "Mo. bis Fr. von 11.30".
    private static func isTold(_ text: FoldedText, _ place: Int, isMarked: Bool) -> Bool {
      if isDigit(text[place]) { return isClock(text, place) }
      for word in leading where text.begins(with: word, at: place) {
        return isTold(text, place + word.count, isMarked: true)
      }
      return HoursVocabulary.table[text[place]]?.contains {
        $0.isDayOrClosed && (isMarked || $0.standing != .abbreviation) && $0.isPrinted(in: text, at: place)
      } ?? false
    }

    /// "10:00", "10.30", "10h", "10 - 18", "10 Uhr" and "1000-1800", and no other number.
    private static func isClock(_ text: FoldedText, _ place: Int) -> Bool {
      var end = place
      while isDigit(text[end]) { end += 1 }
      guard [1, 2, 4].contains(end - place) else { return false }
      if text[end] == 0x3A || text[end] == 0x2E { return isDigit(text[end + 1]) }
      end = behindBlanks(text, end)
      return text[end] == 0x2D || text[end] == 0x7E || isSpacedLetter(text[end]) || isUnspacedLetter(text[end])
    }

    /// Before this stands a day or "closed", with a mark between them at most.
    private static func endsDay(_ text: FoldedText, at place: Int) -> Bool {
      var end = place
      while end > 0, " ,&-~:.".unicodeScalars.contains(where: { $0.value == text[end - 1] }) { end -= 1 }
      return HoursVocabulary.table.values.contains { entries in
        entries.contains { $0.isDayOrClosed && $0.isPrinted(in: text, at: end - $0.scalars.count) }
      }
    }

    private var isDayOrClosed: Bool {
      switch token {
      case .days, .closed: true
      default: false
      }
    }

    private func isFree(_ scalar: UInt32, isBefore: Bool) -> Bool {
      !isUnspacedLetter(scalar) || HoursVocabulary.shortDays.contains(scalar)
        || isBefore && HoursVocabulary.dayEndings.contains(scalar)
    }

    private func isWord(_ text: FoldedText, _ place: Int) -> Bool {
      HoursVocabulary.table[text[place]]?.contains { $0.standing != .short && $0.stands(in: text, at: place) } ?? false
    }
  }

  private static let shortDays = Set("月火水木金土日祝월화수목금토일".unicodeScalars.map(\.value))
  /// What may stand before a weekday of one character without being part of its word: 毎週日, 第3月, 前日.
  private static let dayEndings = Set("週毎第前祝は、と曜주".unicodeScalars.map(\.value))

  private static let table: [UInt32: [Entry]] = {
    var table: [UInt32: [Entry]] = [:]
    func add(_ words: String, _ token: HoursToken, _ standing: Standing = .anywhere) {
      for word in words.split(separator: "|") {
        let scalars = FoldedText(word).scalars
        table[scalars[0], default: []].append(
          Entry(scalars: scalars, token: token, standing: standing))
      }
    }
    for (weekday, words) in zip(Weekday.allCases, weekdayWords) { add(words, .days(DayKinds(weekday))) }
    for (weekday, words) in zip(Weekday.allCases, ["月|월", "火|화", "水|수", "木|목", "金|금", "土|토", "日|일"]) {
      add(words, .days(DayKinds(weekday)), .short)
    }
    for (weekday, words) in zip(Weekday.allCases, abbreviations) {
      add(words, .days(DayKinds(weekday)), .abbreviation)
    }
    add("ph", .days(.holiday), .abbreviation)
    add("off", .closed, .behindDay)
    // Which of the weeks it is, nobody says.
    for day in "月火水木金土日" { add("隔週\(day)曜日|隔週\(day)曜", .irregular) }
    for day in "월화수목금토일" { add("격주 \(day)요일|격주\(day)요일", .irregular) }
    for (words, token) in others { add(words, token) }
    return table.mapValues { entries in entries.sorted { $0.scalars.count > $1.scalars.count } }
  }()

  private static let weekdayWords = [
    "月曜日|月曜|월요일|monday|mondays|mon|montag|montags|maandag|lundi|lunes|lunedì",
    "火曜日|火曜|화요일|tuesday|tuesdays|tues|tue|dienstag|dienstags|dinsdag|mardi|martes|martedì",
    "水曜日|水曜|수요일|wednesday|wednesdays|weds|wed|mittwoch|mittwochs|woensdag|mercredi|miércoles|mercoledì",
    "木曜日|木曜|목요일|thursday|thursdays|thurs|thur|thu|donnerstag|donnerstags|donderdag|jeudi|jueves|giovedì",
    "金曜日|金曜|금요일|friday|fridays|fri|freitag|freitags|vrijdag|vendredi|viernes|venerdì",
    "土曜日|土曜|토요일|saturday|saturdays|sat|samstag|samstags|zaterdag|samedi|sábado|sabato",
    "日曜日|日曜|일요일|sunday|sundays|sun|sonntag|sonntags|zondag|dimanche|domingo|domenica",
  ]

  /// Of OpenStreetMap, of German, Dutch, French, Spanish and Italian.
  private static let abbreviations = [
    "mo|lu|lun", "tu|di|mar", "we|mi|wo|me|mer|mié|mie", "th|do|je|jeu|jue|gio", "fr|vr|ve|ven|vie",
    "sa|za|sam|sáb|sab",
    "su|so|zo|dim|dom",
  ]

  private static let others: [(String, HoursToken)] = [
    ("平日|평일|weekdays|weekday|m-f|m - f", .days(.workdays)), ("週末|주말|weekends|weekend", .days(.weekend)),
    (
      "毎日|全日|매일|연중|모든 요일|daily|every day|everyday|all week|7 days a week|7 days|seven days|tous les jours|7j/7|7j7|"
        + "7 jours sur 7|täglich|tgl|dagelijks|todos los días|tutti i giorni",
      .days(.everyDay)
    ),
    (
      "祝日|祝祭日|祭日|振替休日|振休|祝|공휴일|법정공휴일|국경일|public holidays|bank holidays|bank holiday|public holiday|holidays",
      .days(.holiday)
    ),
    ("休日|휴일", .daysOff),
    ("祝前日|祝日前|祝前|祝日の前日|休前日|공휴일 전날|공휴일전날|eve of holidays", .days(.holidayEve)),
    (
      "定休日|定休|休業日|休業|営業なし|営業無し|営業しません|店休日|休館|お休み|休み|休|휴무일|정기휴무일|정기휴무|정기 휴무|휴무|휴점일|휴점|휴업|쉽니다|쉼|closed on|closed all day|closed|"
        + "gesloten|geschlossen|ruhetage|ruhetag|fermés|fermé|fermeture hebdomadaire|fermeture|cerrado|chiuso",
      .closed
    ),
    (
      "年中無休|無休|休みなし|定休日なし|なし|無し|無|연중무휴|무휴|휴무 없음|휴무없음|없음|open every day|open daily|no closing days|none",
      .neverClosed
    ),
    (
      "不定休|不定期|月1回|月2回|月3回|月1日|月2日|月に1回|月に2回|月数回|月1~2回|月2~3回|부정기|비정기|격주|隔週|月により異なる|月によって異なる|irregular holidays|irregular",
      .irregular
    ),
    (
      "l.o.|l.o|lo|o.s.|o.s|os|ラストオーダー|ラストオーダ|オーダーストップ|最終注文|라스트오더|라스트 오더|주문마감|주문 마감|마지막 주문|last orders|last order|kitchen closes",
      .lastOrder
    ),
    ("ドリンク|飲物|飲み物|드링크|음료|주류|drinks|drink", .drinks),
    (
      "ブレイクタイム|ブレークタイム|休憩時間|休憩|中休み|準備時間|準備中|仕込み中|アイドルタイム|브레이크타임|브레이크 타임|브레이크|휴게시간|준비시간|break time|break",
      .breakTime
    ),
    (
      "通し営業|通し|中休みなし|中休み無し|休憩なし|休憩無し|ブレイクタイムなし|アイドルタイムなし|ノンストップ|브레이크타임 없음|브레이크타임없음|no break|"
        + "service continu|sans interruption|non-stop|durchgehend",
      .throughout
    ),
    ("24時間営業|24時間|24시간 영업|24시간|open 24 hours|24 hours|24hours|24 hour|24/7", .allDay),
    ("ラスト|閉店まで|閉店|クローズ|마감|마감시|late|close", .openEnd),
    ("翌日|翌朝|翌|다음날|다음 날|익일|next day", .nextDay), ("深夜|새벽", .nextDay),
    ("午前|오전|am|a.m.|a.m", .meridiem(isAfternoon: false)), ("朝|아침", .meridiem(isAfternoon: false, .breakfast)),
    ("午後|오후|pm|p.m.|p.m", .meridiem(isAfternoon: true)), ("夜|저녁|밤", .meridiem(isAfternoon: true, .dinner)),
    ("正午|정오|12 noon|12noon|noon|midday", .time(720, isNextDay: false, hasMeridiem: true)),
    ("자정|12 midnight|midnight|minuit|mitternacht|medianoche", .time(0, isNextDay: false, hasMeridiem: true)),
    ("まで|迄|까지|until|till|til", .until), ("から|より|부터|to|through|thru|bis|tot|à|au|al|hasta", .range),
    (
      "祝日の場合は営業、翌日休み|祝日の場合は営業、翌日|祝日の場合は翌日休み|祝日の場合は翌日|祝日の場合、翌日|祝日の場合翌日|祝日の場合は翌平日|祝の場合は翌日|祝日の場合は翌|祝日の場合は営業、翌|祝日の場合は営業し翌日休み|祝日の場合は営業し、翌日休み|공휴일인 경우 다음날|공휴일이면 다음날",
      .movesAfterHoliday
    ),
    (
      "祝日の場合は営業し|祝日の場合は営業|祝日は営業し|祝日は営業|祝の場合は営業|祝日営業|祝日除く|祝日を除く|祝日は除く|공휴일은 영업|공휴일 제외|공휴일은 정상영업|except bank holidays|except holidays|except public holidays",
      .openOnHolidays
    ),
    ("にあたる場合|に当たる場合|と重なる場合|と重なった場合|だった場合|の場合|の際|の時は|인 경우|일 경우", .condition),
    (
      "祝前日の場合は営業、翌月曜休み|祝前日の場合は営業、翌日休み|祝前日の場合は営業|祝前日は営業|翌日が祝日の場合は営業|連休の場合は最終日|連休の場合",
      .word("祝前日の場合")
    ),
    // Neither every holiday nor every such day of the week: which ones is not kept, so it is not taken for either.
    (
      "祝日の翌日|祝日翌日|祝の翌日|祝祭日の翌日|休日の翌日|祝日の翌平日|공휴일 다음날|공휴일 다음 날|공휴일 익일",
      .word("祝日の翌日")
    ),
    (
      "月火水木金土日".map { "祝日の\($0)曜日|祝日の\($0)曜|祝日が\($0)曜|祝日にあたる\($0)曜" }.joined(separator: "|"),
      .word("祝日の曜日")
    ),
    (
      "except on|except for|except|excluding|apart from|other than|außer|ausser|sauf|excepto|salvo|tranne|eccetto|behalve",
      .exceptBehind
    ),
    ("を除く|を除き|を除いて|除く|除き|以外|는 제외|은 제외|제외한|제외|빼고", .exceptBefore),
    (
      "happy hours|happy hour|ハッピーアワー|해피아워|해피 아워|delivery|deliveries|デリバリー|배달|takeaway|takeout|take out|テイクアウト|테이크아웃|포장",
      .otherHours
    ),
    ("最終週|最終|最後の|마지막 주|마지막주|마지막|last|letzter|letzten|letzte", .nth(-1)), ("年末年始|연말연시", .yearEnd),
    (
      "설날/추석 당일|설날/추석|설/추석|설, 추석 당일|설, 추석|설,추석 당일|설,추석|구정, 추석|구정|설 연휴|설연휴|추석 연휴|추석연휴|명절 연휴|명절연휴|설날, 추석 당일|설날, 추석",
      .lunarFeast
    ),
    ("설날 당일|추석 당일|설날·추석|설·추석|설날|추석|설 당일|명절 당일|명절", .lunarFeast),
    ("christmas day|christmas|크리스마스", .date(1225)), ("new year's day|new years day|元日|元旦|신정", .date(101)),
    ("new year's eve|new years eve|大晦日", .date(1231)), ("boxing day", .date(1226)),
    ("営業いたします|営業致します|営業します|休まず営業|通常営業|通常通り営業|営業中|営業|영업중|영업|운영", .isOpen),
    // What is said of some weeks ends where something is said of all.
    (",毎週|, 毎週|と毎週|/毎週|·毎週|,매주|, 매주", .line),
    ("第1|第一|첫째 주|첫째주|첫째|첫 번째|first", .nth(1)),
    ("第2|第二|둘째 주|둘째주|둘째|두 번째|second", .nth(2)), ("第3|第三|셋째 주|셋째주|셋째|세 번째|third", .nth(3)),
    ("第4|第四|넷째 주|넷째주|넷째|네 번째|fourth", .nth(4)), ("第5|第五|다섯째 주|다섯째", .nth(5)),
    ("モーニング|朝食|breakfast", .meal(.breakfast, printed: "")),
    ("ランチタイム|ランチ|昼食|昼の部|お昼|昼|점심|런치|낮|lunch|midi", .meal(.lunch, printed: "")),
    ("ディナータイム|ディナー|夕食|夜の部|디너|dinner|soirs|soir", .meal(.dinner, printed: "")),
    ("バータイム|カフェタイム|ティータイム|カフェ|brunch|bar", .meal(.other, printed: "")), ("だけ|のみ|만|only", .only),
    (
      "営業時間|通常|翌年|限定|お食事|夜食|各|をいただきます|いたします|料理|フード|頃|ごろ|毎週|毎月|を含む|含む|開店|店内|当日|時間|は|が|の|も|と|に|です|となっております|"
        + "영업시간|운영시간|포함|매주|매월|매달|및|과|와|주|은|는|당일|food|open|opens|opening hours|opening|hours|kitchen|"
        + "du|le|les|de|des|del|dal|vom|et|und|y|ouvert|ouverture|horaires|service|geöffnet|uhr|and|on|every|each|of the month|of|the|month|in|day|days|week",
      .noise
    ),
    ("from|von|ab|desde|dès|à partir de", .from),
  ]
}

extension FoldedText {
  fileprivate func begins(with scalars: [UInt32], at place: Int) -> Bool {
    scalars.indices.allSatisfy { self[place + $0] == scalars[$0] }
  }
}
