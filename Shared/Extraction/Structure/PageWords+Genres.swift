/// What kinds of films are called.
extension PageWords {
  /// "Drama, Biografie", "Comédie / Policier": kinds, and nothing else. One of them alone may be a film's name.
  static func isGenres(_ text: String) -> Bool {
    guard text.utf8.count <= genresBytesMax else { return false }
    let parts = text.split { ",/|·•&、".contains($0) }.map { String($0).foldedKey }.filter { !$0.isEmpty }
    return !parts.isEmpty && parts.count <= genresMax && parts.allSatisfy(genres.contains)
  }

  /// "英语 3D", "英语IMAX2D", "2D napisy": a language and how it is shown.
  static func isVersion(_ text: String) -> Bool {
    guard text.utf8.count <= versionBytesMax else { return false }
    if isPairOfLanguages(text) || isSwissVersion(text) { return true }
    var rest = text.lowercased()
    var hasForm = false
    for form in ["imax2d", "imax3d", "imax", "2d", "3d", "4dx", "screenx", "dolby", "cinity"] where rest.holds(form) {
      rest = rest.replacing(form, with: " ")
      hasForm = true
    }
    let words = rest.unicodeScalars.split { !$0.properties.isAlphabetic }.map { String(Substring($0)).foldedKey }
    if words.count == 1, languages.contains(words[0]) { return true }
    return !words.isEmpty && (hasForm || words.count > 1) && words.allSatisfy(versions.contains)
  }

  /// "2D", "IMAX 3D", "OmU": how a film is shown, and nothing else.
  static func isFormat(_ text: String) -> Bool {
    text.lowercased().trimmedText == "2d" || isVersion(text) || PrintedTitle(text).isOnlyMarks
  }

  /// "E/d/f", "Jap/d", "OV/d/f": what is spoken, and in small letters what is written below it.
  private static func isSwissVersion(_ text: String) -> Bool {
    let parts = text.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    guard (2...4).contains(parts.count), let spoken = parts.first, (1...3).contains(spoken.count),
      spoken.first.map({ (0x41...0x5A).contains($0) }) ?? false,
      spoken.allSatisfy({ (0x41...0x5A).contains($0) || (0x61...0x7A).contains($0) })
    else { return false }
    return parts.dropFirst().allSatisfy { swissLanguages.contains(String(Substring($0))) }
  }

  private static let swissLanguages: Set<String> = ["d", "f", "e", "i", "df", "de", "fd", "en"]

  /// "TH/EN", "EN/--": what is spoken, and what is written below it.
  private static func isPairOfLanguages(_ text: String) -> Bool {
    let parts = text.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    return parts.count == 2
      && parts.allSatisfy { part in
        part.count == 2 && (part.allSatisfy { (0x41...0x5A).contains($0) } || part.elementsEqual("--".utf8))
      }
  }

  private static let versionBytesMax = 40

  private static let versions: Set<String> = Set(
    [
      "英语", "国语", "粤语", "日语", "韩语", "法语", "俄语", "原版", "英語", "國語", "粵語", "日語", "韓語", "法語", "中文", "字幕", "中文字幕", "数字",
      "napisy", "dubbing", "lektor", "polski", "titulky", "dabing", "čeština", "altyazılı", "dublaj", "türkçe",
      "субтитры",
      "дубляж", "дублированный", "оригинал", "felirattal", "feliratos", "szinkronizált", "magyarul", "beszélő",
      "subtitrat",
      "dublat", "자막", "더빙", "디지털", "字幕版", "吹替", "吹替版", "デジタル",
    ].map(\.foldedKey))

  /// That a film is spoken in, where a guide links them beside each.
  private static let languages: Set<String> = [
    "hindi", "tamil", "telugu", "malayalam", "kannada", "marathi", "bengali", "punjabi", "gujarati", "bhojpuri", "odia",
    "assamese", "urdu", "english", "korean", "japanese", "mandarin", "cantonese", "tagalog", "filipino", "sinhala",
    "nepali",
  ]

  private static let genresBytesMax = 80
  private static let genresMax = 6

  private static let genres: Set<String> = Set(
    """
    drama|comedy|thriller|horror|documentary|animation|animated|romance|romantic comedy|action|adventure|fantasy|science fiction|sci-fi|scifi|crime|mystery|western|musical|war|history|historical|biography|biopic|family|music|sport|short|shorts|psychological thriller
    komödie|tragikomödie|dokumentarfilm|dokumentation|doku|krimi|abenteuer|zeichentrick|animationsfilm|liebesfilm|kinderfilm|familienfilm|familie|biografie|biographie|historienfilm|historie|satire|musikfilm|kriegsfilm|kurzfilm|spielfilm|actionfilm|abenteuerfilm|literaturverfilmung|tragödie|liebeskomödie|roadmovie
    comédie|comédie dramatique|drame|policier|aventure|documentaire|guerre|historique|horreur|épouvante|fantastique|romantique|film musical|famille|dessin animé|court-métrage|comédie musicale|biographique|espionnage
    comedia|terror|documental|animación|aventuras|aventura|acción|ciencia ficción|bélico|suspense|suspenso|familiar|biográfico|histórico|romántico|policiaco|fantástico|cortometraje|infantil|comedia dramática
    commedia|drammatico|animazione|documentario|avventura|azione|fantascienza|orrore|giallo|sentimentale|biografico|storico|musicale|poliziesco|fantastico|guerra|noir|commedia drammatica
    dramat|komedia|komedia romantyczna|animowany|animacja|dokument|dokumentalny|biograficzny|familijny|przygodowy|akcja|sensacyjny|kryminał|romans|obyczajowy|historyczny|wojenny|muzyczny|psychologiczny|melodramat|czarna komedia|dla dzieci
    komedie|animatie|documentaire|misdaad|avontuur|oorlog|tragikomedie|jeugd|familiefilm|romantiek
    animovaný|dokumentární|rodinný|dobrodružný|akční|životopisný|romantický|pohádka|historický|válečný|hudební|tragikomedie|krimi|psychologický|mysteriózní
    comédia|animação|documentário|aventura|ação|ficção científica|romance|família|policial
    komedi|dokumentär|dokumentar|äventyr|eventyr|barnfilm|børnefilm|skrekk|gyser|skräck|familjefilm|draama|komedia|dokumentti|jännitys|kauhu|seikkailu|perhe
    vígjáték|dráma|dokumentumfilm|animációs|kalandfilm|romantikus|krimi|családi|драма|комедия|комедія|документальный|документальний|боевик|ужасы|приключения|мелодрама|триллер|мультфильм|фэнтези
    드라마|코미디|다큐멘터리|애니메이션|스릴러|공포|로맨스|액션|판타지|가족|ドラマ|コメディ|ドキュメンタリー|アニメ|アニメーション|ホラー|恋愛|サスペンス|劇情|喜劇|紀錄片|動畫|愛情|驚悚
    """.split { $0 == "|" || $0 == "\n" }.map { String($0).trimmedText.foldedKey })
}
