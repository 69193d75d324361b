// The layout of frames stands in README.md.

import RPC

/// What a frame is for.
nonisolated enum FrameKind: UInt8 {
  case hello = 1
  case proof = 2
  case request = 3
  case response = 4
  case error = 5
  case item = 6
  case end = 7
  case credit = 8
  case cancel = 9
  case ping = 10
  case pong = 11
  case drain = 12
  /// The next part of a message that was too large for one frame.
  case more = 13
  /// Key tables that messages from now on may use.
  case define = 14
}

nonisolated struct FrameFlags: OptionSet {
  let rawValue: UInt8

  static let trace = FrameFlags(rawValue: 2)
  static let metadata = FrameFlags(rawValue: 4)
  static let key = FrameFlags(rawValue: 8)
  static let supersede = FrameFlags(rawValue: 16)
  /// Another part follows in a `more` frame of the same stream.
  static let continues = FrameFlags(rawValue: 32)
  /// On a `more` frame: the rest of the message does not come, and what came of it does not count.
  static let aborted = FrameFlags(rawValue: 64)
}

nonisolated struct Frame {
  /// length u32, kind u8, flags u8, stream u32
  static let headerBytes = 10

  let kind: FrameKind
  let flags: FrameFlags
  let stream: UInt32
  /// Lent by whoever read the frame.
  let body: UnsafeRawBufferPointer
}

/// Bytes broke the protocol. The connection closes with this sentence; its bytes cannot be trusted any further.
nonisolated package struct ProtocolViolation: Error, Hashable, Sendable, CustomStringConvertible {
  package let description: String
  init(_ description: String) { self.description = description }
}

/// What breaks the rules of credit breaks those of the protocol.
@inline(__always)
func violating<Result>(_ body: () throws(FlowCredit.Violation) -> Result) throws(ProtocolViolation) -> Result {
  do throws(FlowCredit.Violation) { return try body() } catch { throw ProtocolViolation("\(error)") }
}

/// Cuts a stream of bytes into frames. Whole frames are read where they lie; only what is cut off is copied.
nonisolated struct FrameReader {
  private let bodyMax: Int
  /// The beginning of a frame whose end has not arrived.
  private var rest: [UInt8] = []

  init(bodyMax: Int) { self.bodyMax = bodyMax }

  /// What is held of a frame that is not complete.
  var held: Int { rest.count }

  /// Hands each complete frame to `body`, in order.
  @inline(__always)
  mutating func read(
    _ bytes: UnsafeRawBufferPointer, _ body: (Frame) throws(ProtocolViolation) -> Void
  ) throws(ProtocolViolation) {
    var bytes = bytes
    if !rest.isEmpty {
      guard let whole = try complete(&bytes) else { return }
      var failure: ProtocolViolation?
      whole.withUnsafeBytes { bytes in
        do throws(ProtocolViolation) {
          if let frame = try frame(in: bytes) { try body(frame) }
        } catch {
          failure = error
        }
      }
      if let failure { throw failure }
    }
    while let frame = try frame(in: bytes) {
      try body(frame)
      bytes = UnsafeRawBufferPointer(rebasing: bytes[(Frame.headerBytes + frame.body.count)...])
    }
    if !bytes.isEmpty { rest.append(contentsOf: bytes) }
  }

  /// The first frame of `bytes`, `nil` while it is not whole. Its length is checked before its end is waited for.
  @inline(__always)
  private func frame(in bytes: UnsafeRawBufferPointer) throws(ProtocolViolation) -> Frame? {
    guard bytes.count >= Frame.headerBytes else { return nil }
    let length = Int(UInt32(littleEndian: bytes.loadUnaligned(as: UInt32.self)))
    let size = try bodySize(length)
    guard let kind = FrameKind(rawValue: bytes[4]) else {
      throw ProtocolViolation("a frame has the unknown kind \(bytes[4])")
    }
    guard bytes.count >= Frame.headerBytes + size else { return nil }
    return Frame(
      kind: kind, flags: FrameFlags(rawValue: bytes[5]),
      stream: UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: 6, as: UInt32.self)),
      body: UnsafeRawBufferPointer(rebasing: bytes[Frame.headerBytes..<(Frame.headerBytes + size)]))
  }

  @inline(__always)
  private func bodySize(_ length: Int) throws(ProtocolViolation) -> Int {
    let size = length - (Frame.headerBytes - 4)
    guard size >= 0, size <= bodyMax else {
      throw ProtocolViolation("a frame claims \(length) bytes; at most \(bodyMax + Frame.headerBytes - 4) are allowed")
    }
    return size
  }

  /// Takes from `bytes` what the frame in `rest` still needs: the whole frame, or `nil` while it is not there.
  private mutating func complete(_ bytes: inout UnsafeRawBufferPointer) throws(ProtocolViolation) -> [UInt8]? {
    func take(upTo size: Int) -> Bool {
      let count = min(size - rest.count, bytes.count)
      if count > 0 {
        rest.append(contentsOf: bytes[..<count])
        bytes = UnsafeRawBufferPointer(rebasing: bytes[count...])
      }
      return rest.count >= size
    }
    guard take(upTo: Frame.headerBytes) else { return nil }
    let length = rest.withUnsafeBytes { Int(UInt32(littleEndian: $0.loadUnaligned(as: UInt32.self))) }
    guard take(upTo: Frame.headerBytes + (try bodySize(length))) else { return nil }
    defer { rest = [] }
    return rest
  }
}

