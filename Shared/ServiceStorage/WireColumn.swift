import Wire

/// A value in one column, with the names of its fields: it is read by builds that know other fields.
nonisolated package enum WireColumn {
  package static func bytes(_ value: some Encodable) throws -> [UInt8] { try Wire.encode(value) }

  package static func value<Value: Decodable>(_ bytes: [UInt8], as type: Value.Type = Value.self) throws -> Value {
    try Wire.decode(type, from: bytes)
  }
}
