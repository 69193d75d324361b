/// Where a nested container lies among the values, for paths.
final class ReaderNest {
  private let parent: ReaderNest?
  private let step: any CodingKey

  init(_ step: any CodingKey, in parent: ReaderNest?) {
    self.step = step
    self.parent = parent
  }

  var path: [any CodingKey] { (parent?.path ?? []) + [step] }
}

/// Reads the fields of any record: a nested one, or one whose keys have no table. It has found them all before the first
/// is asked for, so containers of one value may be used in any order.
struct NestedKeyedReader<Key: CodingKey>: KeyedDecodingContainerProtocol {
  private let state: DecoderRef
  private let message: UInt32
  private let fields: [Found]
  private let byName: [String: Int]
  private let nest: ReaderNest?

  private struct Found {
    let key: Key
    let place: ReaderPlace
  }

  /// As many names as are compared one by one.
  private static var few: Int { 8 }

  init(_ state: DecoderRef, _ place: ReaderPlace, path: ReaderNest?) throws {
    self.state = state
    message = state.pointee.message
    nest = path
    var fields: [Found] = []
    _ = try state.eachField(at: place.payload, place.type) { field in
      let key =
        switch field.label {
        case .name(let name): Key(stringValue: name)
        case .number(let number): Key(intValue: number)
        }
      if let key { fields.append(Found(key: key, place: ReaderPlace(payload: field.payload, type: field.type))) }
    }
    self.fields = fields
    byName =
      fields.count <= Self.few
      ? [:]
      : Dictionary(fields.enumerated().map { ($1.key.stringValue, $0) }, uniquingKeysWith: { first, _ in first })
  }

  var codingPath: [any CodingKey] { ValueDecoder(state: state).codingPath + (nest?.path ?? []) }

  var allKeys: [Key] { fields.map(\.key) }

  private func find(_ key: Key) -> ReaderPlace? {
    let name = key.stringValue
    if fields.count > Self.few { return byName[name].map { fields[$0].place } }
    return fields.first { $0.key.stringValue == name }?.place
  }

  private func place(_ key: Key) throws -> ReaderPlace {
    guard state.pointee.message == message else { throw state.misuse() }
    guard let place = find(key) else {
      throw DecodingError.keyNotFound(
        key, .init(codingPath: codingPath, debugDescription: "\(key.stringValue) is required"))
    }
    return place
  }

  func contains(_ key: Key) -> Bool { find(key) != nil }

  func decodeNil(forKey key: Key) throws -> Bool { state.isNil(try place(key)) }

  func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
    try state.read(type, at: place(key), under: ReaderNest(key, in: nest))
  }

  func decodeIfPresent<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value? {
    guard let place = find(key) else { return nil }
    if state.isNil(place), !(Value.self is any OptionalReader.Type) { return nil }
    return try decode(type, forKey: key)
  }

  func nestedContainer<Inner: CodingKey>(
    keyedBy type: Inner.Type, forKey key: Key
  ) throws -> KeyedDecodingContainer<Inner> {
    try state.nestedContainer(keyedBy: type, place(key), path: ReaderNest(key, in: nest))
  }

  func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
    try UnkeyedReader(state, place(key), path: ReaderNest(key, in: nest))
  }

  func superDecoder() throws -> any Decoder {
    guard let key = Key(stringValue: "super") else {
      throw DecodingError.keyNotFound(
        PathStep(stringValue: "super"), .init(codingPath: codingPath, debugDescription: "the keys have no super"))
    }
    return try superDecoder(forKey: key)
  }

  func superDecoder(forKey key: Key) throws -> any Decoder {
    SuperDecoder(state: state, place: try place(key), path: ReaderNest(key, in: nest))
  }
}

/// Reads the elements of a list, or the keys and values of a map in turn.
struct UnkeyedReader: UnkeyedDecodingContainer {
  private let state: DecoderRef
  private let message: UInt32
  private var input: Input
  private var list: Input.List
  /// The wire type of the next element, whose payload the input stands at; nil at the end.
  private var next: WireType?
  private let nest: ReaderNest?
  private(set) var currentIndex = 0

