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
    let parts = text.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    guard parts.count <= ZoneName.partsMax, parts.allSatisfy(ZoneName.isPart) else { return nil }
    self.text = text
  }

  private static func isPart(_ part: Substring.UTF8View) -> Bool {
    guard let first = part.first, (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(first) else { return false }
    return part.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "+"), UInt8(ascii: "-"):
        true
      default: false
      }
    }
  }

  package var description: String { text }
}
