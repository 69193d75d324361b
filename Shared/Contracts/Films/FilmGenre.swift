/// What kind of film it is: one word a kind, in three languages.
package enum FilmGenre: String, CaseIterable, Sendable {
  case action, adventure, animation, comedy, crime, documentary, drama, erotic, family, fantasy, history, horror, music
  case mystery, romance
  case scienceFiction = "science-fiction"
  case thriller, war, western

  /// In English, Korean and Japanese.
  package var names: (english: String, korean: String, japanese: String) {
    switch self {
    case .action: ("Action", "액션", "アクション")
    case .adventure: ("Adventure", "모험", "アドベンチャー")
    case .animation: ("Animation", "애니메이션", "アニメーション")
    case .comedy: ("Comedy", "코미디", "コメディ")
    case .crime: ("Crime", "범죄", "犯罪")
    case .documentary: ("Documentary", "다큐멘터리", "ドキュメンタリー")
    case .drama: ("Drama", "드라마", "ドラマ")
    case .erotic: ("Erotic", "성인", "成人")
    case .family: ("Family", "가족", "ファミリー")
    case .fantasy: ("Fantasy", "판타지", "ファンタジー")
    case .history: ("History", "사극", "歴史")
    case .horror: ("Horror", "공포", "ホラー")
    case .music: ("Music", "음악", "音楽")
    case .mystery: ("Mystery", "미스터리", "ミステリー")
    case .romance: ("Romance", "로맨스", "ロマンス")
    case .scienceFiction: ("Science fiction", "SF", "SF")
    case .thriller: ("Thriller", "스릴러", "スリラー")
    case .war: ("War", "전쟁", "戦争")
    case .western: ("Western", "서부극", "西部劇")
    }
  }

  /// - Parameter language: `ko`, `ja`; anything else is English.
  package func name(in language: String?) -> String {
    switch language {
    case "ko": names.korean
    case "ja": names.japanese
    default: names.english
    }
  }

  /// The genre that a source means by a word of its own; nil if none of ours is.
  package static func named(_ word: String) -> FilmGenre? { byWord[word.lowercased()] }

  /// The words of sources for what is of no kind that they know.
  package static let none: Set<String> = ["기타", "その他", "other"]

  private static let byWord: [String: FilmGenre] = {
    var words: [String: FilmGenre] = [
      "sf": .scienceFiction, "sci-fi": .scienceFiction, "science fiction": .scienceFiction,
      "sf・ファンタジー": .scienceFiction,
      "멜로": .romance, "멜로/로맨스": .romance, "멜로드라마": .romance, "로맨틱": .romance, "恋愛": .romance, "ラブストーリー": .romance,
      "어드벤처": .adventure, "冒険": .adventure, "호러": .horror, "공포(호러)": .horror, "뮤지컬": .music, "musical": .music,
      "ミュージカル": .music, "역사": .history, "時代劇": .history, "다큐": .documentary, "サスペンス": .thriller, "喜劇": .comedy,
      "서부극(웨스턴)": .western, "웨스턴": .western, "ウエスタン": .western, "성인물(에로)": .erotic, "에로": .erotic,
      "erotica": .erotic, "공연": .music, "느와르": .crime, "クライム": .crime, "animated": .animation, "アニメ": .animation,
      "suspense": .thriller,
    ]
    for genre in allCases {
      words[genre.rawValue] = genre
      for name in [genre.names.english, genre.names.korean, genre.names.japanese] { words[name.lowercased()] = genre }
    }
    return words
  }()
}