/// Reads the fields of a frame's body in their order.
nonisolated struct BodyReader {
  private(set) var left: UnsafeRawBufferPointer

  init(_ body: UnsafeRawBufferPointer) { left = body }

  @inline(__always)
  mutating func integer<Number: FixedWidthInteger>(_: Number.Type = Number.self) throws(ProtocolViolation) -> Number {
    let size = MemoryLayout<Number>.size
    guard left.count >= size else { throw ProtocolViolation("a frame's body ends inside a field") }
    let value = Number(littleEndian: left.loadUnaligned(as: Number.self))
    left = UnsafeRawBufferPointer(rebasing: left[size...])
    return value
  }

  @inline(__always)
  mutating func bytes(_ count: Int) throws(ProtocolViolation) -> UnsafeRawBufferPointer {
    guard count >= 0, count <= left.count else { throw ProtocolViolation("a frame's body ends inside a field") }
    defer { left = UnsafeRawBufferPointer(rebasing: left[count...]) }
    return UnsafeRawBufferPointer(rebasing: left[..<count])
  }

  /// A text with its length in 16 bits before it.
  mutating func text(atMost limit: Int) throws(ProtocolViolation) -> String {
    let count = Int(try integer(UInt16.self))
    guard count <= limit else { throw ProtocolViolation("a text has \(count) bytes; at most \(limit) are allowed") }
    guard let text = String(validating: try bytes(count), as: UTF8.self) else {
      throw ProtocolViolation("a text is not UTF-8")
    }
    return text
  }

  func end() throws(ProtocolViolation) {
    guard left.isEmpty else { throw ProtocolViolation("a frame's body has \(left.count) bytes too many") }
  }
}

/// The bytes of a frame that is being built. One for each connection, reused.
nonisolated struct FrameBuilder {
  private(set) var bytes: [UInt8] = []

  /// Begins a frame anew.
  mutating func begin(_ kind: FrameKind, _ flags: FrameFlags, _ stream: UInt32) {
    bytes.removeAll(keepingCapacity: true)
    integer(UInt32(0))
    bytes.append(kind.rawValue)
    bytes.append(flags.rawValue)
    integer(stream)
  }

  @inline(__always)
  mutating func integer<Number: FixedWidthInteger>(_ value: Number) {
    withUnsafeBytes(of: value.littleEndian) { bytes.append(contentsOf: $0) }
  }

  mutating func append(_ more: UnsafeRawBufferPointer) { bytes.append(contentsOf: more) }
  mutating func append(_ more: [UInt8]) { bytes.append(contentsOf: more) }

  /// A text with its length before it, cut at a character if it is over `limit`.
  mutating func text(_ text: String, atMost limit: Int) {
    var text = text
    while text.utf8.count > limit { text.removeLast() }
    integer(UInt16(text.utf8.count))
    bytes.append(contentsOf: text.utf8)
  }

  /// The whole frame, its length filled in; `extra` bytes of body follow it elsewhere.
  mutating func finish(extra: Int = 0) {
    let length = UInt32(bytes.count - 4 + extra).littleEndian
    bytes.withUnsafeMutableBytes { $0.storeBytes(of: length, as: UInt32.self) }
  }
}
