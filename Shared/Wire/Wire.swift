/// Values to bytes and back in one call, the bytes bringing along all that is needed to read them: for files, replays and
/// golden bytes. A connection uses `WireEncoder` and `WireDecoder` instead, and sends each name once.
package enum Wire {
  package static func encode(_ value: some Encodable, limits: WireLimits = WireLimits()) throws(WireError) -> [UInt8] {
    let encoder = WireEncoder(limits: limits)
    // The bytes are the encoder's, and another thread's as soon as it is gone: it stays until they are copied.
    defer { withExtendedLifetime(encoder) {} }
    return Array(try encoder.encodeSelfContained(value))
  }

  package static func decode<Value: Decodable>(
    _ type: Value.Type, from bytes: [UInt8], limits: WireLimits = WireLimits()
  ) throws(WireError) -> Value {
    let decoder = WireDecoder(limits: limits)
    let result = bytes.withUnsafeBytes { bytes -> Result<Value, WireError> in
      do throws(WireError) {
        return .success(try decoder.decodeSelfContained(type, from: bytes))
      } catch {
        return .failure(error)
      }
    }
    return try result.get()
  }
}

/// The form that brings its names along: `u64 version << 56 | length of the message`, the message, the definitions.
enum SelfContained {
  static let version: UInt64 = 1
  static let headerBytes = 8

  static func header(body: Int) -> UInt64 { version << 56 | UInt64(body) }

  static func split(
    _ bytes: UnsafeRawBufferPointer
  ) throws(WireError) -> (body: UnsafeRawBufferPointer, names: UnsafeRawBufferPointer) {
    var input = Input(bytes)
    let header = try input.little(UInt64.self)
    guard header >> 56 == version else {
      throw WireError(.malformed, "format version \(header >> 56); this reads version \(version)")
    }
    let body = try input.bytes(header & (1 << 56 - 1))
    return (body, try input.bytes(UInt64(input.remaining)))
  }
}
