import Contracts

/// What the guide's genres are called in the reader's language.
nonisolated enum DiningGenre {
  /// By code, in Korean, Japanese and English.
  private static let names: [String: (ko: String, ja: String, en: String)] = [
    "G001": ("술집", "居酒屋", "Izakaya, pub"), "G002": ("다이닝 바", "ダイニングバー・バル", "Dining bar"),
    "G003": ("창작 요리", "創作料理", "Creative"), "G004": ("일식", "和食", "Japanese"), "G005": ("양식", "洋食", "Western"),
    "G006": ("이탈리안·프렌치", "イタリアン・フレンチ", "Italian, French"), "G007": ("중식", "中華", "Chinese"),
    "G008": ("고기구이", "焼肉・ホルモン", "Grilled meat"), "G009": ("아시아 음식", "アジア・エスニック料理", "Asian"),
    "G010": ("세계 음식", "各国料理", "International"), "G011": ("노래방·파티", "カラオケ・パーティ", "Karaoke, party"),
    "G012": ("바·칵테일", "バー・カクテル", "Bar, cocktails"), "G013": ("라멘", "ラーメン", "Ramen"),
    "G014": ("카페·디저트", "カフェ・スイーツ", "Café, sweets"), "G015": ("그 밖의 음식", "その他グルメ", "Other"),
    "G016": ("오코노미야키", "お好み焼き・もんじゃ", "Okonomiyaki"), "G017": ("한국요리", "韓国料理", "Korean"),
  ]

  /// As who told it calls it, where the reader can read that; a code that is not the guide's is left alone.
  static func told(_ genre: CodedName, in language: Language?) -> CodedName {
    Language(ofText: genre.name) == language ? genre : listed(genre, in: language)
  }

  /// Among all genres, where each stands for whatever restaurants call it.
  static func listed(_ genre: CodedName, in language: Language?) -> CodedName {
    guard let language, let names = names[genre.code] else { return genre }
    return CodedName(code: genre.code, name: language.of(names))
  }
}
