/// How to write and read a struct straight from its memory: one step per stored property, in order.
///
/// Codable's containers cost about seven nanoseconds a field and thirty a record before a byte is written, none of which
/// an encoder can avoid. A program knows where each property lies and what the record's table calls it.
struct LayoutProgram {
  let keys: UnsafePointer<KeyTable>
  let steps: UnsafeBufferPointer<LayoutStep>
}

struct LayoutStep {
  let kind: LayoutKind
  /// In `CodingKeys`.
  let ordinal: Int
  /// In the struct.
  let offset: Int
  /// The field's tag as this process writes it; for `other` without its wire type.
  let tag: UInt32
  /// For all kinds that are no plain numbers.
  let memory: any LayoutMemory.Type
  /// For `other` and `otherOptional`.
  let writer: any BuiltinWriter.Type
  let reader: any BuiltinReader.Type
}

/// The kinds worth a case of their own; the rest go through their type's writer and reader.
enum LayoutKind: UInt8 {
  case bool, int, double, string
  case optionalBool, optionalInt, optionalDouble, optionalString
  case other, otherOptional
}

extension LayoutProgram {
  /// Writes the record at an address.
  func write(_ value: UnsafeRawPointer, to state: EncoderRef) throws {
    let frame = try state.pushRecord(keys)
    try state.reserve(EncoderRef.tagAndWord)
    state.putHeader(keys)
    for step in steps {
      let field = value + step.offset
      try state.reserve(EncoderRef.tagAndWord)
      switch step.kind {
      case .int:
        state.putTag(step.tag)
        field.assumingMemoryBound(to: Int.self).pointee.put(to: state)
      case .double:
        state.putTag(step.tag)
        field.assumingMemoryBound(to: Double.self).pointee.put(to: state)
      case .string:
        state.putTag(step.tag)
        try field.assumingMemoryBound(to: String.self).pointee.put(to: state)
      case .bool:
        state.putTag(step.tag)
        field.assumingMemoryBound(to: Bool.self).pointee.put(to: state)
      case .optionalInt:
        guard let value = field.assumingMemoryBound(to: Int?.self).pointee else { continue }
        state.putTag(step.tag)
        value.put(to: state)
      case .optionalDouble:
        guard let value = field.assumingMemoryBound(to: Double?.self).pointee else { continue }
        state.putTag(step.tag)
        value.put(to: state)
      case .optionalString:
        guard let value = field.assumingMemoryBound(to: String?.self).pointee else { continue }
        state.putTag(step.tag)
        try value.put(to: state)
      case .optionalBool:
        guard let value = field.assumingMemoryBound(to: Bool?.self).pointee else { continue }
        state.putTag(step.tag)
        value.put(to: state)
      case .other:
        try writeOther(step, field, frame, state)
      case .otherOptional:
        if !step.memory.isNil(field) { try writeOther(step, field, frame, state) }
      }
    }
    try state.put(Mark.recordEnd)
    state.pointee.top = frame - 1
  }

  @inline(__always)
  private func writeOther(
    _ step: LayoutStep, _ field: UnsafeRawPointer, _ frame: UnsafeMutablePointer<WriterFrame>, _ state: EncoderRef
  ) throws {
    frame.pointee.key = step.ordinal
    let offset = state.pointee.end - state.pointee.base
    state.putTag(step.tag)
    state.setType(try step.writer.write(field, to: state), at: offset)
  }

  /// Reads the record at the cursor into uninitialised memory, which on a throw is uninitialised again.
  func read(into memory: UnsafeMutableRawPointer, _ type: WireType, from state: DecoderRef) throws {
    let frame = try state.push(type)
    let start = state.pointee.cursor
    var built = 0
    do {
      try state.openRecord(keys)
      while built < steps.count {
        try read(steps[built], into: memory, frame, state)
        built += 1
      }
      try state.leave(frame)
    } catch {
      for step in steps[..<built] { step.memory.destroy(memory + step.offset) }
      state.abandon(frame, at: start)
      throw error
    }
  }

