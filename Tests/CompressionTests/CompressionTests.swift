import Clocks
import Compression
import Testing

@Suite("Compression")
struct CompressionTests {
  /// Bytes with runs and noise, so that every deflate block type is met. SplitMix64: the seed is the whole input.
  static func sample(_ count: Int, seed: UInt64) -> [UInt8] {
    var generator = SeededRandom(seed: seed)
    var bytes: [UInt8] = []
    bytes.reserveCapacity(count)
    while bytes.count < count {
      let byte = UInt8(truncatingIfNeeded: generator.next())
      let run = generator.next() % 4 == 0 ? Int(generator.next() % 300) : 1
      bytes.append(contentsOf: repeatElement(byte, count: min(run, count - bytes.count)))
    }
    return bytes
  }

  @Test("what is compressed comes back", arguments: CompressionFormat.allCases, [0, 1, 100, 16_384, 300_000])
  func roundTrip(format: CompressionFormat, size: Int) throws {
    let bytes = Self.sample(size, seed: UInt64(size))
    for level in [CompressionLevel.fastest, .balanced, .smallest] {
      let packed = format.compress(bytes, level: level)
      #expect(try format.decompress(packed, limit: size) == bytes)
    }
  }

  @Test("the bytes are those that other programs write and read")
  func interoperates() throws {
    // printf 'odi' | gzip -n, and python3 -c "zlib.compress(b'odi')"
    let gzip: [UInt8] = [
      0x1f, 0x8b, 0x08, 0, 0, 0, 0, 0, 0, 0x03, 0xcb, 0x4f, 0xc9, 0x04, 0x00, 0x50, 0x22, 0x35, 0x89, 3, 0, 0, 0,
    ]
    let zlib: [UInt8] = [0x78, 0x9c, 0xcb, 0x4f, 0xc9, 0x04, 0x00, 0x02, 0x81, 0x01, 0x3d]
    #expect(try CompressionFormat.gzip.decompress(gzip, limit: 3) == Array("odi".utf8))
    #expect(try CompressionFormat.zlib.decompress(zlib, limit: 3) == Array("odi".utf8))
    let header = CompressionFormat.gzip.compress(Array("odi".utf8)).prefix(4)
    #expect(header == [0x1f, 0x8b, 8, 0])
  }

  @Test("pieces of any size, in and out, make the same")
  func streaming() throws {
    let bytes = Self.sample(50_000, seed: 7)
    var compressor = Compressor(.gzip)
    var packed: [UInt8] = []
    for piece in stride(from: 0, to: bytes.count, by: 997) {
      compressor.append(Array(bytes[piece..<min(piece + 997, bytes.count)]), to: &packed)
    }
    compressor.finish(to: &packed)
    for step in [1, 2, 13, 4_096] {
      var decompressor = Decompressor(.gzip, limit: bytes.count)
      var output: [UInt8] = []
      for piece in stride(from: 0, to: packed.count, by: step) {
        let isComplete = decompressor.isComplete
        #expect(!isComplete)
        try decompressor.append(Array(packed[piece..<min(piece + step, packed.count)]), to: &output)
      }
      try decompressor.finish()
      #expect(output == bytes)
      let produced = decompressor.produced
      #expect(produced == bytes.count)
    }
  }

  @Test("a compressor serves again after its end")
  func reuse() throws {
    var compressor = Compressor(.zlib)
    for round in 0..<3 {
      let bytes = Self.sample(1_000 + round, seed: UInt64(round))
      var packed: [UInt8] = []
      compressor.append(bytes, to: &packed)
      compressor.finish(to: &packed)
      #expect(packed == CompressionFormat.zlib.compress(bytes))
    }
  }

