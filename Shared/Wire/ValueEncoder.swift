/// The `Encoder` that a value's own `encode(to:)` receives. It stands for whatever value is on top.
struct ValueEncoder: Encoder {
  let state: EncoderRef

  var codingPath: [any CodingKey] { state.path(to: max(state.pointee.top - 1, state.pointee.frames)) }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    let entry = state.entry(for: type)
    guard let keys = entry.pointee.keys else { return inlineContainer(keyedBy: type) }
    let top = state.pointee.top
    if top.pointee.shape == .undecided, top.pointee.nest < 0, top != state.pointee.frames {
      do {
        try state.openRecord(top, keys)
        top.pointee.keys = keys
      } catch {
        state.pointee.failure = WireError(error)
      }
    } else {
      state.reopenRecord(keys)
    }
    return entry.pointee.container.assumingMemoryBound(to: KeyedEncodingContainer<Key>.self).pointee
  }

  private func inlineContainer<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    let keys = KeyTable.inline
    state.reopenRecord(keys)
    return KeyedEncodingContainer(NestedKeyedWriter(state: state, handle: state.valueHandle, keys: keys))
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer {
    state.openList()
    return UnkeyedWriter(state: state, handle: state.valueHandle)
  }

  func singleValueContainer() -> any SingleValueEncodingContainer {
    SingleValueWriter(state: state, handle: state.valueHandle)
  }
}

/// What an encoder remembers of a key type: its table, and the one container it hands out for it.
///
/// The container can be one and the same because it holds nothing but the encoder's address and the table: which record
/// it writes to is the encoder's business. That saves an allocation per record.
struct WriterKeys {
  let keys: UnsafePointer<KeyTable>?
  let container: UnsafeMutableRawPointer
}

extension EncoderRef {
  @inline(__always)
  func entry<Key: CodingKey>(for type: Key.Type) -> UnsafeMutablePointer<WriterKeys> {
    if let known = pointee.keys[type] { return known.assumingMemoryBound(to: WriterKeys.self) }
    return makeEntry(for: type)
  }

  @inline(never)
  private func makeEntry<Key: CodingKey>(for type: Key.Type) -> UnsafeMutablePointer<WriterKeys> {
    let keys = KeyTable.of(type)
    let container = UnsafeMutablePointer<KeyedEncodingContainer<Key>>.allocate(capacity: 1)
    container.initialize(to: KeyedEncodingContainer(KeyedWriter<Key>(state: self, keys: keys ?? KeyTable.inline)))
    let entry = UnsafeMutablePointer<WriterKeys>.allocate(capacity: 1)
    entry.initialize(to: WriterKeys(keys: keys, container: UnsafeMutableRawPointer(container)))
    pointee.keys.insert(UnsafeMutableRawPointer(entry), for: type)
    return entry
  }

  /// The frame of the value on top, below any nested containers it has opened.
  var valueFrame: UnsafeMutablePointer<WriterFrame> {
    var frame = pointee.top
    while frame.pointee.nest >= 0 { frame -= 1 }
    return frame
  }

  var valueHandle: WriterHandle { WriterHandle(serial: valueFrame.pointee.serial, nest: -1) }

  /// A keyed container for a value that has one already, or must not have one.
  @inline(never)
  func reopenRecord(_ keys: UnsafePointer<KeyTable>) {
    let frame = valueFrame
    do {
      guard frame != pointee.frames else { throw misuse() }
      if frame.pointee.shape == .undecided {
        try openRecord(frame, keys)
      } else if frame.pointee.shape != .record {
        throw error(.misuse, "a value asked for a keyed container beside another kind")
      }
      // A later write through the container begins a part if the keys are not the record's current ones.
    } catch {
      pointee.failure = WireError(error)
    }
  }

  @inline(never)
  func openList() {
    let frame = valueFrame
    do {
      guard frame != pointee.frames else { throw misuse() }
      if frame.pointee.shape == .undecided {
        frame.pointee.shape = .list
        frame.pointee.count = 0
        try put(Mark.openList)
      } else if frame.pointee.shape != .list {
        throw error(.misuse, "a value asked for an unkeyed container beside another kind")
      }
    } catch {
      pointee.failure = WireError(error)
    }
  }

  func misuse() -> WireError {
    error(.misuse, "an encoder or container was used outside the encode(to:) it was made for")
  }

  /// Makes the record of the value on top ready for a field of these keys: the slow way into `KeyedWriter`.
  @inline(never)
  func attach(_ keys: UnsafePointer<KeyTable>) throws {
    let frame = valueFrame
    guard frame != pointee.frames, frame.pointee.shape == .record else { throw misuse() }
    if pointee.top != frame { try sealNests(above: frame) }
    if frame.pointee.part != keys { try openPart(frame, keys) }
    frame.pointee.keys = keys
  }
}

