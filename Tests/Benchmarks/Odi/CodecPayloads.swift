import FoundationEssentials
import Wire

// The codec benchmark's values. Peers/codec_protobuf.cpp holds the same.
// They are marked to be used from memory; the plain tier is measured with a coder that is told not to.

nonisolated struct Request: Codable, Equatable, Sendable, WireLayout {
  var lat: Double
  var lon: Double
  var limit: Int

  static let sample = Request(lat: 37.498095, lon: 127.027610, limit: 10)
}

nonisolated struct Cinema: Codable, Equatable, Sendable, WireLayout {
  var id, name, address: String
  var lat, lon, distanceMeters: Double
  var website: String?
  var screens: Int
  var tags: [String]
}

nonisolated struct Reply: Codable, Equatable, Sendable, WireLayout {
  var cinemas: [Cinema]

  static let sample = Reply(cinemas: [
    Cinema(
      id: "hanbit-01", name: "한빛시네마", address: "서울특별시 서초구 누리대로 백이십삼 한빛빌딩 지하층", lat: 37.4979, lon: 127.0276,
      distanceMeters: 212.5, website: "https://hanbit-cinema.example/seoul", screens: 3, tags: ["art", "4k", "cafe"]),
    Cinema(
      id: "narae-arthouse", name: "나래아트하우스", address: "서울특별시 강남구 도담로 사십오길 나래타워 육층 우측", lat: 37.5012,
      lon: 127.0396, distanceMeters: 845.25, website: nil, screens: 2, tags: ["indie", "35mm"]),
    Cinema(
      id: "cinema-mirinae-3", name: "미리내극장 삼호", address: "서울특별시 강남구 가람대로 칠십일 미리내회관 이층", lat: 37.5045,
      lon: 127.0489, distanceMeters: 1734.75,
      website: "https://cinema-mirinae.example/theatres/gangnam/screens?from=locator", screens: 5,
      tags: ["atmos", "imax", "family", "late"]),
  ])
}

nonisolated struct Screening: Codable, Equatable, Sendable, WireLayout {
  var filmID, title: String
  var startsAt: Date
  var screen: String
  var seatsLeft: Int?
  var bookingURL: String?
  var attributes: [String: String]
}

nonisolated struct Schedule: Codable, Equatable, Sendable, WireLayout {
  var screenings: [Screening]

  static let sample = Schedule(
    screenings: (0..<40).map { i in
      let titles = ["밤의 도서관", "바람이 머무는 역", "The Lighthouse Keeper", "여름의 끝에서", "달팽이 우체국", "Paper Boats"]
      return Screening(
        filmID: "film-\(1000 + i % 6)", title: titles[i % 6],
        startsAt: Date(timeIntervalSinceReferenceDate: 804_000_000 + Double(i) * 1500), screen: "\(i % 5 + 1)관",
        seatsLeft: i % 3 == 0 ? nil : 20 + i,
        bookingURL: i % 4 == 0 ? nil : "https://tickets.example/book/\(50000 + i)",
        attributes: ["lang": "ko", "format": i % 2 == 0 ? "4K" : "2D"])
    })
}

nonisolated struct Blob: Codable, Equatable, Sendable, WireLayout {
  var data: Data

  static let sample = Blob(data: Data((0..<65536).map { UInt8(truncatingIfNeeded: $0 * 31 + 7) }))
}

nonisolated struct Doubles: Codable, Equatable, Sendable, WireLayout {
  var values: [Double]

  static let sample = Doubles(values: (0..<10000).map { Double($0) * 1.25 })
}
