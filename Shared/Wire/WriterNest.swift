/// A container that `encode(to:)` opened inside its own.
///
/// While it is the innermost it is written in place, its frame on top. When its parent writes again it is sealed: its
/// terminator is written and it becomes a span of the buffer. A program may still write to it then (Codable promises
/// that); the bytes behind it are set aside for the time of that write and everything that moved is told so.
struct WriterNest {
  let serial: UInt64
  /// The frame of the value it belongs to, and of the container it was opened in.
  let value: UInt64
  let parent: UInt64
  /// Offset of the byte that holds its wire type.
  var tag: Int
  /// Offset of its payload.
  var start: Int
  /// Offset where its next field or element goes; nil while its frame is on the stack.
  var end: Int?
  /// What its frame holds while it is not on the stack.
  var frame: WriterFrame
}

/// Which container a handed-out writer writes to.
struct WriterHandle {
  let serial: UInt64
  let nest: Int
}

extension EncoderRef {
  /// Runs a write with the handle's container on top.
  @inline(__always)
  func inside<Result>(_ handle: WriterHandle, _ body: () throws -> Result) throws -> Result {
    if pointee.top.pointee.serial == handle.serial, pointee.top != pointee.frames { return try body() }
    return try enter(handle, body)
  }

  @inline(never)
  private func enter<Result>(_ handle: WriterHandle, _ body: () throws -> Result) throws -> Result {
    let value = valueFrame
    guard value != pointee.frames else { throw misuse() }
    if value.pointee.serial == handle.serial {
      try sealNests(above: value)
      return try body()
    }
    guard pointee.nests.indices.contains(handle.nest), pointee.nests[handle.nest].serial == handle.serial,
      pointee.nests[handle.nest].value == value.pointee.serial
    else { throw misuse() }
    if pointee.nests[handle.nest].end == nil {
      var frame = pointee.top
      while frame.pointee.serial != handle.serial { frame -= 1 }
      try sealNests(above: frame)
      return try body()
    }
    try sealNests(above: value)
    return try reopen(handle.nest, body)
  }

  /// Opens a container inside the one on top, whose tag was written just now with a wire type of zero. A container
  /// with keys is a record, one without is a list.
  func openNest(_ keys: UnsafePointer<KeyTable>?, tag: Int) throws -> WriterHandle {
    let handle = addNest(tag: tag)
    try place(handle, keys)
    return handle
  }

  /// Keeps a place for a super encoder: a nil, which its first container replaces.
  func openSuper(tag: Int) throws -> WriterHandle {
    setType(.constant, at: tag)
    let handle = addNest(tag: tag)
    try put(Constant.none)
    return handle
  }

  /// Gives a super encoder's place its shape, unless it has that shape already.
  func shapeSuper(_ handle: WriterHandle, _ keys: UnsafePointer<KeyTable>?) throws {
    if let nest = pointee.nests.indices.contains(handle.nest) ? pointee.nests[handle.nest] : nil,
      nest.serial == handle.serial, nest.frame.shape == .undecided, nest.parent == pointee.top.pointee.serial,
      nest.start + 1 == pointee.end - pointee.base
    {
      // Nothing was written since: the usual case. The nil goes and the container is written in place.
      pointee.end -= 1
      clearType(at: nest.tag)
      return try place(handle, keys)
    }
    try inside(handle) {
      let shape: WriterShape = keys == nil ? .list : .record
      if pointee.top.pointee.shape == .undecided {
        try begin(pointee.top, keys)
      } else if pointee.top.pointee.shape != shape {
        throw error(.misuse, "a value asked for two kinds of container")
      }
    }
  }

  private func addNest(tag: Int) -> WriterHandle {
    pointee.serial &+= 1
    let start = pointee.end - pointee.base
    var frame = WriterFrame()
    frame.serial = pointee.serial
    frame.nest = pointee.nests.count
    pointee.nests.append(
      WriterNest(
        serial: frame.serial, value: valueFrame.pointee.serial, parent: pointee.top.pointee.serial, tag: tag,
        start: start, end: start, frame: frame))
    return WriterHandle(serial: frame.serial, nest: frame.nest)
  }

