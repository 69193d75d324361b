/// Writes the fields of any record: a nested one, one whose keys have no table, or one that others write to as well.
struct NestedKeyedWriter<Key: CodingKey>: KeyedEncodingContainerProtocol {
  let state: EncoderRef
  let handle: WriterHandle
  let keys: UnsafePointer<KeyTable>

  var codingPath: [any CodingKey] { ValueEncoder(state: state).codingPath }

  /// Writes a tag with a wire type of zero and answers with its offset.
  private func putTag(_ key: Key) throws -> Int {
    let top = state.pointee.top
    guard top.pointee.shape == .record else { throw state.misuse() }
    if top.pointee.part != keys { try state.openPart(top, keys) }
    try state.reserve(EncoderRef.tagAndWord)
    let tag = state.pointee.end - state.pointee.base
    if keys.pointee.id == TableNumber.inline {
      let name = key.stringValue
      guard name.utf8.count <= WireLimits.nameBytes else {
        throw state.error(.tooLarge, "a field's name may have \(WireLimits.nameBytes) bytes")
      }
      state.putByte(Mark.root)
      try state.putString(name)
    } else {
      let ordinal = MemoryLayout<Key>.size == 1 ? Int(unsafeBitCast(key, to: UInt8.self)) : 0
      top.pointee.key = ordinal
      state.putTag(keys, ordinal, .varint)
    }
    return tag
  }

  func encodeNil(forKey key: Key) throws {
    try state.inside(handle) {
      let tag = try putTag(key)
      state.setType(.constant, at: tag)
      try state.put(Constant.none)
    }
  }

  func encode<Value: Encodable>(_ value: Value, forKey key: Key) throws {
    try state.inside(handle) {
      let tag = try putTag(key)
      do {
        state.setType(try state.write(value), at: tag)
      } catch {
        state.pointee.end = state.pointee.base + tag
        throw error
      }
    }
  }

  func nestedContainer<Inner: CodingKey>(keyedBy type: Inner.Type, forKey key: Key) -> KeyedEncodingContainer<Inner> {
    state.nestedContainer(keyedBy: type, in: handle) { try putTag(key) }
  }

  func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
    state.nestedUnkeyedContainer(in: handle) { try putTag(key) }
  }

  /// Under the name "super", which `CodingKeys` need not have: then as a part with inline names.
  func superEncoder() -> any Encoder {
    if keys.pointee.id != TableNumber.inline, let key = Key(stringValue: "super") { return superEncoder(forKey: key) }
    let general = NestedKeyedWriter<PathStep>(state: state, handle: handle, keys: KeyTable.inline)
    return general.superEncoder(forKey: PathStep(stringValue: "super"))
  }

  func superEncoder(forKey key: Key) -> any Encoder {
    state.superEncoder(in: handle) { try putTag(key) }
  }
}

/// Writes the elements of a list whose length and types show only as they come.
struct UnkeyedWriter: UnkeyedEncodingContainer {
  let state: EncoderRef
  let handle: WriterHandle

  var codingPath: [any CodingKey] { ValueEncoder(state: state).codingPath }

  var count: Int {
    var frame = state.pointee.top
    while frame > state.pointee.frames {
      if frame.pointee.serial == handle.serial { return frame.pointee.count }
      frame -= 1
    }
    guard state.pointee.nests.indices.contains(handle.nest) else { return 0 }
    let nest = state.pointee.nests[handle.nest]
    return nest.serial == handle.serial ? nest.frame.count : 0
  }

  /// Writes the byte that will hold an element's wire type and answers with its offset.
  private func putTag() throws -> Int {
    let top = state.pointee.top
    guard top.pointee.shape == .list else { throw state.misuse() }
    try state.reserve(EncoderRef.tagAndWord)
    top.pointee.key = top.pointee.count
    top.pointee.count += 1
    let tag = state.pointee.end - state.pointee.base
    state.putByte(0)
    return tag
  }

  func encodeNil() throws {
    try state.inside(handle) {
      let tag = try putTag()
      state.setType(.constant, at: tag)
      state.putByte(Constant.none)
    }
  }

  func encode<Value: Encodable>(_ value: Value) throws {
    try state.inside(handle) {
      let tag = try putTag()
      do {
        state.setType(try state.write(value), at: tag)
      } catch {
        state.pointee.end = state.pointee.base + tag
        state.pointee.top.pointee.count -= 1
        throw error
      }
    }
  }

  func nestedContainer<Inner: CodingKey>(keyedBy type: Inner.Type) -> KeyedEncodingContainer<Inner> {
    state.nestedContainer(keyedBy: type, in: handle) { try putTag() }
  }

