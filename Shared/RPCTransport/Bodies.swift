import Clocks
import Observability
import RPC

/// What stands before a request's payload.
nonisolated struct RequestHead {
  var method: MethodID
  /// What is left of the deadline: no two clocks have to agree.
  var milliseconds: UInt32
  var priority: CallPriority
  var attempt: UInt8
  var hop: UInt8
  /// Nil: none of what has a flag.
  var extras: CallExtras?

  static let fixedBytes = 9
}

extension RequestHead {
  init(_ method: MethodID, _ context: borrowing CallContext, now: Instant) {
    self.method = method
    milliseconds = UInt32(clamping: now.milliseconds(until: context.deadline))
    priority = context.priority
    attempt = context.attempt
    hop = context.hop
    extras = context.extras
  }

  var flags: FrameFlags {
    var flags: FrameFlags = []
    guard let fields = extras?.fields else { return flags }
    if fields.trace != nil { flags.insert(.trace) }
    if !fields.metadata.isEmpty { flags.insert(.metadata) }
    if fields.key != nil { flags.insert(.key) }
    if fields.supersede != nil { flags.insert(.supersede) }
    return flags
  }

  /// Whether the frame is made by `withShortFrame`.
  static func isShort(_ flags: FrameFlags) -> Bool { flags.isSubset(of: .trace) }

  /// The frame of a request that carries a trace or nothing, as nearly all, but for its payload of `extra` bytes: in one go.
  @inline(__always)
  func withShortFrame(
    on stream: UInt32, _ flags: FrameFlags, extra: Int, _ body: (UnsafeRawBufferPointer) -> Void
  ) {
    let plainBytes = Frame.headerBytes + Self.fixedBytes
    withUnsafeTemporaryAllocation(byteCount: plainBytes + TraceContext.binarySize, alignment: 8) { room in
      let trace = flags.isEmpty ? nil : extras?.fields.trace
      let size = trace == nil ? plainBytes : room.count
      let bytes = UnsafeMutableRawBufferPointer(rebasing: room[..<size])
      trace?.writeBinary(to: UnsafeMutableRawBufferPointer(rebasing: bytes[plainBytes...]))
      bytes.storeBytes(of: UInt32(size - 4 + extra).littleEndian, as: UInt32.self)
      bytes[4] = FrameKind.request.rawValue
      bytes[5] = flags.rawValue
      bytes.storeBytes(of: stream.littleEndian, toByteOffset: 6, as: UInt32.self)
      bytes.storeBytes(of: method.littleEndian, toByteOffset: 10, as: UInt16.self)
      bytes.storeBytes(of: milliseconds.littleEndian, toByteOffset: 12, as: UInt32.self)
      bytes[16] = priority.rawValue
      bytes[17] = attempt
      bytes[18] = hop
      body(UnsafeRawBufferPointer(bytes))
    }
  }

  /// Appends the head to a frame that was begun with `flags`.
  func write(to builder: inout FrameBuilder) throws(RPCError) {
    builder.integer(method)
    builder.integer(milliseconds)
    builder.integer(priority.rawValue)
    builder.integer(attempt)
    builder.integer(hop)
    if let extras { try write(extras.fields, to: &builder) }
  }

  private func write(_ fields: CallExtras.Fields, to builder: inout FrameBuilder) throws(RPCError) {
    if let trace = fields.trace {
      withUnsafeTemporaryAllocation(byteCount: TraceContext.binarySize, alignment: 8) { bytes in
        trace.writeBinary(to: bytes)
        builder.append(UnsafeRawBufferPointer(bytes))
      }
    }
    if !fields.metadata.isEmpty { try write(fields.metadata, to: &builder) }
    if let key = fields.key {
      builder.integer(UInt64(truncatingIfNeeded: key.bits))
      builder.integer(UInt64(truncatingIfNeeded: key.bits >> 64))
    }
    if let supersede = fields.supersede {
      builder.integer(supersede.session)
      builder.integer(supersede.slot)
      builder.integer(supersede.sequence)
    }
  }

  private func write(_ metadata: CallMetadata, to builder: inout FrameBuilder) throws(RPCError) {
    try metadata.checkSize()
    builder.integer(UInt8(metadata.entries.count))
    for entry in metadata.entries {
      builder.text(entry.name, atMost: CallMetadata.Limits.bytes)
      builder.text(entry.value, atMost: CallMetadata.Limits.bytes)
    }
  }

  /// Reads the head; `payload` is what is left.
  @inline(__always)
  init(
    _ body: UnsafeRawBufferPointer, _ flags: FrameFlags, payload: inout UnsafeRawBufferPointer
  ) throws(ProtocolViolation) {
    var reader = BodyReader(body)
    method = try reader.integer()
    milliseconds = try reader.integer()
    let rank = try reader.integer(UInt8.self)
    guard let priority = CallPriority(rawValue: rank) else {
      throw ProtocolViolation("a request has the unknown priority \(rank)")
    }
    self.priority = priority
    attempt = try reader.integer()
    hop = try reader.integer()
    if !flags.isDisjoint(with: [.trace, .metadata, .key, .supersede]) {
      extras = CallExtras(try Self.fields(&reader, flags))
    }
    payload = reader.left
  }