  @Test("what was flushed can be read before the end")
  func flush() throws {
    var compressor = Compressor(.gzip)
    var decompressor = Decompressor(.gzip, limit: 100)
    var packed: [UInt8] = []
    compressor.append(Array("now".utf8), to: &packed)
    compressor.flush(to: &packed)
    var output: [UInt8] = []
    try decompressor.append(packed, to: &output)
    #expect(output == Array("now".utf8))
    #expect(throws: CompressionError.truncated) { try decompressor.finish() }
  }

  @Test("a bomb stops at the limit and costs no more than that", arguments: CompressionFormat.allCases)
  func bomb(format: CompressionFormat) throws {
    let packed = format.compress(Array(repeating: 0, count: 16 << 20), level: .smallest)
    #expect(packed.count < 20_000)
    var decompressor = Decompressor(format, limit: 1 << 20)
    var output: [UInt8] = []
    #expect(throws: CompressionError.tooLarge(limit: 1 << 20)) { try decompressor.append(packed, to: &output) }
    #expect(output.count <= 1 << 20)
    #expect(throws: CompressionError.self) { try decompressor.append([0], to: &output) }
  }

  @Test("exactly the limit is allowed, one byte more is not")
  func limitIsExact() throws {
    let packed = CompressionFormat.gzip.compress(Self.sample(5_000, seed: 1))
    #expect(try CompressionFormat.gzip.decompress(packed, limit: 5_000).count == 5_000)
    #expect(throws: CompressionError.tooLarge(limit: 4_999)) {
      try CompressionFormat.gzip.decompress(packed, limit: 4_999)
    }
  }

  @Test("data cut at any byte is truncated, not shorter", arguments: CompressionFormat.allCases)
  func truncated(format: CompressionFormat) {
    let packed = format.compress(Self.sample(500, seed: 3))
    for count in 0..<packed.count {
      #expect(throws: CompressionError.truncated, "cut at \(count)") {
        try format.decompress(Array(packed.prefix(count)), limit: 500)
      }
    }
  }

  @Test("gzip members follow one another, garbage does not")
  func members() throws {
    let two = CompressionFormat.gzip.compress([1, 2]) + CompressionFormat.gzip.compress([3])
    #expect(try CompressionFormat.gzip.decompress(two, limit: 3) == [1, 2, 3])
    #expect(throws: CompressionError.tooLarge(limit: 2)) { try CompressionFormat.gzip.decompress(two, limit: 2) }
    #expect(throws: CompressionError.trailingBytes) {
      try CompressionFormat.gzip.decompress(CompressionFormat.gzip.compress([1]) + Array("xx".utf8), limit: 9)
    }
    #expect(throws: CompressionError.trailingBytes) {
      try CompressionFormat.zlib.decompress(CompressionFormat.zlib.compress([1]) + [0], limit: 9)
    }
  }

  @Test("a flipped bit is refused or, outside the checksum, harmless")
  func corrupt() {
    let bytes = Self.sample(400, seed: 5)
    let packed = CompressionFormat.zlib.compress(bytes)
    for bit in 0..<packed.count * 8 {
      var broken = packed
      broken[bit / 8] ^= 1 << UInt8(bit % 8)
      if let output = try? CompressionFormat.zlib.decompress(broken, limit: 1_000) { #expect(output == bytes) }
    }
  }

  @Test("random bytes never crash the decompressor", arguments: CompressionFormat.allCases)
  func random(format: CompressionFormat) {
    var generator = SeededRandom(seed: 2026)
    for _ in 0..<2_000 {
      var bytes = (0..<Int(generator.next() % 64)).map { _ in UInt8(truncatingIfNeeded: generator.next()) }
      if format == .gzip { bytes = [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3] + bytes }
      _ = try? format.decompress(bytes, limit: 4_096)
    }
  }

  @Test("a level is 1 to 9")
  func levels() {
    #expect(CompressionLevel(rawValue: 0) == nil && CompressionLevel(rawValue: 10) == nil)
    #expect(CompressionLevel(rawValue: 6)?.rawValue == 6)
  }
}
