import Wire

/// A connection of one direction: what the writer has sent, what the reader has learnt.
final class Connection {
  private let encoder = WireEncoder()
  private let decoder = WireDecoder()
  private var sent = SentTables()
  private let received = ReceivedTables()
  private(set) var definitionBytes = 0

  func encode(_ value: some Encodable) throws -> [UInt8] {
    let message = try encoder.encode(value)
    let definitions = sent.missing(of: message.tables)
    definitionBytes += definitions.count
    try received.learn(definitions)
    return Array(message.bytes)
  }

  func decode<Value: Decodable>(_ type: Value.Type = Value.self, from bytes: [UInt8]) throws -> Value {
    let result = bytes.withUnsafeBytes { bytes -> Result<Value, any Error> in
      Result { try decoder.decode(type, from: bytes, tables: received) }
    }
    return try result.get()
  }

  /// Sends a value and reads it as another type would.
  func send<Value: Decodable>(_ value: some Encodable, as type: Value.Type = Value.self) throws -> Value {
    try decode(type, from: encode(value))
  }
}

/// What a body throws, as this module's error.
func failure<Result>(_ body: () throws -> Result) -> WireError? {
  do {
    _ = try body()
    return nil
  } catch {
    return error as? WireError
  }
}
