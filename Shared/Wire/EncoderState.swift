/// Where an encoder stands: its buffer, the values it is inside of and what it remembers of types.
///
/// It lives in raw memory that is never freed, so that containers can be plain pointers (reference counting was a quarter
/// of the cost of a small record) and one that a program keeps too long still points at an encoder.
struct EncoderState {
  var base: UnsafeMutableRawPointer
  var end: UnsafeMutableRawPointer
  var bufferEnd: UnsafeMutableRawPointer
  /// The value being written. `frames[0]` stands for none.
  var top: UnsafeMutablePointer<WriterFrame>
  let frames: UnsafeMutablePointer<WriterFrame>
  var limits = WireLimits()
  let usesLayouts: Bool
  var isSelfContained = false
  /// The serial number of the newest frame.
  var serial: UInt64 = 0
  /// Counts messages, so that a table is listed once in each.
  var message: UInt64 = 0
  var tables: UnsafeMutableBufferPointer<WireTable>
  var tableCount = 0
  /// By table number, the last message that listed it.
  let listed: UnsafeMutablePointer<UInt64>
  /// Containers that `encode(to:)` opened inside its own, in order of opening.
  var nests: [WriterNest] = []
  /// What a call that cannot throw wanted to say.
  var failure: WireError?
  var keys = PointerMap()
  var types = PointerMap()
}

typealias EncoderRef = UnsafeMutablePointer<EncoderState>

/// A value on its way out.
struct WriterFrame {
  /// What `KeyedWriter` compares with its own keys before each field: nil sends it the slow way, as in every nest.
  var keys: UnsafePointer<KeyTable>?
  /// The keys of the part of the record that is being written.
  var part: UnsafePointer<KeyTable>?
  /// The last tag without its wire type: ascending unless the record is irregular.
  var last: UInt32 = 0
  var shape = WriterShape.undecided
  /// Offset of the record's header.
  var header = 0
  /// Which field or element is being written, for paths.
  var key = 0
  /// How many elements an unkeyed container holds.
  var count = 0
  /// Never used twice by one encoder.
  var serial: UInt64 = 0
  /// The index in `nests` of a nested container; -1 for a value.
  var nest = -1
  /// How many nests there were when the value began.
  var nestBase = 0
  /// A single value's wire type.
  var single = WireType.constant
}

enum WriterShape: UInt8 {
  case undecided, record, list, single
}

extension EncoderRef {
  static func make(usesLayouts: Bool) -> EncoderRef {
    let frames = UnsafeMutablePointer<WriterFrame>.allocate(capacity: WireLimits.depth + 1)
    frames.initialize(repeating: WriterFrame(), count: WireLimits.depth + 1)
    let base = UnsafeMutableRawPointer.allocate(byteCount: 4096, alignment: 16)
    let state = EncoderRef.allocate(capacity: 1)
    state.initialize(
      to: EncoderState(
        base: base, end: base, bufferEnd: base + 4096, top: frames, frames: frames, usesLayouts: usesLayouts,
        tables: .allocate(capacity: 16), listed: makeStamps()))
    return state
  }

  private static func makeStamps() -> UnsafeMutablePointer<UInt64> {
    let count = Int(TableNumber.first) + WireLimits.tables
    let stamps = UnsafeMutablePointer<UInt64>.allocate(capacity: count)
    stamps.initialize(repeating: 0, count: count)
    return stamps
  }

  // MARK: Values

  /// Writes a value's payload and answers with its wire type. On a throw nothing has been written.
  @inline(__always)
  func write<Value: Encodable>(_ value: Value) throws -> WireType {
    let traits = traits(of: Value.self)
    if traits.pointee.writer == nil { return try writeByItself(value) }
    return try writeBuiltin(value, traits)
  }

  /// Lets the value's own `encode(to:)` write it.
  func writeByItself<Value: Encodable>(_ value: Value) throws -> WireType {
    let frame = try push()
    let start = pointee.end - pointee.base
    do {
      try value.encode(to: ValueEncoder(state: self))
      let type = try close(frame)
      pointee.top = frame - 1
      return type
    } catch {
      abandon(frame, at: start)
      throw error
    }
  }

  @inline(never)
  private func writeBuiltin<Value: Encodable>(_ value: Value, _ traits: UnsafePointer<TypeTraits>) throws -> WireType {
    try withUnsafePointer(to: value) { try traits.pointee.writer!.write(UnsafeRawPointer($0), to: self) }
  }

  @inline(__always)
  func traits(of type: Any.Type) -> UnsafePointer<TypeTraits> {
    if let known = pointee.types[type] { return UnsafePointer(known.assumingMemoryBound(to: TypeTraits.self)) }
    return learn(type)
  }

  @inline(never)
  private func learn(_ type: Any.Type) -> UnsafePointer<TypeTraits> {
    let traits = TypeTraits.of(type, usesLayouts: pointee.usesLayouts)
    pointee.types.insert(UnsafeMutableRawPointer(mutating: traits), for: type)
    return traits
  }

  // MARK: Frames

