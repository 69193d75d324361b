import FoundationEssentials
import Wire

/// The five payloads that the codec is measured with. A coder made with `usesLayouts: false` takes them the plain way.

struct NearbyRequest: Codable, Equatable, Sendable, WireLayout {
  var lat: Double
  var lon: Double
  var limit: Int

  static let sample = NearbyRequest(lat: 37.498095, lon: 127.027610, limit: 10)
}

struct Cinema: Codable, Equatable, Sendable, WireLayout {
  var id: String
  var name: String
  var address: String
  var lat: Double
  var lon: Double
  var distanceMeters: Double
  var website: String?
  var screens: Int
  var tags: [String]
}

struct NearbyReply: Codable, Equatable, Sendable, WireLayout {
  var cinemas: [Cinema]

  static let sample = NearbyReply(cinemas: [
    Cinema(
      id: "cinecube", name: "씨네큐브 광화문", address: "서울특별시 종로구 새문안로 68 흥국생명빌딩 지하2층", lat: 37.569502,
      lon: 126.972512, distanceMeters: 412.7, website: "https://www.cinecube.co.kr/content/main", screens: 2,
      tags: ["arthouse", "indie", "auteur"]),
    Cinema(
      id: "emu-artspace", name: "에무시네마", address: "서울특별시 종로구 경희궁1가길 7 복합문화공간에무 2층", lat: 37.571833,
      lon: 126.967391, distanceMeters: 868.25, website: nil, screens: 1, tags: ["indie", "rooftop"]),
    Cinema(
      id: "seoul-art-cinema", name: "서울아트시네마", address: "서울특별시 중구 정동길 3 경향아트힐 2층 서울아트시네마", lat: 37.568911,
      lon: 126.969874, distanceMeters: 1204.5,
      website: "https://www.cinematheque.seoul.kr/bbs/board.php?bo_table=schedule", screens: 1,
      tags: ["classic", "cinematheque", "retrospective", "35mm"]),
  ])
}

struct Screening: Codable, Equatable, Sendable, WireLayout {
  var filmID: String
  var title: String
  var startsAt: Date
  var screen: String
  var seatsLeft: Int?
  var bookingURL: String?
  var attributes: [String: String]
}

struct Schedule: Codable, Equatable, Sendable, WireLayout {
  var screenings: [Screening]

  static let sample: Schedule = {
    let titles = ["퍼펙트 데이즈", "추락의 해부", "Perfect Days", "괴물", "그대들은 어떻게 살 것인가", "가여운 것들"]
    return Schedule(
      screenings: (0..<40).map { index in
        Screening(
          filmID: "film_\(10_000 + index * 37)", title: titles[index % titles.count],
          startsAt: Date(timeIntervalSinceReferenceDate: 800_000_000 + Double(index) * 1_500),
          screen: "\(index % 4 + 1)관",
          seatsLeft: index % 3 == 0 ? nil : index * 3,
          bookingURL: index % 4 == 0 ? nil : "https://booking.example/shows/\(900_000 + index)",
          attributes: ["format": index % 2 == 0 ? "2D" : "DCP", "subtitles": index % 5 == 0 ? "en" : "ko"])
      })
  }()
}

struct Blob: Codable, Equatable, Sendable, WireLayout {
  var data: Data

  static let sample = Blob(data: Data((0..<65_536).map { UInt8(truncatingIfNeeded: $0 &* 31) }))
}

struct Doubles: Codable, Equatable, Sendable, WireLayout {
  var values: [Double]

  static let sample = Doubles(values: (0..<10_000).map { Double($0) * 0.37 })
}
