import Calendars

/// Words beside a time or a date that say what else than a showing it is.
extension PageWords {
  /// Beside a time they say that it is no screening's: opening hours, the age of a post.
  private static let otherTimes = WordList([
    "opening hours", "opening times", "office hours", "open from", "opens at", "open at", "box office", "posted",
    "published",
    "updated", "last modified", "tel.", "tel:", "submitted", "registration", "öffnungszeiten", "geöffnet", "kasse",
    "veröffentlicht", "aktualisiert",
    "ouverture", "ouvert", "publié", "mis à jour", "horario de taquilla", "abierto",
    "taquilla", "publicado", "apertura", "aperto", "biglietteria", "pubblicato", "openingstijden", "geopend",
    "kassa open", "gepubliceerd", "영업시간", "운영시간", "매표", "게시", "작성", "등록일", "営業時間", "開館時間", "관람시간",
    "開館", "受付", "更新", "掲載", "שעות פתיחה", "עודכן", "פורסם", "bar open", "on sale", "booking opens",
    "vorverkauf", "sale starts", "tickets available from", "copyright", "©", "last orders",
    "customer service", "lines are open", "closing date", "apply by", "bewerbung", "candidature",
    "call us", "delivery slot", "collect from", "수정",
    "전화", "오픈", "예매오픈", "販売開始", "発売", "check-in", "gestartet", "kiosk", "effective",
    "valid ", "office hours", "actualizado", "aggiornato", "bijgewerkt",
    "aktualizacja", "kasa czynna", "programme announced", "program announced", "line-up announced", "lineup announced",
    "announced on", "announced at", "wird bekanntgegeben", "programm ab",
  ])

  /// What a part of the page is headed that speaks of no showing, whatever times it says. Folded.
  private static let besideParts: Set<String> = Set(
    """
    newsletter|our newsletter|unser newsletter|prices|ticket prices|admission|preise|eintrittspreise|unsere preise|tarifs|nos tarifs|tarifas|precios|prezzi|tariffe|prijzen|tarieven|preços|ceny|cennik|ceník|priser|biljettpriser|billetpriser
    contact|contact us|kontakt|anfahrt|blog|관람료|요금|이용요금|料金|料金案内|ご利用料金|מחירים
    """.split { $0 == "|" || $0 == "\n" }.map { String($0).trimmedText.foldedKey })

  static func isBesidePart(_ text: String) -> Bool { text.utf8.count <= 40 && besideParts.contains(text.foldedKey) }

  /// "Vor 17:00 Uhr 7,50 €": until when a price holds.
  static func boundsPrice(_ line: PrintedLine) -> Bool {
    guard line.times.count == 1, line.lead.utf8.count <= 40, tellsPrices(line.rest),
      let last = line.lead.unicodeScalars.split(whereSeparator: \.isBlank).last
    else { return false }
    return bounds.contains(String(Substring(last)).lowercased())
  }

  private static let bounds: Set<String> = [
    "vor", "bis", "ab", "before", "until", "till", "from", "after", "avant", "après", "antes", "las", "prima", "delle",
    "dopo", "voor", "tot", "vanaf", "før", "före", "innan", "przed", "před",
  ]

  static func isOtherTime(_ text: String) -> Bool {
    // "Exhibition on Screen: Whistler" is a film.
    var lower = text.lowercased()
    if lower.holds("exhibition on screen") { lower = lower.replacing("exhibition on screen", with: "") }
    if otherTimes.isIn(lower) || isNumberedVersion(lower) || besideFilm.contains(where: lower.hasPrefix) { return true }
    // "The Breakfast Club" and "Bar Stories" are films; "Breakfast 9:00" and "Bar open" are none.
    // "3 comments"
    let counted = lower.drop { $0.isNumber || $0 == " " }
    return notices.contains { counted.hasPrefix($0) && !(counted.dropFirst($0.count).first?.isLetter ?? false) }
      || mealTimes.contains { lower.hasPrefix($0) && endsMeal(lower.utf8.dropFirst($0.utf8.count)) }
  }

