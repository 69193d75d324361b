import CGumbo

/// Turns bytes of any encoding into UTF-8. What means nothing becomes U+FFFD; nothing fails but a missing converter.
///
/// UTF-8, UTF-16 and windows-1252 are read here; the rest by the C library's iconv, whose converters are files of the
/// system (`gconv`).
enum TextDecoder {
  static func decode(
    _ bytes: ArraySlice<UInt8>, as encoding: TextEncoding
  ) throws(HTMLError) -> (bytes: [UInt8], replacements: Int) {
    switch encoding {
    case .utf8: UTF8Repair.repair(bytes)
    case .utf16LittleEndian: utf16(bytes, isBigEndian: false)
    case .utf16BigEndian: utf16(bytes, isBigEndian: true)
    case .windows1252: singleByte(bytes) { byte in windows1252[Int(byte) - 0x80] }
    case .userDefined: singleByte(bytes) { byte in 0xF700 + UInt16(byte) }
    default: try convert(bytes, as: encoding)
    }
  }

  private static func singleByte(
    _ bytes: ArraySlice<UInt8>, _ scalar: (UInt8) -> UInt16
  ) -> (bytes: [UInt8], replacements: Int) {
    var output: [UInt8] = []
    output.reserveCapacity(bytes.count + bytes.count / 8)
    for byte in bytes {
      if byte < 0x80 { output.append(byte) } else { output.append(scalar: UInt32(scalar(byte))) }
    }
    return (output, 0)
  }

  private static func utf16(_ bytes: ArraySlice<UInt8>, isBigEndian: Bool) -> (bytes: [UInt8], replacements: Int) {
    var output: [UInt8] = []
    output.reserveCapacity(bytes.count)
    var replacements = 0
    var high: UInt32?
    func unit(_ index: Int) -> UInt32 {
      let (first, second) = (UInt32(bytes[index]), UInt32(bytes[index + 1]))
      return isBigEndian ? first << 8 | second : second << 8 | first
    }
    func replace() {
      output.append(scalar: 0xFFFD)
      replacements += 1
    }
    var index = bytes.startIndex
    while index + 1 < bytes.endIndex {
      let unit = unit(index)
      index += 2
      if let lead = high {
        high = nil
        if (0xDC00...0xDFFF).contains(unit) {
          output.append(scalar: 0x10000 + ((lead - 0xD800) << 10) + (unit - 0xDC00))
          continue
        }
        replace()
      }
      switch unit {
      case 0xD800...0xDBFF: high = unit
      case 0xDC00...0xDFFF: replace()
      default: output.append(scalar: unit)
      }
    }
    if high != nil || index < bytes.endIndex { replace() }
    return (output, replacements)
  }

  private static func convert(
    _ bytes: ArraySlice<UInt8>, as encoding: TextEncoding
  ) throws(HTMLError) -> (bytes: [UInt8], replacements: Int) {
    guard let converter = cgumbo_iconv_open(encoding.converterName) else { throw .missingConverter(encoding) }
    defer { cgumbo_iconv_close(converter) }
    var output: [UInt8] = []
    output.reserveCapacity(bytes.count * 2)
    var replacements = 0
    func replace() {
      output.append(scalar: 0xFFFD)
      replacements += 1
    }
    bytes.withUnsafeBytes { source in
      withUnsafeTemporaryAllocation(of: CChar.self, capacity: 16 << 10) { window in
        var input = source.baseAddress?.assumingMemoryBound(to: CChar.self)
        var left = source.count
        // The last round is without input: some converters hold a letter back for a mark that may follow it.
        var isOver = false
        while !isOver {
          let (isLast, leftBefore) = (left == 0, left)
          var end: UnsafeMutablePointer<CChar>? = window.baseAddress
          var room = window.count
          let conversion = cgumbo_iconv(converter, &input, &left, &end, &room)
          output.append(
            contentsOf: UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(window)[..<(window.count - room)]))
          let hasMoved = left < leftBefore || room < window.count
          if conversion == GUMBO_TEXT_INVALID || conversion == GUMBO_TEXT_INCOMPLETE { replace() }
          switch conversion {
          case GUMBO_TEXT_INVALID where left > 0:
            // A lead byte is replaced alone: the byte after it may be markup.
            input? += 1
            left -= 1
          case GUMBO_TEXT_INCOMPLETE: left = 0
          // A converter that neither reads nor writes would keep us here for ever.
          default: if !hasMoved { left = 0 }
          }
          isOver = isLast && !(conversion == GUMBO_TEXT_OUTPUT_FULL && hasMoved)
        }
      }
    }
    return (output, replacements)
  }

  /// What windows-1252 has at 0x80...0xFF: as ISO-8859-1, but for the first two rows.
  private static let windows1252: [UInt16] =
    [
      0x20AC, 0x0081, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160, 0x2039, 0x0152, 0x008D,
      0x017D, 0x008F, 0x0090, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014, 0x02DC, 0x2122, 0x0161, 0x203A,
      0x0153, 0x009D, 0x017E, 0x0178,
    ] + (0xA0...0xFF).map { UInt16($0) }
}

