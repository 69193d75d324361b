/// Where a decoder stands: its cursor, the values it is inside of and what it remembers of types.
///
/// It lives in raw memory that is never freed, for the same reasons as `EncoderState`.
struct DecoderState {
  /// The message. Outside of one all three are equal.
  var start: UnsafeRawPointer
  var cursor: UnsafeRawPointer
  var end: UnsafeRawPointer
  /// The value being read. `frames[0]` stands for none.
  var top: UnsafeMutablePointer<ReaderFrame>
  let frames: UnsafeMutablePointer<ReaderFrame>
  /// What the message's table numbers mean.
  var tables: ReceivedTables
  var limits = WireLimits()
  /// What is left of `limits.decodedBytes`.
  var room = 0
  let usesLayouts: Bool
  /// Counts messages, so that containers of an earlier one are told apart.
  var message: UInt32 = 0
  /// Where the fields of records lie that cannot be read in one pass.
  var index: [IndexedField] = []
  var keys = PointerMap()
  var types = PointerMap()
  /// Where a reader puts what its caller takes at once: a small stack, for a record is read field by field, and its
  /// fields land above it.
  var landing: UnsafeMutableRawPointer
  let landingEnd: UnsafeMutableRawPointer

  /// A few records of ten fields inside each other; what finds no place here is allocated.
  static let landingSize = 1_024
}

typealias DecoderRef = UnsafeMutablePointer<DecoderState>

/// A value on its way in.
struct ReaderFrame {
  /// What `KeyedReader` compares with its own keys before each field; nil when the value is not a record being read.
  var keys: UnsafePointer<KeyTable>?
  /// By ordinal, what the record's table calls the reader's fields.
  var tags: UnsafePointer<UInt32>
  /// The value's payload.
  var start: UnsafeRawPointer
  /// Where the payload ends, once that is known.
  var end: UnsafeRawPointer?
  var type: WireType
  /// Where the record's fields begin in `index`; -1 when they are read in one pass.
  var index: Int
  /// The field or element read last, for the order of fields and for paths; -1 for none.
  var key: Int
  /// The largest tag passed by that the reader has no field for.
  var passed: UInt32
  /// How much of `index` is others'.
  var indexBase: Int
  /// The way to a nested container, when the frame stands for one.
  var nest: ReaderNest?
}

/// Where a reader's field lies, if at all.
struct IndexedField {
  var payload: UnsafeRawPointer?
  var type = WireType.constant
}

extension DecoderRef {
  static func make(usesLayouts: Bool) -> DecoderRef {
    let nowhere = UnsafeRawPointer(KeyTable.noTags)
    let frames = UnsafeMutablePointer<ReaderFrame>.allocate(capacity: WireLimits.depth + 1)
    let idle = ReaderFrame(
      keys: nil, tags: KeyTable.noTags, start: nowhere, end: nil, type: .constant, index: -1, key: -1, passed: 0,
      indexBase: 0, nest: nil)
    frames.initialize(repeating: idle, count: WireLimits.depth + 1)
    let landing = UnsafeMutableRawPointer.allocate(byteCount: DecoderState.landingSize, alignment: 16)
    let state = DecoderRef.allocate(capacity: 1)
    state.initialize(
      to: DecoderState(
        start: nowhere, cursor: nowhere, end: nowhere, top: frames, frames: frames, tables: ReceivedTables(),
        usesLayouts: usesLayouts, landing: landing, landingEnd: landing + DecoderState.landingSize))
    return state
  }

  // MARK: Values

  /// Reads the payload at the cursor, which is of a given type. On a throw the cursor is where it was.
  @inline(__always)
  func read<Value: Decodable>(_: Value.Type, _ type: WireType) throws -> Value {
    let traits = traits(of: Value.self)
    if traits.pointee.reader == nil { return try readByItself(Value.self, type) }
    return try readBuiltin(Value.self, type, traits)
  }

  /// Lets the value's own `init(from:)` read it.
  func readByItself<Value: Decodable>(_: Value.Type, _ type: WireType) throws -> Value {
    let frame = try push(type)
    let start = pointee.cursor
    do {
      let value = try Value(from: ValueDecoder(state: self))
      try leave(frame)
      return value
    } catch {
      abandon(frame, at: start)
      throw error
    }
  }

