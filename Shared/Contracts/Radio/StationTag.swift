/// What stations are about, as directories say it: the commonest words, in three languages.
package struct StationTag: Hashable, Sendable {
  package let ko: String
  package let ja: String
  package let en: String

  private init(_ ko: String, _ ja: String, _ en: String) { (self.ko, self.ja, self.en) = (ko, ja, en) }

  /// In each language.
  package var names: [String] { [ko, ja, en] }

  private static let all = [
    StationTag("영화", "映画", "film"), StationTag("음악", "音楽", "music"), StationTag("클래식", "クラシック", "classical"),
    StationTag("재즈", "ジャズ", "jazz"), StationTag("케이팝", "K-POP", "K-pop"),
    StationTag("국악", "韓国伝統音楽", "Korean traditional"), StationTag("뉴스", "ニュース", "news"),
    StationTag("토크", "トーク", "talk"), StationTag("지상파", "地上波", "terrestrial"), StationTag("지역", "地域", "regional"),
    StationTag("지역방송", "地域放送", "regional"), StationTag("외국어방송", "外国語放送", "foreign languages"),
    StationTag("외국어", "外国語", "foreign languages"), StationTag("영어", "英語", "English"),
    StationTag("미군방송", "米軍放送", "US forces"), StationTag("특별방송", "特別放送", "special"),
    StationTag("전문방송", "専門放送", "speciality"), StationTag("음악방송", "音楽放送", "music"),
    StationTag("교통", "交通", "traffic"), StationTag("도로", "道路", "roads"), StationTag("종교", "宗教", "religion"),
    StationTag("기독교", "キリスト教", "Christian"), StationTag("불교", "仏教", "Buddhist"), StationTag("데모", "デモ", "demo"),
    StationTag("서울", "ソウル", "Seoul"), StationTag("부산", "釜山", "Busan"), StationTag("대구", "大邱", "Daegu"),
    StationTag("인천", "仁川", "Incheon"), StationTag("광주", "光州", "Gwangju"), StationTag("대전", "大田", "Daejeon"),
    StationTag("울산", "蔚山", "Ulsan"), StationTag("제주", "済州", "Jeju"),
  ]

  private static let places: [String: Int] = {
    var places: [String: Int] = [:]
    for (place, tag) in all.enumerated() {
      for name in tag.names.map({ $0.lowercased() }) where places[name] == nil { places[name] = place }
    }
    return places
  }()

  /// By its name in any of the languages; nil for a word that is none of them.
  package static func named(_ text: String) -> StationTag? { places[text.lowercased()].map { all[$0] } }
}
