/// What a request line may ask for.
nonisolated enum RequestTarget {
  /// Visible ASCII, and each percent sign with its two digits.
  static func isGood(_ bytes: [UInt8], _ target: Range<Int>) -> Bool {
    bytes.withUnsafeBufferPointer { bytes in
      let allowed = ASCII.target
      for index in target {
        guard allowed.contains(bytes[index]) else { return false }
        guard bytes[index] == UInt8(ascii: "%") else { continue }
        guard index + 2 < target.upperBound, ASCII.hex(bytes[index + 1]) != nil, ASCII.hex(bytes[index + 2]) != nil
        else { return false }
      }
      return true
    }
  }

  /// The target with its letters beyond ASCII as percent-encoding has them; nil if that does not make it good.
  ///
  /// RFC 3986 wants clients to do it. People type `?q=괴물`, and curl sends what was typed: what it means is beyond doubt
  /// as long as it is UTF-8.
  static func encodingLetters(_ bytes: [UInt8], _ target: Range<Int>) -> [UInt8]? {
    guard String(validating: bytes[target], as: UTF8.self) != nil else { return nil }
    var encoded: [UInt8] = []
    encoded.reserveCapacity(target.count * 3)
    for byte in bytes[target] {
      if byte < 0x80 {
        encoded.append(byte)
      } else {
        encoded += [UInt8(ascii: "%"), ASCII.hexDigit(byte >> 4), ASCII.hexDigit(byte & 0xF)]
      }
    }
    return isGood(encoded, 0..<encoded.count) ? encoded : nil
  }

  /// The length of `http://` or `https://` at the target's begin.
  static func schemeBytes(_ bytes: [UInt8], _ target: Range<Int>) -> Int? {
    for scheme in ["http://", "https://"] as [StaticString] where scheme.utf8CodeUnitCount < target.count {
      let range = target.lowerBound..<target.lowerBound + scheme.utf8CodeUnitCount
      if ASCII.matches(bytes, range, scheme) { return range.count }
    }
    return nil
  }
}
