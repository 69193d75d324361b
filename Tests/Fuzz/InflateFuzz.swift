import Compression

/// However a peer's compressed bytes are cut and whatever they are, no more than the limit comes out, and the same.
func fuzzInflate(_ input: UnsafeBufferPointer<UInt8>) {
  let limit = 1 << 16
  let bytes = Array(input)
  let format = CompressionFormat.allCases[(bytes.first.map(Int.init) ?? 0) % CompressionFormat.allCases.count]
  let input = Array(bytes.dropFirst())
  let whole = try? format.decompress(input, limit: limit)
  precondition((whole?.count ?? 0) <= limit, "the limit was passed")

  var output: [UInt8] = []
  var decompressor = Decompressor(format, limit: limit)
  var isRefused = false
  do {
    for byte in input { try decompressor.append([byte], to: &output) }
    try decompressor.finish()
  } catch {
    isRefused = true
  }
  precondition(output.count <= limit, "the limit was passed")
  precondition(isRefused == (whole == nil), "byte by byte it ends otherwise")
  precondition(isRefused || output == whole, "byte by byte it means something else")
}
