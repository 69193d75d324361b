/// How far local time is ahead of UTC: `+09:00`. Negative west of Greenwich; less than 26 hours either way.
package struct UTCOffset: Hashable, Comparable, Sendable {
  package let seconds: Int

  package init?(seconds: Int) {
    guard abs(seconds) < 26 * 3_600 else { return nil }
    self.seconds = seconds
  }

  private init(unchecked seconds: Int) { self.seconds = seconds }

  package static let zero = UTCOffset(unchecked: 0)

  /// What RFC 3339 can write: whole minutes, less than a day.
  package var inWholeMinutes: UTCOffset {
    UTCOffset(unchecked: min(max(seconds / 60, -1_439), 1_439) * 60)
  }

  package static func < (left: UTCOffset, right: UTCOffset) -> Bool { left.seconds < right.seconds }
}

/// Written `+09:00`, or `-00:01:15` for the local mean times of the nineteenth century.
///
/// Read: `Z`, `+09:00`, `+0900`, `+09`.
extension UTCOffset: LosslessStringConvertible, Codable, WrittenAsText {
  package static let form = "an offset from UTC, like +09:00"

  package init?(_ text: String) {
    guard let offset = text.scanned({ $0.offset() }) else { return nil }
    self = offset
  }

  package var description: String {
    String(ascii: 9) { $0.put(self) }
  }
}

extension ASCIIScanner {
  /// `Z`, `+09:00`, `+0900`, `+09`, and seconds where there are any.
  mutating func offset() -> UTCOffset? {
    if skip(anyOf: "Zz") != nil { return .zero }
    guard let sign = skip(anyOf: "+-"), let hours = digits(2) else { return nil }
    var seconds = hours * 3_600
    let colon = skip(":")
    if let minutes = digits(2) {
      guard minutes < 60 else { return nil }
      seconds += minutes * 60
      let hasSeconds = colon ? skip(":") : rest >= 2
      if hasSeconds {
        guard let more = digits(2), more < 60 else { return nil }
        seconds += more
      }
    } else if colon {
      return nil
    }
    return UTCOffset(seconds: sign == UInt8(ascii: "-") ? -seconds : seconds)
  }
}

extension ASCIISink {
  /// `+09:00`, or `+0900`
  mutating func put(_ offset: UTCOffset, hasColons: Bool = true) {
    let size = abs(offset.seconds)
    put(offset.seconds < 0 ? "-" : "+")
    put(twoDigits: size / 3_600)
    if hasColons { put(":") }
    put(twoDigits: size / 60 % 60)
    guard size % 60 != 0 else { return }
    if hasColons { put(":") }
    put(twoDigits: size % 60)
  }
}
