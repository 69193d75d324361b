package import FoundationEssentials

extension WirePrimitive {
  static func read(into memory: UnsafeMutableRawPointer, _ type: WireType, from state: DecoderRef) throws {
    var position = state.pointee.cursor
    let value = try parse(type, &position, state)
    state.pointee.cursor = position
    memory.initializeMemory(as: Self.self, to: value)
  }

  /// The one empty array of all threads is handed out, and never written to.
  fileprivate static func makeEmpty(in memory: UnsafeMutableRawPointer) -> Bool {
    memory.initializeMemory(as: [Self].self, to: [])
    return true
  }

  static func readArray(into memory: UnsafeMutableRawPointer, from state: DecoderRef) throws -> Bool {
    guard let count = try state.typedCount(wireType) else { return false }
    guard count > 0 else { return makeEmpty(in: memory) }
    try state.take(count, MemoryLayout<Self>.stride)
    let modest = max(1, WireLimits.initialCapacityBytes / MemoryLayout<Self>.stride)
    let frame = try state.push(.list)
    var position = state.pointee.cursor
    var array = try [Self](unsafeUninitializedCapacity: min(count, modest)) { buffer, built in
      while built < min(count, modest) {
        frame.pointee.key = built
        (buffer.baseAddress! + built).initialize(to: try parse(&position, state))
        built += 1
      }
    }
    for index in array.count..<count {
      frame.pointee.key = index
      array.append(try parse(&position, state))
    }
    state.pointee.top = frame - 1
    state.pointee.cursor = position
    memory.initializeMemory(as: [Self].self, to: array)
    return true
  }
}

extension Bool {
  @inline(__always)
  static func parse(_ position: inout UnsafeRawPointer, _ state: DecoderRef) throws -> Bool {
    guard position < state.pointee.end else { throw state.truncated() }
    let byte = position.load(as: UInt8.self)
    guard byte == Constant.yes || byte == Constant.no else {
      throw Constant.isNil(byte) ? state.unexpectedNil("a boolean") : state.mismatch("a boolean", .constant)
    }
    position += 1
    return byte == Constant.yes
  }

  static func convert(_ type: WireType, _ position: inout UnsafeRawPointer, _ state: DecoderRef) throws -> Bool {
    throw state.mismatch("a boolean", type)
  }
}

extension String {
  @inline(__always)
  static func parse(_ position: inout UnsafeRawPointer, _ state: DecoderRef) throws -> String {
    let bytes = try state.block(&position)
    guard let text = String(strict: bytes) else { throw state.badString() }
    return text
  }

  static func convert(_ type: WireType, _ position: inout UnsafeRawPointer, _ state: DecoderRef) throws -> String {
    throw try state.unconvertible("a string", type, position)
  }
}

extension Double {
  @inline(__always)
  static func parse(_ position: inout UnsafeRawPointer, _ state: DecoderRef) throws -> Double {
    guard state.pointee.end - position >= 8 else { throw state.truncated() }
    defer { position += 8 }
    return Double(bitPattern: UInt64(littleEndian: position.loadUnaligned(as: UInt64.self)))
  }

  @inline(never)
  static func convert(_ type: WireType, _ position: inout UnsafeRawPointer, _ state: DecoderRef) throws -> Double {
    let number = try state.number(type, &position, "a floating-point number")
    let value: Double? =
      switch number {
      case .signed(let value): Double(exactly: value)
      case .unsigned(let value): Double(exactly: value)
      case .floating(let value): value
      }
    guard let value else { throw state.outOfRange(Double.self) }
    return value
  }

  static func readArray(into memory: UnsafeMutableRawPointer, from state: DecoderRef) throws -> Bool {
    guard let count = try state.typedCount(.fixed64) else { return false }
    guard count > 0 else { return makeEmpty(in: memory) }
    let array = [Self](unsafeUninitializedCapacity: count) { buffer, built in
      UnsafeMutableRawPointer(buffer.baseAddress!).copyBytes(from: state.pointee.cursor, count: count * 8)
      built = count
    }
    state.pointee.cursor += count * 8
    memory.initializeMemory(as: [Self].self, to: array)
    return true
  }
}

extension Float {
  @inline(__always)
  static func parse(_ position: inout UnsafeRawPointer, _ state: DecoderRef) throws -> Float {
    guard state.pointee.end - position >= 4 else { throw state.truncated() }
    defer { position += 4 }
    return Float(bitPattern: UInt32(littleEndian: position.loadUnaligned(as: UInt32.self)))
  }

