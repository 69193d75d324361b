/// Ids made of names: `tokyo-story` of "Tokyo Story!".
package enum Slug {
  /// Longer ones are cut: an id with what stands before and behind it has at most 80 bytes.
  package static let bytesMax = 60

  /// Of a name in Latin letters and digits; nil where it has none or has others, which an id cannot hold.
  package static func of(_ name: String) -> String? {
    let folded = FoldedText(name)
    guard !folded.units.isEmpty, folded.units.allSatisfy({ $0 < 0x80 }) else { return nil }
    return String(hyphenated(folded).prefix(bytesMax))
  }

  /// The words in small letters, with hyphens between them; letters of any script.
  package static func hyphenated(_ folded: FoldedText) -> String {
    var view = String.UnicodeScalarView()
    for (unit, startsWord) in zip(folded.units, folded.startsWord) {
      if startsWord, !view.isEmpty { view.append("-") }
      if let scalar = Unicode.Scalar(unit) { view.append(scalar) }
    }
    return String(view)
  }

  /// Of a name that has no other id: its letters and digits of ASCII, and if it has others or more of them than fit, a
  /// number that it always has again. Lists that were imported once get the same ids ever after, so nothing of this may
  /// change.
  ///
  /// - Parameter bytesMax: of the name's part; the number and its hyphen have at most 8 bytes.
  package static func numbered(_ name: String, otherwise word: String, bytesMax: Int = Slug.bytesMax) -> String {
    var slug: [UInt8] = []
    for byte in name.lowercased().utf8 {
      if (0x61...0x7A).contains(byte) || (0x30...0x39).contains(byte) {
        slug.append(byte)
      } else if !slug.isEmpty, slug.last != UInt8(ascii: "-") {
        slug.append(UInt8(ascii: "-"))
      }
    }
    if slug.last == UInt8(ascii: "-") { slug.removeLast() }
    let isWhole = slug.count <= bytesMax && name.utf8.allSatisfy { $0 < 0x80 }
    slug.removeLast(max(0, slug.count - bytesMax))
    if slug.last == UInt8(ascii: "-") { slug.removeLast() }
    let latin = String(decoding: slug, as: UTF8.self)
    if isWhole, !latin.isEmpty { return latin }
    // FNV-1a
    let number = name.utf8.reduce(UInt32(2_166_136_261)) { ($0 ^ UInt32($1)) &* 16_777_619 }
    return (latin.isEmpty ? word : latin) + "-" + String(number, radix: 36)
  }
}