  private static func fields(
    _ reader: inout BodyReader, _ flags: FrameFlags
  ) throws(ProtocolViolation) -> CallExtras.Fields {
    var fields = CallExtras.Fields()
    // A trace that cannot be read is no reason to refuse a call: it is left out.
    if flags.contains(.trace) { fields.trace = TraceContext(binary: try reader.bytes(TraceContext.binarySize)) }
    if flags.contains(.metadata) {
      let count = Int(try reader.integer(UInt8.self))
      guard count <= CallMetadata.Limits.entries else { throw ProtocolViolation("metadata has \(count) entries") }
      var left = CallMetadata.Limits.bytes
      for _ in 0..<count {
        let name = try reader.text(atMost: left)
        left -= name.utf8.count
        let value = try reader.text(atMost: left)
        left -= value.utf8.count
        fields.metadata.append(name, value)
      }
    }
    if flags.contains(.key) {
      let low = try reader.integer(UInt64.self)
      let high = try reader.integer(UInt64.self)
      fields.key = IdempotencyKey(bits: UInt128(high) << 64 | UInt128(low))
      guard fields.key != nil else { throw ProtocolViolation("an idempotency key is zero") }
    }
    if flags.contains(.supersede) {
      fields.supersede = SupersedeMark(
        session: try reader.integer(), slot: try reader.integer(), sequence: try reader.integer())
    }
    return fields
  }

  /// `peer` holds nothing but who calls: enough for a request that brings nothing of the kind itself.
  func context(now: Instant, peer: CallExtras) -> CallContext {
    var context = CallContext(deadline: now.after(milliseconds: milliseconds))
    context.priority = priority
    context.attempt = attempt
    context.hop = hop
    context.extras = peer
    if var fields = extras?.fields {
      fields.peer = peer.fields.peer
      context.extras = CallExtras(fields)
    }
    return context
  }
}

/// An error on the wire. Its cause stays at home.
nonisolated struct ErrorBody {
  var error: RPCError

  init(_ error: RPCError) { self.error = error }

  func frame(on stream: UInt32, into builder: inout FrameBuilder, limits: LinkLimits) {
    builder.begin(.error, [], stream)
    builder.integer(error.code.rawValue)
    builder.integer(error.executed.rawValue)
    builder.integer(error.retryAfter.map { UInt32(clamping: max($0.wholeMilliseconds, 1)) } ?? 0)
    builder.integer(error.traceID?.high ?? 0)
    builder.integer(error.traceID?.low ?? 0)
    builder.text(error.origin ?? "", atMost: limits.nameBytes)
    builder.text(error.message, atMost: limits.errorBytes)
    let hops = error.ledger?.hops ?? []
    builder.integer(UInt8(clamping: hops.count))
    for hop in hops.prefix(DeadlineLedger.hopsMax) {
      builder.text(hop.service, atMost: DeadlineLedger.nameMax)
      builder.integer(hop.queue)
      builder.integer(hop.work)
    }
    builder.finish()
  }

  init(_ body: UnsafeRawBufferPointer, limits: LinkLimits) throws(ProtocolViolation) {
    var reader = BodyReader(body)
    // A code of a later version is still an error.
    let code = RPCError.Code(rawValue: try reader.integer()) ?? .unknown
    let executed = RPCError.Executed(rawValue: try reader.integer()) ?? .maybe
    let retryAfter = try reader.integer(UInt32.self)
    let trace = (try reader.integer(UInt64.self), try reader.integer(UInt64.self))
    let origin = try reader.text(atMost: limits.nameBytes)
    error = RPCError(code, try reader.text(atMost: limits.errorBytes), executed: executed)
    error.retryAfter = retryAfter == 0 ? nil : .milliseconds(retryAfter)
    error.traceID = TraceID(high: trace.0, low: trace.1)
    error.origin = origin.isEmpty ? nil : origin
    let hops = Int(try reader.integer(UInt8.self))
    guard hops <= DeadlineLedger.hopsMax else { throw ProtocolViolation("an error has \(hops) hops") }
    guard hops > 0 else { return }
    var ledger = DeadlineLedger()
    for _ in 0..<hops {
      let service = try reader.text(atMost: DeadlineLedger.nameMax)
      let (queue, work) = (try reader.integer(UInt32.self), try reader.integer(UInt32.self))
      ledger.append(.init(service: service, queue: .microseconds(queue), work: .microseconds(work)))
    }
    error.ledger = ledger
  }
}