  /// "Live music from 22:00": what else goes on in an evening, where a line begins with it.
  private static let besideFilm = [
    "live music from ", "live music at ", "live music and djs ", "live music & djs ", "music from ", "djs from ",
    "dj from ", "dj set from ", "djs until ", "party from ", "after party ", "afterparty ", "food from ",
    "food served ",
    "drinks from ", "refreshments from ", "quiz from ", "live-musik ab ", "musik ab ", "party ab ",
  ]

  /// "Version 2.1"; "version française" is a film's.
  private static func isNumberedVersion(_ lower: String) -> Bool {
    lower.firstPlace(of: "version ").map { lower[$0.upperBound...].utf8.first.map(isDigitByte) ?? false } ?? false
  }

  /// Whether what stands behind "Bar" leaves it one: nothing, a time, or words of opening.
  private static func endsMeal(_ rest: Substring.UTF8View) -> Bool {
    guard let first = rest.first, first != UInt8(ascii: ":") else { return true }
    if (0x61...0x7A).contains(first) || first >= 0x80 { return false }
    let word = rest.drop { !(0x61...0x7A).contains($0) && $0 < 0x80 && !isDigitByte($0) }
      .prefix { (0x61...0x7A).contains($0) }
    if mealJoints.contains(String(Substring(word))) {
      let time = rest[word.endIndex...].drop { $0 == 0x20 }
      // "Breakfast at 9:00", and not "Breakfast at Tiffany's".
      return time.first.map(isDigitByte) ?? true
        || mealEnds.contains(String(Substring(time.prefix { (0x61...0x7A).contains($0) })))
    }
    return word.isEmpty || mealEnds.contains(String(Substring(word)))
  }

  private static let mealJoints: Set<String> = ["at", "to", "for", "from", "on", "in", "with", "by"]

  private static let mealEnds: Set<String> = [
    "open", "opens", "opening", "close", "closed", "closes", "hours", "times", "time", "and", "is", "menu",
    "served", "service", "daily", "until", "till", "mon", "tue", "wed", "thu", "fri", "sat", "sun",
    "monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday", "every", "line", "lines", "us",
    "bar", "cafe", "kitchen", "restaurant", "shop", "gallery", "number",
  ]

  /// The same at the beginning of a line: inside of one they may be a film's.
  private static let mealTimes: [String] = [
    "café", "cafe", "bar", "lunch", "breakfast", "brunch", "dinner", "kitchen", "restaurant", "shop", "gallery",
  ]
  private static let notices: [String] = [
    "happy hour", "valid", "gültig", "valable", "válido", "valido", "geldig", "chat", "comment", "phone", "interviews",
    "closed", "deadline", "arrive at", "arrive from", "arrive by", "arrive early", "exhibition", "kassan", "comments",
    "kommentare", "commentaires", "comentarios", "commenti", "reacties", "댓글", "コメント", "תגובות",
  ]

  /// Kinds of pages on which a date with a time is somebody's remark. Folded words.
  private static let otherPages: Set<String> = Set(
    [
      "careers", "vacancies", "stellenangebote", "stellen", "recrutement", "emploi", "empleo", "vacatures",
      "채용", "求人", "vermietung", "privatisation", "privatiser", "zaalverhuur", "noleggio", "alquiler",
      "privacy", "datenschutz", "impressum", "accessibility", "barrierefreiheit", "newsletter", "대관", "faq",
    ].map(\.foldedKey))

  /// Words that films are called by too: alone, or with one of these, they are a page's.
  private static let perhapsOtherPages: Set<String> = ["jobs", "hire", "reviews"]
  private static let otherPageFillers: Set<String> = [
    "private", "venue", "room", "hall", "cinema", "us", "our", "at", "im", "bei", "film", "work", "current",
  ]

  private static let otherPagePhrases: Set<String> = Set(
    [
      "work with us", "work for us", "join our team", "join the team", "volunteer with us", "arbeiten bei uns",
      "nous rejoindre", "trabaja con nosotros", "lavora con noi", "werken bij ons", "함께 일하기", "採用情報",
    ].map(\.foldedKey))

