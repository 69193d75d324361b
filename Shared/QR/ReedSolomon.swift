/// The words that let a damaged code be read: Reed-Solomon over the field of 256 elements, in blocks as the standard's
/// tables say.
enum ReedSolomon {
  /// The data with its correction words, in the order in which they are drawn: the first word of each block, the second…
  static func interleaved(_ data: [UInt8], version: Int, correction: QRCorrection) -> [UInt8] {
    let blocks = version.blocks(correction)
    let checkCount = version.checkWords(correction)
    let total = version.rawBits / 8
    let short = total / blocks - checkCount
    let longBlocks = total % blocks
    let divisor = divisor(degree: checkCount)
    var parts: [(data: ArraySlice<UInt8>, check: [UInt8])] = []
    var start = 0
    for block in 0..<blocks {
      // The blocks behind are one word longer where the words do not divide evenly.
      let count = short + (block >= blocks - longBlocks ? 1 : 0)
      let part = data[start..<start + count]
      parts.append((part, remainder(of: part, by: divisor)))
      start += count
    }
    var words: [UInt8] = []
    words.reserveCapacity(total)
    for place in 0...short {
      for part in parts where place < part.data.count { words.append(part.data[part.data.startIndex + place]) }
    }
    for place in 0..<checkCount {
      for part in parts { words.append(part.check[place]) }
    }
    return words
  }

  /// The polynomial with the roots 2⁰ to 2ⁿ⁻¹, highest coefficient left out.
  private static func divisor(degree: Int) -> [UInt8] {
    var result = [UInt8](repeating: 0, count: degree)
    result[degree - 1] = 1
    var root: UInt8 = 1
    for _ in 0..<degree {
      for place in 0..<degree {
        result[place] = product(result[place], root)
        if place + 1 < degree { result[place] ^= result[place + 1] }
      }
      root = product(root, 2)
    }
    return result
  }

  private static func remainder(of data: ArraySlice<UInt8>, by divisor: [UInt8]) -> [UInt8] {
    var result = [UInt8](repeating: 0, count: divisor.count)
    for byte in data {
      let factor = byte ^ result.removeFirst()
      result.append(0)
      for place in result.indices { result[place] ^= product(divisor[place], factor) }
    }
    return result
  }

  private static func product(_ left: UInt8, _ right: UInt8) -> UInt8 {
    var result = 0
    for place in stride(from: 7, through: 0, by: -1) {
      result = result << 1 ^ (result >> 7) * 0x11D
      if right >> UInt8(place) & 1 == 1 { result ^= Int(left) }
    }
    return UInt8(result & 0xFF)
  }
}

/// What the standard says of a version, 1 to 40.
extension Int {
  /// Squares for data and correction.
  var rawBits: Int {
    var bits = (16 * self + 128) * self + 64
    if self >= 2 {
      let marks = self / 7 + 2
      bits -= (25 * marks - 10) * marks - 55
      if self >= 7 { bits -= 36 }
    }
    return bits
  }

  func dataBits(_ correction: QRCorrection) -> Int {
    (rawBits / 8 - checkWords(correction) * blocks(correction)) * 8
  }

  /// Correction words of one block.
  func checkWords(_ correction: QRCorrection) -> Int { Int(QRTables.checkWords[correction.row][self - 1]) }

  func blocks(_ correction: QRCorrection) -> Int { Int(QRTables.blocks[correction.row][self - 1]) }
}

extension QRCorrection {
  fileprivate var row: Int {
    switch self {
    case .low: 0
    case .medium: 1
    case .quartile: 2
    case .high: 3
    }
  }
}

/// Table 9 of the standard: rows L, M, Q, H; a column a version.
private enum QRTables {
  static let checkWords: [[UInt8]] = [
    [
      7, 10, 15, 20, 26, 18, 20, 24, 30, 18, 20, 24, 26, 30, 22, 24, 28, 30, 28, 28, 28, 28, 30, 30, 26, 28, 30, 30, 30,
      30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30,
    ],
    [
      10, 16, 26, 18, 24, 16, 18, 22, 22, 26, 30, 22, 22, 24, 24, 28, 28, 26, 26, 26, 26, 28, 28, 28, 28, 28, 28, 28,
      28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28,
    ],
    [
      13, 22, 18, 26, 18, 24, 18, 22, 20, 24, 28, 26, 24, 20, 30, 24, 28, 28, 26, 30, 28, 30, 30, 30, 30, 28, 30, 30,
      30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30,
    ],
    [
      17, 28, 22, 16, 22, 28, 26, 26, 24, 28, 24, 28, 22, 24, 24, 30, 28, 28, 26, 28, 30, 24, 30, 30, 30, 30, 30, 30,
      30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30,
    ],
  ]

  static let blocks: [[UInt8]] = [
    [
      1, 1, 1, 1, 1, 2, 2, 2, 2, 4, 4, 4, 4, 4, 6, 6, 6, 6, 7, 8, 8, 9, 9, 10, 12, 12, 12, 13, 14, 15, 16, 17, 18, 19,
      19, 20, 21, 22, 24, 25,
    ],
    [
      1, 1, 1, 2, 2, 4, 4, 4, 5, 5, 5, 8, 9, 9, 10, 10, 11, 13, 14, 16, 17, 17, 18, 20, 21, 23, 25, 26, 28, 29, 31, 33,
      35, 37, 38, 40, 43, 45, 47, 49,
    ],
    [
      1, 1, 2, 2, 4, 4, 6, 6, 8, 8, 8, 10, 12, 16, 12, 17, 16, 18, 21, 20, 23, 23, 25, 27, 29, 34, 34, 35, 38, 40, 43,
      45, 48, 51, 53, 56, 59, 62, 65, 68,
    ],
    [
      1, 1, 2, 4, 4, 4, 5, 6, 8, 8, 11, 11, 16, 16, 18, 16, 19, 21, 25, 25, 25, 34, 30, 32, 35, 37, 40, 42, 45, 48, 51,
      54, 57, 60, 63, 66, 70, 74, 77, 81,
    ],
  ]
}
