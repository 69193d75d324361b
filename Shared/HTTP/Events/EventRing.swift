import Clocks

/// The last events, numbered without gaps: what clients are sent from, and what those get who come back.
nonisolated struct EventRing {
  struct Entry {
    let topic: String
    let key: String?
    let id: String
    /// Made once, sent to everybody.
    let bytes: [UInt8]
    let at: Instant
  }

  /// The number that the next event will have.
  private(set) var end: UInt64 = 0
  /// The number of the oldest event that is still here.
  private(set) var begin: UInt64 = 0

  private let limits: EventLimits
  private var slots: [Entry?] = []
  private var bytes = 0
  private var numbers: [String: UInt64] = [:]
  private var newest: [String: UInt64] = [:]

  init(limits: EventLimits) { self.limits = limits }

  subscript(number: UInt64) -> Entry? {
    number >= begin && number < end ? slots[Int(number % UInt64(limits.ringEvents))] : nil
  }

  /// The event's number by its id, if it is still here.
  func number(of id: String) -> UInt64? { numbers[id] }

  /// The id of the oldest and of the newest event here.
  var oldestID: String? { self[begin]?.id }
  var newestID: String? { end > 0 ? self[end - 1]?.id : nil }

  /// Whether a newer event of the same key makes this one needless.
  func isSuperseded(_ number: UInt64, _ entry: Entry) -> Bool {
    entry.key.map { newest[$0] != number } ?? false
  }

  /// Takes an event in and returns its number.
  mutating func append(_ entry: Entry) -> UInt64 {
    while end - begin >= UInt64(limits.ringEvents) || end > begin && bytes + entry.bytes.count > limits.ringBytes {
      dropOldest()
    }
    let slot = Int(end % UInt64(limits.ringEvents))
    if slot == slots.count { slots.append(entry) } else { slots[slot] = entry }
    bytes += entry.bytes.count
    numbers[entry.id] = end
    if let key = entry.key { newest[key] = end }
    end += 1
    return end - 1
  }

  /// Drops what is too old to be of use.
  mutating func expire(now: Instant) {
    while let oldest = self[begin], now - oldest.at > limits.ringAge { dropOldest() }
  }

  private mutating func dropOldest() {
    let slot = Int(begin % UInt64(limits.ringEvents))
    if let entry = slots[slot] {
      bytes -= entry.bytes.count
      if numbers[entry.id] == begin { numbers[entry.id] = nil }
      if let key = entry.key, newest[key] == begin { newest[key] = nil }
    }
    slots[slot] = nil
    begin += 1
  }
}