  /// "Jobs im Kino", "Private hire": a title of a page that is no programme.
  ///
  /// - Parameter namesFilm: another part of the page's title is the film: what is said beside it may be of its page.
  static func isOtherPage(_ title: String, namesFilm: Bool) -> Bool {
    if !namesFilm, otherPagePhrases.contains(title.foldedKey) { return true }
    let words = title.unicodeScalars.split(whereSeparator: { !$0.properties.isAlphabetic })
      .map { String(Substring($0)).foldedKey }
    guard words.count <= 4 else { return false }
    return words.contains { otherPages.contains($0) }
      || !namesFilm && words.contains { perhapsOtherPages.contains($0) }
        && (words.count == 1 || words.contains { otherPageFillers.contains($0) })
  }

  private static let closedHouse = WordList([
    "休館", "휴관", "closed", "geschlossen", "cerrado", "chiuso", "gesloten", "fermé", "fechado", "encerrado", "stängt",
    "lukket", "stengt", "nieczynne", "zavřeno", "suljettu", "zárva", "kapalı",
  ])

  /// Whether a line that leaves out a day says so of the house, not of one film.
  static func closesHouse(_ text: String) -> Bool { closedHouse.isIn(text.lowercased()) }

  private static let closedDay: Set<String> = Set(
    """
    closed|cinema closed|we are closed|closed today|no screenings|no showings|no films|geschlossen|kino geschlossen|ruhetag|spielfrei|keine vorstellung|keine vorstellungen|fermé|relâche|cinéma fermé|pas de séance|pas de séances|cerrado|sin funciones|sin sesiones|chiuso|riposo|nessuno spettacolo|gesloten|geen voorstellingen|fechado|encerrado|sem sessões|stängt|lukket|stengt|nieczynne|zavřeno|suljettu|zárva|kapalı
    휴관|휴관일|휴무|상영없음|상영 없음|休館|休館日|休映日|上映なし|סגור
    """.split { $0 == "|" || $0 == "\n" }.map { String($0).trimmedText.foldedKey })

  /// "Closed", and nothing else: of the day that it stands with.
  static func isClosed(_ text: String) -> Bool { text.utf8.count <= 40 && closedDay.contains(text.foldedKey) }

  private static let doors = WordList([
    "doors", "einlass", "ouverture des portes", "puertas", "apertura porte", "apertura puertas", "deuren open", "開場",
    "입장", "פתיחת דלתות",
  ])

  /// "Doors open", "Einlass": the time behind it is no start.
  static func isDoors(_ text: String) -> Bool { doors.isIn(text.lowercased()) }

  private static let doorsLabels: Set<String> = Set(
    [
      "gates", "gates open", "gates open at", "gates at", "gate opens", "doors", "doors open", "door time",
      "doors time",
    ].map(\.foldedKey))

  /// "Gates": what a time of the doors is called where that is all there is beside it.
  static func isDoorsLabel(_ text: String) -> Bool { text.utf8.count <= 24 && doorsLabels.contains(text.foldedKey) }

  /// "Tickets £6 on the door", "intero € 6,50 – ridotto € 5,00"
  static func tellsPrices(_ text: String) -> Bool {
    let scalars = Array(text.unicodeScalars)
    func isDigit(_ index: Int) -> Bool {
      scalars.indices.contains(index) && (0x30...0x39).contains(scalars[index].value)
    }
    for (index, scalar) in scalars.enumerated() where "€£$¥￥₩₪円원".unicodeScalars.contains(scalar) {
      if isDigit(index + 1) || isDigit(index + 2) || isDigit(index - 1) || isDigit(index - 2) { return true }
    }
    return tellsMoney(text)
  }

  /// "5 euro", "19 zl": a number and what money is called.
  private static func tellsMoney(_ text: String) -> Bool {
    var (isBehindNumber, isBehindMoney) = (false, false)
    for word in text.lowercased().unicodeScalars.split(whereSeparator: { $0.isBlank || $0 == ")" || $0 == "(" }) {
      let isMoney = currencies.contains(String(Substring(word)))
      let isNumber = word.allSatisfy { ("0"..."9").contains($0) || $0 == "." || $0 == "," }
      if isBehindNumber && isMoney || isBehindMoney && isNumber { return true }
      (isBehindNumber, isBehindMoney) = (isNumber, isMoney)
    }
    return false
  }

  private static let currencies: Set<String> = [
    "euro", "euros", "eur", "zl", "zł", "pln", "kč", "kc", "czk", "kr", "kr.", "sek", "dkk", "nok", "ft", "huf", "lei",
    "ron", "chf", "грн", "руб", "лв", "tl", "rp", "rp.", "rm", "thb", "บาท", "vnd", "vnđ", "₫", "₽", "₹", "฿", "₺", "₴",
  ]