/// UTF-8 that may be broken: each part that is none becomes one U+FFFD, as browsers do it.
enum UTF8Repair {
  static func repair(_ bytes: ArraySlice<UInt8>) -> (bytes: [UInt8], replacements: Int) {
    var output: [UInt8] = []
    output.reserveCapacity(bytes.count)
    var replacements = 0
    walk(bytes) { run, isValid in
      if isValid {
        output.append(contentsOf: run)
      } else {
        output.append(scalar: 0xFFFD)
        replacements += 1
      }
    }
    return (output, replacements)
  }

  static func invalidSequences(in bytes: ArraySlice<UInt8>) -> Int {
    var count = 0
    walk(bytes) { _, isValid in count += isValid ? 0 : 1 }
    return count
  }

  /// Whether the last bytes begin a character that is cut off.
  static func endsInsideSequence(_ bytes: ArraySlice<UInt8>) -> Bool {
    var endsInside = false
    walk(bytes) { run, isValid in endsInside = !isValid && run.endIndex == bytes.endIndex && run.first! >= 0xC2 }
    return endsInside
  }

  /// Calls `body` with runs of valid UTF-8, as long as they go, and with each part that is none.
  private static func walk(_ bytes: ArraySlice<UInt8>, _ body: (ArraySlice<UInt8>, _ isValid: Bool) -> Void) {
    var runStart = bytes.startIndex
    var index = bytes.startIndex
    while true {
      index = asciiEnd(of: bytes, from: index)
      guard index < bytes.endIndex else { break }
      let (length, isValid) = sequence(in: bytes, at: index)
      if !isValid {
        if runStart < index { body(bytes[runStart..<index], true) }
        body(bytes[index..<index + length], false)
        runStart = index + length
      }
      index += length
    }
    if runStart < index { body(bytes[runStart..<index], true) }
  }

  /// Where the first byte beyond ASCII stands, eight bytes looked at together.
  static func asciiEnd(of bytes: ArraySlice<UInt8>, from start: Int) -> Int {
    bytes.withUnsafeBytes { all in
      var offset = start - bytes.startIndex
      while offset + 8 <= all.count,
        all.loadUnaligned(fromByteOffset: offset, as: UInt64.self) & 0x8080_8080_8080_8080 == 0
      {
        offset += 8
      }
      while offset < all.count, all[offset] < 0x80 { offset += 1 }
      return bytes.startIndex + offset
    }
  }

  /// The length of the character at `index`, or of as much of one as there is (Unicode, table 3-7).
  private static func sequence(in bytes: ArraySlice<UInt8>, at index: Int) -> (length: Int, isValid: Bool) {
    let lead = bytes[index]
    let needed: Int
    var second: ClosedRange<UInt8> = 0x80...0xBF
    switch lead {
    case 0xC2...0xDF: needed = 2
    case 0xE0: (needed, second) = (3, 0xA0...0xBF)
    case 0xED: (needed, second) = (3, 0x80...0x9F)
    case 0xE1...0xEF: needed = 3
    case 0xF0: (needed, second) = (4, 0x90...0xBF)
    case 0xF4: (needed, second) = (4, 0x80...0x8F)
    case 0xF1...0xF3: needed = 4
    default: return (1, false)
    }
    guard index + 1 < bytes.endIndex, second.contains(bytes[index + 1]) else { return (1, false) }
    var length = 2
    while length < needed {
      guard index + length < bytes.endIndex, bytes[index + length] & 0xC0 == 0x80 else { return (length, false) }
      length += 1
    }
    return (needed, true)
  }
}

extension [UInt8] {
  /// A scalar that is known not to be half of a pair.
  fileprivate mutating func append(scalar value: UInt32) {
    switch value {
    case 0..<0x80: append(UInt8(value))
    case 0x80..<0x800:
      append(UInt8(0xC0 | value >> 6))
      append(UInt8(0x80 | value & 0x3F))
    case 0x800..<0x10000:
      append(UInt8(0xE0 | value >> 12))
      append(UInt8(0x80 | value >> 6 & 0x3F))
      append(UInt8(0x80 | value & 0x3F))
    default:
      append(UInt8(0xF0 | value >> 18))
      append(UInt8(0x80 | value >> 12 & 0x3F))
      append(UInt8(0x80 | value >> 6 & 0x3F))
      append(UInt8(0x80 | value & 0x3F))
    }
  }
}
