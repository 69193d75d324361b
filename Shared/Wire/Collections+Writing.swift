extension Optional: BuiltinWriter where Wrapped: Encodable {
  static func write(_ value: UnsafeRawPointer, to state: EncoderRef) throws -> WireType {
    try writeOptional(value, level: 0, to: state)
  }
}

/// An optional, which says how many optionals it lies in so that `.some(nil)` is not taken for `nil`.
protocol OptionalWriter {
  static func writeOptional(_ value: UnsafeRawPointer, level: UInt8, to state: EncoderRef) throws -> WireType
}

extension Optional: OptionalWriter where Wrapped: Encodable {
  static func writeOptional(_ value: UnsafeRawPointer, level: UInt8, to state: EncoderRef) throws -> WireType {
    guard let wrapped = value.assumingMemoryBound(to: Self.self).pointee else {
      try state.put(level == 0 ? Constant.none : Constant.nested + (level - 1))
      return .constant
    }
    guard let inner = Wrapped.self as? any OptionalWriter.Type else { return try state.write(wrapped) }
    return try withUnsafePointer(to: wrapped) { try inner.writeOptional($0, level: level + 1, to: state) }
  }
}

extension Array: BuiltinWriter where Element: Encodable {
  static func write(_ value: UnsafeRawPointer, to state: EncoderRef) throws -> WireType {
    try value.assumingMemoryBound(to: [Element].self).pointee.withUnsafeBufferPointer { elements in
      // Bytes are bytes, not numbers.
      if Element.self == UInt8.self {
        try state.putBlock(UnsafeRawBufferPointer(elements))
        return .bytes
      }
      try state.writeList(elements)
      return .list
    }
  }
}

extension Set: BuiltinWriter where Element: Encodable {
  static func write(_ value: UnsafeRawPointer, to state: EncoderRef) throws -> WireType {
    let set = value.assumingMemoryBound(to: Set<Element>.self).pointee
    var list = try ListWriter(state, count: set.count, isOpen: Element.self is any OptionalWriter.Type)
    for element in set { try list.append(element) }
    try list.end()
    return .list
  }
}

extension Dictionary: BuiltinWriter where Key: Encodable, Value: Encodable {
  static func write(_ value: UnsafeRawPointer, to state: EncoderRef) throws -> WireType {
    if Key.self == String.self, Value.self == String.self {
      try state.writeStrings(value.assumingMemoryBound(to: [String: String].self).pointee)
      return .list
    }
    let map = value.assumingMemoryBound(to: [Key: Value].self).pointee
    let isOpen = Key.self is any OptionalWriter.Type || Value.self is any OptionalWriter.Type
    var list = try ListWriter(state, count: map.count, isMap: true, isOpen: isOpen)
    for (key, value) in map {
      try list.append(key)
      try list.append(value)
    }
    try list.end()
    return .list
  }
}

extension EncoderRef {
  fileprivate func writeList<Element: Encodable>(_ elements: UnsafeBufferPointer<Element>) throws {
    let writer = traits(of: Element.self).pointee.writer
    if let writer, let base = elements.baseAddress, !elements.isEmpty {
      let header = pointee.end - pointee.base
      try reserve(Self.tagAndWord)
      putByte(0)
      putVarint(UInt64(elements.count))
      if let type = try writer.writeAll(UnsafeRawPointer(base), count: elements.count, to: self) {
        setType(type, at: header)
        return
      }
      pointee.end = pointee.base + header
    }
    var list = try ListWriter(self, count: elements.count, isOpen: writer is any OptionalWriter.Type)
    for index in elements.indices {
      // An element is lent, not copied: a copy would retain all it holds.
      try list.append(&UnsafeMutablePointer<Element>(mutating: elements.baseAddress! + index).pointee, writer)
    }
    try list.end()
  }

