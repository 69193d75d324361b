/// Bytes on their way to a socket, put one behind the other into a block that grows and is kept.
///
/// No array: an answer's head is made of fifty small pieces, and each append to an array asks whether it is shared.
nonisolated final class GatheredBytes {
  private(set) var count = 0
  // Safety: only this object knows the block, and who looks at it does so within a call.
  private var block: UnsafeMutableRawPointer
  private var capacity: Int
  /// A block that grew larger than this is not kept for the next turn.
  private let keptMax: Int

  private static let firstCapacity = 4 << 10

  init(keptMax: Int) {
    self.keptMax = keptMax
    capacity = Self.firstCapacity
    block = .allocate(byteCount: capacity, alignment: 16)
  }

  deinit { block.deallocate() }

  var isEmpty: Bool { count == 0 }

  func withUnsafeBytes(_ body: (UnsafeRawBufferPointer) -> Void) {
    body(UnsafeRawBufferPointer(start: block, count: count))
  }

  func clear() {
    count = 0
    guard capacity > keptMax else { return }
    block.deallocate()
    capacity = Self.firstCapacity
    block = .allocate(byteCount: capacity, alignment: 16)
  }

  // MARK: Appending

  @inline(__always)
  func append(_ bytes: UnsafeRawBufferPointer) {
    guard let source = bytes.baseAddress else { return }
    reserve(bytes.count)
    (block + count).copyMemory(from: source, byteCount: bytes.count)
    count += bytes.count
  }

  func append(_ bytes: [UInt8]) { bytes.withUnsafeBytes { append($0) } }

  @inline(__always)
  func append(_ text: StaticString) {
    append(UnsafeRawBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
  }

  func append(text: String) {
    var text = text
    text.withUTF8 { append(UnsafeRawBufferPointer($0)) }
  }

  /// The digits of a number that is not negative.
  func append(decimal value: Int) {
    var digits = 1
    var rest = value / 10
    while rest > 0 {
      digits += 1
      rest /= 10
    }
    reserve(digits)
    rest = value
    for place in (count..<count + digits).reversed() {
      block.storeBytes(of: UInt8(truncatingIfNeeded: rest % 10) + 0x30, toByteOffset: place, as: UInt8.self)
      rest /= 10
    }
    count += digits
  }

  @inline(__always)
  private func reserve(_ more: Int) {
    if count + more > capacity { grow(to: count + more) }
  }

  @inline(never)
  private func grow(to needed: Int) {
    let larger = max(needed, capacity * 2)
    let moved = UnsafeMutableRawPointer.allocate(byteCount: larger, alignment: 16)
    moved.copyMemory(from: block, byteCount: count)
    block.deallocate()
    (block, capacity) = (moved, larger)
  }
}
