/// Data that a page's script has to unwrap first: `decodeURIComponent("%7B…")`, `atob("eyJ…")`, Angular's `{&q;films&q;:…}`.
enum WrappedText {
  /// What is inside; the text itself if nothing is around it.
  static func unwrapped(_ text: [UInt8]) -> [UInt8] {
    let begin = String(decoding: text.prefix(beginBytes), as: UTF8.self)
    if begin.hasPrefix("%7B") || begin.hasPrefix("%5B") { return unescaped(text) }
    if base64Begins.contains(where: begin.hasPrefix), let plain = base64(text) { return plain }
    return begin.contains("&q;") ? unmarked(text) : text
  }

  /// The first name of the data stands in these.
  private static let beginBytes = 64

  /// Of `{"`, `[{"`, `["`.
  private static let base64Begins = ["eyJ", "W3si", "WyJ"]

  /// `%7B` as `{`.
  private static func unescaped(_ text: [UInt8]) -> [UInt8] {
    replacing(UInt8(ascii: "%"), in: text) { first, second in
      UInt8(String(decoding: [first, second], as: UTF8.self), radix: 16)
    }
  }

  /// `&q;` as a quotation mark.
  private static func unmarked(_ text: [UInt8]) -> [UInt8] {
    replacing(UInt8(ascii: "&"), in: text) { first, second in second == UInt8(ascii: ";") ? letters[first] : nil }
  }

  private static let letters: [UInt8: UInt8] = [
    UInt8(ascii: "q"): UInt8(ascii: "\""), UInt8(ascii: "s"): UInt8(ascii: "'"), UInt8(ascii: "l"): UInt8(ascii: "<"),
    UInt8(ascii: "g"): UInt8(ascii: ">"), UInt8(ascii: "a"): UInt8(ascii: "&"),
  ]

  /// Each mark and the two bytes behind it by the one that they stand for.
  private static func replacing(_ mark: UInt8, in text: [UInt8], by byte: (UInt8, UInt8) -> UInt8?) -> [UInt8] {
    var plain: [UInt8] = []
    plain.reserveCapacity(text.count)
    var index = 0
    while index < text.count {
      let meant = text[index] == mark && index + 2 < text.count ? byte(text[index + 1], text[index + 2]) : nil
      plain.append(meant ?? text[index])
      index += meant == nil ? 1 : 3
    }
    return plain
  }

  private static func base64(_ text: [UInt8]) -> [UInt8]? {
    var plain: [UInt8] = []
    plain.reserveCapacity(text.count / 4 * 3)
    var (bits, count): (UInt32, Int) = (0, 0)
    for byte in text {
      let value: UInt8
      switch byte {
      case UInt8(ascii: "A")...UInt8(ascii: "Z"): value = byte - UInt8(ascii: "A")
      case UInt8(ascii: "a")...UInt8(ascii: "z"): value = byte - UInt8(ascii: "a") + 26
      case UInt8(ascii: "0")...UInt8(ascii: "9"): value = byte - UInt8(ascii: "0") + 52
      case UInt8(ascii: "+"), UInt8(ascii: "-"): value = 62
      case UInt8(ascii: "/"), UInt8(ascii: "_"): value = 63
      case UInt8(ascii: "="), 0x0A, 0x0D: continue
      default: return nil
      }
      bits = bits << 6 | UInt32(value)
      count += 6
      if count >= 8 {
        count -= 8
        plain.append(UInt8(truncatingIfNeeded: bits >> UInt32(count)))
      }
    }
    return plain
  }
}
