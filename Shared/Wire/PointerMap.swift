/// What a coder remembers of a type, found by the type's address: two loads when the first guess is right.
struct PointerMap {
  private var slots: UnsafeMutablePointer<Slot>
  private var mask: UInt
  private var count = 0

  private struct Slot {
    var key: UInt
    var value: UnsafeMutableRawPointer?
  }

  init() {
    mask = 63
    slots = .allocate(capacity: 64)
    slots.initialize(repeating: Slot(key: 0, value: nil), count: 64)
  }

  func deallocate() { slots.deallocate() }

  @inline(__always)
  subscript(type: Any.Type) -> UnsafeMutableRawPointer? {
    let key = unsafeBitCast(type, to: UInt.self)
    var index = Self.spread(key) & mask
    while true {
      let slot = slots[Int(bitPattern: index)]
      if slot.key == key { return slot.value }
      if slot.key == 0 { return nil }
      index = (index &+ 1) & mask
    }
  }

  /// Adds a type that is not there.
  mutating func insert(_ value: UnsafeMutableRawPointer, for type: Any.Type) {
    if UInt(count) * 2 >= mask { grow() }
    place(Slot(key: unsafeBitCast(type, to: UInt.self), value: value))
    count += 1
  }

  func forEach(_ body: (UnsafeMutableRawPointer) -> Void) {
    for index in 0...Int(mask) {
      if let value = slots[index].value { body(value) }
    }
  }

  @inline(__always)
  private static func spread(_ key: UInt) -> UInt { (key &>> 4) ^ (key &>> 11) }

  private func place(_ slot: Slot) {
    var index = Self.spread(slot.key) & mask
    while slots[Int(bitPattern: index)].key != 0 { index = (index &+ 1) & mask }
    slots[Int(bitPattern: index)] = slot
  }

  private mutating func grow() {
    let old = slots
    let oldMask = mask
    mask = mask * 2 + 1
    slots = .allocate(capacity: Int(mask) + 1)
    slots.initialize(repeating: Slot(key: 0, value: nil), count: Int(mask) + 1)
    for index in 0...Int(oldMask) where old[index].key != 0 { place(old[index]) }
    old.deallocate()
  }
}
