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
    let array: [Element]
    if Element.self == UInt8.self, type == .bytes {
      var position = state.pointee.cursor
      let bytes = try state.block(&position)
      array = [UInt8](bytes) as! [Element]
      state.pointee.cursor = position
    } else {
      array = try state.readList(Element.self, type)
    }
    memory.initializeMemory(as: [Element].self, to: array)
  }
}

extension Set: BuiltinReader where Element: Decodable {
  static func read(into memory: UnsafeMutableRawPointer, _ type: WireType, from state: DecoderRef) throws {
    var list = try ListReader(state, type)
    var set = Set<Element>(minimumCapacity: list.capacity(for: Element.self))
    while let element = try list.next(Element.self) { set.insert(element) }
    list.end()
    memory.initializeMemory(as: Set<Element>.self, to: set)
  }
}

extension Dictionary: BuiltinReader where Key: Decodable, Value: Decodable {
  static func read(into memory: UnsafeMutableRawPointer, _ type: WireType, from state: DecoderRef) throws {
    let map: [Key: Value]
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
  fileprivate func readList<Element: Decodable>(_: Element.Type, _ type: WireType) throws -> [Element] {
    var list = try ListReader(self, type)
    let reader = traits(of: Element.self).pointee.reader
    let capacity = list.capacity(for: Element.self)
    var array: [Element]
    if let reader, let bulk = try list.all(reader, of: Element.self, capacity) {
      array = bulk
    } else {
      // Built in place: appending to an array costs a copy of each element.
      array = try [Element](unsafeUninitializedCapacity: capacity) { buffer, count in
        while count < capacity, let next = try list.nextType() {
          (buffer.baseAddress! + count).initialize(to: try read(Element.self, next, reader))
          count += 1
        }
      }
      while let next = try list.nextType() { array.append(try read(Element.self, next, reader)) }
    }
    list.end()
    return array
  }

  @inline(__always)
  private func read<Element: Decodable>(
    _: Element.Type, _ type: WireType, _ reader: (any BuiltinReader.Type)?
  ) throws -> Element {
    reader == nil ? try readByItself(Element.self, type) : try read(Element.self, type)
  }

  fileprivate func readMap<Key: Decodable & Hashable, Value: Decodable>(
    _: Key.Type, _: Value.Type, _ type: WireType
  ) throws -> [Key: Value] {
    var list = try ListReader(self, type)
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

  init(_ state: DecoderRef, _ type: WireType) throws {
    guard type == .list else { throw try state.unconvertible("a list", type, state.pointee.cursor) }
    self.state = state
    var input = Input(from: state.pointee.cursor, to: state.pointee.end)
    list = try state.checked { () throws(WireError) in try input.listHeader() }
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
    frame.pointee.key &+= 1
    return type
  }

  @inline(__always)
  mutating func next<Element: Decodable>(_: Element.Type) throws -> Element? {
    guard let type = try nextType() else { return nil }
    return try state.read(Element.self, type)
  }

  /// All elements of a typed list at once, if their reader can do that and there is no reason to be modest.
  mutating func all<Element>(
    _ reader: any BuiltinReader.Type, of _: Element.Type, _ capacity: Int
  ) throws -> [Element]? {
    guard !list.isOpen, !list.isMap else { return nil }
    // The bytes of numbers of fixed size have been seen to be there.
    guard list.left <= capacity || list.type == .fixed64 || list.type == .fixed32 else { return nil }
    let count = list.left
    var isDone = false
    let array = try [Element](unsafeUninitializedCapacity: count) { buffer, built in
      guard count > 0 else { return }
      isDone = try reader.readAll(
        into: UnsafeMutableRawPointer(buffer.baseAddress!), count: count, list.type, from: state)
      built = isDone ? count : 0
    }
    guard isDone || count == 0 else { return nil }
    list.takeAll()
    return array
  }

  func end() { state.pointee.top = frame - 1 }
}