  /// Puts a new nest's frame on top and writes its header.
  private func place(_ handle: WriterHandle, _ keys: UnsafePointer<KeyTable>?) throws {
    let frame = try push()
    frame.pointee = pointee.nests[handle.nest].frame
    pointee.nests[handle.nest].end = nil
    try begin(frame, keys)
    setType(keys == nil ? .list : .record, at: pointee.nests[handle.nest].tag)
  }

  private func begin(_ frame: UnsafeMutablePointer<WriterFrame>, _ keys: UnsafePointer<KeyTable>?) throws {
    if let keys {
      try openRecord(frame, keys)
    } else {
      frame.pointee.shape = .list
      frame.pointee.count = 0
      try put(Mark.openList)
    }
  }

  /// Ends the nested containers that are open above a frame.
  @inline(never)
  func sealNests(above frame: UnsafeMutablePointer<WriterFrame>) throws {
    while pointee.top > frame {
      let top = pointee.top
      pointee.nests[top.pointee.nest].end = pointee.end - pointee.base
      pointee.nests[top.pointee.nest].frame = top.pointee
      try put(top.pointee.shape == .record ? Mark.recordEnd : Mark.listEnd)
      pointee.top = top - 1
    }
  }

  /// Runs a write inside a container that is sealed. The value it belongs to is on top.
  private func reopen<Result>(_ index: Int, _ body: () throws -> Result) throws -> Result {
    let value = pointee.top
    let nest = pointee.nests[index]
    let count = pointee.nests.count
    let split = nest.end!
    let wasPending = nest.frame.shape == .undecided
    // What follows: from the terminator on, or from behind the nil that kept a super encoder's place.
    let rest = pointee.base + split + (wasPending ? 1 : 0)
    let tail = [UInt8](UnsafeRawBufferPointer(start: rest, count: pointee.end - rest))
    let before = pointee.end - pointee.base
    let frame = try push()
    frame.pointee = nest.frame
    pointee.end = pointee.base + split
    do {
      let result = try body()
      try sealNests(above: frame)
      pointee.nests[index].end = pointee.end - pointee.base
      pointee.nests[index].frame = frame.pointee
      if wasPending { try settleSuper(index, frame) }
      try reserve(tail.count)
      putBack(tail)
      pointee.top = value
      shift(by: pointee.end - pointee.base - before, past: split, except: index, among: count)
      return result
    } catch {
      pointee.nests.removeSubrange(count...)
      pointee.nests[index] = nest
      pointee.end = pointee.base + split
      if wasPending { putByte(Constant.none) }
      putBack(tail)
      pointee.top = value
      throw error
    }
  }

  private func putBack(_ tail: [UInt8]) {
    tail.withUnsafeBytes { tail in
      if let bytes = tail.baseAddress { pointee.end.copyMemory(from: bytes, byteCount: tail.count) }
    }
    pointee.end += tail.count
  }

  /// A super encoder's place was filled behind its parent's back: end it and let its tag say with what.
  private func settleSuper(_ index: Int, _ frame: UnsafeMutablePointer<WriterFrame>) throws {
    let type: WireType
    switch frame.pointee.shape {
    case .record:
      try put(Mark.recordEnd)
      type = .record
    case .list:
      try put(Mark.listEnd)
      type = .list
    case .single:
      type = frame.pointee.single
    case .undecided:
      try put(Constant.none)
      type = .constant
    }
    clearType(at: pointee.nests[index].tag)
    setType(type, at: pointee.nests[index].tag)
  }

  private func clearType(at offset: Int) {
    let tag = pointee.base + offset
    tag.storeBytes(of: tag.load(as: UInt8.self) & ~7, as: UInt8.self)
  }

  /// Tells the nests of the value on top that bytes were put in at an offset.
  private func shift(by distance: Int, past split: Int, except index: Int, among count: Int) {
    for other in pointee.top.pointee.nestBase..<count where other != index {
      if pointee.nests[other].tag > split { pointee.nests[other].tag += distance }
      if pointee.nests[other].start > split {
        pointee.nests[other].start += distance
        pointee.nests[other].frame.header += distance
      }
      if let end = pointee.nests[other].end, end > split { pointee.nests[other].end = end + distance }
    }
  }
}
