package import FoundationEssentials

/// A type of one field: the kinds that Codable's containers have methods of their own for.
protocol WirePrimitive: BuiltinWriter, BuiltinReader {
  static var wireType: WireType { get }

  /// Writes the payload. There is room for a number; more has to be reserved.
  func put(to state: EncoderRef) throws

  /// Reads a payload of this type's own wire type, moving `position` past it.
  static func parse(_ position: inout UnsafeRawPointer, _ state: DecoderRef) throws -> Self

  /// Reads a payload of another wire type, if that can hold a value of this type.
  static func convert(_ type: WireType, _ position: inout UnsafeRawPointer, _ state: DecoderRef) throws -> Self
}

extension WirePrimitive {
  static func write(_ value: UnsafeRawPointer, to state: EncoderRef) throws -> WireType {
    try state.reserve(EncoderRef.tagAndWord)
    try value.assumingMemoryBound(to: Self.self).pointee.put(to: state)
    return wireType
  }

  static func writeAll(_ values: UnsafeRawPointer, count: Int, to state: EncoderRef) throws -> WireType? {
    let values = UnsafeBufferPointer(start: values.assumingMemoryBound(to: Self.self), count: count)
    for value in values {
      try state.reserve(EncoderRef.tagAndWord)
      try value.put(to: state)
    }
    return wireType
  }
}

extension Bool: WirePrimitive {
  static var wireType: WireType { .constant }

  @inline(__always)
  func put(to state: EncoderRef) { state.putByte(self ? Constant.yes : Constant.no) }
}

extension String: WirePrimitive {
  static var wireType: WireType { .bytes }

  @inline(__always)
  func put(to state: EncoderRef) throws { try state.putString(self) }
}

extension Double: WirePrimitive {
  static var wireType: WireType { .fixed64 }

  @inline(__always)
  func put(to state: EncoderRef) { state.putWord(bitPattern) }

  static func writeAll(_ values: UnsafeRawPointer, count: Int, to state: EncoderRef) throws -> WireType? {
    try state.putWords(values, count: count, size: 8)
    return wireType
  }
}

extension Float: WirePrimitive {
  static var wireType: WireType { .fixed32 }

  @inline(__always)
  func put(to state: EncoderRef) {
    state.pointee.end.storeBytes(of: bitPattern.littleEndian, as: UInt32.self)
    state.pointee.end += 4
  }

  static func writeAll(_ values: UnsafeRawPointer, count: Int, to state: EncoderRef) throws -> WireType? {
    try state.putWords(values, count: count, size: 4)
    return wireType
  }
}

extension EncoderRef {
  /// Every platform we run on is little-endian, as the format is.
  fileprivate func putWords(_ words: UnsafeRawPointer, count: Int, size: Int) throws {
    try reserve(count * size)
    pointee.end.copyBytes(from: words, count: count * size)
    pointee.end += count * size
  }
}

/// An integer of any width. On the wire they are all the same: a reader may be wider or narrower than the writer was.
protocol WireInteger: WirePrimitive, FixedWidthInteger {}

extension WireInteger {
  static var wireType: WireType { .varint }

  @inline(__always)
  func put(to state: EncoderRef) {
    if Self.isSigned {
      let wide = Int64(truncatingIfNeeded: self)
      state.putVarint(UInt64(bitPattern: (wide &<< 1) ^ (wide &>> 63)))
    } else {
      state.putDoubled(UInt64(truncatingIfNeeded: self))
    }
  }
}

extension Int: WireInteger {}
extension Int8: WireInteger {}
extension Int16: WireInteger {}
extension Int32: WireInteger {}
extension Int64: WireInteger {}
extension UInt: WireInteger {}
extension UInt8: WireInteger {}
extension UInt16: WireInteger {}
extension UInt32: WireInteger {}
extension UInt64: WireInteger {}

extension Data: BuiltinWriter {
  static func write(_ value: UnsafeRawPointer, to state: EncoderRef) throws -> WireType {
    try value.assumingMemoryBound(to: Data.self).pointee.withUnsafeBytes { try state.putBlock($0) }
    return .bytes
  }
}

/// Seconds since 2001, which is what a `Date` holds: exact to the bit.
extension Date: BuiltinWriter {
  static func write(_ value: UnsafeRawPointer, to state: EncoderRef) throws -> WireType {
    try Double.write(value, to: state)
  }
}

extension UUID: BuiltinWriter {
  static func write(_ value: UnsafeRawPointer, to state: EncoderRef) throws -> WireType {
    try state.putBlock(UnsafeRawBufferPointer(start: value, count: 16))
    return .bytes
  }
}

extension URL: BuiltinWriter {
  static func write(_ value: UnsafeRawPointer, to state: EncoderRef) throws -> WireType {
    let url = value.assumingMemoryBound(to: URL.self).pointee
    // A relative one is two texts: its own encode(to:) knows how.
    if url.baseURL != nil { return try state.writeByItself(url) }
    try state.putString(url.absoluteString)
    return .bytes
  }
}