  init(_ state: DecoderRef, _ place: ReaderPlace, path: ReaderNest?) throws {
    guard place.type == .list else { throw state.mismatch("a list", place.type) }
    self.state = state
    message = state.pointee.message
    nest = path
    var input = Input(from: place.payload, to: state.pointee.end)
    var list = try state.checked { () throws(WireError) in try input.listHeader() }
    next = try state.checked { () throws(WireError) in try input.nextElement(&list) }
    self.input = input
    self.list = list
  }

  var codingPath: [any CodingKey] { ValueDecoder(state: state).codingPath + (nest?.path ?? []) }
  var isAtEnd: Bool { next == nil }

  /// Known from the start for all but open lists, whose elements have to be counted.
  var count: Int? {
    guard var type = next else { return currentIndex }
    guard list.isOpen else { return currentIndex + list.left + 1 }
    var input = input
    var list = list
    var count = currentIndex
    do {
      while true {
        count += 1
        try input.skip(type, depth: state.depthLeft)
        guard let following = try input.nextElement(&list) else { return count }
        type = following
      }
    } catch {
      return nil
    }
  }

  private var place: ReaderPlace {
    get throws {
      guard state.pointee.message == message else { throw state.misuse() }
      guard let next else {
        throw DecodingError.valueNotFound(
          Any.self, .init(codingPath: codingPath + [step], debugDescription: "the list has ended"))
      }
      return ReaderPlace(payload: input.position, type: next)
    }
  }

  private var step: PathStep { PathStep(intValue: currentIndex) }
  private var here: ReaderNest { ReaderNest(step, in: nest) }

  /// Moves on to the element behind `end`, or behind the current one if that was only looked at.
  private mutating func advance(past end: UnsafeRawPointer? = nil) throws {
    if let end {
      input = Input(from: end, to: input.end)
    } else if let next {
      try state.checked { () throws(WireError) in try input.skip(next, depth: state.depthLeft) }
    }
    next = try state.checked { () throws(WireError) in try input.nextElement(&list) }
    currentIndex += 1
    if next == nil { state.noteEnd(of: nest, input.position) }
  }

  mutating func decodeNil() throws -> Bool {
    guard try state.isNil(place) else { return false }
    try advance()
    return true
  }

  mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
    var end: UnsafeRawPointer?
    try state.take(1, MemoryLayout<Value>.stride)
    let value = try state.read(type, at: place, under: here, end: &end)
    try advance(past: end)
    return value
  }

  mutating func decodeIfPresent<Value: Decodable>(_ type: Value.Type) throws -> Value? {
    if isAtEnd { return nil }
    if !(Value.self is any OptionalReader.Type), try decodeNil() { return nil }
    return try decode(type)
  }

  mutating func nestedContainer<Inner: CodingKey>(keyedBy type: Inner.Type) throws -> KeyedDecodingContainer<Inner> {
    let container = try state.nestedContainer(keyedBy: type, place, path: here)
    try advance()
    return container
  }

  mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
    let container = try UnkeyedReader(state, place, path: here)
    try advance()
    return container
  }

  mutating func superDecoder() throws -> any Decoder {
    let decoder = SuperDecoder(state: state, place: try place, path: here)
    try advance()
    return decoder
  }
}

/// Reads a value in place of the one that asked for this container.
struct ValueReader: SingleValueDecodingContainer {
  private let state: DecoderRef
  private let payload: UnsafeRawPointer
  // Four bytes and one, so that the whole fits an existential without an allocation.
  private let message: UInt32
  private let type: WireType

  init(_ state: DecoderRef, _ place: ReaderPlace) {
    self.state = state
    payload = place.payload
    type = place.type
    message = state.pointee.message
  }

  var codingPath: [any CodingKey] { ValueDecoder(state: state).codingPath }

  private var place: ReaderPlace { ReaderPlace(payload: payload, type: type) }

