/// Numbers as they mostly come, `-126.978`, read without the machinery that reads all that a `Double` can be written as.
nonisolated enum PlainDecimal {
  /// Whole numbers up to here are exact in a `Double`, and so is their quotient by a power of ten rounded correctly.
  private static let digitsMax = 15
  private static let powers: [Double] = [
    1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
  ]

  /// The number, exactly as `Double` reads it; nil for whatever else `Double` may know how to read.
  static func value(of text: String) -> Double? {
    var text = text
    return text.withUTF8 { bytes in
      let isNegative = bytes.first == UInt8(ascii: "-")
      var whole: Int64 = 0
      var (digits, decimals) = (0, 0)
      var seenPoint = false
      for byte in bytes.dropFirst(isNegative ? 1 : 0) {
        if byte == UInt8(ascii: "."), !seenPoint, digits > 0 {
          seenPoint = true
          continue
        }
        guard ASCII.isDigit(byte), digits < digitsMax else { return nil }
        whole = whole * 10 + Int64(byte - 0x30)
        digits += 1
        if seenPoint { decimals += 1 }
      }
      guard digits > 0, !seenPoint || decimals > 0 else { return nil }
      let value = Double(whole) / powers[decimals]
      return isNegative ? -value : value
    }
  }
}
