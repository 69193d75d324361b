import Contracts
import Spatial
import TextSearch

/// A region whose names and bounds we know: for its name in the language of the place, and to see a point that is not
/// in it. Other regions are what the directory says.
nonisolated struct KnownRegion: Sendable {
  let id: String
  let name: String
  let nameEnglish: String
  let country: String
  /// What else it is called in files.
  let others: [String]
  /// Generous: bounds of a box, not of a border.
  let box: MapBox

  init(
    _ id: String, _ name: String, _ nameEnglish: String, _ country: String, _ south: Double, _ west: Double,
    _ north: Double, _ east: Double, others: [String] = []
  ) {
    self.id = id
    self.name = name
    self.nameEnglish = nameEnglish
    self.country = country
    self.others = others
    box = MapBox(south: south, west: west, north: north, east: east)
  }

  static let all = [
    KnownRegion("seoul", "서울", "Seoul", "KR", 37.41, 126.73, 37.72, 127.20, others: ["서울특별시"]),
    KnownRegion("busan", "부산", "Busan", "KR", 34.87, 128.73, 35.40, 129.32, others: ["부산광역시"]),
    KnownRegion("daegu", "대구", "Daegu", "KR", 35.60, 128.34, 36.33, 128.78, others: ["대구광역시"]),
    KnownRegion("incheon", "인천", "Incheon", "KR", 36.90, 124.50, 37.99, 126.80, others: ["인천광역시"]),
    KnownRegion("gwangju", "광주", "Gwangju", "KR", 35.04, 126.64, 35.27, 127.03, others: ["광주광역시"]),
    KnownRegion("daejeon", "대전", "Daejeon", "KR", 36.17, 127.24, 36.52, 127.58, others: ["대전광역시"]),
    KnownRegion("ulsan", "울산", "Ulsan", "KR", 35.30, 128.96, 35.75, 129.48, others: ["울산광역시"]),
    KnownRegion("sejong", "세종", "Sejong", "KR", 36.40, 127.12, 36.75, 127.42, others: ["세종특별자치시"]),
    KnownRegion("gyeonggi", "경기", "Gyeonggi", "KR", 36.88, 126.30, 38.31, 127.87, others: ["경기도", "Gyeonggi-do"]),
    KnownRegion(
      "gangwon", "강원", "Gangwon", "KR", 37.00, 127.06, 38.63, 129.39,
      others: ["강원도", "강원특별자치도", "Gangwon-do"]),
    KnownRegion(
      "chungbuk", "충북", "North Chungcheong", "KR", 36.00, 127.26, 37.27, 128.68,
      others: ["충청북도", "Chungcheongbuk-do"]),
    KnownRegion(
      "chungnam", "충남", "South Chungcheong", "KR", 35.96, 125.50, 37.08, 127.66,
      others: ["충청남도", "Chungcheongnam-do"]),
    KnownRegion(
      "jeonbuk", "전북", "North Jeolla", "KR", 35.28, 125.90, 36.18, 127.93,
      others: ["전라북도", "전북특별자치도", "Jeollabuk-do"]),
    KnownRegion("jeonnam", "전남", "South Jeolla", "KR", 33.85, 125.00, 35.53, 127.91, others: ["전라남도", "Jeollanam-do"]),
    KnownRegion(
      "gyeongbuk", "경북", "North Gyeongsang", "KR", 35.55, 127.78, 37.58, 131.90,
      others: ["경상북도", "Gyeongsangbuk-do"]),
    KnownRegion(
      "gyeongnam", "경남", "South Gyeongsang", "KR", 34.48, 127.56, 35.93, 129.24,
      others: ["경상남도", "Gyeongsangnam-do"]),
    KnownRegion("jeju", "제주", "Jeju", "KR", 33.08, 126.10, 34.02, 126.99, others: ["제주특별자치도", "제주도", "Jeju-do"]),
    KnownRegion(
      "greater-london", "Greater London", "Greater London", "GB", 51.28, -0.52, 51.70, 0.34, others: ["London"]),
  ]

  static func of(_ id: String) -> KnownRegion? { all.first { $0.id == id } }

  /// The id of a region by any of its names; of an unknown one its name in small letters, with hyphens.
  static func slug(_ name: String) -> String {
    let folded = FoldedText(name)
    let known = all.first { region in
      ([region.id, region.name, region.nameEnglish] + region.others).contains { FoldedText($0).text == folded.text }
    }
    if let known { return known.id }
    return Slug.hyphenated(folded)
  }

  /// Countries with one zone, for rows that do not name it.
  static let onlyZone = [
    "KR": "Asia/Seoul", "JP": "Asia/Tokyo", "GB": "Europe/London", "IE": "Europe/Dublin", "NL": "Europe/Amsterdam",
    "BE": "Europe/Brussels", "DE": "Europe/Berlin", "FR": "Europe/Paris", "IT": "Europe/Rome", "AT": "Europe/Vienna",
    "CH": "Europe/Zurich", "DK": "Europe/Copenhagen", "SE": "Europe/Stockholm", "NO": "Europe/Oslo",
    "FI": "Europe/Helsinki", "PL": "Europe/Warsaw", "CZ": "Europe/Prague", "TW": "Asia/Taipei", "HK": "Asia/Hong_Kong",
    "SG": "Asia/Singapore",
  ]
}