  @inline(never)
  static func convert(_ type: WireType, _ position: inout UnsafeRawPointer, _ state: DecoderRef) throws -> Float {
    let number = try state.number(type, &position, "a floating-point number")
    let value: Float? =
      switch number {
      case .signed(let value): Float(exactly: value)
      case .unsigned(let value): Float(exactly: value)
      case .floating(let value): value.isNaN ? .nan : Float(exactly: value)
      }
    guard let value else { throw state.outOfRange(Float.self) }
    return value
  }

  static func readArray(into memory: UnsafeMutableRawPointer, from state: DecoderRef) throws -> Bool {
    guard let count = try state.typedCount(.fixed32) else { return false }
    guard count > 0 else { return makeEmpty(in: memory) }
    let array = [Self](unsafeUninitializedCapacity: count) { buffer, built in
      UnsafeMutableRawPointer(buffer.baseAddress!).copyBytes(from: state.pointee.cursor, count: count * 4)
      built = count
    }
    state.pointee.cursor += count * 4
    memory.initializeMemory(as: [Self].self, to: array)
    return true
  }
}

extension WireInteger {
  @inline(__always)
  static func parse(_ position: inout UnsafeRawPointer, _ state: DecoderRef) throws -> Self {
    if position < state.pointee.end {
      let byte = position.load(as: UInt8.self)
      // Odd is negative; half of seven bits fits every type.
      if byte < 0x80, Self.isSigned || byte & 1 == 0 {
        position += 1
        return Self(truncatingIfNeeded: Int(byte &>> 1) ^ -Int(byte & 1))
      }
    }
    return try parseLong(&position, state)
  }

  @inline(never)
  private static func parseLong(_ position: inout UnsafeRawPointer, _ state: DecoderRef) throws -> Self {
    try convert(.varint, &position, state)
  }

  @inline(never)
  static func convert(_ type: WireType, _ position: inout UnsafeRawPointer, _ state: DecoderRef) throws -> Self {
    let number = try state.number(type, &position, "an integer")
    let value: Self? =
      switch number {
      case .signed(let value): Self(exactly: value)
      case .unsigned(let value): Self(exactly: value)
      case .floating(let value): Self(exactly: value)
      }
    guard let value else { throw state.outOfRange(Self.self) }
    return value
  }
}

/// A number before it is known whether it fits.
enum WireNumber {
  case signed(Int64)
  case unsigned(UInt64)
  case floating(Double)
}

extension DecoderRef {
  /// A number of whichever wire type: a reader takes any that its own type holds exactly.
  func number(_ type: WireType, _ position: inout UnsafeRawPointer, _ wanted: String) throws -> WireNumber {
    var input = Input(from: position, to: pointee.end)
    defer { position = input.position }
    switch type {
    case .varint: return try checked { () throws(WireError) in try input.number() }
    case .fixed64:
      let bits = try checked { () throws(WireError) in try input.little(UInt64.self) }
      return .floating(Double(bitPattern: bits))
    case .fixed32:
      let bits = try checked { () throws(WireError) in try input.little(UInt32.self) }
      return .floating(Double(Float(bitPattern: bits)))
    default: throw try unconvertible(wanted, type, position)
    }
  }

  /// A length and that many bytes.
  @inline(__always)
  func block(_ position: inout UnsafeRawPointer) throws -> UnsafeRawBufferPointer {
    let end = pointee.end
    guard position < end else { throw truncated() }
    let byte = position.load(as: UInt8.self)
    if byte < 0x80 {
      let start = position + 1
      guard Int(byte) <= end - start else { throw truncated() }
      position = start + Int(byte)
      return UnsafeRawBufferPointer(start: start, count: Int(byte))
    }
    return try longBlock(&position)
  }

  @inline(never)
  private func longBlock(_ position: inout UnsafeRawPointer) throws -> UnsafeRawBufferPointer {
    var input = Input(from: position, to: pointee.end)
    let bytes = try checked { () throws(WireError) in try input.bytes(input.varint()) }
    position = input.position
    return bytes
  }

  /// How many elements the list at the cursor has, and the cursor behind its header, if they all are of one type.
  func typedCount(_ type: WireType) throws -> Int? {
    guard pointee.cursor < pointee.end, pointee.cursor.load(as: UInt8.self) == type.rawValue else { return nil }
    var input = Input(from: pointee.cursor, to: pointee.end)
    let list = try checked { () throws(WireError) in try input.listHeader() }
    pointee.cursor = input.position
    return list.left
  }

