import CZlib

/// Brings compressed bytes back, piece by piece, and never makes more of them than it was allowed to.
package struct Decompressor: ~Copyable {
  private let stream: UnsafeMutablePointer<z_stream>
  private let format: CompressionFormat
  private let limit: Int
  private var state = State.empty
  /// How many bytes came out so far.
  package private(set) var produced = 0

  private enum State { case empty, inside, ended, failed }

  /// `limit` is the most that may come out, over all pieces.
  package init(_ format: CompressionFormat, limit: Int) {
    self.format = format
    self.limit = limit
    stream = .allocate(capacity: 1)
    stream.initialize(to: z_stream())
    let status = czlib_inflate_begin(stream, format.windowBits)
    precondition(status == Z_OK, "inflate takes these parameters and there is memory")
  }

  deinit {
    inflateEnd(stream)
    stream.deallocate()
  }

  /// Whether the data could end here.
  package var isComplete: Bool { state == .ended }

  /// Takes all of `input` and appends what it stood for to `output`. After an error, nothing more is taken.
  package mutating func append(_ input: UnsafeRawBufferPointer, to output: inout [UInt8]) throws(CompressionError) {
    guard state != .failed else { throw .corrupt("an earlier piece was refused") }
    do throws(CompressionError) {
      var rest = input[...]
      while !rest.isEmpty {
        // A gzip file may hold several members, one after another; zlib data ends once.
        if state == .ended {
          guard format == .gzip else { throw CompressionError.trailingBytes }
          inflateReset(stream)
        }
        let piece = rest.prefix(1 << 30)
        let left = try inflate(UnsafeRawBufferPointer(rebasing: piece), to: &output)
        rest = rest.dropFirst(piece.count - left)
      }
    } catch {
      // A second gzip member that does not begin like one is not a member.
      let wasEnded = state == .ended
      state = .failed
      if wasEnded, case .corrupt = error { throw .trailingBytes }
      throw error
    }
  }

  package mutating func append(_ input: [UInt8], to output: inout [UInt8]) throws(CompressionError) {
    let result = input.withUnsafeBytes { bytes -> CompressionError? in
      do throws(CompressionError) {
        try append(bytes, to: &output)
        return nil
      } catch {
        return error
      }
    }
    if let result { throw result }
  }

  /// Refuses data that ends too early. Call it when there is no more input.
  package func finish() throws(CompressionError) {
    guard state == .ended else { throw .truncated }
  }

  /// Decompresses up to the end of `input` or of the member in it, and returns how many bytes are left over.
  private mutating func inflate(
    _ input: UnsafeRawBufferPointer, to output: inout [UInt8]
  ) throws(CompressionError) -> Int {
    stream.pointee.next_in = UnsafeMutablePointer(
      mutating: input.baseAddress?.assumingMemoryBound(to: UInt8.self))
    stream.pointee.avail_in = UInt32(input.count)
    defer { stream.pointee.next_in = nil }
    let status = withUnsafeTemporaryAllocation(byteCount: Scratch.size, alignment: 1) { scratch -> Int32? in
      while true {
        stream.pointee.next_out = scratch.baseAddress?.assumingMemoryBound(to: UInt8.self)
        stream.pointee.avail_out = UInt32(scratch.count)
        let status = CZlib.inflate(stream, Z_NO_FLUSH)
        let count = scratch.count - Int(stream.pointee.avail_out)
        guard produced + count <= limit else { return nil }
        produced += count
        output.append(contentsOf: scratch.prefix(count))
        guard status == Z_OK, stream.pointee.avail_out == 0 else { return status }
      }
    }
    switch status {
    case nil:
      throw .tooLarge(limit: limit)
    case Z_STREAM_END:
      state = .ended
    case Z_OK, Z_BUF_ERROR:
      state = .inside
    default:
      throw .corrupt(stream.pointee.msg.map { String(cString: $0) } ?? "it needs a dictionary")
    }
    return Int(stream.pointee.avail_in)
  }
}

extension CompressionFormat {
  /// What `input` stands for, in one go: all of it or an error.
  package func decompress(_ input: [UInt8], limit: Int) throws(CompressionError) -> [UInt8] {
    var decompressor = Decompressor(self, limit: limit)
    var output: [UInt8] = []
    try decompressor.append(input, to: &output)
    try decompressor.finish()
    return output
  }
}