  fileprivate func writeStrings(_ map: [String: String]) throws {
    try reserve(Self.tagAndWord)
    putByte(Mark.map | WireType.bytes.rawValue | WireType.bytes.rawValue << 4)
    putVarint(UInt64(map.count))
    for (key, value) in map {
      try putString(key)
      try putString(value)
    }
  }
}

/// Writes a list or a map whose length is known. As long as the elements are of one wire type they carry none; the first
/// of another type turns the whole into an open list, at the cost of a walk over what is there.
struct ListWriter {
  private let state: EncoderRef
  private let frame: UnsafeMutablePointer<WriterFrame>
  private let start: Int
  private let isMap: Bool
  private var isOpen: Bool
  private var index = 0
  /// The types of the first element and, in a map, the first value.
  private var types: (WireType, WireType) = (.varint, .varint)

  init(_ state: EncoderRef, count: Int, isMap: Bool = false, isOpen: Bool) throws {
    self.state = state
    self.isMap = isMap
    self.isOpen = isOpen && count > 0
    try state.reserve(EncoderRef.tagAndWord)
    start = state.pointee.end - state.pointee.base
    frame = try state.push()
    frame.pointee.shape = .list
    if self.isOpen {
      state.putByte(isMap ? Mark.openMap : Mark.openList)
    } else {
      state.putByte(isMap ? Mark.map : 0)
      state.putVarint(UInt64(count))
    }
  }

  @inline(__always)
  mutating func append<Element: Encodable>(_ element: Element) throws {
    var element = element
    try append(&element, state.traits(of: Element.self).pointee.writer)
  }

  @inline(__always)
  mutating func append<Element: Encodable>(_ element: inout Element, _ writer: (any BuiltinWriter.Type)?) throws {
    frame.pointee.key = isMap ? index / 2 : index
    let offset = state.pointee.end - state.pointee.base
    if isOpen { try state.put(0) }
    let type: WireType
    do {
      if let writer {
        type = try withUnsafePointer(to: &element) { try writer.write($0, to: state) }
      } else {
        type = try state.writeByItself(element)
      }
    } catch {
      state.pointee.top = frame - 1
      throw error
    }
    if isOpen {
      state.setType(type, at: offset)
    } else if index == 0 {
      types.0 = type
    } else if isMap, index == 1 {
      types.1 = type
    } else if type != (isMap && index & 1 == 1 ? types.1 : types.0) {
      try open(before: offset, type)
    }
    index += 1
  }

  func end() throws {
    if isOpen {
      try state.put(Mark.listEnd)
    } else if isMap {
      let header = Mark.map | types.0.rawValue | types.1.rawValue << 4
      (state.pointee.base + start).storeBytes(of: header, as: UInt8.self)
    } else {
      state.setType(types.0, at: start)
    }
    state.pointee.top = frame - 1
  }

  /// Gives every element its wire type, the one just written being of another.
  @inline(never)
  private mutating func open(before offset: Int, _ type: WireType) throws {
    isOpen = true
    var input = Input(from: state.pointee.base + start, to: state.pointee.end)
    _ = try input.byte()
    _ = try input.varint()
    var opened: [UInt8] = [isMap ? Mark.openMap : Mark.openList]
    opened.reserveCapacity(input.remaining + index + 2)
    for element in 0..<index {
      let type = isMap && element & 1 == 1 ? types.1 : types.0
      let from = input.position
      try input.skip(type, depth: WireLimits.depth)
      opened.append(type.rawValue)
      opened.append(contentsOf: UnsafeRawBufferPointer(start: from, count: input.position - from))
    }
    opened.append(type.rawValue)
    opened.append(contentsOf: UnsafeRawBufferPointer(start: input.position, count: input.remaining))
    state.pointee.end = state.pointee.base + start
    try state.reserve(opened.count)
    opened.withUnsafeBytes { state.pointee.end.copyMemory(from: $0.baseAddress!, byteCount: $0.count) }
    state.pointee.end += opened.count
  }
}