  @inline(__always)
  func push() throws -> UnsafeMutablePointer<WriterFrame> {
    let frame = pointee.top + 1
    guard frame <= pointee.frames + WireLimits.depth else { throw tooDeep() }
    pointee.serial &+= 1
    frame.pointee.keys = nil
    frame.pointee.part = nil
    frame.pointee.shape = .undecided
    frame.pointee.serial = pointee.serial
    frame.pointee.nest = -1
    frame.pointee.nestBase = pointee.nests.count
    pointee.top = frame
    return frame
  }

  @inline(__always)
  private func close(_ frame: UnsafeMutablePointer<WriterFrame>) throws -> WireType {
    if pointee.nests.count != frame.pointee.nestBase {
      try sealNests(above: frame)
      pointee.nests.removeSubrange(frame.pointee.nestBase...)
    }
    if pointee.failure != nil { throw takeFailure() }
    switch frame.pointee.shape {
    case .record:
      try put(Mark.recordEnd)
      return .record
    case .list:
      try put(Mark.listEnd)
      return .list
    case .single:
      return frame.pointee.single
    case .undecided:
      // A type with nothing to say is an empty record.
      try put(UInt8(TableNumber.integers << 1))
      try put(Mark.recordEnd)
      return .record
    }
  }

  @inline(never)
  private func abandon(_ frame: UnsafeMutablePointer<WriterFrame>, at start: Int) {
    pointee.nests.removeSubrange(frame.pointee.nestBase...)
    pointee.failure = nil
    pointee.end = pointee.base + start
    pointee.top = frame - 1
  }

  @inline(never)
  private func takeFailure() -> WireError {
    defer { pointee.failure = nil }
    return pointee.failure ?? error(.misuse)
  }

  // MARK: Records

  /// Begins a record at the end of the buffer.
  @inline(__always)
  func openRecord(_ frame: UnsafeMutablePointer<WriterFrame>, _ keys: UnsafePointer<KeyTable>) throws {
    try reserve(8)
    frame.pointee.shape = .record
    frame.pointee.header = pointee.end - pointee.base
    frame.pointee.last = 0
    frame.pointee.part = keys
    putHeader(keys)
  }

  /// Goes on writing a record with other keys, as when a type writes another's fields beside its own.
  @inline(never)
  func openPart(_ frame: UnsafeMutablePointer<WriterFrame>, _ keys: UnsafePointer<KeyTable>) throws {
    try reserve(8)
    markIrregular(frame)
    putByte(Mark.part)
    putHeader(keys)
    frame.pointee.keys = nil
    frame.pointee.part = keys
    frame.pointee.last = 0
  }

  /// Writes the number of the table that the fields to come belong to, and lists it as used by the message.
  @inline(__always)
  func putHeader(_ keys: UnsafePointer<KeyTable>) {
    let id = Int(keys.pointee.id)
    if pointee.listed[id] != pointee.message { list(id) }
    putVarint((pointee.isSelfContained ? ownNumber(id) : UInt64(id)) << 1)
  }

  /// What a self-contained message calls a table: by the order of use in it, so that its bytes do not depend on what
  /// else the process has encoded.
  @inline(never)
  private func ownNumber(_ id: Int) -> UInt64 {
    guard id >= TableNumber.first,
      let index = pointee.tables[..<pointee.tableCount].firstIndex(of: WireTable(number: UInt32(id)))
    else { return UInt64(id) }
    return UInt64(TableNumber.first) + UInt64(index)
  }

  @inline(never)
  private func list(_ id: Int) {
    pointee.listed[id] = pointee.message
    guard id >= TableNumber.first else { return }
    let table = WireTable(number: UInt32(id))
    if pointee.tableCount == pointee.tables.count {
      let larger = UnsafeMutableBufferPointer<WireTable>.allocate(capacity: pointee.tableCount * 2)
      _ = larger.initialize(from: pointee.tables)
      pointee.tables.deallocate()
      pointee.tables = larger
    }
    pointee.tables.initializeElement(at: pointee.tableCount, to: table)
    pointee.tableCount += 1
  }

  @inline(never)
  func markIrregular(_ frame: UnsafeMutablePointer<WriterFrame>) {
    let header = pointee.base + frame.pointee.header
    header.storeBytes(of: header.load(as: UInt8.self) | Mark.irregular, as: UInt8.self)
  }

  /// Writes a field's tag into the record on top. There is room for `Self.tagAndWord` bytes.
  @inline(__always)
  func putTag(_ keys: UnsafePointer<KeyTable>, _ ordinal: Int, _ type: WireType) {
    let top = pointee.top
    let tag = keys.pointee.tags[ordinal]
    if tag <= top.pointee.last { markIrregular(top) }
    top.pointee.last = tag
    let whole = tag | UInt32(type.rawValue)
    if whole < 0x80 {
      putByte(UInt8(truncatingIfNeeded: whole))
    } else {
      putVarint(UInt64(whole))
    }
  }

