package import Contracts

/// What a picture says of itself before its first line: how large it is.
///
/// Enough to tell a picture from what only begins like one; nothing is unpacked.
nonisolated package struct PictureHead: Hashable, Sendable {
  package let width: Int
  package let height: Int

  /// Nil if there is none, or it says that nothing is to be seen.
  package init?(_ bytes: [UInt8], as form: PictureForm) {
    let size: (width: Int, height: Int)? =
      switch form {
      case .jpeg: Self.jpeg(bytes)
      case .png: Self.png(bytes)
      case .webp: Self.webp(bytes)
      case .unknown: nil
      }
    guard let size, size.width > 0, size.height > 0 else { return nil }
    (width, height) = size
  }

  /// The signature, then the part `IHDR`: its length, its name, two sides of four bytes.
  private static func png(_ bytes: [UInt8]) -> (width: Int, height: Int)? {
    guard bytes.count >= 33, bytes[8..<16].elementsEqual([0, 0, 0, 13] + Array("IHDR".utf8)) else { return nil }
    return (big(bytes[16..<20]), big(bytes[20..<24]))
  }

  /// Marks with their lengths, up to one that begins a frame: its length, its depth, height and width.
  private static func jpeg(_ bytes: [UInt8]) -> (width: Int, height: Int)? {
    var place = 2
    while place + 9 <= bytes.count, bytes[place] == 0xFF {
      let mark = bytes[place + 1]
      switch mark {
      // They may be filled up with any number of these.
      case 0xFF: place += 1
      // Tables of codes and arithmetic stand among the numbers of frames.
      case 0xC0...0xCF where ![0xC4, 0xC8, 0xCC].contains(mark):
        return (big(bytes[place + 7..<place + 9]), big(bytes[place + 5..<place + 7]))
      // These have no length; a picture without a frame before its lines or its end is none.
      case 0x01, 0xD0...0xDA: return nil
      default:
        let length = big(bytes[place + 2..<place + 4])
        guard length >= 2 else { return nil }
        place += 2 + length
      }
    }
    return nil
  }

  /// RIFF's head, then the first part: one picture, one without loss, or a head for several.
  private static func webp(_ bytes: [UInt8]) -> (width: Int, height: Int)? {
    guard bytes.count >= 30 else { return nil }
    switch String(decoding: bytes[12..<16], as: UTF8.self) {
    case "VP8 ":
      guard bytes[23..<26].elementsEqual([0x9D, 0x01, 0x2A]) else { return nil }
      return (little(bytes[26..<28]) & 0x3FFF, little(bytes[28..<30]) & 0x3FFF)
    case "VP8L":
      guard bytes[20] == 0x2F else { return nil }
      let sides = little(bytes[21..<25])
      return ((sides & 0x3FFF) + 1, (sides >> 14 & 0x3FFF) + 1)
    case "VP8X": return (little(bytes[24..<27]) + 1, little(bytes[27..<30]) + 1)
    default: return nil
    }
  }

  private static func big(_ bytes: ArraySlice<UInt8>) -> Int { bytes.reduce(0) { $0 << 8 | Int($1) } }

  private static func little(_ bytes: ArraySlice<UInt8>) -> Int { big(bytes.reversed()[...]) }
}
