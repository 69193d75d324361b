/// An IPv4 or IPv6 address.
nonisolated package struct IPAddress: Hashable, Sendable, CustomStringConvertible {
  /// Sixteen bytes in network order; an IPv4 address is held as `::ffff:a.b.c.d`.
  package let high: UInt64
  package let low: UInt64
  package let isV4: Bool

  package init(v4 address: UInt32) {
    high = 0
    low = 0xFFFF_0000_0000 | UInt64(address)
    isV4 = true
  }

  package init(v6 high: UInt64, _ low: UInt64) {
    self.high = high
    self.low = low
    isV4 = false
  }

  package static let loopback = IPAddress(v4: 0x7F00_0001)
  package static let any = IPAddress(v4: 0)

  /// The four bytes of an IPv4 address as one number, `nil` for IPv6.
  package var v4: UInt32? { isV4 ? UInt32(truncatingIfNeeded: low) : nil }

  package var isLoopback: Bool { isV4 ? low >> 24 & 0xFF == 127 : high == 0 && low == 1 }

  /// Reads the strict textual forms only: four decimal numbers, or RFC 4291. Never `127.1` or `0x7f000001`.
  package init?(_ text: some StringProtocol) {
    if let v4 = Self.parseV4(text) {
      self.init(v4: v4)
    } else if let (high, low) = Self.parseV6(text) {
      self.init(v6: high, low)
    } else {
      return nil
    }
  }

  private static func parseV4(_ text: some StringProtocol) -> UInt32? {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 4 else { return nil }
    var address: UInt32 = 0
    for part in parts {
      guard (1...3).contains(part.utf8.count), part.utf8.allSatisfy({ (48...57).contains($0) }),
        part.utf8.count == 1 || part.utf8.first != 48, let byte = UInt8(part)
      else { return nil }
      address = address << 8 | UInt32(byte)
    }
    return address
  }

  private static func parseV6(_ text: some StringProtocol) -> (UInt64, UInt64)? {
    guard text.utf8.count <= 45, text.utf8.contains(58) else { return nil }
    var head: [UInt16] = []
    var tail: [UInt16] = []
    var sawGap = false
    var groups = text.split(separator: ":", omittingEmptySubsequences: false)[...]
    // "::" shows as empty groups: two at an end of the text, one in its middle.
    if groups.first?.isEmpty == true {
      guard groups.count > 2, groups.dropFirst().first?.isEmpty == true else { return nil }
      groups = groups.dropFirst()
    }
    if groups.last?.isEmpty == true {
      guard groups.count > 1, groups.dropLast().last?.isEmpty == true else { return nil }
      groups = groups.dropLast()
    }
    for (index, group) in groups.enumerated() {
      if group.isEmpty {
        guard !sawGap else { return nil }
        sawGap = true
        continue
      }
      var words: [UInt16]
      if group.utf8.contains(46) {
        guard index == groups.count - 1, let v4 = parseV4(group) else { return nil }
        words = [UInt16(truncatingIfNeeded: v4 >> 16), UInt16(truncatingIfNeeded: v4)]
      } else {
        guard group.utf8.count <= 4, group.utf8.allSatisfy({ Character(UnicodeScalar($0)).isHexDigit }),
          let word = UInt16(group, radix: 16)
        else { return nil }
        words = [word]
      }
      if sawGap { tail += words } else { head += words }
    }
    let count = head.count + tail.count
    guard sawGap ? count < 8 : count == 8 else { return nil }
    let all = head + Array(repeating: 0, count: 8 - count) + tail
    func pack(_ words: ArraySlice<UInt16>) -> UInt64 { words.reduce(0) { $0 << 16 | UInt64($1) } }
    return (pack(all[0..<4]), pack(all[4..<8]))
  }

  /// The shortest form, as RFC 5952 has it.
  package var description: String {
    if let v4 { return "\(v4 >> 24).\(v4 >> 16 & 0xFF).\(v4 >> 8 & 0xFF).\(v4 & 0xFF)" }
    let words = (0..<8).map { UInt16(truncatingIfNeeded: ($0 < 4 ? high : low) >> (16 * UInt64(3 - $0 % 4))) }
    var gap = 0..<0
    var index = 0
    while index < 8 {
      var end = index
      while end < 8, words[end] == 0 { end += 1 }
      if end - index > gap.count, end - index > 1 { gap = index..<end }
      index = max(end, index + 1)
    }
    func hex(_ range: Range<Int>) -> String { words[range].map { String($0, radix: 16) }.joined(separator: ":") }
    return gap.isEmpty ? hex(0..<8) : hex(0..<gap.lowerBound) + "::" + hex(gap.upperBound..<8)
  }
}