/// Writes the fields of the value on top, for keys that have a table.
struct KeyedWriter<Key: CodingKey>: KeyedEncodingContainerProtocol {
  let state: EncoderRef
  let keys: UnsafePointer<KeyTable>

  var codingPath: [any CodingKey] { ValueEncoder(state: state).codingPath }

  @inline(__always)
  private func ordinal(_ key: Key) -> Int {
    MemoryLayout<Key>.size == 1 ? Int(unsafeBitCast(key, to: UInt8.self)) : 0
  }

  @inline(__always)
  private func attach() throws {
    if state.pointee.top.pointee.keys != keys { try state.attach(keys) }
  }

  @inline(__always)
  private func put<Value: WirePrimitive>(_ value: Value, _ key: Key) throws {
    try attach()
    try state.reserve(EncoderRef.tagAndWord)
    state.putTag(keys, ordinal(key), Value.wireType)
    try value.put(to: state)
  }

  func encodeNil(forKey key: Key) throws {
    try attach()
    try state.reserve(EncoderRef.tagAndWord)
    state.putTag(keys, ordinal(key), .constant)
    state.putByte(Constant.none)
  }

  func encode(_ value: Bool, forKey key: Key) throws { try put(value, key) }
  func encode(_ value: String, forKey key: Key) throws { try put(value, key) }
  func encode(_ value: Double, forKey key: Key) throws { try put(value, key) }
  func encode(_ value: Float, forKey key: Key) throws { try put(value, key) }
  func encode(_ value: Int, forKey key: Key) throws { try put(value, key) }
  func encode(_ value: Int8, forKey key: Key) throws { try put(value, key) }
  func encode(_ value: Int16, forKey key: Key) throws { try put(value, key) }
  func encode(_ value: Int32, forKey key: Key) throws { try put(value, key) }
  func encode(_ value: Int64, forKey key: Key) throws { try put(value, key) }
  func encode(_ value: UInt, forKey key: Key) throws { try put(value, key) }
  func encode(_ value: UInt8, forKey key: Key) throws { try put(value, key) }
  func encode(_ value: UInt16, forKey key: Key) throws { try put(value, key) }
  func encode(_ value: UInt32, forKey key: Key) throws { try put(value, key) }
  func encode(_ value: UInt64, forKey key: Key) throws { try put(value, key) }

  func encode<Value: Encodable>(_ value: Value, forKey key: Key) throws {
    try attach()
    try state.writeField(value, keys, ordinal(key))
  }

  // Codable's defaults for these cost a further call each.

  func encodeIfPresent(_ value: Bool?, forKey key: Key) throws { if let value { try put(value, key) } }
  func encodeIfPresent(_ value: String?, forKey key: Key) throws { if let value { try put(value, key) } }
  func encodeIfPresent(_ value: Double?, forKey key: Key) throws { if let value { try put(value, key) } }
  func encodeIfPresent(_ value: Float?, forKey key: Key) throws { if let value { try put(value, key) } }
  func encodeIfPresent(_ value: Int?, forKey key: Key) throws { if let value { try put(value, key) } }
  func encodeIfPresent(_ value: Int8?, forKey key: Key) throws { if let value { try put(value, key) } }
  func encodeIfPresent(_ value: Int16?, forKey key: Key) throws { if let value { try put(value, key) } }
  func encodeIfPresent(_ value: Int32?, forKey key: Key) throws { if let value { try put(value, key) } }
  func encodeIfPresent(_ value: Int64?, forKey key: Key) throws { if let value { try put(value, key) } }
  func encodeIfPresent(_ value: UInt?, forKey key: Key) throws { if let value { try put(value, key) } }
  func encodeIfPresent(_ value: UInt8?, forKey key: Key) throws { if let value { try put(value, key) } }
  func encodeIfPresent(_ value: UInt16?, forKey key: Key) throws { if let value { try put(value, key) } }
  func encodeIfPresent(_ value: UInt32?, forKey key: Key) throws { if let value { try put(value, key) } }
  func encodeIfPresent(_ value: UInt64?, forKey key: Key) throws { if let value { try put(value, key) } }

  func encodeIfPresent<Value: Encodable>(_ value: Value?, forKey key: Key) throws {
    if let value { try encode(value, forKey: key) }
  }

  // Containers inside the record are rarer and take the general way.

  private var general: NestedKeyedWriter<Key> {
    NestedKeyedWriter(state: state, handle: state.valueHandle, keys: keys)
  }

  func nestedContainer<Inner: CodingKey>(keyedBy type: Inner.Type, forKey key: Key) -> KeyedEncodingContainer<Inner> {
    general.nestedContainer(keyedBy: type, forKey: key)
  }

  func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
    general.nestedUnkeyedContainer(forKey: key)
  }

  func superEncoder() -> any Encoder { general.superEncoder() }
  func superEncoder(forKey key: Key) -> any Encoder { general.superEncoder(forKey: key) }
}