  private static let thisWeek = WordList([
    "this week", "diese woche", "cette semaine", "esta semana", "questa settimana", "deze week", "w tym tygodniu",
    "tento týden", "den här veckan", "denne uge", "denne uken", "tällä viikolla", "ezen a héten", "이번 주", "이번주", "今週",
    "本週", "本周", "השבוע", "αυτή την εβδομάδα",
  ])

  static func saysThisWeek(_ text: String) -> Bool { thisWeek.isIn(text.lowercased()) }

  private static let free: Set<String> = Set(
    [
      "free", "free entry", "free admission", "eintritt frei", "entrée libre", "gratuit", "entrada libre", "gratis",
      "ingresso libero", "ingresso gratuito", "gratis toegang", "무료", "무료 상영", "입장무료", "入場無料", "無料", "כניסה חופשית",
    ].map(\.foldedKey))

  /// "Eintritt frei": what is said of the price.
  static func isFree(_ text: String) -> Bool { text.utf8.count <= 40 && free.contains(text.foldedKey) }

  /// "Running time" right before a time: it is how long a film is.
  static func endsWithLength(_ text: String) -> Bool {
    let words = text.lowercased().trimmedText
    let own = words.hasSuffix(":") ? String(words.dropLast()).trimmedText : words
    // "片　長"
    let unspaced = String(String.UnicodeScalarView(own.unicodeScalars.filter { !$0.isBlank && $0 != "：" }))
    if unspacedLengthNames.contains(where: unspaced.hasSuffix) { return true }
    return (lengthNames + trailers).contains { name in
      own.hasSuffix(name) && own.dropLast(name.count).last.map { !$0.isLetter } ?? true
    }
  }

  /// "Trailer 1:47"
  private static let trailers = [
    "trailer", "teaser", "bande-annonce", "bande annonce", "tráiler", "zwiastun", "előzetes", "trailer ansehen", "예고편",
    "予告編", "預告片", "预告片", "трейлер", "fragman",
  ]

  static func isLengthName(_ text: String) -> Bool { lengthNames.contains(text.lowercased().trimmedText) }

  /// "In cinemas 19 November": when a film came out.
  static func tellsRelease(_ text: String) -> Bool { releases.isIn(text.lowercased()) }

  private static let releases = WordList([
    "in cinemas", "released", "release", "release date", "kinostart", "filmstart", "bundesstart", "startdatum", "start",
    "sortie", "estreno", "estreia", "uscita", "premiera", "premiery", "premiéra", "premjera", "biopremiär", "premiär",
    "premierdatum",
    "bemutató", "vizyon tarihi", "vizyona giriş", "ensi-ilta", "премьера", "прем'єра", "в прокате с", "дата выхода",
    "개봉",
    "公開", "首映", "上映日期",
  ])

  private static let unspacedLengthNames = ["片長", "片长", "時長", "时长", "러닝타임"]
  private static let lengthNames = [
    "running time", "runtime", "run time", "duration", "durata", "durée", "dauer", "laufzeit", "länge", "duración",
    "speelduur", "duração", "délka", "czas trwania", "längd", "varighed", "러닝타임",
  ]

  /// "1h 58min", "118 Min.", "105'", "98分": how long a film is.
  static func tellsLength(_ text: String) -> Bool {
    let scalars = Array(text.lowercased().unicodeScalars)
    func isDigit(_ index: Int) -> Bool { (0x30...0x39).contains(scalars[index].value) }
    var index = 0
    while index < scalars.count {
      let start = index
      while index < scalars.count, isDigit(index) { index += 1 }
      if (1...3).contains(index - start), isLengthUnit(scalars[index...].prefix(12)) { return true }
      if index == start { index += 1 }
    }
    return false
  }

  private static func isLengthUnit(_ text: ArraySlice<Unicode.Scalar>) -> Bool {
    let text = text.drop(while: \.isBlank)
    guard let first = text.first else { return false }
    if ["'", "′", "’", "分", "분"].contains(String(first)) { return true }
    let word = text.prefix { $0.properties.isAlphabetic }
    return ["min", "mins", "mn", "minutes", "minuten", "minuti", "minutos", "דקות"].contains(
      String(String.UnicodeScalarView(word)))
  }

