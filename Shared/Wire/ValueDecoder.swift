/// The `Decoder` that a value's own `init(from:)` receives. It stands for whatever value is on top.
struct ValueDecoder: Decoder {
  let state: DecoderRef

  var codingPath: [any CodingKey] { state.path(to: max(state.pointee.top - 1, state.pointee.frames)) }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    let entry = state.entry(for: type)
    guard let keys = entry.pointee.keys else {
      return try state.nestedContainer(keyedBy: type, state.place, path: nil)
    }
    try state.openRecord(keys)
    return entry.pointee.container.assumingMemoryBound(to: KeyedDecodingContainer<Key>.self).pointee
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    try UnkeyedReader(state, state.place, path: nil)
  }

  func singleValueContainer() throws -> any SingleValueDecodingContainer {
    ValueReader(state, try state.place)
  }
}

/// What a decoder remembers of a key type: its table, and the one container it hands out for it.
struct ReaderKeys {
  let keys: UnsafePointer<KeyTable>?
  let container: UnsafeMutableRawPointer
}

/// A payload somewhere in the message.
struct ReaderPlace {
  let payload: UnsafeRawPointer
  let type: WireType
}

extension DecoderRef {
  @inline(__always)
  func entry<Key: CodingKey>(for type: Key.Type) -> UnsafeMutablePointer<ReaderKeys> {
    if let known = pointee.keys[type] { return known.assumingMemoryBound(to: ReaderKeys.self) }
    return makeEntry(for: type)
  }

  @inline(never)
  private func makeEntry<Key: CodingKey>(for type: Key.Type) -> UnsafeMutablePointer<ReaderKeys> {
    let keys = KeyTable.of(type)
    let container = UnsafeMutablePointer<KeyedDecodingContainer<Key>>.allocate(capacity: 1)
    container.initialize(to: KeyedDecodingContainer(KeyedReader<Key>(state: self, keys: keys ?? KeyTable.inline)))
    let entry = UnsafeMutablePointer<ReaderKeys>.allocate(capacity: 1)
    entry.initialize(to: ReaderKeys(keys: keys, container: UnsafeMutableRawPointer(container)))
    pointee.keys.insert(UnsafeMutableRawPointer(entry), for: type)
    return entry
  }

  /// Where the value on top lies.
  var place: ReaderPlace {
    get throws {
      guard pointee.top != pointee.frames else { throw misuse() }
      return ReaderPlace(payload: pointee.top.pointee.start, type: pointee.top.pointee.type)
    }
  }

  /// Reads a value that lies elsewhere, and leaves the cursor alone. Answers with where the value ended.
  @inline(__always)
  func read<Value: Decodable>(
    _: Value.Type, at place: ReaderPlace, end: inout UnsafeRawPointer?
  ) throws -> Value {
    let cursor = pointee.cursor
    pointee.cursor = place.payload
    defer { pointee.cursor = cursor }
    let value = try read(Value.self, place.type)
    end = pointee.cursor
    return value
  }
}

/// Reads the fields of the value on top, for keys that have a table.
struct KeyedReader<Key: CodingKey>: KeyedDecodingContainerProtocol {
  let state: DecoderRef
  let keys: UnsafePointer<KeyTable>

  var codingPath: [any CodingKey] { ValueDecoder(state: state).codingPath }

  @inline(__always)
  private func ordinal(_ key: Key) -> Int {
    MemoryLayout<Key>.size == 1 ? Int(unsafeBitCast(key, to: UInt8.self)) : 0
  }

  /// The frame of the record, its fields those of this container's keys.
  @inline(__always)
  private func attach() throws -> UnsafeMutablePointer<ReaderFrame> {
    if state.pointee.top.pointee.keys != keys { try state.openRecord(keys) }
    return state.pointee.top
  }

  @inline(__always)
  private func get<Value: WirePrimitive>(_: Value.Type, _ key: Key) throws -> Value {
    let frame = try attach()
    let ordinal = ordinal(key)
    if state.isNext(ordinal, frame, Value.wireType) { return try state.takeNext(Value.self, ordinal, frame) }
    guard let value: Value = try state.find(ordinal) else { throw state.missing(key, keys) }
    return value
  }

  @inline(__always)
  private func getIfPresent<Value: WirePrimitive>(_: Value.Type, _ key: Key) throws -> Value? {
    let frame = try attach()
    let ordinal = ordinal(key)
    if state.isNext(ordinal, frame, Value.wireType) { return try state.takeNext(Value.self, ordinal, frame) }
    return try state.find(ordinal, nilIsAbsent: true)
  }

