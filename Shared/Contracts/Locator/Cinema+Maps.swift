/// Where maps show a place.
package struct MapLinks: Hashable, Sendable {
  package var naver: String?
  package var kakao: String?
  package var google: String
  package var apple: String
  package var openStreetMap: String
}

extension Cinema {
  package var mapLinks: MapLinks {
    MapLinks(named: name, at: position, isKorean: country == "KR", naver: mapPlace)
  }
}

extension MapLinks {
  /// NAVER and Kakao only where they have maps.
  ///
  /// - Parameter place: its own page at NAVER.
  init(named name: String, at position: Coordinate, isKorean: Bool, naver place: String? = nil) {
    let (latitude, longitude) = (position.latitude.description, position.longitude.description)
    let point = latitude + "," + longitude
    let name = Self.escaped(name)
    self.init(
      naver: isKorean ? place ?? "https://map.naver.com/p/search/" + name : nil,
      kakao: isKorean ? Self.joined("https://map.kakao.com/link/map/", name, ",", point) : nil,
      google: "https://www.google.com/maps/search/?api=1&query=" + point,
      apple: Self.joined("https://maps.apple.com/?ll=", point, "&q=", name),
      openStreetMap: Self.joined(
        "https://www.openstreetmap.org/?mlat=", latitude, "&mlon=", longitude, "#map=17/", latitude, "/", longitude))
  }

  /// One allocation for all: every answer about a cinema has these.
  private static func joined(_ parts: String...) -> String {
    var text = ""
    text.reserveCapacity(parts.reduce(0) { $0 + $1.utf8.count })
    for part in parts { text += part }
    return text
  }

  /// Percent-encoded as a part of a path or a query.
  private static func escaped(_ text: String) -> String {
    String(unsafeUninitializedCapacity: text.utf8.count * 3) { bytes in
      var end = 0
      for byte in text.utf8 {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
          UInt8(ascii: "~"):
          bytes.initializeElement(at: end, to: byte)
          end += 1
        default:
          bytes.initializeElement(at: end, to: UInt8(ascii: "%"))
          bytes.initializeElement(at: end + 1, to: digit(byte >> 4))
          bytes.initializeElement(at: end + 2, to: digit(byte & 15))
          end += 3
        }
      }
      return end
    }
  }

  private static func digit(_ nibble: UInt8) -> UInt8 { nibble + UInt8(ascii: nibble < 10 ? "0" : "7") }
}
