import EventLoops

/// Bytes that were written to a stream without a kernel and are not on their way yet, with a socket's water marks.
struct Outbox {
  private let limits: StreamLimits
  private var bytes: [UInt8] = []
  /// Where the bytes begin that were not taken yet: taking does not move the rest.
  private var start = 0
  private(set) var isOverHighWater = false

  init(_ limits: StreamLimits) { self.limits = limits }

  var count: Int { bytes.count - start }
  var isEmpty: Bool { count == 0 }
  var isOverflowing: Bool { count > limits.queueMax }

  mutating func append(_ more: UnsafeRawBufferPointer) {
    bytes.append(contentsOf: more)
    if count > limits.queueHighWater { isOverHighWater = true }
  }

  mutating func take(_ most: Int) -> [UInt8] {
    let size = min(most, count)
    if start == 0, size == bytes.count {
      defer { bytes = [] }
      return bytes
    }
    let taken = Array(bytes[start..<start + size])
    start += size
    if start * 2 >= bytes.count {
      bytes.removeFirst(start)
      start = 0
    }
    return taken
  }

  /// Whether the writer is to be told that there is room again. True once for each time it was over the high mark.
  mutating func hasDrained() -> Bool {
    guard isOverHighWater, count < limits.queueLowWater else { return false }
    isOverHighWater = false
    return true
  }

  mutating func clear() {
    bytes = []
    start = 0
  }
}
