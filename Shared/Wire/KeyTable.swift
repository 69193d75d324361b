import Synchronization

/// The fields of one `CodingKeys` type: made at its first use in the process, never changed, never freed.
///
/// A synthesised `CodingKeys` is an enum without payloads, so its value in memory is the ordinal of its case and all its
/// names can be listed from the type alone. Key types of any other make (structs that hold a string, enums that hold
/// values) have no table: their records carry the names inline.
struct KeyTable {
  let type: Any.Type
  /// What stands in a record's header.
  let id: UInt32
  /// By ordinal.
  let names: [String]
  /// By ordinal, the cases as the source has them: a property has its case's name whatever the key is called. Empty
  /// where the program was built without reflection metadata.
  let caseNames: [String]
  /// By ordinal, the field number shifted left by three, ready for the wire type.
  let tags: UnsafePointer<UInt32>
  /// By ordinal, what a record with integer keys calls the field.
  let integerTags: UnsafePointer<UInt32>
  let ordinals: [String: Int]
  let integers: [Int: Int]
  /// What tells a peer about this table, behind its number; empty when it needs no telling.
  let encodedNames: [UInt8]

  /// A tag that matches none: it is longer than a byte and its number is past the limit.
  static let absent: UInt32 = 0xFFFF_FFF8
  /// A table's worth of `absent`.
  nonisolated(unsafe) static let noTags: UnsafePointer<UInt32> = allocate(repeatElement(absent, count: 256))

  /// The table of records that carry their names inline.
  nonisolated(unsafe) static let inline = KeyTableReference.make(
    KeyTable(type: PathStep.self, id: TableNumber.inline, names: [], caseNames: [], integers: [], numbered: [])
  ).pointer
}

/// A pointer to a table, which lives for ever.
struct KeyTableReference: @unchecked Sendable {
  // Safety: what it points to is never written after this value is made, and never freed.
  let pointer: UnsafePointer<KeyTable>

  static func make(_ table: KeyTable) -> KeyTableReference {
    let pointer = UnsafeMutablePointer<KeyTable>.allocate(capacity: 1)
    pointer.initialize(to: table)
    return KeyTableReference(pointer: UnsafePointer(pointer))
  }
}

extension KeyTable {
  private struct Registry {
    var tables: [ObjectIdentifier: KeyTableReference?] = [:]
    var byID: [KeyTableReference] = []
  }

  /// Every coder remembers the tables it has met, so this lock is taken once per type and coder, never per message.
  private static let registry = Mutex(Registry())

  /// The table of a key type, or nil if records keyed by it carry their names inline.
  static func of<Key: CodingKey>(_ type: Key.Type) -> UnsafePointer<KeyTable>? {
    registry.withLock { registry -> KeyTableReference? in
      if let known = registry.tables[ObjectIdentifier(type)] { return known }
      let made = make(type, id: TableNumber.first + UInt32(registry.byID.count)).map(KeyTableReference.make)
      registry.tables[ObjectIdentifier(type)] = .some(made)
      if let made, made.pointer.pointee.id != TableNumber.integers { registry.byID.append(made) }
      return made
    }?.pointer
  }

  static func encodedNames(of id: UInt32) -> [UInt8] {
    registry.withLock { registry in
      let index = Int(id) - Int(TableNumber.first)
      return registry.byID.indices.contains(index) ? registry.byID[index].pointer.pointee.encodedNames : []
    }
  }

  private static func make<Key: CodingKey>(_ type: Key.Type, id: UInt32) -> KeyTable? {
    guard let count = ordinalCount(of: type) else { return nil }
    let keys = (0..<count).map { key(at: $0, as: type) }
    let names = keys.map(\.stringValue)
    let caseNames = keys.compactMap { Reflection.caseName($0) }
    let integers = keys.map(\.intValue)
    let numbered = integers.compactMap { $0 }.filter { 1...WireLimits.fieldNumber ~= $0 }
    if Set(numbered).count == count {
      return KeyTable(
        type: type, id: TableNumber.integers, names: names, caseNames: caseNames, integers: integers, numbered: numbered
      )
    }
    guard id < TableNumber.first + UInt32(WireLimits.tables), Set(names).count == count,
      names.allSatisfy({ $0.utf8.count <= WireLimits.nameBytes })
    else { return nil }
    return KeyTable(
      type: type, id: id, names: names, caseNames: caseNames, integers: integers, numbered: Array(1..<count + 1))
  }

  private init(
    type: Any.Type, id: UInt32, names: [String], caseNames: [String], integers: [Int?], numbered: [Int]
  ) {
    self.type = type
    self.id = id
    self.names = names
    self.caseNames = caseNames
    tags = Self.allocate(numbered.map { UInt32($0) << 3 })
    integerTags = Self.allocate(
      integers.map { $0.flatMap { 1...WireLimits.fieldNumber ~= $0 ? UInt32($0) << 3 : nil } ?? Self.absent })
    ordinals = Dictionary(zip(names, 0...), uniquingKeysWith: { first, _ in first })
    self.integers = Dictionary(
      zip(integers, 0...).compactMap { number, ordinal in number.map { ($0, ordinal) } },
      uniquingKeysWith: { first, _ in first })
    encodedNames = id < TableNumber.first ? [] : Definitions.encoded(names)
  }

  private static func allocate(_ tags: some Collection<UInt32>) -> UnsafePointer<UInt32> {
    let memory = UnsafeMutableBufferPointer<UInt32>.allocate(capacity: max(tags.count, 1))
    _ = memory.initialize(from: tags)
    return UnsafePointer(memory.baseAddress!)
  }
}

extension KeyTable {
  /// The case of a key enum at an ordinal that its table vouches for.
  static func key<Key: CodingKey>(at ordinal: Int, as type: Key.Type) -> Key {
    withUnsafeBytes(of: UInt8(truncatingIfNeeded: ordinal)) { $0.load(as: Key.self) }
  }

  /// How many cases a key type has, if it is an enum without payloads that fits a byte.
  ///
  /// Read from the type's descriptor, which the runtime itself needs and no compiler flag removes. The size has to agree.
  private static func ordinalCount(of type: Any.Type) -> Int? {
    func size<T>(_: T.Type) -> Int { MemoryLayout<T>.size }
    let metadata = unsafeBitCast(type, to: UnsafePointer<UInt>.self)
    guard metadata[0] == 0x201, let descriptor = UnsafeRawPointer(bitPattern: metadata[1]) else { return nil }
    let withPayload = descriptor.load(fromByteOffset: 20, as: UInt32.self) & 0xFF_FFFF
    let withoutPayload = Int(descriptor.load(fromByteOffset: 24, as: UInt32.self))
    guard withPayload == 0, withoutPayload <= 256 else { return nil }
    return _openExistential(type, do: size) == (withoutPayload > 1 ? 1 : 0) ? withoutPayload : nil
  }
}
