/// Finds out which fields a type decodes by letting it decode out of nothing: the schema comes from the contract itself.
///
/// Hand-written `init(from:)` that checks what it reads may stop half way; the fields seen until then are listed.
package enum FieldProbe {
  /// Nested records are looked into this deep.
  static let depthMax = 6
  static let fieldsMax = 256

  package static func fields(of type: any Decodable.Type) -> [FieldDescription] {
    let probe = Probe()
    probe.look(into: type, at: "", depth: 0)
    return probe.fields
  }
}

private final class Probe {
  private(set) var fields: [FieldDescription] = []

  func note(_ name: String, _ type: String, _ isOptional: Bool) {
    guard fields.count < FieldProbe.fieldsMax else { return }
    fields.append(FieldDescription(name: name, type: type, isOptional: isOptional))
  }

  /// Decodes a value as far as it goes. What it threw only means that nothings were not what it wanted.
  @discardableResult
  func look(into type: any Decodable.Type, at path: String, depth: Int) -> Any? {
    guard depth < FieldProbe.depthMax else { return nil }
    return try? type.init(from: ProbeDecoder(probe: self, path: path, depth: depth))
  }

  func value<Value: Decodable>(_ type: Value.Type, at path: String, depth: Int) throws -> Value {
    if let simple = simpleValue(type) { return simple }
    if let value = look(into: type, at: path, depth: depth + 1) as? Value { return value }
    throw Stop()
  }

  func simpleValue<Value>(_: Value.Type) -> Value? {
    let simple: Any? =
      switch Value.self {
      case is Bool.Type: false
      case is String.Type: ""
      case is Double.Type: 0.0
      case is Float.Type: Float(0)
      case is Int.Type: 0
      case is Int8.Type: Int8(0)
      case is Int16.Type: Int16(0)
      case is Int32.Type: Int32(0)
      case is Int64.Type: Int64(0)
      case is UInt.Type: UInt(0)
      case is UInt8.Type: UInt8(0)
      case is UInt16.Type: UInt16(0)
      case is UInt32.Type: UInt32(0)
      case is UInt64.Type: UInt64(0)
      default: nil
      }
    return simple as? Value
  }

  struct Stop: Error {}
}

private struct ProbeDecoder: Decoder {
  let probe: Probe
  let path: String
  let depth: Int
  var codingPath: [any CodingKey] { [] }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func container<Key: CodingKey>(keyedBy: Key.Type) -> KeyedDecodingContainer<Key> {
    KeyedDecodingContainer(ProbeRecord<Key>(probe: probe, path: path, depth: depth))
  }
  func unkeyedContainer() -> any UnkeyedDecodingContainer { ProbeList(probe: probe, path: path, depth: depth) }
  func singleValueContainer() -> any SingleValueDecodingContainer {
    ProbeValue(probe: probe, path: path, depth: depth)
  }
}

private struct ProbeRecord<Key: CodingKey>: KeyedDecodingContainerProtocol {
  let probe: Probe
  let path: String
  let depth: Int
  var codingPath: [any CodingKey] { [] }
  /// Enums with payloads ask which case is there: none.
  var allKeys: [Key] { [] }
  func contains(_ key: Key) -> Bool { true }
  func decodeNil(forKey key: Key) -> Bool { false }

  private func name(_ key: Key) -> String { path.isEmpty ? key.stringValue : "\(path).\(key.stringValue)" }