  func decode(_ type: Bool.Type, forKey key: Key) throws -> Bool { try get(type, key) }
  func decode(_ type: String.Type, forKey key: Key) throws -> String { try get(type, key) }
  func decode(_ type: Double.Type, forKey key: Key) throws -> Double { try get(type, key) }
  func decode(_ type: Float.Type, forKey key: Key) throws -> Float { try get(type, key) }
  func decode(_ type: Int.Type, forKey key: Key) throws -> Int { try get(type, key) }
  func decode(_ type: Int8.Type, forKey key: Key) throws -> Int8 { try get(type, key) }
  func decode(_ type: Int16.Type, forKey key: Key) throws -> Int16 { try get(type, key) }
  func decode(_ type: Int32.Type, forKey key: Key) throws -> Int32 { try get(type, key) }
  func decode(_ type: Int64.Type, forKey key: Key) throws -> Int64 { try get(type, key) }
  func decode(_ type: UInt.Type, forKey key: Key) throws -> UInt { try get(type, key) }
  func decode(_ type: UInt8.Type, forKey key: Key) throws -> UInt8 { try get(type, key) }
  func decode(_ type: UInt16.Type, forKey key: Key) throws -> UInt16 { try get(type, key) }
  func decode(_ type: UInt32.Type, forKey key: Key) throws -> UInt32 { try get(type, key) }
  func decode(_ type: UInt64.Type, forKey key: Key) throws -> UInt64 { try get(type, key) }

  func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
    _ = try attach()
    let ordinal = ordinal(key)
    let cursor = state.pointee.cursor
    guard let found = try state.seek(ordinal) else { throw state.missing(key, keys) }
    do {
      return try state.read(type, found)
    } catch {
      state.pointee.cursor = cursor
      throw error
    }
  }

  // Codable's defaults for these ask three questions of the container for each answer.

  func decodeIfPresent(_ type: Bool.Type, forKey key: Key) throws -> Bool? { try getIfPresent(type, key) }
  func decodeIfPresent(_ type: String.Type, forKey key: Key) throws -> String? { try getIfPresent(type, key) }
  func decodeIfPresent(_ type: Double.Type, forKey key: Key) throws -> Double? { try getIfPresent(type, key) }
  func decodeIfPresent(_ type: Float.Type, forKey key: Key) throws -> Float? { try getIfPresent(type, key) }
  func decodeIfPresent(_ type: Int.Type, forKey key: Key) throws -> Int? { try getIfPresent(type, key) }
  func decodeIfPresent(_ type: Int8.Type, forKey key: Key) throws -> Int8? { try getIfPresent(type, key) }
  func decodeIfPresent(_ type: Int16.Type, forKey key: Key) throws -> Int16? { try getIfPresent(type, key) }
  func decodeIfPresent(_ type: Int32.Type, forKey key: Key) throws -> Int32? { try getIfPresent(type, key) }
  func decodeIfPresent(_ type: Int64.Type, forKey key: Key) throws -> Int64? { try getIfPresent(type, key) }
  func decodeIfPresent(_ type: UInt.Type, forKey key: Key) throws -> UInt? { try getIfPresent(type, key) }
  func decodeIfPresent(_ type: UInt8.Type, forKey key: Key) throws -> UInt8? { try getIfPresent(type, key) }
  func decodeIfPresent(_ type: UInt16.Type, forKey key: Key) throws -> UInt16? { try getIfPresent(type, key) }
  func decodeIfPresent(_ type: UInt32.Type, forKey key: Key) throws -> UInt32? { try getIfPresent(type, key) }
  func decodeIfPresent(_ type: UInt64.Type, forKey key: Key) throws -> UInt64? { try getIfPresent(type, key) }

  func decodeIfPresent<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value? {
    _ = try attach()
    let cursor = state.pointee.cursor
    guard let found = try state.seek(ordinal(key)) else { return nil }
    do {
      // A nil that the value itself can hold is the value's.
      if found == .constant, !(Value.self is any OptionalReader.Type), try state.skipNil() { return nil }
      return try state.read(type, found)
    } catch {
      state.pointee.cursor = cursor
      throw error
    }
  }

  // What follows is asked seldom.

  func contains(_ key: Key) -> Bool {
    (try? peek(key)) != nil
  }

  func decodeNil(forKey key: Key) throws -> Bool {
    guard let place = try peek(key) else { throw state.missing(key, keys) }
    return state.isNil(place)
  }

  /// Where a field lies; the cursor stays.
  private func peek(_ key: Key) throws -> ReaderPlace? {
    let frame = try attach()
    let before = (cursor: state.pointee.cursor, key: frame.pointee.key, passed: frame.pointee.passed)
    guard let type = try state.seek(ordinal(key)) else { return nil }
    let place = ReaderPlace(payload: state.pointee.cursor, type: type)
    state.pointee.cursor = before.cursor
    // What was passed on the way lies ahead again.
    frame.pointee.key = before.key
    frame.pointee.passed = before.passed
    return place
  }

  private func place(_ key: Key) throws -> ReaderPlace {
    guard let place = try peek(key) else { throw state.missing(key, keys) }
    return place
  }

  var allKeys: [Key] {
    guard let place = try? state.place else { return [] }
    var found: [Key] = []
    _ = try? state.eachField(at: place.payload, place.type) { field in
      if let ordinal = keys.pointee.ordinal(of: field.label) { found.append(KeyTable.key(at: ordinal, as: Key.self)) }
    }
    return found
  }

  func nestedContainer<Inner: CodingKey>(
    keyedBy type: Inner.Type, forKey key: Key
  ) throws -> KeyedDecodingContainer<Inner> {
    try state.nestedContainer(keyedBy: type, place(key), path: state.nest(under: key))
  }

  func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
    try UnkeyedReader(state, place(key), path: state.nest(under: key))
  }

  /// Under the name "super", which `CodingKeys` need not have.
  func superDecoder() throws -> any Decoder {
    let all = try state.nestedContainer(keyedBy: PathStep.self, state.place, path: nil)
    return try all.superDecoder(forKey: PathStep(stringValue: "super"))
  }

  func superDecoder(forKey key: Key) throws -> any Decoder {
    SuperDecoder(state: state, place: try place(key), path: state.nest(under: key))
  }
}

