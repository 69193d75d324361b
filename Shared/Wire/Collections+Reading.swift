/// An optional, which can itself be the nil that is there.
protocol OptionalReader {
  /// Puts into memory the nil that lies in this many further optionals, or in as many as there are.
  static func putNil(inside levels: Int, into memory: UnsafeMutableRawPointer)
}

extension Optional: OptionalReader where Wrapped: Decodable {
  static func putNil(inside levels: Int, into memory: UnsafeMutableRawPointer) {
    guard levels > 0, let inner = Wrapped.self as? any OptionalReader.Type else {
      memory.initializeMemory(as: Self.self, to: nil)
      return
    }
    let wrapped = UnsafeMutablePointer<Wrapped>.allocate(capacity: 1)
    defer { wrapped.deallocate() }
    inner.putNil(inside: levels - 1, into: UnsafeMutableRawPointer(wrapped))
    memory.initializeMemory(as: Self.self, to: .some(wrapped.move()))
  }
}

extension Optional: BuiltinReader where Wrapped: Decodable {
  static func read(into memory: UnsafeMutableRawPointer, _ type: WireType, from state: DecoderRef) throws {
    guard state.isNil(ReaderPlace(payload: state.pointee.cursor, type: type)) else {
      memory.initializeMemory(as: Self.self, to: .some(try state.read(Wrapped.self, type)))
      return
    }
    let byte = state.pointee.cursor.load(as: UInt8.self)
    putNil(inside: byte == Constant.none ? 0 : Int(byte - Constant.nested) + 1, into: memory)
    state.pointee.cursor += 1
  }
}

extension Array: BuiltinReader where Element: Decodable {
  static func read(into memory: UnsafeMutableRawPointer, _ type: WireType, from state: DecoderRef) throws {
    if type == .bytes, Element.self == UInt8.self {
      var position = state.pointee.cursor
      memory.initializeMemory(as: [UInt8].self, to: try state.bytes(&position))
      state.pointee.cursor = position
      return
    }
    let reader = state.traits(of: Element.self).pointee.reader
    if let reader, type == .list, try reader.readArray(into: memory, from: state) { return }
    memory.initializeMemory(as: [Element].self, to: try state.readList(reader, type))
  }
}

extension Set: BuiltinReader where Element: Decodable {
  static func read(into memory: UnsafeMutableRawPointer, _ type: WireType, from state: DecoderRef) throws {
    var list = try ListReader(state, type, bytesEach: MemoryLayout<Element>.stride)
    var set = Set<Element>(minimumCapacity: list.capacity(for: Element.self))
    while let element = try list.next(Element.self) { set.insert(element) }
    list.end()
    memory.initializeMemory(as: Set<Element>.self, to: set)
  }
}

extension Dictionary: BuiltinReader where Key: Decodable, Value: Decodable {
  static func read(into memory: UnsafeMutableRawPointer, _ type: WireType, from state: DecoderRef) throws {
    let map: [Key: Value]
    if Key.self == String.self, Value.self == String.self, let strings = try state.readStrings(type) {
      memory.initializeMemory(as: [String: String].self, to: strings)
      return
    }
    if type == .record {
      // As a request made by hand, or another kind of writer, may have it.
      map = try state.readByItself([Key: Value].self, type)
    } else {
      map = try state.readMap(Key.self, Value.self, type)
    }
    memory.initializeMemory(as: [Key: Value].self, to: map)
  }
}

extension DecoderRef {
  fileprivate func bytes(_ position: inout UnsafeRawPointer) throws -> [UInt8] {
    let bytes = try block(&position)
    guard let source = bytes.baseAddress, bytes.count > 0 else { return [] }
    return [UInt8](unsafeUninitializedCapacity: bytes.count) { buffer, count in
      UnsafeMutableRawPointer(buffer.baseAddress!).copyBytes(from: source, count: bytes.count)
      count = bytes.count
    }
  }

  fileprivate func readList<Element: Decodable>(
    _ reader: (any BuiltinReader.Type)?, _ type: WireType
  ) throws -> [Element] {
    var list = try ListReader(self, type, bytesEach: MemoryLayout<Element>.stride)
    let capacity = list.capacity(for: Element.self)
    var array: [Element] = []
    if capacity > 0 {
      // Built in place: appending to an array costs a copy of each element.
      array = try [Element](unsafeUninitializedCapacity: capacity) { buffer, count in
        while count < capacity, let next = try list.nextType() {
          (buffer.baseAddress! + count).initialize(to: try read(Element.self, next, reader))
          count += 1
        }
      }
    }
    while let next = try list.nextType() { array.append(try read(Element.self, next, reader)) }
    list.end()
    return array
  }

