/// Turns values into messages, one after another, in a buffer of its own. Confined to one thread.
///
/// A warm encoder allocates nothing: not for bytes, not for containers.
package final class WireEncoder {
  private let state: EncoderRef

  /// `usesLayouts: false` keeps marked types on the plain way, for comparing the two.
  package init(limits: WireLimits = WireLimits(), usesLayouts: Bool = true) {
    state = EncoderPool.take(usesLayouts: usesLayouts)
    state.pointee.limits = limits
  }

  deinit { EncoderPool.giveBack(state) }

  /// The message that means `value`. It stays readable until the next call.
  package func encode<Value: Encodable>(_ value: Value) throws(WireError) -> WireMessage {
    do {
      return try state.message(of: value)
    } catch {
      throw WireError(error)
    }
  }

  /// The message and the names it needs, for a file or a datagram. It stays readable until the next call.
  package func encodeSelfContained<Value: Encodable>(_ value: Value) throws(WireError) -> UnsafeRawBufferPointer {
    do {
      return try state.selfContained(value)
    } catch {
      throw WireError(error)
    }
  }
}

/// An encoded value, lent by the encoder until it encodes the next one.
package struct WireMessage {
  package let bytes: UnsafeRawBufferPointer
  /// The tables that a reader has to know: ask `SentTables` which of them it does not.
  package let tables: UnsafeBufferPointer<WireTable>
}

extension EncoderRef {
  @inline(__always)
  fileprivate func message<Value: Encodable>(of value: Value) throws -> WireMessage {
    try begin(at: 0)
    try finish(value, at: 0)
    return WireMessage(
      bytes: UnsafeRawBufferPointer(start: pointee.base, count: pointee.end - pointee.base),
      tables: UnsafeBufferPointer(rebasing: pointee.tables[..<pointee.tableCount]))
  }

  fileprivate func selfContained<Value: Encodable>(_ value: Value) throws -> UnsafeRawBufferPointer {
    pointee.isSelfContained = true
    defer { pointee.isSelfContained = false }
    try begin(at: SelfContained.headerBytes)
    try finish(value, at: SelfContained.headerBytes)
    let body = pointee.end - pointee.base - SelfContained.headerBytes
    for (index, table) in pointee.tables[..<pointee.tableCount].enumerated() {
      try reserve(Self.tagAndWord)
      putVarint(UInt64(TableNumber.first) + UInt64(index))
      try table.names.withUnsafeBytes { names in
        try reserve(names.count)
        pointee.end.copyBytes(from: names.baseAddress!, count: names.count)
        pointee.end += names.count
      }
    }
    pointee.base.storeBytes(of: SelfContained.header(body: body).littleEndian, as: UInt64.self)
    return UnsafeRawBufferPointer(start: pointee.base, count: pointee.end - pointee.base)
  }

  @inline(__always)
  private func begin(at offset: Int) throws {
    guard pointee.top == pointee.frames else {
      throw WireError(.misuse, "this encoder is encoding already: a value may not use the encoder it is written by")
    }
    if pointee.bufferEnd - pointee.base > WireLimits.idleBufferBytes {
      pointee.end = pointee.base
      resize(to: WireLimits.idleBufferBytes)
    }
    pointee.end = pointee.base + offset
    pointee.tableCount = 0
    pointee.message &+= 1
    pointee.failure = nil
    putByte(Mark.root)
  }

  @inline(__always)
  private func finish<Value: Encodable>(_ value: Value, at offset: Int) throws {
    setType(try write(value), at: offset)
    guard pointee.end - pointee.base <= pointee.limits.messageBytes else {
      throw WireError(.tooLarge, "a message may have \(pointee.limits.messageBytes) bytes")
    }
  }
}
