/// Turns messages back into values, one after another. Confined to one thread.
package final class WireDecoder {
  private let state: DecoderRef
  /// The names of the last self-contained message, which are most often those of the next.
  private var trailer: [UInt8] = []
  private var trailerTables = ReceivedTables()

  /// `usesLayouts: false` keeps marked types on the plain way, for comparing the two.
  package init(limits: WireLimits = WireLimits(), usesLayouts: Bool = true) {
    state = DecoderPool.take(usesLayouts: usesLayouts)
    state.pointee.limits = limits
  }

  deinit { DecoderPool.giveBack(state) }

  /// The value of a message whose tables the connection's reader has learnt.
  package func decode<Value: Decodable>(
    _ type: Value.Type, from bytes: UnsafeRawBufferPointer, tables: ReceivedTables
  ) throws(WireError) -> Value {
    do {
      return try state.value(type, of: bytes, tables)
    } catch {
      throw WireError(error)
    }
  }

  /// The value of a message that brings its names along.
  package func decodeSelfContained<Value: Decodable>(
    _ type: Value.Type, from bytes: UnsafeRawBufferPointer
  ) throws(WireError) -> Value {
    let (body, names) = try SelfContained.split(bytes)
    if !trailer.elementsEqual(names) {
      let tables = ReceivedTables()
      try tables.learn(names)
      trailer = Array(names)
      trailerTables = tables
    }
    return try decode(type, from: body, tables: trailerTables)
  }
}

extension DecoderRef {
  @inline(__always)
  fileprivate func value<Value: Decodable>(
    _: Value.Type, of bytes: UnsafeRawBufferPointer, _ tables: ReceivedTables
  ) throws -> Value {
    try begin(bytes, tables)
    defer { end() }
    let type = try rootType()
    let value = try read(Value.self, type)
    guard pointee.cursor == pointee.end else { throw trailing() }
    return value
  }

  @inline(__always)
  private func begin(_ bytes: UnsafeRawBufferPointer, _ tables: ReceivedTables) throws {
    guard pointee.top == pointee.frames else {
      throw WireError(.misuse, "this decoder is decoding already: a value may not use the decoder it is read by")
    }
    guard bytes.count <= pointee.limits.messageBytes else {
      throw WireError(.tooLarge, "a message may have \(pointee.limits.messageBytes) bytes")
    }
    guard let start = bytes.baseAddress, !bytes.isEmpty else { throw truncated() }
    pointee.start = start
    pointee.cursor = start
    pointee.end = start + bytes.count
    pointee.room = pointee.limits.decodedBytes
    pointee.message &+= 1
    if pointee.tables !== tables { pointee.tables = tables }
  }

  /// From here on no container of this message reads anything.
  @inline(__always)
  private func end() {
    pointee.message &+= 1
    pointee.start = pointee.end
    pointee.cursor = pointee.end
    pointee.top = pointee.frames
  }

  @inline(__always)
  private func rootType() throws -> WireType {
    let tag = pointee.cursor.load(as: UInt8.self)
    guard tag & ~7 == Mark.root, let type = WireType(rawValue: tag & 7) else {
      throw error(.malformed, "a message begins with \(tag)")
    }
    pointee.cursor += 1
    return type
  }

  @inline(never)
  private func trailing() -> WireError {
    error(.trailingBytes, "\(pointee.end - pointee.cursor) bytes are left over")
  }
}
