/// The words that say how a film is shown. A phrase is a row of tokens: words of Latin and Hebrew, single characters of
/// the rest.
package enum TitleVocabulary {
  enum Meaning: Hashable {
    /// Says how: "35mm". Without an attribute: "2D", which is nothing to say.
    case mark(ScreeningAttribute?)
    /// Says what happens besides, and more may follow: "Q&A with".
    case occasion(ScreeningAttribute)
    /// A series of the cinema's own.
    case strand
    /// Stands between marks: "with", "version", "상영".
    case filler
    /// Of a broadcast, and part of its name: "NT Live".
    case inTitle(ScreeningAttribute)
  }

  // MARK: Tokens

  static func isUnspaced(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x3040...0x30FF, 0x3400...0x9FFF, 0xAC00...0xD7A3, 0x1100...0x11FF: true
    default: false
    }
  }

  /// Whether a cut would go through a word of Latin letters or digits, or of katakana.
  static func splitsWord(_ scalars: [Unicode.Scalar], at index: Int) -> Bool {
    guard index > 0 else { return false }
    let before = scalars[index - 1]
    let after = scalars[index]
    func isLatin(_ scalar: Unicode.Scalar) -> Bool {
      scalar.value < 0x250 && scalar.properties.isAlphabetic || isDigit(scalar)
    }
    func isDigit(_ scalar: Unicode.Scalar) -> Bool { (0x30...0x39).contains(scalar.value) }
    func isKatakana(_ scalar: Unicode.Scalar) -> Bool { (0x30A0...0x30FF).contains(scalar.value) }
    func isHangul(_ scalar: Unicode.Scalar) -> Bool { (0xAC00...0xD7A3).contains(scalar.value) }
    if isHangul(before), isHangul(after) { return true }
    return isLatin(before) && isLatin(after) || isKatakana(before) && isKatakana(after)
  }

  static func tokens(of text: String) -> [String] {
    var tokens: [String] = []
    var word: [UInt8] = []
    func close() {
      if !word.isEmpty { tokens.append(String(decoding: word, as: UTF8.self)) }
      word.removeAll(keepingCapacity: true)
    }
    let scalars = Array(text.unicodeScalars.prefix(512))
    for (index, scalar) in scalars.enumerated() {
      if isUnspaced(scalar) {
        close()
        if scalar.value != 0x30FB { tokens.append(String(scalar)) }
        continue
      }
      // "q&a", "q+a": one word.
      if scalar == "&" || scalar == "+" || scalar == "'" || scalar == "’" || scalar == ".",
        index > 0, index + 1 < scalars.count, scalars[index - 1].properties.isAlphabetic,
        scalars[index + 1].properties.isAlphabetic
      {
        if scalar == "&" { word.append(UInt8(ascii: "&")) }
        continue
      }
      let length = word.count
      scalar.fold(into: &word)
      if word.count == length { close() }
    }
    close()
    return tokens
  }

  static func match(_ tokens: [String], at index: Int) -> (meaning: Meaning, length: Int)? {
    for entry in table[tokens[index]] ?? [] {
      guard index + entry.tokens.count <= tokens.count else { continue }
      if entry.tokens.indices.allSatisfy({ entry.tokens[$0] == tokens[index + $0] }) {
        return (entry.meaning, entry.tokens.count)
      }
    }
    if isGermanSubtitles(tokens[index]) { return (.mark(.subtitled), 1) }
    return isOrdinal(tokens[index]) ? (.filler, 1) : nil
  }

  /// "OmenglU", "DFmEnglU": a version and the language of its subtitles.
  private static func isGermanSubtitles(_ token: String) -> Bool {
    guard token.hasSuffix("u"), let version = ["om", "dfm"].first(where: token.hasPrefix) else { return false }
    return subtitleLanguages.contains(String(token.dropFirst(version.count).dropLast()))
  }

  private static let subtitleLanguages: Set<String> = [
    "", "d", "dt", "e", "eng", "engl", "f", "frz", "franz", "it", "ital", "sp", "span", "ru", "russ", "tu", "turk",
    "poln",
    "arab", "jap",
  ]

  /// "70th", "25e", "50": of an anniversary.
  private static func isOrdinal(_ token: String) -> Bool {
    let digits = token.utf8.prefix(while: isDigitByte)
    guard (2...3).contains(digits.count) else { return false }
    let rest = String(decoding: token.utf8.dropFirst(digits.count), as: UTF8.self)
    return ["st", "nd", "rd", "th", "e", "ème", "eme"].contains(rest)
      || rest.isEmpty && Int(String(decoding: digits, as: UTF8.self)).map { $0 % 5 == 0 } == true
  }

  private static let table: [String: [(tokens: [String], meaning: Meaning)]] = {
    var table: [String: [(tokens: [String], meaning: Meaning)]] = [:]
    for (meaning, phrases) in lines {
      for phrase in phrases.split(separator: "|") {
        let tokens = tokens(of: String(phrase))
        if let first = tokens.first { table[first, default: []].append((tokens, meaning)) }
      }
    }
    for first in table.keys { table[first]?.sort { $0.tokens.count > $1.tokens.count } }
    return table
  }()

  /// Phrases that stand in the lists twice. Only the first of each would ever be read.
  package static var repeated: [String] {
    var known: Set<[String]> = []
    return lines.flatMap { $0.1.split(separator: "|") }.map(String.init).filter { phrase in
      let tokens = tokens(of: phrase)
      return tokens.isEmpty || !known.insert(tokens).inserted
    }
  }

  // MARK: Single words

  /// "(Tamil)", "(English)": in which language it is shown, and nothing else.
  static func isLanguage(_ text: String) -> Bool { languages.contains(text.lowercased()) }

  private static let languages: Set<String> = [
    "english", "french", "german", "italian", "spanish", "japanese", "korean", "cantonese", "mandarin", "chinese",
    "swedish",
    "polish", "russian", "hindi", "tamil", "telugu", "malayalam", "kannada", "punjabi", "bengali", "marathi",
    "gujarati",
    "urdu", "nepali", "turkish", "arabic", "hebrew", "ukrainian", "romanian", "portuguese", "tagalog", "vietnamese",
    "thai",
    "dt.", "deutsch", "englisch", "engels", "français", "anglais", "inglés", "inglese", "영어", "일본어", "한국어", "英語", "日本語",
  ]

  private static let certificates: Set<String> = [
    "u", "pg", "12", "12a", "15", "18", "r18", "tbc", "12 tbc", "15 tbc", "18 tbc", "ctba", "cert tbc", "pg-13", "r",
    "nc-17", "g",
    "u tbc", "pg tbc", "12a tbc", "r15+", "r18+", "pg12", "fsk 0", "fsk 6", "fsk 12", "fsk 16", "fsk 18", "ab 6",
    "ab 12",
    "ab 16", "fsk6", "fsk12", "fsk16", "nr", "not rated", "unrated", "전체", "전체관람가", "12세", "15세", "12세이상관람가",
    "15세이상관람가", "청소년관람불가", "청불", "m", "ma15+", "6+", "12+", "16+", "18+", "al", "r-15", "r-18", "r15", "0+",
    "ua", "u/a", "14a", "18a", "15a", "16a", "iia", "iib", "atp", "apta", "tp", "tous publics",
    "todos los públicos", "apta para todos los públicos", "livre", "classificação livre", "classificação: livre",
    "para todos", "barntillåten", "btl",
    "普遍級", "保護級", "輔12級", "輔15級", "限制級", "普", "護", "限", "ohne altersbeschränkung", "o.al.", "o. al.",
    "alle leeftijden", "без обмежень", "κ", "בלתי מוגבל", "הותר לכל",
  ]

  /// "12A", "(FSK 12)", "[PG-13]", "M/12", "+16": who is let in, and nothing else.
  static func isCertificate(_ text: String) -> Bool {
    guard text.utf8.count <= certificateBytesMax else { return false }
    let bare = String(text.lowercased().drop { "([（【".contains($0) }.prefix { !")]）】".contains($0) }).trimmedText
    return certificates.contains(bare) || isAge(bare)
  }

  /// The same behind a title, without brackets or an element of its own: "Apartment 7A" and "J'ai 10 ans" are titles.
  static func isBareAge(_ text: String) -> Bool {
    text.utf8.count <= certificateBytesMax && text.utf8.contains(where: isDigitByte)
      && (text.hasLetters || text.contains("+"))
      && (certificates.contains(text.lowercased()) || isAge(text.lowercased(), isBare: true))
  }

  private static let certificateBytesMax = 48

  /// An age with what says that it is one, before it or behind it.
  private static func isAge(_ text: String, isBare: Bool = false) -> Bool {
    let before = text.utf8.prefix { !isDigitByte($0) }
    let digits = text.utf8.dropFirst(before.count).prefix(while: isDigitByte)
    let behind = String(Substring(text.utf8.dropFirst(before.count + digits.count))).trimmedText
    guard digits.count <= 2, let age = Int(Substring(digits)) else { return false }
    let name = String(Substring(before)).trimmedText
    if let ages = agesBehind[name] {
      // "R15", and not "Plan B 15".
      let isOne = !isBare || name.count > 1 || before.count == name.utf8.count
      return ages.contains(age) && (behind.isEmpty || behind == "+") && isOne
    }
    guard name.isEmpty || agePrefixes.contains(name), commonAges.contains(age) else { return false }
    guard isBare else { return ageSuffixes.contains(behind) || !name.isEmpty && behind.isEmpty }
    if name.isEmpty { return bareAgeSuffixes.contains(behind) || behind == "a" && agesWithAdults.contains(age) }
    return bareAgePrefixes.contains(name) && (behind.isEmpty || ageSuffixes.contains(behind))
  }

  private static let commonAges: Set<Int> = [0, 3, 6, 7, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 21]

  private static let agePrefixes: Set<String> = [
    "classificação", "classificação:", "clasificación", "clasificación:", "classificação indicativa:", "ab", "fsk",
    "fsk:", "fsk ab", "frei ab", "freigegeben ab", "sam", "desde", "+", "m/", "från",
    "age", "ages", "cert", "cert.", "certificate", "rated", "adv", "advised", "αν.", "int.", "int. -", "-", "od",
    "mayores de", "maiores de", "interdit -", "interdit aux moins de",
  ]
  private static let ageSuffixes: Set<String> = [
    "+", "a", "år", "år+", "jahre", "jahren", "j.", "j", "ans", "anni", "años", "anos", "let", "lat", "éves", "лет",
    "років", "세", "세이상", "세 이상", "세이상관람가", "세 이상 관람가", "세관람가", "歳以上", "歳", "級", "級以上", "ára", "jaar", "yaş", "v.",
  ]
  /// Those of them that make a number at the end of a title an age and nothing else.
  private static let bareAgePrefixes: Set<String> = [
    "classificação:", "clasificación:", "classificação indicativa:", "ab", "fsk", "fsk:", "fsk ab", "frei ab",
    "freigegeben ab", "+", "m/", "från", "cert", "cert.", "certificate", "rated", "mayores de", "maiores de",
    "interdit -", "interdit aux moins de",
  ]
  private static let bareAgeSuffixes: Set<String> = [
    "+", "år+", "세", "세이상", "세 이상", "세이상관람가", "세 이상 관람가", "세관람가", "歳以上", "級", "級以上",
  ]
  /// "12A" of the United Kingdom, "15A" of Ireland, "14A" of Canada.
  private static let agesWithAdults: Set<Int> = [12, 14, 15, 16, 18]
  /// Letters that are much else with another number: "K-19" is a submarine.
  private static let agesBehind: [String: Set<Int>] = [
    "k": [7, 12, 16, 18], "k-": [7, 12, 16, 18], "κ-": [8, 12, 15, 16, 18], "κ": [8, 12, 15, 16, 18],
    "pg": [8, 12, 13, 15], "pg-": [12, 13, 15], "nc": [16, 17], "nc-": [16, 17], "r": [12, 13, 15, 16, 18, 21],
    "r-": [13, 15, 16, 18], "rp": [13, 16, 18], "ma": [15], "vm": [6, 12, 14, 18], "tv-": [14],
    "輔": [12, 15], "b": [15], "u/a": [7, 13, 16], "ua": [7, 13, 16], "p": [12, 13, 16, 18],
  ]

  enum State { case soldOut, cancelled }

  private static let states: [String: State] = {
    var states: [String: State] = [:]
    for word in [
      "sold out", "ausverkauft", "complet", "agotado", "agotadas", "esaurito", "uitverkocht", "매진", "満席", "完売",
      "esgotado", "esgotada", "slutsålt", "udsolgt", "utsolgt", "loppuunmyyty", "wyprzedane", "vyprodáno", "vypredané",
      "elfogyott", "razprodano", "rasprodano", "epuizat", "εξαντλήθηκε", "tükendi", "распродано", "розпродано", "售罄",
      "售完", "אזל",
    ] {
      states[word.foldedKey] = .soldOut
    }
    for word in [
      "cancelled", "canceled", "abgesagt", "entfällt", "annulé", "annulée", "cancelado", "cancelada", "annullato",
      "annullata", "geannuleerd", "취소", "상영취소", "中止", "上映中止", "בוטל", "inställd", "inställt", "aflyst", "avlyst",
      "peruttu", "peruutettu", "odwołane", "odwołany", "odwołano", "zrušeno", "zrušené", "elmarad", "odpovedano",
      "otkazano", "anulat", "ακυρώθηκε", "iptal", "iptal edildi", "отменён", "отменен", "отменено", "скасовано",
      "atšaukta", "tühistatud", "atcelts", "取消",
    ] { states[word.foldedKey] = .cancelled }
    return states
  }()

  /// "因設備檢修取消放映": words that are said of a showing alone, among others.
  static func saysCancelled(_ text: String) -> Bool { cancellations.contains { text.holds($0) } }

  private static let cancellations = ["取消放映", "取消上映", "停止放映", "停映", "상영 취소", "상영취소", "上映中止", "上映を中止"]

  /// What became of a screening, if that is all that is said.
  static func state(of text: String) -> State? {
    text.utf8.count <= 40 ? states[text.foldedKey] : nil
  }

  private static let bareMarks: Set<String> = [
    "4k", "35mm", "70mm", "16mm", "imax", "3d", "2d", "4dx", "omu", "omeu", "ome", "ov", "vost", "vostf", "vostfr",
    "omdu", "vo", "vf",
    "vose", "vdc", "df",
    "gv", "q&a", "hfr", "dcp", "screenx", "자막", "더빙", "자막판", "더빙판", "리마스터링", "리마스터", "字幕", "吹替", "字幕版", "吹替版",
    "dolby", "atmos", "sub", "dub", "sing-along", "singalong", "subbed", "dubbed", "digital",
  ]

  /// Short forms in capitals, and words of formats. "vo" and "df" in small letters are parts of names.
  static func isBareMark(_ word: String) -> Bool {
    // "V.O.S.E."
    let word = String(word.filter { $0 != "." })
    let lower = word.lowercased()
    guard bareMarks.contains(lower) else { return false }
    if ["vo", "vf", "ov", "df", "sub", "dub", "digital", "dolby", "dubbed", "subbed", "gv", "dcp", "hfr"].contains(
      lower)
    {
      return word == word.uppercased() || lower == "dolby"
    }
    return true
  }

  // MARK: The words

  private static let lines: [(Meaning, String)] = [
    (
      .occasion(.guestVisit),
      "q&a|live streamed q&a|livestreamed q&a|live stream q&a|recorded q&a|virtual q&a|satellite q&a|suivi d'une rencontre|suivie d'une rencontre|q & a|qa|q and a|live q&a|director q&a|filmmaker q&a|gv|관객과의 대화|감독과의 대화|배우와의 대화|ティーチイン|fragestunde|filmgespräch"
        + "|regiegespräch|rencontre|en présence|in presence of|nagesprek|coloquio|encuentro con|incontro con|alla presenza|שיחה עם|publikumsgespräch|in anwesenheit|mit gast|mit gästen|zu gast|equipo presente"
    ),
    (
      .occasion(.stageGreeting),
      "무대인사|舞台挨拶付き|舞台挨拶|舞台あいさつ|初日舞台挨拶|登壇"
    ),
    (
      .occasion(.talk),
      "suivi d'un débat|suivie d'un débat|시네마톡|씨네토크|라이브톡|관객토크|시네토크|토크|강연|대담|씨네마톡|トークショー付き|トークショー|トークイベント|アフタートーク|トーク付き|トーク|panel discussion|panel|discussion"
        + "|post film discussion|nachgespräch|ciné rencontre|post screening discussion|in conversation|in conversation with|débat|ciné débat|conférence|dibattito|debate|lezing"
        + "|gespräch|vortrag|live podcast"
    ),
    (
      .occasion(.introduction),
      "intro|introduction|introduced by|intro by|live intro|recorded intro|with intro|présentation|présenté par|présentée par|presentado por|presentada por|presentato da|presentata da|einführung|mit einführung|inleiding|introductie|소개|해설"
    ),
    (
      .mark(.subtitled),
      "subtitled|subtitles|subbed|subbed version|subs|with subs|en subs|eng sub|en sub|vosc|voseu|vo sott eng|vo sottot|vo sottot in italiano|sottot in italiano|vo sott|vo sott ita|v o sott ita|versione originale sottotitolata|sott ita|ov nl ondertiteld|vo sous titrée|vo sous titré|sous titrée|sous titré|sous titres|untertitel|untertiteln|mit untertiteln|st fr|vo st fr|english subtitles|with english subtitles|with subtitles|eng subs|english subs|open subtitles|omu|omeu|ome|omdu|omfu|original mit untertiteln|vost|vostfr"
        + "|vo st|vostf|vose|v o s e|sottotitoli|sottotitolato|v o sott|originale sottotitolato|ondertiteld|nederlands ondertiteld|zaf|자막|자막판|한글자막|영어자막|영문자막|영자막|한국어자막|english sub|字幕|字幕版|字幕上映|字|כתוביות|subtitulada|subtitulado|versión original subtitulada|sub"
        + "|feliratos|felirattal|magyar feliratos|magyar felirattal|titulky|s titulky|české titulky|s českými titulky|slovenské titulky|napisy|z napisami|polskie napisy|tekstitetty|textad|svensk text|norsk tekst|undertekster|danske undertekster|legendado|legendada|subtitrat|cu subtitrare|altyazılı|türkçe altyazılı|με υπότιτλους|υπότιτλοι|ελληνικοί υπότιτλοι|субтитры|с субтитрами|субтитри|з субтитрами|podnapisi|titlovano|中文字幕|英文字幕|中英文字幕|中英字幕"
    ),
    (
      .mark(.dubbed),
      "dubbed|dob|nl|nl versie|nederlandse versie|english dub|dub|vdc|doblada|doblado|doppiato|versione doppiata|synchronfassung|deutsche fassung|nagesynchroniseerd|nl gesproken|nederlands gesproken|version française|vf|df|dubbingolt|dublată|sinkronizirano|синхронизиран|дублированный|дублированная|μεταγλ|더빙|더빙판|한국어더빙|우리말더빙|우리말"
        + "|吹替|吹替え|吹き替え|吹替版|日本語吹替|日本語吹替版|吹替上映|吹|מדובב"
        + "|szinkronizált|szinkronos|magyarul beszélő|dabing|český dabing|s českým dabingem|dubbing|polski dubbing|dublado|dublada|dobrado|dobrada|versão portuguesa|dansk tale|norsk tale|svensk tal|dublat|dublaj|türkçe dublaj|μεταγλωττισμένο|μεταγλωττισμένη|дубляж|дубльований|sinhronizirano|國語配音|中文配音|粵語配音"
    ),
    (
      .mark(.originalVersion),
      "ov|vo|originele versie|dt of|deutsche of|original version|originalfassung|originalversion|version originale|versione originale|versión original|v o|원어"
    ),
    (.mark(.signLanguage), "bsl|bsl interpreted|sign language|signed|수어|手話"),
    (
      .mark(.fourK),
      "4k|4k restoration|4k remaster|4k remastered|new 4k restoration|4k restored|4k digital restoration|in 4k|restaurato in 4k|restaurata in 4k|restauré en 4k|restaurée en 4k|restaurado en 4k|restauriert in 4k|4k restauriert|4kレストアヴァージョン|4kレストアバージョン|4k 리마스터링|4k 리마스터|4k 복원|4kデジタルリマスター版|4kデジタルリマスター|4kリマスター版|4kリマスター|4k修復版|4kデジタル修復版|4kレストア版|4kレストア|4k restaurierung|4k restaurierte fassung|4k restaurée|restaurée 4k|version restaurée 4k|4k restaurata|4k restaurada|4k restauratie|uhd"
    ),
    (.mark(.film16mm), "16mm|16 mm|16mm print|16mmフィルム"),
    (
      .mark(.film35mm),
      "35mm|35 mm|35mm print|35mm film|35mm kopie|35mm필름|35mm필름상영|35mmフィルム上映|35mmフィルム|35mm上映"
    ),
    (.mark(.film70mm), "70mm|70 mm|70mm print|70mm film|70mm필름"),
    (.mark(.imax), "imax|imax laser|imax 3d|imax 2d|imax版|아이맥스|imaxレーザー"),
    (.mark(.threeD), "3d|real d 3d|reald 3d|3d上映|3d 상영"), (.mark(.fourDX), "4dx|mx4d|4dx版"),
    (.mark(.dolby), "dolby|dolby atmos|dolby cinema|dolbycinema|dolbyatmos|atmos|ドルビーシネマ|ドルビーアトモス|돌비|돌비 애트모스|돌비시네마"),
    (
      .mark(.restored),
      "restoration|restored|new restoration|remastered|remaster|digital remaster|digitally restored|digitally remastered|2k restoration|2kレストア版|2kレストア|2kリマスター版|restaurierung|restaurierte fassung|restauriert|version restaurée|restaurée|restauré|copie restaurée|dig rest fassung|restaurierte|digital restauriert|digital restaurierte fassung|hdリマスター|restaurata|versione restaurata|restaurada|versión restaurada|gerestaureerd|gerestaureerde versie"
        + "|리마스터링|리마스터|디지털 리마스터링|복원판|デジタルリマスター版|デジタルリマスター|リマスター版|リマスター|修復版|レストア版"
    ),
    (
      .mark(.directorsCut),
      "directors cut|the directors cut|director s cut|final cut|extended|extended edition|extended cut|uncut|감독판|확장판|디렉터스 컷|ディレクターズカット版|ディレクターズカット|完全版|완전판|디 오리지널|version longue|langfassung|extended version"
    ),
    (
      .mark(.blackAndWhite),
      "흑백판|흑백 버전|흑백|black and white|black & white|b&w|monochrome|モノクロ版|モノクロver|モノクロ|noir et blanc|schwarzweiß|minus color"
    ),
    (.mark(.loudScreening), "ライブ音響上映|爆音上映|爆音|極音上映|極上音響上映|轟音上映"),
    (
      .occasion(.liveMusic),
      "live score|live music|live accompaniment|with live score|with live music|活弁|活弁付き|변사|live orgel|live vertonung|live vertont|orgelbegleitung|live begleitung|live soundtrack|live band|live klavier|live piano|piano accompaniment|live organ accompaniment|live musik|klavierbegleitung|mit klavierbegleitung|live klavierbegleitung|stummfilm mit livemusik|stummfilm mit klavierbegleitung|stummfilm mit live musik|accompagnement piano|with live piano|organ accompaniment|live organ|ciné concert|cinéconcert|filmkonzert|mit livemusik|live muziek|生演奏付き|生演奏|弁士付き|라이브 연주"
    ),
    (
      .mark(.preview),
      "preview|avp|gala preview|完成披露試写会|完成披露試写|טרום בכורה|preview screening|advance preview|advance screening|special preview|sneak preview|avant première|vorpremiere|preestreno|anteprima|voorpremiere|시사회|유료시사|유료시사회|先行上映|試写会|先行|개봉전 상영"
    ),
    (
      .mark(.premiere),
      "premiere|london premiere|zusatz premiere|uk premiere|world premiere|gala premiere|gala screening|프리미어|ジャパンプレミア|プレミア上映"
    ),
    (
      .mark(.lastDay),
      "last chance|last chance to see|final screening|last screening|最終日|종영일|마지막 상영|letzte vorstellung|dernière séance"
    ),
    (.mark(.cheering), "応援上映|応援|발성가능|마이크없는 응원상영|응원상영"),
    (.occasion(.live), "live shadow cast|shadow cast"),
    (
      .mark(.singAlong),
      "quote along|quote a long|sing along|karaoké|ciné karaoké|singalong|sing a long|싱어롱|싱어롱 상영|シングアロング"
    ),
    (
      .mark(.doubleBill),
      "double bill|double feature|2本立て|二本立て|동시상영|doble sesión|sesión doble|doppelvorstellung|doppelfeature|doppio spettacolo|dubbelprogramma|doppelprogramm|double programme"
    ),
    (.mark(.shorts), "shorts programme|short film programme|shorts|단편|단편선|단편모음|短編集|courts métrages|kurzfilme"),
    (
      .inTitle(.live),
      "encore|nt live|national theatre live|met opera live|met live|royal opera live|royal ballet live|royal ballet & opera live|rbo live|rsc live|bolshoi ballet live|rifftrax live|live from the met|the met live in hd|met opera live in hd"
    ),
    (
      .mark(.live),
      "live broadcast|live in cinemas|live stream|live übertragung|en direct|ライブビューイング|라이브 뷰잉|encore screening|recorded live"
    ),
    (
      .mark(.anniversary),
      "anniversary|주년|주기|주년 기념|주년 재개봉|周年|周年記念|jubiläum|anniversaire|anniversary screening|anniversary edition|anniversary re release|re release|rerelease|reissue|재개봉|リバイバル上映|リバイバル"
    ),
    (.mark(.free), "free|free screening|free entry|무료|무료상영|無料|無料上映会|無料上映|eintritt frei|gratuit|ingresso libero|gratis"),
    (.mark(.outdoor), "outdoor|open air|openair|outdoor screening|야외상영|野外上映|plein air"),
    (.mark(.online), "online|online screening"),
    (
      .mark(.relaxed),
      "relaxed|relaxed screening|autism friendly|autism friendly screening|sensory friendly|sensory friendly screening|sensory screening|accessibility screening|accessible screening|relaxed performance|neurodiverse friendly|릴렉스|フレンドリー上映|dementia friendly|dementia friendly screening|ciné relax|ciné ma différence"
    ),
    (
      .mark(.baby),
      "baby|赤ちゃん連れ限定|赤ちゃん連れ|big scream|the big scream|babes in arms|baby friendly|parent and baby|parent & baby|parents and babies|carers and babies|carers & babies|bring your own baby|baby club|baby screening|watch with baby|mums and babies|babykino|kinderwagenkino|ciné bébé|séance bébé|séance bébés|엄마랑 아기랑|ママさん上映|ベイビーシアター|ほっとママシネマ|newborn"
    ),
    (
      .mark(.family),
      "family film|jeune public|séance jeune public|kino für kinder|cinekids|cine infantil|sesión familiar|cinema ragazzi|ciné goûter|goûter ciné|family screening|kids club|kids|family film club|saturday morning pictures|kinderkino|toddler|toddlers|kino für kleine|für kleine|kinderfilm|ciné famille|kids screening|toddler time|familievoorstelling|familia"
    ),
    (
      .mark(.seniors),
      "silver screen|seniors|senior screening|over 60s|silver|seniorenkino|cinéma des ainés|seniorenvoorstelling|seniorbio"
    ),
    (.mark(.school), "school screening|schools|schulkino|schulvorstellung|scolaire|séance scolaire"),
    (
      .mark(.members),
      "members|members only|members screening|member exclusive|exclusive members|회원|회원상영|友の会|会員限定|leden|mitglieder"
    ),
    (.mark(.dogFriendly), "dog friendly|dog friendly screening"),
    (
      .mark(.audioDescription),
      "audio described|audio description|ad|음성해설|音声ガイド付き|音声ガイド|audiodeskription|audiodescription|화면해설|화면해설 상영|화면해설판|화면해설버전"
    ),
    (
      .mark(.closedCaptions),
      "hoh subtitled|captioned|closed captions|closed captioned|open captioned|open captions|open caption|hoh|hoh captioned|hard of hearing|hoh subtitles|hard of hearing subtitles|descriptive subtitles|cc|oc|sdh|배리어프리|배리어프리 상영|가치봄|바리어프리|バリアフリー字幕付き|バリアフリー日本語字幕|バリアフリー字幕|バリアフリー上映|バリアフリー|日本語字幕付き|sme|hörgeschädigte|자막해설|한글자막해설|한글자막 화면해설"
    ),
    (.mark(.paySpecial), "pay what you can|pwyc|cheap|bargain|super mardi|kinotag|文化の日|サービスデー|문화가 있는 날|cinéday"),
    (
      .mark(nil),
      "screenx|스크린x|디지털|tea & cake|coffee & cake|afternoon tea|drinks reception|kaffee und kuchen|koffie en gebak|無字幕|interval|with interval|with intervals|mit pause|avec entracte|休憩あり|int 10 ans|int 12 ans|int 16 ans|int 18 ans|interdit aux moins de 12 ans|interdit aux moins de 16 ans|ab 6 jahren|ab 12 jahren|ab 16 jahren|필름상영|フィルム上映|필름|굿즈증정|특전증정|포스터증정|international version|theatrical cut|インターナショナル版|2d|dcp|digital|hfr|laser|atmos sound|blu ray"
    ),
    (
      .strand,
      "exhibition on screen|klassieker|klassiekers|씨네클럽|cult classics|bar trash|film club|cinema club|staff picks|sunday classics|classic|matinee|late night|midnight movie|심야상영|특별상영|특별전|기획전|감독전|배우전|회고전|영화제|시네마클럽|시네클럽|映画祭|特集|rétrospective|retrospektive|werkschau|hommage|film festival|filmfest|séance spéciale|기획상영|特集上映|特別上映|sonderprogramm|ciné club|cineclub|filmclub|seniorenclub|event cinema|special screening|special event|screening only|mystery movie|throwback"
    ),
    (
      .filler,
      "english|french|german|italian|spanish|japanese|korean|cantonese|mandarin|chinese|swedish|polish|russian|anglais|anglaises|français|françaises|englisch|englischen|deutsch|deutschen|französisch|inglés|español|inglese|italiano|영어|영문|한국어|일본어|프랑스어|중국어|日本語|英語|韓国語|広東語|中国語|フランス語|ドイツ語|イタリア語"
        + "|with|by|and|or|ou|oder|on|in|the|a|an|version|edition|screening|screenings|film|print|show|performance|special|satellite|director|directors|filmmaker|new|plus|for|from|of|at|only"
        + "|engels|engelse|frans|duits|בעברית|באנגלית|עברית|אנגלית|mit|und|im|der|dem|avec|et|en|le|la|les|con|y|e|di|met|van|post|pre|hd|2k|エディション|新|記念|intervals|years|year|th|st|nd|séance|spéciale|sondervorstellung|copie|kopie|musik|begleitung|int"
        + "|上映|版|付き|付|回|の|あり|有|有り|上映会|終了後|상영|상영회|버전|판|있음|진행|포함|및|후|ver|with guest|guests|guest|extra|bonus|club|cinema|kino|デジタル|ニュー|完全|最新|pause|entracte"
    ),
  ]
}