  func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
    probe.note(name(key), "\(type)", false)
    return try probe.value(type, at: name(key), depth: depth)
  }
  func decodeIfPresent<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value? {
    probe.note(name(key), "\(type)", true)
    if probe.simpleValue(type) == nil { probe.look(into: type, at: name(key), depth: depth + 1) }
    return nil
  }
  // Without these, an optional primitive looks like a required one.
  func decodeIfPresent(_: Bool.Type, forKey key: Key) -> Bool? { noteOptional(key, "Bool") }
  func decodeIfPresent(_: String.Type, forKey key: Key) -> String? { noteOptional(key, "String") }
  func decodeIfPresent(_: Double.Type, forKey key: Key) -> Double? { noteOptional(key, "Double") }
  func decodeIfPresent(_: Float.Type, forKey key: Key) -> Float? { noteOptional(key, "Float") }
  func decodeIfPresent(_: Int.Type, forKey key: Key) -> Int? { noteOptional(key, "Int") }
  func decodeIfPresent(_: Int8.Type, forKey key: Key) -> Int8? { noteOptional(key, "Int8") }
  func decodeIfPresent(_: Int16.Type, forKey key: Key) -> Int16? { noteOptional(key, "Int16") }
  func decodeIfPresent(_: Int32.Type, forKey key: Key) -> Int32? { noteOptional(key, "Int32") }
  func decodeIfPresent(_: Int64.Type, forKey key: Key) -> Int64? { noteOptional(key, "Int64") }
  func decodeIfPresent(_: UInt.Type, forKey key: Key) -> UInt? { noteOptional(key, "UInt") }
  func decodeIfPresent(_: UInt8.Type, forKey key: Key) -> UInt8? { noteOptional(key, "UInt8") }
  func decodeIfPresent(_: UInt16.Type, forKey key: Key) -> UInt16? { noteOptional(key, "UInt16") }
  func decodeIfPresent(_: UInt32.Type, forKey key: Key) -> UInt32? { noteOptional(key, "UInt32") }
  func decodeIfPresent(_: UInt64.Type, forKey key: Key) -> UInt64? { noteOptional(key, "UInt64") }
  private func noteOptional<Value>(_ key: Key, _ type: String) -> Value? {
    probe.note(name(key), type, true)
    return nil
  }

  func nestedContainer<Nested: CodingKey>(
    keyedBy: Nested.Type, forKey key: Key
  ) -> KeyedDecodingContainer<Nested> {
    KeyedDecodingContainer(ProbeRecord<Nested>(probe: probe, path: name(key), depth: depth + 1))
  }
  func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedDecodingContainer {
    ProbeList(probe: probe, path: name(key), depth: depth + 1)
  }
  func superDecoder() -> any Decoder { ProbeDecoder(probe: probe, path: path, depth: depth + 1) }
  func superDecoder(forKey key: Key) -> any Decoder { ProbeDecoder(probe: probe, path: name(key), depth: depth + 1) }
}

/// One element, so that its fields are seen, and then none.
private struct ProbeList: UnkeyedDecodingContainer {
  let probe: Probe
  let path: String
  let depth: Int
  var codingPath: [any CodingKey] { [] }
  var count: Int? { nil }
  var currentIndex = 0
  var isAtEnd: Bool { currentIndex > 0 }

  private var element: String { "\(path)[]" }

  init(probe: Probe, path: String, depth: Int) {
    self.probe = probe
    self.path = path
    self.depth = depth
  }

  mutating func decodeNil() -> Bool { false }
  mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
    currentIndex += 1
    return try probe.value(type, at: element, depth: depth)
  }
  mutating func nestedContainer<Nested: CodingKey>(keyedBy: Nested.Type) -> KeyedDecodingContainer<Nested> {
    currentIndex += 1
    return KeyedDecodingContainer(ProbeRecord<Nested>(probe: probe, path: element, depth: depth + 1))
  }
  mutating func nestedUnkeyedContainer() -> any UnkeyedDecodingContainer {
    currentIndex += 1
    return ProbeList(probe: probe, path: element, depth: depth + 1)
  }
  mutating func superDecoder() -> any Decoder { ProbeDecoder(probe: probe, path: element, depth: depth + 1) }
}

private struct ProbeValue: SingleValueDecodingContainer {
  let probe: Probe
  let path: String
  let depth: Int
  var codingPath: [any CodingKey] { [] }
  func decodeNil() -> Bool { false }
  func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
    try probe.value(type, at: path, depth: depth)
  }
}
