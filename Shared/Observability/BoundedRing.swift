/// The last so many elements, and of them no more than so many bytes; the oldest make room.
struct BoundedRing<Element> {
  private let countMax: Int
  private let bytesMax: Int
  private var slots: [(element: Element, bytes: Int)?]
  private var start = 0
  private(set) var count = 0
  private(set) var bytes = 0

  init(countMax: Int, bytesMax: Int) {
    self.countMax = max(countMax, 1)
    self.bytesMax = bytesMax
    slots = []
  }

  /// Oldest first.
  var elements: [Element] { (0..<count).compactMap { slots[(start + $0) % slots.count]?.element } }

  /// An element larger than the whole ring is not kept.
  mutating func append(_ element: Element, bytes size: Int) {
    guard size <= bytesMax else { return }
    while count == countMax || bytes + size > bytesMax { removeFirst() }
    if count == slots.count { grow() }
    slots[(start + count) % slots.count] = (element, size)
    count += 1
    bytes += size
  }

  private mutating func removeFirst() {
    bytes -= slots[start]?.bytes ?? 0
    slots[start] = nil
    start = (start + 1) % slots.count
    count -= 1
  }

  // Grown on demand, so that a quiet process does not pay for the ring of a busy one.
  private mutating func grow() {
    var larger: [(element: Element, bytes: Int)?] = []
    let size = min(max(16, slots.count * 2), countMax)
    larger.reserveCapacity(size)
    for offset in 0..<count { larger.append(slots[(start + offset) % slots.count]) }
    larger.append(contentsOf: repeatElement(nil, count: size - count))
    slots = larger
    start = 0
  }
}