  @inline(never)
  private func readBuiltin<Value: Decodable>(
    _: Value.Type, _ type: WireType, _ traits: UnsafePointer<TypeTraits>
  ) throws -> Value {
    let start = pointee.cursor
    let top = pointee.top
    let place = pointee.landing
    let size = (MemoryLayout<Value>.size + 15) & ~15
    let lands = size <= pointee.landingEnd - place && MemoryLayout<Value>.alignment <= 16
    let memory = lands ? place : Self.room(for: Value.self)
    if lands { pointee.landing = place + size }
    defer {
      pointee.landing = place
      if !lands { memory.deallocate() }
    }
    do {
      try traits.pointee.reader!.read(into: memory, type, from: self)
    } catch {
      pointee.cursor = start
      pointee.top = top
      throw error
    }
    return memory.assumingMemoryBound(to: Value.self).move()
  }

  private static func room<Value>(for _: Value.Type) -> UnsafeMutableRawPointer {
    .allocate(byteCount: MemoryLayout<Value>.size, alignment: MemoryLayout<Value>.alignment)
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
  func push(_ type: WireType) throws -> UnsafeMutablePointer<ReaderFrame> {
    let frame = pointee.top + 1
    guard frame <= pointee.frames + WireLimits.depth else { throw tooDeep() }
    frame.pointee.keys = nil
    frame.pointee.start = pointee.cursor
    frame.pointee.end = nil
    frame.pointee.type = type
    frame.pointee.index = -1
    frame.pointee.key = -1
    frame.pointee.indexBase = pointee.index.count
    pointee.top = frame
    return frame
  }

  @inline(__always)
  func leave(_ frame: UnsafeMutablePointer<ReaderFrame>) throws {
    // The usual end: all fields were read in turn.
    if frame.pointee.keys != nil, frame.pointee.index < 0, pointee.cursor < pointee.end,
      pointee.cursor.load(as: UInt8.self) == Mark.recordEnd
    {
      pointee.cursor += 1
    } else {
      try skipRest(of: frame)
    }
    pointee.top = frame - 1
  }

  @inline(never)
  private func skipRest(of frame: UnsafeMutablePointer<ReaderFrame>) throws {
    if let end = frame.pointee.end {
      pointee.cursor = end
    } else {
      var input: Input
      if frame.pointee.keys != nil {
        input = Input(from: pointee.cursor, to: pointee.end)
        // The header is behind the cursor, and a record that is read in one pass is regular.
        var fields = Input.Fields(UInt64(TableNumber.integers))
        while let field = try checked({ () throws(WireError) in try input.nextField(&fields) }) {
          try checked { () throws(WireError) in try input.skip(field.type, depth: depthLeft) }
        }
      } else {
        input = Input(from: frame.pointee.start, to: pointee.end)
        // This frame is the value's own place on the stack.
        try checked { () throws(WireError) in try input.skip(frame.pointee.type, depth: depthLeft + 1) }
      }
      pointee.cursor = input.position
    }
    pointee.index.removeSubrange(frame.pointee.indexBase...)
  }

  @inline(never)
  func abandon(_ frame: UnsafeMutablePointer<ReaderFrame>, at start: UnsafeRawPointer) {
    pointee.index.removeSubrange(frame.pointee.indexBase...)
    pointee.cursor = start
    pointee.top = frame - 1
  }

  /// Counts elements of a list against what the message may become, before there is room for them. No list has more of
  /// them than its message has bytes, so the product fits.
  @inline(__always)
  func take(_ count: Int, _ bytesEach: Int) throws {
    pointee.room &-= count &* bytesEach
    guard pointee.room >= 0 else { throw overgrown() }
  }

  @inline(never)
  private func overgrown() -> WireError {
    error(.tooLarge, "the lists of a message may take \(pointee.limits.decodedBytes) bytes in memory")
  }

  /// How many values may be nested in the one on top.
  var depthLeft: Int { WireLimits.depth - (pointee.top - pointee.frames) }

  // MARK: Records

  /// Begins to read the value on top as a record with these keys.
  @inline(__always)
  func openRecord(_ keys: UnsafePointer<KeyTable>) throws {
    let frame = pointee.top
    let start = frame.pointee.start
    // A header of one byte, of a regular record, whose table this reader has met.
    if frame.pointee.type == .record, frame.pointee.index < 0, start < pointee.end {
      let header = start.load(as: UInt8.self)
      if header & (0x80 | Mark.irregular) == 0, header >> 1 != UInt8(TableNumber.inline),
        let tags = try checked({ () throws(WireError) in try pointee.tables.tags(of: UInt64(header >> 1), for: keys) })
      {
        frame.pointee.keys = keys
        frame.pointee.tags = tags
        frame.pointee.key = -1
        frame.pointee.passed = 0
        pointee.cursor = start + 1
        return
      }
    }
    try openAnyRecord(keys)
  }

  @inline(never)
  private func openAnyRecord(_ keys: UnsafePointer<KeyTable>) throws {
    let frame = pointee.top
    guard frame != pointee.frames else { throw misuse() }
    if frame.pointee.type == .record, frame.pointee.index < 0 {
      var input = Input(from: frame.pointee.start, to: pointee.end)
      let header = try checked { () throws(WireError) in try input.varint() }
      if header & UInt64(Mark.irregular) == 0, header >> 1 != UInt64(TableNumber.inline),
        let tags = try checked({ () throws(WireError) in try pointee.tables.tags(of: header >> 1, for: keys) })
      {
        frame.pointee.keys = keys
        frame.pointee.tags = tags
        frame.pointee.key = -1
        frame.pointee.passed = 0
        pointee.cursor = input.position
        return
      }
    }
    try buildIndex(keys)
  }

  /// Finds a reader's fields in a record that is irregular, names its fields inline, is a map with string keys, or is
  /// read out of order. One walk over the record, after which every field is found at once.
  @inline(never)
  func buildIndex(_ keys: UnsafePointer<KeyTable>) throws {
    let frame = pointee.top
    pointee.index.removeSubrange(frame.pointee.indexBase...)
    let base = frame.pointee.indexBase
    pointee.index.append(contentsOf: repeatElement(IndexedField(), count: keys.pointee.names.count))
    frame.pointee.end = try eachField(at: frame.pointee.start, frame.pointee.type) { field in
      let ordinal =
        switch field.label {
        case .name(let name): keys.pointee.ordinals[name]
        case .number(let number): keys.pointee.integers[number]
        }
      // Of two fields with one name the first counts.
      guard let ordinal, pointee.index[base + ordinal].payload == nil else { return }
      pointee.index[base + ordinal] = IndexedField(payload: field.payload, type: field.type)
    }
    frame.pointee.index = base
    frame.pointee.keys = keys
    frame.pointee.tags = KeyTable.noTags
  }

  /// Finds a field of the record on top that is not simply next. Puts the cursor on its payload and answers with its
  /// wire type; nil, the cursor unmoved, if it is absent.
  @inline(never)
  func locate(_ ordinal: Int) throws -> WireType? {
    let frame = pointee.top
    if frame.pointee.index < 0 {
      let wanted = frame.pointee.tags[ordinal]
      if wanted == KeyTable.absent { return nil }
      let last = frame.pointee.key < 0 ? 0 : frame.pointee.tags[frame.pointee.key]
      if wanted > max(last, frame.pointee.passed) { return try scan(for: wanted, ordinal) }
      // It lies behind the cursor: the reader's order is not the writer's.
      try buildIndex(frame.pointee.keys!)
    }
    let field = pointee.index[frame.pointee.index + ordinal]
    guard let payload = field.payload else { return nil }
    pointee.cursor = payload
    frame.pointee.key = ordinal
    return field.type
  }

  private func scan(for wanted: UInt32, _ ordinal: Int) throws -> WireType? {
    let frame = pointee.top
    var input = Input(from: pointee.cursor, to: pointee.end)
    var fields = Input.Fields(UInt64(TableNumber.integers))
    while true {
      pointee.cursor = input.position
      guard let field = try checked({ () throws(WireError) in try input.nextField(&fields) }) else { return nil }
      let tag = field.number << 3
      if tag == wanted {
        frame.pointee.key = ordinal
        pointee.cursor = input.position
        return field.type
      }
      if tag > wanted { return nil }
      try checked { () throws(WireError) in try input.skip(field.type, depth: depthLeft) }
      frame.pointee.passed = tag
    }
  }

  enum Label {
    case name(String)
    case number(Int)
  }

  struct LabelledField {
    let label: Label
    let type: WireType
    let payload: UnsafeRawPointer
  }

  /// Walks over a record, or a map with string keys, and answers with where it ends.
  func eachField(
    at start: UnsafeRawPointer, _ type: WireType, _ body: (LabelledField) throws -> Void
  ) throws -> UnsafeRawPointer {
    var input = Input(from: start, to: pointee.end)
    switch type {
    case .record:
      var fields = Input.Fields(try checked { () throws(WireError) in try input.varint() })
      var names: [String] = []
      var table = UInt64(TableNumber.inline)
      while let field = try checked({ () throws(WireError) in try input.nextField(&fields) }) {
        if fields.table != table {
          table = fields.table
          if table >= UInt64(TableNumber.first) {
            names = try checked { () throws(WireError) in try pointee.tables.names(of: table) }
          }
        }
        let payload = input.position
        try checked { () throws(WireError) in try input.skip(field.type, depth: depthLeft) }
        if let bytes = field.name {
          guard let name = String(strict: bytes) else { throw error(.badString, "a field's name is not UTF-8") }
          try body(LabelledField(label: .name(name), type: field.type, payload: payload))
        } else if table == UInt64(TableNumber.integers) {
          try body(LabelledField(label: .number(Int(field.number)), type: field.type, payload: payload))
        } else {
          guard field.number <= names.count else {
            throw error(.malformed, "field \(field.number) of a table of \(names.count) names")
          }
          try body(LabelledField(label: .name(names[Int(field.number) - 1]), type: field.type, payload: payload))
        }
      }
    case .list:
      var list = try checked { () throws(WireError) in try input.listHeader() }
      guard list.isMap else { throw mismatch("a record", type) }
      while let key = try checked({ () throws(WireError) in try input.nextElement(&list) }) {
        guard key == .bytes else { throw mismatch("a map with names for keys", type) }
        let name = try checked { () throws(WireError) in try input.string() }
        guard let value = try checked({ () throws(WireError) in try input.nextElement(&list) }) else {
          throw error(.malformed, "a key without a value")
        }
        let payload = input.position
        try checked { () throws(WireError) in try input.skip(value, depth: depthLeft) }
        try body(LabelledField(label: .name(name), type: value, payload: payload))
      }
    default:
      throw mismatch("a record", type)
    }
    return input.position
  }

  // MARK: Errors

  /// Adds the path to what a walk over bytes throws.
  @inline(__always)
  func checked<Result>(_ body: () throws(WireError) -> Result) throws -> Result {
    do { return try body() } catch { throw self.error(error.code, error.detail) }
  }

  @inline(never)
  func error(_ code: WireError.Code, _ detail: String) -> WireError {
    WireError(code, at: WireError.text(path(to: pointee.top)), detail)
  }

  @inline(never)
  func truncated() -> WireError { error(.truncated, "the bytes end inside a value") }

  @inline(never)
  private func tooDeep() -> WireError { error(.tooDeep, "values are nested deeper than \(WireLimits.depth)") }

  @inline(never)
  func misuse() -> WireError {
    error(.misuse, "a decoder or container was used outside the init(from:) it was made for")
  }

  /// What Codable's own code expects to be thrown for a value of another kind.
  @inline(never)
  func mismatch(_ wanted: String, _ type: WireType) -> DecodingError {
    let context = DecodingError.Context(
      codingPath: path(to: pointee.top), debugDescription: "\(wanted) is wanted, \(type.noun) is there")
    return .typeMismatch(Any.self, context)
  }

  /// The steps that lead to what the frames up to this one are inside of.
  func path(to last: UnsafeMutablePointer<ReaderFrame>) -> [any CodingKey] {
    var path: [any CodingKey] = []
    var frame = pointee.frames
    while frame < last {
      frame += 1
      if let nest = frame.pointee.nest { path += nest.path }
      guard frame.pointee.key >= 0 else { continue }
      if let keys = frame.pointee.keys {
        path.append(PathStep(stringValue: keys.pointee.names[frame.pointee.key]))
      } else if frame.pointee.type == .list {
        path.append(PathStep(intValue: frame.pointee.key))
      }
    }
    return path
  }
}

extension WireType {
  var noun: String {
    switch self {
    case .varint: "an integer"
    case .fixed64, .fixed32: "a floating-point number"
    case .bytes: "a string or bytes"
    case .record: "a record"
    case .list: "a list"
    case .constant: "nil or a boolean"
    }
  }
}
