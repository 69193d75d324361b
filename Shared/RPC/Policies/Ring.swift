/// A double-ended queue that keeps its storage: after it has grown to its usual size it allocates nothing.
package struct Ring<Element> {
  private var slots: [Element?] = []
  private var head = 0
  package private(set) var count = 0

  package init() {}

  package var isEmpty: Bool { count == 0 }

  package var first: Element? { isEmpty ? nil : slots[head] }

  package var last: Element? { isEmpty ? nil : slots[index(count - 1)] }

  package mutating func append(_ element: Element) {
    if count == slots.count { grow() }
    slots[index(count)] = element
    count += 1
  }

  package mutating func popFirst() -> Element? {
    guard !isEmpty else { return nil }
    defer {
      head = index(1)
      count -= 1
    }
    return slots[head].take()
  }

  package mutating func popLast() -> Element? {
    guard !isEmpty else { return nil }
    count -= 1
    return slots[index(count)].take()
  }

  /// Takes out the first element that fits, closing the gap. Linear.
  package mutating func remove(where fits: (Element) -> Bool) -> Element? {
    guard let offset = (0..<count).first(where: { slots[index($0)].map(fits) ?? false }) else { return nil }
    let removed = slots[index(offset)]
    for position in offset..<count - 1 { slots[index(position)] = slots[index(position + 1)] }
    count -= 1
    slots[index(count)] = nil
    return removed
  }

  /// The capacity is a power of two, so a mask takes the place of a division.
  private func index(_ offset: Int) -> Int { (head + offset) & (slots.count - 1) }

  private mutating func grow() {
    var larger: [Element?] = []
    larger.reserveCapacity(max(8, slots.count * 2))
    for offset in 0..<count { larger.append(slots[index(offset)]) }
    larger.append(contentsOf: repeatElement(nil, count: max(8, slots.count * 2) - count))
    slots = larger
    head = 0
  }
}
