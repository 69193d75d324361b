import CZlib

/// Makes bytes smaller, piece by piece. After `finish` it is as new, and its 256 KiB of state are used again.
package struct Compressor: ~Copyable {
  // On the heap because zlib's state points back at it.
  private let stream: UnsafeMutablePointer<z_stream>

  package init(_ format: CompressionFormat, level: CompressionLevel = .balanced) {
    stream = .allocate(capacity: 1)
    stream.initialize(to: z_stream())
    let status = czlib_deflate_begin(stream, level.rawValue, format.windowBits)
    precondition(status == Z_OK, "deflate takes these parameters and there is memory")
  }

  deinit {
    deflateEnd(stream)
    stream.deallocate()
  }

  /// Takes all of `input`; what becomes ready is appended to `output`.
  package mutating func append(_ input: UnsafeRawBufferPointer, to output: inout [UInt8]) {
    var input = input[...]
    repeat {
      // zlib counts in 32 bits.
      let piece = input.prefix(1 << 30)
      input = input.dropFirst(piece.count)
      deflate(UnsafeRawBufferPointer(rebasing: piece), Z_NO_FLUSH, to: &output)
    } while !input.isEmpty
  }

  package mutating func append(_ input: [UInt8], to output: inout [UInt8]) {
    input.withUnsafeBytes { append($0, to: &output) }
  }

  /// Brings out everything taken so far, at a byte's edge, so that the reader can have it now.
  package mutating func flush(to output: inout [UInt8]) {
    deflate(UnsafeRawBufferPointer(start: nil, count: 0), Z_SYNC_FLUSH, to: &output)
  }

  /// Ends the compressed data and begins anew.
  package mutating func finish(to output: inout [UInt8]) {
    deflate(UnsafeRawBufferPointer(start: nil, count: 0), Z_FINISH, to: &output)
    deflateReset(stream)
  }

  private func deflate(_ input: UnsafeRawBufferPointer, _ flush: Int32, to output: inout [UInt8]) {
    stream.pointee.next_in = UnsafeMutablePointer(
      mutating: input.baseAddress?.assumingMemoryBound(to: UInt8.self))
    stream.pointee.avail_in = UInt32(input.count)
    withUnsafeTemporaryAllocation(byteCount: Scratch.size, alignment: 1) { scratch in
      var status: Int32
      repeat {
        stream.pointee.next_out = scratch.baseAddress?.assumingMemoryBound(to: UInt8.self)
        stream.pointee.avail_out = UInt32(scratch.count)
        status = CZlib.deflate(stream, flush)
        precondition(status != Z_STREAM_ERROR, "deflate is only used through this type")
        output.append(contentsOf: scratch.prefix(scratch.count - Int(stream.pointee.avail_out)))
      } while stream.pointee.avail_out == 0 && status != Z_STREAM_END
    }
    stream.pointee.next_in = nil
  }
}

/// Where zlib puts its output before it is known how much there is.
enum Scratch {
  static let size = 16 << 10
}

extension CompressionFormat {
  /// `input` compressed in one go.
  package func compress(_ input: [UInt8], level: CompressionLevel = .balanced) -> [UInt8] {
    var compressor = Compressor(self, level: level)
    var output: [UInt8] = []
    output.reserveCapacity(input.count / 3 + 64)
    compressor.append(input, to: &output)
    compressor.finish(to: &output)
    return output
  }
}
