import Atlas
import CSV
package import Calendars
package import Contracts
import Glibc

/// Invented restaurants around the known cinemas, to try the software with: the same each time, and marked as a demo.
nonisolated package enum DemoRestaurants {
  /// Around each cinema that has not closed.
  package static func all(zones: ZoneDirectory) -> [Restaurant] {
    var all: [Restaurant] = []
    for cinema in Atlas.all.flatMap({ file in cinemas(of: file) }) {
      for (index, kitchen) in kitchens(cinema.country).enumerated() {
        guard let place = try? draft(of: kitchen, index, around: cinema).restaurant(zones: zones) else { continue }
        // Cinemas that are neighbours share a street, and no street has two of one name.
        let hasNamesake = all.contains { other in
          other.name == place.name && other.position.metres(to: place.position) < Self.streetMetres
        }
        if !hasNamesake { all.append(place) }
      }
    }
    return all
  }

  private static let streetMetres = 300.0

  private struct Cinema {
    let id: String
    let country: String
    let latitude: Double
    let longitude: Double
    let town: String
    let region: String
    /// Of its address: a Korean one begins with the region and the district.
    let areas: [String]
  }

  private static func cinemas(of file: Atlas) -> [Cinema] {
    guard var table = try? CSVTable(file.bytes) else { return [] }
    var cinemas: [Cinema] = []
    while let row = try? table.next() {
      guard row["active"] != "0", let id = row["id"], let country = row["country"],
        let latitude = row["lat"].flatMap(Double.init), let longitude = row["lon"].flatMap(Double.init)
      else { continue }
      let town = row["city"] ?? ""
      let areas = country == "KR" ? (row["address"] ?? "").split(separator: " ").prefix(2).map(String.init) : [town]
      cinemas.append(
        Cinema(
          id: id, country: country, latitude: latitude, longitude: longitude, town: town, region: row["region"] ?? town,
          areas: areas))
    }
    return cinemas
  }

  // MARK: Kitchens

  /// What a restaurant is, apart from its name and place.
  private struct Kitchen {
    let genre: (code: String, name: String)
    let names: [String]
    let budget: String
    let open: String
    let close: String?
    let metres: Double
    let seats: Int
    let features: [RestaurantFeature: String]
  }

  private static func draft(of kitchen: Kitchen, _ index: Int, around cinema: Cinema) -> RestaurantDraft {
    var draft = RestaurantDraft("demo")
    let hash = cinema.id.utf8.reduce(UInt64(0xCBF2_9CE4_8422_2325)) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
    let turn = hash &+ UInt64(index) &* 7
    draft[.id] = "rest_demo-\(cinema.id)-\(index + 1)"
    let name = kitchen.names[Int(turn % UInt64(kitchen.names.count))]
    draft[.name] = name
    draft[.nameEnglish] = inEnglish[name]
    draft[.country] = cinema.country
    // Around the cinema like numbers around a clock.
    let angle = Double(hash % 360) / 180 * .pi + Double(index) * 1.3
    let metres = kitchen.metres + Double(turn % 60)
    draft[.latitude] = "\(rounded(cinema.latitude + metres * cos(angle) / 111_195))"
    draft[.longitude] =
      "\(rounded(cinema.longitude + metres * sin(angle) / 111_195 / cos(cinema.latitude / 180 * .pi)))"
    draft[.genreCode] = kitchen.genre.code
    draft[.genre] = kitchen.genre.name
    draft[.budget] = kitchen.budget
    let sums = kitchen.budget.filter { $0.isNumber || $0 == "~" || $0 == "-" }.map { $0.isNumber ? $0 : "-" }
    draft[.budgetCode] = "\(cinema.country.lowercased())-\(String(sums))"
    draft[.open] = kitchen.open
    draft[.close] = kitchen.close
    draft[.capacity] = String(kitchen.seats)
    draft[.partyCapacity] = String(kitchen.seats / 2)
    draft[.largeAreaCode] = cinema.region
    draft[.largeArea] = cinema.areas.first
    if cinema.areas.count > 1 {
      draft[.middleAreaCode] = cinema.areas.joined(separator: "-")
      draft[.middleArea] = cinema.areas[1]
    }
    draft[.smallAreaCode] = cinema.id
    draft[.smallArea] = cinema.town
    draft[.source] = RestaurantSource.demo.rawValue
    draft[.tagline] =
      cinema.country == "KR" ? "지어낸 가게입니다. 프로그램을 써 보기 위한 것입니다." : "Invented, to try the software with."
    for (feature, text) in kitchen.features { draft[feature] = text }
    return draft
  }

  /// To a metre.
  private static func rounded(_ degrees: Double) -> Double { (degrees * 100_000).rounded() / 100_000 }

  private static func kitchens(_ country: String) -> [Kitchen] { country == "KR" ? korean : english }

  /// From a bowl of noodles in a hurry to a bar after the late show; hours as such places print them.
  private static let korean = [
    Kitchen(
      genre: ("G017", "한국요리"), names: ["느린국수", "파란문 국밥", "달무리 칼국수", "모퉁이 백반", "담쟁이 식당"], budget: "9,000~12,000원",
      open: "매일 11:00 ~ 21:30 (라스트오더 21:00)", close: "연중무휴", metres: 110, seats: 32,
      features: [.card: "가능", .child: "가능", .nonSmoking: "금연", .wifi: "있음"]),
    Kitchen(
      genre: ("G004", "일식"), names: ["작은우산 우동", "고래식당", "저녁연기 덮밥", "종이배 초밥"], budget: "13,000~22,000원",
      open: "화~일 11:30 ~ 21:30 (라스트오더 20:50) 브레이크타임 15:00~17:00", close: "매주 월요일", metres: 240, seats: 24,
      features: [.card: "가능", .privateRoom: "없음", .nonSmoking: "금연", .english: "있음"]),
    Kitchen(
      genre: ("G006", "이탈리안"), names: ["올리브 언덕", "두번째 막", "라디오 파스타", "오래된 접시"], budget: "18,000~35,000원",
      open: "평일 11:30~15:00, 17:30~22:00 (L.O. 21:00) / 주말, 공휴일 11:30~22:00", close: "설날 당일, 추석 당일", metres: 330,
      seats: 40,
      features: [.card: "가능", .wine: "있음", .privateRoom: "있음", .nonSmoking: "금연", .parking: "없음", .wifi: "있음"]),
    Kitchen(
      genre: ("G014", "카페"), names: ["필름 커피", "느티나무 다방", "엔딩크레딧", "빗소리 찻집"], budget: "6,000~9,000원",
      open: "오전 9시 ~ 오후 11시", close: "없음", metres: 70, seats: 28,
      features: [.wifi: "있음", .card: "가능", .nonSmoking: "금연", .pet: "가능"]),
    Kitchen(
      genre: ("G001", "술집"), names: ["심야극장 뒷골목", "자막 없는 밤", "반달 포차", "낮달 이자카야"], budget: "20,000~40,000원",
      open: "월~목 17:00~익일 01:00 금, 토 17:00~익일 03:00 (라스트오더 익일 02:00)", close: "일요일", metres: 420, seats: 36,
      features: [.card: "가능", .sake: "있음", .midnight: "있음", .charter: "문의", .nonSmoking: "금연석 있음"]),
    Kitchen(
      genre: ("G017", "분식"), names: ["영사실 김밥", "매표소 떡볶이", "세모네모 분식"], budget: "5,000~8,000원",
      open: "24시간 영업", close: "명절 당일", metres: 150, seats: 16, features: [.card: "가능", .midnight: "있음", .child: "가능"]),
  ]

  private static let inEnglish = [
    "느린국수": "Slow Noodles",
    "파란문 국밥": "Blue Door Soup",
    "달무리 칼국수": "Moon Halo Noodles",
    "모퉁이 백반": "Corner Table",
    "담쟁이 식당": "Ivy Kitchen",
    "작은우산 우동": "Small Umbrella Udon",
    "고래식당": "Whale Diner",
    "저녁연기 덮밥": "Evening Smoke Bowls",
    "종이배 초밥": "Paper Boat Sushi",
    "올리브 언덕": "Olive Hill",
    "두번째 막": "Second Act",
    "라디오 파스타": "Radio Pasta",
    "오래된 접시": "The Old Plate",
    "필름 커피": "Film Coffee",
    "느티나무 다방": "Zelkova Tea Room",
    "엔딩크레딧": "End Credits",
    "빗소리 찻집": "Rain Sound Tea House",
    "심야극장 뒷골목": "Late Show Alley",
    "자막 없는 밤": "Night Without Subtitles",
    "반달 포차": "Half Moon Tavern",
    "낮달 이자카야": "Day Moon Izakaya",
    "영사실 김밥": "Projection Room Gimbap",
    "매표소 떡볶이": "Box Office Tteokbokki",
    "세모네모 분식": "Triangle and Square",
  ]

  private static let english = [
    Kitchen(
      genre: ("G005", "British"), names: ["The Lantern Kitchen", "Marlow & Thread", "The Quiet Goose"],
      budget: "£18-32",
      open: "Mon-Sat 12-3pm, 5-11pm (last orders 10pm) Sun 12-9pm", close: nil, metres: 260, seats: 60,
      features: [.card: "yes", .wine: "yes", .child: "yes", .english: "yes", .barrierFree: "yes", .nonSmoking: "yes"]),
    Kitchen(
      genre: ("G009", "Noodles"), names: ["Paper Crane Noodles", "Slow Broth", "Two Bowls"], budget: "£11-17",
      open: "Daily 11:30am-10:30pm", close: "Christmas Day", metres: 130, seats: 34,
      features: [.card: "yes", .english: "yes", .wifi: "yes", .nonSmoking: "yes"]),
    Kitchen(
      genre: ("G006", "Italian"), names: ["Osteria Terza Fila", "Pasta Intermezzo", "Nonna's Reel"], budget: "£15-28",
      open: "Tue-Sun 12:00-15:00, 17:30-22:30", close: "Mondays", metres: 350, seats: 48,
      features: [.card: "yes", .wine: "yes", .privateRoom: "yes", .english: "yes", .nonSmoking: "yes"]),
    Kitchen(
      genre: ("G014", "Café"), names: ["Projector Coffee", "Second Reel Café", "The Interval"], budget: "£5-10",
      open: "Weekdays 8am-6pm, weekends 9am-6pm", close: nil, metres: 80, seats: 22,
      features: [.wifi: "yes", .card: "yes", .pet: "yes", .english: "yes", .nonSmoking: "yes"]),
    Kitchen(
      genre: ("G012", "Bar"), names: ["The Late Screening", "Credits", "Midnight Matinee"], budget: "£12-25",
      open: "Sun-Thu 5pm-midnight, Fri & Sat 5pm-2am", close: nil, metres: 190, seats: 40,
      features: [.card: "yes", .cocktail: "yes", .midnight: "yes", .english: "yes", .nonSmoking: "yes"]),
  ]
}
