/// Bytes as they come from a process, cut into lines.
nonisolated package struct LineSplitter: Sendable {
  /// The longest line that is kept; what is beyond it in a line is dropped.
  package static let bytesMax = 64 << 10

  private var line: [UInt8] = []

  package init() {}

  /// Hands on each line that ends in `bytes`. Empty ones are not handed on.
  package mutating func take(_ bytes: UnsafeRawBufferPointer, _ body: ([UInt8]) -> Void) {
    for piece in bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).enumerated() {
      if piece.offset > 0 { finish(body) }
      line.append(contentsOf: piece.element.prefix(Self.bytesMax - line.count))
    }
  }

  /// Hands on what stands after the last line end.
  package mutating func finish(_ body: ([UInt8]) -> Void) {
    if !line.isEmpty { body(line) }
    line.removeAll(keepingCapacity: true)
  }
}
