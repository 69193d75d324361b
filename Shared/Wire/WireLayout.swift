import Synchronization

/// Marks a struct whose `Codable` is the compiler's, to be written and read straight from memory: three times as fast,
/// the same bytes.
///
/// ```swift
/// struct Cinema: Codable, WireLayout { … }
/// ```
///
/// The marker is a promise, and it is checked: the first value of the type that a process writes, and the first it reads,
/// go both ways, unless it is longer than `WireLimits.layoutCheckBytes`. A type for which they differ, and any that is not
/// a struct of stored properties named like its `CodingKeys`, stays on the plain way for ever; `WireLayouts` says so.
/// Fields may be of any Codable type.
public protocol WireLayout {
  /// Puts an array into uninitialised memory: `next` makes its next element at an address, or answers false at its end.
  /// `capacity` is how many come if all is well. Nobody but this module writes one.
  static func makeArray(
    in memory: UnsafeMutableRawPointer, capacity: Int, next: (UnsafeMutableRawPointer) throws -> Bool) throws
}

// Public, and asked of the type: so the compiler writes it for each. Generic code looks three types up to make an array.
extension WireLayout {
  public static func makeArray(
    in memory: UnsafeMutableRawPointer, capacity: Int, next: (UnsafeMutableRawPointer) throws -> Bool
  ) throws {
    // Of capacity zero it would write to the one empty array of all threads.
    var array: [Self] = []
    if capacity > 0 {
      array = try [Self](unsafeUninitializedCapacity: capacity) { buffer, count in
        while count < capacity, try next(UnsafeMutableRawPointer(buffer.baseAddress! + count)) { count += 1 }
      }
    }
    if array.count == capacity {
      try withUnsafeTemporaryAllocation(of: Self.self, capacity: 1) { place in
        let further = place.baseAddress!
        while try next(UnsafeMutableRawPointer(further)) { array.append(further.move()) }
      }
    }
    memory.initializeMemory(as: [Self].self, to: array)
  }
}

/// Which marked types are not written from memory after all, and why.
package enum WireLayouts {
  package struct Refusal: Sendable, Hashable {
    package let type: String
    package let reason: String
  }

  private struct State {
    var refusals: [Refusal] = []
    var observers: [@Sendable (Refusal) -> Void] = []
  }

  private static let state = Mutex(State())

  /// All so far.
  package static var refusals: [Refusal] { state.withLock { $0.refusals } }

  /// Calls `body` for all so far and all to come.
  package static func observe(_ body: @escaping @Sendable (Refusal) -> Void) {
    let earlier = state.withLock { state in
      state.observers.append(body)
      return state.refusals
    }
    for refusal in earlier { body(refusal) }
  }

  /// Whether values of a type are written from memory, as far as is known: nil before its first of modest length.
  package static func isWritten(_ type: Any.Type) -> Bool? { TypeTraits.of(type).pointee.layout?.writing.isUsed }

  /// Whether values of a type are read into memory, as far as is known.
  package static func isRead(_ type: Any.Type) -> Bool? { TypeTraits.of(type).pointee.layout?.reading.isUsed }

  static func refuse(_ type: Any.Type, _ reason: String) {
    let refusal = Refusal(type: "\(type)", reason: reason)
    let observers = state.withLock { state in
      guard !state.refusals.contains(refusal) else { return [@Sendable (Refusal) -> Void]() }
      state.refusals.append(refusal)
      return state.observers
    }
    for observer in observers { observer(refusal) }
  }
}

/// What has become of a marked type in this process.
///
/// It is reached for every record. So it is no object: whether the compiler then counts a reference or not differs from
/// build to build, and costs fifty instructions.
struct Layout: Sendable {
  let writing = Direction()
  let reading = Direction()

  /// One of the two ways, which are checked apart.
  // Safety: what it points to is atomic, and never freed.
  struct Direction: @unchecked Sendable {
    /// 0: not tried; 1: refused; otherwise the address of a program, which is never freed.
    private let word: UnsafeMutablePointer<Atomic<UInt>>

    fileprivate init() {
      word = .allocate(capacity: 1)
      word.initialize(to: Atomic(0))
    }

    @inline(__always)
    var program: UnsafePointer<LayoutProgram>? {
      let word = word.pointee.load(ordering: .acquiring)
      return word > 1 ? UnsafePointer(bitPattern: word) : nil
    }

    var isUsed: Bool? {
      let word = word.pointee.load(ordering: .acquiring)
      return word == 0 ? nil : word > 1
    }

    func use(_ program: LayoutProgram) {
      let pointer = UnsafeMutablePointer<LayoutProgram>.allocate(capacity: 1)
      pointer.initialize(to: program)
      word.pointee.store(UInt(bitPattern: pointer), ordering: .releasing)
    }

    func refuse() { word.pointee.store(1, ordering: .releasing) }
  }

  func refuse(_ type: Any.Type, _ reason: String) {
    writing.refuse()
    reading.refuse()
    WireLayouts.refuse(type, reason)
  }
}

/// Writes a marked type.
enum LayoutWriter<Value: Encodable>: BuiltinWriter {
  static func write(_ value: UnsafeRawPointer, to state: EncoderRef) throws -> WireType {
    let layout = state.traits(of: Value.self).pointee.layout!
    if let program = layout.writing.program {
      try program.pointee.write(value, to: state)
      return .record
    }
    return try writePlainly(value.assumingMemoryBound(to: Value.self), layout, to: state)
  }

  static func writeAll(_ values: UnsafeRawPointer, count: Int, to state: EncoderRef) throws -> WireType? {
    let layout = state.traits(of: Value.self).pointee.layout!
    guard let program = layout.writing.program else { return nil }
    let stride = MemoryLayout<Value>.stride
    for index in 0..<count { try program.pointee.write(values + index * stride, to: state) }
    return .record
  }

