import Synchronization

/// What this module knows of a type beyond its being Codable. Found out at the type's first use in the process, kept for
/// ever, never changed.
struct TypeTraits {
  /// Writes the type without asking its own `encode(to:)`.
  let writer: (any BuiltinWriter.Type)?
  /// Reads the type without asking its own `init(from:)`.
  let reader: (any BuiltinReader.Type)?
  /// Where the type is marked `WireLayout`.
  let layout: Layout?

  fileprivate init(_ type: Any.Type, usesLayouts: Bool) {
    guard usesLayouts, type is any WireLayout.Type else {
      writer = type as? any BuiltinWriter.Type
      reader = type as? any BuiltinReader.Type
      layout = nil
      return
    }
    func marked<Value: Encodable>(_: Value.Type) -> any BuiltinWriter.Type { LayoutWriter<Value>.self }
    func marked<Value: Decodable & WireLayout>(_: Value.Type) -> any BuiltinReader.Type { LayoutReader<Value>.self }
    writer = (type as? any Encodable.Type).map { marked($0) }
    reader = (type as? any (Decodable & WireLayout).Type).map { marked($0) }
    layout = Layout()
  }
}

extension TypeTraits {
  private struct Reference: @unchecked Sendable {
    // Safety: what it points to is never written after this value is made, and never freed.
    let pointer: UnsafePointer<TypeTraits>
  }

  /// Every coder remembers the types it has met, so this lock is taken once per type and coder, never per message.
  private static let registry = Mutex<[Key: Reference]>([:])

  private struct Key: Hashable {
    let type: ObjectIdentifier
    let usesLayouts: Bool
  }

  static func of(_ type: Any.Type, usesLayouts: Bool = true) -> UnsafePointer<TypeTraits> {
    let key = Key(type: ObjectIdentifier(type), usesLayouts: usesLayouts)
    return registry.withLock { registry -> Reference in
      if let known = registry[key] { return known }
      let traits = UnsafeMutablePointer<TypeTraits>.allocate(capacity: 1)
      traits.initialize(to: TypeTraits(type, usesLayouts: usesLayouts))
      let made = Reference(pointer: UnsafePointer(traits))
      registry[key] = made
      return made
    }.pointer
  }
}

/// A type that is written from its memory: its own `encode(to:)` would do the same more slowly, or do something else.
protocol BuiltinWriter {
  /// Writes the payload of the value at an address and answers with its wire type.
  static func write(_ value: UnsafeRawPointer, to state: EncoderRef) throws -> WireType

  /// Writes `count` values that lie one after another as the elements of a typed list, and answers with their common
  /// wire type; nil, having written nothing, if it may not be common.
  static func writeAll(_ values: UnsafeRawPointer, count: Int, to state: EncoderRef) throws -> WireType?
}

extension BuiltinWriter {
  static func writeAll(_ values: UnsafeRawPointer, count: Int, to state: EncoderRef) throws -> WireType? { nil }
}

/// A type that is read into memory.
protocol BuiltinReader {
  /// Reads the payload at the cursor into uninitialised memory. On a throw the memory is still uninitialised.
  static func read(into memory: UnsafeMutableRawPointer, _ type: WireType, from state: DecoderRef) throws

  /// Reads the list at the cursor into uninitialised memory for an array of this type, if it is a typed list of this
  /// type's own kind; otherwise answers false, having read nothing. Generic code for arrays pays for looking up what
  /// this one, made for each type, knows.
  static func readArray(into memory: UnsafeMutableRawPointer, from state: DecoderRef) throws -> Bool
}

extension BuiltinReader {
  static func readArray(into memory: UnsafeMutableRawPointer, from state: DecoderRef) throws -> Bool { false }
}