  private static let otherDates = WordList([
    "released", "release", "in cinemas", "opens", "opening", "kinostart", "filmstart", "bundesstart", "sortie",
    "estreno", "uscita", "개봉", "公開",
    "ロードショー", "posted", "published", "updated", "premiere", "born", "©", "since", "until", "from", "ab ",
    "seit", "à partir", "desde", "dal ", "vanaf", "부터", "より", "까지", "まで", "예매", "オープン", "on sale", "발매", "등록",
  ])

  /// "Films start at 7.30pm", "Alle Filme beginnen um 20 Uhr", "Les séances commencent à 20h30".
  static func saysHourOfAll(_ text: String) -> Bool {
    guard text.utf8.count <= hourOfAllBytesMax else { return false }
    let words = Set(
      text.lowercased().unicodeScalars.split { !$0.properties.isAlphabetic }.map { String(Substring($0)).foldedKey })
    return !words.isDisjoint(with: allFilms) && !words.isDisjoint(with: beginnings)
  }

  private static let hourOfAllBytesMax = 300

  private static let allFilms: Set<String> = Set(
    """
    films|movies|screenings|shows|showings|performances|filme|filmvorführungen|vorstellungen|séances|projections|películas|funciones|proyecciones|sesiones|filmes|sessões|proiezioni|spettacoli|voorstellingen|filmvoorstellingen|filmer|visningar|visninger|forestillinger|filmy|seanse|projekcje|projekce|elokuvat|näytökset
    """.split(separator: "|").map { String($0).trimmedText.foldedKey })

  private static let beginnings: Set<String> = Set(
    """
    start|begin|commence|beginnen|beginn|starten|filmbeginn|commencent|débutent|début|comienzan|empiezan|comienzo|inicio|início|começam|iniziano|inizio|aanvang|aanvangstijd|börjar|startar|begynder|starter|zaczynają|rozpoczynają|początek|začínají|začátek|alkavat
    """.split(separator: "|").map { String($0).trimmedText.foldedKey })

  /// "Stasera in TV", "TV-Programm"
  static func headsTelevision(_ text: String) -> Bool {
    guard text.utf8.count <= televisionBytesMax, case let lower = text.lowercased().trimmedText else { return false }
    return television.contains { lower.hasPrefix("\($0) ") || lower.hasSuffix(" \($0)") || lower == $0 }
  }

  private static let televisionBytesMax = 40
  private static let television = [
    "in tv", "im tv", "im fernsehen", "à la tv", "à la télé", "en tv", "en la tele", "on tv", "tv tonight", "na tv",
    "tv-programm", "tv-program", "tv program", "programma tv", "programme tv", "program tv", "tv guide", "la tv în",
    "tv heute",
    "w telewizji", "v televizi", "tv műsor",
  ]

  /// "Exhibition | Anna Moss", "Wystawa: …"
  static func namesExhibition(_ title: String) -> Bool { exhibitions.isIn(title.lowercased()) }

  private static let exhibitions = WordList([
    "exhibition", "ausstellung", "exposition", "exposición", "exposição", "exposició", "esposizione", "mostra",
    "tentoonstelling", "utställning", "udstilling", "utstilling", "näyttely", "wystawa", "výstava", "izložba",
    "razstava",
    "kiállítás", "expoziție", "sergi", "выставка", "виставка", "展覧会", "展览", "展覽", "전시",
  ])

  static func isOtherDate(_ text: String) -> Bool { otherDates.isIn(text.lowercased()) }

  /// "Nota IMDb 7.2": how good a film is, and no seventh of February.
  static func tellsRating(_ text: String) -> Bool { text.utf8.count <= 60 && ratings.isIn(text.lowercased()) }

  private static let ratings = WordList([
    "imdb", "rating", "score", "metacritic", "rotten tomatoes", "letterboxd", "nota", "note", "voto", "bewertung",
    "puntuación", "valoración", "ocena", "hodnocení", "értékelés", "рейтинг", "оценка", "βαθμολογία", "평점", "評価", "評分",
    "评分",
    "豆瓣",
  ])
}