  @inline(never)
  private static func writePlainly(
    _ value: UnsafePointer<Value>, _ layout: Layout, to state: EncoderRef
  ) throws -> WireType {
    let start = state.pointee.end - state.pointee.base
    let frame = state.pointee.top + 1
    let type = try state.writeByItself(value.pointee)
    guard layout.writing.isUsed == nil else { return type }
    // The frame's slot still holds what the value did with it.
    guard type == .record, frame.pointee.shape == .record, let keys = frame.pointee.part else {
      layout.refuse(Value.self, "it does not encode as a record")
      return type
    }
    let middle = state.pointee.end - state.pointee.base
    guard middle - start <= WireLimits.layoutCheckBytes else { return type }
    do {
      let program = try LayoutProgram(Value.self, keys)
      let limits = state.pointee.limits
      defer {
        state.pointee.end = state.pointee.base + middle
        state.pointee.limits = limits
      }
      // Both are no longer than one may be, but together they may.
      state.pointee.limits.messageBytes = .max
      try program.write(UnsafeRawPointer(value), to: state)
      let plain = UnsafeRawBufferPointer(start: state.pointee.base + start, count: middle - start)
      let end = state.pointee.end - state.pointee.base
      let fast = UnsafeRawBufferPointer(start: state.pointee.base + middle, count: end - middle)
      if plain.elementsEqual(fast) {
        layout.writing.use(program)
      } else {
        layout.refuse(Value.self, "its encode(to:) writes other bytes than its memory says")
      }
    } catch let refusal as LayoutRefusal {
      layout.refuse(Value.self, refusal.reason)
    }
    return type
  }
}

/// Reads a marked type.
enum LayoutReader<Value: Decodable & WireLayout>: BuiltinReader {
  static func read(into memory: UnsafeMutableRawPointer, _ type: WireType, from state: DecoderRef) throws {
    let layout = state.traits(of: Value.self).pointee.layout!
    if let program = layout.reading.program {
      return try program.pointee.read(into: memory, type, from: state)
    }
    let value = try readPlainly(layout, type, from: state)
    memory.initializeMemory(as: Value.self, to: value)
  }

  static func readArray(into memory: UnsafeMutableRawPointer, from state: DecoderRef) throws -> Bool {
    let layout = state.traits(of: Value.self).pointee.layout!
    guard let program = layout.reading.program else { return false }
    var list = try ListReader(state, .list, bytesEach: MemoryLayout<Value>.stride)
    let capacity = list.capacity(for: Value.self)
    try Value.makeArray(in: memory, capacity: capacity) { place in
      guard let type = try list.nextType() else { return false }
      try program.pointee.read(into: place, type, from: state)
      return true
    }
    list.end()
    return true
  }

  @inline(never)
  private static func readPlainly(_ layout: Layout, _ type: WireType, from state: DecoderRef) throws -> Value {
    let start = state.pointee.cursor
    let frame = state.pointee.top + 1
    let value = try state.readByItself(Value.self, type)
    guard layout.reading.isUsed == nil, state.pointee.cursor - start <= WireLimits.layoutCheckBytes else {
      return value
    }
    guard let keys = frame.pointee.keys else {
      layout.refuse(Value.self, "it does not decode as a record")
      return value
    }
    guard let plain = value as? any Encodable else {
      layout.refuse(Value.self, "it is not Encodable, so what was read cannot be compared")
      return value
    }
    do {
      let program = try LayoutProgram(Value.self, keys)
      let (end, room) = (state.pointee.cursor, state.pointee.room)
      defer { (state.pointee.cursor, state.pointee.room) = (end, room) }
      // What the value may become was counted when it was read plainly.
      (state.pointee.cursor, state.pointee.room) = (start, .max)
      let memory = UnsafeMutablePointer<Value>.allocate(capacity: 1)
      defer { memory.deallocate() }
      try program.read(into: UnsafeMutableRawPointer(memory), type, from: state)
      defer { memory.deinitialize(count: 1) }
      if state.pointee.cursor == end, try means(plain, memory.pointee as! any Encodable) {
        layout.reading.use(program)
      } else {
        layout.refuse(Value.self, "its init(from:) makes another value than its memory would be")
      }
    } catch let refusal as LayoutRefusal {
      layout.refuse(Value.self, refusal.reason)
    } catch {
      layout.refuse(Value.self, "its init(from:) reads what its memory cannot: \(error)")
    }
    return value
  }

  /// Whether two values say the same, on the plain way. Sets and maps have an order of their own in every instance.
  private static func means(_ left: any Encodable, _ right: any Encodable) throws -> Bool {
    let encoder = WireEncoder(limits: WireLimits(messageBytes: .max), usesLayouts: false)
    func meaning(_ value: any Encodable) throws -> WireValue {
      try WireValue(reading: Array(encoder.encodeSelfContained(value))).sorted
    }
    return try meaning(left) == meaning(right)
  }
}

extension WireValue {
  /// The value with everything that may be in any order in one order.
  fileprivate var sorted: WireValue {
    switch self {
    case .list(let elements): .list(elements.map(\.sorted).sorted { $0.description < $1.description })
    case .map(let pairs):
      .map(
        pairs.map { Pair($0.key.sorted, $0.value.sorted) }.sorted { $0.key.description < $1.key.description })
    case .record(let fields): .record(fields.map { Field($0.name, $0.value.sorted) })
    // A NaN is not equal to itself.
    case .double(let value): .uint(value.bitPattern)
    case .float(let value): .uint(UInt64(value.bitPattern))
    default: self
    }
  }
}
