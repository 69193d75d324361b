/// A value without its Swift type: what a message says by itself, or what a person typed.
///
/// Encoded, it is a message that any reader with fields of these names and kinds understands: records carry their names
/// inline, so no tables are needed.
package enum WireValue: Hashable, Sendable {
  case null
  case bool(Bool)
  case int(Int64)
  /// Only what `int` cannot hold.
  case uint(UInt64)
  case double(Double)
  case float(Float)
  case string(String)
  /// Bytes that are not UTF-8.
  case bytes([UInt8])
  case list([WireValue])
  case map([Pair])
  case record([Field])

  package struct Field: Hashable, Sendable {
    package var name: String
    package var value: WireValue

    package init(_ name: String, _ value: WireValue) {
      self.name = name
      self.value = value
    }
  }

  package struct Pair: Hashable, Sendable {
    package var key: WireValue
    package var value: WireValue

    package init(_ key: WireValue, _ value: WireValue) {
      self.key = key
      self.value = value
    }
  }

  /// The field of a record.
  package subscript(name: String) -> WireValue? {
    guard case .record(let fields) = self else { return nil }
    return fields.first { $0.name == name }?.value
  }
}

extension WireValue: Encodable {
  package func encode(to encoder: any Encoder) throws {
    switch self {
    case .null:
      var container = encoder.singleValueContainer()
      try container.encodeNil()
    case .bool(let value): try value.encode(to: encoder)
    case .int(let value): try value.encode(to: encoder)
    case .uint(let value): try value.encode(to: encoder)
    case .double(let value): try value.encode(to: encoder)
    case .float(let value): try value.encode(to: encoder)
    case .string(let value): try value.encode(to: encoder)
    case .bytes(let value):
      var container = encoder.singleValueContainer()
      try container.encode(value)
    case .list(let elements):
      var container = encoder.unkeyedContainer()
      for element in elements { try container.encode(element) }
    case .map(let pairs):
      var container = encoder.singleValueContainer()
      try container.encode(Dictionary(pairs.map { ($0.key, $0.value) }, uniquingKeysWith: { first, _ in first }))
    case .record(let fields):
      var container = encoder.container(keyedBy: PathStep.self)
      for field in fields { try container.encode(field.value, forKey: PathStep(stringValue: field.name)) }
    }
  }
}

extension WireValue {
  /// What a message says, given what its connection has learnt.
  package init(reading message: UnsafeRawBufferPointer, tables: ReceivedTables) throws(WireError) {
    var input = Input(message)
    let tag = try input.byte()
    guard tag & ~7 == Mark.root, let type = WireType(rawValue: tag & 7) else {
      throw WireError(.malformed, "a message begins with \(tag)")
    }
    self = try input.value(type, tables, depth: WireLimits.depth)
    guard input.isAtEnd else { throw WireError(.trailingBytes, "\(input.remaining) bytes are left over") }
  }

  /// What a message in the self-contained form says.
  package init(reading bytes: [UInt8]) throws(WireError) {
    let result = bytes.withUnsafeBytes { bytes -> Result<WireValue, WireError> in
      do throws(WireError) {
        let (message, names) = try SelfContained.split(bytes)
        let tables = ReceivedTables()
        try tables.learn(names)
        return .success(try WireValue(reading: message, tables: tables))
      } catch {
        return .failure(error)
      }
    }
    self = try result.get()
  }
}

extension Input {
  fileprivate mutating func value(
    _ type: WireType, _ tables: ReceivedTables, depth: Int
  ) throws(WireError) -> WireValue {
    switch type {
    case .varint:
      switch try number() {
      case .signed(let value): return .int(value)
      case .unsigned(let value): return .uint(value)
      case .floating(let value): return .double(value)
      }
    case .fixed64: return .double(Double(bitPattern: try little(UInt64.self)))
    case .fixed32: return .float(Float(bitPattern: try little(UInt32.self)))
    case .bytes:
      let bytes = try bytes(varint())
      return String(strict: bytes).map { .string($0) } ?? .bytes(Array(bytes))
    case .constant:
      let byte = try byte()
      return Constant.isNil(byte) ? .null : .bool(byte == Constant.yes)
    case .list:
      guard depth > 0 else { throw Self.tooDeep }
      var list = try listHeader()
      var elements: [WireValue] = []
      while let type = try nextElement(&list) { elements.append(try value(type, tables, depth: depth - 1)) }
      guard list.isMap else { return .list(elements) }
      guard elements.count.isMultiple(of: 2) else { throw WireError(.malformed, "a key without a value") }
      return .map(
        stride(from: 0, to: elements.count, by: 2).map { WireValue.Pair(elements[$0], elements[$0 + 1]) })
    case .record:
      guard depth > 0 else { throw Self.tooDeep }
      var fields = Fields(try varint())
      var found: [WireValue.Field] = []
      while let field = try nextField(&fields) {
        let name = try label(of: field, table: fields.table, tables)
        found.append(WireValue.Field(name, try value(field.type, tables, depth: depth - 1)))
      }
      return .record(found)
    }
  }

  private func label(of field: Field, table: UInt64, _ tables: ReceivedTables) throws(WireError) -> String {
    if let bytes = field.name {
      guard let name = String(strict: bytes) else { throw WireError(.badString, "a field's name is not UTF-8") }
      return name
    }
    if table == UInt64(TableNumber.integers) { return "\(field.number)" }
    let names = try tables.names(of: table)
    guard field.number <= names.count else {
      throw WireError(.malformed, "field \(field.number) of a table of \(names.count) names")
    }
    return names[Int(field.number) - 1]
  }
}

extension WireValue: Decodable, BuiltinReader {
  static func read(into memory: UnsafeMutableRawPointer, _ type: WireType, from state: DecoderRef) throws {
    var input = Input(from: state.pointee.cursor, to: state.pointee.end)
    let tables = state.pointee.tables
    let value = try state.checked { () throws(WireError) in try input.value(type, tables, depth: state.depthLeft) }
    state.pointee.cursor = input.position
    memory.initializeMemory(as: WireValue.self, to: value)
  }

  /// For decoders of other formats; this module's own reads the bytes themselves.
  package init(from decoder: any Decoder) throws {
    if let container = try? decoder.container(keyedBy: PathStep.self) {
      self = .record(
        try container.allKeys.map { Field($0.stringValue, try container.decode(WireValue.self, forKey: $0)) })
    } else if var container = try? decoder.unkeyedContainer() {
      var elements: [WireValue] = []
      while !container.isAtEnd { elements.append(try container.decode(WireValue.self)) }
      self = .list(elements)
    } else {
      let container = try decoder.singleValueContainer()
      if container.decodeNil() {
        self = .null
      } else if let value = try? container.decode(Bool.self) {
        self = .bool(value)
      } else if let value = try? container.decode(Int64.self) {
        self = .int(value)
      } else if let value = try? container.decode(UInt64.self) {
        self = .uint(value)
      } else if let value = try? container.decode(Double.self) {
        self = .double(value)
      } else {
        self = .string(try container.decode(String.self))
      }
    }
  }
}
