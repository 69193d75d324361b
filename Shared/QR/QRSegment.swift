/// A part of a text in one of the code's ways of writing: digits in tens of bits, capitals in elevens, anything in bytes.
struct QRSegment {
  enum Mode {
    case digits, capitals, bytes
    /// Says that the bytes which follow are UTF-8; without it readers guess.
    case utf8Mark

    var indicator: Int {
      switch self {
      case .digits: 1
      case .capitals: 2
      case .bytes: 4
      case .utf8Mark: 7
      }
    }

    /// How many bits tell the length.
    func lengthBits(version: Int) -> Int {
      let size = version < 10 ? 0 : version < 27 ? 1 : 2
      return switch self {
      case .digits: [10, 12, 14][size]
      case .capitals: [9, 11, 13][size]
      case .bytes: [8, 16, 16][size]
      case .utf8Mark: 0
      }
    }
  }

  let mode: Mode
  let count: Int
  let bits: QRBits

  /// One segment in the shortest way that can write all of it; links are short and gain little from switching.
  static func segments(of text: String) -> [QRSegment] {
    let bytes = Array(text.utf8)
    if !bytes.isEmpty, bytes.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) {
      return [QRSegment(digits: bytes)]
    }
    let values = bytes.compactMap(value(ofCapital:))
    if !bytes.isEmpty, values.count == bytes.count { return [QRSegment(capitals: values)] }
    let segment = QRSegment(bytes: bytes)
    return bytes.allSatisfy { $0 < 0x80 } ? [segment] : [utf8Mark, segment]
  }

  static func bits(of segments: [QRSegment], version: Int) -> Int {
    segments.reduce(0) { sum, segment in
      let lengthBits = segment.mode.lengthBits(version: version)
      // A length that its field cannot tell fits no code of this version.
      guard lengthBits == 0 || segment.count < 1 << lengthBits else { return sum + 1 << 20 }
      return sum + 4 + lengthBits + segment.bits.count
    }
  }

  /// The segments, the end, and what fills the rest of the code.
  static func codewords(_ segments: [QRSegment], version: Int, bits capacity: Int) -> [UInt8] {
    var all = QRBits()
    for segment in segments {
      all.append(segment.mode.indicator, 4)
      all.append(segment.count, segment.mode.lengthBits(version: version))
      all.append(segment.bits)
    }
    all.append(0, min(4, capacity - all.count))
    all.append(0, (8 - all.count % 8) % 8)
    var words = all.bytes
    var fill: UInt8 = 0xEC
    while words.count < capacity / 8 {
      words.append(fill)
      fill ^= 0xEC ^ 0x11
    }
    return words
  }

  private init(mode: Mode, count: Int, bits: QRBits) {
    self.mode = mode
    self.count = count
    self.bits = bits
  }

  private init(digits: [UInt8]) {
    var bits = QRBits()
    for start in stride(from: 0, to: digits.count, by: 3) {
      let group = digits[start..<min(start + 3, digits.count)]
      let number = group.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
      bits.append(number, group.count * 3 + 1)
    }
    self.init(mode: .digits, count: digits.count, bits: bits)
  }

  private init(capitals values: [Int]) {
    var bits = QRBits()
    for start in stride(from: 0, to: values.count, by: 2) {
      if start + 1 < values.count {
        bits.append(values[start] * 45 + values[start + 1], 11)
      } else {
        bits.append(values[start], 6)
      }
    }
    self.init(mode: .capitals, count: values.count, bits: bits)
  }

  private init(bytes: [UInt8]) {
    var bits = QRBits()
    for byte in bytes { bits.append(Int(byte), 8) }
    self.init(mode: .bytes, count: bytes.count, bits: bits)
  }

  private static var utf8Mark: QRSegment {
    var bits = QRBits()
    bits.append(26, 8)
    return QRSegment(mode: .utf8Mark, count: 0, bits: bits)
  }

  private static func value(ofCapital byte: UInt8) -> Int? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): Int(byte - UInt8(ascii: "0"))
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): Int(byte - UInt8(ascii: "A")) + 10
    default: Array(" $%*+-./:".utf8).firstIndex(of: byte).map { $0 + 36 }
    }
  }
}

/// Bits in a row, the first one the highest of its byte.
struct QRBits {
  private(set) var bytes: [UInt8] = []
  private(set) var count = 0

  mutating func append(_ value: Int, _ width: Int) {
    guard width > 0 else { return }
    for place in stride(from: width - 1, through: 0, by: -1) { append(value >> place & 1 == 1) }
  }

  mutating func append(_ other: QRBits) {
    for place in 0..<other.count { append(other.bytes[place / 8] >> (7 - place % 8) & 1 == 1) }
  }

  private mutating func append(_ bit: Bool) {
    if count % 8 == 0 { bytes.append(0) }
    if bit { bytes[bytes.count - 1] |= 1 << (7 - UInt8(count % 8)) }
    count += 1
  }
}
