/// The name of a time zone in the IANA database: `Asia/Seoul`.
///
/// Its form is checked, not that the zone exists: only a `ZoneDirectory` knows that. Each part starts with a capital and
/// has no dot, so no name leaves the directory and none of the tables that lie beside the zones can be asked for.
package struct ZoneName: Hashable, Sendable {
  package let text: String

  private static let partsMax = 3
  private static let bytesMax = 64

  package static let utc = ZoneName(unchecked: "UTC")

  private init(unchecked text: String) { self.text = text }
}

extension ZoneName: LosslessStringConvertible, Codable, WrittenAsText {
  package static let form = "the name of a time zone, like Asia/Seoul"

  package init?(_ text: String) {
    guard text.utf8.count <= ZoneName.bytesMax else { return nil }
    var parts = 1
    var isAtStart = true
    for byte in text.utf8 {
      if isAtStart {
        guard (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) else { return nil }
        isAtStart = false
      } else if byte == UInt8(ascii: "/") {
        parts += 1
        isAtStart = true
      } else if !ZoneName.isInside(byte) {
        return nil
      }
    }
    guard !isAtStart, parts <= ZoneName.partsMax else { return nil }
    self.text = text
  }

  private static func isInside(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "+"), UInt8(ascii: "-"):
      true
    default: false
    }
  }

  package var description: String { text }
}
