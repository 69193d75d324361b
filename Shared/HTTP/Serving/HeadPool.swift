/// Storage of requests' heads, shared by all connections, so that an idle one holds none and a busy one allocates none.
final class HeadPool {
  /// Stands where there is no head.
  let none = HTTPHead()
  private var free: [HTTPHead] = []

  /// Requests that are between their first byte and their answer at the same moment, usually.
  private static let kept = 64
  /// A head that grew larger than usual is not kept.
  private static let keptBytes = 4 << 10

  func take() -> HTTPHead { free.popLast() ?? HTTPHead() }

  /// Takes the head back unless somebody else still looks at it.
  func giveBack(_ head: inout HTTPHead) {
    guard head !== none else { return }
    if free.count < Self.kept, isKnownUniquelyReferenced(&head), head.bytes.capacity <= Self.keptBytes {
      head.clear()
      free.append(head)
    }
    head = none
  }
}
