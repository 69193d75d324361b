/// Storage of requests' heads, shared by all connections, so that an idle one holds none and a busy one allocates none.
nonisolated struct HeadPool {
  private var free: [HTTPHead] = []

  /// Requests that are between their first byte and their answer at the same moment, usually.
  private static let kept = 64
  /// A head that grew larger than usual is not kept.
  private static let keptBytes = 4 << 10

  mutating func take() -> HTTPHead { free.popLast() ?? HTTPHead() }

  /// Takes the storage of `head` and leaves it without any.
  mutating func takeBack(_ head: inout HTTPHead) {
    guard !head.isBare else { return }
    var storage = HTTPHead()
    swap(&storage, &head)
    guard free.count < Self.kept, storage.bytes.capacity <= Self.keptBytes else { return }
    storage.clear()
    free.append(storage)
  }
}