  /// Writes a field whose wire type shows only once it is written.
  @inline(__always)
  func writeField<Value: Encodable>(_ value: Value, _ keys: UnsafePointer<KeyTable>, _ ordinal: Int) throws {
    try reserve(Self.tagAndWord)
    pointee.top.pointee.key = ordinal
    let start = pointee.end - pointee.base
    putTag(keys, ordinal, .varint)
    do {
      setType(try write(value), at: start)
    } catch {
      pointee.end = pointee.base + start
      throw error
    }
  }

  /// Puts a wire type into a tag whose own was left at zero.
  @inline(__always)
  func setType(_ type: WireType, at offset: Int) {
    let tag = pointee.base + offset
    tag.storeBytes(of: tag.load(as: UInt8.self) | type.rawValue, as: UInt8.self)
  }

  // MARK: Bytes

  /// Room for a tag and a number.
  static var tagAndWord: Int { 16 }

  @inline(__always)
  func reserve(_ count: Int) throws {
    if pointee.bufferEnd - pointee.end < count { try grow(by: count) }
  }

  @inline(never)
  private func grow(by count: Int) throws {
    let used = pointee.end - pointee.base
    guard count <= pointee.limits.messageBytes - used else {
      throw error(.tooLarge, "a message may have \(pointee.limits.messageBytes) bytes")
    }
    let doubled = min((pointee.bufferEnd - pointee.base) * 2, pointee.limits.messageBytes)
    resize(to: max(doubled, used + count) + Self.tagAndWord)
  }

  /// Moves what has been written to a buffer of another size.
  func resize(to capacity: Int) {
    let used = pointee.end - pointee.base
    let base = UnsafeMutableRawPointer.allocate(byteCount: capacity, alignment: 16)
    base.copyBytes(from: pointee.base, count: used)
    pointee.base.deallocate()
    pointee.base = base
    pointee.end = base + used
    pointee.bufferEnd = base + capacity
  }

  @inline(__always)
  func put(_ byte: UInt8) throws {
    try reserve(1)
    putByte(byte)
  }

  @inline(__always)
  func putByte(_ byte: UInt8) {
    pointee.end.storeBytes(of: byte, as: UInt8.self)
    pointee.end += 1
  }

  @inline(__always)
  func putVarint(_ value: UInt64) {
    if value < 0x80 {
      putByte(UInt8(truncatingIfNeeded: value))
    } else {
      putLongVarint(value)
    }
  }

  @inline(never)
  private func putLongVarint(_ value: UInt64) {
    var end = pointee.end
    var rest = value
    while rest >= 0x80 {
      end.storeBytes(of: UInt8(truncatingIfNeeded: rest) | 0x80, as: UInt8.self)
      end += 1
      rest &>>= 7
    }
    end.storeBytes(of: UInt8(truncatingIfNeeded: rest), as: UInt8.self)
    pointee.end = end + 1
  }

  /// Twice an unsigned number, which may take 65 bits.
  @inline(__always)
  func putDoubled(_ value: UInt64) {
    if value < 1 << 63 { return putVarint(value << 1) }
    for shift in stride(from: UInt64(0), to: 63, by: 7) {
      putByte(UInt8(truncatingIfNeeded: (value << 1) >> shift) | 0x80)
    }
    putByte(UInt8(truncatingIfNeeded: value >> 62))
  }

  @inline(__always)
  func putWord(_ word: UInt64) {
    pointee.end.storeBytes(of: word.littleEndian, as: UInt64.self)
    pointee.end += 8
  }

  /// A length and that many bytes.
  @inline(__always)
  func putBlock(_ bytes: UnsafeRawBufferPointer) throws {
    try reserve(bytes.count + 10)
    putVarint(UInt64(bytes.count))
    if let base = bytes.baseAddress { pointee.end.copyBytes(from: base, count: bytes.count) }
    pointee.end += bytes.count
  }

  @inline(__always)
  func putString(_ text: String) throws {
    if try text.utf8.withContiguousStorageIfAvailable({ try putBlock(UnsafeRawBufferPointer($0)) }) == nil {
      try putForeignString(text)
    }
  }

  @inline(never)
  private func putForeignString(_ text: String) throws {
    var text = text
    try text.withUTF8 { try putBlock(UnsafeRawBufferPointer($0)) }
  }

  // MARK: Errors

  @inline(never)
  func error(_ code: WireError.Code, _ detail: String = "") -> WireError {
    WireError(code, at: WireError.text(path(to: pointee.top)), detail)
  }

  @inline(never)
  func tooDeep() -> WireError {
    error(.tooDeep, "values are nested deeper than \(WireLimits.depth)")
  }

  /// The steps that lead to what the frames up to this one are inside of.
  func path(to last: UnsafeMutablePointer<WriterFrame>) -> [any CodingKey] {
    var path: [any CodingKey] = []
    var frame = pointee.frames
    while frame < last {
      frame += 1
      switch frame.pointee.shape {
      case .record:
        if let part = frame.pointee.part, part.pointee.names.indices.contains(frame.pointee.key) {
          path.append(PathStep(stringValue: part.pointee.names[frame.pointee.key]))
        }
      case .list: path.append(PathStep(intValue: frame.pointee.key))
      case .single, .undecided: break
      }
    }
    return path
  }
}
