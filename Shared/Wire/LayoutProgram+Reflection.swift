import FoundationEssentials

/// Why a type cannot have a program.
struct LayoutRefusal: Error {
  let reason: String
}

extension LayoutProgram {
  /// The program of a struct that encodes with these keys. Throws `LayoutRefusal`.
  init(_ type: Any.Type, _ keys: UnsafePointer<KeyTable>) throws {
    guard Reflection.isStruct(type) else { throw LayoutRefusal(reason: "it is not a struct") }
    let properties = Reflection.properties(of: type)
    let cases = keys.pointee.caseNames
    guard properties.count == cases.count else {
      throw LayoutRefusal(reason: "it has \(properties.count) stored properties and \(cases.count) keys")
    }
    let steps = try zip(properties, 0...).map { property, index in
      guard let ordinal = cases.firstIndex(of: property.name) else {
        throw LayoutRefusal(reason: "no key is named like its property \(property.name)")
      }
      guard ordinal == index else { throw LayoutRefusal(reason: "its keys stand in another order than its properties") }
      return try LayoutStep(property, ordinal, tag: keys.pointee.tags[ordinal])
    }
    let memory = UnsafeMutableBufferPointer<LayoutStep>.allocate(capacity: steps.count)
    _ = memory.initialize(from: steps)
    self.keys = keys
    self.steps = UnsafeBufferPointer(memory)
  }
}

extension LayoutStep {
  fileprivate init(_ property: Reflection.Property, _ ordinal: Int, tag: UInt32) throws {
    let optional = property.type as? any AnyOptional.Type
    if optional?.wrapped is any AnyOptional.Type {
      throw LayoutRefusal(reason: "its property \(property.name) is an optional of an optional")
    }
    guard let writer = Self.writer(of: property.type), let reader = Self.reader(of: property.type) else {
      throw LayoutRefusal(reason: "its property \(property.name) is not Codable")
    }
    self.writer = writer
    self.reader = reader
    self.ordinal = ordinal
    offset = property.offset
    func memory<Value>(of _: Value.Type) -> any LayoutMemory.Type { ValueMemory<Value>.self }
    self.memory = optional?.memory ?? _openExistential(property.type, do: memory)
    kind = Self.kinds[ObjectIdentifier(property.type)] ?? (optional == nil ? .other : .otherOptional)
    let type: WireType =
      switch kind {
      case .bool, .optionalBool: .constant
      case .int, .optionalInt, .other, .otherOptional: .varint
      case .double, .optionalDouble: .fixed64
      case .string, .optionalString: .bytes
      }
    self.tag = tag | UInt32(type.rawValue)
  }

  /// A date is a double to its last bit.
  private static let kinds: [ObjectIdentifier: LayoutKind] = [
    ObjectIdentifier(Bool.self): .bool, ObjectIdentifier(Bool?.self): .optionalBool,
    ObjectIdentifier(Int.self): .int, ObjectIdentifier(Int?.self): .optionalInt,
    ObjectIdentifier(Int64.self): .int, ObjectIdentifier(Int64?.self): .optionalInt,
    ObjectIdentifier(Double.self): .double, ObjectIdentifier(Double?.self): .optionalDouble,
    ObjectIdentifier(Date.self): .double, ObjectIdentifier(Date?.self): .optionalDouble,
    ObjectIdentifier(String.self): .string, ObjectIdentifier(String?.self): .optionalString,
  ]

  private static func writer(of type: Any.Type) -> (any BuiltinWriter.Type)? {
    if let builtin = TypeTraits.of(type).pointee.writer { return builtin }
    func plain<Value: Encodable>(_: Value.Type) -> any BuiltinWriter.Type { PlainWriter<Value>.self }
    return (type as? any Encodable.Type).map { plain($0) }
  }

  private static func reader(of type: Any.Type) -> (any BuiltinReader.Type)? {
    if let builtin = TypeTraits.of(type).pointee.reader { return builtin }
    func plain<Value: Decodable>(_: Value.Type) -> any BuiltinReader.Type { PlainReader<Value>.self }
    return (type as? any Decodable.Type).map { plain($0) }
  }
}

/// A property of a type that only its own Codable knows, such as an enum.
private enum PlainWriter<Value: Encodable>: BuiltinWriter {
  static func write(_ value: UnsafeRawPointer, to state: EncoderRef) throws -> WireType {
    try state.writeByItself(value.assumingMemoryBound(to: Value.self).pointee)
  }
}

private enum PlainReader<Value: Decodable>: BuiltinReader {
  static func read(into memory: UnsafeMutableRawPointer, _ type: WireType, from state: DecoderRef) throws {
    memory.initializeMemory(as: Value.self, to: try state.readByItself(Value.self, type))
  }
}

private protocol AnyOptional {
  static var wrapped: Any.Type { get }
  static var memory: any LayoutMemory.Type { get }
}

extension Optional: AnyOptional {
  fileprivate static var wrapped: Any.Type { Wrapped.self }
  fileprivate static var memory: any LayoutMemory.Type { OptionalMemory<Wrapped>.self }
}

/// The runtime's own account of types: what `Mirror` is built on, without a value.
enum Reflection {
  struct Property {
    let name: String
    let type: Any.Type
    let offset: Int
  }

  static func isStruct(_ type: Any.Type) -> Bool {
    unsafeBitCast(type, to: UnsafePointer<UInt>.self).pointee == 0x200
  }

  /// The stored properties of a struct, in order. Without names where the program was built without reflection metadata.
  static func properties(of type: Any.Type) -> [Property] {
    let count = recursiveCount(type)
    guard 0..<1024 ~= count else { return [] }
    return (0..<count).map { index in
      var field = FieldMetadata()
      let child = recursiveChildMetadata(type, index, &field)
      defer { field.freeName?(field.name) }
      return Property(
        name: field.name.map { String(cString: $0) } ?? "", type: child, offset: recursiveChildOffset(type, index))
    }
  }

  /// The name of an enum's case as it stands in the source.
  static func caseName<Value>(_ value: Value) -> String? { enumCaseName(value).map { String(cString: $0) } }
}

private struct FieldMetadata {
  var name: UnsafePointer<CChar>?
  var freeName: (@convention(c) (UnsafePointer<CChar>?) -> Void)?
  var isStrong = false
  var isVar = false
}

@_silgen_name("swift_reflectionMirror_recursiveCount")
private func recursiveCount(_: Any.Type) -> Int

@_silgen_name("swift_reflectionMirror_recursiveChildMetadata")
private func recursiveChildMetadata(_: Any.Type, _ index: Int, _ field: UnsafeMutablePointer<FieldMetadata>) -> Any.Type

@_silgen_name("swift_reflectionMirror_recursiveChildOffset")
private func recursiveChildOffset(_: Any.Type, _ index: Int) -> Int

@_silgen_name("swift_EnumCaseName")
private func enumCaseName<Value>(_ value: Value) -> UnsafePointer<CChar>?
