extension Input {
  /// Moves past a payload without reading it. `depth` is how many values deep it may go.
  mutating func skip(_ type: WireType, depth: Int) throws(WireError) {
    switch type {
    case .varint:
      _ = try wideVarint()
    case .fixed64:
      _ = try bytes(8)
    case .fixed32:
      _ = try bytes(4)
    case .bytes:
      _ = try bytes(varint())
    case .constant:
      _ = try byte()
    case .record:
      guard depth > 0 else { throw Self.tooDeep }
      var fields = Fields(try varint())
      while let field = try nextField(&fields) { try skip(field.type, depth: depth - 1) }
    case .list:
      guard depth > 0 else { throw Self.tooDeep }
      var list = try listHeader()
      if !list.isOpen, !list.isMap, list.type == .fixed64 || list.type == .fixed32 {
        _ = try bytes(UInt64(list.left) * (list.type == .fixed64 ? 8 : 4))
        return
      }
      while let type = try nextElement(&list) { try skip(type, depth: depth - 1) }
    }
  }

  static let tooDeep = WireError(.tooDeep, "values are nested deeper than \(WireLimits.depth)")

  // MARK: Records

  /// A walk over the fields of a record.
  struct Fields {
    /// The table of the part at hand.
    fileprivate(set) var table: UInt64
    /// Whether there may be parts, or fields out of order.
    let isIrregular: Bool

    init(_ header: UInt64) {
      table = header >> 1
      isIrregular = header & UInt64(Mark.irregular) != 0
    }
  }

  struct Field {
    /// 1 where the name is inline.
    let number: UInt32
    let type: WireType
    let name: UnsafeRawBufferPointer?
  }

  /// Reads the next field's tag, and its name where that is inline; nil behind the record's end.
  mutating func nextField(_ fields: inout Fields) throws(WireError) -> Field? {
    while true {
      let tag = try varint()
      if tag == Mark.recordEnd { return nil }
      if tag == Mark.part {
        guard fields.isIrregular else { throw WireError(.malformed, "a regular record has a second part") }
        fields.table = try varint() >> 1
        continue
      }
      guard tag >= 8, tag <= UInt64(UInt32.max), let type = WireType(rawValue: UInt8(tag & 7)) else {
        throw WireError(.malformed, "a tag of \(tag)")
      }
      let name: UnsafeRawBufferPointer? = fields.table == TableNumber.inline ? try bytes(varint()) : nil
      return Field(number: UInt32(tag >> 3), type: type, name: name)
    }
  }

  // MARK: Lists

  /// A walk over the elements of a list, or the keys and values of a map in turn.
  struct List {
    let isMap: Bool
    let isOpen: Bool
    /// The wire type of the next element, when all have their list's.
    fileprivate(set) var type: WireType
    private var other: WireType
    /// Elements not yet read: keys and values each count. Unknown, and `.max`, in an open list.
    fileprivate(set) var left: Int

    fileprivate init(isMap: Bool, isOpen: Bool, _ type: WireType, _ other: WireType, left: Int) {
      self.isMap = isMap
      self.isOpen = isOpen
      self.type = type
      self.other = other
      self.left = left
    }

    /// The wire type of the next element, which is now read.
    @inline(__always)
    mutating func takeType() -> WireType {
      left &-= 1
      let taken = type
      type = other
      other = taken
      return taken
    }
  }

  mutating func listHeader() throws(WireError) -> List {
    let header = try byte()
    let isMap = header & Mark.map != 0
    if header == Mark.openList || header == Mark.openMap {
      return List(isMap: isMap, isOpen: true, .constant, .constant, left: .max)
    }
    guard let type = WireType(rawValue: header & 7), isMap ? header < 0x80 : header < 8,
      let other = isMap ? WireType(rawValue: header >> 4) : type
    else { throw WireError(.malformed, "a list of kind \(header)") }
    let count = try varint()
    // Every element takes at least a byte.
    let smallest = Self.smallest(type) + (isMap ? Self.smallest(other) : 0)
    guard count <= UInt64(remaining) / smallest else {
      throw WireError(.truncated, "a list of \(count) in \(remaining) bytes")
    }
    return List(isMap: isMap, isOpen: false, type, other, left: Int(count) * (isMap ? 2 : 1))
  }

  private static func smallest(_ type: WireType) -> UInt64 {
    switch type {
    case .fixed64: 8
    case .fixed32: 4
    case .record, .list: 2
    case .varint, .bytes, .constant: 1
    }
  }

  /// The wire type of the element at the cursor; nil behind the list's end.
  mutating func nextElement(_ list: inout List) throws(WireError) -> WireType? {
    if list.isOpen {
      let byte = try byte()
      if byte == Mark.listEnd { return nil }
      guard let type = WireType(rawValue: byte) else { throw WireError(.malformed, "an element of kind \(byte)") }
      return type
    }
    return list.left > 0 ? list.takeType() : nil
  }
}
