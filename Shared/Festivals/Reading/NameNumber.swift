import Contracts
import TextSearch

/// Numbers for things that a file only calls by what people read: always the same for the same words.
enum NameNumber {
  /// FNV-1a, with the bits spread: the same on every machine and for ever.
  static func hash(_ text: String) -> UInt64 {
    var value: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in text.utf8 { value = (value ^ UInt64(byte)) &* 0x100_0000_01B3 }
    value = (value ^ value >> 33) &* 0xFF51_AFD7_ED55_8CCD
    value = (value ^ value >> 33) &* 0xC4CE_B9FE_1A85_EC53
    return value ^ value >> 33
  }

  static func hexadecimal(_ text: String) -> String {
    let digits = String(hash(text), radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }

  /// A UUID that a text always has (of version 8, whose bits are its maker's own).
  static func guid(_ text: String) -> String {
    var digits = Array((hexadecimal(text) + hexadecimal("guid " + text)).utf8)
    digits[12] = UInt8(ascii: "8")
    digits[16] = UInt8(ascii: "a")
    let parts = [digits[0..<8], digits[8..<12], digits[12..<16], digits[16..<20], digits[20..<32]]
    return parts.map { String(decoding: $0, as: UTF8.self) }.joined(separator: "-")
  }
}

extension FestivalID {
  /// Longest slug of a festival: with a session's id and a dot it is an id of 80 that people save.
  package static var lengthMax: Int { 36 }

  /// What of a name goes into one: behind it there is room for a number.
  static var nameMax: Int { lengthMax - 8 }

  package var isFestivalSlug: Bool { text.utf8.count <= Self.lengthMax && !text.utf8.contains(UInt8(ascii: ".")) }
}

extension RoomID {
  /// The id that a room of this name gets when a programme is read.
  package init?(festivalRoom name: String) { self.init(Slug.numbered(name, otherwise: "room")) }
}

extension SessionID {
  package static var lengthMax: Int { 43 }
}