  func decodeNil() -> Bool { state.pointee.message == message && state.isNil(place) }

  @inline(__always)
  private func get<Value: WirePrimitive>(_: Value.Type) throws -> Value {
    guard state.pointee.message == message else { throw state.misuse() }
    var position = payload
    let value = try Value.parse(type, &position, state)
    noteEnd(position)
    return value
  }

  /// Spares the value on top, if it is this one, a walk to find its end.
  @inline(__always)
  private func noteEnd(_ end: UnsafeRawPointer) {
    if state.pointee.top.pointee.start == payload { state.pointee.top.pointee.end = end }
  }

  func decode(_ type: Bool.Type) throws -> Bool { try get(type) }
  func decode(_ type: String.Type) throws -> String { try get(type) }
  func decode(_ type: Double.Type) throws -> Double { try get(type) }
  func decode(_ type: Float.Type) throws -> Float { try get(type) }
  func decode(_ type: Int.Type) throws -> Int { try get(type) }
  func decode(_ type: Int8.Type) throws -> Int8 { try get(type) }
  func decode(_ type: Int16.Type) throws -> Int16 { try get(type) }
  func decode(_ type: Int32.Type) throws -> Int32 { try get(type) }
  func decode(_ type: Int64.Type) throws -> Int64 { try get(type) }
  func decode(_ type: UInt.Type) throws -> UInt { try get(type) }
  func decode(_ type: UInt8.Type) throws -> UInt8 { try get(type) }
  func decode(_ type: UInt16.Type) throws -> UInt16 { try get(type) }
  func decode(_ type: UInt32.Type) throws -> UInt32 { try get(type) }
  func decode(_ type: UInt64.Type) throws -> UInt64 { try get(type) }

  func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
    guard state.pointee.message == message else { throw state.misuse() }
    var end: UnsafeRawPointer?
    let value = try state.read(type, at: place, end: &end)
    noteEnd(end!)
    return value
  }
}

/// The decoder of a value's superclass, or of whatever else lies under a key of its own.
struct SuperDecoder: Decoder {
  let state: DecoderRef
  let place: ReaderPlace
  let path: ReaderNest

  var codingPath: [any CodingKey] { ValueDecoder(state: state).codingPath + path.path }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    try state.nestedContainer(keyedBy: type, place, path: path)
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer { try UnkeyedReader(state, place, path: path) }
  func singleValueContainer() throws -> any SingleValueDecodingContainer { ValueReader(state, place) }
}

extension DecoderRef {
  func nestedContainer<Inner: CodingKey>(
    keyedBy type: Inner.Type, _ place: ReaderPlace, path: ReaderNest?
  ) throws -> KeyedDecodingContainer<Inner> {
    KeyedDecodingContainer(try NestedKeyedReader<Inner>(self, place, path: path))
  }

  func nest(under key: some CodingKey) -> ReaderNest { ReaderNest(key, in: nil) }

  /// Reads a value inside a nested container: on a frame that stands for the container, so that errors name the way.
  func read<Value: Decodable>(_ type: Value.Type, at place: ReaderPlace, under nest: ReaderNest) throws -> Value {
    var end: UnsafeRawPointer?
    return try read(type, at: place, under: nest, end: &end)
  }

  func read<Value: Decodable>(
    _ type: Value.Type, at place: ReaderPlace, under nest: ReaderNest, end: inout UnsafeRawPointer?
  ) throws -> Value {
    guard pointee.top != pointee.frames else { throw misuse() }
    let frame = try push(place.type)
    frame.pointee.nest = nest
    defer {
      frame.pointee.nest = nil
      pointee.top = frame - 1
    }
    return try read(type, at: place, end: &end)
  }

  /// Spares the value on top a walk to find its end, if it is the list that was read to its end.
  func noteEnd(of nest: ReaderNest?, _ end: UnsafeRawPointer) {
    if nest == nil, pointee.top.pointee.type == .list { pointee.top.pointee.end = end }
  }
}
