/// The block that gives names to the field numbers of tables: `{ varint id, varint count, { varint n, UTF-8 }* }*`.
enum Definitions {
  /// A table's definition without its number.
  static func encoded(_ names: [String]) -> [UInt8] {
    var bytes: [UInt8] = []
    append(UInt64(names.count), to: &bytes)
    for name in names {
      append(UInt64(name.utf8.count), to: &bytes)
      bytes.append(contentsOf: name.utf8)
    }
    return bytes
  }

  static func append(_ value: UInt64, to bytes: inout [UInt8]) {
    var rest = value
    while rest >= 0x80 {
      bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(rest))
  }

  /// Calls `define` for each table in the block, having checked each alone; what earlier blocks said is the caller's.
  static func read(
    _ block: UnsafeRawBufferPointer, nameBytesLeft: Int, define: (UInt32, [String]) throws(WireError) -> Void
  ) throws(WireError) {
    var input = Input(block)
    var left = nameBytesLeft
    while !input.isAtEnd {
      let id = try input.varint()
      let count = try input.varint()
      guard id >= TableNumber.first, id < UInt64(TableNumber.first) + UInt64(WireLimits.tables) else {
        throw WireError(.tooLarge, "table \(id); numbers run to \(WireLimits.tables)")
      }
      guard count <= WireLimits.namesPerTable else {
        throw WireError(.tooLarge, "table \(id) has \(count) names; a table may have \(WireLimits.namesPerTable)")
      }
      guard count <= input.remaining else { throw WireError(.truncated, "table \(id) ends inside its names") }
      var names: [String] = []
      var seen: Set<String> = []
      for _ in 0..<count {
        let name = try input.string(limit: WireLimits.nameBytes)
        left -= name.utf8.count
        guard left >= 0 else {
          throw WireError(.tooLarge, "names exceed \(WireLimits.nameBytesPerConnection) bytes on this connection")
        }
        guard seen.insert(name).inserted else { throw WireError(.badTable, "table \(id) names \(name) twice") }
        names.append(name)
      }
      try define(UInt32(id), names)
    }
  }
}

/// A checked walk over bytes, for what is not on the path of every message.
struct Input {
  private(set) var position: UnsafeRawPointer
  let end: UnsafeRawPointer

  init(_ bytes: UnsafeRawBufferPointer) {
    // An empty buffer may have no address; any address will do then.
    position = bytes.baseAddress ?? UnsafeRawPointer(KeyTable.noTags)
    end = position + bytes.count
  }

  init(from position: UnsafeRawPointer, to end: UnsafeRawPointer) {
    self.position = position
    self.end = end
  }

  var isAtEnd: Bool { position >= end }
  var remaining: Int { end - position }

  mutating func byte() throws(WireError) -> UInt8 {
    guard position < end else { throw WireError(.truncated, "the bytes end inside a value") }
    defer { position += 1 }
    return position.load(as: UInt8.self)
  }

  func peek() throws(WireError) -> UInt8 {
    guard position < end else { throw WireError(.truncated, "the bytes end inside a value") }
    return position.load(as: UInt8.self)
  }

  mutating func varint() throws(WireError) -> UInt64 {
    let (low, high) = try wideVarint()
    guard high == 0 else { throw WireError(.malformed, "a number is longer than 64 bits") }
    return low
  }

  /// A varint of up to 65 bits: the sixty-fifth is what an unsigned number above `Int64.max` needs.
  mutating func wideVarint() throws(WireError) -> (low: UInt64, high: UInt8) {
    var low: UInt64 = 0
    for shift in stride(from: UInt64(0), to: 63, by: 7) {
      let byte = try byte()
      low |= UInt64(byte & 0x7F) << shift
      if byte < 0x80 { return (low, 0) }
    }
    let last = try byte()
    guard last <= 3 else { throw WireError(.malformed, "a number is longer than 65 bits") }
    return (low | UInt64(last & 1) << 63, last >> 1)
  }

  mutating func bytes(_ count: UInt64) throws(WireError) -> UnsafeRawBufferPointer {
    guard count <= UInt64(remaining) else { throw WireError(.truncated, "the bytes end inside a value") }
    defer { position += Int(count) }
    return UnsafeRawBufferPointer(start: position, count: Int(count))
  }

  mutating func string(limit: Int = .max) throws(WireError) -> String {
    let count = try varint()
    guard count <= UInt64(limit) else { throw WireError(.tooLarge, "a name of \(count) bytes; \(limit) is the limit") }
    let bytes = try bytes(count)
    guard let text = String(strict: bytes) else { throw WireError(.badString, "not UTF-8") }
    return text
  }

  mutating func little<Number: FixedWidthInteger>(_: Number.Type) throws(WireError) -> Number {
    let bytes = try bytes(UInt64(MemoryLayout<Number>.size))
    return Number(littleEndian: bytes.loadUnaligned(as: Number.self))
  }
}

extension String {
  /// The text of valid UTF-8; nil for anything else, where other initialisers would repair.
  @inline(__always)
  init?(strict bytes: UnsafeRawBufferPointer) {
    let check = UTF8Check(bytes)
    guard check != .invalid else { return nil }
    // Safety: it was checked in the line before.
    self.init(copying: unsafe UTF8Span(unchecked: Span<UInt8>(_unsafeBytes: bytes), isKnownASCII: check == .ascii))
  }
}
