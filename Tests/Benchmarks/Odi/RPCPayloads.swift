import RPC
import Wire

// The RPC benchmark's service. Peers/cinemas.h, .proto and .capnp hold the same.

nonisolated enum CinemasAPI: RPCService {
  static let name = "cinemas"
}

nonisolated struct NearestCinemas: RPCRequest, WireLayout {
  typealias Service = CinemasAPI
  static let method: MethodID = 0xFE01
  static let safety = Safety.read

  var latitude: Double
  var longitude: Double
  var limit: UInt32

  struct Response: Codable, Sendable, WireLayout {
    var cinemas: [ListedCinema]
  }
}

/// A cinema as this service lists it.
nonisolated struct ListedCinema: Codable, Sendable, WireLayout {
  var id: String
  var name: String
  var address: String
  var website: String
  var latitude: Double
  var longitude: Double
  var metres: UInt32
  var screens: UInt32
}

nonisolated extension NearestCinemas {
  static let sample = NearestCinemas(latitude: 37.498095, longitude: 127.027610, limit: 10)
}

nonisolated extension NearestCinemas.Response {
  /// The sum of all bytes of all strings, which every candidate reports.
  var text: UInt64 {
    cinemas.reduce(0) { sum, cinema in
      [cinema.id, cinema.name, cinema.address, cinema.website].reduce(sum) { sum, string in
        string.utf8.reduce(sum) { $0 + UInt64($1) }
      }
    }
  }

  static let sample = NearestCinemas.Response(cinemas: [
    ListedCinema(
      id: "hanbit-seocho", name: "한빛시네마 서초", address: "서울특별시 서초구 누리대로 일백이십삼 한빛빌딩 지하 일층",
      website: "https://hanbit-seocho.example/visits", latitude: 37.4979, longitude: 127.0276, metres: 212, screens: 3),
    ListedCinema(
      id: "narae-art-house", name: "나래아트하우스", address: "서울특별시 강남구 도담로 사십오길 나래타워 육층 오른쪽",
      website: "https://narae.example/art-house", latitude: 37.5012, longitude: 127.0396, metres: 845, screens: 2),
    ListedCinema(
      id: "cinema-mirinae", name: "미리내극장", address: "서울특별시 강남구 가람대로 삼백칠십일 미리내회관 이층 안쪽",
      website: "https://cinema-mirinae.example/theatre/gangnam", latitude: 37.5045, longitude: 127.0489, metres: 1734,
      screens: 5),
  ])
}