extension KeyTable {
  func ordinal(of label: DecoderRef.Label) -> Int? {
    switch label {
    case .name(let name): ordinals[name]
    case .number(let number): integers[number]
    }
  }
}

extension DecoderRef {
  /// Whether the tag at the cursor is the wanted one, of one byte.
  @inline(__always)
  func isNext(_ ordinal: Int, _ frame: UnsafeMutablePointer<ReaderFrame>, _ type: WireType) -> Bool {
    let tag = frame.pointee.tags[ordinal] | UInt32(type.rawValue)
    let cursor = pointee.cursor
    return cursor < pointee.end && UInt32(cursor.load(as: UInt8.self)) == tag && tag < 0x80
  }

  /// Reads the field whose tag is at the cursor.
  @inline(__always)
  func takeNext<Value: WirePrimitive>(
    _: Value.Type, _ ordinal: Int, _ frame: UnsafeMutablePointer<ReaderFrame>
  ) throws -> Value {
    frame.pointee.key = ordinal
    var position = pointee.cursor + 1
    let value = try Value.parse(&position, self)
    pointee.cursor = position
    return value
  }

  /// Finds a field of any wire type: next, or elsewhere.
  @inline(__always)
  func seek(_ ordinal: Int) throws -> WireType? {
    let frame = pointee.top
    let tag = frame.pointee.tags[ordinal]
    let cursor = pointee.cursor
    if tag < 0x80, cursor < pointee.end {
      let byte = cursor.load(as: UInt8.self)
      if UInt32(byte & 0xF8) == tag, let type = WireType(rawValue: byte & 7) {
        frame.pointee.key = ordinal
        pointee.cursor = cursor + 1
        return type
      }
    } else if tag < 0x4000, pointee.end - cursor > 1 {
      // A number above 15, of two bytes.
      let low = cursor.load(as: UInt8.self)
      let high = (cursor + 1).load(as: UInt8.self)
      if low >= 0x80, UInt32(low & 0x78) | UInt32(high) << 7 == tag, let type = WireType(rawValue: low & 7) {
        frame.pointee.key = ordinal
        pointee.cursor = cursor + 2
        return type
      }
    }
    return try locate(ordinal)
  }

  /// Reads a field that is not simply next or not simply of the wanted wire type; nil if it is absent.
  @inline(never)
  func find<Value: WirePrimitive>(_ ordinal: Int, nilIsAbsent: Bool = false) throws -> Value? {
    let cursor = pointee.cursor
    guard let type = try seek(ordinal) else { return nil }
    do {
      if type == .constant, nilIsAbsent, try skipNil() { return nil }
      var position = pointee.cursor
      let value = try Value.parse(type, &position, self)
      pointee.cursor = position
      return value
    } catch {
      pointee.cursor = cursor
      throw error
    }
  }

  func isNil(_ place: ReaderPlace) -> Bool {
    place.type == .constant && place.payload < pointee.end && Constant.isNil(place.payload.load(as: UInt8.self))
  }

  /// Moves past the constant at the cursor if it is nil.
  func skipNil() throws -> Bool {
    guard isNil(ReaderPlace(payload: pointee.cursor, type: .constant)) else { return false }
    pointee.cursor += 1
    return true
  }

  @inline(never)
  func missing(_ ordinal: Int, _ keys: UnsafePointer<KeyTable>) -> DecodingError {
    missing(PathStep(stringValue: keys.pointee.names[ordinal]), keys)
  }

  @inline(never)
  func missing(_ key: some CodingKey, _ keys: UnsafePointer<KeyTable>) -> DecodingError {
    let path = path(to: pointee.top - 1)
    return .keyNotFound(key, .init(codingPath: path, debugDescription: "\(key.stringValue) is required"))
  }
}

extension WirePrimitive {
  /// Reads a payload of whichever wire type it is.
  @inline(__always)
  static func parse(_ type: WireType, _ position: inout UnsafeRawPointer, _ state: DecoderRef) throws -> Self {
    type == wireType ? try parse(&position, state) : try convert(type, &position, state)
  }
}
