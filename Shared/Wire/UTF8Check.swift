/// What bytes are, as text.
///
/// The standard library's check takes a dozen instructions for each byte that is not ASCII, which made it the dearest
/// part of reading an answer with Korean names: this one takes three.
enum UTF8Check: Equatable {
  case ascii, valid, invalid

  @inline(__always)
  init(_ bytes: UnsafeRawBufferPointer) {
    guard var place = bytes.baseAddress else {
      self = .ascii
      return
    }
    let end = place + bytes.count
    Self.skipASCII(&place, end)
    if place == end {
      self = .ascii
    } else {
      self = Self.rest(place, end) ? .valid : .invalid
    }
  }

  @inline(__always)
  private static func skipASCII(_ place: inout UnsafeRawPointer, _ end: UnsafeRawPointer) {
    while end - place >= 8, place.loadUnaligned(as: UInt64.self) & 0x8080_8080_8080_8080 == 0 { place += 8 }
    while place < end, place.load(as: UInt8.self) < 0x80 { place += 1 }
  }

  /// Whether what follows is valid. The masks are of a little-endian word whose first byte leads.
  private static func rest(_ start: UnsafeRawPointer, _ end: UnsafeRawPointer) -> Bool {
    var place = start
    while end - place >= 4 {
      let word = UInt32(littleEndian: place.loadUnaligned(as: UInt32.self))
      if word & 0x00C0_C0F0 == 0x0080_80E0 {
        guard isThree(word & 0x200F) else { return false }
        place += 3
        skipThrees(&place, end)
      } else if word & 0x80 == 0 {
        place += 1
        if word & 0x8000 == 0 { skipASCII(&place, end) }
      } else if word & 0xC0E0 == 0x80C0 {
        guard word & 0x1E != 0 else { return false }
        place += 2
      } else if word & 0xC0C0_C0F8 == 0x8080_80F0 {
        // Four bytes: U+10000 at least (F0 90) and U+10FFFF at most (F4 8F).
        let lead = word & 0x07
        guard lead != 0 || word & 0x3000 != 0, lead < 4 || (lead == 4 && word & 0x3000 == 0) else { return false }
        place += 4
      } else {
        return false
      }
    }
    return tail(place, end)
  }

  /// Further characters of three bytes, two at once, as in Korean and Japanese.
  @inline(__always)
  private static func skipThrees(_ place: inout UnsafeRawPointer, _ end: UnsafeRawPointer) {
    while end - place >= 8 {
      let word = UInt64(littleEndian: place.loadUnaligned(as: UInt64.self))
      guard word & 0xC0C0_F0C0_C0F0 == 0x8080_E080_80E0 else { return }
      let (first, second) = (UInt32(truncatingIfNeeded: word), UInt32(truncatingIfNeeded: word &>> 24))
      guard isThree(first & 0x200F), isThree(second & 0x200F) else { return }
      place += 6
    }
  }

  /// Whether three bytes, of which these bits are looked at, are neither written too long (E0 80…9F) nor half of a
  /// surrogate pair (ED A0…BF).
  @inline(__always)
  private static func isThree(_ bits: UInt32) -> Bool { bits != 0 && bits != 0x200D }

  /// The last three bytes or fewer, filled up with zeros, which are ASCII and continue nothing.
  private static func tail(_ start: UnsafeRawPointer, _ end: UnsafeRawPointer) -> Bool {
    var left = end - start
    var word: UInt32 = 0
    for index in 0..<left { word |= UInt32(start.load(fromByteOffset: index, as: UInt8.self)) << (8 * index) }
    while left > 0 {
      let size: Int
      if word & 0x80 == 0 {
        size = 1
      } else if word & 0xC0E0 == 0x80C0, word & 0x1E != 0 {
        size = 2
      } else if word & 0x00C0_C0F0 == 0x0080_80E0, isThree(word & 0x200F) {
        size = 3
      } else {
        return false
      }
      word >>= 8 * size
      left -= size
    }
    return true
  }
}
