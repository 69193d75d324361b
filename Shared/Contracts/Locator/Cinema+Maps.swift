/// Where maps show a cinema.
package struct MapLinks: Hashable, Sendable {
  package var naver: String?
  package var kakao: String?
  package var google: String
  package var apple: String
  package var openStreetMap: String
}

extension Cinema {
  /// NAVER and Kakao only where they have maps.
  package var mapLinks: MapLinks {
    let point = "\(position.latitude),\(position.longitude)"
    let name = Cinema.escaped(name)
    let isKorean = country == "KR"
    return MapLinks(
      naver: isKorean ? mapPlace ?? "https://map.naver.com/p/search/\(name)" : nil,
      kakao: isKorean ? "https://map.kakao.com/link/map/\(name),\(point)" : nil,
      google: "https://www.google.com/maps/search/?api=1&query=\(point)",
      apple: "https://maps.apple.com/?ll=\(point)&q=\(name)",
      openStreetMap:
        "https://www.openstreetmap.org/?mlat=\(position.latitude)&mlon=\(position.longitude)"
        + "#map=17/\(position.latitude)/\(position.longitude)")
  }

  /// Percent-encoded as a part of a path or a query.
  private static func escaped(_ text: String) -> String {
    let digits = Array("0123456789ABCDEF".utf8)
    var bytes: [UInt8] = []
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
        UInt8(ascii: "~"):
        bytes.append(byte)
      default:
        bytes += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