  func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
    state.nestedUnkeyedContainer(in: handle) { try putTag() }
  }

  func superEncoder() -> any Encoder {
    state.superEncoder(in: handle) { try putTag() }
  }
}

/// Writes a value in place of the one that asked for this container.
struct SingleValueWriter: SingleValueEncodingContainer {
  let state: EncoderRef
  let handle: WriterHandle

  var codingPath: [any CodingKey] { ValueEncoder(state: state).codingPath }

  @inline(__always)
  private func once(_ body: () throws -> WireType) throws {
    try state.inside(handle) {
      let top = state.pointee.top
      guard top.pointee.shape == .undecided else {
        throw state.error(.misuse, "a value wrote two single values, or one beside another container")
      }
      top.pointee.single = try body()
      top.pointee.shape = .single
    }
  }

  func encodeNil() throws {
    try once {
      try state.put(Constant.none)
      return .constant
    }
  }

  @inline(__always)
  private func put<Value: WirePrimitive>(_ value: Value) throws {
    try once {
      try state.reserve(EncoderRef.tagAndWord)
      try value.put(to: state)
      return Value.wireType
    }
  }

  func encode(_ value: Bool) throws { try put(value) }
  func encode(_ value: String) throws { try put(value) }
  func encode(_ value: Double) throws { try put(value) }
  func encode(_ value: Float) throws { try put(value) }
  func encode(_ value: Int) throws { try put(value) }
  func encode(_ value: Int8) throws { try put(value) }
  func encode(_ value: Int16) throws { try put(value) }
  func encode(_ value: Int32) throws { try put(value) }
  func encode(_ value: Int64) throws { try put(value) }
  func encode(_ value: UInt) throws { try put(value) }
  func encode(_ value: UInt8) throws { try put(value) }
  func encode(_ value: UInt16) throws { try put(value) }
  func encode(_ value: UInt32) throws { try put(value) }
  func encode(_ value: UInt64) throws { try put(value) }
  func encode<Value: Encodable>(_ value: Value) throws { try once { try state.write(value) } }
}

/// The encoder of a value's superclass, or of whatever else is written under a key of its own.
struct SuperEncoder: Encoder {
  let state: EncoderRef
  let handle: WriterHandle

  var codingPath: [any CodingKey] { ValueEncoder(state: state).codingPath }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    let keys = state.entry(for: type).pointee.keys ?? KeyTable.inline
    state.orFail { try state.shapeSuper(handle, keys) }
    return KeyedEncodingContainer(NestedKeyedWriter(state: state, handle: handle, keys: keys))
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer {
    state.orFail { try state.shapeSuper(handle, nil) }
    return UnkeyedWriter(state: state, handle: handle)
  }

  func singleValueContainer() -> any SingleValueEncodingContainer {
    SingleValueWriter(state: state, handle: handle)
  }
}

extension EncoderRef {
  /// A handle that fits no container: what one gets whose opening failed.
  private static var nowhere: WriterHandle { WriterHandle(serial: .max, nest: -1) }

  /// Opening a container cannot throw, so the value that did it fails when it ends.
  func orFail(_ body: () throws -> Void) {
    do { try body() } catch { if pointee.failure == nil { pointee.failure = WireError(error) } }
  }

  private func open(
    in parent: WriterHandle, _ putTag: () throws -> Int, _ open: (Int) throws -> WriterHandle
  ) -> WriterHandle {
    var handle = Self.nowhere
    orFail { handle = try inside(parent) { try open(putTag()) } }
    return handle
  }

  func nestedContainer<Inner: CodingKey>(
    keyedBy type: Inner.Type, in parent: WriterHandle, _ putTag: () throws -> Int
  ) -> KeyedEncodingContainer<Inner> {
    let keys = entry(for: type).pointee.keys ?? KeyTable.inline
    let handle = open(in: parent, putTag) { try openNest(keys, tag: $0) }
    return KeyedEncodingContainer(NestedKeyedWriter(state: self, handle: handle, keys: keys))
  }

  func nestedUnkeyedContainer(in parent: WriterHandle, _ putTag: () throws -> Int) -> any UnkeyedEncodingContainer {
    UnkeyedWriter(state: self, handle: open(in: parent, putTag) { try openNest(nil, tag: $0) })
  }

  func superEncoder(in parent: WriterHandle, _ putTag: () throws -> Int) -> any Encoder {
    SuperEncoder(state: self, handle: open(in: parent, putTag) { try openSuper(tag: $0) })
  }
}