  @inline(__always)
  private func read(
    _ step: LayoutStep, into memory: UnsafeMutableRawPointer, _ frame: UnsafeMutablePointer<ReaderFrame>,
    _ state: DecoderRef
  ) throws {
    let field = memory + step.offset
    switch step.kind {
    case .int: try Self.require(Int.self, step, field, frame, state)
    case .double: try Self.require(Double.self, step, field, frame, state)
    case .string: try Self.require(String.self, step, field, frame, state)
    case .bool: try Self.require(Bool.self, step, field, frame, state)
    case .optionalInt: try Self.accept(Int.self, step, field, frame, state)
    case .optionalDouble: try Self.accept(Double.self, step, field, frame, state)
    case .optionalString: try Self.accept(String.self, step, field, frame, state)
    case .optionalBool: try Self.accept(Bool.self, step, field, frame, state)
    case .other:
      guard let type = try state.seek(step.ordinal) else { throw state.missing(step.ordinal, keys) }
      try step.reader.read(into: field, type, from: state)
    case .otherOptional:
      if let type = try state.seek(step.ordinal) {
        try step.reader.read(into: field, type, from: state)
      } else {
        step.memory.putNil(field)
      }
    }
  }

  @inline(__always)
  private static func require<Value: WirePrimitive>(
    _: Value.Type, _ step: LayoutStep, _ field: UnsafeMutableRawPointer, _ frame: UnsafeMutablePointer<ReaderFrame>,
    _ state: DecoderRef
  ) throws {
    if state.isNext(step.ordinal, frame, Value.wireType) {
      field.initializeMemory(as: Value.self, to: try state.takeNext(Value.self, step.ordinal, frame))
    } else if let value: Value = try state.find(step.ordinal) {
      field.initializeMemory(as: Value.self, to: value)
    } else {
      throw state.missing(step.ordinal, frame.pointee.keys!)
    }
  }

  @inline(__always)
  private static func accept<Value: WirePrimitive>(
    _: Value.Type, _ step: LayoutStep, _ field: UnsafeMutableRawPointer, _ frame: UnsafeMutablePointer<ReaderFrame>,
    _ state: DecoderRef
  ) throws {
    if state.isNext(step.ordinal, frame, Value.wireType) {
      field.initializeMemory(as: Value?.self, to: try state.takeNext(Value.self, step.ordinal, frame))
    } else {
      field.initializeMemory(as: Value?.self, to: try state.find(step.ordinal, nilIsAbsent: true))
    }
  }
}

/// What has to be done with a property's memory without its type at hand.
protocol LayoutMemory {
  static func isNil(_ memory: UnsafeRawPointer) -> Bool
  static func putNil(_ memory: UnsafeMutableRawPointer)
  static func destroy(_ memory: UnsafeMutableRawPointer)
}

enum ValueMemory<Value>: LayoutMemory {
  static func isNil(_ memory: UnsafeRawPointer) -> Bool { false }
  static func putNil(_ memory: UnsafeMutableRawPointer) {}
  static func destroy(_ memory: UnsafeMutableRawPointer) {
    memory.assumingMemoryBound(to: Value.self).deinitialize(count: 1)
  }
}

enum OptionalMemory<Wrapped>: LayoutMemory {
  static func isNil(_ memory: UnsafeRawPointer) -> Bool {
    memory.assumingMemoryBound(to: Wrapped?.self).pointee == nil
  }

  static func putNil(_ memory: UnsafeMutableRawPointer) { memory.initializeMemory(as: Wrapped?.self, to: nil) }

  static func destroy(_ memory: UnsafeMutableRawPointer) {
    memory.assumingMemoryBound(to: Wrapped?.self).deinitialize(count: 1)
  }
}

extension EncoderRef {
  /// A frame that only paths and the depth limit look at.
  @inline(__always)
  fileprivate func pushRecord(_ keys: UnsafePointer<KeyTable>) throws -> UnsafeMutablePointer<WriterFrame> {
    let frame = pointee.top + 1
    guard frame <= pointee.frames + WireLimits.depth else { throw tooDeep() }
    frame.pointee.keys = nil
    frame.pointee.part = keys
    frame.pointee.shape = .record
    frame.pointee.nest = -1
    frame.pointee.nestBase = pointee.nests.count
    pointee.top = frame
    return frame
  }

  @inline(__always)
  fileprivate func putTag(_ tag: UInt32) {
    if tag < 0x80 {
      putByte(UInt8(truncatingIfNeeded: tag))
    } else {
      putVarint(UInt64(tag))
    }
  }
}
