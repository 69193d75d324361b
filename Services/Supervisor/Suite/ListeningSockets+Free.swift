package import ServiceKit

nonisolated extension ListeningSockets {
  /// Where the services' ports could begin instead, with room for all of them and their operations.
  package func freeRange(from port: UInt16) -> UInt16 {
    let (lowest, highest, apart) = (7_100, 63_100, 2_000)
    let first = min(Int(port) / 10_000 * 10_000 + 17_100, highest)
    let starts =
      [Int](stride(from: first, through: highest, by: apart))
      + stride(from: lowest, to: first, by: apart).filter { $0 != Int(port) }
    let start = starts.first { start in (start..<start + 1_100).allSatisfy { self[UInt16($0)] == nil } }
    return UInt16(start ?? 17_100)
  }

  /// The next port that nobody listens on.
  package func free(after port: UInt16) -> UInt16 {
    var next = port
    repeat { next = next == .max ? 1_024 : next + 1 } while self[next] != nil
    return next
  }
}