  @inline(__always)
  private func read<Element: Decodable>(
    _: Element.Type, _ type: WireType, _ reader: (any BuiltinReader.Type)?
  ) throws -> Element {
    reader == nil ? try readByItself(Element.self, type) : try read(Element.self, type)
  }

  /// The most usual map, unless it is of another make; then nothing is read.
  fileprivate func readStrings(_ type: WireType) throws -> [String: String]? {
    let header = Mark.map | WireType.bytes.rawValue | WireType.bytes.rawValue << 4
    guard type == .list, pointee.cursor < pointee.end, pointee.cursor.load(as: UInt8.self) == header else { return nil }
    var list = try ListReader(self, type, bytesEach: MemoryLayout<String>.stride)
    var map = [String: String](minimumCapacity: list.capacity(for: (String, String).self) / 2)
    var position = pointee.cursor
    while try list.nextType() != nil, try list.nextType() != nil {
      let key = try String.parse(&position, self)
      map[key] = try String.parse(&position, self)
    }
    pointee.cursor = position
    list.end()
    return map
  }

  fileprivate func readMap<Key: Decodable & Hashable, Value: Decodable>(
    _: Key.Type, _: Value.Type, _ type: WireType
  ) throws -> [Key: Value] {
    // Keys and values are counted in turn.
    var list = try ListReader(self, type, bytesEach: (MemoryLayout<(Key, Value)>.stride + 1) / 2)
    var map = [Key: Value](minimumCapacity: list.capacity(for: (Key, Value).self) / 2)
    while let key = try list.next(Key.self) {
      guard let value = try list.next(Value.self) else { throw error(.malformed, "a key without a value") }
      map[key] = value
    }
    list.end()
    return map
  }
}

/// Reads the elements of a list, or the keys and values of a map in turn, from the cursor on.
struct ListReader {
  private let state: DecoderRef
  private let frame: UnsafeMutablePointer<ReaderFrame>
  private var list: Input.List
  private let bytesEach: Int

  /// `bytesEach` is what an element takes in memory: that much of `WireLimits.decodedBytes` is used by each.
  init(_ state: DecoderRef, _ type: WireType, bytesEach: Int) throws {
    guard type == .list else { throw try state.unconvertible("a list", type, state.pointee.cursor) }
    self.state = state
    self.bytesEach = bytesEach
    var input = Input(from: state.pointee.cursor, to: state.pointee.end)
    list = try state.checked { () throws(WireError) in try input.listHeader() }
    if !list.isOpen { try state.take(list.left, bytesEach) }
    frame = try state.push(type)
    state.pointee.cursor = input.position
  }

  /// How many elements to make room for: no more than the bytes that are there could become, nor than is modest.
  func capacity<Element>(for _: Element.Type) -> Int {
    guard !list.isOpen else { return 0 }
    let most = min(WireLimits.initialCapacity, WireLimits.initialCapacityBytes / max(MemoryLayout<Element>.stride, 1))
    return min(list.left, max(most, 1))
  }

  /// The wire type of the element at the cursor; nil at the end.
  @inline(__always)
  mutating func nextType() throws -> WireType? {
    if list.isOpen { return try nextOpenType() }
    guard list.left > 0 else { return nil }
    frame.pointee.key &+= 1
    return list.takeType()
  }

  @inline(never)
  private mutating func nextOpenType() throws -> WireType? {
    var input = Input(from: state.pointee.cursor, to: state.pointee.end)
    let type = try state.checked { () throws(WireError) in try input.nextElement(&list) }
    state.pointee.cursor = input.position
    if type != nil { try state.take(1, bytesEach) }
    frame.pointee.key &+= 1
    return type
  }

  @inline(__always)
  mutating func next<Element: Decodable>(_: Element.Type) throws -> Element? {
    guard let type = try nextType() else { return nil }
    return try state.read(Element.self, type)
  }

  func end() { state.pointee.top = frame - 1 }
}
