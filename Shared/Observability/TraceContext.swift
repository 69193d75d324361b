/// Where in which trace we are: what W3C calls `traceparent`, as a value.
package struct TraceContext: Hashable, Sendable {
  package var traceID: TraceID
  package var spanID: SpanID
  package var isSampled: Bool

  package init(traceID: TraceID, spanID: SpanID, isSampled: Bool) {
    self.traceID = traceID
    self.spanID = spanID
    self.isSampled = isSampled
  }
}

/// Sixteen bytes, not all zero.
package struct TraceID: Hashable, Sendable, CustomStringConvertible {
  package let high: UInt64
  package let low: UInt64

  package init?(high: UInt64, low: UInt64) {
    guard high | low != 0 else { return nil }
    self.high = high
    self.low = low
  }

  /// Thirty-two lowercase hexadecimal digits.
  package init?(_ text: some StringProtocol) {
    var digits = HexDigits(text.utf8)
    guard text.utf8.count == 32, let high = digits.next(), let low = digits.next() else { return nil }
    self.init(high: high, low: low)
  }

  package var description: String { String(hexDigitsOf: high, low) }
}

/// Eight bytes, not all zero.
package struct SpanID: Hashable, Sendable, CustomStringConvertible {
  package let value: UInt64

  package init?(_ value: UInt64) {
    guard value != 0 else { return nil }
    self.value = value
  }

  package init?(_ text: some StringProtocol) {
    var digits = HexDigits(text.utf8)
    guard text.utf8.count == 16, let value = digits.next() else { return nil }
    self.init(value)
  }

  package var description: String { String(hexDigitsOf: value) }
}

// MARK: - The header

extension TraceContext {
  /// A `traceparent` header. Of a version we do not know the first four fields are read, as the standard asks.
  package init?(traceparent text: some StringProtocol) {
    let fields = text.split(separator: "-", maxSplits: 4, omittingEmptySubsequences: false)
    guard fields.count >= 4, let version = UInt8(lowercaseHex: fields[0]), version != 0xff,
      version != 0 || fields.count == 4,
      let traceID = TraceID(fields[1]), let spanID = SpanID(fields[2]), let flags = UInt8(lowercaseHex: fields[3])
    else { return nil }
    self.init(traceID: traceID, spanID: spanID, isSampled: flags & 1 == 1)
  }

  package var traceparent: String { "00-\(traceID)-\(spanID)-\(isSampled ? "01" : "00")" }
}

// MARK: - The binary form

extension TraceContext {
  /// What the binary form takes; its layout is in `README.md`.
  package static let binarySize = 26

  /// Reads the binary form. Nil when it is of another size or version, or has an id of zeros.
  package init?(binary bytes: UnsafeRawBufferPointer) {
    guard bytes.count == Self.binarySize, bytes[0] == 0,
      let traceID = TraceID(high: bytes.bigEndian(at: 1), low: bytes.bigEndian(at: 9)),
      let spanID = SpanID(bytes.bigEndian(at: 17))
    else { return nil }
    self.init(traceID: traceID, spanID: spanID, isSampled: bytes[25] & 1 == 1)
  }

  /// Fills `bytes`, which must be of `binarySize`.
  package func writeBinary(to bytes: UnsafeMutableRawBufferPointer) {
    precondition(bytes.count == Self.binarySize, "a trace context takes exactly \(Self.binarySize) bytes")
    bytes[0] = 0
    bytes.storeBytes(of: traceID.high.bigEndian, toByteOffset: 1, as: UInt64.self)
    bytes.storeBytes(of: traceID.low.bigEndian, toByteOffset: 9, as: UInt64.self)
    bytes.storeBytes(of: spanID.value.bigEndian, toByteOffset: 17, as: UInt64.self)
    bytes[25] = isSampled ? 1 : 0
  }
}

extension UnsafeRawBufferPointer {
  fileprivate func bigEndian(at offset: Int) -> UInt64 {
    UInt64(bigEndian: loadUnaligned(fromByteOffset: offset, as: UInt64.self))
  }
}

// MARK: - Hexadecimal digits

/// Reads sixteen lowercase digits at a time; capitals are an error in this header.
private struct HexDigits<Bytes: Sequence> where Bytes.Element == UInt8 {
  private var bytes: Bytes.Iterator

  init(_ bytes: Bytes) { self.bytes = bytes.makeIterator() }

  mutating func next() -> UInt64? {
    var value: UInt64 = 0
    for _ in 0..<16 {
      guard let digit = bytes.next()?.lowercaseHexValue else { return nil }
      value = value << 4 | UInt64(digit)
    }
    return value
  }
}

extension UInt8 {
  fileprivate init?(lowercaseHex text: some StringProtocol) {
    let digits = text.utf8.compactMap(\.lowercaseHexValue)
    guard digits.count == 2, text.utf8.count == 2 else { return nil }
    self = digits[0] << 4 | digits[1]
  }

  fileprivate var lowercaseHexValue: UInt8? {
    switch self {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): self - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): self - UInt8(ascii: "a") + 10
    default: nil
    }
  }
}

extension String {
  /// Sixteen lowercase digits for each word.
  fileprivate init(hexDigitsOf high: UInt64, _ low: UInt64) {
    self.init(unsafeUninitializedCapacity: 32) { digits in
      let bytes = UnsafeMutableRawBufferPointer(digits)
      high.writeHexDigits(to: bytes, at: 0)
      low.writeHexDigits(to: bytes, at: 16)
      return 32
    }
  }

  fileprivate init(hexDigitsOf word: UInt64) {
    self.init(unsafeUninitializedCapacity: 16) { digits in
      word.writeHexDigits(to: UnsafeMutableRawBufferPointer(digits), at: 0)
      return 16
    }
  }
}

extension UInt64 {
  /// Sixteen lowercase digits.
  fileprivate func writeHexDigits(to bytes: UnsafeMutableRawBufferPointer, at offset: Int) {
    bytes.storeBytes(of: Self.hexDigits(of: self >> 32).bigEndian, toByteOffset: offset, as: UInt64.self)
    bytes.storeBytes(of: Self.hexDigits(of: self & 0xFFFF_FFFF).bigEndian, toByteOffset: offset + 8, as: UInt64.self)
  }

  /// Eight digits in eight bytes, the first in the highest: all at once, because every answer carries a trace's id.
  private static func hexDigits(of half: UInt64) -> UInt64 {
    var digits = (half << 16 | half) & 0x0000_FFFF_0000_FFFF
    digits = (digits << 8 | digits) & 0x00FF_00FF_00FF_00FF
    digits = (digits << 4 | digits) & 0x0F0F_0F0F_0F0F_0F0F
    // Ones in the bytes that are ten or more, which are letters.
    let letters = (digits + 0x0606_0606_0606_0606) >> 4 & 0x0101_0101_0101_0101
    return digits + 0x3030_3030_3030_3030 + letters * UInt64(UInt8(ascii: "a") - UInt8(ascii: "0") - 10)
  }
}