  @inline(never)
  func badString() -> WireError { error(.badString, "a string is not UTF-8") }

  @inline(never)
  func outOfRange(_ type: Any.Type) -> DecodingError {
    corrupted(WireError(.outOfRange, "the number does not fit \(type)"))
  }

  /// Codable's error for bytes that are well formed and still no value of the type.
  func corrupted(_ error: WireError) -> DecodingError {
    .dataCorrupted(
      .init(codingPath: path(to: pointee.top), debugDescription: error.detail, underlyingError: error))
  }

  @inline(never)
  func unexpectedNil(_ wanted: String) -> DecodingError {
    .valueNotFound(Any.self, .init(codingPath: path(to: pointee.top), debugDescription: "\(wanted) is wanted, not nil"))
  }

  func unconvertible(_ wanted: String, _ type: WireType, _ position: UnsafeRawPointer) throws -> DecodingError {
    isNil(ReaderPlace(payload: position, type: type)) ? unexpectedNil(wanted) : mismatch(wanted, type)
  }
}

extension Input {
  /// An integer of any sign and width.
  mutating func number() throws(WireError) -> WireNumber {
    let (low, high) = try wideVarint()
    if high == 0, low & 1 == 1 { return .signed(Int64(bitPattern: ~(low >> 1))) }
    guard low & 1 == 0 else { throw WireError(.malformed, "a negative number is longer than 64 bits") }
    let magnitude = low >> 1 | UInt64(high) << 63
    return Int64(exactly: magnitude).map { .signed($0) } ?? .unsigned(magnitude)
  }
}

extension Data: BuiltinReader {
  static func read(into memory: UnsafeMutableRawPointer, _ type: WireType, from state: DecoderRef) throws {
    guard type == .bytes else { throw try state.unconvertible("bytes", type, state.pointee.cursor) }
    var position = state.pointee.cursor
    let bytes = try state.block(&position)
    memory.initializeMemory(as: Data.self, to: Data(copying: bytes))
    state.pointee.cursor = position
  }
}

extension Data {
  fileprivate init(copying bytes: UnsafeRawBufferPointer) {
    guard bytes.count > 1024 else {
      self.init(bytes: bytes.baseAddress!, count: bytes.count)
      return
    }
    let memory = UnsafeMutableRawPointer.allocate(byteCount: bytes.count, alignment: 16)
    memory.copyBytes(from: bytes.baseAddress!, count: bytes.count)
    self.init(bytesNoCopy: memory, count: bytes.count, deallocator: .custom { memory, _ in memory.deallocate() })
  }
}

extension Date: BuiltinReader {
  static func read(into memory: UnsafeMutableRawPointer, _ type: WireType, from state: DecoderRef) throws {
    try Double.read(into: memory, type, from: state)
  }
}

extension UUID: BuiltinReader {
  static func read(into memory: UnsafeMutableRawPointer, _ type: WireType, from state: DecoderRef) throws {
    guard type == .bytes else { throw try state.unconvertible("a UUID", type, state.pointee.cursor) }
    var position = state.pointee.cursor
    let bytes = try state.block(&position)
    if bytes.count == 16 {
      memory.copyMemory(from: bytes.baseAddress!, byteCount: 16)
    } else if let text = String(strict: bytes), let id = UUID(uuidString: text) {
      // As a person writes it in a request made by hand.
      memory.initializeMemory(as: UUID.self, to: id)
    } else {
      throw state.corrupted(WireError(.invalidValue, "\(bytes.count) bytes are not a UUID"))
    }
    state.pointee.cursor = position
  }
}

extension URL: BuiltinReader {
  static func read(into memory: UnsafeMutableRawPointer, _ type: WireType, from state: DecoderRef) throws {
    if type == .record {
      let url = try state.readByItself(URL.self, type)
      memory.initializeMemory(as: URL.self, to: url)
      return
    }
    guard type == .bytes else { throw try state.unconvertible("a URL", type, state.pointee.cursor) }
    var position = state.pointee.cursor
    let text = try String.parse(&position, state)
    guard let url = URL(string: text) else {
      throw state.corrupted(WireError(.invalidValue, "the string is not a URL"))
    }
    memory.initializeMemory(as: URL.self, to: url)
    state.pointee.cursor = position
  }
}
