/// The classes of characters that the grammar of RFC 9110 and RFC 3986 is made of, each as two words of bits.
nonisolated enum ASCII {
  /// What method and field names are made of: letters, digits and !#$%&'*+-.^_`|~
  static let token = ASCIISet(low: 0x03FF_6CFA_0000_0000, high: 0x57FF_FFFF_C7FF_FFFE)
  /// What a target may hold: everything visible but " # < > \, which no browser sends unencoded.
  static let target = ASCIISet(low: 0xAFFF_FFF2_0000_0000, high: 0x7FFF_FFFF_EFFF_FFFF)
  /// What a host name may hold: letters, digits and -._~
  static let host = ASCIISet(low: 0x03FF_6000_0000_0000, high: 0x47FF_FFFE_87FF_FFFE)

  static let cr: UInt8 = 0x0D
  static let lf: UInt8 = 0x0A
  static let tab: UInt8 = 0x09
  static let space: UInt8 = 0x20
  static let delete: UInt8 = 0x7F

  static func isBlank(_ byte: UInt8) -> Bool { byte == space || byte == tab }

  static func isDigit(_ byte: UInt8) -> Bool { byte &- 0x30 < 10 }

  /// The digit of a value below 16.
  static func hexDigit(_ value: UInt8) -> UInt8 { value + (value < 10 ? UInt8(ascii: "0") : UInt8(ascii: "A") - 10) }

  /// The value of a hexadecimal digit.
  static func hex(_ byte: UInt8) -> UInt8? {
    if isDigit(byte) { return byte &- 0x30 }
    let letter = (byte | 0x20) &- 0x61
    return letter < 6 ? letter + 10 : nil
  }

  static func lowercased(_ byte: UInt8) -> UInt8 { byte &- 0x41 < 26 ? byte | 0x20 : byte }

  /// Whether `bytes[range]` is `text`, which is in lower case, in any case.
  static func matches(_ bytes: [UInt8], _ range: Range<Int>, _ text: StaticString) -> Bool {
    guard range.count == text.utf8CodeUnitCount else { return false }
    let wanted = text.utf8Start
    for index in 0..<range.count where lowercased(bytes[range.lowerBound + index]) != wanted[index] { return false }
    return true
  }

  /// The first byte that is a control character and no tab, or the count.
  ///
  /// Eight at a time, because every byte of every header passes here and almost none is one.
  static func firstControl(in bytes: UnsafeRawBufferPointer) -> Int {
    let ones: UInt64 = 0x0101_0101_0101_0101
    let tops: UInt64 = 0x8080_8080_8080_8080
    var index = 0
    while index + 8 <= bytes.count {
      let word = bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self)
      let deletes = word ^ (ones &* UInt64(delete))
      let hits = (word &- (ones &* 0x20)) & ~word | (deletes &- ones) & ~deletes
      if hits & tops != 0, let found = slowFirstControl(in: bytes, from: index, to: index + 8) { return found }
      index += 8
    }
    return slowFirstControl(in: bytes, from: index, to: bytes.count) ?? bytes.count
  }

  private static func slowFirstControl(in bytes: UnsafeRawBufferPointer, from start: Int, to end: Int) -> Int? {
    (start..<end).first { bytes[$0] < space && bytes[$0] != tab || bytes[$0] == delete }
  }

  /// `bytes[range]` without blanks at its ends.
  static func trimmed(_ bytes: [UInt8], _ range: Range<Int>) -> Range<Int> {
    var (start, end) = (range.lowerBound, range.upperBound)
    while start < end, isBlank(bytes[start]) { start += 1 }
    while start < end, isBlank(bytes[end - 1]) { end -= 1 }
    return start..<end
  }
}

/// A set of ASCII characters.
nonisolated struct ASCIISet {
  let low: UInt64
  let high: UInt64

  @inline(__always)
  func contains(_ byte: UInt8) -> Bool {
    (byte < 64 ? low >> UInt64(byte) : byte < 128 ? high >> UInt64(byte &- 64) : 0) & 1 == 1
  }
}
