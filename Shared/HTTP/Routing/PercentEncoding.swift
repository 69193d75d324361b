/// RFC 3986 percent-encoding, undone once and only once.
nonisolated package enum PercentEncoding {
  /// The text that `bytes` stand for, or `nil` if they are not UTF-8, or hold a NUL, or an escape is malformed.
  static func decode(_ bytes: ArraySlice<UInt8>, plusIsSpace: Bool = false) -> String? {
    bytes.withUnsafeBufferPointer { decode($0, plusIsSpace: plusIsSpace) }
  }

  static func decode(_ bytes: UnsafeBufferPointer<UInt8>, plusIsSpace: Bool = false) -> String? {
    if let plain = plainText(bytes, plusIsSpace: plusIsSpace) { return plain }
    guard let decoded = decodedBytes(Array(bytes)[...], plusIsSpace: plusIsSpace), !decoded.contains(0) else {
      return nil
    }
    return String(validating: decoded, as: UTF8.self)
  }

  /// ASCII in which nothing is escaped, as most texts are: one look and one copy.
  private static func plainText(_ bytes: UnsafeBufferPointer<UInt8>, plusIsSpace: Bool) -> String? {
    for byte in bytes {
      if byte == UInt8(ascii: "%") || byte >= 0x80 || byte == 0 || plusIsSpace && byte == UInt8(ascii: "+") {
        return nil
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// The bytes that `bytes` stand for, or `nil` if an escape is malformed.
  static func decodedBytes(_ bytes: ArraySlice<UInt8>, plusIsSpace: Bool = false) -> [UInt8]? {
    var decoded: [UInt8] = []
    decoded.reserveCapacity(bytes.count)
    var rest = bytes
    while let byte = rest.popFirst() {
      switch byte {
      case UInt8(ascii: "%"):
        guard let high = rest.popFirst().flatMap(ASCII.hex), let low = rest.popFirst().flatMap(ASCII.hex) else {
          return nil
        }
        decoded.append(high << 4 | low)
      case UInt8(ascii: "+") where plusIsSpace:
        decoded.append(ASCII.space)
      default:
        decoded.append(byte)
      }
    }
    return decoded
  }

  /// `text` for use as one segment of a path or one part of a query: all but letters, digits and -._~ escaped.
  package static func encode(_ text: String) -> String {
    var encoded = ""
    for byte in text.utf8 {
      if ASCII.host.contains(byte) {
        encoded.unicodeScalars.append(UnicodeScalar(byte))
      } else {
        let digits = Array("0123456789ABCDEF")
        encoded.append("%")
        encoded.append(digits[Int(byte >> 4)])
        encoded.append(digits[Int(byte & 15)])
      }
    }
    return encoded
  }
}
